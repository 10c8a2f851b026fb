# SPDX-License-Identifier: MIT
"""The load that other programs and machines cause while something is measured, in processors.

The time of all processors is in /proc/stat. The part of it that neither this process nor anything
that it has started has used was taken by others. Time that the hypervisor gave to other machines is
stolen. Background processes count as ours as well: they become our children when their parents end.
"""
import collections
import contextlib
import ctypes
import os
import resource
import time

ALLOWED = 0.2  # processors that others may take, or that may be stolen, if a figure is to be judged
SHORTEST = 1.0  # seconds; ticks are too coarse for less
SUBREAPER = 36  # prctl(2): PR_SET_CHILD_SUBREAPER
TICKS = os.sysconf("SC_CLK_TCK")

# Seconds: on the clock, and of processors since the machine was started, including ours.
Times = collections.namedtuple("Times", "clock busy stolen own")
Load = collections.namedtuple("Load", "others stolen")


def adopt():
    """Makes descendants whose parents end children of this process."""
    if ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def processes():
    """Returns parent, state and seconds of each process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
            # includes those of children that it has waited for
            found[int(name)] = (int(fields[1]), fields[0], sum(map(int, fields[11:15])) / TICKS)
    return found


def reap(known, keep):
    """Waits for adopted children that have ended, so that their time counts with that of our children."""
    for pid, (parent, state, _) in known.items():
        if parent == os.getpid() and state == "Z" and pid not in keep:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


def descendants(known, of):
    children = collections.defaultdict(list)
    for pid, (parent, _, _) in known.items():
        children[parent].append(pid)
    found = [of]
    for pid in found:
        found += children[pid]
    return found[1:]


def own_seconds(keep=()):
    """Returns the seconds of this process and everything that it has started. `keep`: children waited for elsewhere."""
    reap(processes(), keep)
    known = processes()
    seconds = sum(known[pid][2] for pid in descendants(known, os.getpid()))
    for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(whose)
        seconds += used.ru_utime + used.ru_stime
    return seconds


def machine_seconds(text):
    """Returns the seconds that all processors were busy, and those stolen, from the text of /proc/stat."""
    user, nice, system, _, _, interrupts, soft, stolen = map(int, text.splitlines()[0].split()[1:9])
    return (user + nice + system + interrupts + soft) / TICKS, stolen / TICKS


def times(keep=()):
    own = own_seconds(keep)
    with open("/proc/stat") as file:
        busy, stolen = machine_seconds(file.read())
    return Times(time.monotonic(), busy, stolen, own)


def load_between(before, after):
    clock = max(after.clock - before.clock, 1 / TICKS)
    others = (after.busy - before.busy) - (after.own - before.own)
    return Load(max(0.0, others / clock), (after.stolen - before.stolen) / clock)


def is_quiet(load):
    return load.others <= ALLOWED and load.stolen <= ALLOWED


class Watch:
    """The load since the figure before. Figures that were measured together have the load of all of them."""

    def __init__(self, keep=list):
        self.keep = keep  # returns children that are waited for elsewhere
        self.begin()

    def begin(self):
        self.before, self.last = times(self.keep()), None

    def load(self):
        after = times(self.keep())
        if self.last is None or after.clock - self.before.clock >= SHORTEST:
            self.last = load_between(self.before, after)
            self.before = after
        return self.last
