# SPDX-License-Identifier: MIT
"""Tables, with the column types that share/gpudumpfs/tables (docs/tables in the sources)
declares."""
import collections
import functools
import os
import re

Column = collections.namedtuple("Column", "name type nullable")
Schema = collections.namedtuple("Schema", "name path folder columns")  # path: relative to the folder

TYPES = {"INTEGER": int, "REAL": float, "TEXT": str}


def _folders():
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.environ.get("GPUDUMPFS_TABLES", "")
    yield os.path.join(here, "../../docs/tables")
    yield os.path.join(here, "../../tables")  # in share/gpudumpfs
    yield os.path.join(here, "../../../../share/gpudumpfs/tables")
    yield from ("/usr/local/share/gpudumpfs/tables", "/usr/share/gpudumpfs/tables")


@functools.lru_cache(maxsize=None)
def schemas(format):
    """Returns a Schema for each table of a format, by name. Leaves out tables that are specific to
    a pixel."""
    for folder in _folders():
        name = os.path.join(folder, format + ".sql")
        if folder and os.path.exists(name):
            with open(name, encoding="utf-8") as file:
                return _parse(file.read())
    raise FileNotFoundError(f"{format}.sql: set GPUDUMPFS_TABLES to the folder of gpudumpfs' tables")


def _parse(script):
    columns = {}
    for name, body in re.findall(r"^CREATE TABLE (\w+) \(\n(.*?)\n\);", script, re.M | re.S):
        columns[name] = [Column(word.strip('"'), kind, not rest) for word, kind, rest in
                         re.findall(r'^\s+("?\w+"?) (\w+)( NOT NULL)?,?$', body, re.M)]
    found = {}
    for place, name in re.findall(r"^\.import --skip 1 (.+) (\w+)$", script, re.M):
        path = re.search(r"[^\s\"'|]*\.tsv", place).group()
        if "PIXEL" in place:
            continue
        folder, _, rest = path.rpartition("}/")
        folder = folder.split("/$")[0] if folder else None
        found[name] = Schema(name, rest, folder, columns.get(name))
    return found


def _reader(column):
    make = TYPES[column.type]
    if column.nullable:
        return lambda cell: None if cell == "-" else make(cell)
    return make


def rows(lines, schema):
    """Yields typed rows from a table's lines, which are bytes. The first line has the names of the
    columns."""
    lines = iter(lines)
    names = next(lines, b"").decode().rstrip("\n").split("\t")
    columns = schema.columns or [Column(name, "INTEGER", False) for name in names]
    if [column.name for column in columns] != names:
        raise ValueError(f"{schema.name}: its columns are {names}")
    row = collections.namedtuple("Row", names, rename=True)
    readers = [_reader(column) for column in columns]
    for line in lines:
        cells = line.decode().rstrip("\n").split("\t")
        yield row._make(read(cell) for read, cell in zip(readers, cells))
