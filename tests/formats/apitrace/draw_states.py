#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draw_states.py [--count N] [--seed N] TRACE...: compares random draws with eglretrace.

The files in by-frame/N/draws/NNNNNNNN/ are compared, value by value, with the state that eglretrace
dumps after the same call (-D). Prints a line for each difference, then figures; the exit status is
1 if there was a difference. EXPECTED matches what differs for good reasons: the peer has a window's
two buffers, we have one surface."""
import argparse
import base64
import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests/support"))
import mountlib

REGISTRY = "/usr/share/khronos-api/gl.xml"
# Names of a window's buffers and of memory differ for good reasons.
EXPECTED = re.compile(r"GL_(DRAW_BUFFER0?|READ_BUFFER|DOUBLEBUFFER)$|\.GL_BUFFER_|^GL_LIGHT\d+$|"
                      r"^GL_(CURRENT_PROGRAM|\w+_SHADER)\.|^GL_CLIP_PLANE|^GL_FRAMEBUFFER_STATUS$")
WORDS = {"GL_NONE": 0, "GL_ZERO": 0, "GL_FALSE": 0, "GL_NO_ERROR": 0, "GL_POINTS": 0, "GL_ONE": 1,
         "GL_TRUE": 1, "GL_LINES": 1, "false": 0, "true": 1}


def read_registry():
    with open(REGISTRY, encoding="utf-8") as file:
        for value, name in re.findall(r'<enum value="(0x[0-9A-Fa-f]+)" name="(\w+)"', file.read()):
            WORDS.setdefault(name, int(value, 16))


def number(word):
    """Returns the number for which a word of either side stands, or the word itself."""
    if isinstance(word, (int, float)):
        return word
    if word in WORDS:
        return WORDS[word]
    try:
        return int(word, 0)
    except ValueError:
        pass
    try:
        return float(word)
    except ValueError:
        return word


def alike(ours, theirs):
    ours, theirs = number(ours), number(theirs)
    if isinstance(ours, str) or isinstance(theirs, str):
        return ours == theirs
    if isinstance(ours, int) and isinstance(theirs, int):
        return (ours ^ theirs) & 0xFFFFFFFF == 0
    return abs(ours - theirs) <= 2e-6 * max(1e-30, abs(ours), abs(theirs)) or ours == theirs


def flat(value):
    return [word for one in value for word in flat(one)] if isinstance(value, list) else [value]


class Comparison:
    def __init__(self):
        self.draws = self.values = self.untold = self.expected = self.different = 0
        self.uniforms = self.pictures = self.in_lists = 0

    def differ(self, where, text):
        self.different += 1
        if self.different <= 200:
            print(f"{where}: {text}")

    def values_of(self, where, name, ours, theirs):
        """Compares some values with the peer's value, or its list of values."""
        theirs = flat(theirs)
        self.values += len(ours)
        if len(ours) != len(theirs) or not all(map(alike, ours, theirs)):
            self.differ(where, f"{name} is {', '.join(map(str, ours))}, the peer has {theirs}")


def told_by_peer(parameters, name):
    """Returns the peer's value for a name with dots, or None if it does not report the value."""
    value = parameters
    for part in name.split("."):
        if not isinstance(value, dict) or part not in value:
            return None
        value = value[part]
    return None if isinstance(value, dict) else value


def compare_state(comparison, where, text, state):
    bound = 0
    for line in text.decode().splitlines():
        name, separator, value = line.partition(" = ")
        if not separator:
            continue
        if name == "GL_DRAW_FRAMEBUFFER_BINDING":
            bound = int(value)
        theirs = told_by_peer(state["parameters"], name)
        if theirs is None:
            comparison.untold += 1
        elif value == "memory" or (EXPECTED.search(name) and bound == 0):
            comparison.expected += 1
        else:
            comparison.values_of(where, name, value.split(", "), theirs)


