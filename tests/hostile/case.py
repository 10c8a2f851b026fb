# SPDX-License-Identifier: MIT
"""What a hostile case is, and the list of all cases."""
import dataclasses
import functools

CASES = {}


@dataclasses.dataclass
class Case:
    """A hostile dump, and where in its mounted tree it attacks."""
    name: str
    attacks: str      # one sentence
    files: tuple      # files of the mounted tree, as patterns, which are read first, one after the other
    make: object      # returns the dump's bytes, or a dict of names and bytes for a folder
    options: tuple    # for gpudumpfs
    limits: dict      # of the process, by name of resource.RLIMIT_; CGROUP: bytes of memory of its control group
    event: str        # what happens to the mount meanwhile (EVENTS in run.py)
    preload: str      # a library in the build's tests/hostile to be preloaded into the daemon
    quick: bool       # `make check` runs it

    @property
    def format(self):
        return self.name.split("-")[0]


class Sparse:
    """A file's first bytes, followed by a hole up to the file's size."""

    def __init__(self, data, size):
        self.data, self.size = data, size


def case(name, attacks, *files, options=(), limits=None, event="", preload="", quick=True):
    """Registers a case. The function returns the bytes, and is called once."""
    def register(make):
        assert name not in CASES and attacks.endswith("."), name
        make = functools.cache(make)
        CASES[name] = Case(name, attacks, files, make, options, limits or {}, event, preload, quick)
        return make
    return register
