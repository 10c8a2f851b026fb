# SPDX-License-Identifier: MIT
"""Hostile apitrace traces (apitrace.md)."""
import struct

from case import case
from pack import Again, brotli, gz, snappy, varint, zstd

FRAME = "by-frame/000000/"
NULL, FALSE, TRUE = b"\0", b"\1", b"\2"
VERSION = b"\6\6\0"  # and no properties


def string(value):
    value = value.encode() if isinstance(value, str) else value
    return varint(len(value)) + value


def text(value):
    return b"\7" + string(value)


def uint(value):
    return b"\4" + varint(value)


def opaque(value):
    return b"\x0d" + varint(value)


def blob(data):
    return b"\x08" + varint(len(data)) + data


def array(*values):
    return b"\x0b" + varint(len(values)) + b"".join(values)


def repeated(value, count):
    return b"\x0b" + varint(count) + value * count


class Calls:
    """Builds events, in which each function is defined where it is called first."""

    def __init__(self):
        self.data, self.count, self.ids = bytearray(), 0, {}

    def call(self, name, *arguments, result=None, parameters=None):
        new = name not in self.ids
        number = self.ids.setdefault(name, len(self.ids))
        out = b"\0\0" + varint(number)
        if new:
            names = parameters or ["a%d" % n for n in range(len(arguments))]
            out += string(name) + varint(len(names)) + b"".join(map(string, names))
        for n, argument in enumerate(arguments):
            out += b"\1" + varint(n) + (uint(argument) if isinstance(argument, int) else argument)
        out += b"\0\1" + varint(self.count)
        if result is not None:
            out += b"\2" + (uint(result) if isinstance(result, int) else result)
        self.data += out + b"\0"
        self.count += 1
        return self

    def context(self, es=2, size=64):
        """Creates a window of EGL and a context of OpenGL ES, or, with es=0, of OpenGL."""
        display, config, surface, made = opaque(0x1000), opaque(0x5000), opaque(0x2000), opaque(0x4000)
        if es == 0:
            self.call("eglBindAPI", 0x30A2, result=TRUE)
        self.call("eglCreateWindowSurface", display, config, opaque(0x6000), NULL, result=surface)
        attributes = array(uint(0x3098), uint(es), uint(0x3038)) if es else NULL
        self.call("eglCreateContext", display, config, NULL, attributes, result=made)
        self.call("eglMakeCurrent", display, surface, surface, made, result=TRUE)
        return self.call("glViewport", 0, 0, size, size)

    def swap(self):
        return self.call("eglSwapBuffers", opaque(0x1000), opaque(0x2000), result=TRUE)

    def program(self, vertex, fragment, name=3):
        for shader, (kind, source) in enumerate(((0x8B31, vertex), (0x8B30, fragment)), 1):
            self.call("glCreateShader", kind, result=shader)
            self.call("glShaderSource", shader, 1, array(text(source)), NULL)
            self.call("glCompileShader", shader)
        self.call("glCreateProgram", result=name)
        self.call("glAttachShader", name, 1).call("glAttachShader", name, 2)
        return self.call("glLinkProgram", name).call("glUseProgram", name)

    def triangle(self):
        """Draws over the complete window."""
        corners = struct.pack("<6f", -1, -1, 3, -1, -1, 3)
        self.call("glBindAttribLocation", 3, 0, text("place")).call("glLinkProgram", 3)
        self.call("glBindBuffer", 0x8892, 1)
        self.call("glBufferData", 0x8892, len(corners), blob(corners), 0x88E4)
        self.call("glVertexAttribPointer", 0, 2, 0x1406, FALSE, 0, NULL)
        return self.call("glEnableVertexAttribArray", 0)

    def draw(self):
        return self.call("glDrawArrays", 4, 0, 3)

    def trace(self):
        return gz(VERSION + bytes(self.data))


VERTEX = "attribute vec2 place; varying vec2 at; void main() { at = place; gl_Position = vec4(place, 0.0, 1.0); }"


def shaded(fragment, size=64, es=2):
    head = "precision highp float; varying vec2 at;\n"
    return Calls().context(es, size).program(VERTEX, head + fragment).triangle()


def flags(names):
    """Builds the signature of a bit mask, number 0."""
    return b"\0" + varint(len(names)) + b"".join(string(name) + varint(value) for name, value in names)


# Texts.


