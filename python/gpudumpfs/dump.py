# SPDX-License-Identifier: MIT
"""A dump: what it is, its frames and its tables."""
import functools
import json
import os

import numpy

from . import png, tables
from .trees import GpudumpTree, MountTree


def open(path, program="gpudump", options=None):
    """A dump by its file, its folder (GAPIR), or the folder that it is mounted at.

    `options` are those of gpudump's -o, "psx-gpu=1,digits=8"; a mount has its own.
    """
    if os.path.isdir(os.path.join(path, ".gpudumpfs")):
        return Dump(MountTree(os.fspath(path)))
    return Dump(GpudumpTree(path, program, options))


class Dump:
    """Nothing of it is read before it is asked for, and nothing is kept but what names things."""

    def __init__(self, tree):
        self.tree = tree

    @functools.cached_property
    def metadata(self):
        """metadata.json (gpudumpfs-tree(7))."""
        return json.loads(self.tree.read("metadata.json"))

    @functools.cached_property
    def format(self):
        """psx, aerogpu, apitrace, gapir, gfxreconstruct or vma: as tables of formats are named."""
        data = self.tree.read(".gpudumpfs/dump.js").decode()
        return json.loads(data[data.index("(") + 1:data.rindex(")")])["format"]

    @property
    def problems(self):
        """Lines of problems.txt: it may get longer while other files are read."""
        return self.tree.read("problems.txt").decode().splitlines()

    @functools.cached_property
    def frames(self):
        """The names of all frames, "000010", in their order: numbers of by-frame."""
        return [name for name in self.tree.names("by-frame") if name.isdigit()]

    def __len__(self):
        return len(self.frames)

    def frame(self, number):
        """The name of a frame; a negative number counts from the end."""
        return self.frames[number]

    def read(self, path):
        """A file's bytes."""
        return self.tree.read(path)

    def read_frame(self, number, name):
        """The bytes of a file in by-frame/NNNNNN."""
        return self.tree.read(f"by-frame/{self.frame(number)}/{name}")

    def image(self, number):
        """The picture of a frame: (height, width, channels), or (height, width) of grey."""
        return png.decode(self.tree.read(f"frames/{self.frame(number)}.png"))

    def images(self, first=0, last=None):
        """(number, picture) of the frames from `first` up to before `last` that have one."""
        try:
            there = set(self.tree.names("frames"))
        except FileNotFoundError:  # a format without pictures
            there = set()
        wanted = [(int(name), f"frames/{name}.png") for name in self.frames[first:last]
                  if name + ".png" in there]
        for (number, _), data in zip(wanted, self.tree.read_each(path for _, path in wanted)):
            yield number, png.decode(data)

    def _shape(self, number, data, size, pictures):
        """Height and width of the first picture that has so many pixels."""
        for name in pictures:
            try:
                picture = png.decode(self.read_frame(number, name))
            except FileNotFoundError:
                continue
            if picture.shape[0] * picture.shape[1] * size == len(data):
                return picture.shape[:2]
        raise ValueError(f"frame {number}: no picture has the shape of {len(data)} bytes")

    def draw_ids(self, number):
        """(height, width, 2), int32: the frame and the draw that wrote each pixel last.

        Both are -1 where nobody knows; a draw of -2 or less is none: an upload, a copy …
        """
        data = self.read_frame(number, "draw-ids.bin")
        shape = self._shape(number, data, 8, ("image.png", "draw-ids.png"))
        return numpy.frombuffer(data, "<i4").reshape(*shape, 2)

    def depth(self, number):
        """(height, width), float32: depth at the frame's end. FileNotFoundError: it has none."""
        data = self.read_frame(number, "depth.bin")
        return numpy.frombuffer(data, "<f4").reshape(
            self._shape(number, data, 4, ("image.png", "depth.png")))

    def _draw_name(self, folder, draw):
        for name in self.tree.names(folder):
            if name[:-4].isdigit() and int(name[:-4]) == draw:
                return name[:-4]
        raise FileNotFoundError(f"{folder}: no draw {draw}")

    def touched(self, number, draw):
        """(height, width), bool: the pixels that a draw wrote, of what it draws to.

        `draw`: its name in draws, "00012", or its number. FileNotFoundError: there is none.
        """
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
        """(height, 1024), uint16: video memory of PSX at the frame's end."""
        return numpy.frombuffer(self.tree.read(f"vram/{self.frame(number)}.bin"),
                                "<u2").reshape(-1, 1024)

    @property
    def tables(self):
        """tables.Schema of all tables, by name."""
        return tables.schemas(self.format)

    def _folder(self, schema, frame):
        """Where a table stands: "" or a folder with its slash."""
        if schema.folder is None:
            return ""
        if frame is None:
            raise TypeError(f"table {schema.name}: `frame` is to tell which one of {schema.folder}/")
        if isinstance(frame, str):
            return f"{schema.folder}/{frame}/"
        number = self.frame(frame) if schema.folder == "by-frame" else f"{frame:06}"
        return f"{schema.folder}/{number}/"

    def table(self, name, frame=None):
        """Typed rows of a table; of one whose name begins with frame_ those of that frame.

        `frame`: its number, or that of another folder with such a table, or a folder's name, such
        as "frame/HASH" of found. Rows are named tuples: int, float, str, or None for what is not
        there. They are read as they are taken.
        """
        schema = self.tables[name]
        return self._rows(schema, self._folder(schema, frame) + schema.path)

    def _rows(self, schema, path):
        with self.tree.open(path) as file:
            yield from tables.rows(file, schema)
