#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures what docs/psx.md and docs/apitrace.md promise: `make bench`.

Each figure is the median of RUNS runs and stands beside a control of the same
run: another core, memcpy, a file system that only replies, the same work in
memory. That file system has libfuse's plain loop, which sleeps before each
request; ours looks on for a moment (fuse.md, "Looking on"), so it may be faster.
Each figure is told with the load of the machine since the one before it, that of its control as well:
processors that others took, and that were stolen (machine.py). Above 0.2 it is not judged.
Loads are generated (tests/bench/load.c). From the environment:

    RUNS=5              runs of each measurement
    PEER='command'      another replayer, run in pairs with ours: it is given a dump,
                        and its processor time is taken
    LOADS=FOLDER        {small,typical,large}.psxgpu to measure in place of ours
    GPUDUMPFS_CORPUS    where recordings are
    SCALE='1 4 16'      GiB of the dumps that `scale` writes, one after the other, and removes

Arguments name the parts to measure; none: all but `hostile`, which takes ten minutes, and `scale`.
"""
import contextlib
import os
import random
import select
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import machine  # noqa: E402
from mountlib import (BUILD, DISPLAY, FULL_AREA, GPUDUMP, GPUDUMPFS, MAGIC, SOURCE, WRITERS,  # noqa: E402
                      children_seconds, dump_of, groups, is_mounted, packet, path, quad_seconds, start, unmount,
                      wait_until)

RUNS = int(os.environ.get("RUNS") or 5)
PEER = shlex.split(os.environ.get("PEER") or "")
os.environ["XDG_CACHE_HOME"] = "/dev/null"  # nothing is kept but by parts that measure that
CORPUS = os.environ.get("GPUDUMPFS_CORPUS") or os.path.join(SOURCE, "..", "shared", "corpus")
LOADS = os.environ.get("LOADS") or os.path.join(BUILD, "tests", "bench", "loads")
HUGE_BYTES = 1 << 30
BUDGET = 256 << 20
OWN_BYTES = 16 << 20  # of the program itself: stacks, what is being made, freed blocks kept
SHORT_VSYNCS = 6000  # of `large`, where all of it would last too long
RECORDINGS = ("torus", "teapot", "pt-bandwidth")
PICTURE_BYTES = 231_000
LIMIT = 300  # seconds for one program

parts = []
BY_NAME = {"hostile", "scale"}  # parts that take long: measured when they are named
missed = []
unjudged = []
watch = machine.Watch(lambda: [process.pid for process in groups])


def part(function):
    parts.append(function)
    return function


def program(name):
    return os.path.join(BUILD, "tests", "bench", name)


def figures(*command):
    """What a program of ours prints: names and numbers."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                            timeout=LIMIT).stdout
    return {name: number(value) for name, value in (line.split("\t") for line in output.splitlines())}


def number(word):
    """Whole numbers, such as CRCs, to the last digit."""
    return int(word) if word.lstrip("-").isdigit() else float(word)


def median(runs, name=None):
    return statistics.median(run if name is None else run[name] for run in runs)


def verdict(what, goal, holds, load):
    if goal is None:
        return ""
    if not machine.is_quiet(load):
        unjudged.append(what)
        return f"{goal}: not judged"
    if not holds:
        missed.append(what)
    return f"{goal}: {'holds' if holds else 'MISSED'}"


def show(what, value, ratio="", goal=None, holds=True):
    load = watch.load()
    mark = verdict(what, goal, holds, load)
    print(f"{what:<44} {value:>16}  {ratio:<34} others {load.others:.2f}, stolen {load.stolen:.2f}  {mark}".rstrip(),
          flush=True)


def milliseconds(seconds):
    return f"{seconds * 1e3:.2f} ms"


# Loads.


def load(name, vsyncs=None):
    """The path of a load, which is generated if it is not there."""
    place = os.path.join(LOADS, f"{name}{vsyncs or ''}.psxgpu")
    if not os.path.exists(place):
        os.makedirs(LOADS, exist_ok=True)
        limit = ("-v", str(vsyncs)) if vsyncs else ()
        subprocess.run((program("mkload"), name, *limit, place + ".new"), check=True)
        os.rename(place + ".new", place)
    return place


def recording(name):
    place = os.path.join(CORPUS, "psx", "real", f"{name}.psxgpu.zst")
    return place if os.path.exists(place) else None


# Mounts.


@contextlib.contextmanager
def mounted(*command, place=None):
    """A file system in the foreground; gives its place and its process. ChildProcessError: it was refused."""
    place = place or path("bench-mount")
    os.makedirs(place, exist_ok=True)
    process = start(*command, place, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_mounted(place) or process.poll() is not None, "mount", 60)
        if process.poll() is not None:
            raise ChildProcessError(f"{command[-1]}: not mounted, status {process.poll()}")
        yield place, process
    finally:
        subprocess.run(("fusermount3", "-u", "-z", place), check=False, stderr=subprocess.DEVNULL)
        process.wait(60)


def ours(dump, *options):
    return mounted(GPUDUMPFS, "-f", *options, dump)


def memory_files(count):
    return mounted(program("memoryfs"), str(count), str(PICTURE_BYTES))


