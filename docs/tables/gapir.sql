-- The tables of a mounted GAPIR replay, for sqlite3(1). Columns: gpudumpfs-gapir(7).
--
--     cd mnt && sqlite3 /tmp/look.db <gapir.sql
--
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, and lists are TEXT.
-- Text of the dump, in which blanks may stand:
-- resources.id.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type INTEGER,
    name TEXT NOT NULL,
    frame INTEGER,
    pc INTEGER NOT NULL,
    words INTEGER NOT NULL,
    instructions INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    posts INTEGER NOT NULL,
    inline_bytes INTEGER NOT NULL,
    reached TEXT NOT NULL
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET type = nullif(type, '-'), frame = nullif(frame, '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    post INTEGER,
    pc INTEGER NOT NULL,
    label INTEGER,
    format TEXT,
    rows TEXT,
    bytes INTEGER,
    content TEXT,
    "end" TEXT
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), post = nullif(post, '-'),
    label = nullif(label, '-'), format = nullif(format, '-'), rows = nullif(rows, '-'),
    bytes = nullif(bytes, '-'), content = nullif(content, '-'), "end" = nullif("end", '-');

CREATE TABLE posts (
    post INTEGER NOT NULL,
    packet INTEGER,
    pc INTEGER NOT NULL,
    label INTEGER,
    bytes INTEGER NOT NULL,
    region TEXT,
    offset INTEGER NOT NULL,
    kind TEXT NOT NULL,
    width INTEGER,
    height INTEGER,
    format TEXT,
    frame INTEGER
);
.import --skip 1 posts.tsv posts
UPDATE posts SET packet = nullif(packet, '-'), label = nullif(label, '-'),
    region = nullif(region, '-'), width = nullif(width, '-'), height = nullif(height, '-'),
    format = nullif(format, '-'), frame = nullif(frame, '-');

CREATE TABLE resources (
    resource INTEGER NOT NULL,
    id TEXT,
    bytes INTEGER NOT NULL,
    data_offset INTEGER,
    status TEXT NOT NULL,
    uses INTEGER NOT NULL,
    first INTEGER
);
.import --skip 1 resources.tsv resources
UPDATE resources SET id = nullif(id, '-'), data_offset = nullif(data_offset, '-'),
    first = nullif(first, '-');

CREATE TABLE functions (
    api INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    calls INTEGER NOT NULL,
    first INTEGER
);
.import --skip 1 functions.tsv functions
UPDATE functions SET first = nullif(first, '-');

CREATE TABLE opcodes (
    opcode TEXT NOT NULL,
    static INTEGER NOT NULL,
    executed INTEGER NOT NULL
);
.import --skip 1 opcodes.tsv opcodes

CREATE TABLE notifications (
    notification INTEGER NOT NULL,
    packet INTEGER,
    pc INTEGER NOT NULL,
    label INTEGER,
    id INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    region TEXT,
    offset INTEGER NOT NULL
);
.import --skip 1 notifications.tsv notifications
UPDATE notifications SET packet = nullif(packet, '-'), label = nullif(label, '-'),
    region = nullif(region, '-');

CREATE TABLE fences (
    fence INTEGER NOT NULL,
    packet INTEGER,
    pc INTEGER NOT NULL,
    label INTEGER,
    id INTEGER NOT NULL
);
.import --skip 1 fences.tsv fences
UPDATE fences SET packet = nullif(packet, '-'), label = nullif(label, '-');

CREATE TABLE windows (
    window INTEGER NOT NULL,
    address TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    memory TEXT NOT NULL,
    mapped TEXT NOT NULL,
    written_from INTEGER NOT NULL,
    written_to INTEGER NOT NULL,
    packet INTEGER,
    pc INTEGER NOT NULL
);
.import --skip 1 memory/windows.tsv windows
UPDATE windows SET packet = nullif(packet, '-');

-- Of a picture that was not made sha256 is cannot-be-made or left-off-beyond-max-seconds, with
-- dashes behind it, and the frame is near itself.
CREATE TABLE near_frames (
    frame INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    dhash TEXT NOT NULL,
    near INTEGER NOT NULL,
    distance INTEGER NOT NULL
);
.import --skip 1 near-frames.tsv near_frames

-- That of find/$FOUND, as frame/HASH; without it none.
CREATE TABLE found (
    frame INTEGER,
    picture TEXT NOT NULL
);
.import --skip 1 '|test -z "$FOUND" || cat "find/${FOUND:-frame/0}/where.tsv"' found
UPDATE found SET frame = nullif(frame, '-');
