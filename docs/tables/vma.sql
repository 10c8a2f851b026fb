-- The tables of a mounted VMA recording or of snapshots, for sqlite3(1). Columns:
-- gpudumpfs-vma(7). Of snapshots, those that only calls can fill are empty.
--
--     cd mnt && FRAME=000010 sqlite3 /tmp/look.db <vma.sql
--
-- Tables whose names begin with frame_ hold those of by-frame/$FRAME, else of the first frame.
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, and lists are TEXT.
-- Text of the dump, in which blanks may stand:
-- packets.text, allocations.user_data, leaks.user_data, peak.user_data, frame_live.user_data.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    frame INTEGER,
    line INTEGER NOT NULL,
    thread INTEGER,
    time REAL,
    frame_index INTEGER,
    pointer TEXT,
    size INTEGER,
    extent TEXT,
    text TEXT
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET frame = nullif(frame, '-'), thread = nullif(thread, '-'),
    time = nullif(time, '-'), frame_index = nullif(frame_index, '-'),
    pointer = nullif(pointer, '-'), size = nullif(size, '-'), extent = nullif(extent, '-'),
    text = nullif(text, '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    frame_index INTEGER NOT NULL,
    grouping TEXT NOT NULL,
    calls INTEGER NOT NULL,
    allocating INTEGER NOT NULL,
    freeing INTEGER NOT NULL,
    late INTEGER NOT NULL,
    threads INTEGER NOT NULL,
    ended_by TEXT NOT NULL
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-');

-- Its columns depend on how many heaps there are; all are numbers, and none is ever absent.
.read '|sed "s/\t/ INTEGER, /g; s/^/CREATE TABLE memory (/; s/$/ INTEGER);/; q" memory.tsv'
.import --skip 1 memory.tsv memory

CREATE TABLE allocations (
    allocation INTEGER NOT NULL,
    pointer TEXT NOT NULL,
    created INTEGER NOT NULL,
    created_frame INTEGER,
    destroyed INTEGER,
    destroyed_frame INTEGER,
    call TEXT NOT NULL,
    size INTEGER NOT NULL,
    requirements TEXT NOT NULL,
    type INTEGER,
    pool INTEGER,
    block INTEGER,
    offset INTEGER,
    moved INTEGER NOT NULL,
    lost_frame INTEGER,
    maps INTEGER NOT NULL,
    user_data TEXT
);
.import --skip 1 '|test ! -e allocations.tsv || cat allocations.tsv' allocations
-- pools/NNNNN/allocations.tsv has rows of it.
UPDATE allocations SET created_frame = nullif(created_frame, '-'),
    destroyed = nullif(destroyed, '-'), destroyed_frame = nullif(destroyed_frame, '-'),
    type = nullif(type, '-'), pool = nullif(pool, '-'), block = nullif(block, '-'),
    offset = nullif(offset, '-'), lost_frame = nullif(lost_frame, '-'),
    user_data = nullif(user_data, '-');

CREATE TABLE leaks (
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    pointer TEXT NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    size INTEGER,
    user_data TEXT
);
.import --skip 1 '|test ! -e leaks.tsv || cat leaks.tsv' leaks
UPDATE leaks SET frame = nullif(frame, '-'), size = nullif(size, '-'),
    user_data = nullif(user_data, '-');

CREATE TABLE failures (
    packet INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    call TEXT NOT NULL,
    size INTEGER,
    alignment INTEGER,
    recorded TEXT NOT NULL,
    reason TEXT NOT NULL
);
.import --skip 1 '|test ! -e failures.tsv || cat failures.tsv' failures
UPDATE failures SET size = nullif(size, '-'), alignment = nullif(alignment, '-');

CREATE TABLE peak (
    allocation INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    call TEXT NOT NULL,
    label TEXT NOT NULL,
    size INTEGER NOT NULL,
    share REAL NOT NULL,
    type INTEGER NOT NULL,
    heap INTEGER NOT NULL,
    pool INTEGER,
    block INTEGER,
    offset INTEGER,
    user_data TEXT
);
.import --skip 1 '|test ! -e peak.tsv || cat peak.tsv' peak
UPDATE peak SET pool = nullif(pool, '-'), block = nullif(block, '-'), offset = nullif(offset, '-'),
    user_data = nullif(user_data, '-');

CREATE TABLE labels (
    frame INTEGER NOT NULL,
    unknown INTEGER NOT NULL,
    unknown_bytes INTEGER NOT NULL,
    buffers INTEGER NOT NULL,
    buffer_bytes INTEGER NOT NULL,
    images_unknown INTEGER NOT NULL,
    image_unknown_bytes INTEGER NOT NULL,
    images_linear INTEGER NOT NULL,
    image_linear_bytes INTEGER NOT NULL,
    images_optimal INTEGER NOT NULL,
    image_optimal_bytes INTEGER NOT NULL
);
.import --skip 1 labels.tsv labels

CREATE TABLE pools (
    frame INTEGER NOT NULL,
    pool INTEGER NOT NULL,
    type INTEGER NOT NULL,
    blocks INTEGER NOT NULL,
    allocations INTEGER NOT NULL,
    block_bytes INTEGER NOT NULL,
    used_bytes INTEGER NOT NULL
);
.import --skip 1 pools.tsv pools

CREATE TABLE frame_blocks (
    kind TEXT NOT NULL,
    type INTEGER NOT NULL,
    heap INTEGER NOT NULL,
    pool INTEGER,
    block INTEGER,
    algorithm TEXT,
    size INTEGER NOT NULL,
    used_bytes INTEGER NOT NULL,
    free_bytes INTEGER NOT NULL,
    allocations INTEGER NOT NULL,
    free_ranges INTEGER NOT NULL,
    largest_free INTEGER NOT NULL,
    fragmentation REAL NOT NULL
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/blocks.tsv"' frame_blocks
UPDATE frame_blocks SET pool = nullif(pool, '-'), block = nullif(block, '-'),
    algorithm = nullif(algorithm, '-');

CREATE TABLE frame_live (
    allocation INTEGER NOT NULL,
    pointer TEXT NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    call TEXT,
    label TEXT NOT NULL,
    size INTEGER NOT NULL,
    requirements TEXT NOT NULL,
    alignment INTEGER NOT NULL,
    type INTEGER,
    heap INTEGER,
    pool INTEGER,
    block INTEGER,
    offset INTEGER,
    usage TEXT NOT NULL,
    flags TEXT NOT NULL,
    created_index INTEGER NOT NULL,
    last_use_index INTEGER NOT NULL,
    lost INTEGER NOT NULL,
    maps INTEGER NOT NULL,
    user_data TEXT
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/live.tsv"' frame_live
UPDATE frame_live SET call = nullif(call, '-'), type = nullif(type, '-'), heap = nullif(heap, '-'),
    pool = nullif(pool, '-'), block = nullif(block, '-'), offset = nullif(offset, '-'),
    user_data = nullif(user_data, '-');

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
