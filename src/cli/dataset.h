/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between the files of `gpudump export --dataset` (docs/dataset.md). A data set is a
 * folder with one folder for each dump. Separate processes write these, so that a dump that crashes
 * one process leaves the others alone. Each file is written under another name, and gets its own
 * name when it is complete and on the disk; the manifest is the last. So what an interrupted export
 * has left can be trusted, and the next export makes only what is missing. Main thread only.
 */
#ifndef GPUDUMPFS_CLI_DATASET_H
#define GPUDUMPFS_CLI_DATASET_H

#include "base/sha256.h"
#include "cli/gpudump.h"
#include "cli/schema.h"

#include <jansson.h>

enum {
    DATASET_VERSION = 1,       /* of the manifests */
    DATASET_PART_FRAMES = 100, /* frames whose rows share one file of a table */
};

/* What to export of each frame. */
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
#define DATASET_WORK     ".work" /* notes of an export that is not finished */

/*
 * dataset_inputs.c: dumps that are named directly or by their folder, in the order of their names.
 */
struct dataset_input {
    char *path, *name; /* `name`: of the dump's folder in the data set */
};
struct dataset_inputs {
    struct dataset_input *list;
    size_t count, room;
};

/*
 * Finds the dumps of `count` paths, by the program's options. `range`, unless NULL, is appended to
 * their names. Returns 0, -EINVAL, which is logged, or -ENOMEM. Call dataset_inputs_clear() even if
 * this fails.
 */
int dataset_inputs_find(const struct gpudump *gpudump, char *const *paths, int count,
                        const char *range, struct dataset_inputs *out);

/*
 * Checks that each name can be a separate folder of a data set. Returns 0, or -EINVAL, which is
 * logged.
 */
int dataset_inputs_check_names(const struct dataset_inputs *inputs);

void dataset_inputs_clear(struct dataset_inputs *inputs);

/* Describes a dump by its name, and its files with their sums. Returns 0 or -errno. */
int dataset_input_describe(const struct dataset_input *input, json_t **out);

/*
 * Returns those of a list of -o options that may change what is exported, as an array; NULL if
 * there is no memory. `list` may be NULL.
 */
json_t *dataset_options(const char *list);

/* One dump's export, in one process. */
struct dataset_export {
    struct program *program; /* its tree is NULL if the dump could not be opened */
    const json_t *identity;  /* of the dump and the settings, as in the manifest */
    const char *folder;      /* exists, with DATASET_WORK in it */
    unsigned parts;          /* set of enum dataset_part */
    uint64_t first, last;    /* frames, both included */
    /*
     * This process makes part n of the frames if n % shares == share. If it finishes the export, it
     * makes all parts.
     */
    unsigned share, shares;
    bool finishes;        /* this process finishes the export: it runs alone, and makes all that is
                             missing, and the manifest */
    struct text problems; /* lines of problems.txt so far */
    uint64_t problems_told; /* the dump's count of problems when they were noted last */
    json_t *failed;         /* files that could not be made, with reasons */
    const char *error;      /* why the dump could not be opened; NULL: it could */
    int broken;             /* -errno if nothing more can be written */
};

/*
 * dataset_dump.c: makes a share of an opened dump, or finishes it. Returns 0, 1 if some files could
 * not be made or the dump could not be opened, or -errno if nothing can be written, which is
 * logged.
 */
int dataset_export_dump(struct dataset_export *export);

/* dataset_file.c: files that are either complete or absent. */

struct dataset_file {
    struct dataset_export *export;
    FILE *stream;
};

/*
 * Writes the contents of a file. Returns 0, -ENOENT if the file is not to exist, or another -errno
 * of what it is made from.
 */
typedef int dataset_writer(void *context, struct dataset_file *file);

/*
 * Writes a file by `write`, unless it exists. `path` is below the export's folder. A process that
 * finishes the export records a failure in `failed`. Returns whether the file exists; false also if
 * nothing can be written.
 */
bool dataset_make(struct dataset_export *export, const char *path, dataset_writer *write,
                  void *context);

/* Appends bytes. Returns 0, or -errno, which is also stored in `broken`. */
int dataset_put(struct dataset_file *file, const void *bytes, size_t size);

/* Appends all bytes of a file of the tree. Returns 0 or -errno. */
int dataset_put_contents(struct dataset_file *file, struct tree *tree, uint64_t inode);

/*
 * Writes the header of an .npy file, 128 bytes: the type, such as "<i4", and the shape in C order.
 * If the first dimension is known only at the end, the header is written again at the beginning.
 */
int dataset_put_npy(struct dataset_file *file, const char *type, const uint64_t *shape,
                    unsigned dimensions);

/* Writes bytes to a file, under another name first. Returns 0 or -errno. */
int dataset_replace(const char *folder, const char *name, const char *bytes, size_t size);

/* Makes a folder unless it exists. Returns 0 or -errno. */
int dataset_make_folder(const char *folder, const char *name);

/* dataset_frame.c: exports all files of one frame, given by the name of its folder in by-frame. */
void dataset_export_frame(struct dataset_export *export, const struct schema_folder *frame);

/*
 * dataset_masks.c: writes which pixels each draw of a frame has written, as an array with rows of
 * four 32-bit numbers. For each draw, in order, there is a row with its number, the height and
 * width of the picture in which its pixels were found, and 0. After it comes a row for each run of
 * pixels, with the draw's number, the line, the column and the length of the run. The context is a
 * struct dataset_masks.
 */
struct dataset_masks {
    struct tree *tree;
    const char *frame; /* name of the frame's folder */
};
dataset_writer dataset_write_masks;

/* dataset_tables.c: exports a table of the root. */
void dataset_export_table(struct dataset_export *export, const struct schema_table *table);

/* Exports the rows of a table that are in the folders of one part. */
void dataset_export_part(struct dataset_export *export, const struct schema_table *table,
                         const struct schema_folder *folders, size_t count);

/* dataset_problems.c: lines of problems.txt, of this run and the runs before it. */

/* Reads the lines that earlier runs have noted. Returns 0 or -errno. */
int dataset_problems_begin(struct dataset_export *export);

/*
 * Notes lines that are new. Must be called before a file that they may concern gets its name.
 * Returns 0 or -errno.
 */
int dataset_problems_note(struct dataset_export *export);

/* Writes problems.txt of the export. Returns 0 or -errno. */
int dataset_problems_end(struct dataset_export *export);

/* dataset_manifest.c: manifests, and the end of an export. */

/* Removes the work folder, and writes the sums and then the manifest. Returns 0 or -errno. */
int dataset_manifest_write(struct dataset_export *export);

/* Removes the notes of an export that has ended. Returns 0 or -errno. */
int dataset_remove_work(const char *folder);

/*
 * Returns the manifest of a folder, a new reference; NULL if there is none, or none that can be
 * parsed.
 */
json_t *dataset_manifest_read(const char *folder);

/* Writes sums and manifest of the whole data set: of all finished dumps. Returns 0 or -errno. */
int dataset_manifest_write_root(const char *folder);

/* dataset_sums.c: SHA-256 in hexadecimal digits, and lines of SHA256SUMS as in sha256sum(1). */
enum { DATASET_SUM = SHA256_DIGITS + 1 };
void dataset_sum_bytes(const void *bytes, size_t size, char sum[DATASET_SUM]);
void dataset_sum_line(const char *sum, const char *path, struct text *sums);

/* Sums a file, and counts its bytes and its line feeds. Returns 0 or -errno. */
int dataset_sum_file(const char *path, char sum[DATASET_SUM], uint64_t *size, uint64_t *lines);

#endif
