-- The table of a mount of two dumps (--compare), for sqlite3(1). Columns: gpudumpfs-tree(7).
--
--     cd mnt && sqlite3 /tmp/look.db <comparison.sql
--
-- What is - in a file is NULL afterwards. The tables of a/ and b/ are those of their format.
.bail on
.mode tabs

CREATE TABLE differing (
    pair INTEGER NOT NULL,
    a INTEGER,
    b INTEGER,
    command INTEGER,
    draw INTEGER,
    texture TEXT,
    pixels INTEGER,
    max_difference INTEGER
);
.import --skip 1 differing.tsv differing
UPDATE differing SET a = nullif(a, '-'), b = nullif(b, '-'), command = nullif(command, '-'),
    draw = nullif(draw, '-'), texture = nullif(texture, '-'), pixels = nullif(pixels, '-'),
    max_difference = nullif(max_difference, '-');
