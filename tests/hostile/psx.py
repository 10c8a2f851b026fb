# SPDX-License-Identifier: MIT
"""Hostile PSX dumps (psx-dump.md)."""
import struct

from case import case
from pack import Again, zstd

MAGIC = b"PSXGPUDUMPv1r1\0\0"


def packet(kind, *words):
    return struct.pack(f"<{len(words) + 1}I", kind << 24 | len(words), *words)


def vsync():
    return packet(0x02)


BEGIN = MAGIC + packet(0x06, 2) + packet(0x05) + b"".join(
    packet(0x01, word) for word in (0x08000001, 0x06C60260, 0x07040010, 0x05000000, 0x03000000)
) + packet(0x00, 0xE1000400, 0xE3000000, 0xE407FFFF, 0xE5000000)
CORNERS = 0x00000000, 0x000003FF, 0x01FF0000, 0x01FF03FF
PAGE, CLUT = 0x0100 << 16, 0x7FC0 << 16  # 15-bit texels at VRAM's beginning; a palette in the last line
FRAME = "by-frame/000000/"


def quad(command, clut=CLUT, page=PAGE):
    """A shaded, textured, blended quad over all of VRAM."""
    a, b, c, d = CORNERS
    return packet(0x00, command << 24 | 0x808080, a, clut, 0x406080, b, page | 0x00FF, 0x204060, c, 0xFF00,
                  0x808080, d, 0xFFFF)


def dump(*pieces):
    return zstd(BEGIN, *pieces)


QUADS = 300_000


@case("psx-quads", "One picture of 300,000 blended, textured quads, each over all of VRAM.",
      "frames/000000.png", FRAME + "draws.tsv", FRAME + "statistics.txt", "frames.tsv", FRAME + "commands.tsv")
def quads():
    return dump(Again(quad(0x3E), QUADS), vsync())


@case("psx-quads-inside", "The files inside a frame of 300,000 such quads.",
      FRAME + "overdraw.png", FRAME + "last-writer.bin", FRAME + "wireframe.png", FRAME + "textures.tsv",
      FRAME + "draws/299999.png", FRAME + "without/00000.png", FRAME + "draws/150000-touched.png",
      FRAME + "cost.png")
def quads_inside():
    return dump(Again(quad(0x3E), QUADS), vsync())


@case("psx-quads-feedback", "Each quad's texels are what the quads before it drew, over 300 frames.",
      "frames/000299.png", "frames/000150.png", "vram/000299.bin")
def quads_feedback():
    frame = b"".join(quad(0x3E, page=p << 16) for p in (0x0100, 0x0110, 0x0108, 0x0118)) * 250 + vsync()
    return dump(Again(frame, 300))


@case("psx-vsyncs", "100 million VSyncs without anything between them.",
      "frames.tsv", "uploads.tsv", "flips.tsv", "statistics.txt", "frames/", "frames/*",
      quick=False)
def vsyncs():
    return dump(Again(vsync(), 100_000_000))


@case("psx-vsyncs-5m", "Five million VSyncs, each with an upload of one pixel before it.",
      "uploads.tsv", "flips.tsv", "frames.tsv", "frames/*")
def vsyncs_with_uploads():
    upload = packet(0x00, 0xA0000000, 0x00000140, 0x00010001, 0x7FFF)
    return dump(Again(upload + vsync(), 5_000_000))


@case("psx-history", "The history of a pixel that 300,000 quads cover, and of one that none does.",
      FRAME + "pixel/100,100.tsv", FRAME + "pixel/100,100.js", FRAME + "vram-pixel/1000,500.tsv",
      FRAME + "draw-ids.png")
def history():
    return dump(Again(quad(0x3E), QUADS), vsync())


FRAMES = 1_000_000


@case("psx-history-frames", "A pixel that was drawn a million frames ago, and from then on beside it.",
      f"by-frame/{FRAMES}/pixel/10,10.tsv", f"by-frame/{FRAMES}/draw-ids.bin",
      f"by-frame/{FRAMES}/vram-pixel/10,10.tsv")
def history_of_frames():
    beside = packet(0x00, 0x60FFFFFF, 0x000B000B, 0x00010001)
    return dump(packet(0x00, 0x60FFFFFF, 0x00000000, 0x00400040), vsync(), Again(beside + vsync(), FRAMES))


@case("psx-fills", "A million fills between draws with textures that the fills have changed.",
      "textures.tsv", FRAME + "textures.tsv", "textures/")
def fills():
    rectangle = packet(0x00, 0x7C808080, 0x01000200, CLUT)
    return dump(Again(packet(0x00, 0x02204060, 0, 0x01FF03F0) + rectangle, 1_000_000), vsync())


@case("psx-polyline", "A polyline of 16 million vertices that has no end.",
      "frames/000000.png", FRAME + "commands.txt", FRAME + "wireframe.png")
