/* SPDX-License-Identifier: MIT */
/*
 * What the files of gpudump(1) give each other: its commands, over a tree without a mount. The tree
 * has threads only where cat reads one file after the other, and a dump's work in the background
 * goes on then. The main thread runs each command, and produces what it reads and no other
 * thread has begun. Errors go to the log, and what can be done is done.
 */
#ifndef GPUDUMPFS_CLI_GPUDUMP_H
#define GPUDUMPFS_CLI_GPUDUMP_H

#include "cli/child.h"
#include "cli/helper_roles.h"
#include "cli/program.h"
#include "compare/contents.h"
#include "compare/pixels.h"
#include "compare/text_diff.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

struct gpudump;

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

/* contents.c: files on disk that a command writes. */

/*
 * What is at that path, for `-` what standard output is; false, and zeros: nothing. Any thread.
 */
bool contents_find(const char *path, struct stat *out);

/* Whether that is one of the dump's own files, by whatever name; zeros are none's. Any thread. */
bool contents_is_file_of_dump(struct tree *tree, const struct stat *file);

/* Both. */
bool contents_is_of_dump(struct tree *tree, const char *path);

/*
 * Whether the file of that name is what is read from `input`: by another name, too, and for a
 * folder one of the files in it; for `-` what standard input is. The name `-` is standard output,
 * which may be a file in such a folder that is no part of a dump: results are kept there. Any
 * thread.
 */
bool contents_is_of_input(const char *path, const char *input);

/* Tells that a command does not write to what it reads, a "dump" or the like: -EEXIST. */
int contents_refuse(const char *path, const char *input);

/* Whether what is written there goes to standard output: the name is `-`. Any thread. */
bool contents_is_stream(const char *path);

/*
 * Opens a file on disk to be written anew, for `-` standard output as it is: a descriptor that
 * is to be closed, or -errno. -EEXIST, which is told: it is
 * one of the dump's own files; without a tree that is not looked at. Any thread.
 */
int contents_create(struct tree *tree, const char *path);

/* Writes a file on disk. 0, or -errno as of contents_create(). */
int contents_write(struct tree *tree, const char *path, const struct blob *blob);

/* As gpudump_tell(), of what became of such a file: -EEXIST is told already. Main thread. */
void contents_tell(struct gpudump *gpudump, const char *path, int status);

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
 * stood there stays when something fails. Its name has a mark, and it is locked: what a program
 * that was killed has left there is removed by the next one that writes to the same place.
 */

struct replacement {
    char *path, *temporary; /* where it is to be, and where it is */
    FILE *file;
    int lock; /* the file's, held to the end; -1: none */
};

/* 0 or -errno; -EINVAL: what is there is no plain file. */
int replacement_begin(const char *path, struct replacement *out);
int replacement_write(struct replacement *replacement, const void *bytes, size_t length);

/* Its bytes are in the temporary file then, which can be read; nothing more can be written. */
int replacement_flush(struct replacement *replacement);

/* Both end it. 0 or -errno, and then nothing was replaced. */
int replacement_commit(struct replacement *replacement);
void replacement_abandon(struct replacement *replacement);

/*
 * confined.c: a command that reads its dump in a confined process (docs/confinement.md 8): a child,
 * with helpers of its own. What it writes goes into memory that both have, and the parent, which
 * reads no dump, copies that to its place when the child has ended well. Main thread.
 */

struct confined {
    struct child child;
    struct helper_roles roles; /* of the child */
    int result;                /* what the child writes; -1: the command is not confined */
    struct stat place;         /* where that is to go; zeros: it is not there yet */
    int stream;                /* of the child: the dump's; -1: it is a file */
};

void confined_init(struct confined *confined);

/*
 * Makes the child, which is confined when it returns. `writes`: the path of what the command
 * writes. What fails is told. *child: whether this is the child.
 */
enum program_status confined_begin(struct gpudump *gpudump, const char *writes, bool *child);

/* The child's contents_write(), for that path. */
int confined_write(struct gpudump *gpudump, const char *path, const struct blob *blob);

/*
 * The parent: waits for the child, and writes what it has made, which is refused if it is more than
 * `max` bytes. Its status, or what failed here.
 */
enum program_status confined_finish(struct gpudump *gpudump, const char *path, uint64_t max);

/* Of both, when the dump is closed. */
void confined_end(struct confined *confined);

/*
 * The commands: each is in a file of its name, info in cat.c, disassemble in assemble.c, the forms
 * of export in dataset.c and database.c.
 */

struct condition_list;

struct gpudump {
    struct confined confined; /* of a command that reads its dump in another process */
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
    const char *dataset, *dataset_parts, *sqlite; /* of export; NULL: not given */
    char *options;                                /* lists of -o, with commas between */
    char **dumps;                                 /* as they were given */
    char **paths;                                 /* what follows the dumps */
    int path_count;
    const char *list;   /* of the -o that is being read */
    const char *output; /* of -o, a word that is no option; NULL: not given */
    char *written[2];   /* the paths of such a command, that one the last */
    bool verbose, json;
    bool help;                          /* -h: it is printed, and nothing else done */
    const char *suite, *folder, *junit; /* of assert; NULL: not given */
    struct condition_list *conditions;  /* of assert; NULL: none */
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
enum program_status gpudump_export_dataset(struct gpudump *gpudump);
enum program_status gpudump_export_sqlite(struct gpudump *gpudump);
enum program_status gpudump_info(struct gpudump *gpudump);
enum program_status gpudump_ls(struct gpudump *gpudump);
enum program_status gpudump_reduce(struct gpudump *gpudump);
enum program_status gpudump_thumbnail(struct gpudump *gpudump);
enum program_status gpudump_cat(struct gpudump *gpudump);
enum program_status gpudump_cp(struct gpudump *gpudump);

/* thumbnail.c: no thumbnail of the size that was asked for has more bytes. */
uint64_t gpudump_thumbnail_max(const struct gpudump *gpudump);

/* compare.c: what is printed with --json where a dump cannot be opened. */
void gpudump_compare_unopened(const struct gpudump *gpudump);

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

/*
 * flags.c: takes all flags; the letters of those that are given, each once, are added to `given`.
 * What is wrong with one is told.
 */
enum program_status gpudump_parse(struct gpudump *gpudump, int argc, char **argv, char *given);

/* The name of a given flag that is neither one of `own` nor every command's; NULL: there is none.
 */
const char *gpudump_flag_beside(const char *given, const char *own);

/* The help: all of it, and that of a command, with its flags, of which `own` are its own alone. */
void gpudump_print_help(const struct gpudump *gpudump);
void gpudump_print_help_of(const char *command, const char *own);

/* usage.c: how a command is typed, and what it does; NULL: of all. */
void usage_print_forms(const char *command);
void usage_print_purposes(const char *command);

/* Tells what is wrong with the words that were typed. Always PROGRAM_USAGE. */
enum program_status gpudump_tell_usage(const char *what);

/* Tells what failed, and remembers that something did. */
void gpudump_tell(struct gpudump *gpudump, const char *path, int status);

/* PROGRAM_OK, or PROGRAM_USAGE if something failed. */
enum program_status gpudump_outcome(const struct gpudump *gpudump);

/* The first `count` paths, wildcards expanded. */
void gpudump_each_path(struct gpudump *gpudump, int count, paths_found found, void *context);

#endif
