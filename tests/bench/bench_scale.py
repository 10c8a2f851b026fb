# SPDX-License-Identifier: MIT
"""What large dumps take: memory, and time to be mounted, as they grow."""
import contextlib
import os
import random
import subprocess
import tempfile
import time

from measure import median, milliseconds, part, percentile, program, run_shell, show
from loads import LOADS, load
from mounts import memory_of, mounted, ours, processor_seconds, read_all, seconds_until_idle
from mountlib import GPUDUMPFS, path

BUDGET = 256 << 20
OWN_BYTES = 16 << 20  # bytes of the program itself: stacks, what is being made, freed blocks


@part
def memory():
    """A dump of 1 GiB: the memory that it takes besides the dump while it is read."""
    place = path("huge.psxgpu")
    subprocess.run((program("mkload"), "huge", place), check=True)
    size, frames = os.path.getsize(place), 192000
    allowed = BUDGET + 400 * frames + size // 100 + OWN_BYTES
    most = 0
    generator = random.Random(1)
    with ours(place, "-o", f"cache={BUDGET >> 20}M") as (mount, process):
        run_shell(f"ls {mount}/frames > {path('listing')}")
        read_all(f"{mount}/frames.tsv")
        for n in range(1000):
            frame = generator.randrange(frames) if n < 300 else n
            read_all(f"{mount}/frames/{frame:06}.png")
            if n % 50 == 0:
                read_all(f"{mount}/vram/{frame:06}.bin")
            most = max(most, memory_of(process))
    os.unlink(place)
    show(f"memory, dump of {size / 2**30:.2f} GiB", f"{most / 2**20:.0f} MiB",
         f"budget {BUDGET >> 20} + index {(allowed - BUDGET - OWN_BYTES) >> 20} + own {OWN_BYTES >> 20} MiB",
         "within all", most <= allowed)


SCALE = [int(word) for word in (os.environ.get("SCALE") or "1 4").split()]
SCALE_FRAMES = 300  # read at random, of each dump


@contextlib.contextmanager
def scaled(times):
    """Gives a dump of `times` times `huge`, and its number of frames; removes the dump if it was not there before."""
    frames = times * 192000
    place = os.path.join(LOADS, f"huge{frames}.psxgpu")
    kept = os.path.exists(place)
    try:
        yield load("huge", frames), frames
    finally:
        if not kept:
            os.unlink(place)


def mount_costs(dump, folder):
    """Returns, for a mount without readers, the processor time until it is mounted and until it is idle, and memory."""
    with mounted("env", f"XDG_CACHE_HOME={folder}", GPUDUMPFS, "-f", dump) as (_, process):
        ready = processor_seconds(process)
        return ready, seconds_until_idle(process), memory_of(process)


def read_at_random(dump, frames):
    """Returns, for pictures of a mount with its index, seconds on the clock, processor time for each, and memory."""
    chance, taken = random.Random(1), []
    with ours(dump) as (place, process):
        read_all(f"{place}/metadata.txt")
        before = processor_seconds(process)
        for _ in range(SCALE_FRAMES):
            begin = time.monotonic()
            read_all(f"{place}/frames/{chance.randrange(frames):06}.png")
            taken.append(time.monotonic() - begin)
        return taken, (processor_seconds(process) - before) / SCALE_FRAMES, memory_of(process)


@part
def scale():
    """Mount time, memory and random frames, as dumps grow."""
    for times in SCALE:
        with scaled(times) as (dump, frames), tempfile.TemporaryDirectory() as folder:
            size = os.path.getsize(dump)
            what = f"{size / 1e9:.1f} GB, {frames} frames"
            ready, seconds, memory = mount_costs(dump, folder)
            show(f"{what}: mounted, processor time", milliseconds(ready))
            show(f"{what}: index, processor time", milliseconds(seconds), f"{size / seconds / 1e6:.0f} MB/s")
            each = memory / 2**20 / (size / 1e6)
            show(f"{what}: memory of the index", f"{memory / 2**20:.0f} MiB", f"{each:.3f} MiB a MB", "<= 0.1",
                 each <= 0.1)
            again = mount_costs(dump, folder)
            show(f"{what}: mounted again, processor time", milliseconds(again[1]),
                 f"{seconds / max(again[1], 0.01):.0f} times as long at first")
            taken, each, memory = read_at_random(dump, frames)
            show(f"{what}: a random frame", milliseconds(median(taken)), f"p99 {milliseconds(percentile(taken))}")
            show(f"{what}: the same, processor time", milliseconds(each), "keyframes' part in it")
            show(f"{what}: memory, frames read", f"{memory / 2**20:.0f} MiB")