def uniforms_of(text):
    """Returns the values in uniforms.tsv, by kind and name, and then by element."""
    found = {}
    for line in text.decode().splitlines()[1:]:
        _, kind, name, _, _, _, _, index, value = line.split("\t")
        if kind in ("uniform", "block"):
            found.setdefault((kind, name), {})[int(index)] = value.split(",")
    return found


def look_up(theirs, name):
    """Returns the peer's uniform, in which members of structures and elements are nested, or
    None."""
    if name in theirs:
        return theirs[name]
    for part in re.findall(r"[^.\[\]]+", name):
        if isinstance(theirs, list) and part.isdigit() and int(part) < len(theirs):
            theirs = theirs[int(part)]
        elif isinstance(theirs, dict) and part in theirs:
            theirs = theirs[part]
        else:
            return None
    return theirs


def compare_uniforms(comparison, where, text, state):
    for (_, name), elements in uniforms_of(text).items():
        theirs = look_up(state["uniforms"], name)
        ours = [value for index in sorted(elements) for value in elements[index]]
        if theirs is None or isinstance(theirs, dict):
            comparison.untold += 1
        else:
            comparison.uniforms += 1
            comparison.values_of(where, name, ours, theirs)


def png_rows(png):
    """Returns width, bytes per pixel, and rows of a PNG with 8 bits per channel, without
    interlacing."""
    width, _, _, colour = struct.unpack(">IIBB", png[16:26])
    pixel = {0: 1, 2: 3, 4: 2, 6: 4}[colour]
    at, data = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at:at + 4], "big")
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    return width, pixel, unfilter(zlib.decompress(data), width * pixel, pixel)


