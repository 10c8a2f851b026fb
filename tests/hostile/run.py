#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py [-bku] [-o TABLE] [CASE...]: mounts hostile dumps, reads what they attack, and then some of
all other files, and reports what each took from the machine. The limits are in docs/hostile.md.

The processor time of single requests, memory and the spool are judged, and whether the daemon
survives and unmounts; the time on the clock never is. If a request exceeds its limit, its reader is
killed, so that a run ends whatever the dump contains. The output is TAP; a case in todo.tsv may fail.
"""
import argparse
import contextlib
import ctypes
import errno
import fcntl
import fnmatch
import glob
import itertools
import os
import re
import resource
import select
import signal
import stat
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "../support")]
from make import CASES, write  # noqa: E402
from mountlib import (BUILD, GPUDUMPFS, SUSPICIOUS, Mount, clean, groups, is_mounted, missing_fuse, mounts,  # noqa: E402
                      path, sanitized, start)

SECONDS = 5.0           # limit on a request's processor time
OF_ALL = {"contact-sheet.png": 4, "timeline.png": 4, "near-frames.tsv": 4}  # times that: src/tree/picture_batch.h
MEMORY = 512 << 20      # limit for the daemon and its workers, together
SPOOL = (1 << 30) + (1 << 20)  # bytes to which a container may expand, and the file system's overhead
AFTER = 0.1             # limit on processor time from 0.1 s to 1.1 s after a reader was killed
KILL = 0.3              # processor time after which -k kills a request's reader
ENOUGH = 2.0            # processor time of a case after which a brief run leaves it
STUCK = 60              # seconds on the clock after which a request that does nothing is given up
LISTED = 3000           # names that are read of a folder, …
LOOKED = 12             # … and those of them that are examined
MATCHES = 2             # files that are read for a pattern, …
FOLDERS = 400           # … or for a pattern of the dumps in a folder
WALKED = 150            # names of the complete tree
FIRST, LAST = 1 << 20, 64 << 10  # bytes that are read at a file's beginning and end
CRASHED = re.compile(rb"worker died \((Segmentation|Aborted|Bus|Illegal|Floating)")
TICK = os.sysconf("SC_CLK_TCK")
TODO = os.path.join(HERE, "todo.tsv")
COLUMNS = ("case", "holds", "bytes", "mount_cpu_s", "mount_clock_s", "worst_cpu_s", "worst", "total_cpu_s",
           "after_kill_s", "memory_mib", "daemon_hwm_mib", "worker_hwm_mib", "spool_mib", "spool_apparent_mib",
           "unmount_clock_s", "missing", "why")


# The processes of a mount.


def status_of(pid):
    """Returns some fields of /proc/PID/status by name, in kilobytes; empty if the process has gone."""
    try:
        with open(f"/proc/{pid}/status") as file:
            return {key: int(rest.split()[0]) for key, _, rest in (line.partition(":") for line in file)
                    if key in ("PPid", "RssAnon", "RssShmem", "VmHWM")}
    except (OSError, ValueError, IndexError):
        return {}


def ticks_of(pid):
    """Returns session, parent and ticks of the process, with those of its children that have ended, or None."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
    except OSError:
        return None
    return int(fields[3]), int(fields[1]), sum(int(word) for word in fields[11:15])


def spool_of(pid):
    """Returns the bytes on disk, and the apparent size, of files without a name that it has open or mapped."""
    found = {}
    for folder in ("fd", "map_files"):
        try:
            names = os.listdir(f"/proc/{pid}/{folder}")
        except OSError:
            continue
        for name in names:
            with contextlib.suppress(OSError):
                link = f"/proc/{pid}/{folder}/{name}"
                if "(deleted)" in os.readlink(link) and not os.readlink(link).startswith("/memfd:"):
                    status = os.stat(link)
                    if stat.S_ISREG(status.st_mode):
                        found[status.st_dev, status.st_ino] = (status.st_blocks * 512, status.st_size)
    return tuple(sum(sizes) for sizes in zip((0, 0), *found.values()))


