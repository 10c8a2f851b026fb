#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make.py [FOLDER [CASE...]]: writes hostile dumps, the same bytes every time.

Without a folder it prints the table of them that docs/hostile.md has.
"""
import argparse
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import aerogpu  # noqa: E402, F401
import apitrace  # noqa: E402, F401
import container  # noqa: E402, F401
import gapir  # noqa: E402, F401
import gfxreconstruct  # noqa: E402, F401
import psx  # noqa: E402, F401
import vma  # noqa: E402, F401
from case import CASES, Sparse  # noqa: E402


def write_file(path, data):
    with open(path, "wb") as file:
        file.write(data.data if isinstance(data, Sparse) else data)
        if isinstance(data, Sparse):
            file.truncate(data.size)


def is_written(path, data):
    """Returns whether the file has these bytes, or, if it has a hole, those before the hole."""
    known = data.data if isinstance(data, Sparse) else data
    with open(path, "rb") as file:
        start = file.read(len(known))
        return start == known and file.seek(0, os.SEEK_END) == getattr(data, "size", len(known))


def write(case, folder):
    """Writes a case's dump to a folder; returns its path."""
    place, made = os.path.join(folder, case.name), case.make()
    os.makedirs(place if isinstance(made, dict) else folder, exist_ok=True)
    if not isinstance(made, dict):
        made = {"": made}
    for name, data in made.items():
        write_file(os.path.join(place, name) if name else place, data)
    return place


def table():
    lines = ["| case | what it attacks | where |", "|---|---|---|"]
    for case in CASES.values():
        files = ", ".join("`%s`" % file for file in case.files) or "the mount"
        lines.append(f"| {case.name} | {case.attacks} | {files} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", metavar="FOLDER")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args()
    for name in given.cases:
        if name not in CASES:
            parser.error(f"there is no case {name}")
    if given.folder is None:
        sys.stdout.write(table())
        return
    for name in given.cases or CASES:
        write(CASES[name], given.folder)


if __name__ == "__main__":
    main()
