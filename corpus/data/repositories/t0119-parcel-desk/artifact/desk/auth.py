"""Signing in."""

import functools

from flask import Blueprint, redirect, render_template, request, session, url_for
from werkzeug.security import check_password_hash, generate_password_hash

from . import db

bp = Blueprint("auth", __name__)

# Compared against when the name is unknown, so that both cases take as long.
ABSENT = generate_password_hash("no such person")


def staff_only(view):
    @functools.wraps(view)
    def wrapped(*args, **kwargs):
        if "staff" not in session:
            return redirect(url_for("auth.login"))
        return view(*args, **kwargs)

    return wrapped


@bp.route("/login", methods=["GET", "POST"])
def login():
    if request.method == "GET":
        return render_template("login.html")
    name = request.form["name"]
    row = db.get().execute("SELECT password FROM staff WHERE name = ?", (name,)).fetchone()
    stored = row["password"] if row else ABSENT
    if not check_password_hash(stored, request.form["password"]) or row is None:
        return render_template("login.html", failed=True), 401
    session.clear()
    session["staff"] = name
    return redirect(url_for("parcels.search"))
