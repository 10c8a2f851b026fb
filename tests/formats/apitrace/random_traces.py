#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_traces.py GPUDUMP FOLDER COUNT [FIRST]: writes COUNT random traces with all versions,
types of values and orders of events, and compares gpudump's text of each with that of `apitrace
dump`. A trace depends only on its number."""
import gzip
import random
import struct
import subprocess
import sys

NAMES = ['glDrawArrays', 'glXSwapBuffers', 'glGetString', 'eglSwapBuffers', 'glBegin', 'f',
         'IDirect3DDevice9::Present']
MODES = {'calls.txt': [], 'calls-raw.txt': [], 'calls-verbose.txt': ['-v', '--thread-ids=yes'],
         'calls-oneline.txt': ['--multiline=no']}


def number(value):
    out = b''
    while value >= 0x80:
        out += bytes([value & 0x7f | 0x80])
        value >>= 7
    return out + bytes([value])


def string(value):
    value = value.encode() if isinstance(value, str) else value
    return number(len(value)) + value


def strings(values):
    return number(len(values)) + b''.join(string(value) for value in values)


def signed(value):
    return b'\3' + number(-value) if value < 0 else b'\4' + number(value)


class Trace:
    def __init__(self, seed):
        self.random = pick = random.Random(seed)
        self.version = pick.choice([0, 1, 2, 3, 4, 5, 6, 6, 6])
        self.defined = set()
        self.calls = 0
        self.functions = [(n, pick.choice(NAMES), ['a%d' % k for k in range(pick.randrange(5))])
                          for n in range(12)] + [(12, 'glGetError', [])]
        self.enums = [[('E%d_%d' % (n, k), pick.choice([0, 1, 2, 3, -1, -5, 7, 1 << 31]))
                       for k in range(pick.randrange(5))] for n in range(4)]
        self.masks = [[('M%d_%d' % (n, k), pick.choice([0, 1, 2, 4, 3, 8, 16, 1 << 40]))
                       for k in range(pick.randrange(6))] for n in range(4)]
        self.structs = [['m%d' % k for k in range(pick.randrange(5))] for n in range(4)]
        self.structs.append(['p', '', 'q'])  # a member without a name, which is a struct

    def identified(self, kind, number_of, definition):
        new = (kind, number_of) not in self.defined
        self.defined.add((kind, number_of))
        return number(number_of) + (definition if new else b'')

    def struct_value(self, which, depth):
        members = self.structs[which]
        out = b'\x0c' + self.identified('struct', which, string('S%d' % which) + strings(members))
        for member in members:
            out += self.value(depth + 1) if member else self.struct_value(0, depth + 1)
        return out

    def enum_value(self):
        which = self.random.randrange(4)
        names = self.enums[which]
        if self.version < 3:
            if not names:
                return b'\0'
            n = self.random.randrange(len(names))
            one = string(names[n][0]) + signed(names[n][1])
            return b'\x09' + self.identified('enum', 16 * which + n, one)
        every = number(len(names)) + b''.join(string(n) + signed(v) for n, v in names)
        return (b'\x09' + self.identified('enum', which, every) +
                signed(self.random.choice([0, 1, 2, 3, -1, -5, 7, 1 << 31, 55, -77])))

    def mask_value(self):
        which = self.random.randrange(4)
        names = self.masks[which]
        every = number(len(names)) + b''.join(string(n) + number(v) for n, v in names)
        return (b'\x0a' + self.identified('mask', which, every) +
                number(self.random.choice([0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 1 << 40, 1 << 41 | 1])))

    def single(self):
        pick = self.random
        if pick.random() < 0.5:
            return struct.pack('<I', pick.getrandbits(32))
        return struct.pack('<f', pick.choice([0.1, 1, 100, 1e7, pick.uniform(-5, 5),
                                              pick.uniform(-1e6, 1e6)]))

    def double(self):
        pick = self.random
        if pick.random() < 0.5:
            return struct.pack('<Q', pick.getrandbits(64))
        return struct.pack('<d', pick.choice([0.1, 1 / 3, 1e15, 1e16, pick.uniform(-5, 5),
                                              pick.uniform(-1e20, 1e20)]))

    def value(self, depth=0):
        pick = self.random
        kind = pick.randrange(16 if depth < 4 else 11)
        if kind in (3, 4):
            most = 63 if kind == 3 else 64
            return bytes([kind]) + number(pick.choice([0, 1, 5, 1 << 32, (1 << most) - 1]))
        if kind == 5:
            return b'\5' + self.single()
        if kind == 6:
            return b'\6' + self.double()
        if kind == 7:
            return b'\7' + string(bytes(pick.choice([pick.randrange(256), pick.randrange(32, 127),
                                                     10, 9]) for _ in range(pick.randrange(12))))
        if kind == 8:
            size = pick.choice([0, 1, 4, 300])
            return b'\x08' + number(size) + bytes(size)
        if kind == 9:
            return self.enum_value()
        if kind == 10:
            return self.mask_value()
        if kind == 11:
            count = pick.choice([0, 1, 1, 2, 5])
            return b'\x0b' + number(count) + b''.join(self.value(depth + 1) for _ in range(count))
        if kind == 12:
            return self.struct_value(pick.randrange(5), depth)
        if kind == 13:
            return b'\x0d' + number(pick.choice([0, 1, 0xdeadbeef, (1 << 64) - 1]))
        if kind == 14:
            return b'\x0e' + self.value(depth + 1) + self.value(depth + 1)
        if kind == 15 and self.version >= 6:
            units = [pick.choice([pick.randrange(32, 127), pick.randrange(0x3000), 10, 13])
                     for _ in range(pick.randrange(8))]
            return b'\x0f' + number(len(units)) + b''.join(number(unit) for unit in units)
        return bytes([pick.randrange(3)])

    def backtrace(self):
        pick = self.random
        count = pick.randrange(1, 3)
        out = b'\4' + number(count)
        for _ in range(count):
            fields = b''
            for tag, value in ((1, string('module')), (2, string('main')), (3, string('file.c')),
                               (4, number(12)), (5, number(0x1234))):
                fields += bytes([tag]) + value if pick.random() < 0.7 else b''
            out += self.identified('frame', pick.randrange(6), fields + b'\0')
        return out

    def extras(self):
        out = b''
        if self.random.random() < 0.1:
            out += b'\5' + number(self.random.randrange(4))
        if self.random.random() < 0.1 and self.version >= 5:
            out += self.backtrace()
        return out + b'\0'

    def enter(self):
        pick = self.random
        function = pick.choice(self.functions)
        which, name, arguments = function
        out = b'\0' + (number(pick.choice([0, 0, 1, 300])) if self.version >= 4 else b'')
        out += self.identified('function', which, string(name) + strings(arguments))
        for n in range(len(arguments)):
            if pick.random() < 0.9:
                out += b'\1' + number(n) + self.value()
        self.calls += 1
        return out + self.extras(), function

    def leave(self, call, function):
        pick = self.random
        out = b'\1' + number(call)
        if pick.random() < 0.4 and function[2]:
            out += b'\1' + number(pick.randrange(len(function[2]))) + self.value()
        if pick.random() < 0.4:
            error = pick.choice([b'\4\0', b'\4\5', b'\0'])
            out += b'\2' + (error if function[1] == 'glGetError' else self.value())
        return out + self.extras()

    def write(self, events):
        out = number(self.version)
        if self.version >= 6:
            properties = [('b', 'x"y\n'), ('a', ''), ('b', 'z')][:self.random.randrange(4)]
            out += number(6) + b''.join(string(k) + string(v) for k, v in properties) + b'\0'
        opened = []
        for _ in range(events):
            if opened and self.random.random() < 0.6:
                place = self.random.randrange(len(opened)) if self.random.random() < 0.2 else -1
                out += self.leave(*opened.pop(place))
            else:
                event, function = self.enter()
                opened.append((self.calls - 1, function))
                out += event
        return gzip.compress(out, 1)


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout


def main():
    gpudump, path = sys.argv[1], sys.argv[2] + '/random.trace'
    count, first = int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0
    for seed in range(first, first + count):
        with open(path, 'wb') as file:
            file.write(Trace(seed).write(120))
        frames = [name.split('/')[-1] for name in run(gpudump, 'ls', path, 'by-frame').decode().split()]
        for name, options in MODES.items():
            shown = run(gpudump, 'cat', path, *('by-frame/%s/%s' % (f, name) for f in frames))
            wanted = run('apitrace', 'dump', '--color=never', *options, path)
            if shown != wanted:
                pairs = zip(shown.split(b'\n'), wanted.split(b'\n'))
                print('trace %d, %s:' % (seed, name))
                print(next(('shown  %r\nwanted %r' % p for p in pairs if p[0] != p[1]), 'the length'))
                return 1
    return 0


sys.exit(main())
