# SPDX-License-Identifier: MIT
"""Mounts that are measured, that of a file system which only replies, and what a daemon takes."""
import contextlib
import os
import subprocess
import time

from measure import program
from mountlib import GPUDUMPFS, is_mounted, path, start, wait_until

PICTURE_BYTES = 231_000


@contextlib.contextmanager
def mounted(*command, place=None):
    """A file system in the foreground; gives its place and its process. ChildProcessError: it was refused."""
    place = place or path("bench-mount")
    os.makedirs(place, exist_ok=True)
    process = start(*command, place, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: is_mounted(place) or process.poll() is not None, "mount", 60)
        if process.poll() is not None:
            raise ChildProcessError(f"{command[-1]}: not mounted, status {process.poll()}")
        yield place, process
    finally:
        subprocess.run(("fusermount3", "-u", "-z", place), check=False, stderr=subprocess.DEVNULL)
        process.wait(60)


def ours(dump, *options):
    return mounted(GPUDUMPFS, "-f", *options, dump)


def memory_files(count):
    return mounted(program("memoryfs"), str(count), str(PICTURE_BYTES))


def memory_of(process):
    """Memory of its own in bytes: the mapped dump does not count."""
    with open(f"/proc/{process.pid}/status") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) * 1024
    return 0


def read_all(file):
    with open(file, "rb", buffering=0) as stream:
        while stream.read(1 << 20):
            pass


def processor_seconds(process):
    """Of a program and its threads, so far."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_until_idle(process, interval=1):
    """The processor time that it takes until it rests for so long."""
    taken = -1
    while processor_seconds(process) > taken:
        taken = processor_seconds(process)
        time.sleep(interval)
    return taken
