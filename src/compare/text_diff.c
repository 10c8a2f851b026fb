/* SPDX-License-Identifier: MIT */
#include "compare/text_diff.h"

#include "base/shortest_edit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 3 };

int text_diff_split(const char *bytes, size_t length, text_diff_skip *skip,
                    struct text_diff_lines *out)
{
    const char *end = bytes + length;
    unsigned inside = 0;
    size_t count = 0;

    for (const char *at = bytes; at < end; at++)
        count += *at == '\n' || at + 1 == end;
    *out = (struct text_diff_lines){calloc(count + 1, sizeof(*out->list)), 0};
    if (out->list == NULL)
        return -ENOMEM;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *line_end = newline != NULL ? newline : end;
        size_t whole = (size_t)(line_end - bytes);
        size_t skipped = skip != NULL ? skip(bytes, whole, &inside) : 0;

        out->list[out->count++] = (struct text_diff_line){bytes + skipped, whole - skipped};
        bytes = line_end + 1;
    }
    return 0;
}

void text_diff_clear(struct text_diff_lines *lines)
{
    free(lines->list);
    *lines = (struct text_diff_lines){0};
}

static void write_line(char mark, const struct text_diff_line *line, struct text *out)
{
    text_add_char(out, mark);
    text_add_bytes(out, line->bytes, line->length);
    text_add_char(out, '\n');
}

/* Positions in both lists. */
struct place {
    size_t a, b;
};

struct changes {
    const struct text_diff_lines *a, *b;
    bool *gone, *come;
};

static bool changes_at(const struct changes *changes, struct place at)
{
    return (at.a < changes->a->count && changes->gone[at.a]) ||
           (at.b < changes->b->count && changes->come[at.b]);
}

static void step(const struct changes *changes, struct place *at, struct text *out)
{
    if (at->a < changes->a->count && changes->gone[at->a]) {
        if (out != NULL)
            write_line('-', &changes->a->list[at->a], out);
        at->a++;
    } else if (at->b < changes->b->count && changes->come[at->b]) {
        if (out != NULL)
            write_line('+', &changes->b->list[at->b], out);
        at->b++;
    } else {
        if (out != NULL)
            write_line(' ', &changes->a->list[at->a], out);
        at->a++;
        at->b++;
    }
}

/*
 * Finds the end of a hunk: where more than 2 * AROUND lines without a change follow, or the lists
 * end.
 */
static struct place end_of_hunk(const struct changes *changes, struct place from)
{
    struct place at = from;
    unsigned equal = 0;

    while ((at.a < changes->a->count || at.b < changes->b->count) && equal <= 2 * AROUND) {
        equal = changes_at(changes, at) ? 0 : equal + 1;
        step(changes, &at, NULL);
    }
    for (; equal > AROUND; equal--) {
        at.a--;
        at.b--;
    }
    return at;
}

static void write_hunk(const struct changes *changes, struct place *at, struct text *out)
{
    size_t before = at->a < at->b ? at->a : at->b;
    size_t around = before < AROUND ? before : AROUND;
    struct place start = {at->a - around, at->b - around};
    struct place end = end_of_hunk(changes, *at);
    size_t a_count = end.a - start.a, b_count = end.b - start.b;

    text_printf(out, "@@ -%zu,%zu +%zu,%zu @@\n", start.a + (a_count > 0), a_count,
                start.b + (b_count > 0), b_count);
    *at = start;
    while (at->a < end.a || at->b < end.b)
        step(changes, at, out);
}

void text_diff_write_marked(const struct text_diff_lines *a, const struct text_diff_lines *b,
                            const struct text_diff_marks *marks, size_t max_hunks, struct text *out)
{
    struct changes changes = {a, b, marks->gone, marks->come};
    struct place at = {0, 0};

    while (max_hunks > 0 && (at.a < a->count || at.b < b->count)) {
        if (!changes_at(&changes, at)) {
            step(&changes, &at, NULL);
            continue;
        }
        write_hunk(&changes, &at, out);
        max_hunks--;
    }
}

struct both {
    const struct text_diff_lines *a, *b;
};

static bool are_same(const void *context, size_t a, size_t b)
{
    const struct both *both = context;
    const struct text_diff_line *of_a = &both->a->list[a], *of_b = &both->b->list[b];

    return of_a->length == of_b->length && memcmp(of_a->bytes, of_b->bytes, of_a->length) == 0;
}

int text_diff_mark(const struct text_diff_lines *a, const struct text_diff_lines *b,
                   const struct cancel *cancel, struct text_diff_marks *out)
{
    const struct both both = {a, b};
    const struct shortest_edit edit = {are_same, &both, a->count, b->count, cancel};

    *out = (struct text_diff_marks){calloc(a->count + 1, sizeof(bool)),
                                    calloc(b->count + 1, sizeof(bool))};
    if (out->gone == NULL || out->come == NULL) {
        text_diff_clear_marks(out);
        return -ENOMEM;
    }
    return shortest_edit_find(&edit, out->gone, out->come);
}

void text_diff_clear_marks(struct text_diff_marks *marks)
{
    free(marks->gone);
    free(marks->come);
    *marks = (struct text_diff_marks){0};
}

bool text_diff_next(const size_t counts[2], const struct text_diff_marks *marks, uint64_t at[2],
                    uint64_t lines[2])
{
    const bool *marked[2] = {marks->gone, marks->come};

    while (at[0] < counts[0] || at[1] < counts[1]) {
        bool any = false;

        for (unsigned i = 0; i < 2; i++) {
            bool differs = at[i] < counts[i] && marked[i][at[i]];

            lines[i] = differs ? at[i] : TEXT_DIFF_NONE;
            any = any || differs;
        }
        for (unsigned i = 0; i < 2; i++)
            at[i] += !any || lines[i] != TEXT_DIFF_NONE;
        if (any)
            return true;
    }
    return false;
}

int text_diff_write(const struct text_diff_lines *a, const struct text_diff_lines *b,
                    const struct cancel *cancel, struct text *out)
{
    struct text_diff_marks marks;
    int status = text_diff_mark(a, b, cancel, &marks);

    if (status == 0)
        text_diff_write_marked(a, b, &marks, SIZE_MAX, out);
    text_diff_clear_marks(&marks);
    return status == 0 ? text_status(out) : status;
}
