# SPDX-License-Identifier: MIT
"""AeroGPU, whose pictures are made by a graphics library in another process."""
import os
import subprocess
import time

from measure import RUNS, median, milliseconds, part, show
from mounts import memory_files, ours, read_all
from mountlib import BUILD, path

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