def run_shell(command):
    """Seconds of the clock."""
    begin = time.monotonic()
    subprocess.run(command, shell=True, check=True, executable="/bin/bash")
    return time.monotonic() - begin


def memory_of(process):
    """Memory of its own in bytes: the mapped dump does not count."""
    with open(f"/proc/{process.pid}/status") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def read_all(file):
    with open(file, "rb", buffering=0) as stream:
        while stream.read(1 << 20):
            pass


# The replay core.


def replay(dump, core):
    return figures(program("bench_psx_replay"), "-k", core, dump)


def peer_seconds(dump):
    """Processor time of the other replayer, its start included."""
    process = subprocess.Popen((*PEER, dump), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, PEER)
    return usage.ru_utime + usage.ru_stime


def cores():
    """The fastest first, plain C last."""
    known = [core for core in ("avx512", "avx2", "lanes")
             if subprocess.run((program("bench_psx_replay"), "-k", core, load("small")),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0]
    return [*known, "c"]


def measure_cores(name, dump, goals):
    """All cores and the peer one after the other, again and again."""
    runs, peers = [], []
    for _ in range(RUNS):
        runs.append({core: replay(dump, core) for core in cores()})
        assert len({run["vram"] for run in runs[-1].values()}) == 1, f"{name}: cores differ"
        if PEER:
            peers.append(peer_seconds(dump))
    for core in runs[0]:
        rate = median(run[core]["vsyncs"] / run[core]["seconds"] for run in runs)
        plain = median(run["c"]["seconds"] / run[core]["seconds"] for run in runs)
        ratios = [peer / run[core]["seconds"] for peer, run in zip(peers, runs)] or [float("nan")]
        goal = goals.get(core) if PEER else None
        show(f"replay {name}, {core}", f"{rate:.0f} VSyncs/s",
             f"{plain:.2f} x plain C" + (f", {median(ratios):.2f} x peer" if PEER else ""),
             goal and f">= {goal} x peer", not goal or median(ratios) >= goal)


@part
def replay_core():
    measure_cores("small", load("small"), {})
    measure_cores("typical", load("typical"), {cores()[0]: 4.2, "c": 1.4})
    measure_cores(f"large to {SHORT_VSYNCS}", load("large", SHORT_VSYNCS), {})
    if not PEER:
        show("replay, in pairs with another replayer", "-", "PEER='command' was not given")


@part
def texel_cache():
    """The same dump with the GPU's texel cache, as by default, and without."""
    for name in ("small", "typical"):
        dump = load(name)
        ratio = median(figures(program("bench_psx_replay"), "-t", dump)["seconds"] /
                       replay(dump, cores()[0])["seconds"] for _ in range(RUNS))
        show(f"replay {name}, texel cache", "", f"{ratio:.2f} x without",
             ">= 0.9" if name == "typical" else None, name != "typical" or ratio >= 0.9)


@part
def moves():
    """What moves bytes without a shader, against memcpy over as much and the plain twins."""
    plain = ("-k", "c")
    runs = [(figures(program("bench_psx_moves")), figures(program("bench_psx_moves"), *plain))
            for _ in range(RUNS)]
    for name in runs[0][0]:
        if name.startswith("memcpy"):
            control = name
        ratio = median(own[name] / own[control] for own, _ in runs)
        show(name, f"{median(own[name] for own, _ in runs) / 1e9:.1f} GB/s",
             f"{ratio:.2f} x {control}, {median(own[name] / c[name] for own, c in runs):.1f} x plain")


@part
def two_threads():
    """Two replays at once, each alone as the control."""
    dump = load("large", SHORT_VSYNCS)
    ratios = []
    for _ in range(RUNS):
        one = replay(dump, cores()[0])["seconds"]
        ratios.append(2 * one / figures(program("bench_psx_replay"), "-j", "2", dump)["clock"])
    show("replay, two threads", "", f"{median(ratios):.2f} x one thread", ">= 1.7", median(ratios) >= 1.7)
    runs = []
    for seed in range(RUNS):
        options = ("-e", "-n", "400", "-s", str(seed))
        one, two = (figures(program("bench_psx_random"), *options, "-j", readers, dump) for readers in "12")
        runs.append((two["cold-rate"], two["cold-rate"] / one["cold-rate"]))
    ratio = median(run[1] for run in runs)
    show("random frames, two readers", f"{median(run[0] for run in runs):.0f} frames/s",
         f"{ratio:.2f} x one reader")


# Index and random frames.


@part
def index():
    runs = [figures(program("bench_psx_index"), load("large")) for _ in range(RUNS)]
    seconds, skim = median(runs, "index"), median(runs, "skim")
    size = runs[0]["bytes"]
    show("index large: headers", milliseconds(skim), f"{median(r['memcpy'] / r['skim'] for r in runs):.2f} x memcpy's rate")
    show("index large: complete", milliseconds(seconds),
         f"{median(r['memcpy'] / r['index'] for r in runs):.3f} x memcpy's rate", "<= 1 s", seconds <= 1)
    allowed = 400 * runs[0]["frames"] + size / 100
    memory = median(runs, "memory")
    show("index large: memory", f"{memory / 1e6:.1f} MB",
         f"{(memory - size / 100) / runs[0]['frames']:.0f} bytes a frame + 1 %", "<= 400", memory <= allowed)


def measure_random(name, dump, goals):
    runs = [figures(program("bench_psx_random"), "-s", str(seed), *(("-e",) if seed else ()), dump)
            for seed in range(RUNS)]
    everything = runs[0]["everything"]
    middle, late = median(runs, "cold-median"), median(runs, "cold-p99")
    show(f"random {name}: keyframes complete", milliseconds(median(runs, "keyframes")),
         f"{median(runs, 'keyframes') / everything:.2f} x full replay")
    show(f"random {name}: median", milliseconds(middle), f"full replay {everything / middle:.0f} times as long",
         "<= 10 ms" if goals else None, middle <= 0.010 or not goals)
    show(f"random {name}: processor time", milliseconds(median(runs, "cold-own-median")))
    show(f"random {name}: 99th percentile", milliseconds(late), f"longest {milliseconds(median(runs, 'cold-longest'))}",
         "<= 50 ms" if goals == 2 else None, late <= 0.050 or goals != 2)
    show(f"random {name}: again, from the cache", milliseconds(median(runs, "warm-median")))
    if goals == 2:
        show(f"random {name}: ratio", f"{everything / middle:.0f}", "full replay / median", ">= 250",
             everything / middle >= 250)


@part
def random_frames():
    measure_random("large", load("large"), 2)
    measure_random("typical", load("typical"), 1)
    for name in RECORDINGS:
        if recording(name):
            measure_random(name, recording(name), 1)
        else:
            show(f"random {name}", "-", "the corpus is not there")


@part
def first_picture():
    """From the program's start to one picture, which nobody waited for."""
    for name, frames in (("typical", 3000), ("large", 36000)):
        generator = random.Random(1)
        taken = []
        for _ in range(max(RUNS, 10)):
            begin = time.monotonic()
            with ours(load(name)) as (place, _):
                read_all(os.path.join(place, "frames", f"{generator.randrange(frames):06}.png"))
                taken.append(time.monotonic() - begin)
        control = figures(program("bench_psx_replay"), load(name))["seconds"]
        show(f"cold process to any picture, {name}", milliseconds(median(taken)),
             f"full replay {control / median(taken):.0f} times as long")


def process_seconds(command, folder):
    """Processor time of a program that is waited for."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=LIMIT,
                   env=dict(os.environ, XDG_CACHE_HOME=folder))
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@part
def kept_index():
    """A new process that finds the index of an earlier one, in processor time; the control makes it."""
    for name, frames in (("typical", 3000), ("large", 36000), ("huge", 192000)):
        with tempfile.TemporaryDirectory() as folder:
            def seconds(file, kept=True):
                command = (GPUDUMP, "cat", "-o", f"index-cache={'yes' if kept else 'no'}", load(name), file)
                return median([process_seconds(command, folder) for _ in range(RUNS)])

            made = seconds("metadata.txt", kept=False)
            seconds("metadata.txt")
            kept = seconds("metadata.txt")
            show(f"kept index, {name}: all counts", milliseconds(kept), f"{made / kept:.0f} times as long without",
                 "<= 100 ms", kept <= 0.1)
            late = f"frames/{frames - 7:06}.png"
            picture, without = seconds(late), seconds(late, kept=False)
            show(f"kept index, {name}: a late picture", milliseconds(picture),
                 f"{without / picture:.1f} times as long without")


# Edits.


def save_seconds(folder, place, frame, colour):
    """From a save of the frame's text, with a fill more, to its video memory."""
    name, seen = f"by-frame/{frame:06}/assembly.txt", os.path.join(place, f"vram/{frame:06}.bin")
    with open(os.path.join(place, name)) as file:
        lines = [line for line in file if "size=1000,500" not in line]
    with open(seen, "rb") as file:
        before = file.read()
    end = max(i for i, line in enumerate(lines) if line.startswith("vsync"))
    lines.insert(end, f"gp0 fill to=0,0 size=1000,500 rgb={colour:06X}\n")
    saved = os.path.join(folder, name)
    os.makedirs(os.path.dirname(saved), exist_ok=True)
    with open(saved + "~", "w") as file:
        file.writelines(lines)
    begin = time.monotonic()
    os.rename(saved + "~", saved)
    while True:
        with open(seen, "rb") as file:
            if file.read() != before:
                return time.monotonic() - begin
        time.sleep(0.0005)


def measure_saves(what, dump, frames):
    """Each save replaces the one before; the mount is idle in between."""
    folder = path("edits")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    with mounted(GPUDUMPFS, "-f", "-o", f"overlay={folder}", dump) as (place, _):
        for frame in frames:
            taken = []
            for run in range(RUNS):
                time.sleep(2)
                taken.append(save_seconds(folder, place, frame, 0x101010 * (run + 1)))
            shutil.rmtree(os.path.join(folder, "by-frame"))
            holds = median(taken) <= 0.1
            show(f"save to picture, {what}, frame {frame}", milliseconds(median(taken)),
                 f"{milliseconds(min(taken))} to {milliseconds(max(taken))}",
                 "<= 100 ms", holds)


@part
def overlay():
    """What the original's index knows of bytes that stay holds; packets are walked anew."""
    for name in RECORDINGS:
        if recording(name) is not None:
            measure_saves(name, recording(name), (50,))
    measure_saves("typical", load("typical"), (10, 1500, 2990))


# Through the mount.


HISTORY_FRAMES, HISTORY_PIXELS = 10, 20


def read_histories(place, chance):
    """Seconds of the first pixel of a few frames, and of each of the others."""
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
         f"{median(ratios):.2f} x one thread in memory", ">= 0.8", median(ratios) >= 0.8)


