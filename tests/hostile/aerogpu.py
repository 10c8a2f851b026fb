# SPDX-License-Identifier: MIT
"""Hostile AeroGPU traces (aerogpu.md)."""
import struct

from case import case
from pack import Again, gz, zstd

FRAME = "by-frame/000000/"
META = b'{"command_abi_version":65540,"emulator_version":"0.0.0-hostile"}'
ABI = 0x00010004
TARGET, VERTICES = 1, 2


def words(*values):
    return struct.pack(f"<{len(values)}I", *(v & 0xFFFFFFFF for v in values))


def command(opcode, *values, data=b""):
    body = words(*values) + data + bytes(-len(data) % 4)
    return words(opcode, 8 + len(body)) + body


def stream(*commands):
    body = b"".join(commands)
    return b"ACMD" + words(ABI, 24 + len(body), 0, 0, 0) + body


def record(kind, payload):
    return struct.pack("<BBHI", kind, 0, 0, len(payload)) + payload


def blob(number, kind, data):
    return record(4, struct.pack("<QII", number, kind, 0) + data)


def submission(number):
    return record(5, struct.pack("<6IQQQII", 1, 56, 1, 0, 0, 0, 1, number, 0, 0, 0))


def begin(meta=META):
    return b"AEROGPUT" + words(32, 2, ABI, 0, len(meta), 0) + meta


def end(offset, entries):
    """Builds the table of contents, with frame_index, first record, present and end of each frame."""
    table = b"AEROTOC\0" + words(1, len(entries))
    table += b"".join(struct.pack("<IIQQQ", n, 0, *entry) for n, entry in enumerate(entries))
    return table + b"AEROGPUF" + words(32, 2) + struct.pack("<QQ", offset, len(table))


def trace(*frames):
    """Builds a trace. Each frame is made of records."""
    data, entries = begin(), []
    for n, records in enumerate(frames):
        first = len(data)
        data += record(1, words(n)) + records
        entries.append((first, len(data), len(data) + 12))
        data += record(2, words(n))
    return data + end(len(data), entries)


def packet(*commands):
    return record(3, stream(*commands))


def texture(handle, width, height, mips=1, layers=1, usage=0x18, form=0x5):
    return command(0x101, handle, usage, form, width, height, mips, layers, 0, 0, 0, 0, 0)


def buffer(handle, size, usage=1):
    return command(0x100, handle, usage, size, size >> 32, 0, 0, 0, 0)


def copy_texture(to, of, width, height, x=0, y=0):
    return command(0x106, to, of, 0, 0, 0, 0, x, y, 0, 0, width, height, 0, 0)


def target(handle):
    return command(0x400, 1, 0, handle, 0, 0, 0, 0, 0, 0, 0)


def clear():
    return command(0x600, 1, 0x3F800000, 0, 0, 0x3F800000, 0x3F800000, 0)


def present():
    return command(0x700, 0, 0)


def draw(count=3, instances=1):
    return command(0x601, count, instances, 0, 0)


def vertices():
    corner = [struct.pack("<6f", x, y, 1, 0, 0, 1) for x, y in ((-1, 3), (3, -1), (-1, -1))]
    data = b"".join(corner)
    return (buffer(VERTICES, len(data)) + command(0x104, VERTICES, 0, 0, 0, len(data), 0, data=data) +
            command(0x500, 0, 1, VERTICES, 24, 0, 0) + command(0x502, 4, 0))


def dxbc(kind, model, tokens, inputs=(), outputs=()):
    def signature(tag, parameters):
        names, table = b"", b""
        for name, system, number in parameters:
            table += words(8 + 24 * len(parameters) + len(names), 0, system, 3, number, 0x0F0F)
            names += name + b"\0"
        body = words(len(parameters), 8) + table + names
        body += bytes(-len(body) % 4)
        return tag + words(len(body)) + body
    code = words(kind << 16 | model, len(tokens) + 2, *tokens)
    chunks = [signature(b"ISGN", inputs), signature(b"OSGN", outputs), b"SHDR" + words(len(code)) + code]
    place, offsets = 32 + 4 * len(chunks), []
    for chunk in chunks:
        offsets.append(place)
        place += len(chunk)
    return b"DXBC" + bytes(16) + words(1, place, len(chunks), *offsets) + b"".join(chunks)


