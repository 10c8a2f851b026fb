/* SPDX-License-Identifier: MIT */
/*
 * The greedy algorithm of Myers. A path through a grid leads from (0, 0) to the ends of both lists.
 * A step to the right deletes an element of the first list, a step down inserts one of the second;
 * where both elements are equal, a diagonal step keeps them, which is free. Diagonal k has the
 * points with x - y = k.
 *
 *                x: first list
 *                A     B     C
 *             o-----+-----+-----+
 *     y:    A |   \ |     |     |     A is kept, on diagonal 0
 *     second  +-----o-----o-----+     B is deleted, which leads to diagonal 1
 *     list  C |     |     |  \  |     C is kept, on diagonal 1
 *             +-----+-----+-----o
 *
 * Row d of the results records, for each diagonal, how far to the right a path with d changes can
 * reach on it. Rows are computed for d = 0, 1, 2 ... until one reaches the ends, so the number of
 * changes is the smallest. Then the path is followed back through the rows.
 *
 * Takes 34 MB if the lists differ by the maximum number of changes.
 */
#include "base/shortest_edit.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 4096, DIAGONALS_BETWEEN_POLLS = 256 };

/* What is compared, after the common beginning; and the result for each element. */
struct lists {
    const struct shortest_edit *edit;
    size_t start;
    long a_count, b_count;
    bool *gone, *come;
    unsigned polled; /* number of diagonals since the start, for is_cancelled() */
};

static bool same(const struct lists *c, long a, long b)
{
    return c->edit->same(c->edit->context, c->start + (size_t)a, c->start + (size_t)b);
}

/*
 * Row d has an entry for each of the d + 1 diagonals -d, -d + 2, ... d: entry i is for diagonal k =
 * 2 * i - d. It is computed from row d - 1, which is `before`. A path comes to diagonal k either by
 * an insertion, from diagonal k + 1, which is entry i of `before`; or by a deletion, from diagonal
 * k - 1, which is entry i - 1. Returns whether the insertion reaches further.
 */
static bool comes(const int32_t *before, long d, long i)
{
    return i == 0 || (i != d && before[i - 1] < before[i]);
}

/* Returns x of the furthest point that d changes reach on the i-th diagonal of row d. */
static int32_t furthest(const struct lists *c, const int32_t *before, long d, long i)
{
    long x = comes(before, d, i) ? before[i] : (long)before[i - 1] + 1, k = 2 * i - d;

    while (x < c->a_count && x - k < c->b_count && same(c, x, x - k))
        x++;
    return (int32_t)x;
}

/* Follows the path from the end back, one change at a time. */
static void follow_back(const struct lists *c, int32_t *const *rows, long changes)
{
    long i = (c->a_count - c->b_count + changes) / 2;

    for (long d = changes; d > 0; d--) {
        const int32_t *before = rows[d - 1];

        if (comes(before, d, i))
            c->come[before[i] - (2 * i - (d - 1))] = true;
        else
            c->gone[before[--i]] = true;
    }
}

static void replace_all(const struct lists *c)
{
    memset(c->gone, true, (size_t)c->a_count * sizeof(*c->gone));
    memset(c->come, true, (size_t)c->b_count * sizeof(*c->come));
}

/* Polls only now and then; one diagonal may run along all of a list. */
static bool is_cancelled(struct lists *c)
{
    return c->polled++ % DIAGONALS_BETWEEN_POLLS == 0 && cancel_requested(c->edit->cancel);
}

/*
 * Computes row d, and sets *found if it reaches the ends of both lists. Returns 0, -ENOMEM or
 * -EINTR.
 */
static int make_row(struct lists *c, int32_t **rows, long d, bool *found)
{
    static const int32_t start[] = {0};
    const int32_t *before = d > 0 ? rows[d - 1] : start;
    int32_t *row = malloc(((size_t)d + 1) * sizeof(*row));

    rows[d] = row;
    if (row == NULL)
        return -ENOMEM;
    for (long i = 0; i <= d && !*found; i++) {
        row[i] = furthest(c, before, d, i);
        *found = row[i] >= c->a_count && row[i] - (2 * i - d) >= c->b_count;
        if (is_cancelled(c))
            return -EINTR;
    }
    return 0;
}

static int compare(struct lists *c)
{
    long max = c->a_count + c->b_count < CHANGES_MAX ? c->a_count + c->b_count : CHANGES_MAX;
    int32_t **rows = calloc((size_t)max + 1, sizeof(*rows));
    int status = rows == NULL ? -ENOMEM : 0;
    bool found = false;

    for (long d = 0; status == 0 && !found && d <= max; d++) {
        status = make_row(c, rows, d, &found);
        if (status == 0 && found)
            follow_back(c, rows, d);
    }
    if (status == 0 && !found)
        replace_all(c);
    for (long d = 0; rows != NULL && d <= max; d++)
        free(rows[d]);
    free(rows);
    return status;
}

int shortest_edit_find(const struct shortest_edit *edit, bool *gone, bool *come)
{
    size_t start = 0, a_end = edit->a_count, b_end = edit->b_count;

    while (start < a_end && start < b_end && edit->same(edit->context, start, start))
        start++;
    while (a_end > start && b_end > start && edit->same(edit->context, a_end - 1, b_end - 1)) {
        a_end--;
        b_end--;
    }
    if (a_end - start > INT32_MAX - CHANGES_MAX || b_end - start > INT32_MAX - CHANGES_MAX)
        return -EFBIG;
    return compare(&(struct lists){.edit = edit,
                                   .start = start,
                                   .a_count = (long)(a_end - start),
                                   .b_count = (long)(b_end - start),
                                   .gone = gone + start,
                                   .come = come + start});
}
