"""The application factory."""

import os

from flask import Flask

from . import documents, people, storage


def create_app():
    app = Flask(__name__)
    secret = os.environ.get("VAULT_SECRET_KEY", "")
    if len(secret) < 32:
        raise RuntimeError("VAULT_SECRET_KEY needs at least 32 characters")
    app.config.update(
        SECRET_KEY=secret,
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Strict",
        SESSION_COOKIE_SECURE=True,
        MAX_CONTENT_LENGTH=32 * 1024 * 1024,
    )
    app.teardown_appcontext(storage.close)
    app.register_blueprint(people.bp)
    app.register_blueprint(documents.bp)
    return app
