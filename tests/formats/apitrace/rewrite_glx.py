#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""rewrite_glx.py wgl|cgl TRACE FILE: rewrites a GLX trace (Snappy, version 6) for another window
system.

Replaces calls of GLX by those that a program on Windows or macOS would have made: the same contexts
become current in the same threads at the same times, with the same swaps. Calls of OpenGL are
unchanged."""
import struct
import sys

sys.dont_write_bytecode = True

CHUNK = 1 << 20
FUNCTION, STRUCT, ENUM, MASK = range(4)
KINDS = {9: ENUM, 10: MASK, 12: STRUCT}


def number(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7f | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def string(value):
    value = value.encode()
    return number(len(value)) + value


# Containers.

def expand(block):
    """Returns the bytes of a raw Snappy block."""
    at, size, shift = 0, 0, 0
    while True:
        byte = block[at]
        at += 1
        size |= (byte & 0x7f) << shift
        shift += 7
        if byte < 0x80:
            break
    out = bytearray()
    while at < len(block):
        tag = block[at]
        at += 1
        if tag & 3 == 0:
            length = tag >> 2
            if length >= 60:
                more = length - 59
                length = int.from_bytes(block[at:at + more], "little")
                at += more
            out += block[at:at + length + 1]
            at += length + 1
            continue
        if tag & 3 == 1:
            length, offset = (tag >> 2 & 7) + 4, tag >> 5 << 8 | block[at]
            at += 1
        else:
            more = 2 if tag & 3 == 2 else 4
            length, offset = (tag >> 2) + 1, int.from_bytes(block[at:at + more], "little")
            at += more
        while length > 0:  # a copy may overlap its own output
            part = out[len(out) - offset:][:min(length, offset)]
            out += part
            length -= len(part)
    assert len(out) == size
    return bytes(out)


def read_stream(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data[:2] == b"at"
    at, out = 2, []
    while at + 4 <= len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        out.append(expand(data[at + 4:at + 4 + size]))
        at += 4 + size
    return b"".join(out)


def write_stream(path, stream):
    with open(path, "wb") as file:
        file.write(b"at")
        for at in range(0, len(stream), CHUNK):
            raw = stream[at:at + CHUNK]
            block = number(len(raw)) + b"\xf8" + (len(raw) - 1).to_bytes(3, "little") + raw
            file.write(len(block).to_bytes(4, "little") + block)


# Events. A value is (type byte, rest): the rest is bytes, (id, rest), or a list of values.

class Reader:
    def __init__(self, stream):
        self.stream, self.at, self.definitions = stream, 0, {}

    def byte(self):
        self.at += 1
        return self.stream[self.at - 1]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def skip_string(self):
        size = self.number()
        self.at += size

    def raw(self, begin):
        return self.stream[begin:self.at]

    def string(self):
        size = self.number()
        self.at += size
        return self.stream[self.at - size:self.at].decode()

    def define(self, kind, identity, read):
        """Reads a definition where its id occurs first; keeps its bytes and its result."""
        if (kind, identity) not in self.definitions:
            begin = self.at
            names = read()
            self.definitions[kind, identity] = self.raw(begin), names

    def skip_names(self, signed):
        for _ in range(self.number()):
            self.skip_string()
            if signed:
                self.byte()
            self.number()

    def structure(self):
        self.skip_string()
        return [self.string() for _ in range(self.number())]

    def value(self):
        kind = self.byte()
        begin = self.at
        if kind in (3, 4, 13):
            self.number()
        elif kind == 5:
            self.at += 4
        elif kind == 6:
            self.at += 8
        elif kind in (7, 8):
            self.skip_string()
        elif kind in (9, 10):
            identity = self.number()
            self.define(KINDS[kind], identity, lambda: self.skip_names(kind == 9))
            begin = self.at
            if kind == 9:
                self.byte()
            self.number()
            return kind, (identity, self.raw(begin))
        elif kind == 11:
            return kind, [self.value() for _ in range(self.number())]
        elif kind == 12:
            identity = self.number()
            self.define(STRUCT, identity, self.structure)
            return kind, (identity, [self.value()
                                     for _ in self.definitions[STRUCT, identity][1]])
        elif kind == 14:
            return kind, [self.value(), self.value()]
        elif kind == 15:
            for _ in range(self.number()):
                self.number()
        return kind, self.raw(begin)

    def function(self):
        return [self.string()] + [self.string() for _ in range(self.number())]

    def details(self, call):
        while True:
            detail = self.byte()
            if detail == 0:
                return
            if detail == 1:
                argument = self.number()
                call.arguments[argument] = self.value()
            elif detail == 2:
                call.result = self.value()
            else:
                assert detail == 5
                call.flags = self.number()


class Call:
    def __init__(self, name, names, thread):
        self.name, self.names, self.thread = name, names, thread
        self.arguments, self.result, self.flags, self.left = {}, None, 0, False

    def integer(self, argument):
        """Returns the number in an argument that is a handle, or None for a null pointer."""
        kind, rest = self.arguments[argument]
        return Reader(rest).number() if kind in (4, 13) else None


def read_calls(stream):
    """Returns the bytes of the header, (call, whether it is entered) in the order of events, and
    the definitions."""
    reader = Reader(stream)
    assert reader.number() == 6
    reader.number()
    while reader.string():
        reader.skip_string()
    head, calls, events = reader.raw(0), [], []
    while reader.at < len(stream):
        if reader.byte() == 0:
            thread, identity = reader.number(), reader.number()
            reader.define(FUNCTION, identity, reader.function)
            name, *names = reader.definitions[FUNCTION, identity][1]
            calls.append(Call(name, names, thread))
            reader.details(calls[-1])
            events.append((calls[-1], True))
        else:
            call = calls[reader.number()]
            reader.details(call)
            call.left = True
            events.append((call, False))
    return head, events, reader.definitions


class Writer:
    def __init__(self, head, definitions):
        self.out, self.definitions, self.defined = bytearray(head), definitions, set()
        self.functions, self.calls, self.numbers = {}, 0, {}

    def identified(self, kind, identity):
        new = (kind, identity) not in self.defined
        self.defined.add((kind, identity))
        return number(identity) + (self.definitions[kind, identity][0] if new else b"")

    def value(self, value):
        kind, rest = value
        if kind in KINDS:
            identity, rest = rest
            head = bytes([kind]) + self.identified(KINDS[kind], identity)
            return head + (rest if kind != 12 else b"".join(map(self.value, rest)))
        if kind == 11:
            return b"\x0b" + number(len(rest)) + b"".join(map(self.value, rest))
        if kind == 14:
            return b"\x0e" + b"".join(map(self.value, rest))
        return bytes([kind]) + rest

    def enter(self, call):
        new = call.name not in self.functions
        identity = self.functions.setdefault(call.name, len(self.functions))
        self.out += b"\0" + number(call.thread) + number(identity)
        if new:
            self.out += string(call.name) + number(len(call.names)) + \
                b"".join(map(string, call.names))
        if call.flags:
            self.out += b"\5" + number(call.flags)
        for argument, value in sorted(call.arguments.items()):
            self.out += b"\1" + number(argument) + self.value(value)
        self.out += b"\0"
        self.numbers[call] = self.calls
        self.calls += 1

    def leave(self, call):
        self.out += b"\1" + number(self.numbers[call])
        if call.result is not None:
            self.out += b"\2" + self.value(call.result)
        self.out += b"\0"


# Window systems.

NULL, TRUE = (0, b""), (2, b"")


def pointer(handle):
    return NULL if not handle else (13, number(handle))


def unsigned(value):
    return 4, number(value)


def made(call, name, result, **arguments):
    """Returns a call that replaces another one, in the same thread."""
    other = Call(name, list(arguments), call.thread)
    other.arguments = dict(enumerate(arguments.values()))
    other.result, other.left = result, call.left
    return other


def share_of(call):
    """Returns the context with which a new context shares objects, and the new context's
    attributes."""
    names = {name: n for n, name in enumerate(call.names)}
    share = names.get("shareList", names.get("share_list", names.get("share_context")))
    return call.integer(share), call.arguments.get(names.get("attrib_list"))


MAKES = ("glXCreateContext", "glXCreateNewContext", "glXCreateContextAttribsARB")


class Windows:
    """WGL. The device contexts are the drawables. Contexts are created for the first one."""

    def __init__(self, calls):
        self.first = next(call.integer(1) for call in calls if call.name == "glXMakeCurrent")
        self.formats = set()

    def set_format(self, call, device):
        if device is None or device in self.formats:
            return []
        self.formats.add(device)
        return [made(call, "wglChoosePixelFormat", unsigned(1), hdc=pointer(device), ppfd=NULL),
                made(call, "wglSetPixelFormat", TRUE, hdc=pointer(device), iPixelFormat=unsigned(1),
                     ppfd=NULL)]

    def create(self, call):
        share, attributes = share_of(call)
        calls = self.set_format(call, self.first)
        if attributes is not None:
            return calls + [made(call, "wglCreateContextAttribsARB", call.result,
                                 hDC=pointer(self.first), hShareContext=pointer(share),
                                 attribList=attributes)]
        calls.append(made(call, "wglCreateContext", call.result, hdc=pointer(self.first)))
        if share:
            context = Reader(call.result[1]).number()
            calls.append(made(call, "wglShareLists", TRUE, hglrc1=pointer(share),
                              hglrc2=pointer(context)))
        return calls

    def replace(self, call):
        if call.name in MAKES:
            return self.create(call)
        if call.name == "glXMakeCurrent":
            device = call.integer(1)
            return self.set_format(call, device) + [
                made(call, "wglMakeCurrent", TRUE, hdc=pointer(device),
                     hglrc=call.arguments[2])]
        if call.name == "glXSwapBuffers":
            return [made(call, "wglSwapBuffers", TRUE, hdc=pointer(call.integer(1)))]
        if call.name == "glXDestroyContext":
            return [made(call, "wglDeleteContext", TRUE, hglrc=call.arguments[1])]
        return []


class Mac:
    """CGL. A context is its own drawable."""

    FORMAT = 0xf000

    def __init__(self, calls):
        del calls
        self.current = {}  # the current context by thread

    def create(self, call):
        error = unsigned(0)
        attributes = (11, [unsigned(value) for value in (5, 8, 24, 0)])
        return [made(call, "CGLChoosePixelFormat", error, attribs=attributes,
                     pix=(11, [pointer(self.FORMAT)]), npix=(11, [unsigned(1)])),
                made(call, "CGLCreateContext", error, pix=pointer(self.FORMAT),
                     share=pointer(share_of(call)[0]), ctx=(11, [call.result]))]

    def replace(self, call):
        error = unsigned(0)
        if call.name in MAKES:
            return self.create(call)
        if call.name == "glXMakeCurrent":
            self.current[call.thread] = call.arguments[2]
            return [made(call, "CGLSetCurrentContext", error, ctx=call.arguments[2])]
        if call.name == "glXSwapBuffers":
            return [made(call, "CGLFlushDrawable", error, ctx=self.current[call.thread])]
        if call.name == "glXDestroyContext":
            return [made(call, "CGLDestroyContext", error, ctx=call.arguments[1])]
        return []


def rewrite(system, path, destination):
    head, events, definitions = read_calls(read_stream(path))
    calls = [call for call, entered in events if entered]
    window_system = {"wgl": Windows, "cgl": Mac}[system](calls)
    writer = Writer(head, definitions)
    for call, entered in events:
        if not call.name.startswith("glX"):
            (writer.enter if entered else writer.leave)(call)
        elif entered:
            for other in window_system.replace(call):
                writer.enter(other)
                if other.left:
                    writer.leave(other)
    write_stream(destination, bytes(writer.out))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    rewrite(*sys.argv[1:])