@case("apitrace-zero-flags", "A bit mask of 200,000 flags without bits, which 60,000 values are compared with.",
      FRAME + "calls.txt", "signatures/bitmasks.txt", FRAME + "calls-oneline.txt", "packets.tsv")
def zero_flags():
    calls = Calls().call("glClear", b"\x0a" + flags([("F%d" % n, 0) for n in range(200_000)]) + varint(1 << 62))
    for _ in range(60_000):
        calls.call("glClear", b"\x0a\0" + varint(1 << 62))
    return calls.trace()


@case("apitrace-enum", "An enumeration of 100,000 values that a multiplicative hash puts into one slot.",
      FRAME + "calls.txt", "signatures/enums.txt", "metadata.txt")
def enum():
    inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    values = [(n << 52) * inverse % (1 << 64) for n in range(4096)] + [(n << 50) * inverse % (1 << 64)
                                                                      for n in range(16384)]
    names = b"".join(string("E%d" % n) + uint(value) for n, value in enumerate(values * 5))
    first = b"\x09\0" + varint(len(values) * 5) + names + uint(0)
    return Calls().call("glEnable", first).call("f", repeated(b"\x09\0" + uint(7), 100_000)).trace()


@case("apitrace-arguments", "A function of 200,000 parameters, called 20,000 times.",
      FRAME + "calls.txt", "metadata.txt", "signatures/functions.txt", FRAME + "summary.txt")
def arguments():
    calls = Calls().call("f", parameters=["a"] * 200_000)
    for _ in range(20_000):
        calls.call("f")
    return calls.trace()


@case("apitrace-flag-text", "A flag whose name has a megabyte, in 20,000 calls: a text of 20 GB.",
      FRAME + "calls.txt", FRAME + "commands.txt", "packets/00000/00000011-glClear.txt", FRAME + "summary.txt")
def flag_text():
    calls = Calls().call("glClear", b"\x0a" + flags([("F" * (1 << 20), 1)]) + b"\1")
    for _ in range(20_000):
        calls.call("glClear", b"\x0a\0\1")
    return calls.trace()


@case("apitrace-long-names", "A function and its parameters with names of a megabyte, called 20,000 times.",
      FRAME + "calls.txt", FRAME + "calls-verbose.txt", "signatures/functions.txt", "packets.tsv",
      FRAME + "summary.txt", "packets/00000/", "threads.tsv", quick=False)
def long_names():
    calls, name = Calls(), "f" * (1 << 20)
    calls.call(name, 1, 2, parameters=["p" * (1 << 20), "q" * (1 << 20)])
    for _ in range(20_000):
        calls.call(name, 1, 2)
    return calls.trace()


@case("apitrace-struct-text", "A structure of 1,000 members of 1,000 letters, 40 times in each of 1,000 calls: 40 GB.",
      FRAME + "calls.txt", FRAME + "calls-oneline.txt", "signatures/structs.txt")
def struct_text():
    calls = Calls()
    members = b"".join(string("m%03d" % n + "x" * 996) for n in range(1000))
    value = b"\x0c\0" + b"\0" * 1000
    first = b"\x0c\0" + string("S") + varint(1000) + members + b"\0" * 1000
    calls.call("f", array(first))
    for _ in range(1000):
        calls.call("f", repeated(value, 40))
    return calls.trace()


@case("apitrace-backtraces", "A frame of a backtrace with a name of a megabyte, 256 times in each of 1,000 calls.",
      FRAME + "calls.txt", FRAME + "calls-verbose.txt")
def backtraces():
    out = b""
    frame = b"\0\1" + string("m" * (1 << 20)) + b"\0"
    for n in range(1000):
        function = string("f") + b"\0" if n == 0 else b""
        frames = (frame if n == 0 else b"\0") + b"\0" * 255
        out += b"\0\0\0" + function + b"\4" + varint(256) + frames + b"\0\1" + varint(n) + b"\0"
    return gz(VERSION + out)


@case("apitrace-nesting", "Arrays, structures and representations within each other, a million deep.",
      "packets.tsv", "problems.txt", "metadata.txt")
def nesting():
    deep = b"\x0b\1" * 1_000_000 + b"\0"
    structs = b"\x0c\0" + string("S") + b"\1" + string("m") + b"\x0c\0" * 1_000_000 + b"\0"
    return Calls().call("f", deep).call("g", structs).call("h", b"\x0e\0" * 1_000_000 + b"\0").trace()


