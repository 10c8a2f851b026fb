# SPDX-License-Identifier: MIT
"""What the mount tests share: mounts that never outlive their test, and TAP output.

Every program that a test starts is in a process group of its own and is killed after the test.
Each test has a time limit. A test fails if the log of one of its daemons shows a crash. Only the
standard library is used.
"""
import atexit
import contextlib
import errno
import functools
import os
import re
import resource
import shutil
import signal
import stat
import struct
import subprocess
import sys
import tempfile
import time
import traceback

SOURCE = os.path.abspath(os.environ.get("top_srcdir", os.path.join(os.path.dirname(__file__), "../..")))
BUILD = os.path.abspath(os.environ.get("top_builddir", "."))
GPUDUMPFS = os.path.join(BUILD, "gpudumpfs")
GPUDUMP = os.path.join(BUILD, "gpudump")
LIMIT = int(os.environ.get("GPUDUMPFS_MOUNT_TEST_SECONDS", "600"))
PATIENCE = 180  # seconds to wait for what comes at once unless the machine is busy with other things
NO_CORPUS = "no corpus (GPUDUMPFS_CORPUS)"  # the reason for skipping a test, worded as in tap.sh
SUSPICIOUS = re.compile(r"ERROR|[Aa]ssert|Sanitizer|runtime error|core dumped|Segmentation")

tests = []
groups = []
mounts = []
scratch = tempfile.mkdtemp(prefix="gpudumpfs-test.")
atexit.register(shutil.rmtree, scratch, ignore_errors=True)


class Skipped(Exception):
    pass


class TimeLimit(Exception):
    pass


def test(function):
    """Registers a test; its name is the function's."""
    tests.append(function)
    return function


def skip(reason):
    raise Skipped(reason)


def path(*names):
    return os.path.join(scratch, *names)


def equal(got, expected, what=""):
    assert got == expected, f"{what}: got {got!r}, expected {expected!r}"


# Programs.


def heed_interrupts():
    """Restores SIGINT, which is ignored by what a shell runs in the background, and by its children."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def start(*command, **options):
    process = subprocess.Popen(command, start_new_session=True, preexec_fn=heed_interrupts,
                               **options)
    groups.append(process)
    return process


def is_in_group(pid, group):
    """Returns whether the process is alive and in the group."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            state, _, found = file.read().rsplit(")", 1)[1].split()[:3]
    except OSError:
        return False
    return int(found) == group and state not in "ZX"


def kill_group(process):
    """Kills a program with everything that it has started, and waits until their locks and files are released."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(is_in_group(pid, process.pid) for pid in os.listdir("/proc") if pid.isdigit()),
               "end of a group")


def run(*command, status=0, cwd=None, env=None, stdin=subprocess.DEVNULL):
    """Runs a program to its end; returns its standard output and error."""
    process = start(*command, cwd=cwd, env=env, stdin=stdin, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE)
    output, error = process.communicate(timeout=LIMIT)
    output, error = output.decode(errors="replace"), error.decode(errors="replace")
    equal(process.returncode, status, f"exit status of {' '.join(command)}\n{error}")
    assert not SUSPICIOUS.search(error), error
    return output, error


def wait_until(condition, what, seconds=PATIENCE):
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, f"not in {seconds} s: {what}"
        time.sleep(0.005)


def daemons(word):
    """Returns the processes of gpudumpfs that have the word in one of their arguments."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                words = file.read().decode(errors="replace").split("\0")
        except OSError:
            continue
        if os.path.basename(words[0]) == "gpudumpfs" and any(word in w for w in words[1:]):
            found.append(int(name))
    return found


def processes():
    """Yields (process, its parent, its state, its name as ps shows it) for each process."""
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat") as file, \
                open(f"/proc/{name}/cmdline", "rb") as words:
            state, parent = file.read().rsplit(")", 1)[1].split()[:2]
            yield int(name), int(parent), state, words.read().split(b"\0")[0].decode(errors="replace")


