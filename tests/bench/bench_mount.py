# SPDX-License-Identifier: MIT
"""Reading through a mount of a PSX dump, and names in mounts of every format."""
import os
import random
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor

from measure import LIMIT, RUNS, figures, median, milliseconds, part, percentile, program, run_shell, show
from loads import load
from mounts import memory_files, mounted, ours, processor_seconds, read_all, seconds_until_idle
from mountlib import BUILD, GPUDUMPFS, WRITERS, children_seconds, dump_of, path, unmount

HISTORY_FRAMES, HISTORY_PIXELS = 10, 20


def read_histories(place, chance):
    """Returns the seconds for the first pixel of a few frames, and for each of the others."""
    first, others = [], []
    for _ in range(HISTORY_FRAMES):
        frame = f"{place}/by-frame/{chance.randrange(500, 3000):06}"
        for pixel in range(HISTORY_PIXELS):
            begin = time.monotonic()
            read_all(f"{frame}/pixel/{chance.randrange(256)},{chance.randrange(200)}.tsv")
            (others if pixel else first).append(time.monotonic() - begin)
    return first, others


@part
def histories():
    """The history of a pixel: in memory, by the reader's processor time, and through a mount."""
    runs = [figures(program("bench_psx_history"), load("typical")) for _ in range(RUNS)]
    for name in ("pixel-first", "pixel", "vram-pixel"):
        value, control = median(runs, f"{name}-median"), median(runs, "control-median")
        show(f"{name}, in memory", milliseconds(value), f"{value / control:.1f} x the frame alone, "
             f"p99 {milliseconds(median(runs, name + '-p99'))}")
    chance, first, others = random.Random(1), [], []
    for _ in range(RUNS):
        with ours(load("typical")) as (place, _):
            read_all(os.path.join(place, "frames.tsv"))
            for times, more in zip((first, others), read_histories(place, chance)):
                times += more
    for name, times in (("a frame's first pixel, mounted", first), ("its other pixels, mounted", others)):
        show(name, milliseconds(median(times)), f"p99 {milliseconds(percentile(times))}", "<= 10 ms",
             median(times) <= 0.01)


@part
def sequence():
    ratios, rates = [], []
    for _ in range(RUNS):
        control = figures(program("bench_psx_pictures"), load("typical"))
        with ours(load("typical")) as (place, _):
            seconds = run_shell(f"cat {place}/frames/*.png > /dev/null")
        rates.append(control["frames"] / seconds)
        ratios.append(control["clock"] / seconds)
    show("cat frames/*.png, typical", f"{median(rates):.0f} frames/s",
         f"{median(ratios):.2f} x one thread in memory", ">= 0.95", median(ratios) >= 0.95)


def in_memory(processes):
    """Returns the seconds for a picture if several processes at the same time each make all pictures, in memory."""
    with ThreadPoolExecutor(processes) as pool:
        runs = list(pool.map(lambda _: figures(program("bench_psx_pictures"), load("typical")), range(processes)))
    return max(run["clock"] / run["frames"] for run in runs) / processes