def list_frames(place):
    return run_shell(f"LC_ALL=C ls -l {place}/frames > {path('listing')}")


def list_mount(command, place):
    """Seconds until it is mounted, and of ls -l on top."""
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


def processor_seconds(process):
    """Of a program and its threads, so far."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_until_idle(process, interval=1):
    """The processor time that it takes until it rests for so long."""
    taken = -1
    while processor_seconds(process) > taken:
        taken = processor_seconds(process)
        time.sleep(interval)
    return taken


NAMED = {"psx": 20, "vma": 300, "apitrace": 600, "aerogpu": 200, "gapir": 200, "gfxreconstruct": 1000}


def many_names():
    """A dump of each format, with some tens of thousands of names: so many frames."""
    for name, frames in NAMED.items():
        if os.path.exists(os.path.join(BUILD, "examples", WRITERS[name])):
            yield name, dump_of(name, frames)


def names_seconds(command, dump):
    """Processor time of the daemon and of a program that looks at all names, and what that prints."""
    with ours(dump) as (place, process):
        seconds_until_idle(process, 0.1)
        before, client = processor_seconds(process), children_seconds()
        output = subprocess.run((*command, place), check=True, stdout=subprocess.PIPE, timeout=LIMIT).stdout
        return processor_seconds(process) - before, children_seconds() - client, output


@part
def names():
    """All names of a mount, with their sizes: the daemon's processor time for each."""
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
    """A mount that nobody reads from; the control is its index in memory."""
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


