#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""sweep.py FOLDER [PATTERN...]: traces Debian's programs and compares our results with apitrace's
own tools.

Records the programs in sweep.tsv, or those whose names match a shell PATTERN, under Xvfb with
apitrace's tracer. Compares all texts, and the pictures of the first FRAMES frames.
FOLDER/results.tsv has a row for each program, which is not traced again. Traces that differ are
left in FOLDER. `make check` does not run it: it takes an hour of processor time, and gigabytes of
packages.

Run it in the build folder. The columns of results.tsv are name, calls, text (same, differs), frames
compared, frames equal, problems reported, and remarks: for each frame that differs, the number of
different pixels; the number of frames whose picture by the peer is larger, so that only its lower
left part was compared (the peer takes every viewport and every blit for the window's size, with at
least 32 pixels); problems."""
import csv
import fnmatch
import glob
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

FRAMES = 40
LIMIT = 300  # seconds for each tool
HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.getcwd()
COLUMNS = ("name", "calls", "text", "frames", "equal", "refused", "remarks")


def programs():
    """Yields (name, api, seconds, command) for the rows of sweep.tsv, with file name patterns
    expanded."""
    with open(os.path.join(HERE, "sweep.tsv"), encoding="utf-8") as table:
        for line in table:
            if line.startswith("#"):
                continue
            name, _, api, seconds, command = line.rstrip("\n").split("\t")
            words = shlex.split(command)
            if not any(letter in words[0] for letter in "*["):
                yield name, api, int(seconds), words
                continue
            for program in sorted(glob.glob(words[0])):
                if os.path.isfile(program) and os.access(program, os.X_OK):
                    yield f"{name}/{os.path.basename(program)}", api, int(seconds), \
                        [program] + words[1:]


def tool(*words, seconds=LIMIT, **options):
    """Runs a program and all its children within a time limit. Returns its status, or None."""
    child = subprocess.Popen(words, start_new_session=True, stdin=subprocess.DEVNULL, **options)
    try:
        return child.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        end_group(child)


def end_group(leader):
    """Ends the remaining processes of a group: with SIGTERM, and after three seconds with
    SIGKILL."""
    for turn in range(31):
        leader.poll()
        try:
            os.killpg(leader.pid, signal.SIGTERM if turn == 0 else signal.SIGKILL if turn == 30 else 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)


def said(*words, folder, stderr=subprocess.STDOUT, **options):
    with open(os.path.join(folder, "said"), "wb+") as file:
        tool(*words, stdout=file, stderr=stderr, **options)
        file.seek(0)
        return file.read().decode(errors="replace")


def gpudump(*words, folder):
    return said(os.path.join(BUILD, "gpudump"), *words, folder=folder, stderr=subprocess.DEVNULL)


def record(trace, api, seconds, command):
    """Records a trace. The program's own folder is in PATH, since some programs start others that
    are beside them."""
    path = ":".join(filter(None, (os.environ["PATH"], os.path.dirname(command[0]))))
    with open(trace + ".log", "wb") as log:
        tool("apitrace", "trace", "--api", api, "-o", trace, *command, seconds=seconds, stdout=log,
             stderr=subprocess.STDOUT, cwd=os.path.dirname(trace), env=dict(os.environ, PATH=path))


def has_context(trace, folder):
    """Returns whether there is a trace in which the tracer has seen a context being made
    current."""
    return os.path.exists(trace) and re.search(
        r"^\d+ (glXMake\w*Current|eglMakeCurrent)\w*\(",
        said("apitrace", "dump", "--color=never", "--calls=0-999", trace, folder=folder,
             stderr=subprocess.DEVNULL), re.MULTILINE) is not None


def same_text(trace, folder):
    """Returns whether the texts of all frames, in order, are the output of apitrace."""
    ours, theirs = os.path.join(folder, "ours.txt"), os.path.join(folder, "theirs.txt")
    with open(ours, "wb") as file:
        tool(os.path.join(BUILD, "gpudump"), "cat", trace, "by-frame/*/calls-raw.txt", stdout=file,
             stderr=subprocess.DEVNULL)
    with open(theirs, "wb") as file:
        tool("apitrace", "dump", "--color=never", trace, stdout=file, stderr=subprocess.DEVNULL)
    same = subprocess.run(["cmp", "-s", ours, theirs], check=False).returncode == 0
    os.unlink(ours)
    os.unlink(theirs)
    return same


def rows(text):
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def frame_calls(trace, folder):
    """Returns {frame: the call after which its picture is taken} for the first frames. If no swap
    ends a frame, this is its last draw."""
    calls = {}
    for row in rows(gpudump("cat", trace, "frames.tsv", folder=folder))[:FRAMES]:
        number = int(row["frame"])
        if row["status"] == "finished":
            calls[number] = int(row["last"])
            continue
        draws = rows(gpudump("cat", trace, f"by-frame/{number:06}/draws.tsv", folder=folder))
        if draws:
            calls[number] = int(draws[-1]["packet"])
    return calls


def our_pictures(trace, folder):
    """Copies our pictures into folder/ours/frames; returns the contents of problems.txt after
    that."""
    shutil.rmtree(os.path.join(folder, "ours"), ignore_errors=True)
    os.makedirs(os.path.join(folder, "ours"))
    frames = [f"frames/{number:06}.png" for number in range(FRAMES)]
    names = set(gpudump("ls", trace, "frames", folder=folder).split())
    frames = [frame for frame in frames if os.path.basename(frame) in names]
    if frames:
        gpudump("cp", trace, *frames, "problems.txt", os.path.join(folder, "ours"), folder=folder)
    try:
        with open(os.path.join(folder, "ours", "problems.txt"), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def their_pictures(trace, calls, folder, *options):
    """Makes the peer's pictures in folder/theirs, with our names. Uses no display, since there the
    peer draws its first frame on 32x32 pixels."""
    theirs = os.path.join(folder, "theirs")
    shutil.rmtree(theirs, ignore_errors=True)
    os.makedirs(theirs)
    wanted = ",".join(str(call) for call in calls.values())
    said("eglretrace", "--headless", "--snapshot-force-backbuffer", *options, "-S", wanted, "-s",
         theirs + "/", trace, folder=folder, env=dict(os.environ, WAFFLE_PLATFORM="surfaceless_egl"))
    by_call = {call: frame for frame, call in calls.items()}
    for name in os.listdir(theirs):
        match = re.fullmatch(r"0*(\d+)\.png", name)
        if match and int(match[1]) in by_call:
            os.rename(os.path.join(theirs, name),
                      os.path.join(theirs, f"{by_call[int(match[1])]:06}.png"))
        else:
            os.unlink(os.path.join(theirs, name))


def compare(trace, folder):
    """Returns (frames compared, equal, remarks, problems.txt). If pictures differ or are missing,
    also tries options for the peer: unless told otherwise, it draws with one sample per pixel,
    enlarges windows for viewports with which nothing is drawn, and crashes if no framebuffer
    configuration is found."""
    calls = frame_calls(trace, folder)
    problems = our_pictures(trace, folder)
    found = compare_with(trace, calls, folder)
    if found[1] < len(calls):
        for options in (["--samples=4"], wide_viewports(trace, folder), no_configs(trace, folder)):
            again = compare_with(trace, calls, folder, *options) if options else found
            if (again[1], again[0]) > (found[1], found[0]):
                found = (*again[:2], ["with " + options[0].split("=")[0]] + again[2])
    return (*found, problems)


def wide_viewports(trace, folder):
    """Returns the option that ignores viewports which exceed the window's size, as given by frame
    0."""
    frames = rows(gpudump("cat", trace, "frames.tsv", folder=folder))
    width, height = (int(frames[0][name]) if frames[0][name].isdigit() else 0
                     for name in ("width", "height"))
    text = gpudump("cat", trace, "by-frame/*/calls-oneline.txt", folder=folder)
    wide = [call for call, x, y, right, above in
            re.findall(r"^(\d+) glViewport\(x = (-?\d+), y = (-?\d+), width = (\d+), height = (\d+)\)",
                       text, re.MULTILINE)
            if int(x) + int(right) > width or int(y) + int(above) > height]
    return ["--ignore-calls=" + ",".join(wide)] if wide and width > 0 else []


def no_configs(trace, folder):
    """Returns the option that ignores calls of glXChooseFBConfig that found nothing."""
    text = gpudump("cat", trace, "by-frame/*/calls-oneline.txt", folder=folder)
    calls = re.findall(r"^(\d+) glXChooseFBConfig\(.*\) = NULL$", text, re.MULTILINE)
    return ["--ignore-calls=" + ",".join(calls)] if calls else []


def compare_with(trace, calls, folder, *options):
    their_pictures(trace, calls, folder, *options)
    ours, theirs = os.path.join(folder, "ours"), os.path.join(folder, "theirs")
    missing = []
    for name in sorted(os.listdir(theirs)):
        if not os.path.exists(os.path.join(ours, name)):
            missing.append(name)
            os.unlink(os.path.join(theirs, name))
    count = len(os.listdir(theirs))
    differs = said(os.path.join(BUILD, "tests/formats/apitrace/pngdiffer"), "-l", theirs, ours,
                   folder=folder)
    differing = re.findall(r"/(\d+)\.png: (\d+) of (\d+) pixels differ", differs)
    remarks = [f"{int(frame)}: {some} of {all_}" for frame, some, all_ in differing[:4]]
    if count + len(missing) < len(calls):
        remarks.append(f"the peer has {count + len(missing)} of {len(calls)}")
    larger = re.search(r"^(\d+) larger", differs, re.MULTILINE)
    if larger and int(larger[1]) > 0:
        remarks.append(f"{larger[1]} of the peer's are larger")
    if missing:
        remarks.append(f"{len(missing)} not here: {missing[0]}")
    return count, count - len(differing), remarks


def examine(trace, folder):
    """Returns the columns for a trace, except its name."""
    match = re.search(r"^packets: (\d+)$", gpudump("cat", trace, "metadata.txt", folder=folder),
                      re.MULTILINE)
    calls = int(match[1]) if match else 0
    text = "same" if same_text(trace, folder) else "differs"
    count, equal, remarks, problems = compare(trace, folder)
    lines = [line.split(" ", 1)[1] for line in problems.splitlines()]
    remarks.extend(lines[:3])
    return calls, text, count, equal, len(lines), "; ".join(remarks) or "-"


def sweep(folder, patterns):
    path = os.path.join(folder, "results.tsv")
    done = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            done = {line.split("\t")[0] for line in file}
    with open(path, "a", encoding="utf-8", buffering=1) as results:
        if not done:
            results.write("\t".join(COLUMNS) + "\n")
        for name, api, seconds, command in programs():
            if name in done or patterns and not any(fnmatch.fnmatch(name, p) for p in patterns):
                continue
            trace = os.path.join(folder, name.replace("/", "+") + ".trace")
            for tracer in api.split(","):
                if not has_context(trace, folder):
                    record(trace, tracer, seconds, command)
            if not os.path.exists(trace):
                results.write(f"{name}\t-\t-\t-\t-\t-\tno trace\n")
                continue
            row = examine(trace, folder)
            results.write("\t".join(str(column) for column in (name,) + row) + "\n")
            if row[1] == "same" and row[2] == row[3] and row[4] == 0 and row[5] == "-":
                os.unlink(trace)
                os.unlink(trace + ".log")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder = os.path.abspath(sys.argv[1])
    os.makedirs(os.path.join(folder, "home"), exist_ok=True)
    reading, writing = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writing), "-screen", "0", "1024x768x24"],
                              pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    os.environ.update(DISPLAY=":" + os.read(reading, 16).decode().strip(), LIBGL_ALWAYS_SOFTWARE="1",
                      OSG_WINDOW="10 10 300 200", XDG_CACHE_HOME="/dev/null", SDL_AUDIODRIVER="dummy",
                      HOME=os.path.join(folder, "home"))
    try:
        sweep(folder, sys.argv[2:])
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
