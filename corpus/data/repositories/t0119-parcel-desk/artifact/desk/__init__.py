"""The application factory."""

from flask import Flask

from . import db, settings
from .auth import bp as auth_bp
from .labels import bp as labels_bp
from .parcels import bp as parcels_bp


def create_app():
    app = Flask(__name__)
    app.config.update(
        SECRET_KEY=settings.secret_key(),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=True,
        MAX_CONTENT_LENGTH=2 * 1024 * 1024,
    )
    app.teardown_appcontext(db.close)
    app.cli.add_command(db.init_command)
    for blueprint in (auth_bp, labels_bp, parcels_bp):
        app.register_blueprint(blueprint)
    return app
