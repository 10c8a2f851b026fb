/* SPDX-License-Identifier: MIT */
/*
 * The `-o` options in constant tables, one of the program and one of each format
 * that has its own: they parse, print --help, and are compared with the man page
 * by a test. Parsed once, before the fork; read-only afterwards, by any thread. Of the values only
 * those of the tree, the cache and all formats are known here.
 */
#ifndef GPUDUMPFS_TREE_OPTIONS_H
#define GPUDUMPFS_TREE_OPTIONS_H

#include "base/text.h"
#include "image/picture.h"

#include <stdbool.h>
#include <stdint.h>

struct option_set;

enum options_keep { OPTIONS_KEEP, OPTIONS_DROP }; /* yes, no */

/* Values that are beyond all limits: what was not given depends on the dump. */
#define OPTIONS_BY_DUMP      UINT32_MAX
#define OPTIONS_SIZE_BY_DUMP UINT64_MAX

struct options {
    uint64_t cache;        /* bytes */
    uint64_t max_memory;   /* bytes that an index may take */
    unsigned max_seconds;  /* of processor time; 0: no limit; OPTIONS_BY_DUMP */
    uint64_t max_text;     /* bytes; 0: no limit; OPTIONS_SIZE_BY_DUMP */
    uint64_t max_resident; /* bytes that the program may hold; likewise */
    unsigned threads;
    unsigned digits; /* fewest digits of frame numbers; 0: as the dump needs */
    enum picture_encoding png;
    enum options_keep shader_cache; /* whether compiled shaders are kept on the disk */
    enum options_keep index_cache;  /* whether indexes of dumps are */
    bool strict;                    /* a dump with an error is not opened */
    bool no_mount; /* the program mounts nothing: options_parse() refuses what is of mounts */
    const struct option_table *program; /* NULL: it has none */
    void *program_values;               /* borrowed; this struct may be a part of them */
    struct option_set *own;             /* the formats', see options_values() */
};

/* What a row's value is, and what stands at its offset. */
enum option_type {
    OPTION_SIZE,   /* uint64_t; K, M, G and T are understood */
    OPTION_COUNT,  /* unsigned */
    OPTION_CHOICE, /* an enum, whose size is unsigned's */
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* char *, from malloc(); NULL: not given */
    OPTION_OCTAL,  /* unsigned */
};

struct option_rule {
    const char *name;     /* a format's begins with the format's name */
    const char *argument; /* shown in the help: SIZE, N, a|b|c; NULL for a flag */
    const char *help;     /* one sentence */
    const char *standard; /* the default, as text */
    enum option_type type;
    size_t offset;              /* in the struct of values */
    const char *const *choices; /* OPTION_CHOICE: NULL-terminated, in the order of the enum */
    uint64_t min, max;
    bool (*check)(const char *value); /* OPTION_TEXT: whether it is a good one; NULL: any is */
};

/* The options of the program or of a format: rows, and a struct of values. */
struct option_table {
    const struct option_rule *rules;
    size_t count;
    /* A format's: the struct with the defaults in it, where texts are NULL, and its size. */
    const void *standard;
    size_t size;
    /* Names of rows that mean nothing without a mount, NULL-terminated; NULL: there are none. */
    const char *const *of_mounts;
    /* Names of rows that are folders in which files of the dump are, and files that are appended
     * to; likewise. */
    const char *const *folders, *const *outputs;
};

/* Defaults, without tables. */
void options_init(struct options *options);

/* Frees texts, and the formats' values. */
void options_clear(struct options *options);

/* Adds a format's options, with their defaults. 0 or -ENOMEM. */
int options_add(struct options *options, const struct option_table *table);

/* The struct of values of that table; its defaults when it was not added. */
const void *options_values(const struct options *options, const struct option_table *table);

/*
 * Each path that was given in a row of `folders` or `outputs`, for a process that is to grant it.
 * 0, or what `take` returns that is not.
 */
int options_each_path(const struct options *options,
                      int (*take)(void *context, const char *path, bool output), void *context);

/*
 * One `name` or `name=value`. 1: taken; 0: not one of ours; -EINVAL: bad value,
 * with a sentence for the user in `message`.
 */
int options_parse(struct options *options, const char *option, struct text *message);

/*
 * The name of an option that `option`, which is none, with its value or without, may have been
 * meant for; NULL: none is like it.
 */
const char *options_near(const struct options *options, const char *option);

/* The tables for --help: name, argument, sentence, default; with no_mount without those of mounts.
 */
void options_help(const struct options *options, struct text *text);

/*
 * The values in force, `name: value`: of the program's options, and of those in a format's
 * table unless it is NULL.
 */
void options_write(const struct options *options, const struct option_table *own,
                   struct text *text);

#endif
