/* SPDX-License-Identifier: MIT */
/*
 * For each number of changes how far each diagonal reaches, remembered, then followed back.
 */
#include "base/shortest_edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CHANGES_MAX = 4096, DIAGONALS_BETWEEN_POLLS = 256 };

/* What is compared, behind a common start; and what becomes of each element. */
struct lists {
    const struct shortest_edit *edit;
    size_t start;
    long a_count, b_count;
    bool *gone, *come;
    unsigned polled; /* diagonals, since the flag was looked at */
};

static bool same(const struct lists *c, long a, long b)
{
    return c->edit->same(c->edit->context, c->start + (size_t)a, c->start + (size_t)b);
}

/* How far diagonal k (x - y) gets with d changes, from what d - 1 changes reach. */
static long furthest(const struct lists *c, const long *reach, long d, long k)
{
    bool down = k == -d || (k != d && reach[k - 1] < reach[k + 1]);
    long x = down ? reach[k + 1] : reach[k - 1] + 1;

    while (x < c->a_count && x - k < c->b_count && same(c, x, x - k))
        x++;
    return x;
}

/* From the end back, one change at a time. `trace[d]` is what d - 1 changes reach. */
static void follow_back(const struct lists *c, long *const *trace, long changes)
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

static void replace_all(const struct lists *c)
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

/* Each may run along all of a list. */
static bool is_cancelled(struct lists *c)
{
    return c->polled++ % DIAGONALS_BETWEEN_POLLS == 0 && cancel_requested(c->edit->cancel);
}

static int compare(struct lists *c)
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
            if (is_cancelled(c))
                status = -EINTR;
        }
        if (status == 0 && found)
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

int shortest_edit_find(const struct shortest_edit *edit, bool *gone, bool *come)
{
    size_t start = 0, a_end = edit->a_count, b_end = edit->b_count;

    while (start < a_end && start < b_end && edit->same(edit->context, start, start))
        start++;
    while (a_end > start && b_end > start && edit->same(edit->context, a_end - 1, b_end - 1)) {
        a_end--;
        b_end--;
    }
    return compare(&(struct lists){.edit = edit,
                                   .start = start,
                                   .a_count = (long)(a_end - start),
                                   .b_count = (long)(b_end - start),
                                   .gone = gone + start,
                                   .come = come + start});
}
