"""Command line."""

import argparse

from .infer import infer


def main(argv=None):
    parser = argparse.ArgumentParser(prog="csv-shape")
    parser.add_argument("file")
    parser.add_argument("--rows", type=int, default=10_000)
    args = parser.parse_args(argv)
    for column in infer(args.file, args.rows):
        share = f"{100 * column.empty // column.rows} % empty" if column.empty else ""
        extra = "unique" if column.unique else share
        print(f"{column.name:<12}{column.kind:<9}{extra}".rstrip())
    return 0