def shader(handle, stage, code):
    return command(0x200, handle, stage, len(code), 0, data=code)


VS = dxbc(1, 0x40, [0x0300005F, 0x001010F2, 0, 0x04000067, 0x001020F2, 0, 1,
                    0x05000036, 0x001020F2, 0, 0x00101E46, 0, 0x0100003E],
          [(b"POSITION", 0, 0)], [(b"SV_Position", 1, 0)])
OUT = [(b"SV_Target", 0, 0)]
PIXEL = [0x03000065, 0x001020F2, 0, 0x02000068, 2]
STORE = [0x05000036, 0x001020F2, 0, 0x00100E46, 0, 0x0100003E]
LOOP, END_LOOP, ADD_ONE = 0x01000030, 0x01000016, [0x0A000000, 0x001000F2, 0, 0x00100E46, 0, 0x00004002,
                                                   0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000]
ENDLESS = [LOOP, *ADD_ONE, 0x07000031, 0x00100012, 1, 0x0010000A, 0, 0x00004001, 0xBF800000,  # until r0.x < -1
           0x03040003, 0x0010000A, 1, END_LOOP]
LAYOUT = b"ILAY" + words(1, 1, 0, 0x7808E88A, 0, 16, 0, 0, 0, 0)  # POSITION, R32G32_FLOAT


def shaded(pixel, size=1024):
    return (texture(TARGET, size, size), target(TARGET), vertices(), command(0x204, 1, len(LAYOUT), 0, data=LAYOUT),
            command(0x206, 1, 0), shader(10, 0, VS), shader(11, 1, pixel), command(0x202, 10, 11, 0, 0),
            command(0x401, 0, 0, *struct.unpack("<2I", struct.pack("<2f", size, size)), 0, 0x3F800000))


RESOURCES = "resources/"


@case("aerogpu-textures", "2,000 textures of 16384x16384 with all mips, announced by a few bytes.",
      "frames/000000.png", "resources.tsv", RESOURCES, RESOURCES + "*/content.bin", "hashes.txt")
def textures():
    many = [texture(n, 16384, 16384, 15, 1) for n in range(1, 2001)]
    return gz(trace(packet(*many, target(1), clear(), *(copy_texture(n, 1, 16384, 16384) for n in range(2, 2001)),
                           present())))


@case("aerogpu-layers", "Textures of 2^32 - 1 layers, mips and pixels.",
      "frames/000000.png", "resources.tsv", "problems.txt", RESOURCES)
def layers():
    most = 0xFFFFFFFF
    many = [texture(n, *size) for n, size in enumerate(
        ((1, 1, 1, most), (1, 1, most, 1), (most, 1), (1, most), (most, most), (16384, 16384, 15, 2048),
         (1, 1, 1, 1 << 24), (2048, 1, 1, 2048), (65536, 65536, 17, 65536)), 1)]
    return trace(packet(*many, target(7), clear(), present()))


@case("aerogpu-buffers", "10,000 buffers of 1 GiB and one of 2^64 - 1 bytes, each copied to the next.",
      "frames/000000.png", "resources.tsv", RESOURCES + "*/content.bin")
def buffers():
    many = [buffer(n, 1 << 30) for n in range(1, 10_001)] + [buffer(20_000, (1 << 64) - 1)]
    copies = [command(0x105, n + 1, n, 0, 0, 0, 0, 1 << 30, 0, 0, 0) for n in range(1, 10_000)]
    return gz(trace(packet(*many, *copies, present())))


@case("aerogpu-copies", "100,000 copies between textures of 4096x4096.",
      "frames/000000.png", FRAME + "hash.txt", "hashes.txt", FRAME + "presents/*")