LIGHT, HEAVY, READERS = 400, 900, 3  # frames of either kind; processes that read heavy ones


def two_faced(seconds):
    """The path of a dump whose first frames cost little and whose last ones so many seconds each."""
    name, quads = path(f"two-faced-{seconds}.psxgpu"), max(1, round(seconds / quad_seconds()))
    quad = packet(0x00, 0x3A102030, 0, 0x00FF00, 0x000003FF, 0xFF0000, 0x01FF0000, 0x0000FF, 0x01FF03FF)
    with open(name, "wb") as file:
        file.write(MAGIC + packet(0x06, 2) + packet(0x05) + DISPLAY + FULL_AREA)
        for frame in range(LIGHT + HEAVY):
            file.write(quad * quads if frame >= LIGHT else packet(0x00, 0x02000000 + frame, 0, 0x00F00140))
            file.write(packet(0x02, (frame + 1) * 564480))
    return name


def read_light(place):
    """Seconds of each picture, in no order."""
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
    """So many processes read heavy frames in turn, each frame once."""
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
    """A picture's reader beside three that make the mount work for ever, and alone."""
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


# Neighbours of a file that takes long: names that nobody has asked for, while another process
# waits for that file's size, beside a mount where nobody waits.

SLOW_SECONDS = 0.1  # a file whose first stat takes so long
SLOW_FRAMES = {"mkexample": 400, "mktrace": 2000, "mkreplay": 2000, "mkrecording": 12000, "mkapitrace": 20000,
               "mkcapture": 20000}


def slow_dumps():
    """Dumps of each format that have files of that kind, and what they are called here."""
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
    """Until the name is found, and until its attributes are known, too."""
    begin = time.monotonic()
    os.close(os.open(name, os.O_PATH | os.O_NOFOLLOW))
    found = time.monotonic() - begin
    os.lstat(name)
    return found, time.monotonic() - begin


def find_slow(dump, folder):
    """Names of a folder, and those among them that are slow; each asked of a mount of its own."""
    slow = []
    with ours(dump) as (place, _):
        names = sorted(os.path.join(folder, name) for name in os.listdir(os.path.join(place, folder)))
    for name in names:
        with ours(dump) as (place, _):
            if look_seconds(os.path.join(place, name))[1] > SLOW_SECONDS:
                slow.append(name)
    return names, slow


def measure_neighbours(dump, names, slow=None):
    """What look_seconds() says of names while another process waits for the slow one."""
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


@part
def memory():
    """A dump of 1 GiB: what it takes besides the dump, while it is read."""
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
SCALE_FRAMES = 300  # read at random, of each


@contextlib.contextmanager
def scaled(times):
    """A dump of so many times `huge`, and its frames; removed again if it was not there."""
    frames = times * 192000
    place = os.path.join(LOADS, f"huge{frames}.psxgpu")
    kept = os.path.exists(place)
    try:
        yield load("huge", frames), frames
    finally:
        if not kept:
            os.unlink(place)


def mount_costs(dump, folder):
    """Of a mount that nobody reads from: processor time until it is mounted and until it rests, and memory."""
    with mounted("env", f"XDG_CACHE_HOME={folder}", GPUDUMPFS, "-f", dump) as (_, process):
        ready = processor_seconds(process)
        return ready, seconds_until_idle(process), memory_of(process)


def read_at_random(dump, frames):
    """Of pictures of a mount whose index is known: seconds of the clock, processor time of each, memory at the end."""
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


