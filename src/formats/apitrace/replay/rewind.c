/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/rewind.h"

#include <errno.h>

enum {
    /*
     * At the second step back in succession, pictures of 2 * FIRST_BEFORE frames before the
     * requested one are made; twice as many at each further step, up to DOUBLINGS_MAX doublings.
     */
    FIRST_BEFORE = 8,
    DOUBLINGS_MAX = 16,
    NEAR = 8,   /* frames that may be read forwards between two steps back */
    ORDER = 16, /* frames that must be requested in ascending order to count as read in order */
    /*
     * The first reel for a frame keeps FEW_DRAWS draws, and one more for each CALLS_OF_A_PICTURE
     * calls on the way. Keeping a picture costs as much as some thousand calls (neverball: 4 ms,
     * compared with 3 s for a million calls), so this costs about as much as the way itself.
     */
    FEW_DRAWS = 8,
    CALLS_OF_A_PICTURE = 1024,
    DRAWS_MAX = 1 << 16,
    REEL_SHARE = 4, /* the reel may take 1/REEL_SHARE of the cache */
    RGB = 3,        /* bytes of a pixel */
};

static void drop_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump)
{
    if (rewind->reel == NULL)
        return;
    reel_destroy(&rewind->reel);
    if (dump->base.cache != NULL)
        cache_charge(dump->base.cache, &rewind->charged, 0, 0);
}

void apitrace_rewind_clear(struct apitrace_rewind *rewind, struct apitrace_dump *dump)
{
    drop_reel(rewind, dump);
}

void apitrace_rewind_note(struct apitrace_rewind *rewind, uint64_t frame, bool back)
{
    const bool stepped = back && frame < rewind->last;

    if (frame == rewind->last + 1)
        rewind->in_order++;
    else if (frame != rewind->last)
        rewind->in_order = 0;
    rewind->last = frame;
    if (stepped) {
        rewind->back++;
        rewind->turned = frame;
    } else if (frame > rewind->turned + NEAR) {
        rewind->back = 0;
    }
}

uint64_t apitrace_rewind_before(const struct apitrace_rewind *rewind, uint64_t frame)
{
    unsigned doublings = rewind->back < DOUBLINGS_MAX ? rewind->back : DOUBLINGS_MAX;

    return rewind->back > 0 && frame < rewind->last ? (uint64_t)FIRST_BEFORE << doublings : 0;
}

bool apitrace_rewind_reads_in_order(const struct apitrace_rewind *rewind)
{
    return rewind->in_order >= ORDER;
}

/* Draws. */

static uint64_t room_of(const struct apitrace_dump *dump)
{
    struct cache_statistics statistics;

    if (dump->base.cache == NULL)
        return 0;
    cache_statistics(dump->base.cache, &statistics);
    return statistics.budget / REEL_SHARE;
}

bool apitrace_rewind_note_draw(struct apitrace_rewind *rewind, uint64_t frame)
{
    const bool again = rewind->drawn == frame + 1;

    rewind->drawn = frame + 1;
    return again;
}

void apitrace_rewind_note_other(struct apitrace_rewind *rewind)
{
    rewind->drawn = 0;
}

size_t apitrace_rewind_begin_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump,
                                  uint64_t frame, uint64_t way)
{
    const bool again = rewind->reel != NULL && rewind->frame == frame;
    const uint64_t reach =
        again ? 2 * (uint64_t)rewind->reach : FEW_DRAWS + way / CALLS_OF_A_PICTURE;

    drop_reel(rewind, dump);
    if (reel_create(room_of(dump), &rewind->reel) < 0)
        return 0;
    rewind->frame = frame;
    rewind->changes = apitrace_dump_changes(dump);
    rewind->reach = reach < DRAWS_MAX ? (size_t)reach : DRAWS_MAX;
    return rewind->reach;
}

static size_t size_of(const struct apitrace_snapshot *snapshot)
{
    return (size_t)snapshot->width * snapshot->height * RGB;
}

bool apitrace_rewind_may_keep(const struct apitrace_rewind *rewind,
                              const struct apitrace_snapshot *snapshot)
{
    return reel_may_take(rewind->reel, size_of(snapshot));
}

int apitrace_rewind_keep(struct apitrace_rewind *rewind, const struct apitrace_snapshot *snapshot,
                         const struct blob *picture)
{
    const size_t size = size_of(snapshot);

    return reel_add(rewind->reel, snapshot->order, picture->data + (picture->size - size), size);
}

void apitrace_rewind_end_reel(struct apitrace_rewind *rewind, struct apitrace_dump *dump)
{
    if (rewind->reel != NULL && dump->base.cache != NULL &&
        cache_charge(dump->base.cache, &rewind->charged, reel_bytes(rewind->reel), UINT64_MAX) < 0)
        drop_reel(rewind, dump);
}

int apitrace_rewind_find(struct apitrace_rewind *rewind, struct apitrace_dump *dump, uint64_t frame,
                         const struct apitrace_snapshot *snapshot, struct blob **out)
{
    const size_t size = size_of(snapshot);
    struct blob *picture = NULL;
    int status;

    if (rewind->reel == NULL)
        return -ENOENT;
    if (rewind->frame != frame || rewind->changes != apitrace_dump_changes(dump)) {
        drop_reel(rewind, dump);
        return -ENOENT;
    }
    status = blob_create(size, &picture);
    if (status == 0)
        status = reel_get(rewind->reel, snapshot->order, picture->data, size);
    if (status < 0)
        blob_unref(&picture);
    *out = picture;
    return status;
}