@case("apitrace-counts", "Arrays, blobs, strings and signatures that say they have 2^63 elements.",
      FRAME + "calls.txt", "problems.txt", "blobs.tsv")
def counts():
    calls = Calls().call("f", array(uint(1)))
    return gz(VERSION + bytes(calls.data) + b"\0\0\0\1\0\x0b" + varint(1 << 63) + b"\0" * 5000)


@case("apitrace-empty-arrays", "50 arrays of a million nulls each, in one call.",
      FRAME + "calls.txt", FRAME + "calls-oneline.txt", "packets/00000/00000000-f.txt",
      FRAME + "frame.trace", quick=False)
def empty_arrays():
    return zstd(VERSION + b"\0\0\0" + string("f") + b"\1" + string("a") + b"\1\0" + b"\x0b" + varint(50),
                Again(b"\x0b" + varint(1_000_000) + NULL * 1_000_000, 50), b"\0\1\0\0")


@case("apitrace-control", "Names and strings of control characters, escapes for terminals and bidi marks.",
      FRAME + "calls.txt", "packets/00000/", "threads.tsv", "signatures/functions.txt", "markers.tsv", "metadata.json")
def control():
    evil = "\x1b[2J\x1b]0;owned\x07\u202egpj\u2066\r\t\x9b=cmd|' /C calc'!A0"
    calls = Calls()
    for n in range(1000):
        calls.call(evil + str(n), text(evil), parameters=[evil])
    calls.call("glPushGroupMarkerEXT", 0, text(evil))
    return calls.swap().trace()


# The index.


@case("apitrace-frames", "200,000 frames without a call of their own.",
      "frames.tsv", "frames/", "by-frame/199999/calls.txt", "by-frame/", "frames/100000.png")
def frames():
    calls = Calls().context().call("glClear", 0x4000).swap()
    swap = b"\0\0" + varint(calls.ids["eglSwapBuffers"]) + b"\1\0" + opaque(0x1000) + b"\1\1" + opaque(0x2000) + b"\0"
    number = calls.count
    return gz(VERSION + bytes(calls.data) + b"".join(swap + b"\1" + varint(number + n) + b"\2" + TRUE + b"\0"
                                                     for n in range(200_000)))


@case("apitrace-definitions", "100,000 frames, each of which is drawn with an enumeration of its own.",
      "by-frame/099999/frame.trace", "by-frame/000000/frame.trace", "by-frame/050000/calls.txt", quick=False)
def definitions():
    calls = Calls().context().call("glClear", 0x4000).swap()
    draw, swap = (b"\0\0" + varint(calls.ids[name]) for name in ("glClear", "eglSwapBuffers"))
    number = calls.count
    return gz(VERSION + bytes(calls.data) + b"".join(
        draw + b"\1\0\x09" + varint(100 + n) + b"\1" + string("ALL") + uint(0x4000) + uint(0x4000) + b"\0\1" +
        varint(number + 2 * n) + b"\0" + swap + b"\1\0" + opaque(0x1000) + b"\1\1" + opaque(0x2000) + b"\0\1" +
        varint(number + 2 * n + 1) + b"\2" + TRUE + b"\0" for n in range(100_000)))


@case("apitrace-open-calls", "Three million calls that never return.",
      "metadata.txt", FRAME + "calls.txt", "packets.tsv", FRAME + "frame.trace")
def open_calls():
    return zstd(VERSION + b"\0\0\0" + string("f") + b"\0\0", Again(b"\0\0\0\0", 3_000_000))


@case("apitrace-threads", "200,000 calls, each of a thread of its own, the last first.",
      "threads.tsv", FRAME + "calls-verbose.txt", "metadata.txt", FRAME + "summary.txt")
def threads():
    out = b"\0\0\0" + string("f") + b"\0\0\1\0\0"
    return gz(VERSION + out + b"".join(b"\0" + varint((200_000 - n) * 4097) + b"\0\0\1" + varint(n) + b"\0"
                                       for n in range(1, 200_000)))


@case("apitrace-markers", "A million groups of markers within each other.",
      "markers.tsv", FRAME + "calls.txt", FRAME + "draws.tsv", FRAME + "state.txt")
def markers():
    calls = Calls().context().call("glPushGroupMarkerEXT", 0, text("m" * 60))
    push = b"\0\0" + varint(calls.ids["glPushGroupMarkerEXT"]) + b"\1\0" + uint(0) + b"\1\1" + text("m" * 60) + b"\0"
    return zstd(VERSION + bytes(calls.data), Again(push, 1_000_000))


