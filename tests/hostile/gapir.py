# SPDX-License-Identifier: MIT
"""Hostile GAPIR replays (gapir.md), each of which is a folder."""
import struct

from case import case
from pack import gz, varint

U32, INT32, CONSTANT, VOLATILE = 7, 3, 12, 13
CALL, PUSH, LOAD_V, STORE_V, RESOURCE, POST, COPY, STRCPY, LABEL, MARK, JUMP_NZ = 0, 1, 3, 6, 8, 9, 10, 12, 15, 17, 18
NOTIFICATION, INLINE = 20, 22
VK_ALLOCATE_MEMORY, VK_MAP_MEMORY, VK_CREATE_SWAPCHAIN, VK_GET_SWAPCHAIN_IMAGES = 0x44, 0x46, 0x10D, 0x10F  # of AGI 3.3.1
SIZE, PTR = 8, VOLATILE


def op(code, operand=0):
    return struct.pack("<I", code << 26 | operand)


def push(kind, value):
    if value < 1 << 20:
        return op(PUSH, kind << 20 | value)
    return op(PUSH, kind << 20 | value >> 26) + op(13, value & 0x3FFFFFF)


def field(number, data):
    return bytes([number << 3 | 2]) + varint(len(data)) + data


def payload(code, volatile=1 << 20, constants=b"", resources=b"", stack=512):
    out = b"\x08" + varint(stack) + b"\x10" + varint(volatile)
    if constants:
        out += field(3, constants)
    return out + resources + field(5, code)


def files(code, index=b"", data=b"", **more):
    return {"payload.bin": gz(payload(code, **more)), "resources.index": index, "resources.data": data}


def loop(body):
    return op(LABEL, 1) + op(MARK, 1) + body + push(INT32, 1) + op(JUMP_NZ, 1)


def copy(to, of, size):
    return push(VOLATILE, of) + push(VOLATILE, to) + op(COPY, size)


def call(function, push_result=False):
    return op(CALL, int(push_result) << 24 | 2 << 16 | function)



@case("gapir-loop", "A loop without end of two instructions.",
      "metadata.txt", "fault.txt", "calls.txt", "memory/end.bin")
def endless():
    return files(loop(b""))


@case("gapir-copies", "A loop of copies of 32 MiB each.",
      "fault.txt", "memory/end.bin", "memory/00000/00000000.bin")
def copies():
    return files(loop(copy(0, 1 << 25, 1 << 25)), volatile=1 << 26)


@case("gapir-small-copies", "A loop of copies of one byte, and 64 million instructions.",
      "fault.txt", "calls.txt", "opcodes.tsv", "functions.tsv")
def small_copies():
    return files(loop(copy(0, 1, 1) * 20_000))


@case("gapir-posts", "A million posts, and then posts of 1 GiB each.",
      "posts.tsv", "posts/", "posts/*", "frames.tsv")
def posts():
    small = push(VOLATILE, 0) + push(U32, 4) + op(POST)
    big = push(VOLATILE, 0) + push(U32, 1 << 30) + op(POST)
    return files(big * 3 + loop(small), volatile=1 << 30)


@case("gapir-memory", "Volatile memory of 4 GiB less one byte, a stack of 2^32 - 1 slots.",
      "metadata.txt", "fault.txt")
def memory():
    code = op(LABEL, 1) + b"".join(push(U32, 7) + op(STORE_V, 4 * n) for n in range(1000)) + op(LABEL, 2)
    return files(code, volatile=(1 << 32) - 1, stack=(1 << 32) - 1)


@case("gapir-half-memory", "Volatile memory of 1 GiB, each page of which is written, packet by packet.",
      "memory/end.bin", "memory/00000/00000050.bin", "metadata.txt")
def half_memory():
    code = b"".join(op(LABEL, n) + copy((n + 1) << 24, n << 24, 1 << 24) for n in range(63))
    return files(push(U32, 7) + op(STORE_V, 0) + code, volatile=1 << 30)


@case("gapir-windows", "A loop of vkMapMemory, of 2^32 bytes each.",
      "memory/windows.tsv", "fault.txt", "metadata.txt", "memory/end.bin", "memory/windows/")
