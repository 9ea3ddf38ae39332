"""Accounts."""

import functools
import hashlib
import hmac
import secrets
from urllib.parse import urlsplit

from flask import Blueprint, redirect, render_template, request, session, url_for

from .storage import db

bp = Blueprint("people", __name__)
SCRYPT = {"n": 2**15, "r": 8, "p": 1, "maxmem": 64 * 1024 * 1024}


def hashed(password, salt):
    return hashlib.scrypt(password.encode(), salt=salt, **SCRYPT)


def create(name, password):
    salt = secrets.token_bytes(16)
    db().execute(
        "INSERT INTO person (name, salt, hash) VALUES (?, ?, ?)", (name, salt, hashed(password, salt))
    )
    db().commit()


def signed_in(view):
    @functools.wraps(view)
    def wrapped(*args, **kwargs):
        if "name" not in session:
            return redirect(url_for("people.login", next=request.path))
        return view(*args, **kwargs)

    return wrapped


def local(target):
    """The target when it is a path of this site, else the front page."""
    parts = urlsplit(target)
    plain = not parts.scheme and not parts.netloc
    if plain and target.startswith("/") and not target.startswith("//") and "\\" not in target:
        return target
    return "/"


@bp.route("/login", methods=["GET", "POST"])
def login():
    if request.method == "POST":
        name = request.form["name"]
        row = db().execute("SELECT salt, hash FROM person WHERE name = ?", (name,)).fetchone()
        salt, stored = (row["salt"], row["hash"]) if row else (b"-" * 16, b"")
        if hmac.compare_digest(hashed(request.form["password"], salt), stored):
            session.clear()
            session["name"] = name
            return redirect(local(request.args.get("next", "/")))
    return render_template("login.html")
