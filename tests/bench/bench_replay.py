# SPDX-License-Identifier: MIT
"""The replay core of PSX dumps: with each instruction set, compared with another replayer, and in two threads."""
import os
import shlex
import subprocess

from measure import RUNS, figures, median, part, program, show
from loads import load

PEER = shlex.split(os.environ.get("PEER") or "")
SHORT_VSYNCS = 6000  # of `large`, where all of it would take too long


def replay(dump, core):
    return figures(program("bench_psx_replay"), "-k", core, dump)


def peer_seconds(dump):
    """Returns the processor time of the other replayer, including its start."""
    process = subprocess.Popen((*PEER, dump), stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, PEER)
    return usage.ru_utime + usage.ru_stime


def cores():
    """Returns the cores that this processor has, the fastest first, plain C last."""
    known = [core for core in ("avx512", "avx2", "lanes")
             if subprocess.run((program("bench_psx_replay"), "-k", core, load("small")),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0]
    return [*known, "c"]


def measure_cores(name, dump, goals):
    """Runs all cores and the peer one after the other, RUNS times."""
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
    """The same dump with the GPU's texel cache, which is the default, and without."""
    for name in ("small", "typical"):
        dump = load(name)
        ratio = median(figures(program("bench_psx_replay"), "-t", dump)["seconds"] /
                       replay(dump, cores()[0])["seconds"] for _ in range(RUNS))
        show(f"replay {name}, texel cache", "", f"{ratio:.2f} x without",
             ">= 0.9" if name == "typical" else None, name != "typical" or ratio >= 0.9)


@part
def moves():
    """What moves bytes without a shader, compared with memcpy of the same size and with plain C."""
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
    """Two replays at the same time. The control is each of them alone."""
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