def windows():
    one = (push(SIZE, 1) + push(8, 5) + push(8, 0) + push(8, (1 << 32) - 1) + push(U32, 0) + push(VOLATILE, 64) +
           call(VK_MAP_MEMORY))
    return files(loop(one))


@case("gapir-swapchain", "A loop that wants a million images of a swapchain each time, and then 130 million.",
      "fault.txt", "metadata.txt", "calls.txt", "memory/end.bin")
def swapchain():
    """The first images are remembered; for each of the others the swapchain is looked up again."""
    made = push(SIZE, 1) + push(VOLATILE, 64) + push(VOLATILE, 0) + push(VOLATILE, 8) + call(VK_CREATE_SWAPCHAIN)
    images = (push(SIZE, 1) + op(LOAD_V, 8 << 20 | 8) + push(VOLATILE, 16) + push(VOLATILE, 1 << 12) +
              call(VK_GET_SWAPCHAIN_IMAGES))
    many, all_ = (push(U32, count) + op(STORE_V, 16) + images for count in (1_000_000, 130_000_000))
    return files(made + many * 2 + all_ + loop(images), volatile=1 << 30)


@case("gapir-inline", "A loop of an inline resource of 32,000 patches of values and as many of pointers.",
      "fault.txt", "resources.tsv", "resources/inline/", "disassembly.txt", "memory/end.bin")
def inline():
    count = 32_000
    pairs = struct.pack("<2I", 0, 8) * 63
    body = push(VOLATILE, 0) + op(INLINE, 63 << 20 | 4) + bytes(4) + pairs
    return files(loop(body + struct.pack("<I", count) + struct.pack("<2I", 0, 8) * count))


@case("gapir-resources", "300,000 resources of 4 GiB less one byte by one name, and an index that lies about them.",
      "resources.tsv", "resources/", "problems.txt", "fault.txt")
def resources():
    most = (1 << 32) - 1
    index = b"".join(struct.pack("<I", 1) + b"A" + struct.pack("<QI", n << 40, most) for n in range(100_000))
    code = loop(push(VOLATILE, 0) + op(RESOURCE, 7))
    one = field(4, field(1, b"A") + b"\x10" + varint(most))
    return files(code, index + struct.pack("<I", most), b"abc", resources=one * 300_000)


@case("gapir-strings", "Copies of strings of 64 MiB that end at once and are filled up, in a loop.",
      "fault.txt", "memory/end.bin", "calls.txt")
def strings():
    most = (1 << 26) - 1
    return files(loop((push(VOLATILE, 0) + push(VOLATILE, 1 << 26) + op(STRCPY, most)) * 10), volatile=1 << 27)


@case("gapir-labels", "A million labels, all of them the same.",
      "packets.tsv", "packets/", "disassembly.txt", "memory/00000/", "memory/00999/")
def labels():
    return files(op(LABEL, 1) * 1_000_000)


@case("gapir-constants", "100,000 instructions whose notes each quote a string of a megabyte.",
      "disassembly.txt", "constants.txt", "calls.txt", "packets/00000/*.txt")
def constants():
    code = op(LABEL, 1) + (push(CONSTANT, 0) + op(5, 1)) * 100_000
    return files(code, constants=b"A" * (1 << 20) + b"\0")


@case("gapir-notifications", "A loop of notifications of 1 MiB.",
      "notifications.tsv", "notifications/", "notifications/000000.bin", "fences.tsv")
def notifications():
    one = push(VOLATILE, 0) + push(U32, 3) + push(U32, 1 << 20) + op(NOTIFICATION) + op(21, 5)
    return files(loop(one), volatile=1 << 21)


@case("gapir-nesting", "A payload of messages within messages, and fields of 2^63 bytes.",
      "metadata.txt", "problems.txt", "disassembly.txt")
def nesting():
    deep = b""
    for _ in range(2000):
        deep = field(4, deep)
    return {"payload.bin": deep + b"\x08\x01" * 100_000 + b"\x2a" + varint(1 << 63) + op(LABEL, 1) * 10,
            "resources.index": b""}
