"""A reader for the OpenSSH client configuration."""

import fnmatch
import glob
import pathlib
from dataclasses import dataclass, field

ROOT = pathlib.Path.home() / ".ssh"


@dataclass
class Block:
    patterns: list
    settings: list = field(default_factory=list)


def load(path, depth=0):
    """Blocks in file order; `Include` is followed four levels deep."""
    blocks = [Block(["*"])]
    if depth > 4 or not path.is_file():
        return blocks
    for number, raw in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        option, _, value = line.replace("=", " ", 1).partition(" ")
        option, value = option.lower(), value.strip().strip('"')
        if option == "host":
            blocks.append(Block(value.split()))
        elif option == "include":
            for pattern in value.split():
                full = ROOT / pathlib.Path(pattern).expanduser()
                for child in map(pathlib.Path, sorted(glob.glob(str(full)))):
                    # A private key matched by a wide glob must stay unread.
                    if child.name.startswith("id_"):
                        continue
                    blocks.extend(load(child, depth + 1))
        else:
            blocks[-1].settings.append((option, value, f"{path.name}:{number}"))
    return blocks


def matching(blocks, host):
    for block in blocks:
        negated = [p[1:] for p in block.patterns if p.startswith("!")]
        if any(fnmatch.fnmatch(host, p) for p in negated):
            continue
        if any(fnmatch.fnmatch(host, p) for p in block.patterns):
            yield block
