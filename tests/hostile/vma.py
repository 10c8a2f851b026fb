# SPDX-License-Identifier: MIT
"""Hostile VMA recordings (vma.md)."""
from case import Sparse, case
from pack import Again, gz, xz, zstd

HEAD = "Vulkan Memory Allocator,Calls recording\n1,8\n"
FRAME = "by-frame/000000/"
MOST = (1 << 64) - 1


def line(call, frame=0):
    return "1,0.0,%d,%s\n" % (frame, call)


def allocate(size, name, frame=0, pool="0", flags=0, alignment=1, text=""):
    return line("vmaAllocateMemory,%d,%d,3,%d,0,0,0,0,%s,%X,%s" % (size, alignment, flags, pool, name, text), frame)


def pool(name, flags=0, size=0, blocks=0, least=0):
    return line("vmaCreatePool,0,%d,%d,%d,%d,0,%s" % (flags, size, least, blocks, name))


def free(name, frame=0):
    return line("vmaFreeMemory,%X" % name, frame)


def config(*lines):
    return HEAD + "Config,Begin\n" + "".join(each + "\n" for each in lines) + "Config,End\n"


def packed(*parts):
    return gz("".join(parts).encode())


def plain(text, *again):
    return zstd(text.encode(), *again)


@case("vma-json", "30,000 allocations, and 30,000 lines that each show all of them as JSON.",
      "after/00015/", "after/00030/00030009.json", "after/00059/", "by-frame/000001/detailed.json",
      "allocations.tsv", "by-frame/000001/live.tsv")
