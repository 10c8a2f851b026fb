/* SPDX-License-Identifier: MIT */
/*
 * Interfaces between the files of gpudump(1): its commands, over a tree without a mount. The tree
 * has threads only if `cat` reads several files, and only then does a dump's background work go on.
 * The main thread runs each command, and makes what it reads unless another thread has begun that.
 * Errors are logged, and the command goes on as far as it can.
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
 * paths.c: paths of the tree as a user types them, with the shell's wildcards, since no shell can
 * expand names within a dump. Any thread.
 */

/*
 * Receives a path without leading slash, as it was found; links are followed. Returns false to end
 * the search.
 */
typedef bool (*paths_found)(void *context, const char *path, uint64_t inode);

/* Returns whether a path has wildcards. */
bool paths_is_pattern(const char *path);

/*
 * Calls `found` for everything that the pattern names, in the tree's order. A wildcard never stands
 * for `.` and `..`. Returns 0, -ENOENT if nothing was found, or another -errno.
 */
int paths_match(struct tree *tree, const char *pattern, paths_found found, void *context);

/* Returns the last component; "" for the root. */
const char *paths_last(const char *path);

/*
 * Finds where a link leads, as a path from the root; `link` is the link's own path. Does not follow
 * the target further. Returns 0, -ENOMEM, or -ENOENT if the target is outside of the tree.
 */
int paths_resolve_link(const char *link, const char *target, struct text *out);

/* contents.c: files on disk that a command writes. */

/*
 * Stores the status of the file at that path; of standard output if the path is `-`. Returns false,
 * and stores zeros, if there is no file. Any thread.
 */
bool contents_find(const char *path, struct stat *out);

/*
 * Returns whether the file is one of the dump's own files, under any name; false for zeros. Any
 * thread.
 */
bool contents_is_file_of_dump(struct tree *tree, const struct stat *file);

/* Returns whether the file at that path is one of the dump's own files. */
bool contents_is_of_dump(struct tree *tree, const char *path);

/*
 * Returns whether writing to `path` would overwrite what is read from `input`: it is the same file,
 * under any name, or a file in the folder `input`. As `input`, `-` is standard input; as `path`, it
 * is standard output. Standard output may be a file in the folder `input` if that is no part of a
 * dump, since results are kept there. Any thread.
 */
bool contents_is_of_input(const char *path, const char *input);

/* Logs that a command does not overwrite its input, a "dump" or the like. Returns -EEXIST. */
int contents_refuse(const char *path, const char *input);

/* Returns whether the path is `-`, which stands for standard output. Any thread. */
bool contents_is_stream(const char *path);

/*
 * Opens a file on disk for writing, and truncates it; for `-` duplicates standard output. Returns a
 * descriptor that the caller closes, or -errno. Returns -EEXIST, which is logged, if the file is
 * one of the dump's own; with a NULL tree this is not checked. Any thread.
 */
int contents_create(struct tree *tree, const char *path);

/* Writes a blob to a file on disk. Returns 0, or -errno as contents_create(). */
int contents_write(struct tree *tree, const char *path, const struct blob *blob);

/*
 * Calls gpudump_tell() about a file that could not be written; -EEXIST is already logged. Main
 * thread.
 */
void contents_tell(struct gpudump *gpudump, const char *path, int status);

/*
 * copy.c: copies files and folders of a tree to disk, several at the same time. The threads that
 * read the files also make them.
 */

struct copy;

struct copy_params {
    struct tree *tree;
    unsigned threads; /* at least 1 */
    bool progress;    /* show progress in a line on the terminal */
    uint64_t total;   /* files that will be added, for the progress; 0: each addition is counted */
    /*
     * Skips files that exist with the right size and the dump's time; a file gets that time when it
     * is complete. Live files are always copied.
     */
    bool resume;
};

/* Starts the threads. Returns 0, -ENOMEM, or -EAGAIN if no thread could be started. */
int copy_begin(const struct copy_params *params, struct copy **out);

/*
 * Copies what `path` (from the tree's root) names to `destination`; a folder with everything below
 * it. A link stays a link if its target is copied with it, and is followed otherwise. Files may
 * still be in progress on return. Live files are copied by copy_end(), so that they report on all
 * others.
 */
void copy_add(struct copy *copy, const char *path, uint64_t inode, const char *destination);

/*
 * Waits until everything is copied, and frees *copy. Returns false if something failed, which is
 * logged.
 */
bool copy_end(struct copy **copy);

/*
 * replace.c: a replacement is a file that is written beside its place, and takes that place when it
 * is complete, so that the former file stays if something fails. Its name has a mark, and the file
 * is locked: the next program that writes to the same place removes what a killed program has left.
 */

struct replacement {
    char *path, *temporary; /* final and current path */
    FILE *file;
    int lock; /* descriptor that holds the file's lock; -1: none */
};

/*
 * Begins a replacement. Returns 0, or -errno with nothing to end; -EINVAL if what is there is no
 * regular file.
 */
int replacement_begin(const char *path, struct replacement *out);
int replacement_write(struct replacement *replacement, const void *bytes, size_t length);

/* Completes the temporary file, which can then be read; nothing more can be written. */
int replacement_flush(struct replacement *replacement);

/*
 * Ends the replacement: the temporary file takes its place. Returns 0, or -errno if nothing was
 * replaced.
 */
int replacement_commit(struct replacement *replacement);

/* Ends the replacement: the temporary file is removed, and the former file stays. */
void replacement_abandon(struct replacement *replacement);

/*
 * confined.c: a command that reads its dump in a confined process (docs/confinement.md 8). That is
 * a child with helpers of its own, which writes into memory that both processes share. The parent,
 * which reads no dump, copies the result to its place if the child has succeeded. Main thread.
 */

