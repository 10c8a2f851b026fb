#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""draw_states.py [--count N] [--seed N] TRACE...: holds what by-frame/N/draws/NNNNNNNN/ tells of
random draws against the state that eglretrace dumps behind the same call (-D), value by value.

Prints a line for each difference, then figures; the exit status is 1 if there was a difference.
EXPECTED tells what differs by nature: the peer has a window's two buffers, we have one surface."""
import argparse
import base64
import json
import os
import random
import re
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ.get("top_srcdir", "."), "tests/support"))
import mountlib

REGISTRY = "/usr/share/khronos-api/gl.xml"
# Which buffer of a window is drawn on, and what memory is called, differ by nature.
EXPECTED = re.compile(r"GL_(DRAW_BUFFER0?|READ_BUFFER|DOUBLEBUFFER)$|\.GL_BUFFER_|^GL_LIGHT\d+$|"
                      r"^GL_(CURRENT_PROGRAM|\w+_SHADER)\.|^GL_CLIP_PLANE|^GL_FRAMEBUFFER_STATUS$")
WORDS = {"GL_NONE": 0, "GL_ZERO": 0, "GL_FALSE": 0, "GL_NO_ERROR": 0, "GL_POINTS": 0, "GL_ONE": 1,
         "GL_TRUE": 1, "GL_LINES": 1}


def read_registry():
    with open(REGISTRY, encoding="utf-8") as file:
        for value, name in re.findall(r'<enum value="(0x[0-9A-Fa-f]+)" name="(\w+)"', file.read()):
            WORDS.setdefault(name, int(value, 16))


def number(word):
    """What a word of either side stands for: a number, or the word itself."""
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
        self.pixels = self.pictures = 0

    def differ(self, where, text):
        self.different += 1
        if self.different <= 200:
            print(f"{where}: {text}")

    def values_of(self, where, name, ours, theirs):
        """Some values against a value or a list of the peer's."""
        theirs = flat(theirs)
        self.values += len(ours)
        if len(ours) != len(theirs) or not all(map(alike, ours, theirs)):
            self.differ(where, f"{name} is {', '.join(map(str, ours))}, the peer has {theirs}")


def told_by_peer(parameters, name):
    """The peer's value behind a name with points; None: it does not tell."""
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


def peer_state(trace, call):
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl", LIBGL_ALWAYS_SOFTWARE="1",
                       EGL_LOG_LEVEL="fatal")
    output = subprocess.run(["eglretrace", "--headless", "-D", str(call), trace], env=environment,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    begin = output.find(b"{\n")
    return json.loads(output[begin:].decode("utf-8", "replace"), strict=False) if begin >= 0 else None


def draws_of(mount):
    """Every draw of the trace: its frame and its call."""
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


def compare_trace(comparison, trace, count, chance):
    name = os.path.basename(trace)
    with mountlib.mounted(trace) as mount:
        draws = draws_of(mount)
        for frame, call in sorted(chance.sample(draws, min(count, len(draws)))):
            where = f"{name} call {call}"
            state = peer_state(trace, call)
            if state is None:
                comparison.differ(where, "the peer tells nothing")
                continue
            folder = f"by-frame/{frame}/draws/{call:08}"
            comparison.draws += 1
            compare_state(comparison, where, mount.read(f"{folder}/state.txt"), state)


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
    print(f"{comparison.draws} draws, {comparison.values} values alike or not, "
          f"{comparison.different} differences; {comparison.untold} values that the peer does not tell, "
          f"{comparison.expected} that differ by nature")
    return comparison.different > 0


if __name__ == "__main__":
    sys.exit(main())
