/* SPDX-License-Identifier: MIT */
#include "formats/psx/reduce/reduce.h"

#include "base/bytes.h"
#include "base/minimise.h"
#include "formats/psx/dump.h"
#include "formats/psx/reduce/items.h"
#include "formats/psx/reduce/pairing.h"
#include "formats/psx/reduce/play.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 2, POLYLINE_END = 1, UPLOAD_DATA = 3 };

#define NO_UNIT SIZE_MAX

/* A dump. If there are two, their items are paired (pairing.h). */
struct side {
    struct psx_items items;
    struct text candidate;
    struct psx_player_of_tries player;
};

/* A word that may become 0, on all sides that have its item. */
struct word {
    size_t item;
    uint32_t number;
    uint32_t values[SIDES]; /* the original values */
};

struct reduction {
    const struct format_reduction *params;
    struct side sides[SIDES];
    unsigned count; /* number of sides */
    uint64_t tries;
    /* What is being minimised: units of items, or words. */
    const char *what;
    size_t *units; /* the unit of each item; NO_UNIT if the item must stay */
    size_t unit_count;
    struct word *words;
    size_t between; /* the item whose packets between words are being minimised */
};

static int judge(struct reduction *reduction)
{
    const struct format_reduction *params = reduction->params;
    struct format_picture pictures[SIDES] = {{0}};
    int status = 1;

    for (unsigned i = 0; i < reduction->count && status == 1; i++) {
        struct side *side = &reduction->sides[i];

        status = psx_try_play(&side->player, side->candidate.bytes, side->candidate.length,
                              params->cancel, &pictures[i]);
    }
    if (status != 1)
        return status;
    return params->judge(params->context, &pictures[0], reduction->count > 1 ? &pictures[1] : NULL);
}

/* Returns 1 or -errno. */
static int keep_best(const struct reduction *reduction)
{
    const struct format_reduction *params = reduction->params;
    const struct text *candidate = &reduction->sides[0].candidate;
    const struct text *other = reduction->count > 1 ? &reduction->sides[1].candidate : NULL;
    int status = params->keep(params->context, candidate->bytes, candidate->length);

    if (status == 0 && other != NULL && params->keep_other != NULL)
        status = params->keep_other(params->context, other->bytes, other->length);
    return status == 0 ? 1 : status;
}

/*
 * Tries what is kept now. If it has the property, it is the best so far. Returns 1 if so, 0 if not,
 * or -errno.
 */
static int try_kept(struct reduction *reduction)
{
    const struct format_reduction *params = reduction->params;
    struct text *candidate = &reduction->sides[0].candidate;
    int holds;

    if (cancel_requested(params->cancel))
        return -EINTR;
    for (unsigned i = 0; i < reduction->count; i++) {
        struct side *side = &reduction->sides[i];

        psx_items_write(&side->items, &side->candidate);
        if (text_status(&side->candidate) != 0)
            return text_status(&side->candidate);
    }
    reduction->tries++;
    holds = params->test != NULL
                ? params->test(params->context, candidate->bytes, candidate->length)
                : judge(reduction);
    return holds == 1 ? keep_best(reduction) : holds;
}

static void tell_progress(const struct reduction *reduction, const bool *kept, size_t count)
{
    size_t left = 0;

    for (size_t i = 0; i < count; i++)
        left += kept[i];
    reduction->params->progress(reduction->params->context, reduction->what, left, count,
                                reduction->tries);
}

static void keep_units(struct reduction *reduction, const bool *kept)
{
    for (unsigned s = 0; s < reduction->count; s++) {
        struct psx_items *items = &reduction->sides[s].items;

        for (size_t i = 0; i < items->count; i++)
            if (reduction->units[i] != NO_UNIT)
                items->list[i].is_kept = kept[reduction->units[i]];
    }
}