def json():
    text = "".join(allocate(64, n + 1) for n in range(30_000))
    return packed(HEAD, text, "".join(line("vmaTouchAllocation,%X" % (n + 1), 1 + n // 15000) for n in range(30_000)))


@case("vma-frames", "100,000 frames in which 20,000 allocations live.",
      "frames.tsv", "by-frame/050000/stats.json", "by-frame/099999/detailed.json", "memory.tsv", "frames/",
      "timeline.png", "by-frame/")
def frames():
    text = "".join(allocate(4096, n + 1) for n in range(20_000))
    return packed(HEAD, text, "".join("1,0.0,%d,vmaTouchAllocation,1\n" % n for n in range(1, 100_001)))


@case("vma-lines", "Eight million lines that allocate and free.",
      "metadata.txt", "memory.tsv", "allocations.tsv", "stats.txt", "packets.tsv", "frames/000000.png", quick=False)
def lines():
    return plain(HEAD, Again((allocate(300, 1) + free(1)).encode(), 4_000_000))


@case("vma-bad-lines", "Twenty million empty lines, and a million of other defects.",
      "problems.txt", "metadata.txt", "packets.tsv", "leaks.txt")
def bad_lines():
    bad = ("1,2\n9,9,9,vmaNone,1\n-1,-2,-3,vmaFreeMemory\n,,,\n1,0,0,vmaCreatePool,1,2,3\n"
           "1,0.0,0,vmaFreeMemory,zz\n\0\0\0\n1,0.0,0,vmaAllocateMemory,\u202e,1,1\r\n").encode()
    return plain(HEAD, Again(b"\n", 20_000_000), Again(bad, 125_000))


@case("vma-long-line", "One line of 500 MB.",
      "packets.tsv", "problems.txt", "packets/00000/", FRAME + "commands.txt",
      "packets/00000/*.txt")
def long_line():
    return plain(HEAD + allocate(64, 1)[:-1], Again(b"A" * 100, 5_000_000))


@case("vma-long-hole", "One line of 1 GiB, a hole: each byte becomes four.",
      "packets.tsv", "problems.txt", FRAME + "commands.txt", "packets/00000/*.txt")
def long_hole():
    return Sparse((HEAD + allocate(64, 1)[:-1]).encode(), 1 << 30)


@case("vma-user-data-hole", "User data of 1 GiB, a hole: each byte becomes four, or six in JSON.",
      "problems.txt", "metadata.txt", "allocations.tsv", FRAME + "detailed.json", FRAME + "live.tsv",
      FRAME + "commands.txt", "packets.tsv", "packets/00000/*.txt", "leaks.txt")
def user_data_hole():
    return Sparse((HEAD + allocate(64, 1, flags=0x20, text="x")[:-1]).encode(), 1 << 30)


@case("vma-endless-hole", "One line of 1 TiB, a hole.")
def endless_hole():
    return Sparse((HEAD + allocate(64, 1)[:-1]).encode(), 1 << 40)


@case("vma-user-data", "1,000 allocations whose user data has 64 KB each, in 1,000 frames.",
      "by-frame/000500/detailed.json", "by-frame/000500/live.tsv", "allocations.tsv", "leaks.txt",
      FRAME + "commands.txt", "after/00001/*.json")
def user_data():
    text = "\\\t\x01\"" * 16_000
    return plain(HEAD + "".join(allocate(64, n, flags=0x20, text=text) for n in range(1, 21)),
                 *(part for n in range(1, 1000) for part in (
                     line("vmaSetAllocationUserData,%X," % (1 + n % 20), n)[:-1].encode(),
                     Again(b"\\\x01\"x" * 100, 160), b"\n")))


@case("vma-sizes", "Sizes, alignments, margins and heaps near 2^64.",
      "problems.txt", "frames/000000.png", "memory.tsv", FRAME + "budget.txt", "timeline.png", "pools/")
def sizes():
    numbers = (MOST, 1 << 63, (1 << 63) - 1, MOST - 15, 0)
    text = "".join(pool("A%X" % n, flags, size, blocks, least) for n, (flags, size, blocks, least) in enumerate(
        (f, s, b, m) for f in (0, 4, 8) for s in numbers for b in (0, 1, MOST) for m in (0, MOST)))
    n = 1
    for size in numbers:
        for alignment in numbers:
            for flags in (0, 1, 0x40):
                text += allocate(size, n, pool="0", flags=flags, alignment=alignment)
                text += allocate(size, n + 1, pool="A%X" % (n % 80), flags=flags, alignment=alignment)
                n += 2
    return config("PhysicalDeviceMemory,HeapCount,16", *("PhysicalDeviceMemory,Heap,%d,size,%d" % (h, MOST)
                                                       for h in range(16)),
                  "Macro,VMA_DEBUG_MARGIN,9223372036854775808", "PhysicalDeviceLimits,bufferImageGranularity,%d" % MOST
                  ).encode() + text.encode()


@case("vma-holes", "20,000 holes, and 20,000 searches for what fits into none of them.",
      "frames/000000.png", "metadata.txt", "memory.tsv", "by-frame/000001/state.txt")
def holes():
    text = pool("AA", 0, 1 << 24, 1)
    text += "".join(allocate(300 if n % 2 else 40, n, pool="AA") for n in range(1, 40_001))
    text += "".join(free(n) for n in range(1, 40_001, 2))
    return packed(HEAD, text, "".join(allocate(100, 0xF0000 + n, 1, "AA", 16, 1 << 20) for n in range(20_000)))


@case("vma-defragmentation", "2,000 defragmentations of 20,000 allocations.",
      "metadata.txt", "memory.tsv", "frames/000001.png", "by-frame/000001/detailed.json", "stats.txt")
def defragmentation():
    names = " ".join("%X" % n for n in range(1, 20_001))
    text = "".join(allocate(1000 + n % 700, n) for n in range(1, 40_001))
    text += "".join(free(n) for n in range(20_001, 40_001))
    again = "".join(line("vmaDefragmentationBegin,0,%s,,%d,4294967295,0,0,0,F1" % (names, MOST), 1) +
                    line("vmaDefragmentationEnd,F1", 1) for _ in range(100))
    return xz((HEAD + text + again).encode(), preset=1)


@case("vma-pools", "A million pools, each with a name, and each destroyed with what is in it.",
      "pools/", "metadata.txt", "frames/000000.png", "memory.tsv", "pools/*/info.txt")
def pools():
    return packed(HEAD, "".join(pool("%X" % (n + 16)) for n in range(300_000)),
                  "".join(line("vmaSetPoolName,%X,=cmd|' /C calc'!A0" % (n + 16)) for n in range(100_000)))


@case("vma-blocks", "A pool of 65,536 blocks, and allocations of one byte in buddy pools of 2^62.",
      "frames/000000.png", FRAME + "detailed.json", "stats.txt", "memory.tsv")
def blocks():
    text = pool("AA", 0, 1, MOST, 0) + pool("BB", 8, 1 << 31, 1)
    text += "".join(allocate(1, n, pool="AA") for n in range(1, 70_000))
    return packed(HEAD, text, "".join(allocate(1, 0x100000 + n, pool="BB") for n in range(50_000)))


@case("vma-lost", "50,000 allocations that can become lost, and as many that make them so.",
      "memory.tsv", "stats.txt", "frames/000001.png", "metadata.txt")
def lost():
    text = pool("AA", 0, 1 << 20, 1) + "".join(allocate(16, n, 0, "AA", 8) for n in range(1, 50_001))
    return packed(HEAD, text, "".join(allocate(4096 + n, 0x100000 + n, 100 + n, "AA", 0x18) for n in range(5_000)))


@case("vma-names", "Device names, pool names and user data of control characters and bidi marks.",
      "metadata.txt", "metadata.json", "allocations.tsv", "pools/00000/info.txt", "leaks.txt", "stats.txt")
def names():
    evil = "\x1b[2J\x1b]0;owned\x07\u202egpj\u2066\t\x9b=cmd|' /C calc'!A0\x7f"
    return (config("PhysicalDevice,deviceName," + evil) + pool("AA") + line("vmaSetPoolName,AA," + evil) +
            allocate(64, 1, pool="AA", flags=0x20, text=evil)).encode()
