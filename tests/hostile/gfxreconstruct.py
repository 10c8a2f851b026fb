# SPDX-License-Identifier: MIT
"""Hostile GFXReconstruct captures (gfxreconstruct.md)."""
import struct
import zlib

from case import Sparse, case
from pack import Again, gz, lz4_zeros, zstd, zstd_frame, zstd_zeros

NONE, LZ4, ZLIB, ZSTD = range(4)
CALL, META, ANNOTATION, MARKER = 4, 3, 5, 1
FRAME = "by-frame/000000/"
NULL = struct.pack("<I", 1)
GIB = 1 << 30


def header(compression=NONE, minor=0):
    return b"GFXR" + struct.pack("<5I", 0, minor, 1, 1, compression)


def block(kind, body, size=None, packed=False):
    return struct.pack("<QI", len(body) if size is None else size, kind | (1 << 31 if packed else 0)) + body


def call(number, parameters, expanded=None):
    size = b"" if expanded is None else struct.pack("<Q", expanded)
    return block(CALL, struct.pack("<IQ", 0x10000 | number, 1) + size + parameters, packed=expanded is not None)


def meta(kind, body, packed=False):
    return block(META, struct.pack("<IQ", 0x10000 | kind, 1) + body, packed=packed)


def single(body, attributes=0):
    return struct.pack("<IQ", 0xC2 | attributes, 0x1000) + body


def array(count, body, attributes=0):
    return struct.pack("<IQQ", 0xC4 | attributes, 0x1000, count) + body


def fill(data, expanded, packed=True):
    return meta(2, struct.pack("<QQQ", 6, 0, expanded) + data, packed)


def present():
    return call(0x1104, struct.pack("<Q", 3) + NULL + struct.pack("<I", 0))


@case("gfxreconstruct-zstd", "Blocks of 33 KB that become 1 GiB each, by zstd.",
      FRAME + "commands.txt", "problems.txt", "memory.tsv", "memory/", "shaders.tsv",
      "packets/00000/00000001-fill-memory.txt")
def zstd_bomb():
    data = zstd_frame(zstd_zeros(GIB))
    sized = b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", GIB) + data[6:]
    return header(ZSTD) + fill(sized, GIB) + (fill(sized, GIB) + call(0x103b, sized, GIB)) * 10


@case("gfxreconstruct-lz4", "The same by LZ4, in a file that is compressed once more.",
      FRAME + "commands.txt", "problems.txt", "memory.tsv", "memory/00000000.bin", quick=False)
def lz4_bomb():
    size = 256 << 20
    data = lz4_zeros(size)
    return gz(header(LZ4) + (fill(data, size) + call(0x103b, data, size)) * 10)


@case("gfxreconstruct-zlib", "The same by zlib.",
      FRAME + "commands.txt", "problems.txt", "shaders.tsv", "memory/00000000.bin")
def zlib_bomb():
    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(bytes(1 << 20)) for _ in range(256)) + packer.flush()
    return gz(header(ZLIB) + (fill(data, 256 << 20) + call(0x103b, data, 256 << 20)) * 8)


@case("gfxreconstruct-lies", "Blocks, options, arrays, labels and memory that say they have 2^64 - 1 bytes.",
      "problems.txt", FRAME + "commands.txt", "metadata.txt", "memory.tsv", "annotations/")
def lies():
    most = (1 << 64) - 1
    each = (fill(b"", most, False), fill(b"abc", most), call(0x1000, single(array(most, b""))),
            call(0x103b, struct.pack("<Q", 2) + single(struct.pack("<I", 16) + NULL + struct.pack("<IQ", 0, most) +
                                                       array(most, b"abcd"), 0x20)),
            call(0x1012, b"abcd" * 5, most), block(ANNOTATION, struct.pack("<IIQ", 2, 0xFFFFFFFF, most) + b"{}"),
            meta(12, struct.pack("<QII", 1, 0xFFFFFFFF, 0xFFFFFFFF)),
            meta(8, struct.pack("<QQQ4I", 1, 1, most, 1, 1, 0xFFFFFFFF, 9)),
            meta(32, struct.pack("<Q", most)))
    return header() + b"".join(each) * 1000 + block(CALL, b"", most)


