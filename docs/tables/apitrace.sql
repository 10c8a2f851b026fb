-- The tables of a mounted apitrace trace, for sqlite3(1). Columns: gpudumpfs-apitrace(7).
--
--     cd mnt && FRAME=000010 sqlite3 /tmp/look.db <apitrace.sql
--
-- Tables whose names begin with frame_ hold those of by-frame/$FRAME, else of the first frame.
-- What is - in a file is NULL afterwards. Hexadecimal numbers, with 0x, and lists are TEXT.
-- Text of the dump, in which blanks may stand:
-- packets.name, resources.format, frame_resources.format, frames.end, blobs.function, blobs.argument, markers.text, errors.error.
.bail on
.mode tabs

CREATE TABLE packets (
    packet INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    type TEXT,
    name TEXT,
    frame INTEGER,
    thread INTEGER NOT NULL,
    leave INTEGER,
    "order" INTEGER,
    status TEXT NOT NULL
);
.import --skip 1 packets.tsv packets
-- by-frame/NNNNNN/packets.tsv has rows of it.
UPDATE packets SET type = nullif(type, '-'), name = nullif(name, '-'), frame = nullif(frame, '-'),
    leave = nullif(leave, '-'), "order" = nullif("order", '-');

CREATE TABLE frames (
    frame INTEGER NOT NULL,
    first INTEGER,
    last INTEGER,
    time REAL,
    width INTEGER,
    height INTEGER,
    calls INTEGER NOT NULL,
    hidden INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    "end" TEXT,
    status TEXT NOT NULL
);
.import --skip 1 frames.tsv frames
UPDATE frames SET first = nullif(first, '-'), last = nullif(last, '-'), time = nullif(time, '-'),
    width = nullif(width, '-'), height = nullif(height, '-'), "end" = nullif("end", '-');

CREATE TABLE blobs (
    blob INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    function TEXT,
    argument TEXT,
    bytes INTEGER NOT NULL
);
.import --skip 1 blobs.tsv blobs
UPDATE blobs SET frame = nullif(frame, '-'), function = nullif(function, '-'),
    argument = nullif(argument, '-');

CREATE TABLE shaders (
    shader INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    stage TEXT NOT NULL,
    object INTEGER NOT NULL,
    bytes INTEGER NOT NULL
);
.import --skip 1 shaders.tsv shaders
UPDATE shaders SET frame = nullif(frame, '-');

CREATE TABLE resources (
    resource INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    kind TEXT NOT NULL,
    object INTEGER NOT NULL,
    of INTEGER,
    width INTEGER,
    height INTEGER,
    depth INTEGER,
    levels INTEGER,
    layers INTEGER,
    bytes INTEGER,
    usage INTEGER,
    bind INTEGER,
    format TEXT,
    samples INTEGER
);
.import --skip 1 resources.tsv resources
UPDATE resources SET frame = nullif(frame, '-'), of = nullif(of, '-'), width = nullif(width, '-'),
    height = nullif(height, '-'), depth = nullif(depth, '-'), levels = nullif(levels, '-'),
    layers = nullif(layers, '-'), bytes = nullif(bytes, '-'), usage = nullif(usage, '-'),
    bind = nullif(bind, '-'), format = nullif(format, '-'), samples = nullif(samples, '-');

CREATE TABLE uploads (
    upload INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    kind TEXT NOT NULL,
    object INTEGER NOT NULL,
    resource INTEGER NOT NULL,
    level INTEGER,
    layer INTEGER,
    x INTEGER,
    y INTEGER,
    z INTEGER,
    width INTEGER,
    height INTEGER,
    depth INTEGER,
    "from" INTEGER,
    from_level INTEGER,
    from_layer INTEGER,
    from_x INTEGER,
    from_y INTEGER,
    from_z INTEGER,
    bytes INTEGER NOT NULL,
    status TEXT NOT NULL
);
.import --skip 1 uploads.tsv uploads
UPDATE uploads SET frame = nullif(frame, '-'), level = nullif(level, '-'), layer = nullif(layer, '-'),
    x = nullif(x, '-'), y = nullif(y, '-'), z = nullif(z, '-'), width = nullif(width, '-'),
    height = nullif(height, '-'), depth = nullif(depth, '-'), "from" = nullif("from", '-'),
    from_level = nullif(from_level, '-'), from_layer = nullif(from_layer, '-'),
    from_x = nullif(from_x, '-'), from_y = nullif(from_y, '-'), from_z = nullif(from_z, '-');

