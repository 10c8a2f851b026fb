#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws random PSX GPU dumps with gpudump and with a peer, and reduces those that differ.

The peer is any program that reads a .psxgpu and writes raw VRAM: little-endian halfwords, 1024 per
line, like gpudump's vram.bin. In its command line {dump} stands for the dump and {vram} for the
file to write; without {vram} it writes to standard output:

    difftest.py --peer './replayer {dump} {vram}' --kinds clean,feedback --count 2000

Dumps that differ are left in the folder --keep as KIND-SEED.psxgpu, reduced to the commands that
cause the difference, with KIND-SEED.txt, which has these decoded. The exit status is 0 if nothing
differs, 1 if something does, 2 if a program fails. Dumps may be given instead of --kinds.
"""
import argparse
import os
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

MAGIC = b"PSXGPUDUMPv1r1\0\0"
GP0, GP1, VSYNC, BEGIN, VERSION = 0, 1, 2, 5, 6
WIDTH = 1024


class Failed(Exception):
    """A program could not be run, or a file is invalid."""


# The container: a dump is a list of (packet type, words).


def packets_of(dump):
    if dump[:len(MAGIC)] != MAGIC:
        raise Failed("not a dump of the 16-byte form")
    at, packets = len(MAGIC), []
    while at + 4 <= len(dump):
        header, = struct.unpack_from("<I", dump, at)
        count = min(header & 0xFFFFFF, (len(dump) - at - 4) // 4)
        packets.append((header >> 24, list(struct.unpack_from(f"<{count}I", dump, at + 4))))
        at += 4 + 4 * count
    if any(kind == BEGIN for kind, _ in packets):
        raise Failed("dumps that restore a state first are not for this")
    return packets


def transfer_size(word):
    return ((word - 1) & 0x3FF) + 1, ((word >> 16) - 1 & 0x1FF) + 1


def is_whole(words):
    """Returns whether a GP0 command has all of its words (psx-gpu.md 2)."""
    op, count = words[0] >> 24, len(words)
    if op >> 5 == 1:
        corners = 4 if op & 8 else 3
        return count == 1 + corners * (1 + (op >> 2 & 1)) + (corners - 1 if op & 16 else 0)
    if op >> 5 == 2 and op & 8:
        at_corner = count > 4 and count % 2 == 1 if op & 16 else count > 3
        return at_corner and words[-1] & 0xF000F000 == 0x50005000
    if op >> 5 == 2:
        return count == (4 if op & 16 else 3)
    if op >> 5 == 3:
        return count == 2 + (op >> 2 & 1) + (op & 0x18 == 0)
    if op >> 5 == 5 and count >= 3:
        width, height = transfer_size(words[2])
        return count == 3 + (width * height + 1) // 2
    return count == {4: 4, 5: 0, 6: 3}.get(op >> 5, 3 if op == 2 else 1)


def commands_of(packets):
    """Returns the same commands, with one GP0 command in each packet."""
    items, command = [], []
    for kind, words in packets:
        if kind != GP0:
            if kind == GP1 and command and any(word >> 24 & 0x3F < 2 for word in words):
                items.append((GP0, command))
                command = []
            items.append((kind, words))
            continue
        for word in words:
            command.append(word)
            if is_whole(command):
                items.append((GP0, command))
                command = []
    return items + ([(GP0, command)] if command else [])


def dump_of(items):
    parts = [MAGIC]
    for kind, words in items:
        parts.append(struct.pack(f"<{1 + len(words)}I", kind << 24 | len(words), *words))
    return b"".join(parts)


# The two renderers.


def start(command, **options):
    try:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                **options)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from error


def finish(process, command):
    output, error = process.communicate()
    if process.returncode != 0:
        raise Failed(f"{shlex.join(command)}: exit status {process.returncode}\n"
                     f"{error.decode(errors='replace')}")
    return output or b""


class Renderers:
    def __init__(self, arguments, folder):
        self.gpudump = arguments.gpudump
        self.options = [word for option in arguments.option for word in ("-o", option)]
        self.peer = shlex.split(arguments.peer)
        self.dump = os.path.join(folder, "stream.psxgpu")
        self.vram = os.path.join(folder, "peer.vram")
        self.runs = 0

    def command(self, frames):
        return [self.gpudump, "cat", *self.options, self.dump,
                f"by-frame/{max(frames - 1, 0):06}/vram.bin"]

    def draw(self, items):
        """Returns VRAM after the last item, as drawn by both. Appends a VSync unless the last item
        is one."""
        if not items or items[-1][0] != VSYNC:
            items = items + [(VSYNC, [])]
        with open(self.dump, "wb") as file:
            file.write(dump_of(items))
        ours = self.command(sum(kind == VSYNC for kind, _ in items))
        theirs = [word.replace("{dump}", self.dump).replace("{vram}", self.vram)
                  for word in self.peer]
        to_file = any("{vram}" in word for word in self.peer)
        processes = [start(ours, stdout=subprocess.PIPE),
                     start(theirs, stdout=subprocess.DEVNULL if to_file else subprocess.PIPE)]
        first, second = (finish(*pair) for pair in zip(processes, (ours, theirs)))
        if to_file:
            with open(self.vram, "rb") as file:
                second = file.read()
        self.runs += 1
        return first, second

    def difference(self, items):
        """Returns (count, first pixel, ours, theirs), or None. Lines that only one of them has
        count as zero."""
        first, second = self.draw(items)
        if first == second:
            return None
        size = max(len(first), len(second))
        pixels = [memoryview(vram.ljust(size, b"\0")).cast("H") for vram in (first, second)]
        places = [i for i, (a, b) in enumerate(zip(*pixels)) if a != b]
        if not places:
            return None
        return len(places), places[0], pixels[0][places[0]], pixels[1][places[0]]

    def differs(self, items):
        first, second = self.draw(items)
        size = max(len(first), len(second))
        return first.ljust(size, b"\0") != second.ljust(size, b"\0")

    def decoded(self, items):
        """Returns the commands as gpudump prints them."""
        self.draw(items)
        command = [self.gpudump, "cat", *self.options, self.dump, "by-frame/*/commands.txt"]
        return finish(start(command, stdout=subprocess.PIPE), command).decode()


# Reducing.


def shortest_prefix(items, fails):
    low, high = 0, len(items)
    while high - low > 1:
        middle = (low + high) // 2
        if fails(items[:middle]):
            high = middle
        else:
            low = middle
    return items[:high]


def without_needless(items, fails):
    """Leaves out runs of items, long ones first, if the rest still fails."""
    size = max(len(items) // 2, 1)
    while True:
        at = len(items)
        shorter = False
        while at > 0:
            rest = items[:max(at - size, 0)] + items[at:]
            if rest and fails(rest):
                items, shorter = rest, True
            at -= size
        if size == 1 and not shorter:
            return items
        size = max(size // 2, 1)


def upload(words, width, height):
    """Returns an upload of fewer pixels, with only the words that these need."""
    size = (width & 0xFFFF) | height << 16
    return words[:2] + [size] + words[3:3 + (width * height + 1) // 2]


def simpler_forms(words):
    """Yields simpler forms of a GP0 command: with fewer pixels or vertices, then with fields set to
    zero."""
    op = words[0] >> 24
    if op >> 5 == 5:
        width, height = transfer_size(words[2])
        for w, h in ((width, height // 2), (width // 2, height), (width, height - 1),
                     (width - 1, height)):
            if w > 0 and h > 0 and (w, h) != (width, height):
                yield upload(words, w, h)
        if len(set(words[3:])) > 1:
            yield words[:3] + [words[3]] * (len(words) - 3)
        return
    if op >> 5 == 2 and op & 8:
        step = 2 if op & 16 else 1
        if len(words) > 3 + step:
            yield words[:-1 - step] + words[-1:]
    if words[0] & 0xFFFFFF:
        yield [words[0] & 0xFF000000] + words[1:]
    for bit in range(24 if op >> 5 == 7 else 0):
        if words[0] >> bit & 1:
            yield [words[0] & ~(1 << bit)]
    for i in range(1, len(words)):
        for mask in (0, 0xFFFF, 0xFFFF0000):
            if words[i] & mask != words[i]:
                yield words[:i] + [words[i] & mask] + words[i + 1:]


def simplified(items, fails):
    """Replaces commands by simpler forms if the items still fail."""
    items = list(items)
    for at, (kind, words) in enumerate(items):
        changed = kind == GP0
        while changed:
            changed = False
            for form in simpler_forms(items[at][1]):
                if fails(items[:at] + [(GP0, form)] + items[at + 1:]):
                    items[at] = (GP0, form)
                    changed = True
                    break
    return items


def minimized(renderers, packets, runs):
    """Returns few commands that still differ, found with at most `runs` replays."""
    last = renderers.runs + runs
    items = commands_of(packets)
    fixed = [item for item in items if item[0] == VERSION]
    free = [item for item in items if item[0] != VERSION]

    def fails(some):
        return renderers.runs < last and renderers.differs(fixed + some)

    if not fails(free):
        return packets  # the difference needs a command that is interrupted by another one
    free = without_needless(shortest_prefix(free, fails), fails)
    free = without_needless(simplified(free, fails), fails)
    return fixed + free


# Streams, and reports about them.


def sentence(name, difference):
    count, place, ours, theirs = difference
    return (f"{name}: {count} pixels differ, the first at {place % WIDTH},{place // WIDTH}: "
            f"{ours:04x}, the peer has {theirs:04x}")


def report(renderers, name, packets, arguments):
    print(sentence(name, renderers.difference(packets)))
    items = minimized(renderers, packets, arguments.runs)
    os.makedirs(arguments.keep, exist_ok=True)
    path = os.path.join(arguments.keep, name)
    with open(path + ".txt", "w", encoding="utf-8") as file:
        file.write(f"# {sentence(name, renderers.difference(items))}\n{renderers.decoded(items)}")
    shutil.copyfile(renderers.dump, path + ".psxgpu")
    commands = sum(kind in (GP0, GP1) for kind, _ in items)
    print(f"{name}: {commands} commands are left in {path}.psxgpu")
    sys.stdout.flush()


def streams(arguments):
    """Yields (kind, name, dump) for each stream."""
    for path in arguments.dumps:
        with open(path, "rb") as file:
            yield "dumps", os.path.splitext(os.path.basename(path))[0], file.read()
    for kind in filter(None, [] if arguments.dumps else arguments.kinds.split(",")):
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            command = [arguments.model, "stream", kind, str(seed)]
            yield kind, f"{kind}-{seed}", finish(start(command, stdout=subprocess.PIPE), command)


def compare_all(arguments, renderers):
    counts = {}
    for kind, name, dump in streams(arguments):
        packets = packets_of(dump)
        same, other = counts.get(kind, (0, 0))
        if renderers.differs(packets):
            other += 1
            report(renderers, name, packets, arguments)
        else:
            same += 1
        counts[kind] = same, other
    for kind, (same, other) in counts.items():
        print(f"{kind}: {same} equal, {other} different")
    return any(other for _, other in counts.values())


def parse_arguments():
    build = os.environ.get("top_builddir", ".")
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", required=True, help="command line; {dump}, {vram}")
    parser.add_argument("--gpudump", default=os.path.join(build, "gpudump"))
    parser.add_argument("--model", default=os.path.join(build, "tests/formats/psx/psxmodel"),
                        help="the program that makes the streams")
    parser.add_argument("-o", "--option", action="append", default=[], help="of gpudump")
    parser.add_argument("--kinds", default="clean,interlaced,aborts,feedback,areas,first-gpu,2-mib")
    parser.add_argument("--seed", type=int, default=1, help="of the first stream of each kind")
    parser.add_argument("--count", type=int, default=20, help="streams of each kind")
    parser.add_argument("--keep", default="difftest.kept", help="folder for what differs")
    parser.add_argument("--runs", type=int, default=1500, help="replays to cut one down at most")
    parser.add_argument("dumps", nargs="*", metavar="DUMP")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    with tempfile.TemporaryDirectory(prefix="difftest.") as folder:
        try:
            return int(compare_all(arguments, Renderers(arguments, folder)))
        except Failed as failure:
            print(f"difftest.py: {failure}", file=sys.stderr)
            return 2


if __name__ == "__main__":
    sys.exit(main())
