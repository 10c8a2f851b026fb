/* SPDX-License-Identifier: MIT */
/*
 * What gpudumpfs and gpudump have in common: options, opening a dump and reporting on it, exit
 * statuses, versions. Errors are logged here. Main thread only; program_open() makes no thread.
 */
#ifndef GPUDUMPFS_CLI_PROGRAM_H
#define GPUDUMPFS_CLI_PROGRAM_H

#include "formats/format.h"
#include "fuse/mount.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Exit statuses, in bands that scripts can test (fuse.md, "What users expect"). */
enum program_status {
    PROGRAM_OK = 0,
    PROGRAM_USAGE = 1,       /* of gpudump also a path that cannot be read or written */
    PROGRAM_NO = 1,          /* gpudump diff and assert: the answer is no */
    PROGRAM_TROUBLE = 2,     /* gpudump diff and assert: there is no answer */
    PROGRAM_TEXT = 2,        /* gpudump assemble: the text is wrong */
    PROGRAM_MOUNTPOINT = 10, /* the mountpoint, or mounting */
    PROGRAM_OPEN = 11,       /* the dump cannot be opened */
    PROGRAM_FORMAT = 30,     /* not a dump of a known format */
    PROGRAM_HEADER = 31,     /* a bad header or an unknown version */
    PROGRAM_DAMAGED = 32,    /* damaged, and strict */
};

/* All -o options except those of the formats. Their table is in option_table.c. */
struct program_options {
    struct options common; /* common to tree, cache and formats */
    struct mount_options mount;
    uint64_t max_expand;       /* bytes that a compressed dump may expand to; 0: as in source.h */
    unsigned max_ratio;        /* largest multiple of its own size; 0: no limit */
    char *spool;               /* folder for expanded dumps; NULL: $TMPDIR, else /var/tmp */
    bool follow;               /* the dump is still being written */
    bool allow_remote;         /* a stream may come from another machine */
    bool dir;                  /* the dump is a folder of dumps */
    unsigned open_dumps;       /* dumps of a folder that are open at the same time */
    enum options_keep confine; /* whether the daemon is confined */
    char *run_as;              /* user that the daemon of root becomes; NULL: nobody */
    char *overlay;             /* a folder of edited files; NULL: there is none */
    char *mount_namespace; /* a file of it; "-": that of standard input; NULL: the daemon's own */
};

/*
 * Sets the defaults, without the formats' options. options_clear() of `common` frees the options.
 */
void program_options_init(struct program_options *options);

/* Returns how the options say to read a dump; the name of the spool folder is borrowed. */
struct source_params program_source_params(const struct program_options *options);

/* Makes the options of one open dump of a folder: a part of the cache. Strings are borrowed. */
void program_options_share(const struct program_options *options, struct program_options *out);

/* What a stream is: no dump, a dump that is followed, or a dump that is read to its end first. */
enum program_streams { PROGRAM_NO_STREAMS, PROGRAM_STREAMS_GROW, PROGRAM_STREAMS_WHOLE };

struct program {
    const char *name;
    bool quiet;
    enum program_streams streams; /* how a DUMP that names a stream is opened */
    const int *stream;            /* the stream, if it is already open; NULL: it is not */
    bool is_folder;               /* set by program_look() */
    const char *folder_hint; /* sentence for the user: what to do about a folder that is no dump */
    unsigned max_wait_ms;    /* limit of program_open(); 0: none */
    bool repeats; /* another program was given the same options: what has no effect is known */
    struct program_options options;
    struct format_dump dump; /* its `dump` is NULL while program_open_rest() is still due */
    struct tree *tree;
    bool knows_defects; /* the user was told that the dump has defects */
};

/*
 * Initializes a program with the default options, and sets the handling of SIGCHLD and SIGXFSZ for
 * the process. Returns PROGRAM_OK, or PROGRAM_OPEN without memory, which is logged.
 */
enum program_status program_init(struct program *program, const char *name);

/* Closes everything, the tree first. */
void program_close(struct program *program);

/* Sets how much is logged: -q, -v, -d. */
enum program_talk { PROGRAM_QUIET, PROGRAM_NORMAL, PROGRAM_VERBOSE, PROGRAM_DEBUG };
void program_talk(struct program *program, enum program_talk talk);

/*
 * Returns the length of the first option of a list, up to its comma; `\` before a comma escapes it.
 */
size_t program_option_length(const char *list);

/*
 * Parses one argument of -o: options separated by commas, with `\` before a comma that is part of
 * an option. Options that are not in the table are passed to `other` as they were written, which
 * returns false if it does not know them either. NULL: no other options are known. Returns
 * PROGRAM_OK, or PROGRAM_USAGE, which is logged.
 */
enum program_status program_add_options(struct program *program, const char *list,
                                        bool (*other)(void *context, const char *option),
                                        void *context);

/* Sets is_folder by the dump's name, under which the process that opens it may not see it. */
void program_look(struct program *program, const char *path);

/* Returns whether the dump of that name is a stream, as `streams` allows. */
bool program_is_stream(const struct program *program, const char *path);

/*
 * Opens a dump that is a stream, for a process that cannot do so later; waits for its producer.
 * program_open() then uses *stream, which the caller closes. Sets *stream to -1 if the dump is no
 * stream.
 */
enum program_status program_open_stream(struct program *program, const char *path, int *stream);

/*
 * Opens and indexes the dump. If expanding it takes longer than `max_wait_ms`, the dump is only
 * known to begin like a dump, and program_open_rest() must open it.
 */
enum program_status program_open(struct program *program, const char *path);

/* Returns why program_open() failed with this status, in a few words. */
const char *program_open_error(enum program_status status);

/*
 * Opens what program_open() has left. Any one thread may call it. Returns 0, or -errno, which is
 * logged unless it is -EINTR.
 */
int program_open_rest(struct program *program, const char *path, const struct cancel *cancel);

/*
 * Logs, once for each dump, that it has defects (notes do not count). Opening a dump reports the
 * defects known then. Making files may find others, so a command calls this when it is done.
 */
void program_tell_defects(struct program *program, const char *path);

/* Makes the tree, with its threads; call it after the fork. */
enum program_status program_make_tree(struct program *program, unsigned threads);

/* Prints `name version`, and a line of libraries that ends with `more`, which may be NULL. */
void program_print_version(const struct program *program, const char *more);

/* Prints the tables of -o options. */
void program_print_options(const struct program *program);

/*
 * One line on a terminal that shows the progress of long work. Nothing is shown if standard error
 * is no terminal, or in the first half second. One thread at a time.
 */
struct progress {
    bool wanted;
    bool shown;
    int64_t next; /* when to show it again, in milliseconds of clock_ms() */
};

/* Returns whether anything will be shown. */
bool progress_begin(struct progress *progress, bool wanted);

/*
 * Shows the progress. `what` may be of any origin: it is escaped, and cut to the terminal's width.
 */
void progress_show(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/* Clears the line. */
void progress_end(struct progress *progress);

#endif
