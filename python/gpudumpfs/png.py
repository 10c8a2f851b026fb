# SPDX-License-Identifier: MIT
"""PNG pictures as NumPy arrays, decoded with nothing except the standard library's zlib and
NumPy."""
import struct
import zlib

import numpy

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def _chunks(data):
    at = len(SIGNATURE)
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8:at + 8 + size]
        at += 12 + size


def _unfilter(rows, step):
    """Returns rows of bytes without their PNG filters. Each row begins with its filter's number.

    `step` is the number of bytes from a pixel to the next.
    """
    filters, lines = rows[:, 0], rows[:, 1:].copy()
    if not filters.any():
        return lines
    before = numpy.zeros(lines.shape[1], numpy.uint8)
    for line, kind in zip(lines, filters):
        if kind == 1:
            for channel in range(step):  # uint8 sums wrap around, as PNG requires
                line[channel::step] = numpy.cumsum(line[channel::step], dtype=numpy.uint8)
        elif kind == 2:
            line += before
        elif kind in (3, 4):
            _unfilter_slowly(line, before, step, kind)
        elif kind != 0:
            raise ValueError("a PNG with an unknown filter")
        before = line
    return lines


def _unfilter_slowly(line, before, step, kind):
    now, above = line.tolist(), before.tolist()
    for i, value in enumerate(now):
        left = now[i - step] if i >= step else 0
        up = above[i]
        corner = above[i - step] if i >= step else 0
        if kind == 3:
            guess = (left + up) // 2
        else:
            guess = min((abs(up - corner), 0, left), (abs(left - corner), 1, up),
                        (abs(left + up - 2 * corner), 2, corner))[2]
        now[i] = (value + guess) & 255
    line[:] = now


def decode(data):
    """Returns (height, width) for greyscale, otherwise (height, width, channels). Expands palettes
    to their colours."""
    if data[:len(SIGNATURE)] != SIGNATURE:
        raise ValueError("not a PNG")
    head = palette = None
    packed = []
    for kind, body in _chunks(data):
        if kind == b"IHDR":
            head = struct.unpack(">IIBBBBB", body)
        elif kind == b"PLTE":
            palette = numpy.frombuffer(body, numpy.uint8).reshape(-1, 3)
        elif kind == b"IDAT":
            packed.append(body)
    width, height, depth, colour, _, _, interlaced = head
    if depth not in (8, 16) or interlaced or colour not in CHANNELS:
        raise ValueError(f"a PNG of depth {depth}, colour {colour}, interlacing {interlaced}")
    step = CHANNELS[colour] * depth // 8
    raw = numpy.frombuffer(zlib.decompress(b"".join(packed)), numpy.uint8)
    lines = _unfilter(raw.reshape(height, 1 + width * step), step)
    pixels = lines.view(">u2").astype(numpy.uint16) if depth == 16 else lines
    if colour == 3:
        return palette[pixels.reshape(height, width)]
    shape = (height, width) if CHANNELS[colour] == 1 else (height, width, CHANNELS[colour])
    return pixels.reshape(shape)
