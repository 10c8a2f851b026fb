-- The tables of a mounted AeroGPU trace, for sqlite3(1). Columns: gpudumpfs-aerogpu(7).
--
--     cd mnt && FRAME=000010 sqlite3 /tmp/look.db <aerogpu.sql
--
-- Tables whose names begin with frame_ hold those of by-frame/$FRAME, else of the first frame.
-- submission_memory holds that of submissions/$SUBMISSION, else of the first.
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, and lists are TEXT.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type INTEGER NOT NULL,
    name TEXT NOT NULL,
    frame INTEGER,
    blob_id INTEGER,
    kind TEXT,
    submission INTEGER
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET frame = nullif(frame, '-'), blob_id = nullif(blob_id, '-'),
    kind = nullif(kind, '-'), submission = nullif(submission, '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    frame_index INTEGER NOT NULL,
    format TEXT,
    presents INTEGER NOT NULL,
    presented TEXT NOT NULL,
    draws INTEGER NOT NULL,
    submissions INTEGER NOT NULL,
    begin_offset INTEGER NOT NULL,
    present_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), format = nullif(format, '-');

CREATE TABLE toc (
    entry INTEGER NOT NULL,
    frame_index INTEGER NOT NULL,
    flags TEXT NOT NULL,
    start_offset INTEGER NOT NULL,
    present_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    verdict TEXT NOT NULL
);
.import --skip 1 '|test ! -e toc.tsv || cat toc.tsv' toc

CREATE TABLE blobs (
    blob_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    file TEXT NOT NULL
);
.import --skip 1 blobs.tsv blobs

CREATE TABLE submissions (
    submission INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    fence INTEGER,
    context INTEGER,
    flags TEXT,
    commands INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    ranges INTEGER NOT NULL
);
.import --skip 1 submissions.tsv submissions
UPDATE submissions SET frame = nullif(frame, '-'), fence = nullif(fence, '-'),
    context = nullif(context, '-'), flags = nullif(flags, '-');

CREATE TABLE resources (
    resource INTEGER NOT NULL,
    kind TEXT NOT NULL,
    handle INTEGER NOT NULL,
    created_packet INTEGER,
    created_command INTEGER,
    destroyed_packet INTEGER,
    destroyed_command INTEGER,
    size INTEGER,
    width INTEGER,
    height INTEGER,
    format TEXT,
    mips INTEGER,
    layers INTEGER,
    uses INTEGER NOT NULL
);
.import --skip 1 resources.tsv resources
UPDATE resources SET created_packet = nullif(created_packet, '-'),
    created_command = nullif(created_command, '-'),
    destroyed_packet = nullif(destroyed_packet, '-'),
    destroyed_command = nullif(destroyed_command, '-'), size = nullif(size, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), format = nullif(format, '-'),
    mips = nullif(mips, '-'), layers = nullif(layers, '-');

CREATE TABLE submission_memory (
    "range" INTEGER NOT NULL,
    alloc_id INTEGER NOT NULL,
    flags TEXT NOT NULL,
    gpa TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    blob_id INTEGER NOT NULL
);
.import --skip 1 '|cat "submissions/${SUBMISSION:-000000}/memory.tsv" 2>&-' submission_memory

CREATE TABLE frame_draws (
    draw INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    submission INTEGER,
    command INTEGER NOT NULL,
    kind TEXT NOT NULL,
    vertices INTEGER,
    instances INTEGER,
    topology TEXT,
    shaders TEXT,
    targets TEXT,
    textures TEXT
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/draws.tsv"' frame_draws
UPDATE frame_draws SET submission = nullif(submission, '-'), vertices = nullif(vertices, '-'),
    instances = nullif(instances, '-'), topology = nullif(topology, '-'),
    shaders = nullif(shaders, '-'), targets = nullif(targets, '-'),
    textures = nullif(textures, '-');

-- That of by-frame/$FRAME/pixel/$PIXEL, as 160,100; without it none.
CREATE TABLE frame_pixel (
    frame INTEGER NOT NULL,
    draw INTEGER,
    packet INTEGER,
    submission INTEGER,
    command INTEGER,
    offset TEXT,
    name TEXT NOT NULL,
    outcome TEXT NOT NULL,
    before TEXT,
    after TEXT,
    depth_before REAL,
    depth_after REAL,
    blend INTEGER
);
.import --skip 1 '|test -z "$PIXEL" || cat "by-frame/${FRAME:-000000}/pixel/${PIXEL:-0,0}.tsv"' frame_pixel
UPDATE frame_pixel SET draw = nullif(draw, '-'), packet = nullif(packet, '-'),
    submission = nullif(submission, '-'), command = nullif(command, '-'),
    offset = nullif(offset, '-'), before = nullif(before, '-'), after = nullif(after, '-'),
    depth_before = nullif(depth_before, '-'), depth_after = nullif(depth_after, '-'),
    blend = nullif(blend, '-');

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
