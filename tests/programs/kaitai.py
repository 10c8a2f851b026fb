# SPDX-License-Identifier: MIT
"""
Reads a file by its description in Kaitai Struct's language (doc.kaitai.io, "User Guide"), as far as
descriptions/ uses it: types of numbers, bytes and strings, user-defined types, `if`, `repeat`,
`size`, `switch-on`, `instances`, `enums`. An unknown key is an error, so that none is ignored.
"""
import re
import struct

NUMBERS = {"u1": "<B", "u2": "<H", "u4": "<I", "u8": "<Q"}
KEYS = {"id", "type", "contents", "size", "size-eos", "terminator", "if", "repeat", "repeat-expr",
        "enum", "doc", "pos", "value"}


class Stream:
    """Bytes, a position, and the names by which expressions refer to them."""

    def __init__(self, data):
        self.data, self.pos, self.size = data, 0, len(data)

    def take(self, count):
        if not 0 <= count <= self.size - self.pos:
            raise EOFError(f"{count} bytes at {self.pos} of {self.size}")
        self.pos += count
        return self.data[self.pos - count:self.pos]


class Node:
    """An object that was read; its fields are attributes."""

    def __init__(self, parser, definition, stream, parent):
        self._parser, self._io, self._parent = parser, stream, parent
        self._instances = definition.get("instances", {})
        for field in definition.get("seq", []):
            setattr(self, field["id"], parser.field(field, self))

    def __getattr__(self, name):
        if name.startswith("__") or name not in self._instances:
            raise AttributeError(name)
        value = self._parser.instance(self._instances[name], self)
        setattr(self, name, value)
        return value


class Parser:
    def __init__(self, description):
        self.description = description
        self.enums = {
            name: {number: row["id"] if isinstance(row, dict) else row for number, row in rows.items()}
            for name, rows in description.get("enums", {}).items()}

    def parse(self, data):
        return Node(self, self.description, Stream(data), None)

    def value(self, expression, node):
        """Evaluates an expression of numbers, names and bytes. Members of enums are numbers."""
        if not isinstance(expression, str):
            return expression
        numbers = {name: number for rows in self.enums.values() for number, name in rows.items()}
        python = re.sub(r"\w+::(\w+)", lambda name: str(numbers[name[1]]), expression)
        python = re.sub(r"\[([^]]*)\]", lambda found: repr(bytes(int(n, 0) for n in found[1].split(","))), python)
        return eval(python, {"__builtins__": {}}, Names(node))

    def instance(self, field, node):
        if "value" in field:
            return self.value(field["value"], node)
        before, node._io.pos = node._io.pos, self.value(field["pos"], node)
        try:
            return self.field(field, node)
        finally:
            node._io.pos = before

    def field(self, field, node):
        unknown = set(field) - KEYS
        if unknown:
            raise ValueError(f"{unknown} is not known to this reader")
        if "if" in field and not self.value(field["if"], node):
            return None
        if field.get("repeat") == "eos":
            found = []
            while node._io.pos < node._io.size:
                found.append(self.one(field, node))
            return found
        if field.get("repeat") == "expr":
            return [self.one(field, node) for _ in range(self.value(field["repeat-expr"], node))]
        return self.one(field, node)

    def one(self, field, node):
        if "contents" in field:
            return self.contents(field["contents"], node._io)
        kind = self.kind(field.get("type"), node)
        if kind in NUMBERS:
            number = struct.calcsize(NUMBERS[kind])
            return struct.unpack(NUMBERS[kind], node._io.take(number))[0]
        stream = node._io
        if "size" in field or "size-eos" in field:
            size = stream.size - stream.pos if "size-eos" in field else self.value(field["size"], node)
            stream = Stream(stream.take(size))
        if kind is None:
            return stream.data
        if kind == "str":
            data = stream.data.split(bytes([field["terminator"]]))[0] if "terminator" in field else stream.data
            return data.decode("utf-8", "replace")
        return Node(self, self.description["types"][kind], stream, node)

    def kind(self, kind, node):
        if not isinstance(kind, dict):
            return kind
        chosen = self.value(kind["switch-on"], node)
        cases = {self.value(case, node): name for case, name in kind["cases"].items()}
        return cases.get(chosen)

    @staticmethod
    def contents(wanted, stream):
        parts = wanted if isinstance(wanted, list) else [wanted]
        wanted = b"".join(part.encode() if isinstance(part, str) else bytes([part]) for part in parts)
        if stream.take(len(wanted)) != wanted:
            raise ValueError(f"not {wanted!r} at {stream.pos - len(wanted)}")
        return wanted


class Names(dict):
    """The names in an expression, which refer to members of a node."""

    def __init__(self, node):
        super().__init__()
        self.node = node

    def __missing__(self, name):
        return getattr(self.node, name)
