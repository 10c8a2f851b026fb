/* SPDX-License-Identifier: MIT */
/*
 * Where a frame starts in bytes that both dumps have, and the stream's state is the same as the
 * origin's there, all that was found out about the origin's frame holds again, and so on up to the
 * end of those bytes. Only the numbers of packets, frames and texel runs differ, each by a constant
 * amount. Frames with defects are followed again, so that their lines of problems.txt are made
 * again. What is then stored of this stream is the same as if all of it had been followed.
 */
#include "formats/psx/index/command_pass.h"

#include "formats/psx/gpu/scanout.h"

#include <errno.h>
#include <string.h>

enum {
    FRAMES_MAX = 512,     /* frames that are taken over at the same time */
    FRAMES_BACK_MAX = 64, /* how far back from them a good place to stop is looked for */
};

/* A frame's start in both dumps. */
struct meeting {
    const struct psx_index *origin;
    const struct psx_kept *kept;
    uint64_t frame, end; /* of the origin: frames from `frame` up to `end` are taken over */
    struct psx_parser_state here, there;
    uint64_t first, checkpoint; /* checkpoints at the start: the origin's, and this dump's */
};

void psx_frame_reuse_begin(struct psx_command_index *command_index)
{
    const struct psx_index *index = command_index->index;
    struct psx_frame_reuse *reuse = &command_index->reuse;

    reuse->kept = psx_origin_kept(index->origin, command_index->walk.at.offset);
    reuse->runs_meet = reuse->kept != NULL;
}

/* Clears what a complete command has left behind, since it means nothing. */
static void forget_complete(struct psx_state *state)
{
    if (state->parser.phase != GP0_PHASE_IDLE)
        return;
    memset(&state->parser, 0, sizeof(state->parser));
    memset(state->last_vertex, 0, sizeof(state->last_vertex));
}

/* Returns whether the stream goes on in the same way. The numbers of runs may differ. */
static bool states_meet(const struct psx_state *here, const struct psx_state *there)
{
    struct psx_state one = *here, other = *there;

    if (one.parser.phase != GP0_PHASE_IDLE)
        return false;
    forget_complete(&one);
    forget_complete(&other);
    one.texel_run = other.texel_run = 0;
    return memcmp(&one, &other, sizeof(one)) == 0;
}

/* Returns whether each unknown byte that the origin had met by then has been met here too. */
static bool unknown_meet(const struct psx_index *index, const struct meeting *meeting)
{
    uint64_t packet = meeting->there.packet;

    for (unsigned op = 0; op < 256; op++) {
        uint64_t met = meeting->origin->unknown_met[op];

        if (met != 0 && met <= packet && index->unknown_met[op] == 0)
            return false;
    }
    return true;
}

/*
 * Returns whether the texel cache's run in progress is the same in both dumps. What is known of it
 * is not stored. It is the same if the run began after the streams had met, which is so at the
 * first start of a frame in a later run.
 */
static bool runs_meet(struct psx_command_index *command_index, const struct meeting *meeting)
{
    struct psx_frame_reuse *reuse = &command_index->reuse;
    uint32_t run = meeting->here.state.texel_run;

    if (!command_index->index->texel_cache)
        return true;
    if (psx_stale_runs_count(&meeting->origin->stale_runs) == PSX_STALE_RUNS)
        return false; /* some are missing */
    if (!reuse->runs_meet && reuse->has_run)
        reuse->runs_meet = run != reuse->run;
    reuse->has_run = true;
    reuse->run = run;
    return reuse->runs_meet;
}

/*
 * Finds the frame of the origin that starts where a frame of this dump does. Returns false if there
 * is none that is known.
 */
static bool find_meeting(struct psx_command_index *command_index, struct meeting *out)
{
    const struct psx_index *index = command_index->index;
    const struct psx_parser_state *at = &command_index->walk.at;

    out->origin = index->origin->index;
    out->kept = psx_origin_kept(index->origin, at->offset);
    if (out->kept == NULL || at->frame == 0 || at->frame >= index->frame_count ||
        out->origin->interval != index->interval)
        return false;
    out->frame = psx_origin_frame(index->origin, psx_kept_before(out->kept, at->offset));
    return out->frame != PSX_INITIAL && out->frame > 0 &&
           psx_index_knows_frame(index->origin->index, out->frame);
}

