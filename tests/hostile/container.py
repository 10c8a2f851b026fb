# SPDX-License-Identifier: MIT
"""Hostile containers, and what happens to mounts: mostly with PSX dumps in them."""
import random
import struct

import aerogpu
import psx
from case import Sparse, case
from pack import (Again, gz, lzma, xz, xz_dictionary, zstd, zstd_block, zstd_frame, zstd_raw, zstd_skippable,
                  zstd_zeros)

LOOK = "metadata.txt", "problems.txt", "frames.tsv"
GIB = 1 << 30
SMALL = psx.BEGIN + psx.quad(0x3C) * 4 + psx.vsync() + psx.quad(0x2E) + psx.vsync()


@case("container-zstd", "A zstd file of 260 KB that expands to 8 GiB.", *LOOK)
def zstd_bomb():
    return zstd_frame(zstd_raw(SMALL) + zstd_zeros(8 * GIB))


@case("container-zstd-frames", "300,000 zstd frames without a byte, between two halves of a dump.", *LOOK)
def zstd_frames():
    empty = zstd_frame(b"")
    half = len(SMALL) // 2
    return zstd(SMALL[:half]) + empty * 300_000 + zstd(SMALL[half:])


@case("container-zstd-blocks", "A zstd frame of a million blocks without a byte.", *LOOK)
def zstd_blocks():
    return zstd_frame(zstd_raw(SMALL[:100]) + zstd_block(0, 0, b"") * 1_000_000 + zstd_raw(SMALL[100:]))


@case("container-zstd-window", "A zstd frame that wants a window of 3.75 TiB.", "metadata.txt", "problems.txt")
def zstd_window():
    return zstd(SMALL) + zstd_frame(zstd_raw(SMALL), 0xFF)


@case("container-zstd-skippable", "100,000 frames to skip, the last of which says it has 4 GiB.", *LOOK)
def skippable():
    return zstd_skippable(4, b"abcd") * 100_000 + zstd(SMALL) + zstd_skippable(0xFFFFFFFF)


@case("container-zstd-seekable", "A table of frames of 4 GiB each, of which none is there.", *LOOK)
def seekable():
    frame = zstd(SMALL)
    entries = struct.pack("<II", len(frame), 0xFFFFFFFF) + struct.pack("<II", 0, 0xFFFFFFFF) * 50_000
    table = entries + struct.pack("<IBI", 50_001, 0, 0x8F92EAB1)
    return frame + zstd_skippable(len(table), table, 0x184D2A5E)


@case("container-xz", "An xz file of 300 KB that expands to 2 GiB.", *LOOK)
def xz_bomb():
    part = xz(bytes(128 << 20), preset=1)
    return xz(SMALL) + part * 16


@case("container-xz-dictionary", "An xz file that wants a dictionary of 4 GiB.", "metadata.txt", "problems.txt")
def dictionary():
    return xz(SMALL) + xz_dictionary(SMALL)


@case("container-xz-filters", "An xz file of 64 MiB with three filters besides LZMA2, among them delta with distance 256.", *LOOK)
def filters():
    chain = [{"id": lzma.FILTER_DELTA, "dist": 256}, {"id": lzma.FILTER_X86}, {"id": lzma.FILTER_ARMTHUMB},
             {"id": lzma.FILTER_LZMA2, "preset": 0}]
    return xz(SMALL + bytes(64 << 20), filters=chain)


@case("container-xz-streams", "50,000 xz streams without a byte, with padding between them.", *LOOK)
def streams():
    return xz(SMALL) + (xz(b"") + bytes(4)) * 50_000


@case("container-gzip", "A gzip file of 2 MB that expands to 2 GiB.", *LOOK, quick=False)
def gzip_bomb():
    return gz(SMALL) + gz(bytes(64 << 20)) * 32


@case("container-gzip-members", "200,000 gzip members without a byte, each with a name of control characters.", *LOOK)
def members():
    empty = bytearray(gz(b""))
    empty[3] |= 8  # a name follows
    named = bytes(empty[:10]) + b"\x1b[2J\0" + bytes(empty[10:])
    return gz(SMALL) + named * 100_000


@case("container-gzip-hole", "A gzip file with 1 TiB of zeros after it, a hole.", *LOOK)
def hole():
    return Sparse(gz(SMALL), 1 << 40)


@case("container-nested", "zstd in xz in gzip in zstd: a dump that is never reached.")
def nested():
    return zstd(gz(xz(zstd(SMALL))))


