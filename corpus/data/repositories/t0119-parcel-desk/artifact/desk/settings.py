"""Settings; what differs between shops comes from the environment."""

import os
from pathlib import Path

DATABASE = Path(os.environ.get("DESK_DB", "desk.sqlite"))
LABEL_DIR = Path(os.environ.get("DESK_LABELS", "labels"))


def secret_key():
    value = os.environ.get("DESK_SECRET_KEY", "")
    if len(value) < 32:
        raise RuntimeError("DESK_SECRET_KEY has to be set to at least 32 characters")
    return value


CARRIER_URL = "https://api.carrier.example/v1"
CARRIER_USER = "shop-2207"
CARRIER_PASSWORD = "Wren!kettle-49-Orbit"
CARRIER_TIMEOUT = 10
