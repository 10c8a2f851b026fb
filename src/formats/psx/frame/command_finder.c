/* SPDX-License-Identifier: MIT */
#include "formats/psx/frame/frame.h"

#include <errno.h>
#include <stdlib.h>

int psx_frame_counts_get(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_knows_frame(index, frame) ? 0 : -EAGAIN;
}

int psx_frame_counts_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_wait_frame(index, frame, cancel);
}

int psx_frame_one_piece(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces)
{
    (void)cancel;
    *pieces = 1;
    return psx_index_shows(&psx_dump_of(dump)->index, frame) ? 0 : -ENOENT;
}

int psx_finder_create(struct psx_finder **out)
{
    struct psx_finder *finder = calloc(1, sizeof(*finder));

    if (finder == NULL)
        return -ENOMEM;
    pthread_mutex_init(&finder->lock, NULL);
    *out = finder;
    return 0;
}

void psx_finder_destroy(struct psx_finder **finder)
{
    if (*finder == NULL)
        return;
    pthread_mutex_destroy(&(*finder)->lock);
    free(*finder);
    *finder = NULL;
}

bool psx_find_began_in(const struct psx_index *index, const struct psx_walk *walk, uint64_t frame)
{
    uint64_t packet = walk->at.command_packet;

    return packet >= index->frames[frame].packet && packet < index->frames[frame + 1].packet;
}

/*
 * A walk goes on after the frame's end only for an incomplete command that began in the frame: a
 * command may stay incomplete for many frames.
 */
bool psx_find_goes_on(const struct psx_walk *walk, uint64_t frame)
{
    return walk->at.packet < walk->index->frames[frame + 1].packet ||
           (walk->at.state.parser.phase == GP0_PHASE_COMMAND &&
            psx_find_began_in(walk->index, walk, frame));
}

static uint64_t number_of(const struct psx_parser_state *checkpoint, enum psx_find_what what)
{
    return what == FIND_DRAW ? checkpoint->draws : checkpoint->uploads;
}

/* Gets the frame's last checkpoint that is not after the command. */
static void start_at_checkpoint(const struct psx_index *index, uint64_t frame,
                                enum psx_find_what what, uint64_t number,
                                struct psx_parser_state *out)
{
    uint64_t low = index->frame_checkpoints[frame], high = index->frame_checkpoints[frame + 1];

    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        psx_parser_states_get(&index->checkpoints, middle, out);
        if (number_of(out, what) <= number)
            low = middle;
        else
            high = middle;
    }
    psx_parser_states_get(&index->checkpoints, low, out);
}

static void take_lock(struct psx_finder *finder) ACQUIRE(lock_of_psx_finder)
{
    pthread_mutex_lock(&finder->lock);
}

static void give_lock(struct psx_finder *finder) RELEASE(lock_of_psx_finder)
{
    pthread_mutex_unlock(&finder->lock);
}

/* Goes on from an earlier search, if that ended nearer to the command. */
static void start_at_memo(struct psx_finder *finder, uint64_t frame, enum psx_find_what what,
                          uint64_t number, struct psx_walk *walk)
{
    take_lock(finder);
    for (unsigned i = 0; i < FINDER_MEMORY; i++) {
        const struct psx_finder_memo *memo = &finder->memos[i];

        if (memo->used && memo->frame == frame && memo->what == what && memo->number < number &&
            psx_parser_state_is_before(&walk->at, memo->walk.at.packet, memo->walk.at.word))
            *walk = memo->walk;
    }
    give_lock(finder);
}

/* Replaces the memo for the same frame and kind if there is one, otherwise the oldest. */
static void remember(struct psx_finder *finder, uint64_t frame, enum psx_find_what what,
                     uint64_t number, const struct psx_found *found)
{
    struct psx_finder_memo *memo = NULL;
    struct psx_walk walk = found->walk;

    psx_walk_apply(&walk, &found->step);
    if (walk.at.frame != frame)
        return; /* numbers begin anew in the next frame */
    take_lock(finder);
    for (unsigned i = 0; i < FINDER_MEMORY && memo == NULL; i++)
        if (finder->memos[i].used && finder->memos[i].frame == frame &&
            finder->memos[i].what == what)
            memo = &finder->memos[i];
    if (memo == NULL)
        memo = &finder->memos[finder->oldest++ % FINDER_MEMORY];
    *memo = (struct psx_finder_memo){true, what, frame, number, walk};
    give_lock(finder);
}

static bool is_wanted(const struct psx_step *step, enum psx_find_what what)
{
    if (step->kind != PSX_STEP_GP0 || step->event.type != GP0_EVENT_COMMAND)
        return false;

    enum psx_gp0_kind kind = psx_gp0_table[step->event.op].kind;

    return what == FIND_DRAW ? psx_kind_draws(kind) : kind == GP0_UPLOAD;
}

int psx_find_command(struct psx_dump *dump, uint64_t frame, enum psx_find_what what,
                     uint64_t number, const struct cancel *cancel, struct psx_found *out)
{
    const struct psx_index *index = &dump->index;
    struct psx_finder *finder = dump->finder;
    struct psx_parser_state checkpoint;
    struct psx_step *step = &out->step;
    uint64_t count;
    unsigned steps = 0;

    start_at_checkpoint(index, frame, what, number, &checkpoint);
    psx_walk_resume(&out->walk, index, &checkpoint);
    start_at_memo(finder, frame, what, number, &out->walk);
    count = number_of(&out->walk.at, what);
    for (;;) {
        if (!psx_find_goes_on(&out->walk, frame) || !psx_walk_next(&out->walk, step))
            return -ENOENT;
        if (is_wanted(step, what) && psx_find_began_in(index, &out->walk, frame) &&
            count++ == number)
            break;
        psx_walk_apply(&out->walk, step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    remember(finder, frame, what, number, out);
    return 0;
}

void psx_found_draw(const struct psx_found *found, struct psx_draw *out)
{
    psx_draw_decode(&found->step.event, &found->walk.at.state.registers, out);
}