# AeroGPU, whose pictures come out of a graphics library in another process.

AEROGPU_FRAMES = 256


@part
def aerogpu():
    trace = path("bench.aerogputrace")
    subprocess.run((os.path.join(BUILD, "tests/formats/aerogpu/mkaerogpu"), trace, f"frames={AEROGPU_FRAMES}", "size=64x64"),
                   check=True, stdout=subprocess.DEVNULL)
    first, warm = [], []
    for _ in range(max(RUNS, 10)):
        begin = time.monotonic()
        with ours(trace) as (place, _):
            read_all(f"{place}/frames/000000.png")
            first.append(time.monotonic() - begin)
            for frame in range(1, AEROGPU_FRAMES):
                begin = time.monotonic()
                read_all(f"{place}/frames/{frame:06}.png")
                warm.append(time.monotonic() - begin)
    with memory_files(AEROGPU_FRAMES) as (place, _):
        begin = time.monotonic()
        for frame in range(AEROGPU_FRAMES):
            read_all(f"{place}/frames/{frame:06}.png")
        control = (time.monotonic() - begin) / AEROGPU_FRAMES
    show("AeroGPU, program start to a first picture", milliseconds(median(first)),
         f"longest {milliseconds(max(first))}", "< 150 ms", median(first) < 0.150)
    show("AeroGPU, a picture of 64x64 never read before", milliseconds(median(warm)),
         f"{median(warm) / control:.1f} times one kept in memory", "< 5 ms", median(warm) < 0.005)


# apitrace, beside its own retracer.


def capture(name):
    file = os.path.join(CORPUS, "apitrace", "real", name + ".trace")
    assert os.path.exists(file), f"no {file}"
    return file


def seconds_of(action):
    """Processor time of all that an action starts and ends, and the clock's."""
    before, begin = children_seconds(), time.monotonic()
    action()
    return children_seconds() - before, time.monotonic() - begin


def retrace(*arguments, cached=True, **environment):
    """eglretrace, which keeps compiled shaders on a disk unless told otherwise."""
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl",
                       MESA_SHADER_CACHE_DISABLE="false" if cached else "true", **environment)
    run_peer(["eglretrace", "--headless", "-b", *arguments], environment)


def retrace_on_screen(*arguments, screen):
    """glretrace, without the cache, on a screen that nobody sees."""
    run_peer(["glretrace", "-b", *arguments],
             dict(os.environ, DISPLAY=screen, LIBGL_ALWAYS_SOFTWARE="1", MESA_SHADER_CACHE_DISABLE="true"))


def run_peer(command, environment):
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=LIMIT)


@contextlib.contextmanager
def virtual_screen():
    """The name of an X server's screen; None where there is no server to start."""
    if shutil.which("Xvfb") is None:
        yield None
        return
    inlet, outlet = os.pipe()
    server = subprocess.Popen(("Xvfb", "-displayfd", str(outlet), "-screen", "0", "1280x1024x24"),
                              pass_fds=[outlet], stderr=subprocess.DEVNULL)
    os.close(outlet)
    try:
        with os.fdopen(inlet) as told:
            yield f":{told.readline().strip()}"
    finally:
        server.terminate()
        server.wait()


def read_frames(trace, frames):
    """Pictures through a mount of their own, from its beginning to its end, all compiled anew."""
    with ours(trace, "-o", "shader-cache=no") as (place, _):
        for frame in frames:
            with open(os.path.join(place, "frames", f"{frame:06}.png"), "rb") as file:
                file.read()


def cat_frames(trace, frames, folder):
    """Pictures by gpudump, which opens and closes the dump."""
    subprocess.run((os.path.join(BUILD, "gpudump"), "cat", trace, *(f"frames/{frame:06}.png" for frame in frames)),
                   check=True, env=dict(os.environ, XDG_CACHE_HOME=folder), stdout=subprocess.DEVNULL, timeout=LIMIT)


def compare_warm(name, frames, *arguments):
    """What compare() shows, when each finds its compiled shaders."""
    runs = []
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as peers:
        for turn in range(WARMING + RUNS):
            peer = seconds_of(lambda: retrace(*arguments, capture(name), MESA_SHADER_CACHE_DIR=peers))
            runs.append((peer, seconds_of(lambda: cat_frames(capture(name), frames, own))))
        assert os.listdir(os.path.join(own, "gpudumpfs")), "nothing was kept"
    return runs[WARMING:]


WARMING = 2  # what is being stored when a process ends comes with the next one


def compare(what, peer_name, runs, goal):
    """Ours and the peer's, each processor time and the clock's. A second process compiles ahead of
    ours, so it is by the clock that it is fast."""
    for which, unit in enumerate(("processor time", "clock")):
        ratio = median(peer[which] / own[which] for peer, own in runs)
        clock = unit == "clock"
        show(f"{what}, {unit}", f"{median(own[which] for _, own in runs):.2f} s", f"{ratio:.2f} x {peer_name}",
             f">= {goal}" if clock else None, ratio >= goal or not clock)


TEXT_CALLS = 1_000_000


BLOB_MEGABYTES = 300


def generated(kind, count):
    return written(f"{kind}.trace", lambda new: (program("apitrace_generate"), kind, str(count), new))


