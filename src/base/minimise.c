/* SPDX-License-Identifier: MIT */
#include "base/minimise.h"

#include <errno.h>
#include <stdlib.h>

/* Lists the indices of the kept units in order, and returns their number. */
static size_t list_kept(const bool *kept, size_t count, size_t *list)
{
    size_t length = 0;

    for (size_t i = 0; i < count; i++)
        if (kept[i])
            list[length++] = i;
    return length;
}

/*
 * Tries to leave out list[from] to list[to - 1]. Returns 1 if the property holds without them, 0 if
 * not (then they stay), or -errno.
 */
static int try_without(const struct minimise *minimise, bool *kept, const size_t *list, size_t from,
                       size_t to)
{
    int holds;

    for (size_t i = from; i < to; i++)
        kept[list[i]] = false;
    holds = minimise->test(minimise->context, kept);
    for (size_t i = from; i < to && holds <= 0; i++)
        kept[list[i]] = true;
    return holds;
}

/*
 * Tries to leave out each run of `run` units, from the end to the beginning, since later units may
 * need earlier ones. Sets *shorter if any was left out.
 */
static int sweep(const struct minimise *minimise, bool *kept, const size_t *list, size_t length,
                 size_t run, bool *shorter)
{
    *shorter = false;
    for (size_t to = length; to > 0;) {
        size_t from = to > run ? to - run : 0;
        int holds = try_without(minimise, kept, list, from, to);

        if (holds < 0)
            return holds;
        *shorter |= holds > 0;
        to = from;
    }
    return 0;
}

int minimise_units(const struct minimise *minimise, bool *kept, size_t count)
{
    size_t *list = malloc((count + 1) * sizeof(*list)), length, run;
    bool shorter = true;
    int status = list == NULL ? -ENOMEM : 0;

    if (status != 0)
        return status;
    length = run = list_kept(kept, count, list);
    while (length > 0 && (run > 1 || shorter)) {
        status = sweep(minimise, kept, list, length, run, &shorter);
        if (status != 0)
            break;
        length = list_kept(kept, count, list);
        shorter |= run > 1;
        run = (run + 1) / 2 < length ? (run + 1) / 2 : length;
    }
    free(list);
    return status;
}