def cuts(data, count):
    """The same dump, cut at `count` places."""
    rest = random.Random(count)
    places = sorted(rest.randrange(len(data)) for _ in range(count))
    return {"%03d-%d.dump" % (n, place): data[:place] for n, place in enumerate(places)}


@case("container-cut", "A folder of dumps of all containers, each cut at 40 places.",
      "README.txt", "dumps.tsv", "*/problems.txt", "*/error.txt", options=("--dir",))
def cut():
    out = {}
    for kind, data in (("plain", SMALL), ("zstd", zstd(SMALL)), ("xz", xz(SMALL)), ("gzip", gz(SMALL))):
        out.update({kind + "-" + name: part for name, part in cuts(data, 40).items()})
    return out


@case("container-names", "A folder of dumps whose names are control characters, bidi marks, bad UTF-8 and formulas.",
      "README.txt", "dumps.tsv", "*/metadata.txt", options=("--dir",))
def names():
    evil = ("\x1b[2J", "\u202egpj.psxgpu", "a\nb", "a\tb", "=cmd|'calc'!A0", "-rf", "...", "x" * 255, "\x7f", "#", " ")
    return {name: SMALL for name in evil} | {b"\xff\xfe\x9b".decode(errors="surrogateescape"): SMALL}


@case("container-bombs", "A folder of 20 dumps, each of which expands to 8 GiB.",
      "dumps.tsv", "*/metadata.txt", options=("--dir",))
def bombs():
    bomb = zstd_frame(zstd_raw(SMALL) + zstd_zeros(GIB) * 8)
    return {"%02d.psxgpu.zst" % n: bomb for n in range(20)}


# Limits, and what happens to the mount.


@case("limit-memory", "A process that may have 400 MB of address space, and frames that each need a checkpoint.",
      "frames/000299.png", "frames/", "packets.tsv", "textures.tsv", limits={"AS": 400 << 20})
def little_memory():
    return zstd(psx.BEGIN, Again((psx.quad(0x3E) * 2 + psx.vsync()) * 4, 100))


@case("limit-memory-compressed", "A process that may have 200 MB of address space, and a dump of 512 MiB.", *LOOK,
      limits={"AS": 200 << 20})
def little_memory_compressed():
    return zstd_frame(zstd_raw(SMALL) + zstd_zeros(512 << 20))


@case("limit-file-size", "A process whose files may have 1 MiB, which SIGXFSZ would end.", *LOOK,
      limits={"FSIZE": 1 << 20})
def little_file():
    return zstd_frame(zstd_raw(SMALL) + zstd_zeros(64 << 20))


@case("limit-cgroup", "A control group with 400 MB of memory, and frames that each need a checkpoint.",
      "frames/000299.png", "frames/", "packets.tsv", "textures.tsv", limits={"CGROUP": 400 << 20})
def little_memory_of_a_group():
    return little_memory()


@case("limit-files", "A process that may have 24 descriptors.", *LOOK, "frames/000000.png", limits={"NOFILE": 24})
def few_files():
    return SMALL


@case("event-locks", "Another process holds all locks of the dump.", *LOOK, "frames/000000.png", event="locked")
def locked():
    return SMALL


@case("event-watches", "The user has no inotify descriptor left.", *LOOK, "frames/000000.png", event="no watches")
def no_watches():
    return SMALL


@case("event-times", "The dump's time is in the year 292 billion, then before 1970, and changes.", *LOOK,
      event="odd times")
def odd_times():
    return SMALL


@case("event-clock", "The clock jumps forwards and back by years whenever it is read.", *LOOK, "frames/000000.png",
      "packets.tsv", preload="clock.so", options=("-o", "idle-unmount=100000"))
def set_clock():
    return SMALL


@case("event-writes", "Another process writes and touches the dump without a pause.", *LOOK, "frames/000000.png",
      event="touched")
def touched():
    return SMALL


@case("event-below", "The file system of the dump's file suddenly answers EIO.", *LOOK,
      "frames/000000.png", "packets/00000/", event="below fails")
def below():
    frame, count = psx.packet(0x00, 0x7CFFFFFF, 0, 0) * 500 + psx.vsync(), 10_000
    size = 16 + len(psx.BEGIN) + len(frame) * count
    head = aerogpu.begin() + aerogpu.record(1, bytes(4)) + struct.pack("<BBHIQII", 4, 0, 0, size, 1, 1, 0) + psx.BEGIN
    end = len(head) + len(frame) * count + 12
    return zstd(head, Again(frame, count), aerogpu.record(2, bytes(4)),
                aerogpu.end(end, [(len(aerogpu.begin()), end - 12, end)]))