def copies():
    both = copy_texture(2, TARGET, 4095, 4095, 1, 1) + copy_texture(TARGET, 2, 4095, 4095, 1, 1)
    return gz(trace(packet(texture(TARGET, 4096, 4096), texture(2, 4096, 4096), target(TARGET), clear(),
                           both * 50_000, present())))


@case("aerogpu-clears", "200,000 clears of a target of 16384x16384.",
      "frames/000000.png", "frames.tsv", FRAME + "opaque.png", "hashes.txt")
def clears():
    return gz(trace(packet(texture(TARGET, 16384, 16384), target(TARGET), clear() * 200_000, present())))


@case("aerogpu-draws", "Draws without shaders of 2^32 - 1 vertices and instances, on 4096x4096.",
      "frames/000000.png", FRAME + "draws.tsv", FRAME + "wireframe.png", FRAME + "draws/")
def draws():
    return gz(trace(packet(texture(TARGET, 4096, 4096), target(TARGET), vertices(), draw() * 20_000,
                           draw(0xFFFFFFFF), draw(3, 0xFFFFFFFF), draw(0xFFFFFFFF, 0xFFFFFFFF), present())))


@case("aerogpu-submissions", "5,000 submissions of one blob of 2,000 copies of 2048x2048.",
      "frames/000000.png", "submissions.tsv", "resources.tsv", "problems.txt",
      "submissions/004999/commands.txt", quick=False)
def submissions():
    one = stream(copy_texture(2, TARGET, 2047, 2047, 1, 1) * 2000)
    setup = packet(texture(TARGET, 2048, 2048), texture(2, 2048, 2048), target(TARGET), clear())
    return gz(trace(setup + blob(1, 0x100, one) + submission(1) * 5000 + packet(present())))


@case("aerogpu-frames", "20,000 frames in the table that all begin at the first record and end at the last.",
      "frames.tsv", "toc.tsv", "packets.tsv", "frames/000000.png", "frames/019999.png")
def overlapping():
    data = begin()
    first = len(data)
    data += record(1, words(0)) + packet(texture(TARGET, 64, 64), target(TARGET), clear()) * 3000
    last = len(data)
    data += record(2, words(0))
    return gz(data + end(len(data), [(first, last, len(data))] * 20_000))


@case("aerogpu-toc", "A table that says it has 2^32 - 1 frames, before a million records.",
      "problems.txt", "frames.tsv", "packets.tsv")
def lying_toc():
    mark = record(1, words(7)) + record(2, words(7))
    data = begin()
    tail = b"AEROTOC\0" + words(1, 0xFFFFFFFF) + b"AEROGPUF" + words(32, 2)
    return zstd(data, Again(mark, 500_000), tail, struct.pack("<QQ", len(data) + len(mark) * 500_000, 16))


@case("aerogpu-meta", "Meta data of JSON, ten million arrays deep.",
      "meta.json", "metadata.json", "metadata.txt", "problems.txt")
def meta():
    count = 10_000_000
    return zstd(b"AEROGPUT" + words(32, 2, ABI, 0, count, 0), Again(b"[", count), end(32 + count, []))


@case("aerogpu-presents", "A frame of 300,000 presents, of all kinds of textures.",
      FRAME + "presents/", FRAME + "presents/*", FRAME + "info.txt", "frames/000000.png")
def presents():
    turn = [texture(n, 64 * n, 64, usage=0x18) for n in range(1, 9)]
    return gz(trace(packet(*turn, *(target(1 + n % 8) + clear() + present() for n in range(100_000)))))


@case("aerogpu-handles", "A million textures, views and buffers, made and destroyed.",
      "resources.tsv", RESOURCES, "metadata.txt", quick=False)
def handles():
    one = (texture(TARGET, 16, 16) + command(0x107, 9, TARGET, 5, 0, 1, 0, 1, 0, 0) + command(0x108, 9, 0) +
           command(0x102, TARGET, 0))
    body = 24 + len(one) * 300_000
    header = b"ACMD" + words(ABI, body, 0, 0, 0)
    data = begin() + record(1, words(0))
    place = len(data) + 8 + body
    return zstd(data, struct.pack("<BBHI", 3, 0, 0, body), header, Again(one, 300_000), record(2, words(0)),
                end(place + 12, [(len(begin()), place, place + 12)]))


