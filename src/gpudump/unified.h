/*
 * Two lists of lines side by side in the unified form of diff(1). Pure functions.
 */
#ifndef GPUDUMPFS_GPUDUMP_UNIFIED_H
#define GPUDUMPFS_GPUDUMP_UNIFIED_H

#include "base/text.h"

#include <stddef.h>

/* Lines of a text that outlives them. */
struct unified_line {
    const char *bytes;
    size_t length; /* without the newline */
};

struct unified_lines {
    struct unified_line *list;
    size_t count;
};

/* How many bytes at the head of a line do not matter: dump_ops' command_place. */
typedef size_t unified_skip(const char *line, size_t length, unsigned *inside);

/* Cuts a text into lines, each without what `skip` says; NULL: whole ones. 0 or -ENOMEM. */
int unified_split(const char *bytes, size_t length, unified_skip *skip, struct unified_lines *out);
void unified_clear(struct unified_lines *lines);

/*
 * Appends the hunks that lead from `a` to `b`, with three lines around each; nothing
 * when they are equal. What differs in very many lines is replaced as a whole. 0 or
 * -ENOMEM.
 */
int unified_write(const struct unified_lines *a, const struct unified_lines *b, struct text *out);

#endif
