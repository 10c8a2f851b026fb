# SPDX-License-Identifier: MIT
"""A dump: its metadata, frames and tables."""
import functools
import json
import os

import numpy

from . import png, tables
from .trees import GpudumpTree, MountTree


def open(path, program="gpudump", options=None):
    """Returns the Dump for its file, its folder (GAPIR), or the folder at which it is mounted.

    `program` and `options` are unused for a mount. Otherwise `options` is the argument of
    gpudump's -o, such as "psx-gpu=1,digits=8".
    """
    if os.path.isdir(os.path.join(path, ".gpudumpfs")):
        return Dump(MountTree(os.fspath(path)))
    return Dump(GpudumpTree(path, program, options))


class Dump:
    """Reads from the dump only what is requested, and keeps nothing in memory except names."""

    def __init__(self, tree):
        self.tree = tree

    @functools.cached_property
    def metadata(self):
        """Returns the contents of metadata.json (gpudumpfs-tree(7))."""
        return json.loads(self.tree.read("metadata.json"))

    @functools.cached_property
    def format(self):
        """psx, aerogpu, apitrace, gapir, gfxreconstruct or vma, as in the names of the formats'
        table scripts."""
        data = self.tree.read(".gpudumpfs/dump.js").decode()
        return json.loads(data[data.index("(") + 1:data.rindex(")")])["format"]

    @property
    def problems(self):
        """Returns the lines of problems.txt, whose number may grow while other files are read."""
        return self.tree.read("problems.txt").decode().splitlines()

    @functools.cached_property
    def frames(self):
        """The names of all frames in order, such as "000010": the numbers in by-frame."""
        return [name for name in self.tree.names("by-frame") if name.isdigit()]

    def __len__(self):
        return len(self.frames)

    def frame(self, number):
        """Returns the name of a frame; a negative number counts from the end. Raises IndexError if
        there is no such frame."""
        try:
            return self.frames[number]
        except IndexError:
            raise IndexError(f"no frame {number}: the dump has {len(self)} frames") from None

    def read(self, path):
        """Returns the bytes of a file."""
        return self.tree.read(path)

    def read_frame(self, number, name):
        """Returns the bytes of a file in by-frame/NNNNNN."""
        return self.tree.read(f"by-frame/{self.frame(number)}/{name}")

    def image(self, number):
        """Returns the picture of a frame: (height, width, channels), or (height, width) for
        greyscale."""
        return png.decode(self.tree.read(f"frames/{self.frame(number)}.png"))

    def images(self, first=0, last=None):
        """Yields (number, picture) for each frame in frames[first:last] that has a picture."""
        try:
            there = set(self.tree.names("frames"))
        except FileNotFoundError:  # a format without pictures
            there = set()
        wanted = [(int(name), f"frames/{name}.png") for name in self.frames[first:last]
                  if name + ".png" in there]
        for (number, _), data in zip(wanted, self.tree.read_each(path for _, path in wanted)):
            yield number, png.decode(data)

    def _shape(self, number, data, size, pictures):
        """Returns height and width of the first of the pictures whose pixels, of `size` bytes each,
        match the data."""
        for name in pictures:
            try:
                picture = png.decode(self.read_frame(number, name))
            except FileNotFoundError:
                continue
            if picture.shape[0] * picture.shape[1] * size == len(data):
                return picture.shape[:2]
        raise ValueError(f"frame {number}: no picture has {len(data) / size:g} pixels")

    def draw_ids(self, number):
        """Returns (height, width, 2), int32: the frame and the draw that wrote each pixel last.

        Both are -1 where the writer is unknown; a draw of -2 or less stands for another kind of
        write, such as an upload or a copy.
        """
        data = self.read_frame(number, "draw-ids.bin")
        shape = self._shape(number, data, 8, ("image.png", "draw-ids.png"))
        return numpy.frombuffer(data, "<i4").reshape(*shape, 2)

    def depth(self, number):
        """Returns (height, width), float32: depth at the frame's end. Raises FileNotFoundError if
        it has none."""
        data = self.read_frame(number, "depth.bin")
        return numpy.frombuffer(data, "<f4").reshape(
            self._shape(number, data, 4, ("image.png", "depth.png")))

    def _draw_name(self, folder, draw):
        for name in self.tree.names(folder):
            if name[:-4].isdigit() and int(name[:-4]) == draw:
                return name[:-4]
        raise FileNotFoundError(f"{folder}: no draw {draw}")

    def touched(self, number, draw):
        """Returns (height, width), bool: which pixels of its render target a draw wrote.

        `draw` is its name in draws, such as "00012", or its number. Raises FileNotFoundError if
        there is no such draw. """
        frame = f"by-frame/{self.frame(number)}/draws"
        if not isinstance(draw, str):
            draw = self._draw_name(frame, draw)
        for form in ("-touched.png", "/touched.png"):
            try:
                picture = png.decode(self.tree.read(f"{frame}/{draw}{form}"))
            except (FileNotFoundError, NotADirectoryError):
                continue
            return (picture[..., :3] == (255, 0, 255)).all(axis=-1)
        raise FileNotFoundError(f"{frame}/{draw}")

    def vram(self, number):
        """Returns (height, 1024), uint16: PSX video memory at the frame's end."""
        return numpy.frombuffer(self.tree.read(f"vram/{self.frame(number)}.bin"),
                                "<u2").reshape(-1, 1024)

    @property
    def tables(self):
        """A tables.Schema for each table, by name."""
        return tables.schemas(self.format)

    def _folder(self, schema, frame):
        """Returns the folder of a table: "", or a path that ends with a slash."""
        if schema.folder is None:
            return ""
        if frame is None:
            raise TypeError(f"table {schema.name}: `frame` must say which one of {schema.folder}/")
        if isinstance(frame, str):
            return f"{schema.folder}/{frame}/"
        number = self.frame(frame) if schema.folder == "by-frame" else f"{frame:06}"
        return f"{schema.folder}/{number}/"

    def table(self, name, frame=None):
        """Yields the typed rows of a table. A table whose name begins with frame_ needs `frame`.

        `frame` is a frame's number, the number of another folder that has such a table, or a
        folder's name, such as "frame/HASH" for the table found. Rows are named tuples of int, float
        and str; None stands for a missing value. Rows are read from the dump as the caller
        iterates. Raises KeyError if the format has no such table.
        """
        schemas = self.tables
        if name not in schemas:
            raise KeyError(f"no table {name}: {self.format} has " + ", ".join(sorted(schemas)))
        schema = schemas[name]
        return self._rows(schema, self._folder(schema, frame) + schema.path)

    def _rows(self, schema, path):
        with self.tree.open(path) as file:
            yield from tables.rows(file, schema)