static bool meets(struct psx_command_index *command_index, struct meeting *out)
{
    const struct psx_index *index = command_index->index;

    out->checkpoint = psx_parser_states_count(&index->checkpoints) - 1;
    out->first = out->origin->frame_checkpoints[out->frame];
    psx_parser_states_get(&index->checkpoints, out->checkpoint, &out->here);
    psx_parser_states_get(&out->origin->checkpoints, out->first, &out->there);
    return states_meet(&out->here.state, &out->there.state) && unknown_meet(index, out);
}

/*
 * Returns whether a frame can be taken over: it is complete in the same bytes, known, and without
 * defects.
 */
static bool is_taken(const struct psx_index *index, const struct meeting *meeting, uint64_t frame)
{
    const struct psx_index *origin = meeting->origin;
    uint64_t number = meeting->here.frame + (frame - meeting->frame);

    return frame + 1 < origin->frame_count && number + 1 < index->frame_count &&
           origin->frames[frame + 1].offset <= meeting->kept->from + meeting->kept->size &&
           origin->frames[frame].field == index->frames[number].field &&
           psx_index_knows_frame(index->origin->index, frame) && origin->counts[frame].defects == 0;
}

static void state_at(const struct meeting *meeting, uint64_t frame, struct psx_parser_state *out)
{
    psx_parser_states_get(&meeting->origin->checkpoints, meeting->origin->frame_checkpoints[frame],
                          out);
}

/*
 * Finds the frame from which following goes on. It starts between commands, and in a run of the
 * texel cache that ends soon, since nothing is known of that run except whether it was stale in the
 * end.
 */
static void find_end(const struct psx_index *index, struct meeting *meeting)
{
    struct psx_parser_state last, at;
    uint64_t end = meeting->frame, furthest;

    while (end - meeting->frame < FRAMES_MAX && is_taken(index, meeting, end))
        end++;
    furthest = end;
    state_at(meeting, furthest, &last);
    for (; end > meeting->frame && furthest - end < FRAMES_BACK_MAX; end--) {
        state_at(meeting, end, &at);
        if (at.state.parser.phase == GP0_PHASE_IDLE &&
            (!index->texel_cache || at.state.texel_run != last.state.texel_run))
            break;
    }
    meeting->end = furthest - end < FRAMES_BACK_MAX ? end : meeting->frame;
}

/* Converts a packet's number, and a word in that packet, from a state of the origin. */
static void move_place(const struct meeting *meeting, uint64_t before, uint32_t word_before,
                       uint64_t *packet, uint32_t *word)
{
    if (*packet >= meeting->there.packet) {
        *packet += meeting->here.packet - meeting->there.packet;
    } else {
        *packet = before;
        *word = word_before;
    }
}

/* Converts a checkpoint of the origin into one of this dump. */
static void move_state(const struct meeting *meeting, struct psx_parser_state *at)
{
    const struct psx_parser_state *here = &meeting->here, *there = &meeting->there;

    move_place(meeting, here->command_packet, here->command_word, &at->command_packet,
               &at->command_word);
    move_place(meeting, here->read_packet, here->read_word, &at->read_packet, &at->read_word);
    at->packet += here->packet - there->packet;
    at->offset += here->offset - there->offset;
    at->frame += here->frame - there->frame;
    at->state.texel_run += here->state.texel_run - there->state.texel_run;
}

/* Takes over the uploads of a stretch of the origin. If there is no room, they count as drawn. */
static void take_uploads(struct psx_index *index, const struct meeting *meeting, uint64_t stretch,
                         struct psx_tile_summary *summary)
{
    const struct psx_parser_state *here = &meeting->here, *there = &meeting->there;
    const struct psx_upload *uploads;
    uint32_t count;

    uploads = psx_upload_list_get(&meeting->origin->uploads, stretch, &count);
    if (!psx_upload_list_has_room(&index->uploads, count)) {
        summary->drawn = summary->written;
        return;
    }
    for (; count > 0; count--) {
        struct psx_upload upload = *uploads++;

        upload.offset += here->offset - there->offset;
        upload.texel_run += here->state.texel_run - there->state.texel_run;
        psx_upload_list_add(&index->uploads, &upload);
    }
}

/* Takes over checkpoints, and the stretches before them. */
static int take_checkpoints(struct psx_index *index, const struct meeting *meeting,
                            struct psx_parser_state *at)
{
    uint64_t end = meeting->origin->frame_checkpoints[meeting->end];
    struct psx_tile_summary summary;
    int status = 0;