class Watch:
    """What a daemon and everything that it has started take from the machine."""

    def __init__(self, pid):
        self.pid, self.known = pid, {pid}
        self.last, self.gone = {}, 0
        self.memory = self.daemon_peak = self.worker_peak = 0
        self.spool = self.apparent = 0
        self.find_time = self.spool_time = 0.0
        self.sample()

    def find(self):
        """Finds children of known processes, and everything in the daemon's session."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            pid = int(name)
            if pid not in self.known:
                found = ticks_of(pid)
                if found is not None and (found[0] == self.pid or found[1] in self.known):
                    self.known.add(pid)

    def sample(self):
        if time.monotonic() - self.find_time > 0.1:
            self.find_time = time.monotonic()
            self.find()
        anonymous = shared = 0
        for pid in list(self.known):
            status = status_of(pid)
            anonymous += status.get("RssAnon", 0)
            shared = max(shared, status.get("RssShmem", 0))
            if pid == self.pid:
                self.daemon_peak = max(self.daemon_peak, status.get("VmHWM", 0))
            else:
                self.worker_peak = max(self.worker_peak, status.get("VmHWM", 0))
        self.memory = max(self.memory, (anonymous + shared) << 10)
        if time.monotonic() - self.spool_time > 0.1:
            self.spool_time = time.monotonic()
            sizes = [spool_of(pid) for pid in self.known]
            self.spool = max(self.spool, sum(size[0] for size in sizes))
            self.apparent = max(self.apparent, sum(size[1] for size in sizes))
        return self.seconds()

    def kill(self):
        for pid in self.known:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def seconds(self):
        """Returns the processor time so far. That of a child passes to its parent when the parent waits for it."""
        total = 0
        for pid in list(self.known):
            found = ticks_of(pid)
            if found is not None:
                self.last[pid] = found[2]
                total += found[2]
            elif pid != self.pid:
                self.known.discard(pid)
        self.gone = max(self.gone, total)
        return self.gone / TICK


# What readers do, in processes of their own.


def entries(folder, tell):
    """Returns some names of a folder, as a program that lists it gets them."""
    tell(folder)
    with os.scandir(folder) as found:
        return sorted(entry.name for entry in itertools.islice(found, LISTED))


def expand(place, pattern, tell):
    """Returns the names that match a pattern, folder by folder."""
    found = [place]
    for part in pattern.split("/"):
        if not part:
            continue
        if any(letter in part for letter in "*?"):
            found = [os.path.join(folder, name) for folder in found if os.path.isdir(folder)
                     for name in entries(folder, tell) if fnmatch.fnmatchcase(name, part)]
            found = found[:FOLDERS if part == "*" and pattern.startswith("*/") else MATCHES]
        else:
            found = [os.path.join(folder, part) for folder in found if os.path.isdir(folder)]
    return found


def look_at_folder(folder, tell):
    names = entries(folder, tell)
    for name in names[:LOOKED // 2] + names[-(LOOKED // 2):]:
        tell(os.path.join(folder, name))
        os.lstat(os.path.join(folder, name))


def look_at(name, tell):
    """Reads a file's size, beginning, middle and end; or a folder's names, and some of their sizes."""
    tell(name)
    status = os.stat(name)
    if stat.S_ISDIR(status.st_mode):
        return look_at_folder(name, tell)
    with open(name, "rb", buffering=0) as file:
        read_part(file, 0, FIRST)
        if status.st_size > FIRST:
            read_part(file, status.st_size // 2, LAST)
            read_part(file, max(status.st_size - LAST, 0), LAST)


def read_part(file, offset, size):
    end = offset + size
    while offset < end:
        part = os.pread(file.fileno(), min(128 << 10, end - offset), offset)
        if not part:
            return
        offset += len(part)


def walk(place, tell):
    """Does what `ls -lR` and `grep -r` do, for WALKED names, and for some of each folder."""
    left, folders = WALKED, [place]
    while folders and left > 0:
        folder = folders.pop(0)
        try:
            names = entries(folder, tell)
        except OSError:
            continue
        for name in names if folder == place else names[:4] + names[-2:]:
            left -= 1
            name = os.path.join(folder, name)
            tell(name)
            with contextlib.suppress(OSError):
                status = os.lstat(name)
                if stat.S_ISDIR(status.st_mode):
                    folders.append(name)
                elif stat.S_ISREG(status.st_mode):
                    with open(name, "rb", buffering=0) as file:
                        read_part(file, 0, LAST)


def find_crash(place, tell):
    """Fails if a worker has crashed."""
    tell(os.path.join(place, "problems.txt"))
    text = b""
    with contextlib.suppress(OSError), open(os.path.join(place, "problems.txt"), "rb") as file:
        text = file.read(4 << 20)
    if CRASHED.search(text):
        raise OSError(errno.ENOTRECOVERABLE, os.strerror(errno.ENOTRECOVERABLE))


def read_in_child(work):
    """Starts a reader; returns its process and a pipe with the names that it reads."""
    inlet, outlet = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setpgid(0, 0)
        os.close(inlet)
        status = 1
        try:
            work(lambda name: os.write(outlet, os.fsencode(name)[:3000].replace(b"\n", b"?") + b"\n"))
            status = 0
        except OSError as error:
            status = error.errno or 1
        finally:
            os._exit(status)
    os.close(outlet)
    return pid, inlet


# A run.


class Result:
    """What was measured for a case, and why it does not hold. `brief`: the case is left after one
    reason, or after ENOUGH processor time. `kill`: a request's reader is killed after KILL."""

    def __init__(self, case, brief, kill):
        self.case, self.brief, self.kill, self.why = case, brief, kill, []
        self.values = dict.fromkeys(COLUMNS, "")
        self.values.update(case=case.name, bytes=0, mount_cpu_s=0.0, mount_clock_s=0.0, worst_cpu_s=0.0, worst="-",
                           total_cpu_s=0.0, after_kill_s="", unmount_clock_s=0.0)
        self.missing = []

    def __setitem__(self, name, value):
        self.values[name] = value

    def worst(self, seconds, name):
        if seconds > self.values["worst_cpu_s"]:
            self.values.update(worst_cpu_s=seconds, worst=name)

    def fail(self, why):
        if why not in self.why:
            self.why.append(why)

    def finish(self, watch):
        mib = 1 << 20
        self.values.update(total_cpu_s=watch.seconds(), memory_mib=watch.memory // mib,
                           daemon_hwm_mib=watch.daemon_peak >> 10, worker_hwm_mib=watch.worker_peak >> 10,
                           spool_mib=watch.spool // mib, spool_apparent_mib=watch.apparent // mib)
        if watch.memory > MEMORY:
            self.fail(f"memory {watch.memory // mib} MiB")
        if watch.spool > SPOOL:
            self.fail(f"spool {watch.spool // mib} MiB")

    def row(self):
        values = dict(self.values, holds="no" if self.why else "yes", why="; ".join(self.why) or "-",
                      missing=" ".join(self.missing) or "-")
        return "\t".join("%.2f" % value if isinstance(value, float) else str(value)
                         for value in (values[column] for column in COLUMNS))


def follow(watch, result, place, work, daemon):
    """Follows a reader until it ends or exceeds a request's limit. Returns its errno, or None if it was killed."""
    pid, inlet = read_in_child(work)
    current, since, clock = place, watch.sample(), time.monotonic()
    used, pending, reader_status = since, b"", None
    try:
        while reader_status is None:
            told = select.select([inlet], [], [], 0.01)[0]
            seconds = watch.sample()
            if seconds > used:
                used, clock = seconds, time.monotonic()
            if told:
                data = os.read(inlet, 1 << 16)
                if data:
                    result.worst(seconds - since, os.path.relpath(current, place))
                    names = (pending + data).split(b"\n")
                    pending, current = names[-1], os.fsdecode(names[-2]) if len(names) > 1 else current
                    since, clock = seconds, time.monotonic()
                    continue
                reader_status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            limit = SECONDS * OF_ALL.get(os.path.basename(current), 1)
            over = seconds - since > (KILL if result.kill else limit)
            greedy = watch.memory > 2 * MEMORY
            if daemon.poll() is not None or over or greedy or time.monotonic() - clock > STUCK:
                shown = os.path.relpath(current, place)
                if daemon.poll() is None and not greedy and not (over and result.kill):
                    result.fail(f"{shown}: {seconds - since:.1f} s" if over else f"{shown}: waits for {STUCK} s")
                break
    finally:
        os.close(inlet)
        if reader_status is None:
            leave(watch, result, pid, os.path.relpath(current, place))
        result.worst(watch.sample() - since, os.path.relpath(current, place))
    return reader_status


def leave(watch, result, pid, shown):
    """Kills a reader; measures what its request still takes from 0.1 s to 1.1 s after that."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    time.sleep(0.1)
    before, end = watch.sample(), time.monotonic() + 1
    while time.monotonic() < end:
        time.sleep(0.02)
        watch.sample()
        if watch.memory > 4 * MEMORY:  # before the machine has none left
            watch.kill()
    after = watch.sample() - before
    result["after_kill_s"] = max(result.values["after_kill_s"] or 0.0, after)
    if after > AFTER:
        result.fail(f"{shown}: {after:.2f} s after its reader was killed")
    end = time.monotonic() + STUCK
    while os.waitpid(pid, os.WNOHANG)[0] == 0:
        if time.monotonic() > end:
            result.fail("a killed reader does not end")
            break
        time.sleep(0.01)
        watch.sample()


def wait_for_mount(watch, result, daemon, place):
    """Returns whether the dump was mounted. It may also be refused, but not by a crash."""
    begin = time.monotonic()
    while not (is_mounted(place) or daemon.poll() is not None):
        seconds = watch.sample()
        if seconds > SECONDS or watch.memory > 2 * MEMORY:
            result.fail(f"the mount: {seconds:.1f} s")
            return False
        if time.monotonic() - begin > STUCK:
            result.fail(f"the mount: waits for {STUCK} s")
            return False
        time.sleep(0.005)
    result["mount_clock_s"] = time.monotonic() - begin
    result["mount_cpu_s"] = watch.sample()
    result.worst(result.values["mount_cpu_s"], "the mount")
    if daemon.poll() is None:
        return True
    if daemon.poll() < 0:
        result.fail(f"the mount ended by signal {-daemon.poll()}")
    return False


def settle(watch):
    """Waits until the mount has done the work that no reader waits for."""
    end, before = time.monotonic() + STUCK, -1.0
    while time.monotonic() < end and watch.sample() > before:
        before = watch.sample()
        time.sleep(0.3)


def limited(case, group):
    """Returns what the daemon's process does before it executes the daemon."""
    def limit():
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for name, value in case.limits.items():
            if name == "CGROUP":
                with open(os.path.join(group, "cgroup.procs"), "w") as file:
                    file.write("0")
            else:
                resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
    return limit


@contextlib.contextmanager
def control_group(case):
    """Gives the folder of a control group with the case's limit on memory, or None if the case has no such limit."""
    size = case.limits.get("CGROUP")
    if size is None:
        yield None
        return
    group = tempfile.mkdtemp(prefix="gpudumpfs-test.", dir=CGROUPS[0])
    try:
        with open(os.path.join(group, CGROUPS[1]), "w") as file:
            file.write(str(size))
        yield group
    finally:
        for _ in range(100):  # killed processes may take a while to end
            with contextlib.suppress(OSError):
                os.rmdir(group)
                break
            time.sleep(0.05)


def cgroups():
    """Returns where control groups are made, and the file that limits their memory, or None if that is impossible."""
    for folder, name in (("/sys/fs/cgroup/memory", "memory.limit_in_bytes"), ("/sys/fs/cgroup", "memory.max")):
        with contextlib.suppress(OSError):
            probe = tempfile.mkdtemp(prefix="gpudumpfs-test.", dir=folder)
            found = os.path.exists(os.path.join(probe, name))
            os.rmdir(probe)
            if found:
                return folder, name
    return None


CGROUPS = cgroups()


@contextlib.contextmanager
def daemon_of(case, dump, place, group):
    """Gives the daemon, in the foreground and in a session of its own, and its log."""
    spool = tempfile.mkdtemp(prefix="spool.", dir=path())
    log = tempfile.TemporaryFile("w+", dir=path(), errors="replace")
    environment = dict(os.environ, TMPDIR=spool)
    if case.preload:
        environment["LD_PRELOAD"] = os.path.join(BUILD, "tests/hostile", case.preload)
    daemon = subprocess.Popen((GPUDUMPFS, "-f", "-o", "shader-cache=no", *case.options, dump, place),
                              start_new_session=True, preexec_fn=limited(case, group), stdin=subprocess.DEVNULL,
                              stdout=log, stderr=log, env=environment)
    groups.append(daemon)
    mounts.append(place)
    try:
        yield daemon, log
    finally:
        if daemon.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(daemon.pid, signal.SIGKILL)
            daemon.wait()
        subprocess.run(("fusermount3", "-u", "-z", place), stderr=subprocess.DEVNULL)
        log.close()


def unmount(watch, result, daemon, place):
    begin = clock = time.monotonic()
    used = watch.sample()
    process = start("fusermount3", "-u", place, stderr=subprocess.DEVNULL)
    while process.poll() is None or daemon.poll() is None:
        if time.monotonic() - clock > STUCK:
            result.fail(f"not unmounted in {STUCK} s")
            return
        if process.poll() not in (None, 0):  # busy: a reader that was killed has not ended yet
            time.sleep(0.1)
            process = start("fusermount3", "-u", place, stderr=subprocess.DEVNULL)
        seconds = watch.sample()
        if seconds > used:
            used, clock = seconds, time.monotonic()
        time.sleep(0.005)
    result["unmount_clock_s"] = time.monotonic() - begin


def read_case(case, watch, result, daemon, place):
    for pattern in case.files:
        def look(tell, pattern=pattern):
            failed, found = [], 0
            for name in expand(place, pattern, tell):
                try:
                    look_at(name, tell)
                    found += 1
                except OSError as error:
                    failed.append(error)
            failed.sort(key=lambda error: error.errno == errno.ENOENT)
            if not found or (failed and failed[0].errno != errno.ENOENT):
                raise failed[0] if failed else FileNotFoundError(errno.ENOENT, pattern)
        status = follow(watch, result, place, look, daemon)
        if daemon.poll() is not None or (result.brief and (result.why or watch.sample() > ENOUGH)):
            return
        if status == errno.ENOENT:
            result.missing.append(pattern)
        elif status not in (0, None, errno.EIO, errno.EFBIG, errno.ENOMEM, errno.EMFILE, errno.ESTALE):
            result.fail(f"{pattern}: {os.strerror(status)}")
    follow(watch, result, place, lambda tell: walk(place, tell), daemon)
    if follow(watch, result, place, lambda tell: find_crash(place, tell), daemon) == errno.ENOTRECOVERABLE:
        result.fail("the graphics worker has crashed")


def run_case(case, brief=False, kill=False):
    """Mounts, reads and unmounts; returns the result."""
    result = Result(case, brief, kill)
    dump, place = write(case, path("dumps")), tempfile.mkdtemp(prefix="mount.", dir=path())
    result["bytes"] = sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(dump)
                          for name in names) if os.path.isdir(dump) else os.path.getsize(dump)
    with EVENTS[case.event](dump) as (dump, befall), control_group(case) as group, \
            daemon_of(case, dump, place, group) as (daemon, log):
        watch = Watch(daemon.pid)
        if wait_for_mount(watch, result, daemon, place):
            befall(place)
            if kill:
                settle(watch)
            read_case(case, watch, result, daemon, place)
            if daemon.poll() is None:
                unmount(watch, result, daemon, place)
            result.finish(watch)
            if daemon.poll() not in (0, None):
                result.fail(f"the daemon has ended: {daemon.poll()}")
        else:
            result.finish(watch)
        log.seek(0)
        if SUSPICIOUS.search(log.read()):
            result.fail("its log tells of a defect")
    return result


