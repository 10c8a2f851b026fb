/* SPDX-License-Identifier: MIT */
/*
 * The shortest way from one list to the other, by the greedy method of Myers ("An
 * O(ND) difference algorithm and its variations", 1986): for each number of
 * changes how far each diagonal reaches, remembered, then followed back.
 */
#include "cli/gpudump.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { AROUND = 3, CHANGES_MAX = 4096 };

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

static bool same(const struct text_diff_line *a, const struct text_diff_line *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* What is compared, behind a common start; and what becomes of each line. */
struct comparison {
    const struct text_diff_line *a, *b;
    long a_count, b_count;
    bool *gone, *come; /* lines of a that are not in b, and the reverse */
};

/* How far diagonal k (x - y) gets with d changes, from what d - 1 changes reach. */
static long furthest(const struct comparison *c, const long *reach, long d, long k)
{
    bool down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
    long x = down ? reach[k + 1] : reach[k - 1] + 1;

    while (x < c->a_count && x - k < c->b_count && same(&c->a[x], &c->b[x - k]))
        x++;
    return x;
}

/* From the end back, one change at a time. `trace[d]` is what d - 1 changes reach. */
static void follow_back(const struct comparison *c, long *const *trace, long changes)
{
    long x = c->a_count, y = c->b_count;

    for (long d = changes; d > 0; d--) {
        const long *reach = trace[d] + d;
        long k = x - y;
        bool down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
        long before = down ? k + 1 : k - 1;

        x = reach[before];
        y = x - before;
        if (down)
            c->come[y] = true;
        else
            c->gone[x] = true;
    }
}

static void replace_all(const struct comparison *c)
{
    memset(c->gone, true, (size_t)c->a_count * sizeof(*c->gone));
    memset(c->come, true, (size_t)c->b_count * sizeof(*c->come));
}

/* Keeps the part of `reach` that d changes may look at: diagonals -d to d. */
static long *remember(const long *reach, long d)
{
    long *kept = malloc((2 * (size_t)d + 1) * sizeof(*kept));

    if (kept != NULL)
        memcpy(kept, reach - d, (2 * (size_t)d + 1) * sizeof(*kept));
    return kept;
}

static int compare(const struct comparison *c)
{
    long max = c->a_count + c->b_count < CHANGES_MAX ? c->a_count + c->b_count : CHANGES_MAX;
    long *room = calloc(2 * (size_t)max + 3, sizeof(*room)), *reach = room + max + 1;
    long **trace = calloc((size_t)max + 1, sizeof(*trace));
    int status = room == NULL || trace == NULL ? -ENOMEM : 0;
    bool found = false;

    for (long d = 0; status == 0 && !found && d <= max; d++) {
        trace[d] = remember(reach, d);
        if (trace[d] == NULL)
            status = -ENOMEM;
        for (long k = -d; status == 0 && k <= d && !found; k += 2) {
            reach[k] = furthest(c, reach, d, k);
            found = reach[k] >= c->a_count && reach[k] - k >= c->b_count;
        }
        if (found)
            follow_back(c, trace, d);
    }
    if (status == 0 && !found)
        replace_all(c);
    for (long d = 0; trace != NULL && d <= max; d++)
        free(trace[d]);
    free(trace);
    free(room);
    return status;
}

static void write_line(char mark, const struct text_diff_line *line, struct text *out)
{
    text_add_char(out, mark);
    text_add_bytes(out, line->bytes, line->length);
    text_add_char(out, '\n');
}

/* Where both lists stand. */
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

/* A hunk ends where twice the lines around it follow without a change, or all ends. */
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

int text_diff_mark(const struct text_diff_lines *a, const struct text_diff_lines *b,
                   struct text_diff_marks *out)
{
    size_t start = 0, a_end = a->count, b_end = b->count;
    struct comparison comparison;

    *out = (struct text_diff_marks){calloc(a->count + 1, sizeof(bool)),
                                    calloc(b->count + 1, sizeof(bool))};
    if (out->gone == NULL || out->come == NULL) {
        text_diff_clear_marks(out);
        return -ENOMEM;
    }
    while (start < a_end && start < b_end && same(&a->list[start], &b->list[start]))
        start++;
    while (a_end > start && b_end > start && same(&a->list[a_end - 1], &b->list[b_end - 1])) {
        a_end--;
        b_end--;
    }
    comparison =
        (struct comparison){a->list + start,       b->list + start,   (long)(a_end - start),
                            (long)(b_end - start), out->gone + start, out->come + start};
    return compare(&comparison);
}

void text_diff_clear_marks(struct text_diff_marks *marks)
{
    free(marks->gone);
    free(marks->come);
    *marks = (struct text_diff_marks){0};
}

int text_diff_write(const struct text_diff_lines *a, const struct text_diff_lines *b,
                    struct text *out)
{
    struct text_diff_marks marks;
    int status = text_diff_mark(a, b, &marks);

    if (status == 0)
        text_diff_write_marked(a, b, &marks, SIZE_MAX, out);
    text_diff_clear_marks(&marks);
    return status == 0 ? text_status(out) : status;
}
