# SPDX-License-Identifier: MIT
"""A read-only fsspec file system over the tree of a dump.

    fsspec.filesystem("gpudumpfs", dump="game.psxgpu").ls("frames")
    fsspec.open("gpudumpfs://frames/000010.png", dump="game.psxgpu")
"""
import io

from fsspec import register_implementation
from fsspec.spec import AbstractFileSystem

from .dump import open as open_dump


class GpudumpFileSystem(AbstractFileSystem):
    """Takes the arguments of gpudumpfs.open() as `dump`, `program` and `options`."""

    protocol = "gpudumpfs"
    root_marker = ""

    def __init__(self, dump, program="gpudump", options=None, **storage_options):
        super().__init__(**storage_options)
        self.dump = open_dump(dump, program, options)

    def _info(self, path, entry):
        kind = "directory" if entry.kind == "directory" else "file"
        return {"name": path, "type": kind, "size": None if entry.kind == "link" else entry.size,
                "islink": entry.kind == "link"}

    def info(self, path, **unused):
        path = self._strip_protocol(path).strip("/")
        return self._info(path, self.dump.tree.entry(path))

    def ls(self, path, detail=True, **unused):
        path = self._strip_protocol(path).strip("/")
        own = self.dump.tree.entry(path)
        if own.kind != "directory":
            found = [self._info(path, own)]
        else:
            found = [self._info(f"{path}/{entry.name}".lstrip("/"), entry)
                     for entry in self.dump.tree.entries(path)]
        return found if detail else [entry["name"] for entry in found]

    def cat_file(self, path, start=None, end=None, **unused):
        return self.dump.read(self._strip_protocol(path).strip("/"))[start:end]

    def _open(self, path, mode="rb", **unused):
        if mode != "rb":
            raise OSError(30, "a dump is read-only", path)
        return io.BytesIO(self.cat_file(path))


register_implementation("gpudumpfs", GpudumpFileSystem, clobber=True)
