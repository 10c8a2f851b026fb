/* SPDX-License-Identifier: MIT */
#include "formats/psx/replay/ahead.h"

#include <errno.h>
#include <stddef.h>

enum {
    NEAR_BYTES = 1 << 20, /* the command pass counts as there if no more than this is left */
    TIMES_FASTER = 2,     /* about how much faster a sketch is than the command pass */
};

bool psx_ahead_is_wanted = true;

void psx_ahead_init(struct psx_ahead *ahead, struct psx_index *index, struct budget *spending,
                    const struct cancel *cancel)
{
    ahead->index = index;
    ahead->spending = spending;
    ahead->cancel = cancel;
    atomic_init(&ahead->sketch, NULL);
    atomic_init(&ahead->refused, !psx_ahead_is_wanted);
    atomic_init(&ahead->wanted, 0);
    atomic_init(&ahead->waiting, 0);
}

void psx_ahead_clear(struct psx_ahead *ahead)
{
    struct psx_sketch *sketch = atomic_load(&ahead->sketch);

    psx_sketch_destroy(&sketch);
    atomic_store(&ahead->sketch, NULL);
}

/* If two readers begin a sketch at the same time, the first one's stays. */
static struct psx_sketch *begin_sketch(struct psx_ahead *ahead)
{
    struct psx_sketch *made, *sketch = NULL;

    if (psx_sketch_create(ahead->index, ahead->spending, ahead->cancel, &made) != 0) {
        ahead->refused = true;
        return NULL;
    }
    if (atomic_compare_exchange_strong(&ahead->sketch, &sketch, made))
        return made;
    psx_sketch_destroy(&made);
    return sketch;
}

/* Returns the sketch, which it begins if necessary, or NULL if there is none. */
static struct psx_sketch *get_sketch(struct psx_ahead *ahead)
{
    struct psx_sketch *sketch = ahead->sketch;

    if (sketch != NULL || ahead->refused || !psx_sketch_is_possible(ahead->index))
        return sketch;
    return begin_sketch(ahead);
}

/* After a failure the sketch is refused, and readers wait for the index. */
static int reached(struct psx_ahead *ahead, int status)
{
    if (status != 0 && status != -EINTR)
        ahead->refused = true;
    return status;
}

static void want(_Atomic uint64_t *wanted, uint64_t frame)
{
    uint64_t before = *wanted;

    while (before < frame && !atomic_compare_exchange_weak(wanted, &before, frame))
        ;
}

void psx_ahead_of_packets(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel)
{
    struct psx_sketch *sketch = get_sketch(ahead);

    if (sketch == NULL || ahead->refused)
        return;
    want(&ahead->wanted, frame);
    ahead->waiting++;
    (void)reached(ahead, psx_sketch_reach_frame(sketch, frame, cancel));
    ahead->waiting--;
}

void psx_ahead_help(struct psx_ahead *ahead, const struct cancel *cancel)
{
    struct psx_sketch *sketch = ahead->sketch;
    const struct psx_index *index = ahead->index;
    uint64_t frame = ahead->wanted;

    if (sketch == NULL || ahead->refused || ahead->waiting == 0 || index->frame_count == 0)
        return;
    if (frame >= index->frame_count)
        frame = index->frame_count - 1;
    psx_sketch_help(sketch, index->frames[frame + 1].packet, cancel);
}

/* How far the command pass has come, in bytes of the dump. */
static uint64_t index_offset(const struct psx_index *index)
{
    uint64_t count = psx_parser_states_count(&index->checkpoints);
    struct psx_parser_state last = {0};

    if (count > 0)
        psx_parser_states_get(&index->checkpoints, count - 1, &last);
    return last.offset;
}

/* Returns whether a sketch is expected to reach `offset` before the command pass does. */
static bool is_sooner(const struct psx_ahead *ahead, uint64_t offset)
{
    const struct psx_sketch *sketch = ahead->sketch;
    uint64_t index_at = index_offset(ahead->index);
    uint64_t at = sketch != NULL ? psx_sketch_offset(sketch) : 0;

    if (at >= offset)
        return true;
    return !ahead->refused && index_at + NEAR_BYTES < offset &&
           (offset - at) / TIMES_FASTER < offset - index_at;
}

int psx_ahead_wait_frame(struct psx_ahead *ahead, uint64_t frame, const struct cancel *cancel)
{
    struct psx_index *index = ahead->index;
    int status = psx_index_wait_packets(index, cancel);
    struct psx_sketch *sketch;

    if (status != 0 || psx_index_knows_frame(index, frame))
        return status;
    if (is_sooner(ahead, index->frames[frame + 1].offset) && (sketch = get_sketch(ahead)) != NULL) {
        want(&ahead->wanted, frame);
        ahead->waiting++;
        status = reached(ahead, psx_sketch_reach(sketch, index->frames[frame + 1].packet, cancel));
        ahead->waiting--;
        if (status == 0 || status == -EINTR)
            return status;
    }
    return psx_index_wait_frame(index, frame, cancel);
}

void psx_ahead_stretches(struct psx_ahead *ahead, uint64_t packet, struct psx_stretches *out,
                         bool *keyframes)
{
    const struct psx_sketch *sketch = ahead->sketch;

    *keyframes = sketch == NULL || packet == 0 || psx_index_knows_packet(ahead->index, packet - 1);
    *out = *keyframes ? psx_index_stretches(ahead->index) : psx_sketch_stretches(sketch);
}

bool psx_ahead_has_stale_run(const struct psx_ahead *ahead, uint32_t run)
{
    const struct psx_sketch *sketch = ahead->sketch;

    return sketch != NULL && psx_stale_runs_have(psx_sketch_stretches(sketch).stale_runs, run);
}
