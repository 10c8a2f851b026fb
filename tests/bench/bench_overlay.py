# SPDX-License-Identifier: MIT
"""Edits: from a save to the picture."""
import os
import shutil
import time

from measure import RUNS, median, milliseconds, part, show
from loads import RECORDINGS, load, recording
from mounts import mounted
from mountlib import GPUDUMPFS, path


def save_seconds(folder, place, frame, colour):
    """Measures from saving the frame's text, with one more fill, to reading the frame's video memory."""
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
    """Measures saves. Each of them replaces the one before, and the mount is idle between them."""
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
    """The index of the original is reused for unchanged bytes; packets are read again."""
    for name in RECORDINGS:
        if recording(name) is not None:
            measure_saves(name, recording(name), (50,))
    measure_saves("typical", load("typical"), (10, 1500, 2990))
