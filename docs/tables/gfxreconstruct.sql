-- The tables of a mounted GFXReconstruct capture, for sqlite3(1). Columns: gpudumpfs-gfxreconstruct(7).
--
--     cd mnt && sqlite3 /tmp/look.db <gfxreconstruct.sql
--
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, are TEXT.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    frame INTEGER,
    id TEXT,
    thread INTEGER,
    compressed TEXT NOT NULL,
    expanded INTEGER
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET frame = nullif(frame, '-'), id = nullif(id, '-'), thread = nullif(thread, '-'),
    expanded = nullif(expanded, '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    "end" TEXT,
    number INTEGER,
    calls INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    dispatches INTEGER NOT NULL,
    submits INTEGER NOT NULL,
    memory_writes INTEGER NOT NULL,
    memory_bytes INTEGER NOT NULL
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), "end" = nullif("end", '-'),
    number = nullif(number, '-');

CREATE TABLE functions (
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    calls INTEGER NOT NULL,
    first_packet INTEGER NOT NULL
);
.import --skip 1 functions.tsv functions

CREATE TABLE shaders (
    packet INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    module INTEGER,
    bytes INTEGER,
    spirv TEXT
);
.import --skip 1 shaders.tsv shaders
UPDATE shaders SET module = nullif(module, '-'), bytes = nullif(bytes, '-'),
    spirv = nullif(spirv, '-');

CREATE TABLE memory (
    packet INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    name TEXT NOT NULL,
    object INTEGER NOT NULL,
    offset INTEGER,
    bytes INTEGER
);
.import --skip 1 memory.tsv memory
UPDATE memory SET offset = nullif(offset, '-'), bytes = nullif(bytes, '-');
