/* SPDX-License-Identifier: MIT */
/*
 * What the files of gpudump(1) give each other: its commands, over a tree without a mount. The tree
 * has threads only where cat reads one file after the other, and a dump's work in the background
 * goes on then. The main thread runs each command, and produces what it reads and no other
 * thread has begun. Errors go to the log, and what can be done is done.
 */
#ifndef GPUDUMPFS_CLI_GPUDUMP_H
#define GPUDUMPFS_CLI_GPUDUMP_H

#include "cli/program.h"

#include <stddef.h>
#include <stdio.h>

/*
 * paths.c: paths of the tree as a user types them, with the shell's wildcards: no shell can expand
 * names within a dump. Any thread.
 */

/* `path` without leading slash, as it was found; links are followed. False ends the search. */
typedef bool (*paths_found)(void *context, const char *path, uint64_t inode);

bool paths_is_pattern(const char *path);

/*
 * Calls `found` for everything that the pattern names, in the tree's order; a wildcard never
 * stands for `.` and `..`. 0, -ENOENT when there was nothing, or another -errno.
 */
int paths_match(struct tree *tree, const char *pattern, paths_found found, void *context);

/* The last component; "" for the root. */
const char *paths_last(const char *path);

/*
 * Where a link leads, as a path from the root: `link` is the link's own path. It
 * is not followed further. 0 or -ENOMEM, or -ENOENT when it leads out of the tree.
 */
int paths_resolve_link(const char *link, const char *target, struct text *out);

/* contents.c: whole files of a tree in memory, and pictures as pixels. */

/* Adds a file's bytes to `out`. 0 or -errno. */
int contents_read(struct tree *tree, uint64_t inode, struct text *out);

/*
 * The file or folder `folder`NNNNNN`rest` of a frame, whatever digits frames have in this dump.
 * 0, -ENOENT, or another -errno.
 */
enum { CONTENTS_PATH = 64 };
int contents_find_frame(struct tree *tree, const char *folder, uint64_t frame, const char *rest,
                        char path[CONTENTS_PATH], uint64_t *inode);

/* Whether the file of that name is one of the dump's own. Any thread. */
bool contents_is_of_dump(struct tree *tree, const char *path);

/*
 * Opens a file on disk to be written anew: its descriptor, or -errno. -EEXIST, which is told: it is
 * one of the dump's own files. Any thread.
 */
int contents_create(struct tree *tree, const char *path);

/* Writes a file on disk. 0, or -errno as of contents_create(). */
int contents_write(struct tree *tree, const char *path, const struct blob *blob);

struct pixels {
    uint32_t width, height;
    uint8_t *rgb; /* rows of width * 3 bytes, from the top */
};

/* A PNG, over black where it is transparent. 0, -EIO if it is none, or -errno. */
int pixels_read(struct tree *tree, uint64_t inode, struct pixels *out);

/* Likewise of a file on disk. */
int pixels_load(const char *path, struct pixels *out);

/* A pixel's three bytes, or NULL beside the picture. */
const uint8_t *pixels_at(const struct pixels *pixels, uint32_t x, uint32_t y);

/* `#rrggbb`, or `none` beside the picture. */
enum { PIXELS_COLOUR = 8 };
void pixels_colour(const struct pixels *pixels, uint32_t x, uint32_t y, char out[PIXELS_COLOUR]);

/* Pixels that only one has differ. */
struct pixels_difference {
    uint64_t count;
    uint32_t x, y; /* the first from the top, then from the left */
};
void pixels_compare(const struct pixels *a, const struct pixels *b, struct pixels_difference *out);

/* Frees them; zeroed ones are fine. */
void pixels_clear(struct pixels *pixels);

/*
 * copy.c: copies files and folders of a tree to disk, several at once: the threads that read them
 * are the threads that produce them.
 */

struct copy;

struct copy_params {
    struct tree *tree;
    unsigned threads; /* at least 1 */
    bool progress;    /* a line on the terminal */
    uint64_t total;   /* files that will be added, for that line; 0: each addition is counted */
    /* Files that are there already with the right size and the dump's time are left: a file
     * gets that time when it is whole. Live ones are copied anew. */
    bool resume;
};

/* 0, -ENOMEM, or -EAGAIN for want of threads. */
int copy_begin(const struct copy_params *params, struct copy **out);

/*
 * Copies what `path` (from the tree's root) names to `destination`, a folder with
 * all that is below. A link is kept where what it leads to is copied with it, and
 * followed elsewhere. Files may still be under way on return; what is live is copied by
 * copy_end(), so that it tells of all the others.
 */
void copy_add(struct copy *copy, const char *path, uint64_t inode, const char *destination);

/* Waits until all is copied. False if something failed: the log has told what. */
bool copy_end(struct copy **copy);

/*
 * replace.c: a file that is written beside its place and takes it when it is whole, so that what
 * stood there stays when something fails.
 */

struct replacement {
    char *path, *temporary; /* where it is to be, and where it is */
    FILE *file;
};

/* 0 or -errno; -EINVAL: what is there is no plain file. */
int replacement_begin(const char *path, struct replacement *out);
int replacement_write(struct replacement *replacement, const void *bytes, size_t length);

