# SPDX-License-Identifier: MIT
"""What the tests of indexes that are kept from one mount to the next share (src/source/kept.h)."""
import os
import signal
import tempfile

from mountlib import (GPUDUMPFS, equal, is_mounted, kill_group, mounted, mounts, path, processes, scratch, start,
                      wait_until)

USED = "a kept index is used"


def cache(name):
    """Sets an empty $XDG_CACHE_HOME; returns the folder in which files are kept."""
    os.makedirs(path(name))
    os.environ["XDG_CACHE_HOME"] = path(name)
    return path(name, "gpudumpfs")


def names(folder):
    return os.listdir(folder) if os.path.exists(folder) else []


def kept(folder):
    """Returns the files that are kept, without those being written."""
    return [os.path.join(folder, name) for name in names(folder) if "." not in name]


def unfinished(folder):
    """Returns the files that are being written, or were being written by a process that was killed."""
    return [os.path.join(folder, name) for name in names(folder) if "." in name]


def kill_at(dump, moment):
    """Mounts the dump, and kills the daemon when `moment` returns. Its keeper must unmount, and end."""
    place = tempfile.mkdtemp(prefix="mount.", dir=scratch)
    mounts.append(place)
    process = start(GPUDUMPFS, "-f", dump, place)
    moment()
    os.killpg(process.pid, signal.SIGSTOP)  # so that it starts no more helpers
    helpers = {helper for helper, parent, _, _ in processes() if parent == process.pid}
    kill_group(process)
    wait_until(lambda: helpers.isdisjoint(living()), "end of the helpers")
    assert not is_mounted(place), "still mounted"


def living():
    return {process for process, _, state, _ in processes() if state not in "ZX"}


def expect_shown(dump, shown, expected, used, *arguments):
    """Checks what a mount shows, and whether it has used what was kept. Returns its log."""
    with mounted(dump, "-v", *arguments) as mount:
        equal(shown(mount), expected)
    equal(USED in mount.log(), used, "use of what was kept")
    return mount.log()
