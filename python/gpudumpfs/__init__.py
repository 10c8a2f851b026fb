# SPDX-License-Identifier: MIT
"""GPU dumps: frames as NumPy arrays, tables as iterators.

    import gpudumpfs
    dump = gpudumpfs.open("game.psxgpu")   # or a mount of gpudumpfs(1)
    dump.image(10)                         # (height, width, channels), uint8
    for row in dump.table("frame_draws", frame=10):
        print(row.kind, row.pixels)

Dumps are read by gpudump(1), which must be installed, or through an existing mount.
docs/python.md in the sources describes the package in detail.
"""
from .dump import Dump, open
from .tables import Column, Schema

__version__ = "1.0.0"
__all__ = ["Column", "Dump", "Schema", "open"]
