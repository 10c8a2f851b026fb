/*
 * What a format is: a row in one table. fuse/ and gpudump see formats only
 * through this header; a format includes core/ and tree/, never another format.
 */
#ifndef GPUDUMPFS_FORMATS_FORMAT_H
#define GPUDUMPFS_FORMATS_FORMAT_H

#include "tree/rule.h"

#include <stddef.h>

struct format {
    const char *name;  /* "psx": also the prefix of its own options */
    const char *title; /* "PSX GPU dump" */

    /* How surely the source is of this format: 0 no, 100 by a magic. Reads little. */
    int (*probe)(const struct source *source);

    /*
     * Indexes what listing needs. Never fails on a damaged dump with a usable
     * beginning: it adds problems. -EPROTO: a bad header or an unknown version,
     * with a sentence for the user in `message`; -ENOMEM, -EINTR.
     */
    int (*open)(const struct source *source, const struct options *options,
                struct problems *problems, struct text *message, struct dump **out);

    const struct rule *rules; /* what its tree adds to the common part */
    size_t rule_count;
};

/* All formats of this build, NULL at the end. */
extern const struct format *const formats_table[];

/* The format with the highest score, or NULL. */
const struct format *format_probe(const struct source *source);

#endif