@case("gfxreconstruct-options", "A header that says it has 2^32 - 1 options.",
      "metadata.txt", "problems.txt")
def options():
    return Sparse(b"GFXR" + struct.pack("<3I", 0, 0, 0xFFFFFFFF), 33 << 30)


@case("gfxreconstruct-blocks", "Three million blocks without a byte.",
      "packets.tsv", "metadata.txt", "problems.txt", "functions.tsv", "packets/", FRAME + "commands.txt")
def blocks():
    return zstd(header(), Again(block(9, b""), 3_000_000))


@case("gfxreconstruct-hole", "A hole of a TiB after the header: blocks of 12 bytes that cost their sender nothing.",
      "packets.tsv", "metadata.txt", "problems.txt")
def hole():
    return Sparse(header(), 1 << 40)


@case("gfxreconstruct-viewports", "A call with 2^35 structures in a hole of a TiB.",
      FRAME + "commands.txt", "problems.txt", "metadata.txt", "packets/00000/")
def viewports():
    size = 1 << 40
    head = struct.pack("<IQQII", 0x1105e, 1, 8, 0, 1) + array(1 << 35, b"", 0x20)
    return Sparse(header() + block(CALL, head, size - len(header()) - 12), size)


@case("gfxreconstruct-frames", "Two million frames.",
      "frames.tsv", "by-frame/", "by-frame/1000000/commands.txt", "by-frame/1999999/info.txt")
def frames():
    return zstd(header(NONE, 1), Again(block(MARKER, struct.pack("<IQ", 2, 7)), 2_000_000))


@case("gfxreconstruct-pnext", "Chains of 100,000 structures in pNext.",
      FRAME + "commands.txt", "problems.txt", "packets/00000/")
def pnext():
    link = single(struct.pack("<I", 1000207003), 0x20)  # VkTimelineSemaphoreSubmitInfo
    chain = struct.pack("<QI", 3, 1) + array(1, struct.pack("<I", 4) + link * 100_000, 0x20)
    return gz(header() + call(0x1012, chain) * 20)


@case("gfxreconstruct-arrays", "Calls with arrays of 2 million handles, of which a line shows little.",
      FRAME + "commands.txt", "packets/00000/", "functions.tsv", "problems.txt")
def arrays():
    body = struct.pack("<QI", 3, 1 << 21) + array(1 << 21, bytes(8 << 21)) + struct.pack("<IQ", 1, 9)
    return gz(header() + call(0x1027, body) * 20)  # vkWaitForFences


@case("gfxreconstruct-shaders", "300,000 shader modules of four bytes.",
      "shaders.tsv", "shaders/", "metadata.txt", "packets.tsv")
def shaders():
    info = struct.pack("<I", 16) + NULL + struct.pack("<IQ", 0, 4) + array(1, b"\3\2#\7")
    one = call(0x103b, struct.pack("<Q", 2) + single(info, 0x20) + NULL + single(struct.pack("<Q", 5)) + bytes(4))
    return zstd(header(), Again(one, 300_000))


@case("gfxreconstruct-names", "Texts of control characters and bidi marks, and annotations of 64 MiB.",
      "metadata.txt", "metadata.json", FRAME + "commands.txt", "annotations/", "problems.txt")
def names():
    evil = "\x1b[2J\x1b]0;owned\x07\u202egpj\u2066\t\x9b=cmd|' /C calc'!A0\x7f".encode()
    text = single(struct.pack("<Q", len(evil)) + evil, 8)
    label = struct.pack("<IIQ", 2, len(evil), 64 << 20) + evil
    note = struct.pack("<QI", len(label) + (64 << 20), ANNOTATION) + label
    return zstd(header(), call(0x1000, text), meta(1, evil), note, Again(b"[{", 32 << 20), meta(1, evil * 100))
