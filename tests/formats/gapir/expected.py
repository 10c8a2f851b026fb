#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""expected.py MOUNT EXPECTED.json: compares a mounted GAPIR payload with the results of the
corpus's reference VM: counts, opcodes, posts, pictures, memory, the fault."""
import hashlib, json, os, struct, sys, zlib

mount, expected = sys.argv[1], json.load(open(sys.argv[2]))
frame = expected.get('frame', {})


def read(*names):
    with open(os.path.join(mount, *names), 'rb') as file:
        data = file.read()
        assert len(data) == os.fstat(file.fileno()).st_size, names
    return data


def fields(*names):
    return dict(line.split(': ', 1) for line in read(*names).decode().splitlines() if ': ' in line)


def table(*names):
    head, *rows = [line.split('\t') for line in read(*names).decode().splitlines()]
    return [dict(zip(head, row)) for row in rows]


def equal(what, got, wanted):
    assert got == wanted, '%s: %r, and not %r' % (what, got, wanted)


def pixels(png):
    """Returns width, height and rows of an 8-bit RGBA PNG without filters."""
    at, data = 8, b''
    while at < len(png):
        size, kind = struct.unpack('>I4s', png[at:at + 8])
        body = png[at + 8:at + 8 + size]
        equal('checksum of ' + repr(kind), zlib.crc32(kind + body), *struct.unpack('>I', png[at + 8 + size:at + 12 + size]))
        if kind == b'IHDR':
            width, height, bits, colour = struct.unpack('>IIBB', body[:10])
        data += body if kind == b'IDAT' else b''
        at += 12 + size
    equal('kind of picture', (bits, colour), (8, 6))
    rows = zlib.decompress(data)
    rows = [rows[y * (4 * width + 1):(y + 1) * (4 * width + 1)] for y in range(height)]
    assert all(row[0] == 0 for row in rows)
    return width, height, [row[1:] for row in rows]


def label(number):
    return '-' if number == 0x3ffffff else str(number)


def check_figures():
    metadata, opcodes = fields('metadata.txt'), table('opcodes.tsv')
    for key in 'words', 'instructions', 'executed', 'stack_size', 'resources', 'calls', 'result':
        equal(key, metadata[key], str(expected[key]))
    equal('volatile_memory_size', metadata['volatile_memory_size'], str(expected['volatile_size']))
    equal('constants_bytes', metadata['constants_bytes'], str(expected['constants']))
    valid = {name: count for name, count in expected['histogram'].items() if not name.startswith('?')}
    equal('opcodes', {row['opcode']: int(row['static']) for row in opcodes
                      if row['static'] != '0' and row['opcode'] != 'INVALID'}, valid)
    refused = expected['result'].startswith('err:steps')  # the instruction that exceeds the budget
    equal('executed opcodes', sum(int(row['executed']) for row in opcodes), expected['executed'] - refused)
    equal('memory/end.bin', '%08x' % zlib.crc32(read('memory', 'end.bin')), expected['volatile_crc32_at_end'])


def check_posts():
    posts = table('posts.tsv')
    equal('posts', sorted(os.listdir(os.path.join(mount, 'posts'))), ['%06d.bin' % n for n in range(len(expected['posts']))])
    for row, post in zip(posts, expected['posts'], strict=True):
        equal('pc', row['pc'], str(post['pc']))
        equal('label', row['label'], label(post['label']))
        equal('bytes', row['bytes'], str(post['size']))
        data = read('posts', '%06d.bin' % post['id'])
        equal('post %d' % post['id'], hashlib.sha256(data).hexdigest(), post['sha256'])
    for row, note in zip(table('notifications.tsv'), expected['notifications'], strict=True):
        equal('notification', (row['id'], row['label'], row['bytes']),
              (str(note['id']), label(note['label']), str(note['size'])))


def check_frames():
    frames = [row for row in table('frames.tsv') if row['end'] == 'post']
    equal('pictures', sorted(os.listdir(os.path.join(mount, 'frames'))), ['%06d.png' % int(row['frame']) for row in frames])
    for row, post in zip(frames, frame.get('posts', []), strict=True):
        equal('post of the frame', row['post'], str(post))
        equal('shape', (row['width'], row['height'], row['rows']), (str(frame['width']), str(frame['height']), frame['rows']))
        equal('format', frame['format'].split('(')[0], row['format'])
        width, height, rows = pixels(read('frames', '%06d.png' % int(row['frame'])))
        equal('size', (width, height), (frame['width'], frame['height']))
        if row['rows'] == 'bottom-up':
            rows.reverse()
        assert b''.join(rows) == read('posts', '%06d.bin' % post), 'frame %s' % row['frame']


def check_fault():
    fault, problems = fields('fault.txt'), read('problems.txt').decode()
    if expected['result'] == 'ok':
        return equal('fault.txt', fault, {})
    equal('fault', 'err:%s@%s' % (fault['fault'], fault['pc']), expected['result'])
    assert expected['result'] in problems, problems


for check in check_figures, check_posts, check_frames, check_fault:
    check()
