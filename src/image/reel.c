/* SPDX-License-Identifier: MIT */
/*
 * A reel keeps one picture in full, the current one (`at`), and for each picture a change: the
 * words in which it differs from the next one, as exclusive ors. Applying a change to either of two
 * neighbouring pictures gives the other, so the current picture can be moved one step forwards or
 * backwards:
 *
 *     picture 0  --change 0--  picture 1  --change 1--  picture 2  --change 2--  all zeros
 *                                 at                                             picture 2 is alone
 *
 * A picture is alone if it has no next picture to differ from: the next one has another size, or
 * there was no next one yet when another picture was requested. Then its change leads to a picture
 * of zeros. So each run of pictures ends with one that is alone, and a run can be entered there:
 * the change applied to zeros gives that picture.
 */
#include "image/reel.h"

#include "base/array.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORD = sizeof(uint64_t),
    GAP = 2 /* maximum number of successive equal words within a run */
};

#define NOWHERE SIZE_MAX

/* The words that differ, in runs: each has a head, then the exclusive ors. */
struct change {
    uint64_t *words; /* NULL if nothing differs */
    size_t count;
};

struct entry {
    uint64_t name;
    size_t size;          /* bytes of the picture */
    struct change change; /* from this picture to the next; if it is alone, to zeros */
    /* `open`: this is the last picture, and the current one, and has no change yet. */
    bool alone, open;
};

struct reel {
    struct entry *entries; /* ordered by name; those before `first` were dropped */
    size_t first, count, room;
    uint64_t max_bytes, held; /* held: bytes that changes and the current picture take */
    uint64_t *at;             /* the current picture, zero after its end */
    size_t at_words, place; /* at_words: words of `at`; place: index of the current picture's entry,
                               or NOWHERE */
};

