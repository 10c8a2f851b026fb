#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""random_programs.py PROGRAM TOOLS COUNT [SEED]: compares random_programs with the reference VM in
TOOLS/gapirlib.py over COUNT random programs. Programs for which the reference raises an exception
do not count. Programs do not CALL 0:0xff01 to 0:0xff03, since the reference knows resource,
notification and wait only as instructions."""
import random, struct, subprocess, sys, zlib

sys.path.insert(0, sys.argv[2])
import gapirlib as ref

BUDGET = 3000
POINTERS = ['AbsolutePointer', 'ConstantPointer', 'VolatilePointer']
FUNCTIONS = [  # api, id, arguments, result type and value
    (15, 0, ['Uint32'], None), (15, 1, ['ptr'], None), (15, 2, [], ('Uint32', 7)),
    (15, 3, ['ptr', 'Int32'], ('AbsolutePointer', ref.VOL_BASE + 8)),
    (15, 4, ['Float', 'Double', 'Bool'], ('Float', 0x3f800000)), (2, 0xffee, ['Uint64'], None)]


class Machine:
    """The random properties of a machine: sizes, memory, resources."""

    def __init__(self, rnd):
        self.stack = rnd.choice([0, 1, 2, 8, 16] + [64] * 15)
        self.vol = rnd.choice([0, 1, 16] + [64, 200, 1000] * 5)
        self.const = rnd.randbytes(rnd.choice([0, 3] + [16, 40, 40] * 5)).replace(b'\7', b'\0')
        self.fence_ok = rnd.random() < 0.95
        self.resources = []
        for n in range(rnd.randrange(1, 4)):
            data = rnd.randbytes(rnd.choice([0, 1, 5, 16, 33]))
            self.resources.append((chr(65 + n), data if rnd.random() < 0.97 else None, len(data)))

    def parameters(self):
        out = ['stack=%d' % self.stack, 'vol=%d' % self.vol]
        if self.const:
            out.append('const=' + self.const.hex())
        if self.fence_ok:
            out.append('fence=ok')
        for n, (name, data, size) in enumerate(self.resources):
            out.append('res%d=%s:%s' % (n, name, 'missing(%d)' % size if data is None else data.hex()))
        for api, number, arguments, result in FUNCTIONS:
            types = '+'.join(arguments) or 'none'
            if result:
                out.append('fn=%d:%04x:ret:%s:%x:%s' % (api, number, *result, types))
            else:
                out.append('fn=%d:%04x:pop:%s' % (api, number, types))
        return ' '.join(out)


class Writer:
    """Writes a program whose instructions mostly find their operands; `depth` estimates the stack's
    depth."""

    def __init__(self, rnd, machine):
        self.rnd, self.machine, self.words, self.depth = rnd, machine, [], 0

    def rare(self, chance=0.01):
        return self.rnd.random() < chance

    def address(self, memory, room=0):
        """Returns an offset that is mostly followed by `room` bytes of memory."""
        if self.rare():
            return self.rnd.choice([memory, memory + 1, 0xfffff, max(0, memory - 1)])
        return self.rnd.randrange(max(1, memory - room))

    def value(self, kind):
        rnd = self.rnd
        if kind == 'Bool':
            return rnd.randrange(2)
        if kind in ('Float', 'Double'):
            return rnd.choice([0.0, -0.0, 1.5, -2.25, 1e30, 3.1, float('inf')])
        bits = 8 * ref.SIZE[ref.T[kind]]
        value = rnd.choice([rnd.randrange(16), rnd.getrandbits(bits), rnd.getrandbits(bits) >> 9])
        return value - (1 << bits) if kind[0] == 'I' and value >> (bits - 1) else value

    def push(self, kind, value=None):
        self.words += ref.push(kind, self.value(kind) if value is None else value)
        self.depth += 1

    def pointer(self, room, target=False):
        machine = self.machine
        kind = self.rnd.choice(POINTERS if not target else ['AbsolutePointer', 'VolatilePointer'])
        constant = not target and self.rnd.random() < 0.4
        size = len(machine.const) if constant or kind == 'ConstantPointer' else machine.vol
        value = self.address(size, room)
        if kind == 'AbsolutePointer':
            value += ref.CONST_BASE if constant else ref.VOL_BASE
        elif kind == 'VolatilePointer' and constant:
            value = self.address(machine.vol, room)
        if self.rare():
            kind, value = 'AbsolutePointer', self.rnd.choice([0, ref.UNOBSERVED, 4, 1 << 63])
        self.push(kind, value)

    def any(self):
        """Pushes a value that STORE accepts."""
        kind = self.rnd.choice(ref.TYPES)
        self.pointer(1) if kind in POINTERS else self.push(kind)

    def op(self, name, operand=0, effect=0):
        self.words.append(ref.w26(name, operand))
        self.depth = max(0, self.depth + effect)

    def typed(self, name, operand=0, effect=0):
        self.words.append(ref.wty(name, self.rnd.choice(ref.TYPES), operand & ref.M20))
        self.depth = max(0, self.depth + effect)

    def count(self, size):
        self.push('Uint32', size if not self.rare() else None)

    # Kinds of statements, one function for each.

    def s_push(self):
        self.any()

    def s_load_c(self):
        self.typed('LOAD_C', self.address(len(self.machine.const), 8), 1)

    def s_load_v(self):
        self.typed('LOAD_V', self.address(self.machine.vol, 8), 1)

    def s_load(self):
        self.pointer(8)
        self.typed('LOAD')

    def s_pop(self):
        n = self.rnd.randrange(min(4, self.depth + 1)) if not self.rare() else self.rnd.randrange(9)
        self.op('POP', n, -n)

    def s_store_v(self):
        self.any()
        self.op('STORE_V', self.address(self.machine.vol, 8), -1)

    def s_store(self):
        self.any()
        self.pointer(8, True)
        self.op('STORE', 0, -2)

    def s_resource(self):
        number = self.rnd.randrange(len(self.machine.resources) + self.rare())
        self.pointer(self.machine.resources[min(number, len(self.machine.resources) - 1)][2], True)
        self.op('RESOURCE', number, -1)

    def s_post(self):
        size = self.rnd.choice([0, 1, 5, 16])
        self.pointer(size)
        self.count(size)
        if self.rnd.random() < 0.8:
            self.op('POST', 0, -2)
        else:
            self.words.append(ref.call(0, 0xff00))
            self.depth -= 2

    def s_copy(self):
        size = self.rnd.choice([0, 1, 5, 16])
        self.pointer(size)
        self.pointer(size, True)
        self.op('COPY', size, -2)

    def s_clone(self):
        if self.depth:
            self.op('CLONE', self.rnd.randrange(self.depth) + 30 * self.rare(), 1)

    def s_strcpy(self):
        size = self.rnd.choice([1, 2, 5, 16]) if not self.rare() else 0
        self.pointer(size)
        self.pointer(size, True)
        self.op('STRCPY', size, -2)

    def s_extend(self):
        if self.depth or self.rare():
            self.op('EXTEND', self.rnd.getrandbits(26))

    def s_add(self):
        kind, count = self.rnd.choice(ref.TYPES), self.rnd.choice([0, 1, 2, 2, 3, 4])
        if kind in ('Bool', 'VolatilePointer') and not self.rare(0.05):
            return
        for _ in range(count):
            self.pointer(1) if kind in POINTERS else self.push(kind)
        if kind == 'ConstantPointer' or kind == 'AbsolutePointer':
            self.push('AbsolutePointer', self.rnd.randrange(4))
            count += 1
        self.op('ADD', count, 1 - count if count > 1 else 0)

    def s_label(self):
        self.op('LABEL', self.rnd.getrandbits(26))

    def s_thread(self):
        self.op('SWITCH_THREAD', self.rnd.randrange(4))

    def s_mark(self):
        self.op('JUMP_LABEL', self.rnd.randrange(4))

    def s_jump(self):
        if self.depth and not self.rare(0.05):
            self.op('POP', self.depth, -self.depth)
        self.push('Int32', self.rnd.choice([0, 1, -1]))
        self.op(self.rnd.choice(['JUMP_NZ', 'JUMP_Z']), self.rnd.randrange(4), -1)

    def s_notification(self):
        size = self.rnd.choice([0, 1, 5])
        self.pointer(size)
        self.push('Uint32')
        self.count(size)
        self.op('NOTIFICATION', 0, -3)

    def s_wait(self):
        self.op('WAIT', self.rnd.randrange(9))

    def s_inline(self):
        size, memory = self.rnd.choice([0, 1, 4, 9]), self.machine.vol
        self.pointer(size, True)

        def pairs(n):
            return [(self.address(memory, 8), self.address(memory, 8)) for _ in range(n)]
        words = ref.inline_resource(self.rnd.randbytes(size), pairs(self.rnd.choice([0, 0, 1, 2])),
                                    pairs(self.rnd.choice([0, 0, 1])))
        self.words += words[:-1] if self.rare() else words
        self.depth -= 1

    def s_call(self):
        api, number, arguments, result = self.rnd.choice(FUNCTIONS)
        for kind in arguments:
            self.pointer(1) if kind == 'ptr' else self.push(kind)
        push = self.rnd.random() < 0.5
        self.words.append(ref.call(api, number, push))
        self.depth += (push and result is not None) - len(arguments)

    def s_print_stack(self):
        self.words.append(ref.call(0, 0xff80))

    def s_wrong(self):
        if self.rare(0.1):
            self.words.append(self.rnd.choice([ref.call(15, 9), ref.call(7, 0), self.rnd.getrandbits(32)]))

    def statement(self):
        self.rnd.choice(STATEMENTS)(self)


STATEMENTS = [f for name, f in sorted(vars(Writer).items()) if name.startswith('s_')]


def left_out(words):
    return any(w >> 26 == 0 and w >> 16 & 15 == 0 and w & 0xffff in (0xff01, 0xff02, 0xff03) for w in words)


def hexadecimal(kind, value):
    return '%s:%x' % (kind, value)


def reference(machine, words):
    popped = []

    def native(arguments, result):
        def call(vm, push):
            for kind in reversed(arguments):
                if kind == 'ptr':
                    popped.append(hexadecimal('AbsolutePointer', vm.ptr()))
                else:
                    popped.append(hexadecimal(kind, vm.pop(kind)))
            if result and push:
                vm.psh(ref.T[result[0]], result[1])
        return call

    natives = {(api, number): native(a, r) for api, number, a, r in FUNCTIONS}
    data = {name: bytes_ for name, bytes_, _ in machine.resources if bytes_ is not None}
    vm = ref.VM(machine.stack, machine.vol, machine.const, [(n, s) for n, _, s in machine.resources],
                data, natives, machine.fence_ok)
    result = vm.run(words, BUDGET)
    posts = ''.join('post%d=%s ' % (n, d.hex()) for n, (_, _, d) in enumerate(vm.posts))
    notes = ''.join('note%d=%d:%d:%s ' % (n, i, l, d.hex()) for n, (i, l, d) in enumerate(vm.notes))
    stack = ','.join(hexadecimal(ref.TYPES[t], v) for t, v in vm.st) or 'empty'
    return '|'.join([result, str(vm.steps), str(vm.label), str(vm.thread), str(len(vm.calls)),
                     str(len(vm.fences)), posts, notes, ','.join(popped),
                     '%08x' % zlib.crc32(bytes(vm.vol)), stack if result == 'ok' else ''])


def program(rnd, machine):
    writer = Writer(rnd, machine)
    if rnd.random() < 0.05:
        return [rnd.getrandbits(32) if rnd.random() < 0.5 else rnd.randrange(23) << 26 | rnd.getrandbits(21)
                for _ in range(rnd.randrange(40))]
    for _ in range(rnd.choice([3, 10, 30, 60, 100])):
        writer.statement()
    return writer.words


def main():
    count, seed = int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1
    rnd = random.Random(seed)
    lines, expected, raised, results, steps = [], [], 0, {}, 0
    while len(lines) < count:
        machine = Machine(rnd)
        words = program(rnd, machine)
        if left_out(words):
            continue
        try:
            outcome = reference(machine, words)
        except (IndexError, OverflowError, struct.error):
            raised += 1
            continue
        code = outcome.split('|')[0].split('@')[0]
        results[code] = results.get(code, 0) + 1
        steps += int(outcome.split('|')[1])
        expected.append(outcome)
        lines.append('%s\t%s\t%d\n' % (machine.parameters(), ' '.join('%08x' % w for w in words) or '-', BUDGET))
    run = subprocess.run([sys.argv[1]], input=''.join(lines), capture_output=True, text=True)
    outcomes = run.stdout.splitlines()
    differ = [n for n in range(count) if n >= len(outcomes) or outcomes[n] != expected[n]]
    for n in differ[:5]:
        print('program %d: %s' % (n, lines[n].rstrip()))
        print('  reference: ' + expected[n])
        print('  gpudumpfs: ' + (outcomes[n] if n < len(outcomes) else 'no outcome'))
    print('seed %d: %d programs, %d instructions, %d differ, %d more that the reference cannot run; %s' %
          (seed, count, steps, len(differ), raised, ' '.join('%s %d' % r for r in sorted(results.items()))))
    if run.returncode != 0 or differ:
        sys.exit(run.stderr[-2000:] or 1)


main()
