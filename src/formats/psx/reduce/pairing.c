/* SPDX-License-Identifier: MIT */
/*
 * Finds the shortest edit (base/shortest_edit.h) twice: first for all items, compared by their
 * bytes; then for the items in each gap between equal ones, compared by their form.
 */
#include "formats/psx/reduce/pairing.h"

#include "base/shortest_edit.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The items of a gap, or all items. */
struct lists {
    const struct psx_items *a, *b;
    size_t a_first, b_first;
};

static const struct psx_part *part_of(const struct psx_items *items, size_t item, uint32_t number)
{
    return &items->parts[items->list[item].first_part + number];
}

static bool have_same_parts(const struct psx_part *a, const struct psx_part *b)
{
    return a->type == b->type && a->words == b->words;
}

/*
 * Uploads are reduced line by line, so both must have the same number of lines. The words of an
 * upload are one run, even if other packets are between them.
 */
static bool have_same_size(const struct psx_part *a, const struct psx_part *b)
{
    return memcmp(a->payload + 8, b->payload + 8, 4) == 0;
}

static bool have_same_form(const struct psx_items *a, size_t of_a, const struct psx_items *b,
                           size_t of_b)
{
    const struct psx_item *item = &a->list[of_a], *other = &b->list[of_b];

    if (item->parts != other->parts || item->is_whole != other->is_whole || item->op != other->op)
        return false;
    for (uint32_t i = 0; i < item->parts; i++)
        if (!have_same_parts(part_of(a, of_a, i), part_of(b, of_b, i)))
            return false;
    return !item->is_whole || psx_gp0_table[item->op].kind != GP0_UPLOAD ||
           have_same_size(part_of(a, of_a, 0), part_of(b, of_b, 0));
}

static bool are_of_same_form(const void *context, size_t a, size_t b)
{
    const struct lists *lists = context;

    return have_same_form(lists->a, lists->a_first + a, lists->b, lists->b_first + b);
}

static bool are_equal(const void *context, size_t a, size_t b)
{
    const struct lists *lists = context;

    if (!have_same_form(lists->a, a, lists->b, b))
        return false;
    for (uint32_t i = 0; i < lists->a->list[a].parts; i++) {
        const struct psx_part *part = part_of(lists->a, a, i), *other = part_of(lists->b, b, i);

        if (memcmp(part->payload, other->payload, 4 * (size_t)part->words) != 0)
            return false;
    }
    return true;
}

static size_t run_of(const bool *marks, size_t first, size_t count)
{
    size_t end = first;

    while (end < count && marks[end])
        end++;
    return end - first;
}

/*
 * Items that are marked in both lists within one gap are paired after all if they have the same
 * form.
 */
static int pair_gaps(const struct psx_items *a, const struct psx_items *b,
                     const struct cancel *cancel, bool *gone, bool *come)
{
    struct lists lists = {a, b, 0, 0};
    int status = 0;

    while (status == 0 && (lists.a_first < a->count || lists.b_first < b->count)) {
        const struct shortest_edit edit = {
            .same = are_of_same_form,
            .context = &lists,
            .a_count = run_of(gone, lists.a_first, a->count),
            .b_count = run_of(come, lists.b_first, b->count),
            .cancel = cancel,
        };

        memset(gone + lists.a_first, false, edit.a_count * sizeof(*gone));
        memset(come + lists.b_first, false, edit.b_count * sizeof(*come));
        status = shortest_edit_find(&edit, gone + lists.a_first, come + lists.b_first);
        lists.a_first += edit.a_count + 1; /* skips the pair after the gap, too */
        lists.b_first += edit.b_count + 1;
    }
    return status;
}

/* Pairs in order. empty_in_a and empty_in_b say for each pair which dump has no item. */
struct places {
    bool *empty_in_a, *empty_in_b;
    size_t count;
};

static void find_places(struct places *places, const bool *gone, size_t a_count, const bool *come,
                        size_t b_count)
{
    for (size_t a = 0, b = 0; a < a_count || b < b_count; places->count++) {
        bool only_a = a < a_count && gone[a];
        bool only_b = !only_a && b < b_count && come[b];

        places->empty_in_a[places->count] = only_b;
        places->empty_in_b[places->count] = only_a;
        a += !only_b;
        b += !only_a;
    }
}

static void fix_both(struct psx_items *a, struct psx_items *b)
{
    for (size_t i = 0; i < a->count; i++)
        a->list[i].is_fixed = b->list[i].is_fixed = a->list[i].is_fixed || b->list[i].is_fixed;
}

static int pair(struct psx_items *a, struct psx_items *b, const struct cancel *cancel, bool *gone,
                bool *come, struct places *places)
{
    const struct lists lists = {a, b, 0, 0};
    const struct shortest_edit edit = {are_equal, &lists, a->count, b->count, cancel};
    int status = shortest_edit_find(&edit, gone, come);

    if (status == 0)
        status = pair_gaps(a, b, cancel, gone, come);
    if (status != 0)
        return status;
    find_places(places, gone, a->count, come, b->count);
    status = psx_items_spread(a, places->empty_in_a, places->count);
    if (status == 0)
        status = psx_items_spread(b, places->empty_in_b, places->count);
    if (status == 0)
        fix_both(a, b);
    return status;
}

int psx_items_pair(struct psx_items *a, struct psx_items *b, const struct cancel *cancel)
{
    const size_t all = a->count + b->count;
    bool *gone = calloc(a->count + 1, sizeof(*gone)), *come = calloc(b->count + 1, sizeof(*come));
    struct places places = {calloc(all + 1, sizeof(bool)), calloc(all + 1, sizeof(bool)), 0};
    int status = -ENOMEM;

    if (gone != NULL && come != NULL && places.empty_in_a != NULL && places.empty_in_b != NULL)
        status = pair(a, b, cancel, gone, come, &places);
    free(gone);
    free(come);
    free(places.empty_in_a);
    free(places.empty_in_b);
    return status;
}