static int test_units(void *context, const bool *kept)
{
    struct reduction *reduction = context;

    keep_units(reduction, kept);
    tell_progress(reduction, kept, reduction->unit_count);
    return try_kept(reduction);
}

/* Minimises `count` units, and keeps those that are needed. */
static int minimise(struct reduction *reduction, int (*test)(void *context, const bool *kept),
                    void (*keep)(struct reduction *reduction, const bool *kept), size_t count)
{
    const struct minimise way = {.test = test, .context = reduction};
    bool *kept = malloc(count > 0 ? count : 1);
    int status;

    if (kept == NULL)
        return -ENOMEM;
    memset(kept, true, count);
    status = minimise_units(&way, kept, count);
    keep(reduction, kept);
    free(kept);
    return status;
}

static int alloc_units(struct reduction *reduction)
{
    size_t count = reduction->sides[0].items.count;

    free(reduction->units);
    reduction->units = malloc((count + 1) * sizeof(*reduction->units));
    reduction->unit_count = 0;
    if (reduction->units == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        reduction->units[i] = NO_UNIT;
    return 0;
}

static bool is_free(const struct psx_item *item)
{
    return item->is_kept && !item->is_fixed;
}

static bool is_empty(const struct psx_item *item)
{
    return item->parts == 0;
}

/* Returns a side that has the item, from which its form can be read. */
static const struct psx_items *items_with(const struct reduction *reduction, size_t number)
{
    const struct psx_items *first = &reduction->sides[0].items;

    return reduction->count > 1 && is_empty(&first->list[number]) ? &reduction->sides[1].items
                                                                  : first;
}

static int reduce_frames(struct reduction *reduction)
{
    const struct psx_items *items = &reduction->sides[0].items;
    uint64_t frame = PSX_INITIAL;
    int status = alloc_units(reduction);

    if (status != 0)
        return status;
    for (size_t i = 0; i < items->count; i++) {
        const struct psx_item *item = &items->list[i];

        if (item->frame == PSX_INITIAL || !is_free(item))
            continue;
        reduction->unit_count += item->frame != frame;
        frame = item->frame;
        reduction->units[i] = reduction->unit_count - 1;
    }
    reduction->what = "frames";
    return minimise(reduction, test_units, keep_units, reduction->unit_count);
}

/* Reduces items `first` to `end` - 1, each a unit of its own. */
static int reduce_items(struct reduction *reduction, size_t first, size_t end, const char *what)
{
    const struct psx_items *items = &reduction->sides[0].items;
    int status = alloc_units(reduction);

    if (status != 0)
        return status;
    for (size_t i = first; i < end; i++)
        if (is_free(&items->list[i]))
            reduction->units[i] = reduction->unit_count++;
    reduction->what = what;
    return minimise(reduction, test_units, keep_units, reduction->unit_count);
}

static int reduce_commands(struct reduction *reduction)
{
    return reduce_items(reduction, 0, reduction->sides[0].items.count, "commands");
}

/* What is kept of a command with other packets between its words. */
enum apart {
    APART_NOT,    /* its item as it is */
    APART_OTHERS, /* the others without the command */
    APART_AFTER,  /* the others, then the command */
    APART_BEFORE, /* the command, then the others */
};

static void keep_apart(struct reduction *reduction, size_t number, size_t count, enum apart apart)
{
    for (unsigned s = 0; s < reduction->count; s++) {
        struct psx_item *list = reduction->sides[s].items.list + number;

        list[0].is_kept = apart == APART_NOT;
        list[1].is_kept = apart == APART_BEFORE;
        list[count].is_kept = apart == APART_AFTER;
        for (size_t i = 2; i < count; i++)
            list[i].is_kept = apart != APART_NOT;
    }
}

/*
 * Divides the item on each side that has it, by a function that inserts *count items behind it. A
 * side without it gets the same number of empty items. Items of which both sides have one have the
 * same form, so their counts are equal.
 */
static int divide(struct reduction *reduction, size_t number,
                  int (*insert)(struct psx_items *items, size_t number, size_t *count),
                  size_t *count)
{
    int status = 0;

    for (unsigned i = 0; i < reduction->count && status == 0; i++)
        if (!is_empty(&reduction->sides[i].items.list[number]))
            status = insert(&reduction->sides[i].items, number, count);
    for (unsigned i = 0; i < reduction->count && status == 0; i++)
        if (is_empty(&reduction->sides[i].items.list[number]))
            status = psx_items_insert_empty(&reduction->sides[i].items, number, *count);
    return status;
}

/* Takes the item apart. */
static int split_apart(struct reduction *reduction, size_t number, size_t *count)
{
    const struct psx_items *with;
    int status = divide(reduction, number, psx_items_take_apart, count);

    if (status != 0)
        return status;
    with = items_with(reduction, number);
    for (unsigned i = 0; i < reduction->count; i++)
        for (size_t n = 1; n <= *count; n++)
            reduction->sides[i].items.list[number + n].is_fixed = with->list[number + n].is_fixed;
    keep_apart(reduction, number, *count, APART_NOT);
    return 0;
}

/* Returns whether the part can be left out although its command stays. */
static bool is_free_between(const struct psx_part *part)
{
    return psx_part_is_between(part) && !psx_part_is_fixed(part);
}

static void keep_between(struct reduction *reduction, const bool *kept)
{
    for (unsigned s = 0; s < reduction->count; s++) {
        const struct psx_items *items = &reduction->sides[s].items;
        const struct psx_item *item = &items->list[reduction->between];
        size_t unit = 0;

        for (uint32_t p = 0; p < item->parts && unit < reduction->unit_count; p++) {
            struct psx_part *part = &items->parts[item->first_part + p];

            if (is_free_between(part))
                part->is_left_out = !kept[unit++];
        }
    }
}

static int test_between(void *context, const bool *kept)
{
    struct reduction *reduction = context;

    keep_between(reduction, kept);
    tell_progress(reduction, kept, reduction->unit_count);
    return try_kept(reduction);
}

/*
 * Leaves out what is not needed between the words of a command, which stays where it is. What ends
 * a command that is not whole stays, too, since it may be what aborts the command.
 */
static int reduce_between(struct reduction *reduction, size_t number)
{
    const struct psx_items *items = items_with(reduction, number);
    const struct psx_item *item = &items->list[number];

    reduction->between = number;
    reduction->unit_count = 0;
    for (uint32_t p = 0; p < item->parts; p++)
        reduction->unit_count += is_free_between(&items->parts[item->first_part + p]);
    if (!item->is_whole && is_free_between(&items->parts[item->first_part + item->parts - 1]))
        reduction->unit_count--;
    reduction->what = "packets between words";
    return minimise(reduction, test_between, keep_between, reduction->unit_count);
}

/*
 * Takes a command out of what stands between its words, or leaves it out alone. If the property
 * holds with neither, reduces what is between. *count is the number of items inserted after it.
 */
static int reduce_apart(struct reduction *reduction, size_t number, size_t *count)
{
    bool is_whole;
    int status = split_apart(reduction, number, count), holds = 0;

    if (status == -ENOTSUP) {
        *count = 0;
        return 0;
    }
    if (status != 0)
        return status;
    is_whole = items_with(reduction, number)->list[number].is_whole;
    for (int apart = APART_OTHERS; holds == 0 && apart <= (is_whole ? APART_BEFORE : APART_OTHERS);
         apart++) {
        keep_apart(reduction, number, *count, (enum apart)apart);
        holds = try_kept(reduction);
    }
    if (holds == 1)
        return 0;
    keep_apart(reduction, number, *count, APART_NOT);
    return holds < 0 ? holds : reduce_between(reduction, number);
}

static int reduce_mixed(struct reduction *reduction)
{
    int status = 0;

    for (size_t i = 0; i < reduction->sides[0].items.count && status == 0; i++) {
        size_t count = 0;

        if (items_with(reduction, i)->list[i].parts > 1)
            status = reduce_apart(reduction, i, &count);
        i += count;
    }
    return status;
}

static void keep_lines(struct reduction *reduction, size_t upload, size_t count, bool as_lines)
{
    for (unsigned s = 0; s < reduction->count; s++) {
        struct psx_item *list = reduction->sides[s].items.list + upload;

        list[0].is_kept = !as_lines;
        for (size_t i = 1; i <= count; i++)
            list[i].is_kept = as_lines;
    }
}

/* Splits the upload into its lines. */
static int split(struct reduction *reduction, size_t number, size_t *count)
{
    int status = divide(reduction, number, psx_items_split_upload, count);

    if (status == 0)
        keep_lines(reduction, number, *count, true);
    return status;
}

/* Drops empty items like the lines that they are paired with: all but the first. */
static void drop_empty_lines(struct psx_items *items, size_t first, size_t count)
{
    for (size_t i = 1; i < count; i++)
        items->list[first + i].is_kept = false;
}

static int join_lines(struct reduction *reduction, size_t first, size_t count)
{
    int status = 0;

    for (unsigned s = 0; s < reduction->count && status == 0; s++)
        if (!is_empty(&reduction->sides[s].items.list[first]))
            status = psx_items_join_lines(&reduction->sides[s].items, first, count);
        else
            drop_empty_lines(&reduction->sides[s].items, first, count);
    return status;
}

/* Combines consecutive lines that are left into one upload, if the property holds with it. */
static int join(struct reduction *reduction, size_t first, size_t end)
{
    int status = 0;

    for (size_t i = first; i < end && status >= 0; i++) {
        struct psx_item *list = reduction->sides[0].items.list;
        size_t lines = 0;

        while (i + lines < end && list[i + lines].is_kept)
            lines++;
        if (lines < 2)
            continue;

        struct psx_item origin[SIDES] = {list[i],
                                         reduction->sides[reduction->count - 1].items.list[i]};

        status = join_lines(reduction, i, lines);
        if (status >= 0)
            status = try_kept(reduction);
        if (status != 1)
            for (unsigned s = 0; s < reduction->count; s++) {
                struct psx_item *lines_of = reduction->sides[s].items.list + i;

                lines_of[0] = origin[s];
                for (size_t n = 0; n < lines; n++)
                    lines_of[n].is_kept = true;
            }
        i += lines - 1;
    }
    return status < 0 ? status : 0;
}

/*
 * Reduces an upload by leaving out the lines that are not needed. *count is the number of items
 * inserted after it.
 */
static int reduce_upload(struct reduction *reduction, size_t number, size_t *count)
{
    int status = split(reduction, number, count);

    if (status == -ENOTSUP) {
        *count = 0;
        return 0;
    }
    if (status == 0)
        status = try_kept(reduction);
    if (status != 1) {
        if (status != -ENOMEM)
            keep_lines(reduction, number, *count, false);
        return status;
    }
    status = reduce_items(reduction, number + 1, number + 1 + *count, "lines of an upload");
    if (status == 0)
        status = join(reduction, number + 1, number + 1 + *count);
    return status;
}

static int reduce_uploads(struct reduction *reduction)
{
    struct psx_items *items = &reduction->sides[0].items;
    int status = 0;

    for (size_t i = 0; i < items->count && status == 0; i++) {
        const struct psx_item *item = &items_with(reduction, i)->list[i];
        size_t lines = 0;

        if (is_free(item) && psx_item_is_upload(item))
            status = reduce_upload(reduction, i, &lines);
        i += lines;
    }
    return status;
}

/* Returns where the word is, or NULL if that side does not have its item. */
static uint8_t *place_of(struct reduction *reduction, unsigned side, const struct word *word)
{
    const struct psx_items *items = &reduction->sides[side].items;
    const struct psx_item *item = &items->list[word->item];

    return is_empty(item) ? NULL
                          : items->parts[item->first_part].payload + 4 * (size_t)word->number;
}

static void keep_words(struct reduction *reduction, const bool *kept)
{
    for (size_t i = 0; i < reduction->unit_count; i++)
        for (unsigned s = 0; s < reduction->count; s++) {
            const struct word *word = &reduction->words[i];
            uint32_t value = kept[i] ? word->values[s] : 0;
            uint8_t *to = place_of(reduction, s, word);

            if (to != NULL)
                bytes_put_le32(to, value);
        }
}

static int test_words(void *context, const bool *kept)
{
    struct reduction *reduction = context;

    keep_words(reduction, kept);
    tell_progress(reduction, kept, reduction->unit_count);
    return try_kept(reduction);
}

/*
 * Computes the range of a command's words that determine neither what the command is nor its
 * length.
 */
static void bounds_of_words(const struct psx_item *item, const struct psx_part *part,
                            uint32_t *first, uint32_t *end)
{
    enum psx_gp0_kind kind = psx_gp0_table[item->op].kind;

    *first = kind == GP0_UPLOAD ? UPLOAD_DATA : 1;
    *end = kind == GP0_POLYLINE ? part->words - POLYLINE_END : part->words;
}

/* Reads the word's value on each side. Returns whether any of them is not 0. */
static bool read_word(struct reduction *reduction, struct word *word)
{
    bool any = false;

    for (unsigned s = 0; s < reduction->count; s++) {
        const uint8_t *from = place_of(reduction, s, word);

        word->values[s] = from != NULL ? bytes_le32(from) : 0;
        any |= word->values[s] != 0;
    }
    return any;
}

/*
 * Lists the words that are not 0 on at least one side, unless `words` is NULL. Returns their
 * number.
 */
static size_t list_words(struct reduction *reduction, struct word *words)
{
    size_t count = 0;

    for (size_t i = 0; i < reduction->sides[0].items.count; i++) {
        const struct psx_items *items = items_with(reduction, i);
        const struct psx_item *item = &items->list[i];
        uint32_t first, end;

        if (!is_free(item) || !item->is_gp0)
            continue;
        bounds_of_words(item, &items->parts[item->first_part], &first, &end);
        for (uint32_t n = first; n < end; n++) {
            struct word word = {.item = i, .number = n};

            if (!read_word(reduction, &word))
                continue;
            if (words != NULL)
                words[count] = word;
            count++;
        }
    }
    return count;
}

static int reduce_words(struct reduction *reduction)
{
    size_t count = list_words(reduction, NULL);

    reduction->words = malloc((count + 1) * sizeof(*reduction->words));
    if (reduction->words == NULL)
        return -ENOMEM;
    reduction->unit_count = list_words(reduction, reduction->words);
    reduction->what = "words";

    int status = minimise(reduction, test_words, keep_words, reduction->unit_count);

    free(reduction->words);
    reduction->words = NULL;
    return status;
}

/*
 * Returns the end of the frame: the index after its last item. Items after that which only the
 * other dump has do not count for the frame.
 */
static size_t find_end(const struct psx_items *items, uint64_t frame)
{
    size_t end = 0;

    for (size_t i = 0; i < items->count; i++)
        if (!is_empty(&items->list[i]) &&
            (items->list[i].frame == PSX_INITIAL || items->list[i].frame <= frame))
            end = i + 1;
    return end;
}

/* Drops the items from `end` on, even fixed ones. The last VSync before that becomes fixed. */
static void cut_behind(struct psx_items *items, size_t end)
{
    struct psx_item *vsync = NULL;

    for (size_t i = 0; i < items->count; i++) {
        struct psx_item *item = &items->list[i];

        if (i >= end)
            item->is_kept = item->is_fixed = false;
        else if (psx_item_is_vsync(items, item))
            vsync = item;
    }
    if (vsync != NULL)
        vsync->is_fixed = true;
}

/* Returns how many parts of the item come before the end of the frame. */
static uint32_t count_parts(const struct psx_items *items, const struct psx_item *item,
                            uint64_t frame)
{
    uint64_t at = item->frame;

    for (uint32_t p = 0; p < item->parts; p++) {
        uint8_t type = items->parts[item->first_part + p].type;

        if (type == PSX_PACKET_BEGIN && at == PSX_INITIAL)
            at = 0;
        else if (type == PSX_PACKET_VSYNC && at != PSX_INITIAL && at++ == frame)
            return p + 1;
    }
    return item->parts;
}

/* Cuts a command in two if the frame ends between its words. Both sides have parts of one form. */
static void cut_last_item(struct reduction *reduction, size_t number, uint64_t frame)
{
    const struct psx_items *first = &reduction->sides[0].items;
    const uint32_t parts = count_parts(first, &first->list[number], frame);

    for (unsigned s = 0; s < reduction->count; s++) {
        struct psx_item *item = &reduction->sides[s].items.list[number];

        if (parts >= item->parts)
            continue;
        item->parts = parts;
        item->is_whole = item->is_gp0 = false;
    }
}

static int read_side(struct reduction *reduction, struct dump *dump)
{
    const struct format_reduction *params = reduction->params;
    struct side *side = &reduction->sides[reduction->count];
    struct psx_index *index = &psx_dump_of(dump)->index;
    int status = psx_index_wait_packets(index, params->cancel);

    if (status == 0)
        status = psx_items_read(index, params->cancel, &side->items);

    if (status != 0)
        return status;
    side->player.options = dump->options;
    reduction->count++;
    return 0;
}

static int reduce(struct reduction *reduction)
{
    int (*const passes[])(struct reduction *) = {reduce_frames,  reduce_commands, reduce_mixed,
                                                 reduce_uploads, reduce_commands, reduce_words,
                                                 reduce_commands};
    int status = try_kept(reduction);

    if (status != 1)
        return status == 0 ? -ENODATA : status;
    status = 0;
    for (size_t i = 0; i < sizeof(passes) / sizeof(passes[0]) && status == 0; i++) {
        for (unsigned s = 0; s < reduction->count; s++)
            psx_items_compact(&reduction->sides[s].items);
        status = passes[i](reduction);
    }
    return status;
}

static int read_sides(struct reduction *reduction, struct dump *dump)
{
    const struct format_reduction *params = reduction->params;
    int status = read_side(reduction, dump);
    size_t end;

    if (status == 0 && params->other != NULL) {
        status = strcmp(params->other->format, dump->format) == 0
                     ? read_side(reduction, params->other)
                     : -EXDEV;
        if (status == 0)
            status = psx_items_pair(&reduction->sides[0].items, &reduction->sides[1].items,
                                    params->cancel);
    }
    if (status != 0 || params->last_frame == DUMP_NO_FRAME)
        return status;
    end = find_end(&reduction->sides[0].items, params->last_frame);
    for (unsigned i = 0; i < reduction->count; i++)
        cut_behind(&reduction->sides[i].items, end);
    if (end > 0)
        cut_last_item(reduction, end - 1, params->last_frame);
    return 0;
}

int psx_reduce(struct dump *dump, const struct format_reduction *params)
{
    struct reduction reduction = {.params = params};
    int status = read_sides(&reduction, dump);

    if (status == 0)
        status = reduce(&reduction);
    for (unsigned i = 0; i < SIDES; i++) {
        psx_items_clear(&reduction.sides[i].items);
        psx_try_clear(&reduction.sides[i].player);
        text_clear(&reduction.sides[i].candidate);
    }
    free(reduction.units);
    return status;
}
