#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the figures that docs/psx.md and docs/apitrace.md promise: `make bench`.

Each figure is the median of RUNS runs, and is shown beside a control of the same run: another
core, memcpy, a file system that only replies, or the same work in memory. That file system has
libfuse's plain loop, which sleeps before each request; ours polls for a moment (fuse.md, "Busy
polling"), so it may be faster. Each figure is shown with the load of the machine since the figure
before it, including the time of its control: processors that others took, and that were stolen
(machine.py). If either is above 0.2 the figure is not judged. Loads are generated
(tests/bench/load.c). The parts are in bench_*.py. Variables of the environment:

    RUNS=5              runs of each measurement
    PEER='command'      another replayer, run alternately with ours: it is given a dump,
                        and its processor time is measured
    LOADS=FOLDER        {small,typical,large}.psxgpu to measure instead of ours
    GPUDUMPFS_CORPUS    where recordings are
    SCALE='1 4 16'      GiB of the dumps that `scale` writes, one after the other, and removes

Arguments name the parts to measure. Without arguments these are all parts except `hostile`, which
takes ten minutes, and `scale`.
"""
import os
import signal
import subprocess
import sys
import time

import machine
from measure import RUNS, missed, parts, unjudged, watch
# The parts of these are measured in this order.
import bench_replay  # noqa: F401
import bench_index  # noqa: F401
import bench_overlay  # noqa: F401
import bench_mount  # noqa: F401
import bench_readers  # noqa: F401
import bench_scale  # noqa: F401
import bench_aerogpu  # noqa: F401
import bench_apitrace_text  # noqa: F401
import bench_apitrace  # noqa: F401
import bench_hostile  # noqa: F401
import bench_page  # noqa: F401

BY_NAME = {"hostile", "scale"}  # parts that take long: measured only if they are named


def main():
    chosen = sys.argv[1:]
    known = {function.__name__: function for function in parts}
    for name in chosen:
        if name not in known:
            sys.exit(f"bench.py: there is no '{name}'; there are {' '.join(known)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # by a time limit: exit handlers unmount
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