def written(name, command):
    """The path of a load that a program writes if it is not there."""
    place = os.path.join(LOADS, name)
    if not os.path.exists(place):
        os.makedirs(LOADS, exist_ok=True)
        subprocess.run(command(place + ".new"), check=True)
        os.rename(place + ".new", place)
    return place


def cat_texts(trace):
    return f"{os.path.join(BUILD, 'gpudump')} cat {shlex.quote(trace)} 'by-frame/*/calls.txt'"


def dump_text(trace):
    return f"apitrace dump --color=never {shlex.quote(trace)}"


def texts_through_mount(trace):
    """Seconds of the clock: to mount, to read all calls.txt, and to read them again."""
    place = path("texts-mount")
    os.makedirs(place, exist_ok=True)
    cat = f"cat {place}/by-frame/*/calls.txt > {os.devnull}"
    begin = time.monotonic()
    subprocess.run((GPUDUMPFS, trace, place), check=True, stdin=subprocess.DEVNULL)
    try:
        return time.monotonic() - begin, run_shell(cat), run_shell(cat)
    finally:
        unmount(place)


@part
def apitrace_text():
    """All text of a trace: whole programs, from start to end, and through a mount."""
    for name, trace in (("a million calls", generated("calls", TEXT_CALLS)), ("neverball", capture("neverball"))):
        run_shell(f"{cat_texts(trace)} | cmp - <({dump_text(trace)})")
        runs = []
        for _ in range(RUNS):
            peer = run_shell(f"{dump_text(trace)} > {os.devnull}")
            own = run_shell(f"{cat_texts(trace)} > {os.devnull}")
            mount, first, again = texts_through_mount(trace)
            runs.append({which: (seconds, peer / seconds) for which, seconds in (
                ("gpudump cat", own), ("mounted, and cat by-frame/*/calls.txt", mount + first),
                ("cat by-frame/*/calls.txt", first), ("cat once more", again))})
        for which in runs[0]:
            ratio = median(run[which][1] for run in runs)
            goal = 5 if which == "gpudump cat" else None
            show(f"text of {name}, {which}", milliseconds(median(run[which][0] for run in runs)),
                 f"{ratio:.1f} x apitrace dump", goal and f">= {goal}", goal is None or ratio >= goal)


@part
def apitrace_text_time():
    """The same in processor time, which the index has its part in, and of blobs, which cannot be packed or can."""
    for name, trace, goal in (("a million calls", generated("calls", TEXT_CALLS), 5), ("neverball", capture("neverball"), 5),
                              (f"{BLOB_MEGABYTES} MB of blobs", generated("blobs", BLOB_MEGABYTES), 1),
                              (f"{BLOB_MEGABYTES} MB of blobs of floats", generated("floats", BLOB_MEGABYTES), 1)):
        runs = [(seconds_of(lambda: run_shell(f"{dump_text(trace)} > {os.devnull}"))[0],
                 seconds_of(lambda: run_shell(f"{cat_texts(trace)} > {os.devnull}"))[0]) for _ in range(RUNS)]
        ratio = median(peer / own for peer, own in runs)
        show(f"text of {name}, processor time", milliseconds(median(own for _, own in runs)),
             f"{ratio:.1f} x apitrace dump", f">= {goal}", ratio >= goal)


def cat_time(trace, names):
    return seconds_of(lambda: subprocess.run(
        (os.path.join(BUILD, "gpudump"), "cat", "-o", "shader-cache=no", trace, *names), check=True,
        stdout=subprocess.DEVNULL, timeout=LIMIT))[0]


def draws_of(trace, frame):
    folder = f"by-frame/{frame:06}/draws"
    names = subprocess.run((os.path.join(BUILD, "gpudump"), "ls", trace, folder), check=True,
                           stdout=subprocess.PIPE, text=True, timeout=LIMIT).stdout.split()
    return [f"{folder}/{name}" for name in names]


@part
def apitrace_back():
    """Stepping back: all there is backwards, beside forwards; and returns to early frames."""
    trace = capture("neverball")
    frames = [f"frames/{frame:06}.png" for frame in range(78)]
    for what, names in (("78 frames of neverball", frames), ("draws of its frame 40", draws_of(trace, 40))):
        runs = [(cat_time(trace, names), cat_time(trace, names[::-1])) for _ in range(RUNS)]
        ratio = median(back / forth for forth, back in runs)
        show(f"{what}, backwards", f"{median(back for _, back in runs):.2f} s", f"{ratio:.2f} x forwards", "<= 2",
             ratio <= 2)
    returns = []
    for _ in range(RUNS):
        with ours(trace, "-o", "shader-cache=no") as (place, _):
            for far, early in ((76, 5), (70, 3), (60, 0)):
                read_all(os.path.join(place, frames[far]))
                begin = time.monotonic()
                read_all(os.path.join(place, frames[early]))
                returns.append(time.monotonic() - begin)
    show("a return to an early frame of neverball", milliseconds(median(returns)), f"longest {milliseconds(max(returns))}",
         "<= 500 ms", median(returns) <= 0.5)