int reel_create(uint64_t max_bytes, struct reel **out)
{
    *out = calloc(1, sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    (*out)->max_bytes = max_bytes;
    (*out)->place = NOWHERE;
    return 0;
}

static void free_change(struct reel *reel, struct change *change)
{
    free(change->words);
    reel->held -= change->count * WORD;
    *change = (struct change){.words = NULL};
}

static void clear(struct reel *reel)
{
    for (size_t n = reel->first; n < reel->count; n++)
        free_change(reel, &reel->entries[n].change);
    reel->first = reel->count = 0;
    reel->place = NOWHERE;
    free(reel->at);
    reel->held -= reel->at_words * WORD;
    reel->at = NULL;
    reel->at_words = 0;
}

void reel_destroy(struct reel **reel)
{
    if (*reel == NULL)
        return;
    clear(*reel);
    free((*reel)->entries);
    free(*reel);
    *reel = NULL;
}

uint64_t reel_bytes(const struct reel *reel)
{
    return reel->held + reel->room * sizeof(*reel->entries);
}

/* Changes. */

static size_t words_of(size_t size)
{
    return (size + WORD - 1) / WORD;
}

/* Returns the index of the next word that differs, or `count`. */
static size_t next_difference(const uint64_t *a, const uint64_t *b, size_t from, size_t count)
{
    while (from < count && a[from] == b[from])
        from++;
    return from;
}

/* Returns the end of a run that begins at `from`: before more than GAP equal words, or the end. */
static size_t end_of_run(const uint64_t *a, const uint64_t *b, size_t from, size_t count)
{
    size_t end = from;

    for (size_t n = from; n < count && n - end <= GAP; n++)
        if (a[n] != b[n])
            end = n + 1;
    return end;
}

/* Returns the number of words that a change takes. */
static size_t measure(const uint64_t *a, const uint64_t *b, size_t count)
{
    size_t words = 0;

    for (size_t at = next_difference(a, b, 0, count); at < count;) {
        const size_t end = end_of_run(a, b, at, count);

        words += 1 + (end - at);
        at = next_difference(a, b, end, count);
    }
    return words;
}

static int find_change(struct reel *reel, const uint64_t *a, const uint64_t *b, size_t count,
                       struct change *out)
{
    const size_t words = measure(a, b, count);
    uint64_t *to = words > 0 ? malloc(words * WORD) : NULL;

    if (words > 0 && to == NULL)
        return -ENOMEM;
    *out = (struct change){.words = to, .count = words};
    reel->held += words * WORD;
    for (size_t at = next_difference(a, b, 0, count); at < count;) {
        const size_t end = end_of_run(a, b, at, count);

        *to++ = (uint64_t)at << 32 | (end - at);
        for (; at < end; at++)
            *to++ = a[at] ^ b[at];
        at = next_difference(a, b, end, count);
    }
    return 0;
}

static void apply(const struct change *change, uint64_t *picture)
{
    const uint64_t *from = change->words, *end = from + change->count;

    while (from < end) {
        uint64_t *to = picture + (*from >> 32);
        size_t count = (size_t)(*from++ & UINT32_MAX);

        while (count-- > 0)
            *to++ ^= *from++;
    }
}

/* The current picture. */

static int make_room(struct reel *reel, size_t words)
{
    uint64_t *at;

    if (words <= reel->at_words)
        return 0;
    at = realloc(reel->at, words * WORD);
    if (at == NULL)
        return -ENOMEM;
    reel->held += (words - reel->at_words) * WORD;
    reel->at = at;
    reel->at_words = words;
    return 0;
}

/* Gives the last picture its change, from itself to `next`, or to zeros if that is NULL. */
static int close_last(struct reel *reel, const uint64_t *next)
{
    struct entry *last = &reel->entries[reel->count - 1];
    const size_t words = words_of(last->size);
    uint64_t *nothing = next == NULL ? calloc(words, WORD) : NULL;
    int status = next != NULL || nothing != NULL ? 0 : -ENOMEM;

    if (status == 0)
        status = find_change(reel, reel->at, next != NULL ? next : nothing, words, &last->change);
    free(nothing);
    if (status < 0)
        return status;
    last->open = false;
    last->alone = next == NULL;
    return 0;
}

static bool has_open(const struct reel *reel)
{
    return reel->count > reel->first && reel->entries[reel->count - 1].open;
}

/* Drops the pictures added first, until there is room. The last one stays if it is open. */
static void drop_first(struct reel *reel)
{
    while (reel_bytes(reel) > reel->max_bytes && reel->first < reel->count &&
           !reel->entries[reel->first].open) {
        free_change(reel, &reel->entries[reel->first].change);
        reel->first++;
    }
}

static int add_entry(struct reel *reel, uint64_t name, size_t size)
{
    if (reel->first > reel->count / 2) {
        memmove(reel->entries, reel->entries + reel->first,
                (reel->count - reel->first) * sizeof(*reel->entries));
        reel->count -= reel->first;
        reel->first = 0;
    }
    if (ARRAY_GROW(reel->entries, reel->count, reel->room) != 0)
        return -ENOMEM;
    reel->entries[reel->count] = (struct entry){.name = name, .size = size, .open = true};
    reel->place = reel->count++;
    return 0;
}

/* `next` is padded with zeros to a complete word. */
static int add(struct reel *reel, uint64_t name, const uint64_t *next, size_t size)
{
    int status = 0;

    if (has_open(reel))
        status = close_last(reel, reel->entries[reel->count - 1].size == size ? next : NULL);
    if (status == 0)
        status = make_room(reel, words_of(size));
    if (status == 0)
        status = add_entry(reel, name, size);
    if (status == 0)
        memcpy(reel->at, next, words_of(size) * WORD);
    drop_first(reel);
    return status == 0 && reel_bytes(reel) > reel->max_bytes ? -ENOMEM : status;
}

bool reel_may_take(const struct reel *reel, size_t size)
{
    return words_of(size) * WORD + sizeof(*reel->entries) <= reel->max_bytes;
}

int reel_add(struct reel *reel, uint64_t name, const uint8_t *bytes, size_t size)
{
    const size_t words = words_of(size);
    uint64_t *next;
    int status;

    if (size == 0 || words > UINT32_MAX ||
        (reel->count > reel->first && name <= reel->entries[reel->count - 1].name))
        return -EINVAL;
    if (!reel_may_take(reel, size))
        return -ENOMEM;
    next = malloc(words * WORD);
    if (next == NULL)
        return -ENOMEM;
    next[words - 1] = 0;
    memcpy(next, bytes, size);
    status = add(reel, name, next, size);
    free(next);
    if (status < 0)
        clear(reel);
    return status;
}

/* Finding. */

static size_t find(const struct reel *reel, uint64_t name)
{
    size_t low = reel->first, high = reel->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (reel->entries[middle].name < name)
            low = middle + 1;
        else
            high = middle;
    }
    return low < reel->count && reel->entries[low].name == name ? low : NOWHERE;
}

/* Returns the index of the picture at the end of an entry's run, which is alone. */
static size_t end_of(const struct reel *reel, size_t place)
{
    while (!reel->entries[place].alone)
        place++;
    return place;
}

static int open_run(struct reel *reel, size_t end)
{
    int status = make_room(reel, words_of(reel->entries[end].size));

    if (status < 0)
        return status;
    memset(reel->at, 0, words_of(reel->entries[end].size) * WORD);
    apply(&reel->entries[end].change, reel->at);
    reel->place = end;
    return 0;
}

/* Makes an entry's picture the current one. All entries must have their changes. */
static int go_to(struct reel *reel, size_t place)
{
    const size_t end = end_of(reel, place);
    int status = 0;

    if (reel->place == NOWHERE || reel->place < reel->first || end_of(reel, reel->place) != end)
        status = open_run(reel, end);
    if (status < 0)
        return status;
    for (; reel->place > place; reel->place--)
        apply(&reel->entries[reel->place - 1].change, reel->at);
    for (; reel->place < place; reel->place++)
        apply(&reel->entries[reel->place].change, reel->at);
    return 0;
}

int reel_get(struct reel *reel, uint64_t name, uint8_t *bytes, size_t size)
{
    const size_t place = find(reel, name);
    int status = 0;

    if (place == NOWHERE || reel->entries[place].size != size)
        return -ENOENT;
    if (place != reel->place && has_open(reel))
        status = close_last(reel, NULL);
    if (status == 0 && place != reel->place)
        status = go_to(reel, place);
    if (status == 0)
        memcpy(bytes, reel->at, size);
    return status;
}
