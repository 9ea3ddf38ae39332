"""Request signing, version 4. Only what a single-part PUT needs."""

import datetime
import hashlib
import hmac
from urllib.parse import quote, urlsplit

REGION = "us-east-1"
SERVICE = "s3"


def _mac(key, text):
    return hmac.new(key, text.encode(), hashlib.sha256).digest()


def signed_headers(method, url, body, access_key, secret_key, now=None):
    """Headers that authorise one request; the secret itself is never sent."""
    now = now or datetime.datetime.now(datetime.timezone.utc)
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    scope = f"{stamp[:8]}/{REGION}/{SERVICE}/aws4_request"
    parts = urlsplit(url)
    digest = hashlib.sha256(body).hexdigest()
    headers = {
        "host": parts.netloc,
        "x-amz-content-sha256": digest,
        "x-amz-date": stamp,
    }
    names = ";".join(sorted(headers))
    canonical = "\n".join(
        [method, quote(parts.path), parts.query]
        + [f"{name}:{headers[name]}" for name in sorted(headers)]
        + ["", names, digest]
    )
    to_sign = "\n".join(
        ["AWS4-HMAC-SHA256", stamp, scope, hashlib.sha256(canonical.encode()).hexdigest()]
    )
    key = _mac(b"AWS4" + secret_key.encode(), stamp[:8])
    for part in (REGION, SERVICE, "aws4_request"):
        key = _mac(key, part)
    signature = hmac.new(key, to_sign.encode(), hashlib.sha256).hexdigest()
    headers["authorization"] = (
        f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, "
        f"SignedHeaders={names}, Signature={signature}"
    )
    return headers
