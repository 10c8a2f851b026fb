/* SPDX-License-Identifier: MIT */
/*
 * What the files of `gpudump export --dataset` give each other (docs/dataset.md). A data set is a
 * folder with one for each dump. Processes of their own write these: whatever a dump does to one
 * leaves the others alone. Each file is written to another name, and gets its own when it is whole
 * and on the disk; the manifest is the last. So what an interrupted export has left can be trusted,
 * and the next one makes what is not there. Main thread only.
 */
#ifndef GPUDUMPFS_CLI_DATASET_H
#define GPUDUMPFS_CLI_DATASET_H

#include "base/sha256.h"
#include "cli/gpudump.h"
#include "cli/schema.h"

#include <jansson.h>

enum {
    DATASET_VERSION = 1,       /* of the manifests */
    DATASET_PART_FRAMES = 100, /* whose rows are one file of a table */
};

/* What of each frame there is to be. */
enum dataset_part {
    DATASET_FRAMES = 1 << 0,
    DATASET_DRAW_IDS = 1 << 1,
    DATASET_DEPTH = 1 << 2,
    DATASET_MASKS = 1 << 3,
    DATASET_TABLES = 1 << 4,
    DATASET_ALL = (1 << 5) - 1,
};

#define DATASET_MANIFEST "manifest.json"
#define DATASET_SUMS     "SHA256SUMS"
#define DATASET_PROBLEMS "problems.txt"
#define DATASET_WORK     ".work" /* of an export under way: its own notes */

/* dataset_inputs.c: dumps that are named, alone or by their folder, in the order of their names. */
struct dataset_input {
    char *path, *name; /* `name`: of its folder in a data set */
};
struct dataset_inputs {
    struct dataset_input *list;
    size_t count, room;
};

/* Of so many paths, with the program's options. 0; -EINVAL, which is told; -ENOMEM. To be cleared
 * anyway. */
int dataset_inputs_find(const struct gpudump *gpudump, char *const *paths, int count,
                        const char *range, struct dataset_inputs *out);

/* Whether each name may be a folder of its own in a data set. 0; -EINVAL, which is told. */
int dataset_inputs_check_names(const struct dataset_inputs *inputs);

void dataset_inputs_clear(struct dataset_inputs *inputs);

/* Its name, and the files with their sums. 0 or -errno. */
int dataset_input_describe(const struct dataset_input *input, json_t **out);

/* Those of a list of -o options that may change what is exported; NULL: none are given. */
json_t *dataset_options(const char *list);

/* One dump's export, in one process. */
struct dataset_export {
    struct program *program; /* NULL tree: the dump could not be opened */
    const json_t *identity;  /* of the dump and the settings, as the manifest has them */
    const char *folder;      /* which is there, with DATASET_WORK in it */
    unsigned parts;          /* of enum dataset_part */
    uint64_t first, last;    /* frames */
    unsigned share, shares;  /* which of so many makes every so-manieth part of the frames … */
    bool finishes;           /* … or, alone, all that is not there yet, and the manifest */
    struct text problems;    /* lines of problems.txt that were told by now */
    uint64_t problems_told;  /* of the dump's count */
    json_t *failed;          /* files that could not be made, and why */
    const char *error;       /* why the dump could not be opened */
    int broken;              /* -errno: nothing more can be written */
};

/*
 * dataset_dump.c: makes a share of an opened dump, or finishes it. 0; 1 if some files could not be
 * made, or the dump could not be opened; -errno: nothing can be written, which is told.
 */
int dataset_export_dump(struct dataset_export *export);

/* dataset_file.c: files that are whole or not there. */

struct dataset_file {
    struct dataset_export *export;
    FILE *stream;
};

/* Writes a file: 0; -ENOENT: there is none to be; or another -errno of what it is made of. */
typedef int dataset_writer(void *context, struct dataset_file *file);

/*
 * Has a file written, unless it is there. `path` is below the export's folder. What cannot be made
 * is remembered in `failed`. Whether it is there; false also when nothing can be written.
 */
bool dataset_make(struct dataset_export *export, const char *path, dataset_writer *write,
                  void *context);

/* 0 or -errno, which is in `broken` then. */
int dataset_put(struct dataset_file *file, const void *bytes, size_t size);

/* All bytes of a file of the tree. */
int dataset_put_contents(struct dataset_file *file, struct tree *tree, uint64_t inode);

/*
 * The head of an .npy file, 128 bytes: "<i4" and the like, and the shape, in C's order. Written
 * anew at the beginning when the first dimension is known at last.
 */
int dataset_put_npy(struct dataset_file *file, const char *type, const uint64_t *shape,
                    unsigned dimensions);

/* Writes bytes to a file by another name first. 0 or -errno. */
int dataset_replace(const char *folder, const char *name, const char *bytes, size_t size);

/* 0 or -errno; a folder that is there is good. */
int dataset_make_folder(const char *folder, const char *name);

/* dataset_frame.c: all files of one frame, by the name of its folder in by-frame. */
void dataset_export_frame(struct dataset_export *export, const struct schema_folder *frame);

/*
 * dataset_masks.c: which pixels each draw of a frame has written, as an array of four 32-bit
 * numbers a row. Of each draw, in their order, comes a row with its number, the height and the
 * width of the picture in which it was looked for, and 0; then a row for each run of pixels, with
 * the draw's number, the line, the column and the length of the run. The context is a struct
 * dataset_masks.
 */
struct dataset_masks {
    struct tree *tree;
    const char *frame; /* the name of its folder */
};
dataset_writer dataset_write_masks;

/* dataset_tables.c: a table of the root; rows of the folders of one part. */
void dataset_export_table(struct dataset_export *export, const struct schema_table *table);
void dataset_export_part(struct dataset_export *export, const struct schema_table *table,
                         const struct schema_folder *folders, size_t count);

/* dataset_problems.c: lines of problems.txt, of this run and of those before it. */

/* Reads what earlier runs have noted. 0 or -errno. */
int dataset_problems_begin(struct dataset_export *export);

/* Notes what has come since, before a file that it may be about is there. 0 or -errno. */
int dataset_problems_note(struct dataset_export *export);

/* Writes problems.txt of the export. 0 or -errno. */
int dataset_problems_end(struct dataset_export *export);

/* dataset_manifest.c */

/* Removes the work folder, writes the sums and then the manifest. 0 or -errno. */
int dataset_manifest_write(struct dataset_export *export);

/* The notes of an export that is over. 0 or -errno. */
int dataset_remove_work(const char *folder);

/* The manifest of a folder; NULL: there is none, or none that can be understood. */
json_t *dataset_manifest_read(const char *folder);

/* Sums and manifest of the whole data set: of all dumps that are finished. 0 or -errno. */
int dataset_manifest_write_root(const char *folder);

/* dataset_sums.c: SHA-256 in hexadecimal digits, and lines of SHA256SUMS as sha256sum(1) reads
 * them. */
enum { DATASET_SUM = SHA256_DIGITS + 1 };
void dataset_sum_bytes(const void *bytes, size_t size, char sum[DATASET_SUM]);
void dataset_sum_line(const char *sum, const char *path, struct text *sums);

/* Of a file, with its size and how many line feeds are in it. 0 or -errno. */
int dataset_sum_file(const char *path, char sum[DATASET_SUM], uint64_t *size, uint64_t *lines);

#endif