def unfilter(data, stride, pixel):
    rows, above = [], bytearray(stride)
    for begin in range(0, len(data), stride + 1):
        kind, row = data[begin], bytearray(data[begin + 1:begin + 1 + stride])
        for n in range(stride if kind else 0):
            left = row[n - pixel] if n >= pixel else 0
            corner = above[n - pixel] if n >= pixel else 0
            if kind == 1:
                row[n] = (row[n] + left) & 255
            elif kind == 2:
                row[n] = (row[n] + above[n]) & 255
            elif kind == 3:
                row[n] = (row[n] + (left + above[n]) // 2) & 255
            else:
                best = min((abs(above[n] - corner), 0, left), (abs(left - corner), 1, above[n]),
                           (abs(left + above[n] - 2 * corner), 2, corner))
                row[n] = (row[n] + best[2]) & 255
        rows.append(bytes(row))
        above = row
    return rows


def floats_of(pfm):
    """Returns width and rows of a PFM, from the top, which is the order in which eglretrace writes
    them."""
    _, size, _, data = pfm.split(b"\n", 3)
    width, height = map(int, size.split())
    return width, [data[n * width * 4:(n + 1) * width * 4] for n in range(height)]


def compare_image(comparison, where, name, ours, theirs):
    comparison.pictures += 1
    different = sum(a != b for a, b in zip(ours, theirs))
    if len(ours) != len(theirs) or different:
        comparison.differ(where, f"{name}: {different} of {len(theirs)} rows differ, ours has {len(ours)}")


def last_layer_first(rows, layers):
    """Returns rows with the layers in the order in which eglretrace writes them."""
    height = len(rows) // layers
    return [row for n in reversed(range(layers)) for row in rows[n * height:(n + 1) * height]]


def compare_attachments(comparison, where, mount, folder, state):
    """Compares depths, stencil values and colours. Skips a picture if the peer's has another
    size."""
    names = set(os.listdir(mount / folder))
    for name, image in state["framebuffer"].items():
        data = base64.b64decode(image["__data__"])
        layers = image.get("__depth__", 1)
        width, height = image["__width__"], image["__height__"] * layers
        if name.startswith("GL_DEPTH") and "depth.bin" in names and data[:2] == b"Pf":
            ours = mount.read(f"{folder}/depth.bin")
            if len(ours) == width * height * 4:
                rows = [ours[n * width * 4:(n + 1) * width * 4] for n in range(height)]
                compare_image(comparison, where, "depth.bin", last_layer_first(rows, layers),
                              floats_of(data)[1])
        elif name.startswith("GL_STENCIL") and "stencil.bin" in names and data[:4] == b"\x89PNG":
            ours = mount.read(f"{folder}/stencil.bin")
            if len(ours) == width * height:
                rows = [ours[n * width:(n + 1) * width] for n in range(height)]
                compare_image(comparison, where, "stencil.bin", last_layer_first(rows, layers),
                              png_rows(data)[2])
        elif data[:4] == b"\x89PNG" and (name == "GL_BACK" or name.startswith("GL_COLOR")):
            mine = f"colour-{0 if name == 'GL_BACK' else int(name[19:])}.png"
            if mine in names:
                compare_colours(comparison, where, mine, mount.read(f"{folder}/{mine}"), data,
                                layers)


def compare_colours(comparison, where, name, ours, theirs, layers):
    _, pixel, rows = png_rows(theirs)
    width, mine, own = png_rows(ours)
    if pixel in (3, 4) and len(own) == len(rows) and len(rows[0]) == width * pixel:
        if pixel == 3:
            own = [b"".join(row[n:n + 3] for n in range(0, len(row), mine)) for row in own]
        compare_image(comparison, where, name, last_layer_first(own, layers), rows)


def peer_state(trace, call):
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1",
                       EGL_LOG_LEVEL="fatal")
    output = subprocess.run(["eglretrace", "--headless", "-D", str(call), trace], env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    begin = output.find(b"{\n")
    return json.loads(output[begin:].decode("utf-8", "replace"), strict=False) if begin >= 0 else None


def draws_of(mount):
    """Returns frame and call of every draw in the trace."""
    found = []
    for frame in sorted(os.listdir(mount / "by-frame")):
        for line in mount.read(f"by-frame/{frame}/draws.tsv").decode().splitlines()[1:]:
            cells = line.split("\t")
            if cells[3] != "-":
                found.append((frame, int(cells[0])))
    return found


def digits_of(mount):
    name = os.listdir(mount / "packets")[0]
    return len(name) + 3


def is_in_list(mount, folder, call):
    """Returns whether there is no state to compare, since the call is only compiled into a list."""
    try:
        mount.read(f"{folder}/state.txt")
        return False
    except OSError:
        told = f"the state of call {call} cannot be read: the call is between glBegin and glEnd, or in a display list"
        assert told in mount.read("problems.txt").decode(), f"call {call} is told nothing of"
        return True


def compare_trace(comparison, trace, count, chance):
    name = os.path.basename(trace)
    with mountlib.mounted(trace) as mount:
        draws = draws_of(mount)
        for frame, call in sorted(chance.sample(draws, min(count, len(draws)))):
            where, folder = f"{name} call {call}", f"by-frame/{frame}/draws/{call:08}"
            if is_in_list(mount, folder, call):
                comparison.in_lists += 1
                continue
            state = peer_state(trace, call)
            if state is None:
                comparison.differ(where, "the peer tells nothing")
                continue
            comparison.draws += 1
            compare_state(comparison, where, mount.read(f"{folder}/state.txt"), state)
            compare_uniforms(comparison, where, mount.read(f"{folder}/uniforms.tsv"), state)
            compare_attachments(comparison, where, mount, folder, state)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10, help="draws of each trace")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("traces", nargs="+")
    arguments = parser.parse_args()
    read_registry()
    comparison, chance = Comparison(), random.Random(arguments.seed)
    for trace in arguments.traces:
        compare_trace(comparison, trace, arguments.count, chance)
    print(f"{comparison.draws} draws, {comparison.values} values, of {comparison.uniforms} uniforms "
          f"among them, {comparison.pictures} attachments: "
          f"{comparison.different} differences; {comparison.untold} values that the peer does not tell, "
          f"{comparison.expected} that differ by nature; {comparison.in_lists} more draws were only compiled into lists")
    return comparison.different > 0


if __name__ == "__main__":
    sys.exit(main())
