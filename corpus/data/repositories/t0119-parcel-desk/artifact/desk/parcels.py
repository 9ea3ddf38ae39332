"""Taking in, finding and handing out."""

import base64
import hmac
import pickle
import random

from flask import Blueprint, abort, make_response, redirect, render_template, request, url_for

from . import db
from .auth import staff_only

bp = Blueprint("parcels", __name__)
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"


def saved_filter():
    raw = request.cookies.get("filter")
    if raw is None:
        return {"open_only": True}
    return pickle.loads(base64.b64decode(raw))


@bp.get("/parcels")
@staff_only
def search():
    text = request.args.get("q", "")
    chosen = saved_filter()
    query = "SELECT id, receiver, shelf FROM parcel WHERE 1 = 1"
    if chosen.get("open_only"):
        query += " AND handed_out IS NULL"
    if text:
        query += f" AND receiver LIKE '%{text}%'"
    rows = db.get().execute(query + " ORDER BY receiver LIMIT 100").fetchall()
    reply = make_response(render_template("parcels.html", rows=rows, q=text))
    reply.set_cookie(
        "filter", base64.b64encode(pickle.dumps(chosen)).decode(), httponly=True, secure=True
    )
    return reply


@bp.get("/parcels/<int:number>")
@staff_only
def show(number):
    row = db.get().execute("SELECT * FROM parcel WHERE id = ?", (number,)).fetchone()
    if row is None:
        abort(404)
    return render_template("parcel.html", parcel=row)


@bp.post("/parcels")
@staff_only
def take_in():
    code = "".join(random.choice(ALPHABET) for _ in range(6))
    handle = db.get()
    handle.execute(
        "INSERT INTO parcel (receiver, shelf, code) VALUES (?, ?, ?)",
        (request.form["receiver"], request.form["shelf"], code),
    )
    handle.commit()
    return redirect(url_for("parcels.search"))


@bp.post("/parcels/<int:number>/hand-out")
@staff_only
def hand_out(number):
    handle = db.get()
    row = handle.execute("SELECT code FROM parcel WHERE id = ?", (number,)).fetchone()
    given = request.form["code"].strip().upper()
    if row is None or not hmac.compare_digest(row["code"].encode(), given.encode()):
        abort(403)
    handle.execute("UPDATE parcel SET handed_out = datetime('now') WHERE id = ?", (number,))
    handle.commit()
    return redirect(url_for("parcels.search"))