# What happens to a mount.


def nothing(_):
    pass


@contextlib.contextmanager
def no_event(dump):
    yield dump, nothing


@contextlib.contextmanager
def locked(dump):
    """Another process holds a lock of the dump."""
    with open(dump, "rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        fcntl.lockf(os.open(dump, os.O_RDWR), fcntl.LOCK_EX)
        yield dump, nothing


@contextlib.contextmanager
def no_watches(dump):
    """All of the user's inotify descriptors are in use."""
    library, taken = ctypes.CDLL(None, use_errno=True), []
    while (taken_one := library.inotify_init1(os.O_CLOEXEC)) >= 0:
        taken.append(taken_one)
    try:
        yield dump, nothing
    finally:
        for descriptor in taken:
            os.close(descriptor)


@contextlib.contextmanager
def odd_times(dump):
    """The dump's time is far in the future or the past, and changes."""
    os.utime(dump, ns=((1 << 62), (1 << 62)))

    def befall(place):
        for when in (-(1 << 61), 0, (1 << 62) + 5):
            os.utime(dump, ns=(when, when))
            with contextlib.suppress(OSError):
                os.stat(os.path.join(place, "metadata.txt"))
    yield dump, befall


@contextlib.contextmanager
def touched(dump):
    """The dump is touched and written, with its own bytes, without a pause."""
    pid = os.fork()
    if pid == 0:
        with open(dump, "r+b") as file:
            data = file.read()
            while True:
                os.pwrite(file.fileno(), data[:64], 0)
                os.utime(dump)
    try:
        yield dump, nothing
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


@contextlib.contextmanager
def below_fails(trace):
    """The dump is a blob of a trace in the mount of another daemon, which is killed."""
    outer = Mount(trace)

    def befall(_):
        os.kill(outer.pid, signal.SIGKILL)
        outer.process.wait()
    try:
        yield glob.glob(outer / "blobs/*")[0], befall
    finally:
        subprocess.run(("fusermount3", "-u", "-z", outer.place), check=True)


EVENTS = {"": no_event, "locked": locked, "no watches": no_watches, "odd times": odd_times, "touched": touched,
          "below fails": below_fails}


# Reports.


def todo():
    """Returns the cases that do not hold yet, and why."""
    with open(TODO) as file:
        rows = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    for name, _ in rows:
        assert name in CASES, f"todo.tsv: there is no {name}"
    return dict(rows)


def update_todo(results):
    """Rewrites todo.tsv for the cases that were run."""
    rows = todo()
    for result in results:
        rows.pop(result.case.name, None)
        if result.why:
            rows[result.case.name] = "; ".join(result.why)
    with open(TODO, "w") as file:
        file.write("# Cases that do not hold yet, and what they took; `run.py -bu` writes it anew.\n")
        file.writelines(f"{name}\t{rows[name]}\n" for name in CASES if name in rows)


def tell(number, result, expected):
    """Prints a line of TAP; returns whether it is as expected. A case in todo.tsv may hold on a faster machine."""
    name, why = result.case.name, "; ".join(result.why)
    figures = "%.2f s (%s), %s MiB, spool %s MiB" % (result.values["worst_cpu_s"], result.values["worst"],
                                                  result.values["memory_mib"], result.values["spool_mib"])
    if result.values["after_kill_s"] != "":
        figures += ", %.2f s after a kill" % result.values["after_kill_s"]
    line = f"{'not ok' if why else 'ok'} {number} - {name}: {figures}".replace("#", "?")
    if why and name in expected:
        line += f" # TODO {expected[name]}"
    print(line)
    if name in expected and not why:
        print("# it holds: todo.tsv may forget it")
    for each in result.why:
        print(f"# {each}")
    if result.missing:
        print(f"# not there: {' '.join(result.missing)}")
    sys.stdout.flush()
    return not why or name in expected


def run(cases, brief=False, kill=False, update=False, output=None, before=()):
    """Runs other checks, and then all cases; returns whether everything went as expected."""
    expected = todo()
    print(f"1..{len(before) + len(cases)}", flush=True)
    good, results = all([check() for check in before]), []
    if output:
        print("\t".join(COLUMNS), file=output, flush=True)
    for number, case in enumerate(cases, 1 + len(before)):
        if "CGROUP" in case.limits and CGROUPS is None:
            print(f"ok {number} - {case.name} # SKIP no control groups of memory, or not root's")
            continue
        try:
            result = run_case(case, brief, kill)
        finally:
            clean()
        if output:
            print(result.row(), file=output, flush=True)
        results.append(result)
        good = tell(number, result, expected) and good
    if update:
        update_todo(results)
    return good


def main(arguments, before=()):
    """Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-b", action="store_true", help="leave a case when it does not hold, or has used some time")
    parser.add_argument("-k", action="store_true", help="kill each reader whose request takes long, and judge what goes on")
    parser.add_argument("-o", metavar="TABLE", type=argparse.FileType("w"), help="write all figures")
    parser.add_argument("-u", action="store_true", help="write todo.tsv anew for the cases that are run")
    parser.add_argument("cases", nargs="*", metavar="CASE")
    given = parser.parse_args(arguments)
    missing = missing_fuse() or (sanitized() and "a sanitizer takes time and memory of its own")
    if missing:
        print(f"1..0 # SKIP {missing}")
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    unknown = [name for name in given.cases if name not in CASES]
    if unknown:
        parser.error(f"there is no case {unknown[0]}; make.py has a list")
    chosen = [CASES[name] for name in given.cases] or [case for case in CASES.values() if case.quick]
    return 0 if run(chosen, given.b, given.k, given.u, given.o, before) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