@part
def apitrace_sequence():
    with virtual_screen() as screen:
        for name, frames in (("neverball", 78), ("glmark2_desktop", 94)):
            headless, shown = [], []
            for _ in range(RUNS):
                peer = seconds_of(lambda: retrace(capture(name), cached=False))
                if screen is not None:
                    on_screen = seconds_of(lambda: retrace_on_screen(capture(name), screen=screen))
                own = seconds_of(lambda: read_frames(capture(name), range(frames)))
                headless.append((peer, own))
                if screen is not None:
                    shown.append((on_screen, own))
            what = f"{frames} frames of {name} in order"
            compare(what, "eglretrace -b, which reads none", headless, 1)
            if screen is not None:
                compare(what, "glretrace -b, the same", shown, 1)
            compare(f"{what}, shaders kept", "eglretrace -b, the same", compare_warm(name, range(frames)), 1)


HISTORIES = {"neverball": (70, 76, "400,300"), "glmark2_desktop": (10, 80, "160,120"), "xss_boing": (2, 27, "160,120")}


def history_seconds(trace, first, files, folder):
    """Processor time of files behind a first frame's picture, in one session that compiles nothing new."""
    def cat(names):
        command = (os.path.join(BUILD, "gpudump"), "cat", "-o", "threads=1", trace, f"frames/{first:06}.png", *names)
        return seconds_of(lambda: subprocess.run(command, check=True, env=dict(os.environ, XDG_CACHE_HOME=folder),
                                                 stdout=subprocess.DEVNULL, timeout=LIMIT))[0]
    return cat(files) - cat(())


@part
def apitrace_history():
    """What histories of pixels, and all pixels' writers, cost beside the same frames' pictures."""
    for name, (first, last, pixel) in HISTORIES.items():
        frames = [f"by-frame/{frame:06}/" for frame in range(first + 1, last + 1)]
        kinds = {"picture": [f + "image.png" for f in frames], "history": [f"{f}pixel/{pixel}.tsv" for f in frames],
                 "ids": [f + "draw-ids.bin" for f in frames]}
        with tempfile.TemporaryDirectory() as folder:
            runs = [{kind: history_seconds(capture(name), first, files, folder) for kind, files in kinds.items()}
                    for _ in range(WARMING + RUNS)][WARMING:]
        each = 1 / len(frames)
        for kind, goal in (("history", 2), ("ids", None)):
            ratio = median(run[kind] / run["picture"] for run in runs)
            show(f"{name}, {kind} of a frame, processor time", milliseconds(median(run[kind] for run in runs) * each),
                 f"{ratio:.2f} x its picture, {milliseconds(median(run['picture'] for run in runs) * each)}",
                 goal and f"< {goal}", goal is None or ratio < goal)


LARGE_FRAMES = 300_000


@part
def apitrace_first_picture():
    """Frame 0 of a large trace, from a process's start to its end; both find their compiled shaders."""
    trace = written(f"frames-{LARGE_FRAMES}.trace",
                    lambda new: (os.path.join(BUILD, "examples", "mkapitrace"), new, str(LARGE_FRAMES)))
    info = subprocess.run((os.path.join(BUILD, "gpudump"), "cat", trace, "by-frame/000000/info.txt"), check=True,
                          stdout=subprocess.PIPE, text=True, timeout=LIMIT).stdout
    last = dict(line.split(": ") for line in info.splitlines())["last_packet"]
    runs = []
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as peers:
        for _ in range(WARMING + RUNS):
            peer = seconds_of(lambda: retrace("-s", path("first-"), "-S", last, trace, MESA_SHADER_CACHE_DIR=peers))[0]
            runs.append((peer, seconds_of(lambda: cat_frames(trace, [0], own))[0]))
    ratio = median(own / peer for peer, own in runs[WARMING:])
    show(f"the first of {LARGE_FRAMES} frames, processor time", milliseconds(median(own for _, own in runs[WARMING:])),
         f"{ratio:.2f} x eglretrace -S", "<= 2", ratio <= 2)


@part
def apitrace_seek():
    picture = path("seek-")
    arguments = ("-s", picture, "-S", "308802")
    cold, warm = [], []
    for _ in range(RUNS):
        first = seconds_of(lambda: retrace(*arguments, capture("neverball"), cached=False))
        again = seconds_of(lambda: retrace(*arguments, capture("neverball")))
        own = seconds_of(lambda: read_frames(capture("neverball"), [76]))
        cold.append((first, own))
        warm.append((again, own))
    what = "frame 76 of neverball from a cold mount"
    for which, unit in enumerate(("processor time", "clock")):
        ratio = median(peer[which] / own[which] for peer, own in cold)
        cached = median(peer[which] / own[which] for peer, own in warm)
        show(f"{what}, {unit}", f"{median(own[which] for _, own in cold):.2f} s",
             f"{ratio:.1f} x eglretrace -S, {cached:.1f} x with its cache", ">= 5", ratio >= 5)
    compare("frame 76 of neverball, shaders kept", "eglretrace -S, the same",
            compare_warm("neverball", [76], *arguments), 5)


# Hostile dumps: how long another reader of the same mount waits.

HOSTILE_SECONDS = 2.0  # that a hostile file is read, of the clock
STUCK_SECONDS = 20.0   # and that a name may take afterwards
ROOT = ("README.txt", "metadata.txt", "problems.txt", "packets.tsv", "packets", "frames", "by-frame", "frames.tsv",
        "textures.tsv", "uploads.tsv", "resources.tsv", ".gpudumpfs/version", "by-frame/000000", "by-frame/000000/info.txt")


