# SPDX-License-Identifier: MIT
"""The index of PSX dumps, made and kept, and random frames that are found with it."""
import os
import random
import subprocess
import tempfile
import time

from measure import LIMIT, RUNS, figures, median, milliseconds, part, program, show
from loads import RECORDINGS, load, recording
from mounts import ours, read_all
from mountlib import GPUDUMP


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
def first_frames():
    """Any picture right after opening, in-process; the control waits for the index, without a sketch."""
    for name, goal in (("typical", 0.030), ("large", 0.100)):
        runs, controls = [], []
        for seed in range(RUNS):
            command = (program("bench_psx_random"), "-o", "-n", "40", "-s", str(seed), load(name))
            runs.append(figures(*command))
            controls.append(figures(*command[:2], "-i", *command[2:]))
        for key, what in (("first", "clock"), ("first-own", "reader's processor time"), ("first-all", "of all threads")):
            middle, late = median(runs, f"{key}-median"), median(runs, f"{key}-p99")
            show(f"first frame, {name}: {what}, median", milliseconds(middle),
                 f"control {median(controls, f'{key}-median') / middle:.2f} times as long")
            judged = key == "first"
            show(f"first frame, {name}: {what}, p99", milliseconds(late),
                 f"control {median(controls, f'{key}-p99') / late:.2f} times as long",
                 f"<= {goal * 1e3:.0f} ms" if judged else None, late <= goal or not judged)


@part
def first_picture():
    """Measures the time from the program's start to a picture that was not prepared."""
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
    """Runs a program to its end; returns its processor time."""
    before = os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=LIMIT,
                   env=dict(os.environ, XDG_CACHE_HOME=folder))
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


@part
def kept_index():
    """Measures the processor time of a new process that finds a kept index. The control makes the
    index."""
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