@case("apitrace-errors", "300,000 errors of OpenGL, in one frame.",
      "errors.tsv", FRAME + "calls.txt", "metadata.txt")
def errors():
    calls = Calls().context()
    out, first = [b"\0\0" + varint(99) + string("glGetError") + b"\0\0"], calls.count
    for n in range(300_000):
        enter = b"\0\0" + varint(99) + b"\0" if n else b""
        out.append(enter + b"\1" + varint(first + n) + b"\2" + uint(0x500) + b"\0")
    return gz(VERSION + bytes(calls.data) + b"".join(out))


@case("apitrace-snappy", "2,000 chunks of Snappy that say they become 64 MiB each.",
      "metadata.txt", "packets.tsv", "frames.tsv")
def snappy_lies():
    data = VERSION + b"\0\0\0" + string("f") + b"\0\0" + b"\0" * 52
    begin = snappy(data, 64 << 10)
    lie = varint(64 << 20) + b"\0a" + b"\xfe\1\0" * 8
    return b"at" + struct.pack("<I", len(begin)) + begin + (struct.pack("<I", len(lie)) + lie) * 2000


@case("apitrace-brotli", "A Brotli stream of 7 KB that expands to 8 GiB.",
      "metadata.txt", "frames.tsv", FRAME + "calls.txt")
def brotli_bomb():
    return brotli(VERSION + b"\0\0\0" + string("ffff") + b"\0\0" + b"\0\0\0\0" * 200, 512)


# The worker.


@case("apitrace-buffers", "100 buffers of 1 GiB each, announced by a few bytes.",
      "frames/000000.png", FRAME + "draws.tsv")
def buffers():
    calls = shaded("void main() { gl_FragColor = vec4(at, 0.0, 1.0); }").draw()
    for n in range(100):
        calls.call("glBindBuffer", 0x8892, 100 + n).call("glBufferData", 0x8892, 1 << 30, NULL, 0x88E4)
    return calls.swap().trace()


@case("apitrace-textures", "200 textures of 16384x16384, announced by a few bytes.",
      "frames/000000.png", "textures.tsv", FRAME + "textures/", "textures/")
def textures():
    calls = shaded("void main() { gl_FragColor = vec4(at, 0.0, 1.0); }").draw()
    for n in range(200):
        calls.call("glBindTexture", 0xDE1, 100 + n)
        calls.call("glTexImage2D", 0xDE1, 0, 0x1908, 16384, 16384, 0, 0x1908, 0x1401, NULL)
        calls.call("glGenerateMipmap", 0xDE1)
    return calls.swap().trace()


@case("apitrace-texture-blobs", "Images of 2^31 pixels, each with a blob of four bytes.",
      "textures.tsv", "textures/", FRAME + "uploads/", "frames/000000.png")
def texture_blobs():
    calls = Calls().context()
    for size in (1 << 31, (1 << 31) - 1, 65536, 1 << 40):
        for _ in range(300):
            calls.call("glTexImage2D", 0xDE1, 0, 0x1908, size, size, 0, 0x1908, 0x1401, blob(b"abcd"))
            calls.call("glCompressedTexImage2D", 0xDE1, 0, 0x83F0, size, size, 0, 4, blob(b"abcd"))
    return calls.swap().trace()


@case("apitrace-viewport", "A window of 2^31 pixels by as many.",
      "frames/000000.png", "frames.tsv", "metadata.txt", FRAME + "image.png", FRAME + "draw-ids.bin",
      FRAME + "pixel/0,0.tsv")
def viewport():
    calls = Calls().context(size=(1 << 31) - 1)
    return calls.call("glClear", 0x4000).swap().trace()


@case("apitrace-multi-draw", "glMultiDrawElements with a blob in place of lists, with client memory and huge counts.",
      "frames/000000.png", FRAME + "draws.tsv")
def multi_draw():
    calls = Calls().context(es=0)
    calls.call("glVertexPointer", 2, 0x1406, 0, blob(bytes(24))).call("glEnableClientState", 0x8074)
    for lists in (blob(b"\xff" * 64), array(blob(bytes(6)), blob(bytes(6))), NULL, array(uint(1 << 40), NULL)):
        for number in (2, 1 << 20, (1 << 31) - 1):
            calls.call("glMultiDrawElements", 4, array(uint(3), uint((1 << 31) - 1)), 0x1403, lists, number)
            calls.call("glMultiDrawArrays", 4, array(uint(0)), array(uint((1 << 31) - 1)), number)
    return calls.swap().trace()