/* Its bytes are in the temporary file then, which can be read; nothing more can be written. */
int replacement_flush(struct replacement *replacement);

/* Both end it. 0 or -errno, and then nothing was replaced. */
int replacement_commit(struct replacement *replacement);
void replacement_abandon(struct replacement *replacement);

/* text_diff.c: two lists of lines side by side in the unified form of diff(1). Pure functions. */

/* Lines of a text that outlives them. */
struct text_diff_line {
    const char *bytes;
    size_t length; /* without the newline */
};

struct text_diff_lines {
    struct text_diff_line *list;
    size_t count;
};

/* How many bytes at the head of a line do not matter: dump_ops' command_place. */
typedef size_t text_diff_skip(const char *line, size_t length, unsigned *inside);

/* Cuts a text into lines, each without what `skip` says; NULL: whole ones. 0 or -ENOMEM. */
int text_diff_split(const char *bytes, size_t length, text_diff_skip *skip,
                    struct text_diff_lines *out);
void text_diff_clear(struct text_diff_lines *lines);

/* Which lines of the first list are not in the second, and the reverse; an entry for each line. */
struct text_diff_marks {
    bool *gone, *come;
};

/* What differs in very many lines is replaced as a whole. 0 or -ENOMEM. */
int text_diff_mark(const struct text_diff_lines *a, const struct text_diff_lines *b,
                   struct text_diff_marks *out);
void text_diff_clear_marks(struct text_diff_marks *marks);

/*
 * Appends the first hunks by such marks, which may be those of other lists of the same lengths: a
 * line that is in both is shown as `a` has it.
 */
void text_diff_write_marked(const struct text_diff_lines *a, const struct text_diff_lines *b,
                            const struct text_diff_marks *marks, size_t max_hunks,
                            struct text *out);

/*
 * Appends the hunks that lead from `a` to `b`, with three lines around each; nothing
 * when they are equal. What differs in very many lines is replaced as a whole. 0 or
 * -ENOMEM.
 */
int text_diff_write(const struct text_diff_lines *a, const struct text_diff_lines *b,
                    struct text *out);

/* The commands: each is in a file of its name, info in cat.c, disassemble in assemble.c. */

struct condition_list;

struct gpudump {
    struct program program;
    struct program other; /* of a command that has two dumps the second */
    bool details, deep;   /* ls -l, -R */
    bool parents;         /* cp --parents */
    bool attributes;      /* ls -x */
    const char *picture;  /* --picture: where diff writes it; NULL: nowhere */
    const char *range;    /* export, cut --range; NULL: everything */
    unsigned jobs;        /* export -j; 0: as many as there are threads */
    unsigned size;        /* thumbnail -s: pixels of the larger side; 0: the usual ones */
    bool each_frame;      /* diff --frames */
    /* reduce: what is to be kept, as it was given, and --last-frame. */
    const char *keep, *keep_pixel, *keep_hash, *keep_differs, *last_frame;
    char **dumps; /* as they were given */
    char **paths; /* what follows the dumps */
    int path_count;
    bool verbose, json;
    const char *suite, *junit;         /* of assert; NULL: not given */
    struct condition_list *conditions; /* of assert; NULL: none */
    bool failed;
    bool differs; /* of diff and assert: the answer is no */
};

enum program_status gpudump_assemble(struct gpudump *gpudump); /* without a tree */
enum program_status gpudump_assert(struct gpudump *gpudump);
enum program_status gpudump_compare(struct gpudump *gpudump); /* diff of two dumps */
enum program_status gpudump_cut(struct gpudump *gpudump);
enum program_status gpudump_disassemble(struct gpudump *gpudump);
enum program_status gpudump_diff(struct gpudump *gpudump);
enum program_status gpudump_export(struct gpudump *gpudump);
enum program_status gpudump_info(struct gpudump *gpudump);
enum program_status gpudump_ls(struct gpudump *gpudump);
enum program_status gpudump_reduce(struct gpudump *gpudump);
enum program_status gpudump_thumbnail(struct gpudump *gpudump);
enum program_status gpudump_cat(struct gpudump *gpudump);
enum program_status gpudump_cp(struct gpudump *gpudump);

/* "A-B", "A-", "-B" or "A", and "" for everything; both ends belong to it. False: none of these. */
bool gpudump_read_range(const char *word, uint64_t *first, uint64_t *last);
/*
 * diff.c: writes the picture of --picture, where two pictures differ. 0, or -errno, which is told.
 */
int gpudump_write_difference(struct gpudump *gpudump, const struct pixels *a,
                             const struct pixels *b);

/* assert.c: a condition by its option's name, without dashes; what is wrong with it is told. */
enum program_status gpudump_add_condition(struct gpudump *gpudump, const char *option,
                                          const char *value);
void gpudump_clear_conditions(struct gpudump *gpudump);

/* Tells what failed, and remembers that something did. */
void gpudump_tell(struct gpudump *gpudump, const char *path, int status);

/* PROGRAM_OK, or PROGRAM_USAGE if something failed. */
enum program_status gpudump_outcome(const struct gpudump *gpudump);

/* The first `count` paths, wildcards expanded. */
void gpudump_each_path(struct gpudump *gpudump, int count, paths_found found, void *context);

#endif