@case("aerogpu-uploads", "One upload that says it has 2^64 - 1 bytes, and 100,000 of 4 KiB to one buffer.",
      "frames/000000.png", RESOURCES + "000000-*/content.bin", "submissions.tsv", "problems.txt")
def uploads():
    lie = command(0x104, VERTICES, 0, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF)
    many = command(0x104, VERTICES, 0, 4096, 0, 4096, 0, data=bytes(4096)) * 2000
    return gz(trace(packet(buffer(VERTICES, 1 << 30), lie, many, present())))


@case("aerogpu-pixel-loop", "A pixel shader that never ends, on 1024x1024.",
      "frames/000000.png", RESOURCES + "*-shader-*/disassembly.txt", FRAME + "draws/00000.png")
def pixel_loop():
    code = dxbc(0, 0x40, PIXEL + ENDLESS + STORE, (), OUT)
    return trace(packet(*shaded(code), draw(), present()))


@case("aerogpu-nesting", "A shader of 100,000 loops within each other, whose listing is indented.",
      RESOURCES + "*-shader-*/disassembly.txt", RESOURCES + "*-shader-*/translated/*",
      "frames/000000.png")
def nested_loops():
    code = dxbc(0, 0x40, PIXEL + [LOOP] * 100_000 + [0x01000002, END_LOOP] * 100_000 + STORE, (), OUT)
    return gz(trace(packet(*shaded(code, 64), draw(), present())))


@case("aerogpu-long-shader", "A shader of 300,000 instructions, each of which needs the one before it.",
      "frames/000000.png", RESOURCES + "*-shader-*/disassembly.txt",
      RESOURCES + "*-shader-*/translated/*")
def long_shader():
    code = dxbc(0, 0x40, PIXEL + ADD_ONE * 300_000 + STORE, (), OUT)
    return gz(trace(packet(*shaded(code, 64), draw(), present())))


@case("aerogpu-signature", "Shaders whose chunks and signatures say they have 2^32 - 1 parts.",
      RESOURCES + "*/signature.txt", RESOURCES + "*/bytecode.dxbc", "resources.tsv")
def signature():
    lie = b"ISGN" + words(20, 0xFFFFFFFF, 8, 0, 0, 0)
    table = b"DXBC" + bytes(16) + words(1, 80, 0xFFFFFFFF, 36) + lie
    whole = b"DXBC" + bytes(16) + words(1, 64, 1, 36) + lie
    same = b"DXBC" + bytes(16) + words(1, 32 + 4 * 100_000 + 28, 100_000) + words(*[32 + 4 * 100_000] * 100_000) + lie
    return gz(trace(packet(shader(10, 0, table), shader(11, 1, whole), shader(12, 1, same), shader(13, 2, b"DXBC"),
                           present())))


@case("aerogpu-dispatch", "Dispatches of 2^32 - 1 groups in each direction, of 1,024 threads that never end.",
      "frames/000000.png", "resources.tsv", RESOURCES + "000000-*/content.bin")
def dispatch():
    code = dxbc(5, 0x50, [0x0300009D, 0x0011E000, 0, 0x02000068, 2, 0x0400009B, 1024, 1, 1, *ENDLESS,
                           0x070000A6, 0x0011E012, 0, 0x00004001, 0, 0x0010000A, 0, 0x0100003E])
    most = 0xFFFFFFFF
    calls = [command(0x603, *counts, 0) for counts in ((65535, 65535, 65535), (most, most, most), (1, 1, 1))]
    return trace(packet(texture(TARGET, 64, 64), target(TARGET), buffer(VERTICES, 1 << 20, 0x40),
                        shader(10, 2, code), command(0x202, 0, 0, 10, 0),
                        command(0x525, 2, 0, 1, 0, VERTICES, 0, 1 << 20, 0), *calls, present()))