struct confined {
    struct child child;
    struct helper_roles roles; /* for the child's helpers */
    int result;        /* memory file that the child writes; -1: the command is not confined */
    struct stat place; /* file that the result will replace; zeros: there is none */
    int stream;        /* in the child: the dump's stream; -1: the dump is a file */
};

/* Initializes the state of a command that is not confined. */
void confined_init(struct confined *confined);

/*
 * Forks the child, which is confined when this returns in it. `writes` is the path that the command
 * writes to. Sets *child to whether this is the child. Failures are logged.
 */
enum program_status confined_begin(struct gpudump *gpudump, const char *writes, bool *child);

/* Writes the child's result; replaces contents_write() to that path. */
int confined_write(struct gpudump *gpudump, const char *path, const struct blob *blob);

/*
 * In the parent: waits for the child, and writes its result to `path`, unless it has more than
 * `max` bytes. Returns the child's status if it failed, otherwise the outcome of writing.
 */
enum program_status confined_finish(struct gpudump *gpudump, const char *path, uint64_t max);

/* In both processes, after the dump is closed: ends the helpers, and closes files. */
void confined_end(struct confined *confined);

/*
 * The commands. Each is in a file of its name, except info, which is in cat.c, disassemble in
 * assemble.c, and the forms of export in dataset.c and database.c.
 */

struct condition_list;

struct gpudump {
    struct confined confined; /* of a command that reads its dump in another process */
    struct program program;
    struct program other; /* for the second dump, of a command with two */
    bool details, deep;   /* ls -l, -R */
    bool parents;         /* cp --parents */
    bool attributes;      /* ls -x */
    const char *picture;  /* --picture: path for diff's picture; NULL: none */
    const char *range;    /* --range of export and cut; NULL: everything */
    unsigned jobs;        /* -j; 0: the number of threads */
    unsigned size;        /* thumbnail -s: pixels of the longer side; 0: the default */
    bool each_frame;      /* diff --frames */
    /* reduce: the --keep options as given, and --last-frame. */
    const char *keep, *keep_pixel, *keep_hash, *keep_differs, *last_frame;
    const char *dataset, *dataset_parts, *sqlite; /* of export; NULL: not given */
    char *options;                                /* all arguments of -o, joined by commas */
    char **dumps;                                 /* as given */
    char **paths;                                 /* the arguments after the dumps */
    int path_count;
    const char *list;   /* the argument of -o that is being parsed */
    const char *output; /* -o with a word that is no option; NULL: not given */
    char *written[2];   /* the paths of a command with `output`, which is the last of them */
    bool verbose, json;
    bool help;                          /* -h: print the help, and do nothing else */
    const char *suite, *folder, *junit; /* of assert; NULL: not given */
    struct condition_list *conditions;  /* of assert; NULL: none */
    bool failed;
    bool differs; /* of diff and assert: the answer is no */
};

enum program_status gpudump_assemble(struct gpudump *gpudump); /* has no tree */
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

/* thumbnail.c: returns an upper limit, in bytes, for a thumbnail of the requested size. */
uint64_t gpudump_thumbnail_max(const struct gpudump *gpudump);

/* compare.c: prints what --json prints if a dump cannot be opened. */
void gpudump_compare_unopened(const struct gpudump *gpudump);

/*
 * Parses "A-B", "A-", "-B" or "A", or "" for everything; both ends are included. Returns false for
 * anything else.
 */
bool gpudump_read_range(const char *word, uint64_t *first, uint64_t *last);
/*
 * diff.c: writes the picture of --picture, which shows where two pictures differ. Returns 0, or
 * -errno, which is logged.
 */
int gpudump_write_difference(struct gpudump *gpudump, const struct pixels *a,
                             const struct pixels *b);

/*
 * assert.c: adds a condition by the name of its option, without dashes. Logs what is wrong with it.
 */
enum program_status gpudump_add_condition(struct gpudump *gpudump, const char *option,
                                          const char *value);
void gpudump_clear_conditions(struct gpudump *gpudump);

/*
 * flags.c: parses all flags, and adds the letter of each flag that is given, once, to `given`. Logs
 * what is wrong with one.
 */
enum program_status gpudump_parse(struct gpudump *gpudump, int argc, char **argv, char *given);

/*
 * Returns the name of a given flag that is neither in `own` nor common to all commands; NULL if
 * there is none.
 */
const char *gpudump_flag_beside(const char *given, const char *own);

/* Prints the whole help. */
void gpudump_print_help(const struct gpudump *gpudump);

/* Prints the help of a command with its flags; `own` are those of the command alone. */
void gpudump_print_help_of(const char *command, const char *own);

/* usage.c: prints the forms of a command; NULL: of all commands. */
void usage_print_forms(const char *command);

/* Prints the purpose of a command; NULL: of all commands. */
void usage_print_purposes(const char *command);

/* Logs what is wrong with the command line. Always returns PROGRAM_USAGE. */
enum program_status gpudump_tell_usage(const char *what);

/*
 * Returns what gpudump_tell() must name if printing a file has failed: standard output if that
 * cannot be written, otherwise `path`.
 */
const char *gpudump_failed_place(const char *path);

/* Logs what failed, and sets `failed`. */
void gpudump_tell(struct gpudump *gpudump, const char *path, int status);

/* Returns PROGRAM_OK, or PROGRAM_USAGE if `failed`. */
enum program_status gpudump_outcome(const struct gpudump *gpudump);

/* Calls `found` for the first `count` paths, with wildcards expanded; reports failures. */
void gpudump_each_path(struct gpudump *gpudump, int count, paths_found found, void *context);

#endif
