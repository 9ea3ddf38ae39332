"""Command line."""

import argparse
import sys

from . import harvest, profile


def ask(question):
    if not sys.stdin.isatty():
        return False
    return input(f"{question} [y/N] ").strip().lower() == "y"


def enable(_args):
    target = profile.find()
    print(f"these lines go to the end of {target}:\n")
    print(profile.BLOCK)
    if not ask("add them?"):
        print("nothing changed")
        return 1
    print("added" if profile.add(target) else "already there")
    return 0


def disable(_args):
    print("removed" if profile.remove(profile.find()) else "nothing to remove")
    return 0


def add(args):
    options = harvest.options_of(args.script)
    print(f"{len(options)} options -> {harvest.store(args.script, options)}")
    return 0


def main(argv=None):
    parser = argparse.ArgumentParser(prog="shell-hints")
    commands = parser.add_subparsers(required=True)
    commands.add_parser("enable").set_defaults(run=enable)
    commands.add_parser("disable").set_defaults(run=disable)
    sub = commands.add_parser("add")
    sub.add_argument("script")
    sub.set_defaults(run=add)
    args = parser.parse_args(argv)
    return args.run(args)
