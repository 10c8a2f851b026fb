/* SPDX-License-Identifier: MIT */
/*
 * The `-o` options in constant tables: one of the program, and one of each format that has options.
 * The tables are used for parsing and for --help, and a test compares them with the man page.
 * Options are parsed once, before the fork; afterwards any thread may read them. Of the values,
 * only those of the tree, the cache and all formats are known here.
 */
#ifndef GPUDUMPFS_TREE_OPTIONS_H
#define GPUDUMPFS_TREE_OPTIONS_H

#include "base/text.h"
#include "image/picture.h"

#include <stdbool.h>
#include <stdint.h>

struct option_set;

enum options_keep { OPTIONS_KEEP, OPTIONS_DROP }; /* yes, no */

/* Values beyond all limits of an option: it was not given, so the dump decides. */
#define OPTIONS_BY_DUMP      UINT32_MAX
#define OPTIONS_SIZE_BY_DUMP UINT64_MAX

struct options {
    uint64_t cache;       /* budget in bytes */
    uint64_t max_memory;  /* bytes that an index may take */
    unsigned max_seconds; /* of processor time; 0: no limit; or OPTIONS_BY_DUMP */
    uint64_t max_text;    /* bytes; 0: no limit; or OPTIONS_SIZE_BY_DUMP */
    /* Bytes that the program may hold; 0 and OPTIONS_SIZE_BY_DUMP likewise. */
    uint64_t max_resident;
    unsigned threads;
    unsigned digits; /* minimum for frame numbers; 0: as many as the dump needs */
    enum picture_encoding png;
    enum options_keep shader_cache; /* whether compiled shaders are kept on disk */
    enum options_keep index_cache;  /* whether indexes of dumps are kept on disk */
    bool strict;                    /* a dump with an error is not opened */
    bool no_mount; /* the program never mounts: options_parse() refuses options of mounts */
    const struct option_table *program; /* NULL if it has none */
    void *program_values;               /* borrowed; this struct may be part of them */
    struct option_set *own;             /* values of the formats, see options_values() */
};

/* What the value of an option is, and the C type at its offset. */
enum option_type {
    OPTION_SIZE,   /* uint64_t; with K, M, G or T */
    OPTION_COUNT,  /* unsigned */
    OPTION_CHOICE, /* an enum of the size of unsigned */
    OPTION_FLAG,   /* bool */
    OPTION_TEXT,   /* char *, from malloc(); NULL: not given */
    OPTION_OCTAL,  /* unsigned, in octal digits */
};

struct option_rule {
    const char *name;     /* a format's option begins with the name of the format */
    const char *argument; /* shown in the help: SIZE, N, a|b|c; NULL for a flag */
    const char *help;     /* one sentence */
    const char *standard; /* the default, as text */
    enum option_type type;
    size_t offset;              /* in the struct of values */
    const char *const *choices; /* OPTION_CHOICE: NULL-terminated, in the order of the enum */
    uint64_t min, max;
    bool (*check)(const char *value); /* OPTION_TEXT: whether the value is valid; NULL: any is */
};

/* The options of the program, or of a format: rows, and a struct of values. */
struct option_table {
    const struct option_rule *rules;
    size_t count;
    /* Of a format: the struct with the defaults, in which texts are NULL, and its size. */
    const void *standard;
    size_t size;
    /* Names of the rows that make no sense without a mount, NULL-terminated; NULL: none. */
    const char *const *of_mounts;
    /*
     * Names of the rows that are accepted without a mount, but have no effect then,
     * NULL-terminated; NULL: none.
     */
    const char *const *idle;
    /*
     * `folders`: names of the rows whose value is a folder with files of the dump. `outputs`: names
     * of the rows whose value is a file that is appended to. Both are NULL-terminated; NULL: none.
     */
    const char *const *folders, *const *outputs;
};

/* Sets the defaults; there are no tables of formats yet. */
void options_init(struct options *options);

/* Frees the texts, and the values of the formats. */
void options_clear(struct options *options);

/* Adds the options of a format, with their defaults. Returns 0 or -ENOMEM. */
int options_add(struct options *options, const struct option_table *table);

/* Returns the struct of values of that table, or its defaults if the table was not added. */
const void *options_values(const struct options *options, const struct option_table *table);

/*
 * Calls `take` with each path given for a row of `folders` or `outputs`, for a process that is to
 * grant access to it. Returns 0, or the first status of `take` that is not 0.
 */
int options_each_path(const struct options *options,
                      int (*take)(void *context, const char *path, bool output), void *context);

/*
 * Parses one `name` or `name=value`. Returns 1 if the option was taken, 0 if no table has it,
 * -EINVAL for an invalid value, with a sentence for the user appended to `message`, or -ENOMEM.
 * If the option was taken and has no effect, since no_mount is set, a sentence about that is
 * appended to `message`.
 */
int options_parse(struct options *options, const char *option, struct text *message);

/*
 * Returns the name of the option that was probably meant by the unknown `option` (a name, or
 * name=value), or NULL if none is similar.
 */
const char *options_near(const struct options *options, const char *option);

/*
 * Appends the options for --help: name, argument, sentence and default; without those of mounts and
 * those without an effect if no_mount is set.
 */
void options_help(const struct options *options, struct text *text);

/*
 * Appends the values in force as lines of `name: value`: of the program's options, and of a
 * format's table `own` unless it is NULL.
 */
void options_write(const struct options *options, const struct option_table *own,
                   struct text *text);

#endif
