# SPDX-License-Identifier: MIT
"""Dumps to measure with: generated ones, written once and kept in LOADS, and those in the corpus."""
import os
import subprocess

from measure import program
from mountlib import BUILD, SOURCE

CORPUS = os.environ.get("GPUDUMPFS_CORPUS") or os.path.join(SOURCE, "..", "shared", "corpus")
LOADS = os.environ.get("LOADS") or os.path.join(BUILD, "tests", "bench", "loads")
RECORDINGS = ("torus", "teapot", "pt-bandwidth")


def load(name, vsyncs=None):
    """Returns the path of a load, which is generated if it does not exist yet."""
    place = os.path.join(LOADS, f"{name}{vsyncs or ''}.psxgpu")
    if not os.path.exists(place):
        os.makedirs(LOADS, exist_ok=True)
        limit = ("-v", str(vsyncs)) if vsyncs else ()
        subprocess.run((program("mkload"), name, *limit, place + ".new"), check=True)
        os.rename(place + ".new", place)
    return place


def recording(name):
    place = os.path.join(CORPUS, "psx", "real", f"{name}.psxgpu.zst")
    return place if os.path.exists(place) else None


def capture(name):
    file = os.path.join(CORPUS, "apitrace", "real", name + ".trace")
    assert os.path.exists(file), f"no {file}"
    return file


def generated(kind, count):
    return written(f"{kind}.trace", lambda new: (program("apitrace_generate"), kind, str(count), new))


def written(name, command):
    """Returns the path of a load, which a program writes if it does not exist yet."""
    place = os.path.join(LOADS, name)
    if not os.path.exists(place):
        os.makedirs(LOADS, exist_ok=True)
        subprocess.run(command(place + ".new"), check=True)
        os.rename(place + ".new", place)
    return place