def polyline():
    return dump(packet(0x00, 0x4AFFFFFF), Again(packet(0x00, 0x01FF03FF, 0x00000000), 8_000_000), vsync())


@case("psx-copies", "200,000 copies of all of VRAM onto itself.",
      "frames/000000.png", FRAME + "last-writer.bin", FRAME + "overdraw.png")
def copies():
    return dump(Again(packet(0x00, 0x80000000, 0, 0x00010001, 0), 200_000), vsync())


@case("psx-rectangles", "400,000 textured rectangles that read the palette anew each time.",
      "frames/000000.png", FRAME + "textures.tsv", FRAME + "clut/", quick=False)
def rectangles():
    one = b"".join(packet(0x00, 0x66808080, 0, c << 16, 0x01FF03FF) for c in (0x4000, 0x4001, 0x4002, 0x4003))
    return dump(packet(0x00, 0xE1000000), Again(one, 100_000), vsync())


@case("psx-uploads", "250 uploads of all of VRAM, the last of which is announced and never comes.",
      "uploads.tsv", "textures.tsv", FRAME + "uploads.tsv", FRAME + "uploads/", "frames/000000.png")
def uploads():
    texels = packet(0x00, *[0x88428421] * 64)
    whole = [packet(0x00, 0xA0000000, 0, 0), Again(texels, 4096)]
    return dump(*whole * 249, packet(0x00, 0xA0000000, 0, 0), vsync())


@case("psx-readbacks", "100,000 reads of all of VRAM, each of which asks for 16 million words.",
      "readbacks/", "readbacks/00000011.bin", "packets.tsv", FRAME + "commands.txt")
def readbacks():
    one = packet(0x00, 0xC0000000, 0, 0) + packet(0x04, 0xFFFFFF)
    return dump(Again(one, 100_000), vsync())


@case("psx-commands", "A frame of 25 million commands: its text has gigabytes.",
      FRAME + "commands.txt", FRAME + "state.txt", "packets/00000/00000011-gp0.txt")
def commands():
    return dump(Again(packet(0x00, 0xE6000000, 0xE5000000, 0xE1000400, 0x01000000), 6_000_000), vsync())


@case("psx-packets", "30 million packets without a word.",
      "packets.tsv", "packets/", "metadata.txt", "problems.txt", "by-frame/000000/packets.tsv", quick=False)
def packets():
    return dump(Again(packet(0x00), 30_000_000), vsync())


@case("psx-problems", "A million packets, each with another defect.",
      "problems.txt", "metadata.txt", "packets.tsv")
def problems():
    defects = (packet(0x01) + packet(0x01, 1, 2) + packet(0x02, 1, 2, 3) + packet(0x05, 9) + packet(0x03, 9) +
               packet(0x7F) + packet(0x00, 0xFF000000) + packet(0x06) + packet(0x04))
    return dump(Again(defects, 111_112))


@case("psx-strings", "Strings of control characters, of escapes for terminals and of bidi marks, 16 MiB long.",
      "metadata.txt", "metadata.json", "packets.tsv", "problems.txt")
def strings():
    evil = "\x1b]0;owned\x07\x1b[2J\u202egpj.exe\u2066\r\n=cmd|' /C calc'!A0\t\x7f\x00".encode()
    text = evil + b" " * (-len(evil) % 4)
    words, count = len(text) // 4, (16 << 20) // len(text)
    few = b"".join(struct.pack("<I", kind << 24 | words) + text for kind in (0x10, 0x11, 0x12))
    return zstd(MAGIC, few, struct.pack("<I", 0x12 << 24 | words * count), Again(text, count), BEGIN[16:], vsync())


@case("psx-begins", "Ten million begin packets, with a comment after each.",
      "metadata.txt", "frames.tsv", "problems.txt", quick=False)
def begins():
    return zstd(BEGIN, Again(packet(0x05) + packet(0x12, 0x61), 10_000_000), vsync())


@case("psx-interlaced", "100,000 frames of 480 lines whose draws depend on the field, over all of VRAM.",
      "frames/050000.png", "frames/099999.png", "flips.tsv", quick=False)
def interlaced():
    frame = packet(0x00, 0x2A000000 | 0x102030, 0, 0x000003FF, 0x01FF0000, 0x01FF03FF) + packet(0x02, 0, 0)
    return dump(packet(0x01, 0x08000025), Again(frame * 4, 25_000))


@case("psx-cut", "A dump in which the last packet tells of 64 MiB that are not there, 300 times over.",
      "problems.txt", "frames.tsv", "frames/000000.png")
def cut():
    return BEGIN + b"".join(quad(0x3C) + struct.pack("<I", 0x00FFFFFF) for _ in range(300))