@case("apitrace-history", "A pixel that 100,000 clears write, and that 100,000 draws are prevented from writing.",
      FRAME + "pixel/10,10.tsv", FRAME + "pixel/10,10.js", FRAME + "draw-ids.bin", quick=False)
def history():
    calls = shaded("void main() { gl_FragColor = vec4(at, 0.0, 1.0); }", 64)
    calls.call("glEnable", 0x0B71).call("glDepthFunc", 0x0200)
    for _ in range(100_000):
        calls.call("glClear", 0x4000).draw()
    return calls.swap().trace()


@case("apitrace-draw-ids", "3,000 draws on a window of 2048x2048, each of which may have changed any pixel.",
      FRAME + "draw-ids.bin", FRAME + "draw-ids.png", quick=False)
def draw_ids():
    calls = shaded("void main() { gl_FragColor = vec4(at, 0.0, 1.0); }", 2048)
    for _ in range(3000):
        calls.draw()
    return calls.swap().trace()


@case("apitrace-shader-loop", "A fragment shader that never ends, on every pixel of 1024x1024.",
      "frames/000000.png", FRAME + "draws/")
def shader_loop():
    return shaded("uniform float zero; void main() { float x = at.x; while (x > zero - 10.0) x = abs(sin(x)); "
                  "gl_FragColor = vec4(x); }", 1024).draw().swap().trace()


@case("apitrace-shader-slow", "200 draws with a shader of 10,000 iterations on every pixel: no call takes long.",
      "frames/000000.png", quick=False)
def shader_slow():
    calls = shaded("void main() { float x = at.x; for (int i = 0; i < 10000; i++) x = sin(x) + cos(x * at.y); "
                   "gl_FragColor = vec4(x); }", 512)
    for _ in range(200):
        calls.draw()
    return calls.swap().trace()


@case("apitrace-shader-unroll", "Loops within loops, which a compiler unrolls.",
      "frames/000000.png", "shaders.tsv", "shaders/")
def shader_unroll():
    loops = "".join("for (int %s = 0; %s < 30; %s++) " % (c, c, c) for c in "abcdefgh")
    return shaded("void main() { float x = at.x; " + loops + "x += sin(x * float(a + h)); gl_FragColor = vec4(x); }"
                  ).draw().swap().trace()


@case("apitrace-shader-macros", "Macros that double each other 40 times: the preprocessor's output has 2^40 words.",
      "frames/000000.png", "shaders/")
def shader_macros():
    macros = "#define A0 x\n" + "".join("#define A%d A%d + A%d\n" % (n, n - 1, n - 1) for n in range(1, 41))
    return shaded(macros + "void main() { float x = at.x; gl_FragColor = vec4(A40); }\n").draw().swap().trace()


@case("apitrace-shader-nesting", "An expression of 200,000 brackets, and as many blocks.",
      "frames/000000.png", "shaders/")
def shader_nesting():
    deep = "(" * 200_000 + "at.x" + ")" * 200_000
    return shaded("void main() { " + "{" * 200_000 + "}" * 200_000 + "gl_FragColor = vec4(" + deep + "); }"
                  ).draw().swap().trace()


@case("apitrace-shaders", "3,000 programs of 300 lines, each used once.",
      "frames/000000.png", "shaders.tsv", quick=False)
def shaders():
    calls = shaded("void main() { gl_FragColor = vec4(1.0); }")
    body = "".join("x = sin(x * %d.0) + cos(y); y = x * y + fract(x);\n" % n for n in range(300))
    for n in range(3000):
        source = ("precision highp float; varying vec2 at; void main() { float x = at.x + %d.0, y = at.y; " % n +
                  body + "gl_FragColor = vec4(x, y, x, y); }")
        calls.program(VERTEX, source, 10 + n).draw()
    return calls.swap().trace()


@case("apitrace-instances", "A draw of 2^31 vertices and 2^31 instances.",
      "frames/000000.png")
def instances():
    calls = shaded("void main() { gl_FragColor = vec4(at, 0.0, 1.0); }", es=3)
    many = (1 << 31) - 1
    for count, number in ((3, many), (many, 1), (many, many), (1 << 24, 1 << 20)):
        calls.call("glDrawArraysInstanced", 4, 0, count, number)
    return calls.swap().trace()


