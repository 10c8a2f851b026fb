# SPDX-License-Identifier: MIT
"""Pictures of apitrace traces, beside its own retracer."""
import contextlib
import os
import shutil
import subprocess
import tempfile
import time

from measure import LIMIT, RUNS, median, milliseconds, part, seconds_of, show
from loads import capture, written
from mounts import ours, read_all
from mountlib import BUILD, path


def retrace(*arguments, cached=True, **environment):
    """Runs eglretrace, which keeps compiled shaders on disk unless told otherwise."""
    environment = dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl",
                       MESA_SHADER_CACHE_DISABLE="false" if cached else "true", **environment)
    run_peer(["eglretrace", "--headless", "-b", *arguments], environment)


def retrace_on_screen(*arguments, screen):
    """Runs glretrace, without the cache, on a virtual screen."""
    run_peer(["glretrace", "-b", *arguments],
             dict(os.environ, DISPLAY=screen, LIBGL_ALWAYS_SOFTWARE="1", MESA_SHADER_CACHE_DISABLE="true"))


def run_peer(command, environment):
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, timeout=LIMIT)


@contextlib.contextmanager
def virtual_screen():
    """Gives the name of an X server's screen, or None if there is no server to start."""
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
    """Reads pictures through a mount of their own, from mount to unmount, with all shaders compiled anew."""
    with ours(trace, "-o", "shader-cache=no") as (place, _):
        for frame in frames:
            with open(os.path.join(place, "frames", f"{frame:06}.png"), "rb") as file:
                file.read()


def cat_frames(trace, frames, folder):
    """Reads pictures with gpudump, which opens and closes the dump."""
    subprocess.run((os.path.join(BUILD, "gpudump"), "cat", trace, *(f"frames/{frame:06}.png" for frame in frames)),
                   check=True, env=dict(os.environ, XDG_CACHE_HOME=folder), stdout=subprocess.DEVNULL, timeout=LIMIT)


def compare_warm(name, frames, *arguments):
    """Does what compare() does, with both finding their compiled shaders."""
    runs = []
    with tempfile.TemporaryDirectory() as own, tempfile.TemporaryDirectory() as peers:
        for turn in range(WARMING + RUNS):
            peer = seconds_of(lambda: retrace(*arguments, capture(name), MESA_SHADER_CACHE_DIR=peers))
            runs.append((peer, seconds_of(lambda: cat_frames(capture(name), frames, own))))
        assert os.listdir(os.path.join(own, "gpudumpfs")), "nothing was kept"
    return runs[WARMING:]


WARMING = 2  # shaders that were not stored before a process ended are stored by the next one


def compare(what, peer_name, runs, goal):
    """Shows our times and the peer's: processor time, and time on the clock. A second process
    compiles ahead of ours, so that ours is fast on the clock."""
    for which, unit in enumerate(("processor time", "clock")):
        ratio = median(peer[which] / own[which] for peer, own in runs)
        clock = unit == "clock"
        show(f"{what}, {unit}", f"{median(own[which] for _, own in runs):.2f} s", f"{ratio:.2f} x {peer_name}",
             f">= {goal}" if clock else None, ratio >= goal or not clock)


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
    """Stepping back: all frames backwards, compared with forwards; and returns to early frames."""
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
    """Returns the processor time of files besides that of a first frame's picture, with nothing new to compile."""
    def cat(names):
        command = (os.path.join(BUILD, "gpudump"), "cat", "-o", "threads=1", trace, f"frames/{first:06}.png", *names)
        return seconds_of(lambda: subprocess.run(command, check=True, env=dict(os.environ, XDG_CACHE_HOME=folder),
                                                 stdout=subprocess.DEVNULL, timeout=LIMIT))[0]
    return cat(files) - cat(())


@part
def apitrace_history():
    """What histories of pixels, and the writers of all pixels, cost compared with the same frames' pictures."""
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
    """Frame 0 of a large trace, from the start to the end of a process. Both find their compiled shaders."""
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
