/*
 * Every `-o` option of the program and of the formats in one constant table:
 * it parses, prints --help, and is compared with the man page by a test. Parsed
 * once, before the fork; read-only afterwards.
 */
#ifndef GPUDUMPFS_CORE_OPTIONS_H
#define GPUDUMPFS_CORE_OPTIONS_H

#include "core/picture.h"
#include "core/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum option_field { OPTION_FIELD_AUTO, OPTION_FIELD_EVEN, OPTION_FIELD_ODD, OPTION_FIELD_BOTH };

struct options {
    uint64_t cache;      /* bytes */
    uint64_t max_expand; /* bytes that a compressed dump may expand to */
    uint64_t max_memory; /* bytes that an index may take */
    unsigned threads;
    unsigned digits; /* fewest digits of frame numbers; 0: as the dump needs */
    enum picture_encoding png;
    enum option_field field; /* PSX 480i, psx-dump.md 3.5 */
    bool strict;
    char *spool; /* NULL: $TMPDIR, else /var/tmp */
    uid_t uid;
    gid_t gid;
    mode_t umask;
};

enum option_type {
    OPTION_SIZE,
    OPTION_COUNT,
    OPTION_CHOICE,
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_OCTAL
};

struct option_rule {
    const char *name;
    const char *argument; /* shown in the help: SIZE, N, a|b|c; NULL for a flag */
    const char *help;     /* one sentence */
    const char *standard; /* the default, as text */
    enum option_type type;
    size_t offset;              /* in struct options */
    const char *const *choices; /* OPTION_CHOICE: NULL-terminated, in the order of the enum */
    uint64_t least, most;
};

extern const struct option_rule options_table[];
extern const size_t options_count;

/* Defaults. 0 or -ENOMEM. */
int options_init(struct options *options);
void options_clear(struct options *options);

/*
 * One `name` or `name=value`. 1: taken; 0: not one of ours; -EINVAL: bad value,
 * with a sentence for the user in `message`.
 */
int options_parse(struct options *options, const char *option, struct text *message);

/* The table for --help: name, argument, sentence, default. */
void options_help(struct text *text);

/* All values in force, `name: value`, for .gpudumpfs/options.txt. */
void options_write(const struct options *options, struct text *text);

#endif
