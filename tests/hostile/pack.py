# SPDX-License-Identifier: MIT
"""
Containers written by hand, bit by bit, as no compressor writes them. The standard library has no
zstd and no Brotli, and its deflate cannot be made to write such files.
"""
import gzip
import lzma
import struct
import zlib

BLOCK = 128 << 10  # the largest block of zstd
WINDOW = 0x50      # 1 MiB


class Again:
    """`count` copies of the same bytes."""

    def __init__(self, data, count):
        self.data, self.count = data, count

    def __len__(self):
        return len(self.data) * self.count


# zstd (RFC 8878).


def zstd_block(kind, size, body, last=False):
    return (int(last) | kind << 1 | size << 3).to_bytes(3, "little") + body


def zstd_raw(data):
    return b"".join(zstd_block(0, len(data[at:at + BLOCK]), data[at:at + BLOCK])
                    for at in range(0, len(data), BLOCK))


def zstd_match(distance, length):
    """A block of one sequence, about 13 bytes: copies `length` bytes (131 or more) from `distance` bytes back."""
    offset, wide = distance + 3, (length - 3).bit_length() - 1
    code = offset.bit_length() - 1
    bits = offset << wide | (length - 3 - (1 << wide))  # the offset's highest bit ends the stream
    stream = bits.to_bytes((bits.bit_length() + 7) // 8, "little")
    body = bytes([0, 1, 0x54, 0, code, 36 + wide]) + stream
    return zstd_block(2, len(body), body)


def zstd_again(piece):
    """The bytes once, followed by matches of them."""
    period = len(piece.data)
    whole, rest = divmod(period * (piece.count - 1), BLOCK)
    phase = whole * BLOCK % period
    end = (zstd_match(period, rest) if rest >= 131 else
           zstd_raw((piece.data * (2 + rest // period))[phase:phase + rest]))
    return zstd_raw(piece.data) + zstd_match(period, BLOCK) * whole + end


def zstd_frame(blocks, window=WINDOW):
    return struct.pack("<IBB", 0xFD2FB528, 0, window) + blocks + zstd_block(0, 0, b"", last=True)


def zstd(*pieces):
    """One frame; the pieces are bytes or Again."""
    return zstd_frame(b"".join(zstd_again(piece) if isinstance(piece, Again) else zstd_raw(piece)
                               for piece in pieces))


def zstd_zeros(size):
    """Zeros, in four bytes for each 128 KiB."""
    return zstd_block(1, BLOCK, b"\0") * (size // BLOCK)


def zstd_skippable(size, data=b"", magic=0x184D2A50):
    return struct.pack("<II", magic, size) + data


# Brotli (RFC 7932).


class Bits:
    """A stream of bits whose first bit is the lowest."""

    def __init__(self):
        self.value, self.count = 0, 0

    def add(self, value, width):
        self.value |= value << self.count
        self.count += width

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def brotli(data, again):
    """The bytes, and `again` times 16 MiB of their last four, in 13 bytes each; `again` is a multiple of eight."""
    bits, eight = Bits(), Bits()
    bits.add(0, 1)  # a window of 16 bits
    bits.add(0, 1)  # not the last
    bits.add(0, 2)  # a length of four nibbles
    bits.add(len(data) - 1, 16)
    bits.add(1, 1)  # uncompressed
    for _ in range(8):
        brotli_again(eight)
    return bits.bytes() + data + eight.bytes() * (again // 8) + b"\3"


def brotli_again(bits):
    bits.add(0, 1)                # not the last
    bits.add(2, 2)                # six nibbles
    bits.add((1 << 24) - 1, 24)
    bits.add(0, 1)                # compressed
    bits.add(0, 3)                # one type of block each
    bits.add(0, 6)                # no postfix, no direct distances
    bits.add(0, 2)                # the literals' context
    bits.add(0, 2)                # one tree each
    for symbol, width in ((0, 8), (391, 10), (0, 6)):
        bits.add(1, 2)            # a code of one symbol
        bits.add(0, 2)
        bits.add(symbol, width)
    bits.add((1 << 24) - 2118, 24)  # insert none, copy 16 MiB from the last distance: 4


# gzip and xz.


def gz(data):
    return gzip.compress(data, 9, mtime=0)


def xz(data, **options):
    return lzma.compress(data, lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, **options)


def xz_dictionary(data):
    """An xz stream that requires a dictionary of 4 GiB less one byte."""
    stream = bytearray(xz(data, preset=0))
    size = (stream[12] + 1) * 4
    at = stream.index(b"\x21\x01", 12, 12 + size) + 2
    stream[at] = 40
    stream[12 + size - 4:12 + size] = struct.pack("<I", zlib.crc32(stream[12:12 + size - 4]))
    return bytes(stream)


# Snappy, LZ4.


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def snappy(data, total):
    """A raw block: the bytes, and copies of them up to `total` bytes."""
    out = varint(total) + bytes([61 << 2]) + struct.pack("<H", len(data) - 1) + data
    copy = bytes([63 << 2 | 2]) + struct.pack("<H", len(data))
    return out + copy * ((total - len(data)) // 64)


def lz4_zeros(size):
    """An LZ4 block of zeros, 255 of them in each byte."""
    length = size - 1 - 5
    more = length - 19
    return (b"\x1f\0\1\0" + b"\xff" * (more // 255) + bytes([more % 255]) + b"\x50" + bytes(5))
