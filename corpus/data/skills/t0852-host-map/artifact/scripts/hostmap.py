"""Explain the settings of the OpenSSH client for a host."""

import argparse
import pathlib
import sys

from sshconfig import load, matching

KEY_OPTIONS = {"identityfile", "certificatefile"}


def explain(blocks, host):
    seen = {}
    for block in matching(blocks, host):
        for option, value, place in block.settings:
            if option in seen and option not in KEY_OPTIONS:
                print(f"  ignored  {option} {value}  ({place}, already set)")
                continue
            seen[option] = value
            note = ""
            if option in KEY_OPTIONS:
                path = pathlib.Path(value).expanduser()
                note = "" if path.exists() else "  <- no such file"
            print(f"  applies  {option} {value}  ({place}){note}")
    if not seen:
        print("  nothing matches, defaults apply")


def tree(blocks):
    jumps = {}
    for block in blocks:
        via = next((v for o, v, _ in block.settings if o == "proxyjump"), "(direct)")
        for pattern in block.patterns:
            if "*" not in pattern:
                jumps.setdefault(via, []).append(pattern)
    for via in sorted(jumps):
        print(via)
        for host in sorted(jumps[via]):
            print(f"  +- {host}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("action", choices=["explain", "map"])
    parser.add_argument("host", nargs="?")
    args = parser.parse_args()

    blocks = load(pathlib.Path.home() / ".ssh" / "config")
    if args.action == "map":
        tree(blocks)
    elif args.host:
        explain(blocks, args.host)
    else:
        sys.exit("explain needs a host")


if __name__ == "__main__":
    main()
