#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""compare.py TABLE JSONL COMMANDS...: compares our calls with those of GFXReconstruct's own tool.

TABLE is vulkan.tsv, JSONL is the output of gfxrecon-convert for a capture, and COMMANDS are
commands.txt of all its frames. Each call must have the same number, parameters and result.
Prints the numbers of calls and values that were compared; the status is 1 if something differs.
"""

import json
import re
import sys

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<[^>]*>|&|[][{}(),=]|[^][{}(),=&<"\s]+')


class Parser:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ''

    def members(self, end):
        found = {}
        while self.peek() != end:
            name = self.next()
            assert self.next() == '=', name
            found[name] = self.value()
            if self.peek() == ',':
                self.next()
        self.next()
        return found

    def value(self):
        token = self.next()
        if token == '&':
            return self.value()
        if token == '[':
            found = []
            while self.peek() != ']':
                if self.peek() == '...':
                    self.at += 3
                    found.append('...')
                else:
                    found.append(self.value())
                if self.peek() == ',':
                    self.next()
            self.next()
            return found
        if token == '{':
            return self.members('}')
        if self.peek() == '{':
            self.next()
            return self.members('}')
        return token


class Comparison:
    def __init__(self, table):
        self.values = 0
        self.bits = {}
        with open(table) as file:
            for line in file:
                cells = line.rstrip('\n').split('\t')
                if cells[0] == 'bits':
                    for cell in cells[3:]:
                        value, name = cell.split('=')
                        self.bits[cells[2] + name] = int(value)

    def number(self, ours):
        if ours in ('true', 'false'):
            return int(ours == 'true')
        total = 0
        for word in ours.split('|'):
            total |= self.bits[word] if word in self.bits else int(word, 0)
        return total

    def equal(self, ours, theirs, where):
        if theirs is None:
            return ours == 'NULL' or ours == [] or ours == '0x0' or ours.startswith('0x')
        if isinstance(theirs, dict):
            return all(self.member(ours, name, value, where) for name, value in theirs.items())
        if isinstance(theirs, list):
            return self.array(ours, theirs, where)
        if isinstance(theirs, str) and theirs.startswith('0x'): # a pointer that the tool does not follow
            return True
        if not isinstance(ours, str):
            return False
        self.values += 1
        if isinstance(theirs, bool):
            return ours == ('true' if theirs else 'false')
        if isinstance(theirs, float):
            return abs(float(ours) - theirs) <= 1e-6 * max(1, abs(theirs)) # the texts have 6 decimals
        if isinstance(theirs, int):
            if re.fullmatch(r'-?[0-9]*(\.[0-9]+)?(e[-+]?[0-9]+)?', ours) and not ours.isdigit():
                return float(ours) == theirs
            return self.number(ours) == theirs
        if theirs == 'VK_NULL_HANDLE':
            return ours == '0'
        # The tool's Vulkan may be older than the names in the table.
        return re.sub(r'\\(["\\])', r'\1', ours[1:-1] if ours[0] == '"' else ours) in (theirs, re.sub('_(EXT|KHR)$', '', theirs)) or \
            ours.startswith(('<', '0x')) or theirs.startswith('Unhandled ')

    def member(self, ours, name, value, where):
        if name == 'sType' or name in ('int32', 'uint32', 'depthStencil'):
            return True # the type is in our structure's name; other views of a union
        if name in ours and self.equal(ours[name], value, where):
            return True
        if not isinstance(value, dict):
            print('%s %s: ours %.200r, theirs %.200r' % (where, name, ours, value))
        return False

    def array(self, ours, theirs, where):
        if isinstance(ours, str): # bytes
            return ours.startswith(('0x', '<'))
        if '...' in ours:
            ours = ours[:ours.index('...')]
            theirs = theirs[:len(ours)]
        return len(ours) == len(theirs) and all(
            self.equal(one, other, where) for one, other in zip(ours, theirs))


def read_commands(paths):
    found = {}
    for path in paths:
        with open(path) as file:
            for line in file:
                packet, thread, command = line.rstrip('\n').split(' ', 2)
                found[int(packet)] = command
    return found


def main():
    comparison = Comparison(sys.argv[1])
    commands = read_commands(sys.argv[3:])
    calls = different = broken = 0
    with open(sys.argv[2]) as file:
        for line in file:
            try:
                row = json.loads(line)
            except json.JSONDecodeError: # a defect of the tool: it writes invalid numbers
                broken += 1
                continue
            if 'vkFunc' not in row:
                continue
            call = row['vkFunc']
            command = commands[row['index']]
            name, rest = command.split('(', 1)
            parser = Parser(rest)
            ours = parser.members(')')
            result = parser.tokens[parser.at + 1:] if parser.peek() == '=' else []
            where = '%d %s' % (row['index'], call['name'])
            calls += 1
            if name != call['name'] or not comparison.equal(ours, call['args'], where) or \
                    ('return' in call and not comparison.equal(result[0], call['return'], where)):
                print('%s differs: %s' % (where, command[:300]))
                different += 1
    print('%d calls, %d values, %d calls differ; %d lines are no JSON' %
          (calls, comparison.values, different, broken))
    return 1 if different or calls == 0 else 0


sys.exit(main())
