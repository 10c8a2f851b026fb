# SPDX-License-Identifier: MIT
"""What a hostile case is, and the list of all."""
import dataclasses
import functools

CASES = {}


@dataclasses.dataclass
class Case:
    """A dump that attacks, and where in its mounted tree it does so."""
    name: str
    attacks: str      # one sentence
    files: tuple      # of the mounted tree, as patterns: what is looked at first, one after the other
    make: object      # gives the dump's bytes, or a dict of names and bytes: a folder
    options: tuple    # of gpudumpfs
    limits: dict      # of the process, by name of resource.RLIMIT_; CGROUP: bytes of memory of its control group
    event: str        # what befalls the mount meanwhile (run.py)
    preload: str      # a library of the build's tests/hostile, in the daemon
    quick: bool       # among those that `make check` tries

    @property
    def format(self):
        return self.name.split("-")[0]


class Sparse:
    """A file's first bytes, with a hole behind them up to its size."""

    def __init__(self, data, size):
        self.data, self.size = data, size


def case(name, attacks, *files, options=(), limits=None, event="", preload="", quick=True):
    """Registers a case: the function gives the bytes, which are made once."""
    def register(make):
        assert name not in CASES and attacks.endswith("."), name
        make = functools.cache(make)
        CASES[name] = Case(name, attacks, files, make, options, limits or {}, event, preload, quick)
        return make
    return register
