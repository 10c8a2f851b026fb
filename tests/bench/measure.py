# SPDX-License-Identifier: MIT
"""The common part of all benchmarks: computes figures from runs, judges and shows them, and
measures times.

A part of the benchmarks is a function with the decorator `@part`. `make bench BENCH=NAME` runs it
by its name. """
import os
import statistics
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../support"))
import machine  # noqa: E402
from mountlib import BUILD, children_seconds, groups  # noqa: E402

RUNS = int(os.environ.get("RUNS") or 5)
os.environ["XDG_CACHE_HOME"] = "/dev/null"  # nothing is kept, except by parts that measure that
LIMIT = 300  # seconds for one program

parts = []
missed = []
unjudged = []
watch = machine.Watch(lambda: [process.pid for process in groups])


def part(function):
    parts.append(function)
    return function


def program(name):
    return os.path.join(BUILD, "tests", "bench", name)


def figures(*command):
    """Runs a program of ours; returns the numbers that it prints, by their names."""
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True,
                            timeout=LIMIT).stdout
    return {name: number(value) for name, value in (line.split("\t") for line in output.splitlines())}


def number(word):
    """Parses a number. Whole numbers, such as CRCs, keep all digits."""
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


def run_shell(command):
    """Runs a command; returns the seconds on the clock."""
    begin = time.monotonic()
    subprocess.run(command, shell=True, check=True, executable="/bin/bash")
    return time.monotonic() - begin


def seconds_of(action):
    """Runs an action; returns the processor time of everything that it starts and ends, and the time on the clock."""
    before, begin = children_seconds(), time.monotonic()
    action()
    return children_seconds() - before, time.monotonic() - begin


def percentile(values, part=0.99):
    values = sorted(values) or [0.0]
    return values[min(len(values) - 1, int(len(values) * part))]