def is_helper(title):
    return title.startswith(("gpudumpfs: ", "gpudump: "))


def helpers(pid):
    """Returns a daemon's helpers by what they do (docs/confinement.md)."""
    return {title.split(": ")[1]: process for process, parent, _, title in processes()
            if parent == pid and is_helper(title)}


def children(pid):
    """Returns the processes that a daemon has had started, except its helpers, with their states."""
    every = list(processes())
    parents = {pid} | {process for process, parent, _, title in every
                       if parent == pid and is_helper(title)}
    return {process: state for process, parent, state, title in every
            if parent in parents and not is_helper(title)}


def kill_with_keeper(mount):
    """Kills a daemon and its keeper at the same time, after which its mount stays, and no longer answers."""
    os.kill(helpers(mount.pid)["keeper"], signal.SIGKILL)
    os.kill(mount.pid, signal.SIGKILL)
    mount.process.wait()


# Mounts.


def is_mounted(place):
    octal = re.sub(r"[ \t\n\\]", lambda c: f"\\{ord(c.group()):03o}", os.path.realpath(place))
    with open("/proc/self/mounts") as file:
        return any(line.split()[1] == octal for line in file)


def mount_line(place):
    octal = re.sub(r"[ \t\n\\]", lambda c: f"\\{ord(c.group()):03o}", os.path.realpath(place))
    with open("/proc/self/mounts") as file:
        return [line.split() for line in file if line.split()[1] == octal][-1]


