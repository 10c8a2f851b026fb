/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/steps.h"

#include <errno.h>

enum {
    FIRST_BEFORE = 8, /* frames that are drawn before the wanted one at the second step back: … */
    DOUBLINGS_MAX = 16, /* … twice that, and twice as many with each that follows */
    NEAR = 8,           /* frames that may be read forwards between two of them */
    ORDER = 16,         /* frames that are read in order before that counts */
    /*
     * A picture that is kept costs as much as some thousand calls (neverball: 4 ms, and 3 s for
     * a million). So those that are kept at first take as long as the way there does.
     */
    FEW_DRAWS = 8,
    CALLS_OF_A_PICTURE = 1024,
    DRAWS_MAX = 1 << 16,
    REEL_SHARE = 4, /* they take a part of the cache at most */
    RGB = 3,
};

static void drop_reel(struct apitrace_steps *steps, struct apitrace_dump *dump)
{
    if (steps->reel == NULL)
        return;
    reel_destroy(&steps->reel);
    if (dump->base.cache != NULL)
        cache_charge(dump->base.cache, &steps->charged, 0, 0);
}

void apitrace_steps_clear(struct apitrace_steps *steps, struct apitrace_dump *dump)
{
    drop_reel(steps, dump);
}

void apitrace_steps_note(struct apitrace_steps *steps, uint64_t frame, bool back)
{
    const bool stepped = back && frame < steps->last;

    if (frame == steps->last + 1)
        steps->in_order++;
    else if (frame != steps->last)
        steps->in_order = 0;
    steps->last = frame;
    if (stepped) {
        steps->back++;
        steps->turned = frame;
    } else if (frame > steps->turned + NEAR) {
        steps->back = 0;
    }
}

uint64_t apitrace_steps_before(const struct apitrace_steps *steps, uint64_t frame)
{
    unsigned doublings = steps->back < DOUBLINGS_MAX ? steps->back : DOUBLINGS_MAX;

    return steps->back > 0 && frame < steps->last ? (uint64_t)FIRST_BEFORE << doublings : 0;
}

bool apitrace_steps_are_in_order(const struct apitrace_steps *steps)
{
    return steps->in_order >= ORDER;
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

bool apitrace_steps_note_draw(struct apitrace_steps *steps, uint64_t frame)
{
    const bool again = steps->drawn == frame + 1;

    steps->drawn = frame + 1;
    return again;
}

void apitrace_steps_note_other(struct apitrace_steps *steps)
{
    steps->drawn = 0;
}

size_t apitrace_steps_begin_reel(struct apitrace_steps *steps, struct apitrace_dump *dump,
                                 uint64_t frame, uint64_t way)
{
    const bool again = steps->reel != NULL && steps->frame == frame;
    const uint64_t reach =
        again ? 2 * (uint64_t)steps->reach : FEW_DRAWS + way / CALLS_OF_A_PICTURE;

    drop_reel(steps, dump);
    if (reel_create(room_of(dump), &steps->reel) < 0)
        return 0;
    steps->frame = frame;
    steps->changes = apitrace_dump_changes(dump);
    steps->reach = reach < DRAWS_MAX ? (size_t)reach : DRAWS_MAX;
    return steps->reach;
}

static size_t size_of(const struct apitrace_snapshot *snapshot)
{
    return (size_t)snapshot->width * snapshot->height * RGB;
}

bool apitrace_steps_may_keep(const struct apitrace_steps *steps,
                             const struct apitrace_snapshot *snapshot)
{
    return reel_may_take(steps->reel, size_of(snapshot));
}

int apitrace_steps_keep(struct apitrace_steps *steps, const struct apitrace_snapshot *snapshot,
                        const struct blob *picture)
{
    const size_t size = size_of(snapshot);

    return reel_add(steps->reel, snapshot->order, picture->data + (picture->size - size), size);
}

void apitrace_steps_end_reel(struct apitrace_steps *steps, struct apitrace_dump *dump)
{
    if (steps->reel != NULL && dump->base.cache != NULL &&
        cache_charge(dump->base.cache, &steps->charged, reel_bytes(steps->reel), UINT64_MAX) < 0)
        drop_reel(steps, dump);
}

int apitrace_steps_find(struct apitrace_steps *steps, struct apitrace_dump *dump, uint64_t frame,
                        const struct apitrace_snapshot *snapshot, struct blob **out)
{
    const size_t size = size_of(snapshot);
    struct blob *picture = NULL;
    int status;

    if (steps->reel == NULL)
        return -ENOENT;
    if (steps->frame != frame || steps->changes != apitrace_dump_changes(dump)) {
        drop_reel(steps, dump);
        return -ENOENT;
    }
    status = blob_create(size, &picture);
    if (status == 0)
        status = reel_get(steps->reel, snapshot->order, picture->data, size);
    if (status < 0)
        blob_unref(&picture);
    *out = picture;
    return status;
}