def by_readers(count, *options):
    """Returns the seconds for a picture if `count` readers each read a part of the frames, in order, in a mount."""
    with ours(load("typical"), *options) as (place, _):
        total = len(os.listdir(f"{place}/frames"))
        share = -(-total // count)
        cats = "".join(f'cat "${{names[@]:{at}:{share}}}" >/dev/null & ' for at in range(0, total, share))
        return run_shell(f"names=({place}/frames/*.png); {cats} wait") / total


@part
def readers():
    """What four readers on two processors gain over one reader on one. The control: two processes over one."""
    runs = [(in_memory(1), in_memory(2), by_readers(1, "-o", "threads=1"), by_readers(4)) for _ in range(RUNS)]
    gains = [(one / four) / (alone / both) for alone, both, one, four in runs]
    show("four readers of pictures, typical", f"{1 / median([run[3] for run in runs]):.0f} frames/s",
         f"{median(gains):.2f} x what two processes gain in memory, "
         f"{median([run[1] / run[3] for run in runs]):.2f} x their rate", ">= 0.9", median(gains) >= 0.9)


def list_frames(place):
    return run_shell(f"LC_ALL=C ls -l {place}/frames > {path('listing')}")


def list_mount(command, place):
    """Returns the seconds until the dump is mounted, and those that ls -l then takes."""
    os.makedirs(place, exist_ok=True)
    begin = time.monotonic()
    subprocess.run((*command, place), check=True)
    ready = time.monotonic() - begin
    return ready, list_frames(place)


@part
def listing():
    runs, controls = [], []
    for _ in range(RUNS):
        place = path("list-mount")
        runs.append(list_mount((GPUDUMPFS, load("large")), place))
        unmount(place)
        with memory_files(36000) as (place, _):
            controls.append(list_frames(place))
    ready, listed = median(run[0] for run in runs), median(run[1] for run in runs)
    both = median(sum(run) for run in runs)
    show("mounted and ready, large", milliseconds(ready))
    show("ls -l frames, 36,000", milliseconds(listed),
         f"{median(own[1] / c for own, c in zip(runs, controls)):.2f} x a file system that only replies")
    show("mounted and ls -l answered, large", milliseconds(both), "", "<= 300 ms", both <= 0.3)


NAMED = {"psx": 20, "vma": 300, "apitrace": 600, "aerogpu": 200, "gapir": 200, "gfxreconstruct": 1000}


def many_names():
    """Yields a dump of each format with enough frames for tens of thousands of names."""
    for name, frames in NAMED.items():
        if os.path.exists(os.path.join(BUILD, "examples", WRITERS[name])):
            yield name, dump_of(name, frames)


def names_seconds(command, dump):
    """Returns the processor time of the daemon and of a program that looks at all names, and its output."""
    with ours(dump) as (place, process):
        seconds_until_idle(process, 0.1)
        before, client = processor_seconds(process), children_seconds()
        output = subprocess.run((*command, place), check=True, stdout=subprocess.PIPE, timeout=LIMIT).stdout
        return processor_seconds(process) - before, children_seconds() - client, output


@part
def names():
    """All names of a mount, with their sizes: the daemon's processor time for each name."""
    for name, dump in many_names():
        count = 0
        for command in (("ls", "-lR"), ("du", "-s")):
            runs = [names_seconds(command, dump) for _ in range(RUNS)]
            count = count or sum(line[:1] in b"-dl" and line != b"" for line in runs[0][2].splitlines())
            seconds, control = median(runs, 0), median(runs, 1)
            show(f"{' '.join(command)}, {name}, {count} names", f"{seconds / count * 1e6:.1f} us/name",
                 f"{seconds / max(control, 0.01):.1f} x the client's processor time",
                 "<= 20 us", seconds / count <= 20e-6)


@part
def idle():
    """A mount without readers. The control is its index in memory."""
    runs, controls = [], []
    for _ in range(RUNS):
        controls.append(figures(program("bench_psx_index"), load("large"))["index"])
        with mounted(GPUDUMPFS, "-f", load("large")) as (_, process):
            runs.append(seconds_until_idle(process))
    show("idle mount, large, processor time", milliseconds(median(runs)),
         f"{median(runs) / median(controls):.1f} x its index alone", "<= 500 ms", median(runs) <= 0.5)


@part
def storm():
    arguments = ("36000", "40", "2")
    runs, controls = [], []
    for _ in range(RUNS):
        with ours(load("large")) as (place, _):
            runs.append(figures(program("bench_storm"), f"{place}/frames", *arguments))
        with memory_files(36000) as (place, _):
            controls.append(figures(program("bench_storm"), f"{place}/frames", *arguments))
    show("storm of 40 readers", f"{median(runs, 'rate'):.0f} pictures/s",
         f"only replies: {median(controls, 'rate'):.0f}")
    for which, goal in (("median", 0.005), ("p99", None), ("longest", None)):
        value, control = median(runs, f"stat-{which}"), median(controls, f"stat-{which}")
        show(f"storm: stat, {which}", milliseconds(value), f"only replies: {milliseconds(control)}",
             "<= 5 ms" if goal else None, not goal or value <= goal)