def look_up_names(place, folder, tell):
    """Names that nobody has looked at: those of the root, and ever new ones that are not there."""
    for n in range(1 << 30):
        name = (os.path.join(place, ROOT[n]) if n < len(ROOT) else
                os.path.join(place, folder if n % 2 else "", f"none-{n}"))
        begin = time.perf_counter()
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(name, os.O_PATH | os.O_NOFOLLOW))
        tell(f"{time.perf_counter() - begin:.6f}")
        time.sleep(0.002)


def latencies(inlet):
    """What a reader has told, once it has told of the name that it is at."""
    told = b""
    os.set_blocking(inlet, False)
    with contextlib.suppress(BlockingIOError):
        while part := os.read(inlet, 1 << 16):
            told += part
    if select.select([inlet], [], [], STUCK_SECONDS)[0]:
        told += os.read(inlet, 1 << 16)
    else:
        told += f"{HOSTILE_SECONDS + STUCK_SECONDS}\n".encode()
    return [float(line) for line in told.split()]


def read_hostile(run, case, place, control, daemon):
    """Latencies of names in the mount, and in the control mount, while the case's files are read."""
    pattern = case.files[0] if case.files else "metadata.txt"
    folder = os.path.dirname(pattern) if "*" not in pattern else ""

    def look(tell):
        for each in case.files:
            with contextlib.suppress(OSError):
                for name in run.expand(place, each, tell):
                    run.look_at(name, tell)
    readers = [run.read_in_child(work) for work in (
        look, lambda tell: look_up_names(place, folder, tell), lambda tell: look_up_names(control, folder, tell))]
    begin = time.monotonic()
    while time.monotonic() < begin + HOSTILE_SECONDS and (
            time.monotonic() < begin + HOSTILE_SECONDS / 2 or
            os.waitid(os.P_PID, readers[0][0], os.WEXITED | os.WNOHANG | os.WNOWAIT) is None):
        time.sleep(0.02)
    found = [latencies(reader[1]) for reader in readers[1:]]
    daemon.kill()  # else a reader that waits would not end
    for pid, inlet in readers:
        os.close(inlet)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return found


@part
def hostile():
    """Names of each hostile dump's mount, never looked at, while its worst files are read."""
    sys.path.insert(0, os.path.join(SOURCE, "tests/hostile"))
    import run
    worst = []
    with ours(load("small")) as (control, _):
        for case in run.CASES.values():
            dump = run.write(case, path("hostile"))
            options = [word for word in case.options if word == "--dir"]
            try:
                with mounted(GPUDUMPFS, "-f", *options, dump, place=path("hostile-mount")) as (place, daemon):
                    names, controls = read_hostile(run, case, place, control, daemon)
            except ChildProcessError:
                continue  # it is refused, and so has no names
            late, control_late = percentile(names), percentile(controls)
            worst.append(late)
            show(f"{case.name}: a name, 99th percentile of {len(names)}", milliseconds(late),
                 f"control {milliseconds(control_late)}, longest {milliseconds(max(names))}",
                 "<= 50 ms", late <= 0.050)
    show("hostile dumps: the worst of these", milliseconds(max(worst)), "", "<= 50 ms", max(worst) <= 0.050)


# Pages.


@part
def page():
    """What each step to the draw that made a pixel takes of a browser, which has been there before."""
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../page"))
    import steps
    import webdriver
    if webdriver.missing():
        show("page", "-", webdriver.missing())
        return
    browser = steps.Steps()
    trace = os.path.join(CORPUS, "apitrace", "real", "neverball.trace")
    for name, dump, frame in (("torus", recording("torus"), 100), ("typical", load("typical"), 100),
                              ("neverball", trace if os.path.exists(trace) else None, 40)):
        if dump is None:
            continue
        with ours(dump) as (place, _):
            browser.all(place, frame)
            runs = [browser.all(place, frame) for _ in range(RUNS)]
        for step in runs[0]:
            own, everything = (median(run[step][i] for run in runs) for i in (0, 1))
            show(f"page, {name}: {step}, the page's thread", milliseconds(own),
                 f"{milliseconds(everything)} in all processes", "<= 200 ms", own <= 0.2)


def percentile(values, part=0.99):
    values = sorted(values) or [0.0]
    return values[min(len(values) - 1, int(len(values) * part))]


def main():
    chosen = sys.argv[1:]
    known = {function.__name__: function for function in parts}
    for name in chosen:
        if name not in known:
            sys.exit(f"bench.py: there is no '{name}'; there are {' '.join(known)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # a time limit: what is mounted is unmounted
    machine.adopt()
    begin = time.monotonic()
    print(f"{RUNS} runs, medians; {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for name, function in known.items():
        if name in (chosen or set(known) - BY_NAME):
            watch.begin()
            try:
                function()
            except (AssertionError, OSError, subprocess.SubprocessError) as error:
                print(f"{name:<44} {'-':>16}  failed: {error}"[:300], flush=True)
                missed.append(name)
    print(f"{time.monotonic() - begin:.0f} s; missed: {', '.join(missed) or 'nothing'}; "
          f"not judged, since others had above {machine.ALLOWED} processors: {', '.join(unjudged) or 'nothing'}")


main()
