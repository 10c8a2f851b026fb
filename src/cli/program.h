/* SPDX-License-Identifier: MIT */
/*
 * What gpudumpfs and gpudump do alike: options, opening a dump with all that may
 * be said about it, exit statuses, versions. Errors are told here, through the
 * log. Main thread only; program_open() makes no thread.
 */
#ifndef GPUDUMPFS_CLI_PROGRAM_H
#define GPUDUMPFS_CLI_PROGRAM_H

#include "formats/format.h"
#include "fuse/mount.h"
#include "tree/tree.h"

#include <stdbool.h>
#include <stdint.h>

/* Bands that scripts can test (fuse.md, "What users expect"). */
enum program_status {
    PROGRAM_OK = 0,
    PROGRAM_USAGE = 1,       /* gpudump: also a path that cannot be read or written */
    PROGRAM_NO = 1,          /* gpudump diff and assert, where … */
    PROGRAM_TROUBLE = 2,     /* … there is no answer */
    PROGRAM_TEXT = 2,        /* gpudump assemble: the text is wrong */
    PROGRAM_MOUNTPOINT = 10, /* the mountpoint, or mounting */
    PROGRAM_OPEN = 11,       /* the dump cannot be opened */
    PROGRAM_FORMAT = 30,     /* not a dump of a known format */
    PROGRAM_HEADER = 31,     /* a bad header or an unknown version */
    PROGRAM_DAMAGED = 32,    /* damaged, and strict */
};

/* All that stands behind -o but the formats' own: option_table.c has them. */
struct program_options {
    struct options common; /* what tree, cache and formats take */
    struct mount_options mount;
    uint64_t max_expand; /* bytes that a compressed dump may expand to; 0: as source.h says, … */
    unsigned max_ratio;  /* … and times its own size; 0: any */
    char *spool;         /* where to; NULL: $TMPDIR, else /var/tmp */
    bool follow;         /* the dump is still being written */
    bool allow_remote;   /* a stream may come from another machine */
    bool dir;            /* the dump is a folder of dumps */
    unsigned open_dumps; /* of a folder, at a time */
    enum options_keep confine; /* whether the daemon is confined */
    char *run_as;              /* the user that it becomes, if root mounts; NULL: nobody */
    char *overlay;             /* a folder of edited files; NULL: there is none */
    char *mount_namespace;     /* a file of it; "-": standard input; NULL: the daemon's own */
};

/* Defaults, without the formats' options. Freed by options_clear() of `common`. */
void program_options_init(struct program_options *options);

/* What they say about how a dump's bytes are had; the spool's name is borrowed. */
struct source_params program_source_params(const struct program_options *options);

/* What each open dump of a folder takes: the same, with a part of the cache. Texts are borrowed. */
void program_options_share(const struct program_options *options, struct program_options *out);

/* A stream is no dump, or one that is followed, or one that is read to its end first. */
enum program_streams { PROGRAM_NO_STREAMS, PROGRAM_STREAMS_GROW, PROGRAM_STREAMS_WHOLE };

struct program {
    const char *name;
    bool quiet;
    enum program_streams streams; /* what a DUMP means that names a stream */
    const int *stream;            /* it is open already; NULL: is not */
    bool is_folder;               /* program_look()'s */
    const char *folder_hint;      /* what to do with a folder that is no dump */
    unsigned max_wait_ms;         /* of program_open(); 0: any time */
    struct program_options options;
    struct format_dump dump; /* without its `dump`: program_open_rest() is still due */
    struct tree *tree;
    bool knows_defects; /* the user: that the dump has some */
};

enum program_status program_init(struct program *program, const char *name);

/* Closes everything, the tree first. */
void program_close(struct program *program);

/* How much is told: -q, -v, -d. */
enum program_talk { PROGRAM_QUIET, PROGRAM_NORMAL, PROGRAM_VERBOSE, PROGRAM_DEBUG };
void program_talk(struct program *program, enum program_talk talk);

/* Length of the first option of a list, up to its comma; one behind `\` is part of it. */
size_t program_option_length(const char *list);

/*
 * One argument of -o: options separated by commas, with `\` before a comma that is
 * part of one. Those that are not in the table go to `other` as they were written:
 * false if they are nobody's. NULL: there are no others.
 */
enum program_status program_add_options(struct program *program, const char *list,
                                        bool (*other)(void *context, const char *option),
                                        void *context);

/* Before the dump is opened, perhaps by a process that may not see it by its name. */
void program_look(struct program *program, const char *path);

/* Whether the dump of that name is a stream, by what `streams` says. */
bool program_is_stream(const struct program *program, const char *path);

/*
 * Opens a dump that is a stream, for a process that could not do so later: a producer is waited
 * for. *stream is program_open()'s from then on, and the caller's to close; -1: it is none.
 */
enum program_status program_open_stream(struct program *program, const char *path, int *stream);

/*
 * Opens and indexes the dump. Where it takes longer than `max_wait_ms` to expand it, it is known
 * to begin like a dump, and program_open_rest() opens it, on any one thread: 0, or -errno, which is
 * told unless it is -EINTR.
 */
enum program_status program_open(struct program *program, const char *path);
const char *program_open_error(enum program_status status); /* why it could not, in a few words */
int program_open_rest(struct program *program, const char *path, const struct cancel *cancel);

/*
 * That the dump has defects, notes aside, once for each dump: what opens it tells those that are
 * known then. Others are met while files are made; a command tells them when it is done.
 */
void program_tell_defects(struct program *program, const char *path);

/* Makes the tree, with its threads: after the fork. */
enum program_status program_make_tree(struct program *program, unsigned threads);

/* `name version`, then one line of libraries; `more` at its end, or NULL. */
void program_print_version(const struct program *program, const char *more);

/* The tables of -o options. */
void program_print_options(const struct program *program);

/*
 * One line on a terminal for what takes long: how far it is. Nothing is shown where standard error
 * is no terminal, or in the first half second. One thread at a time.
 */
struct progress {
    bool wanted;
    bool shown;
    int64_t next; /* milliseconds of the clock: when to show it again */
};

/* Returns whether anything will be shown. */
bool progress_begin(struct progress *progress, bool wanted);

/* `what` may be of any origin: it is escaped, and cut to the terminal's width. */
void progress_show(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/* Leaves an empty line. */
void progress_end(struct progress *progress);

#endif
