"""Labels: fetched from the carrier, printed at the counter."""

import os

import requests
from flask import Blueprint, abort, request, send_file
from werkzeug.utils import secure_filename

from . import settings
from .auth import staff_only

bp = Blueprint("labels", __name__)


def fetch(number):
    """Get one label from the carrier; called by the nightly job."""
    reply = requests.get(
        f"{settings.CARRIER_URL}/labels/{int(number)}",
        auth=(settings.CARRIER_USER, settings.CARRIER_PASSWORD),
        timeout=settings.CARRIER_TIMEOUT,
    )
    reply.raise_for_status()
    target = settings.LABEL_DIR / f"{int(number)}.pdf"
    target.write_bytes(reply.content)
    return target


@bp.post("/labels")
@staff_only
def upload():
    file = request.files.get("label")
    name = secure_filename(file.filename) if file else ""
    if not name.endswith(".pdf"):
        abort(400)
    file.save(settings.LABEL_DIR / name)
    return {"stored": name}


@bp.get("/labels")
@staff_only
def download():
    name = request.args["name"]
    path = os.path.join(settings.LABEL_DIR.resolve(), name)
    if not os.path.isfile(path):
        abort(404)
    return send_file(path, mimetype="application/pdf")
