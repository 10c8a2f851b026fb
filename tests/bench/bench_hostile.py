# SPDX-License-Identifier: MIT
"""Hostile dumps: how long another reader of the same mount waits."""
import contextlib
import os
import select
import signal
import sys
import time

from measure import milliseconds, part, percentile, show
from loads import load
from mounts import mounted, ours
from mountlib import GPUDUMPFS, SOURCE, path

HOSTILE_SECONDS = 2.0  # seconds on the clock for which a hostile file is read
STUCK_SECONDS = 20.0   # seconds that a name may take after that
ROOT = ("README.txt", "metadata.txt", "problems.txt", "packets.tsv", "packets", "frames", "by-frame", "frames.tsv",
        "textures.tsv", "uploads.tsv", "resources.tsv", ".gpudumpfs/version", "by-frame/000000", "by-frame/000000/info.txt")


def look_up_names(place, folder, tell):
    """Looks up names for the first time: those of the root, then ones that do not exist. Reports the seconds."""
    for n in range(1 << 30):
        name = (os.path.join(place, ROOT[n]) if n < len(ROOT) else
                os.path.join(place, folder if n % 2 else "", f"none-{n}"))
        begin = time.perf_counter()
        with contextlib.suppress(FileNotFoundError):
            os.close(os.open(name, os.O_PATH | os.O_NOFOLLOW))
        tell(f"{time.perf_counter() - begin:.6f}")
        time.sleep(0.002)


def latencies(inlet):
    """Waits until a reader is done with the name that it is looking up; returns all seconds that it has reported."""
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
    """Returns the latencies of names in the mount, and in the control mount, while the case's files are read."""
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
    daemon.kill()  # otherwise a reader that waits would not end
    for pid, inlet in readers:
        os.close(inlet)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    return found


@part
def hostile():
    """Names in the mount of each hostile dump, not looked up before, while its worst files are read."""
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
                continue  # the dump is refused, and so has no names
            late, control_late = percentile(names), percentile(controls)
            worst.append(late)
            show(f"{case.name}: a name, 99th percentile of {len(names)}", milliseconds(late),
                 f"control {milliseconds(control_late)}, longest {milliseconds(max(names))}",
                 "<= 50 ms", late <= 0.050)
    show("hostile dumps: the worst of these", milliseconds(max(worst)), "", "<= 50 ms", max(worst) <= 0.050)
