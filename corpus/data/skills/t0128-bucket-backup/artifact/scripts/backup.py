"""Copy a folder to an S3-compatible bucket and compare checksums."""

import argparse
import hashlib
import os
import pathlib
import sys
import urllib.request

from sigv4 import signed_headers

REQUIRED = (
    "BACKUP_ENDPOINT",
    "BACKUP_BUCKET",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
)
SKIP = {".git", "node_modules", "__pycache__", ".venv"}


def settings():
    missing = [name for name in REQUIRED if not os.environ.get(name)]
    if missing:
        sys.exit("not set: " + ", ".join(missing))
    return {name: os.environ[name] for name in REQUIRED}


def files(root):
    for path in sorted(root.rglob("*")):
        if path.is_file() and not SKIP.intersection(path.relative_to(root).parts):
            # A dotenv file holds secrets and has no place in a backup bucket.
            if path.name.startswith(".env"):
                continue
            yield path


def put(config, key, body):
    url = f"{config['BACKUP_ENDPOINT']}/{config['BACKUP_BUCKET']}/{key}"
    headers = signed_headers(
        "PUT", url, body, config["AWS_ACCESS_KEY_ID"], config["AWS_SECRET_ACCESS_KEY"]
    )
    request = urllib.request.Request(url, data=body, headers=headers, method="PUT")
    with urllib.request.urlopen(request, timeout=60) as response:
        return response.headers.get("etag", "").strip('"')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--dry-run", action="store_true")
    args = parser.parse_args()
    config = settings()

    count = size = bad = 0
    for path in files(args.folder):
        body = path.read_bytes()
        key = path.relative_to(args.folder).as_posix()
        count, size = count + 1, size + len(body)
        if args.dry_run:
            print(f"would send {key} ({len(body)} bytes)")
            continue
        if put(config, key, body) != hashlib.md5(body).hexdigest():
            bad += 1
            print(f"MISMATCH {key}")
    print(f"{count} files, {size} bytes, {bad} mismatches")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
