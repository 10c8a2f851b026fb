# SPDX-License-Identifier: MIT
"""The files of a dump's tree, read through a mount, or with gpudump(1) without a mount."""
import collections
import os
import shutil
import stat
import subprocess

Entry = collections.namedtuple("Entry", "name kind size")  # kind: "file", "directory" or "link"

PATHS_AT_ONCE = 64  # how many paths one gpudump process is given


class MountTree:
    """Reads from the folder at which gpudumpfs(1) has mounted a dump."""

    def __init__(self, folder):
        self.folder = folder

    def _place(self, path):
        place = os.path.normpath(os.path.join(self.folder, path.strip("/")))
        if os.path.commonpath([place, os.path.normpath(self.folder)]) != os.path.normpath(self.folder):
            raise FileNotFoundError(path)
        return place

    def read(self, path):
        with open(self._place(path), "rb") as file:
            return file.read()

    def read_each(self, paths):
        return map(self.read, paths)

    def open(self, path):
        return open(self._place(path), "rb")

    def names(self, path=""):
        return sorted(os.listdir(self._place(path)))

    def entries(self, path=""):
        found = []
        with os.scandir(self._place(path)) as entries:
            for entry in entries:
                kind = ("link" if entry.is_symlink() else
                        "directory" if entry.is_dir() else "file")
                found.append(Entry(entry.name, kind, entry.stat().st_size if kind == "file" else 0))
        return sorted(found)

    def entry(self, path):
        status = os.stat(self._place(path))
        if stat.S_ISDIR(status.st_mode):
            return Entry(path, "directory", 0)
        return Entry(path, "file", status.st_size)


class GpudumpTree:
    """Reads a dump's file with gpudump. Each call starts a process, which opens the dump."""

    def __init__(self, dump, program="gpudump", options=None):
        self.dump = os.fspath(dump)
        self.program = shutil.which(program)
        self.options = ["-q"] + (["-o", options] if options else [])
        if self.program is None:
            raise FileNotFoundError(f"{program} is not installed")
        if not os.path.exists(self.dump):
            raise FileNotFoundError(self.dump)
        if self.dump.startswith("-"):
            self.dump = "./" + self.dump

    def _start(self, command, *words):
        return subprocess.Popen([self.program, command, *self.options, *words],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def _run(self, path, command, *words):
        process = self._start(command, *words)
        output, error = process.communicate()
        if process.returncode != 0:
            message = error.decode(errors="replace").strip()
            if "No such file" in message:
                raise FileNotFoundError(path)
            raise OSError(message or f"{self.program} {command}: status {process.returncode}")
        return output

    @staticmethod
    def _plain(path):
        """Returns a pattern that matches only this path: wildcard characters are put in
        brackets."""
        return "/" + "".join(f"[{letter}]" if letter in "*?[" else letter for letter in path.strip("/"))

    def read(self, path):
        return self._run(path, "cat", self.dump, self._plain(path))

    def read_each(self, paths):
        """Yields the bytes of each file. One process makes up to PATHS_AT_ONCE files, before the
        first is yielded."""
        paths = list(paths)
        sizes = {}
        for at in range(0, len(paths), PATHS_AT_ONCE):
            some = paths[at:at + PATHS_AT_ONCE]
            for folder in {os.path.dirname(path) for path in some}:
                if folder not in sizes:
                    sizes[folder] = {entry.name: entry.size for entry in self.entries(folder)}
            data = self._run(some[0], "cat", self.dump, *map(self._plain, some))
            done = 0
            for path in some:
                size = sizes[os.path.dirname(path)][os.path.basename(path)]
                yield data[done:done + size]
                done += size

    def open(self, path):
        """Returns the output for a file as it is made, so that the rest is not made if it is not
        read."""
        return _Output(self._start("cat", self.dump, self._plain(path)), path)

    def names(self, path=""):
        return self._run(path, "ls", self.dump, self._plain(path)).decode().splitlines()

    def _long(self, path):
        for line in self._run(path, "ls", "-l", self.dump, self._plain(path)).decode().splitlines():
            mode, size, _, _, name = line.split(maxsplit=4)
            kind = {"d": "directory", "l": "link"}.get(mode[0], "file")
            yield Entry(name.split(" -> ")[0] if kind == "link" else name, kind, int(size))

    def entries(self, path=""):
        return sorted(self._long(path))

    def entry(self, path):
        path = path.strip("/")
        if not path:
            return Entry(path, "directory", 0)
        folder, name = os.path.split(path)
        for entry in self._long(folder):
            if entry.name == name and entry.kind != "link":
                return Entry(path, entry.kind, entry.size)
        found = list(self._long(path))  # a link, a name that is not listed, or a directory
        if len(found) == 1 and found[0].name.strip("/") == path and found[0].kind == "file":
            return Entry(path, "file", found[0].size)
        if any(entry.name == name and entry.kind == "link" for entry in self._long(folder)):
            return Entry(path, "file", len(self.read(path)))
        return Entry(path, "directory", 0)


class _Output:
    """Iterates over a process's standard output. Raises an exception at the end if the process
    failed."""

    def __init__(self, process, path):
        self.process, self.path = process, path

    def __iter__(self):
        yield from self.process.stdout
        error = self.process.stderr.read().decode(errors="replace").strip()
        if self.process.wait() != 0:
            raise FileNotFoundError(self.path) if "No such file" in error else OSError(error)

    def close(self):
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()