@case("apitrace-lists", "Display lists that call each other twice, 40 deep: 2^40 triangles.",
      "frames/000000.png")
def lists():
    calls = Calls().context(es=0)
    for n in range(1, 41):
        calls.call("glNewList", n, 0x1300)
        if n == 1:
            calls.call("glBegin", 4)
            for _ in range(3):
                calls.call("glVertex2i", 0, 1)
            calls.call("glEnd")
        else:
            calls.call("glCallList", n - 1).call("glCallList", n - 1)
        calls.call("glEndList")
    return calls.call("glCallList", 40).swap().trace()


@case("apitrace-resources", "Two textures of 65,536 layers of Direct3D, copied onto each other 20,000 times.",
      "resources.tsv", "uploads.tsv", FRAME + "resources.tsv", FRAME + "resources/")
def resources():
    calls, layers = Calls(), 1 << 16
    first, second = opaque(0x10000), opaque(0x20000)
    names = "Width", "Height", "MipLevels", "ArraySize", "Format", "Usage", "BindFlags"
    data = "pSysMem", "SysMemPitch", "SysMemSlicePitch"
    rgba = b"\x09\0" + varint(1) + string("DXGI_FORMAT_R8G8B8A8_UNORM") + uint(28)
    make = "ID3D11Device::CreateTexture2D"

    def texture(head, format_, initial, pointer):
        description = head + b"".join(map(uint, (2, 1, 1, layers))) + format_ + uint(0) + uint(8)
        calls.call(make, opaque(0x1000), array(description), initial, array(pointer), result=0,
                   parameters=["this", "pDesc", "pInitialData", "ppTexture2D"])

    one = blob(bytes(8)) + uint(8) + uint(0)
    known = b"\x0c" + varint(1) + string("D3D11_SUBRESOURCE_DATA") + varint(len(data)) + b"".join(map(string, data)) + one
    description = string("D3D11_TEXTURE2D_DESC") + varint(len(names)) + b"".join(map(string, names))
    texture(b"\x0c" + varint(0) + description, rgba + uint(28),
            b"\x0b" + varint(layers) + known + (b"\x0c" + varint(1) + one) * (layers - 1), first)
    texture(b"\x0c" + varint(0), b"\x09\0" + uint(28), NULL, second)
    for n in range(20_000):
        calls.call("ID3D11DeviceContext::CopyResource", opaque(0x2000), first if n % 2 else second, second if n % 2 else first,
                   parameters=["this", "pDstResource", "pSrcResource"])
    return calls.call("IDXGISwapChain::Present", opaque(0x3000), 0, 0, result=0,
                      parameters=["this", "SyncInterval", "Flags"]).trace()


@case("apitrace-read-pixels", "30,000 readings, copies and blits of a window of 8192x8192.",
      "frames/000000.png", quick=False)
def read_pixels():
    calls = Calls().context(es=3, size=8192).call("glClear", 0x4000)
    calls.call("glBindTexture", 0xDE1, 1)
    for _ in range(10_000):
        calls.call("glCopyTexImage2D", 0xDE1, 0, 0x1908, 0, 0, 8192, 8192, 0)
        calls.call("glBlitFramebuffer", 0, 0, 8192, 8192, 8192, 8192, 0, 0, 0x4000, 0x2601)
        calls.call("glReadPixels", 0, 0, 8192, 8192, 0x1908, 0x1401, NULL)
    return calls.swap().trace()


@case("apitrace-contexts", "20,000 contexts and surfaces, each made current.",
      "frames/000000.png", "metadata.txt")
def contexts():
    calls = Calls().context()
    for n in range(20_000):
        made, surface = opaque(0x100000 + 16 * n), opaque(0x8000000 + 16 * n)
        calls.call("eglCreatePbufferSurface", opaque(0x1000), opaque(0x5000),
                   array(uint(0x3057), uint(4096), uint(0x3056), uint(4096), uint(0x3038)), result=surface)
        calls.call("eglCreateContext", opaque(0x1000), opaque(0x5000), NULL, NULL, result=made)
        calls.call("eglMakeCurrent", opaque(0x1000), surface, surface, made, result=TRUE)
        calls.call("glClear", 0x4000)
    return calls.call("eglSwapBuffers", opaque(0x1000), opaque(0x2000), result=TRUE).trace()
