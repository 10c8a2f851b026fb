# SPDX-License-Identifier: MIT
"""Mounts to be measured, mounts of a file system that only replies, and what a daemon uses."""
import contextlib
import os
import subprocess
import time

from measure import program
from mountlib import GPUDUMPFS, is_mounted, path, start, wait_until

PICTURE_BYTES = 231_000


@contextlib.contextmanager
def mounted(*command, place=None):
    """A file system in the foreground; gives its mountpoint and process. Raises ChildProcessError if it is refused."""
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
    """Returns the bytes of memory of the process alone: the mapped dump does not count."""
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
    """Returns the processor time of a program and its threads so far."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_until_idle(process, interval=1):
    """Waits until the process has been idle for `interval` seconds; returns the processor time that it has taken."""
    taken = -1
    while processor_seconds(process) > taken:
        taken = processor_seconds(process)
        time.sleep(interval)
    return taken
