-- The table of a mounted folder of dumps (--dir), for sqlite3(1). Columns: gpudumpfs-tree(7).
--
--     cd mnt && sqlite3 /tmp/look.db <dumps.sql
--
-- Text of the dump, in which blanks may stand:
-- dumps.dump, dumps.file.
.bail on
.mode tabs

CREATE TABLE dumps (
    dump TEXT NOT NULL,
    file TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    format TEXT NOT NULL,
    time TEXT NOT NULL,
    state TEXT NOT NULL
);
.import --skip 1 dumps.tsv dumps