def unmount(place, *flags, command=("fusermount3", "-u")):
    """Unmounts. Retries while busy: a --list of another test that runs at the same time uses every mount briefly."""
    limit = time.monotonic() + PATIENCE
    while True:
        process = start(*command, *flags, place, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        error = process.communicate(timeout=LIMIT)[1].decode(errors="replace")
        if process.returncode == 0 or "busy" not in error or time.monotonic() > limit:
            break
        time.sleep(0.01)
    equal(process.returncode, 0, f"exit status of {' '.join(command)} {place}\n{error}")


class Mount:
    """A daemon in the foreground. Its log is checked at the end."""

    def __init__(self, dump, *arguments, place=None, stdin=subprocess.DEVNULL):
        self.place = place or tempfile.mkdtemp(prefix="mount.", dir=scratch)
        self.is_folder = "--dir" in arguments  # without .gpudumpfs in its root
        mounts.append(self.place)
        self.log_path = tempfile.mktemp(prefix="log.", dir=scratch)
        with open(self.log_path, "wb") as log:
            self.process = start(GPUDUMPFS, "-f", *arguments, dump, self.place,
                                 stdin=stdin, stdout=log, stderr=log)
        wait_until(self.is_ready, "mount")
        self.pid = self.process.pid

    def is_ready(self):
        assert self.process.poll() is None, f"the daemon has ended\n{self.log()}"
        return is_mounted(self.place) and (
            self.is_folder or os.path.isdir(os.path.join(self.place, ".gpudumpfs")))

    def log(self):
        with open(self.log_path, errors="replace") as file:
            return file.read()

    def __truediv__(self, name):
        return os.path.join(self.place, name)

    def read(self, name):
        with open(self / name, "rb") as file:
            return file.read()

    def figures(self):
        """Returns .gpudumpfs/cache.txt as numbers."""
        lines = self.read(".gpudumpfs/cache.txt").decode().splitlines()
        return {key: int(value) for key, value in (line.split(":") for line in lines)}

    def end(self, how=None):
        """Unmounts, or sends a signal. The daemon must end with status 0."""
        if how is None:
            unmount(self.place)
        else:
            os.kill(self.pid, how)
        equal(self.process.wait(PATIENCE), 0, f"the daemon's exit status\n{self.log()}")
        assert not is_mounted(self.place), "still mounted"
        self.check_log()

    def end_idly(self, how, seconds):
        """Does what end() does, within less than `seconds` of the daemon's processor time."""
        before = children_seconds() + processor_seconds(self.pid)
        self.end(how)
        used = children_seconds() - before
        assert used < seconds, f"{used} s"

    def check_log(self):
        assert not SUSPICIOUS.search(self.log()), self.log()


@contextlib.contextmanager
def mounted(dump, *arguments, **options):
    mount = Mount(dump, *arguments, **options)
    try:
        yield mount
    finally:
        mount.check_log()
    mount.end()


# Dumps.


def example(frames=12):
    """Returns the path of the example dump, cut to `frames` frames."""
    name = path(f"example-{frames}.psxgpu")
    if not os.path.exists(name):
        run(os.path.join(BUILD, "examples", "mkexample"), name, str(frames))
    return name


def packet(kind, *words):
    return struct.pack(f"<{len(words) + 1}I", kind << 24 | len(words), *words)


MAGIC = b"PSXGPUDUMPv1r1\0\0"
GAME = packet(0x10, *struct.unpack("<3I", b"SLUS-01234\0\0"))


DISPLAY = b"".join(packet(0x01, word) for word in
                   (0x08000001, 0x06C60260, 0x07040010, 0x05000000, 0x03000000))
FULL_AREA = packet(0x00, 0xE1000400, 0xE3000000, 0xE407FFFF, 0xE5000000)


def tiny(frames=3):
    """Returns a dump with a tree small enough to be read completely: a draw of each kind in each frame."""
    name = path(f"tiny-{frames}.psxgpu")
    with open(name, "wb") as file:
        file.write(MAGIC + packet(0x06, 2) + GAME + DISPLAY + FULL_AREA)
        file.write(packet(0x05))
        for frame in range(frames):
            file.write(packet(0x00, 0x02204060 + frame, 0, 0x00F00140))
            file.write(packet(0x00, 0xA0000000, 0x00000140, 0x00020004, *range(0x8000, 0x8004)))
            file.write(packet(0x00, 0x2C808080, 0x00100010 + frame, 0, 0x00100050, 0x00050002,
                              0x00500010, 0x0100, 0x00500050, 0x0102))
            file.write(packet(0x00, 0x50FF0000, 0x00600010, 0x0000FF00, 0x00A000A0 + frame))
            file.write(packet(0x00, 0x62FFFFFF, 0x00200020, 0x00200020))
            file.write(packet(0x00, 0x80000000, 0x00100010, 0x00000180, 0x00200020))
            file.write(packet(0x00, 0xC0000000, 0, 0x00010002) + packet(0x04, 1))
            file.write(packet(0x02, (frame + 1) * 564480))
    return name


def small_dump(frames):
    """Returns the bytes of such a dump with a small drawing area, so that masks of draws cost little."""
    area = packet(0x00, 0xE1000400, 0xE3000000, 0xE4000000 | 47 << 10 | 63, 0xE5000000)
    with open(tiny(frames), "rb") as file:
        data = file.read()
    assert data.count(FULL_AREA) == 1 and len(area) == len(FULL_AREA)
    return data.replace(FULL_AREA, area)


def numbered_dumps(count, folder):
    """Writes `count` such dumps of one frame, which all differ, to a folder; returns their paths."""
    data, names = bytearray(small_dump(1)), []
    for number in range(count):
        data[-40:-36] = struct.pack("<I", 0x80000000 + number)
        names.append(os.path.join(folder, f"{number:03}.psxgpu"))
        with open(names[-1], "wb") as file:
            file.write(data)
    return names


def write_heavy(name, frames, quads):
    """Writes a dump of quads, each of which is blended over all of VRAM."""
    with open(name, "wb") as file:
        file.write(MAGIC + packet(0x06, 2) + packet(0x05) + DISPLAY + FULL_AREA)
        for frame in range(frames):
            for i in range(quads):
                colour = (frame * 7 + i) & 0x1F1F1F
                file.write(packet(0x00, 0x3A000000 | colour, 0, 0x00FF00, 0x000003FF, 0xFF0000,
                                  0x01FF0000, 0x0000FF, 0x01FF03FF))
            file.write(packet(0x02, (frame + 1) * 564480))
    return name


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        ticks = sum(int(word) for word in file.read().rsplit(")", 1)[1].split()[11:13])
    return ticks / os.sysconf("SC_CLK_TCK")


@functools.cache
def quad_seconds():
    """Returns what such a quad costs on this machine, in this build: with a sanitizer a hundred times more."""
    name, before = write_heavy(path("one.psxgpu"), 1, 20), children_seconds()
    run(GPUDUMP, "cat", name, "frames/000000.png")
    return (children_seconds() - before) / 20


UNLIMITED = "-o", "max-seconds=0"  # for what takes longer than a dump of its size may


@functools.cache
def heavy(seconds):
    """Returns a dump of six frames whose last takes about `seconds` to render from scratch: see UNLIMITED."""
    quads = max(1, round(seconds / 6 / quad_seconds()))
    return write_heavy(path(f"heavy-{seconds}.psxgpu"), 6, quads)


def sanitized():
    """Returns whether the programs were built with a sanitizer, which takes memory and time."""
    with open(GPUDUMPFS, "rb") as file:
        data = file.read()
    return b"__asan_init" in data or b"__tsan_init" in data


def formats():
    """Returns the rows of the list of formats: name, title, files, writer, and perhaps `no pictures`."""
    with open(os.path.join(SOURCE, "src", "formats", "formats.m4")) as rows:
        return [re.findall(r"\[(.*?)\]", row) for row in rows if row.startswith("GPUDUMPFS_FORMAT(")]


WRITERS = {row[0]: row[3] for row in formats()}  # the program that writes an example, by the format's name
PICTURELESS = {row[0] for row in formats() if "no pictures" in row}


def dump_of(name, frames):
    """Returns the path of a dump of `frames` frames, written by the format's own writer."""
    dump = path(f"{name}-{frames}.dump")
    if not os.path.exists(dump):
        run(os.path.join(BUILD, "examples", WRITERS[name]), dump, str(frames))
    return dump


@functools.cache
def dumps(frames=6):
    """Returns a dump of each format that this build has, by the format's name. GAPIR's is a folder."""
    found = {}
    for name, writer in WRITERS.items():
        if not os.path.exists(os.path.join(BUILD, "examples", writer)):
            continue
        dump = dump_of(name, frames)
        if start(GPUDUMP, "-q", "info", dump, stdout=subprocess.DEVNULL,
                 stderr=subprocess.DEVNULL).wait(LIMIT) == 0:
            found[name] = dump
    assert "psx" in found and "vma" in found, found
    return found


def numpy_program():
    """Returns a Python that has NumPy, such as Debian's; skips the test if there is none."""
    for program in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([program, "-c", "import numpy"], capture_output=True).returncode == 0:
            return program
    if os.environ.get("GPUDUMPFS_REQUIRE_CLIENTS") == "1":
        assert False, "python3-numpy is not installed"
    return skip("python3-numpy is not installed")


# What mounts hold.


def memory(pid):
    """Returns the bytes of memory that belong to the process alone."""
    with open(f"/proc/{pid}/status") as file:
        lines = dict(line.split(":", 1) for line in file)
    return sum(int(lines[key].split()[0]) << 10 for key in ("RssAnon", "RssShmem"))


def read_everything(mount, most=None):
    """
    Checks that all files, or `most` of each folder, have their announced size, or fail with EIO.
    In the second case problems.txt must not be empty.
    """
    failed = 0
    for folder, _, files in os.walk(mount.place):
        for name in files[:most]:
            name = os.path.join(folder, name)
            try:
                size = os.stat(name).st_size
                with open(name, "rb") as file:
                    equal(len(file.read()), size, name)
            except OSError as error:
                assert not stat.S_ISLNK(os.lstat(name).st_mode) and error.errno == 5, (name, error)
                failed += 1
    assert failed == 0 or mount.read("problems.txt") != b""


def read_all_or_eio(mount):
    """
    Reads eight files of each folder, which must give their bytes, fail with EIO, or no longer
    exist. Returns the number of those that gave no bytes.
    """
    failed = 0
    for folder, _, files in os.walk(mount.place):
        for name in files[:8]:
            try:
                mount.read(os.path.relpath(os.path.join(folder, name), mount.place))
            except OSError as error:
                assert error.errno in (errno.EIO, errno.ENOENT), f"{name}: {error}"
                failed += 1
    return failed


# Running.


def missing_fuse():
    """Returns why nothing can be mounted here, or None if mounting is possible or required."""
    if os.environ.get("GPUDUMPFS_REQUIRE_FUSE") == "1":
        return None
    if not os.access("/dev/fuse", os.R_OK | os.W_OK):
        return "/dev/fuse cannot be opened"
    if shutil.which("fusermount3") is None:
        return "fusermount3 is not installed"
    return None


def need_fuse():
    """Ends the script, as skipped, if nothing can be mounted."""
    missing = missing_fuse()
    if missing:
        print(f"1..0 # SKIP {missing}")
        sys.exit(0)


def clean():
    """Kills what a test has started, and unmounts its mounts. Returns whether a daemon was left."""
    left = False
    for process in groups:
        if process.poll() is None:
            left = left or "gpudumpfs" in os.path.basename(process.args[0])
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    groups.clear()
    for pid in daemons(scratch):
        left = True
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    for place in mounts:
        for _ in range(4 if is_mounted(place) else 0):
            left = True
            subprocess.run(["fusermount3", "-u", "-z", place], stderr=subprocess.DEVNULL)
    mounts.clear()
    return left


def stop(*_):
    raise TimeLimit(f"longer than {LIMIT} s")


def threads_of(pid):
    """Yields a line for each thread of a process: its name, state and processor time, and where it waits."""
    for thread in sorted(os.listdir(f"/proc/{pid}/task"), key=int):
        with contextlib.suppress(OSError):
            with open(f"/proc/{pid}/task/{thread}/stat") as file:
                name, words = file.read().split("(", 1)[1].rsplit(")", 1)
            with open(f"/proc/{pid}/task/{thread}/wchan") as file:
                place = file.read()
            state, ticks = words.split()[0], sum(int(word) for word in words.split()[11:13])
            yield f"{pid}/{thread} {name} {state} {ticks / os.sysconf('SC_CLK_TCK'):.2f} s {place}"


def what_goes_on():
    """Yields, for a failed test, what its daemons and their children are doing, and the machine's load."""
    yield f"load {' '.join(map(str, os.getloadavg()))}"
    for daemon in daemons(scratch):
        for pid in (daemon, *children(daemon)):
            with contextlib.suppress(OSError):
                yield from threads_of(pid)


def run_one(number, function):
    name = function.__name__.replace("_", " ")
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    try:
        function()
        assert not daemons(scratch), "a daemon is left"
        print(f"ok {number} - {name}")
        return True
    except Skipped as reason:
        print(f"ok {number} - {name} # SKIP {reason}")
        return True
    except Exception:
        print(f"not ok {number} - {name}")
        said = [*what_goes_on(), *traceback.format_exc().splitlines()]
        print("\n".join("# " + line for line in said))
        return False
    finally:
        signal.alarm(0)
        clean()
        sys.stdout.flush()


def main():
    """Runs the script's tests, or those named by its arguments."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    chosen = [t for t in tests if len(sys.argv) == 1 or t.__name__ in sys.argv[1:]]
    if not chosen:
        sys.exit("Bail out! there is no such test")
    try:
        print(f"1..{len(chosen)}")
        good = [run_one(i + 1, function) for i, function in enumerate(chosen)]
    finally:
        clean()
    sys.exit(0 if all(good) else 1)
