/* SPDX-License-Identifier: MIT */
/* Two lists of lines side by side in the unified form of diff(1). Pure functions. */
#ifndef GPUDUMPFS_COMPARE_TEXT_DIFF_H
#define GPUDUMPFS_COMPARE_TEXT_DIFF_H

#include "base/cancel.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* What differs in very many lines is replaced as a whole. 0, -ENOMEM or -EINTR. */
int text_diff_mark(const struct text_diff_lines *a, const struct text_diff_lines *b,
                   const struct cancel *cancel, struct text_diff_marks *out);
void text_diff_clear_marks(struct text_diff_marks *marks);

/*
 * The next lines from `at` on that differ, one of each list or TEXT_DIFF_NONE; false: there are
 * none. Both are behind them then.
 */
#define TEXT_DIFF_NONE UINT64_MAX
bool text_diff_next(const size_t counts[2], const struct text_diff_marks *marks, uint64_t at[2],
                    uint64_t lines[2]);

/*
 * Appends the first hunks by such marks, which may be those of other lists of the same lengths: a
 * line that is in both is shown as `a` has it.
 */
void text_diff_write_marked(const struct text_diff_lines *a, const struct text_diff_lines *b,
                            const struct text_diff_marks *marks, size_t max_hunks,
                            struct text *out);

/*
 * Appends the hunks that lead from `a` to `b`, with three lines around each; nothing
 * when they are equal. What differs in very many lines is replaced as a whole. 0,
 * -ENOMEM or -EINTR.
 */
int text_diff_write(const struct text_diff_lines *a, const struct text_diff_lines *b,
                    const struct cancel *cancel, struct text *out);

#endif