    for (uint64_t n = meeting->first; n < end && status == 0; n++) {
        psx_tile_summary_store_get(&meeting->origin->summaries, n, &summary);
        psx_parser_states_get(&meeting->origin->checkpoints, n + 1, at);
        move_state(meeting, at);
        psx_parser_state_set_field(at, index); /* of the frame where following goes on */
        take_uploads(index, meeting, n, &summary);
        psx_upload_list_end_stretch(&index->uploads);
        status = psx_tile_summary_store_add(&index->summaries, &summary);
        if (status == 0)
            status = psx_parser_states_add(&index->checkpoints, at);
    }
    return status == 0 ? 0 : -ENOMEM;
}

static void add_totals(struct psx_index *index, uint64_t frame)
{
    const struct psx_frame_counts *counts = &index->counts[frame];
    struct psx_screen screen;

    index->totals.commands += counts->commands;
    index->totals.draws += counts->draws;
    index->totals.uploads += counts->uploads;
    index->totals.copies += counts->copies;
    index->totals.reads += counts->reads;
    psx_display_screen(&index->frames[frame].display, &screen);
    index->totals.interlaced_480 += screen.woven;
}

static void take_counts(struct psx_index *index, const struct meeting *meeting)
{
    const struct psx_index *origin = meeting->origin;
    uint64_t number = meeting->here.frame;

    for (uint64_t frame = meeting->frame; frame < meeting->end; frame++, number++) {
        struct psx_frame_counts counts = origin->counts[frame];
        bool writes = counts.same_vram == 0;

        counts.same_vram = counts.same_picture = 0;
        if (!writes)
            psx_frame_counts_same(index, number, &counts);
        index->counts[number] = counts;
        index->frame_checkpoints[number + 1] =
            (uint32_t)(meeting->checkpoint +
                       (origin->frame_checkpoints[frame + 1] - meeting->first));
        add_totals(index, number);
    }
}

/* Takes over stale runs, from the run in progress here to the one in progress at the end. */
static void take_runs(struct psx_command_index *command_index, const struct meeting *meeting,
                      uint32_t end)
{
    struct psx_stale_runs *runs = &command_index->index->stale_runs;
    uint32_t here = meeting->here.state.texel_run, there = meeting->there.state.texel_run;
    uint64_t number = psx_stale_runs_find(&meeting->origin->stale_runs, there);
    uint64_t count = psx_stale_runs_count(&meeting->origin->stale_runs);

    for (; number < count; number++) {
        uint32_t run = meeting->origin->stale_runs.list[number] - there + here;

        if (run > end)
            break;
        if (!psx_stale_runs_have(runs, run))
            psx_stale_runs_add(runs, run);
    }
    /* `stale`, so that nothing more is recorded of this run. */
    command_index->reach = (struct psx_texel_reach){.run = end, .stale = true};
}

static void stand_at(struct psx_command_index *command_index, const struct meeting *meeting,
                     const struct psx_parser_state *at)
{
    struct psx_packet packet;

    command_index->walk.at = *at;
    command_index->frame = at->frame;
    command_index->now = (struct psx_frame_counts){0};
    command_index->writes = false;
    command_index->cost = 0;
    command_index->stretch.maker = (struct psx_tile_summary_maker){0};
    if (at->state.read.total != 0 &&
        psx_index_packet(command_index->index, at->read_packet, &packet) == 0)
        command_index->read_offset = packet.offset;
    command_index->reuse.kept = meeting->kept;
    command_index->reuse.run = at->state.texel_run;
}

int psx_frame_reuse_take(struct psx_command_index *command_index, uint64_t *taken)
{
    struct psx_frame_reuse *reuse = &command_index->reuse;
    struct meeting meeting;
    struct psx_parser_state at;
    bool met = find_meeting(command_index, &meeting);
    int status;

    if (meeting.kept == NULL || meeting.kept != reuse->kept)
        reuse->runs_meet = reuse->has_run = false;
    reuse->kept = meeting.kept;
    if (!met)
        return 0;
    if (!meets(command_index, &meeting)) {
        reuse->runs_meet = reuse->has_run = false;
        return 0;
    }
    if (!runs_meet(command_index, &meeting))
        return 0;
    find_end(command_index->index, &meeting);
    if (meeting.end == meeting.frame)
        return 0;
    status = take_checkpoints(command_index->index, &meeting, &at);
    if (status != 0)
        return status;
    take_counts(command_index->index, &meeting);
    if (command_index->index->texel_cache)
        take_runs(command_index, &meeting, at.state.texel_run);
    stand_at(command_index, &meeting, &at);
    *taken = meeting.end - meeting.frame;
    command_index->index->origin->taken += *taken;
    return 0;
}
