-- The tables of a mounted PSX GPU dump, for sqlite3(1). Columns: gpudumpfs-psx(7).
--
--     cd mnt && FRAME=000010 sqlite3 /tmp/look.db <psx.sql
--
-- Tables whose names begin with frame_ hold those of by-frame/$FRAME, else of the first frame.
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, and lists are TEXT.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type TEXT NOT NULL,
    name TEXT NOT NULL,
    frame INTEGER,
    words INTEGER NOT NULL,
    carry INTEGER,
    begins INTEGER,
    first TEXT
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET frame = nullif(frame, '-'), carry = nullif(carry, '-'),
    begins = nullif(begins, '-'), first = nullif(first, '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    cycles INTEGER,
    gp0_words INTEGER NOT NULL,
    gp1_words INTEGER NOT NULL,
    commands INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    fills INTEGER NOT NULL,
    uploads INTEGER NOT NULL,
    copies INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    flip INTEGER NOT NULL,
    display TEXT NOT NULL,
    mode TEXT NOT NULL,
    unfinished INTEGER NOT NULL,
    cycles_gpu INTEGER NOT NULL,
    cycles_transfer INTEGER NOT NULL,
    gpu_share REAL NOT NULL
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), cycles = nullif(cycles, '-');

CREATE TABLE textures (
    number INTEGER NOT NULL,
    texture TEXT NOT NULL,
    identity TEXT NOT NULL,
    page INTEGER NOT NULL,
    clut TEXT NOT NULL,
    depth INTEGER NOT NULL,
    frame INTEGER NOT NULL,
    draw INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    frames INTEGER NOT NULL,
    used TEXT NOT NULL
);
.import --skip 1 textures.tsv textures

CREATE TABLE uploads (
    frame INTEGER,
    upload INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    word INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    "end" TEXT NOT NULL
);
.import --skip 1 uploads.tsv uploads
-- by-frame/NNNNNN/uploads.tsv has rows of it.
UPDATE uploads SET frame = nullif(frame, '-');

CREATE TABLE flips (
    frame INTEGER NOT NULL,
    time REAL,
    display TEXT NOT NULL,
    frames INTEGER,
    rate REAL
);
.import --skip 1 flips.tsv flips
UPDATE flips SET time = nullif(time, '-'), frames = nullif(frames, '-'), rate = nullif(rate, '-');

CREATE TABLE frame_draws (
    draw INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    kind TEXT NOT NULL,
    vertices TEXT NOT NULL,
    colours TEXT,
    page INTEGER,
    clut TEXT,
    blend INTEGER,
    area TEXT NOT NULL,
    command INTEGER NOT NULL,
    op TEXT NOT NULL,
    uv TEXT,
    depth INTEGER,
    window TEXT,
    dither INTEGER NOT NULL,
    mask TEXT NOT NULL,
    size TEXT,
    raw INTEGER NOT NULL,
    box TEXT,
    cull TEXT,
    word INTEGER NOT NULL,
    pixels INTEGER NOT NULL,
    cycles INTEGER NOT NULL
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/draws.tsv"' frame_draws
UPDATE frame_draws SET colours = nullif(colours, '-'), page = nullif(page, '-'),
    clut = nullif(clut, '-'), blend = nullif(blend, '-'), uv = nullif(uv, '-'),
    depth = nullif(depth, '-'), window = nullif(window, '-'), size = nullif(size, '-'),
    box = nullif(box, '-'), cull = nullif(cull, '-');

CREATE TABLE frame_commands (
    command INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    word INTEGER NOT NULL,
    last INTEGER NOT NULL,
    words INTEGER NOT NULL,
    op TEXT NOT NULL,
    name TEXT NOT NULL,
    draw INTEGER,
    upload INTEGER,
    "end" TEXT NOT NULL,
    cycles INTEGER NOT NULL
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/commands.tsv"' frame_commands
UPDATE frame_commands SET draw = nullif(draw, '-'), upload = nullif(upload, '-');

CREATE TABLE frame_textures (
    texture TEXT NOT NULL,
    identity TEXT NOT NULL,
    page INTEGER NOT NULL,
    clut TEXT NOT NULL,
    depth INTEGER NOT NULL,
    uv TEXT NOT NULL,
    first INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    used TEXT NOT NULL
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/textures.tsv"' frame_textures

-- That of by-frame/$FRAME/pixel/$PIXEL, as 160,100; without it none.
CREATE TABLE frame_pixel (
    frame INTEGER NOT NULL,
    draw INTEGER,
    upload INTEGER,
    packet INTEGER,
    word INTEGER,
    op TEXT,
    name TEXT NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    before TEXT,
    after TEXT,
    before_rgb TEXT,
    after_rgb TEXT,
    blend INTEGER,
    uv TEXT,
    texel_at TEXT,
    texel TEXT,
    entry_at TEXT,
    entry TEXT
);
.import --skip 1 '|test -z "$PIXEL" || cat "by-frame/${FRAME:-000000}/pixel/${PIXEL:-0,0}.tsv"' frame_pixel
-- by-frame/NNNNNN/vram-pixel/X,Y.tsv has rows of it.
UPDATE frame_pixel SET draw = nullif(draw, '-'), upload = nullif(upload, '-'),
    packet = nullif(packet, '-'), word = nullif(word, '-'), op = nullif(op, '-'),
    before = nullif(before, '-'), after = nullif(after, '-'), before_rgb = nullif(before_rgb, '-'),
    after_rgb = nullif(after_rgb, '-'), blend = nullif(blend, '-'), uv = nullif(uv, '-'),
    texel_at = nullif(texel_at, '-'), texel = nullif(texel, '-'), entry_at = nullif(entry_at, '-'),
    entry = nullif(entry, '-');

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
