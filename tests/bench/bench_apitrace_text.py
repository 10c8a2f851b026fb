# SPDX-License-Identifier: MIT
"""Text of apitrace traces, beside `apitrace dump`."""
import os
import shlex
import subprocess
import time

from measure import RUNS, median, milliseconds, part, run_shell, seconds_of, show
from loads import capture, generated
from mountlib import BUILD, GPUDUMPFS, path, unmount

TEXT_CALLS = 1_000_000
BLOB_MEGABYTES = 300


def cat_texts(trace):
    return f"{os.path.join(BUILD, 'gpudump')} cat {shlex.quote(trace)} 'by-frame/*/calls.txt'"


def dump_text(trace):
    return f"apitrace dump --color=never {shlex.quote(trace)}"


def texts_through_mount(trace):
    """Returns the seconds on the clock to mount, to read all calls.txt, and to read them again."""
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
    """All text of a trace: by programs from start to end, and through a mount."""
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
    """The same in processor time, including the index, and for long and short blobs, packed or not."""
    blobs = f"{BLOB_MEGABYTES} MB of blobs"
    for name, trace, goal in (("a million calls", generated("calls", TEXT_CALLS), 5), ("neverball", capture("neverball"), 5),
                              (blobs, generated("blobs", BLOB_MEGABYTES), 1),
                              (f"{blobs} of floats", generated("floats", BLOB_MEGABYTES), 1),
                              (f"{blobs} of 1,000 bytes", generated("small-blobs", BLOB_MEGABYTES), 1),
                              (f"{blobs} of 1,000 bytes of floats", generated("small-floats", BLOB_MEGABYTES), 1)):
        runs = [(seconds_of(lambda: run_shell(f"{dump_text(trace)} > {os.devnull}"))[0],
                 seconds_of(lambda: run_shell(f"{cat_texts(trace)} > {os.devnull}"))[0]) for _ in range(RUNS)]
        ratio = median(peer / own for peer, own in runs)
        show(f"text of {name}, processor time", milliseconds(median(own for _, own in runs)),
             f"{ratio:.1f} x apitrace dump", f">= {goal}", ratio >= goal)
