# SPDX-License-Identifier: MIT
"""A reader at the same time as others that make the mount work, or wait for it."""
import contextlib
import os
import random
import subprocess
import time

from measure import RUNS, milliseconds, part, show
from loads import LOADS, load
from mounts import ours, read_all
from mountlib import BUILD, DISPLAY, FULL_AREA, MAGIC, packet, path, quad_seconds, start

LIGHT, HEAVY, READERS = 400, 900, 3  # frames of each kind; processes that read heavy ones


def two_faced(seconds):
    """Returns the path of a dump whose first frames cost little, and whose last ones cost `seconds` each."""
    name, quads = path(f"two-faced-{seconds}.psxgpu"), max(1, round(seconds / quad_seconds()))
    quad = packet(0x00, 0x3A102030, 0, 0x00FF00, 0x000003FF, 0xFF0000, 0x01FF0000, 0x0000FF, 0x01FF03FF)
    with open(name, "wb") as file:
        file.write(MAGIC + packet(0x06, 2) + packet(0x05) + DISPLAY + FULL_AREA)
        for frame in range(LIGHT + HEAVY):
            file.write(quad * quads if frame >= LIGHT else packet(0x00, 0x02000000 + frame, 0, 0x00F00140))
            file.write(packet(0x02, (frame + 1) * 564480))
    return name


def read_light(place):
    """Returns the seconds for each picture, read in random order."""
    frames, taken = list(range(LIGHT)), []
    random.Random(1).shuffle(frames)
    for frame in frames[:LIGHT // 2]:
        begin = time.monotonic()
        read_all(os.path.join(place, "frames", f"{frame:06}.png"))
        taken.append(time.monotonic() - begin)
        time.sleep(0.005)
    return sorted(taken)


@contextlib.contextmanager
def heavy_readers(place, count):
    """Starts `count` processes that read heavy frames in turn, each frame once."""
    readers = [start("sh", "-c", f"for n in $(seq {LIGHT + n} {count} {LIGHT + HEAVY - 1}); do "
                                 f"cat {place}/frames/$(printf %06d $n).png; done",
                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for n in range(count)]
    try:
        time.sleep(1)
        yield readers
    finally:
        for reader in readers:
            os.killpg(reader.pid, 9)
            reader.wait(60)


@part
def hostile_readers():
    """A reader of pictures, alone and at the same time as three others that keep the mount busy."""
    for seconds in (0.5, 0.03):
        dump = two_faced(seconds)
        with ours(dump, "-o", "max-seconds=0") as (place, _):
            alone = read_light(place)
        with ours(dump, "-o", "max-seconds=0") as (place, _):
            with heavy_readers(place, READERS) as readers:
                beside = read_light(place)
                busy = all(reader.poll() is None for reader in readers)
        for which, part_of in (("median", 0.5), ("p99", 0.99)):
            own, control = (taken[int(part_of * len(taken))] for taken in (beside, alone))
            show(f"picture beside {READERS} of {seconds} s each, {which}", milliseconds(own),
                 f"alone: {milliseconds(control)}", "<= 100 ms" if part_of > 0.9 else None,
                 own <= 0.1 and busy)


# Neighbours of a file that takes long: names that have not been looked up yet, while another
# process waits for that file's size, compared with a mount where no process waits.

SLOW_SECONDS = 0.1  # a file is slow if its first stat takes this long
SLOW_FRAMES = {"mkexample": 400, "mktrace": 2000, "mkreplay": 2000, "mkrecording": 12000, "mkapitrace": 20000,
               "mkcapture": 20000}


def slow_dumps():
    """Yields dumps of each format that has such files, with the names that are shown for them."""
    yield "PSX", load("large")
    for writer, frames in SLOW_FRAMES.items():
        place, program = os.path.join(LOADS, f"{writer}-{frames}"), os.path.join(BUILD, "examples", writer)
        if not os.path.exists(program):
            continue
        if not os.path.exists(place):
            os.makedirs(LOADS, exist_ok=True)
            subprocess.run((program, place, str(frames)), check=True)
        yield writer, place


def look_seconds(name):
    """Returns the seconds until the name is found, and until its attributes are known as well."""
    begin = time.monotonic()
    os.close(os.open(name, os.O_PATH | os.O_NOFOLLOW))
    found = time.monotonic() - begin
    os.lstat(name)
    return found, time.monotonic() - begin


def find_slow(dump, folder):
    """Returns the names of a folder, and those of them that are slow; each is looked up in a mount of its own."""
    slow = []
    with ours(dump) as (place, _):
        names = sorted(os.path.join(folder, name) for name in os.listdir(os.path.join(place, folder)))
    for name in names:
        with ours(dump) as (place, _):
            if look_seconds(os.path.join(place, name))[1] > SLOW_SECONDS:
                slow.append(name)
    return names, slow


def measure_neighbours(dump, names, slow=None):
    """Returns what look_seconds() measures for names while another process waits for the slow one."""
    taken = []
    with ours(dump) as (place, _):
        waiter = None
        if slow is not None:
            waiter = subprocess.Popen(("stat", os.path.join(place, slow)), stdout=subprocess.DEVNULL)
            time.sleep(SLOW_SECONDS / 4)
        for name in names:
            seconds = look_seconds(os.path.join(place, name))
            if waiter is not None and waiter.poll() is not None:
                break
            taken.append(seconds)
        if waiter is not None:
            waiter.kill()
            waiter.wait()
    return taken


def late(runs, which):
    values = sorted(run[which] for run in runs)
    return values[min(len(values) - 1, int(len(values) * 0.99))] if values else 0


@part
def neighbours():
    everything, controls = [], []
    for what, dump in slow_dumps():
        with ours(dump) as (place, _):
            last = sorted(os.listdir(os.path.join(place, "by-frame")))[-1]
        for folder in ("", f"by-frame/{last}"):
            names, slow = find_slow(dump, folder)
            quick = [name for name in names if name not in slow]
            for name in slow:
                own, control = [], []
                for _ in range(RUNS):
                    random.shuffle(quick)
                    own += measure_neighbours(dump, quick, name)
                    control += measure_neighbours(dump, quick)
                everything += own
                controls += control
                show(f"{what}, beside {name}: found, p99", milliseconds(late(own, 0)),
                     f"{milliseconds(late(own, 1))} with attributes, {len(own)} names")
    for which, whose in enumerate(("found", "and its attributes")):
        own, control = late(everything, which), late(controls, which)
        show(f"an unread name beside a slow file, {whose}, p99", milliseconds(own),
             f"{milliseconds(control)} without a reader", "<= 50 ms more", own - control <= 0.050)