CREATE TABLE textures (
    texture INTEGER NOT NULL,
    packet INTEGER NOT NULL,
    frame INTEGER,
    target TEXT NOT NULL,
    object INTEGER NOT NULL,
    level INTEGER NOT NULL,
    x INTEGER NOT NULL,
    y INTEGER NOT NULL,
    z INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    internal_format TEXT NOT NULL,
    format TEXT NOT NULL,
    type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    status TEXT NOT NULL
);
.import --skip 1 textures.tsv textures
UPDATE textures SET frame = nullif(frame, '-');

CREATE TABLE markers (
    packet INTEGER NOT NULL,
    frame INTEGER,
    thread INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    kind TEXT NOT NULL,
    text TEXT
);
.import --skip 1 markers.tsv markers
UPDATE markers SET frame = nullif(frame, '-'), text = nullif(text, '-');

CREATE TABLE errors (
    packet INTEGER NOT NULL,
    frame INTEGER,
    thread INTEGER NOT NULL,
    error TEXT
);
.import --skip 1 errors.tsv errors
UPDATE errors SET frame = nullif(frame, '-'), error = nullif(error, '-');

CREATE TABLE threads (
    thread INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    first INTEGER,
    last INTEGER
);
.import --skip 1 threads.tsv threads
UPDATE threads SET first = nullif(first, '-'), last = nullif(last, '-');

CREATE TABLE frame_draws (
    packet INTEGER NOT NULL,
    thread INTEGER NOT NULL,
    function TEXT NOT NULL,
    target TEXT,
    width INTEGER,
    height INTEGER
);
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/draws.tsv"' frame_draws
UPDATE frame_draws SET target = nullif(target, '-'), width = nullif(width, '-'),
    height = nullif(height, '-');

CREATE TABLE frame_resources (
    resource INTEGER NOT NULL,
    kind TEXT NOT NULL,
    object INTEGER NOT NULL,
    level INTEGER NOT NULL,
    layer INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    format TEXT,
    status TEXT
);
-- Traces without Direct3D have none.
.import --skip 1 '|cat "by-frame/${FRAME:-000000}/resources.tsv" 2>/dev/null' frame_resources
UPDATE frame_resources SET format = nullif(format, '-'), status = nullif(status, '-');

-- That of by-frame/$FRAME/pixel/$PIXEL, as 160,100; without it none.
CREATE TABLE frame_pixel (
    frame INTEGER NOT NULL,
    draw INTEGER,
    packet INTEGER,
    name TEXT,
    outcome TEXT,
    before_rgb TEXT,
    after_rgb TEXT,
    before_alpha INTEGER,
    after_alpha INTEGER,
    before_depth REAL,
    after_depth REAL,
    before_stencil INTEGER,
    after_stencil INTEGER
);
.import --skip 1 '|test -z "$PIXEL" || cat "by-frame/${FRAME:-000000}/pixel/${PIXEL:-0,0}.tsv"' frame_pixel
UPDATE frame_pixel SET draw = nullif(draw, '-'), packet = nullif(packet, '-'),
    name = nullif(name, '-'), outcome = nullif(outcome, '-'), before_rgb = nullif(before_rgb, '-'),
    after_rgb = nullif(after_rgb, '-'), before_alpha = nullif(before_alpha, '-'),
    after_alpha = nullif(after_alpha, '-'), before_depth = nullif(before_depth, '-'),
    after_depth = nullif(after_depth, '-'), before_stencil = nullif(before_stencil, '-'),
    after_stencil = nullif(after_stencil, '-');

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
