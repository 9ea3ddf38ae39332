"""Documents: list, upload, download, convert."""

import hashlib
import subprocess
import tempfile
import uuid
from pathlib import Path

import yaml
from flask import Blueprint, abort, render_template, request, send_file, session

from .people import signed_in
from .storage import db, find, inside

bp = Blueprint("documents", __name__)
KINDS = {".odt", ".docx", ".ods", ".txt"}
RULES = Path(__file__).parent.parent / "rules.yaml"


def tag_for(name):
    rules = yaml.safe_load(RULES.read_text(encoding="utf-8"))
    return next((r["tag"] for r in rules if r["match"] in name.lower()), "other")


def own(number):
    row = db().execute(
        "SELECT name, file FROM document WHERE id = ? AND owner = ?", (number, session["name"])
    ).fetchone()
    if row is None:
        abort(404)
    return row


@bp.get("/")
@signed_in
def index():
    rows = find(session["name"], request.args.get("q", ""), request.args.get("order", ""))
    reply = render_template("index.html", rows=rows)
    # Only a cache tag: nothing depends on it being hard to forge.
    etag = hashlib.md5(reply.encode(), usedforsecurity=False).hexdigest()
    return reply, 200, {"ETag": f'"{etag}"'}


@bp.post("/documents")
@signed_in
def upload():
    file = request.files["file"]
    kind = Path(file.filename or "").suffix.lower()
    if kind not in KINDS:
        abort(400)
    stored = uuid.uuid4().hex + kind
    file.save(inside(stored))
    db().execute(
        "INSERT INTO document (owner, name, file, tag) VALUES (?, ?, ?, ?)",
        (session["name"], file.filename, stored, tag_for(file.filename)),
    )
    db().commit()
    return {"stored": file.filename}, 201


@bp.get("/documents/<int:number>")
@signed_in
def download(number):
    row = own(number)
    return send_file(inside(row["file"]), as_attachment=True, download_name=row["name"])


@bp.get("/documents/<int:number>/pdf")
@signed_in
def as_pdf(number):
    source = inside(own(number)["file"])
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["soffice", "--headless", "--convert-to", "pdf", "--outdir", folder, str(source)],
            check=True,
            timeout=60,
        )
        data = (Path(folder) / (source.stem + ".pdf")).read_bytes()
    return data, 200, {"Content-Type": "application/pdf"}
