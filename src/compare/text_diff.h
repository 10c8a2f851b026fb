/* SPDX-License-Identifier: MIT */
/* Compares two lists of lines, in the unified form of diff(1). Pure functions. */
#ifndef GPUDUMPFS_COMPARE_TEXT_DIFF_H
#define GPUDUMPFS_COMPARE_TEXT_DIFF_H

#include "base/cancel.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A line of a text, which must outlive it. */
struct text_diff_line {
    const char *bytes;
    size_t length; /* without the newline */
};

struct text_diff_lines {
    struct text_diff_line *list;
    size_t count;
};

/*
 * Returns how many bytes at the beginning of a line do not matter, as dump_ops.texts.command_place
 * does.
 */
typedef size_t text_diff_skip(const char *line, size_t length, unsigned *inside);

/*
 * Splits a text into lines, each without the bytes that `skip` leaves out; NULL: complete lines.
 * Returns 0 or -ENOMEM; text_diff_clear() frees the list.
 */
int text_diff_split(const char *bytes, size_t length, text_diff_skip *skip,
                    struct text_diff_lines *out);
void text_diff_clear(struct text_diff_lines *lines);

/* Which lines of the first list the second lacks, and the reverse: an entry for each line. */
struct text_diff_marks {
    bool *gone, *come;
};

/*
 * Marks the lines; where very many lines differ, all of them are marked. Returns 0, -ENOMEM or
 * -EINTR. text_diff_clear_marks() frees the marks.
 */
int text_diff_mark(const struct text_diff_lines *a, const struct text_diff_lines *b,
                   const struct cancel *cancel, struct text_diff_marks *out);
void text_diff_clear_marks(struct text_diff_marks *marks);

/*
 * Finds the next lines from `at` on that differ, one of each list or TEXT_DIFF_NONE, and moves `at`
 * after them. Returns false if there are none.
 */
#define TEXT_DIFF_NONE UINT64_MAX
bool text_diff_next(const size_t counts[2], const struct text_diff_marks *marks, uint64_t at[2],
                    uint64_t lines[2]);

/*
 * Appends at most `max_hunks` hunks according to the marks, which may be those of other lists of
 * the same lengths. A line that is in both lists is written as it is in `a`.
 */
void text_diff_write_marked(const struct text_diff_lines *a, const struct text_diff_lines *b,
                            const struct text_diff_marks *marks, size_t max_hunks,
                            struct text *out);

/*
 * Appends the hunks that lead from `a` to `b`, each with three lines around it; nothing if the
 * lists are equal. Where very many lines differ, they are replaced as a whole. Returns 0, -ENOMEM
 * or -EINTR.
 */
int text_diff_write(const struct text_diff_lines *a, const struct text_diff_lines *b,
                    const struct cancel *cancel, struct text *out);

#endif
