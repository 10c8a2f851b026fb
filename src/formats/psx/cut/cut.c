/* SPDX-License-Identifier: MIT */
#include "formats/psx/cut/cut.h"

#include "base/bytes.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/information.h"
#include "formats/psx/replay/replay.h"
#include "tree/inode.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SINK_BYTES = 1 << 20 }; /* bytes passed to the sink at a time */

static const struct psx_display *display_of(const struct psx_cut *cut)
{
    return &cut->restore.index->frames[cut->frame].display;
}

/* Frames. */

/*
 * Skips the packets that the head has in another form: the Trace begin or, without one, the packets
 * with information about the dump.
 */
static void skip_head(const struct psx_index *index, uint64_t *packet_number, uint64_t *offset)
{
    struct psx_packet packet;
    bool begins = *packet_number == index->begin_packet;

    for (unsigned i = 0; i < PSX_STRINGS; i++) {
        if (!psx_packet_read(index->data, index->size, *offset, &packet) ||
            (packet.type != PSX_PACKET_BEGIN && packet.type != PSX_PACKET_VERSION &&
             packet.type != PSX_PACKET_GAME && packet.type != PSX_PACKET_VIDEO) ||
            (packet.type == PSX_PACKET_BEGIN) != begins)
            return;
        *offset = psx_packet_end(&packet);
        ++*packet_number;
        if (begins)
            return;
    }
}

int psx_cut_frames(const struct psx_index *index, uint64_t first, uint64_t last,
                   struct psx_cut *out)
{
    struct psx_parser_state at;
    uint64_t packet, offset;

    if (first > last || !psx_index_shows(index, last))
        return -ENOENT;
    *out = (struct psx_cut){.frame = first, .last = last, .slice_count = 1};
    psx_index_frame_checkpoint(index, first, &at);
    psx_parser_state_set_field(&at, index);
    out->restore.index = index;
    out->restore.state = at.state;
    packet = index->frames[first].packet;
    offset = index->frames[first].offset;
    if (first == 0)
        skip_head(index, &packet, &offset);
    out->restore.packet = packet;
    out->slices[0].offset = offset;
    out->slices[0].size = index->frames[last + 1].offset - offset;
    snprintf(out->restore.origin, sizeof(out->restore.origin),
             "frame %" PRIu64 ", cut at packet %" PRIu64, first, index->frames[first].packet);
    return 0;
}

/* Draws. */

static void add_packet(struct psx_cut *cut, uint8_t type, const uint32_t *words, unsigned count)
{
    cut->tail[cut->tail_words++] = (uint32_t)type << 24 | count;
    for (unsigned i = 0; i < count; i++)
        cut->tail[cut->tail_words++] = words[i];
}

/* Adds the display of the frame's end, and the frame's VSync. */
static void add_tail(struct psx_cut *cut)
{
    const struct psx_frame *frame = &cut->restore.index->frames[cut->frame];
    const struct psx_display *display = display_of(cut);
    const uint32_t gp1[] = {
        3u << 24 | display->off, 5u << 24 | display->start, 6u << 24 | display->x,
        7u << 24 | display->y,   8u << 24 | display->mode,  9u << 24 | display->high_lines,
    };
    const uint32_t cycles[] = {(uint32_t)frame->cycles, (uint32_t)(frame->cycles >> 32)};

    for (unsigned i = 0; i < sizeof(gp1) / sizeof(gp1[0]); i++)
        add_packet(cut, PSX_PACKET_GP1, &gp1[i], 1);
    add_packet(cut, PSX_PACKET_VSYNC, cycles, frame->stamp_words);
}

static void add_slice(struct psx_cut *cut, uint64_t offset, uint64_t end)
{
    if (offset < end)
        cut->slices[cut->slice_count++] =
            (struct psx_cut_slice){.offset = offset, .size = end - offset};
}

/*
 * Adds words `from` to `to` - 1 of a packet as a packet. If another program is writing to the file,
 * the packet may have fewer words by now.
 */
static void add_part(struct psx_cut *cut, const struct psx_packet *packet, uint32_t from,
                     uint32_t to)
{
    to = to < packet->words ? to : packet->words;
    if (from >= to)
        return;
    cut->slices[cut->slice_count++] = (struct psx_cut_slice){
        .has_header = true,
        .header = (uint32_t)packet->type << 24 | (to - from),
        .offset = packet->offset + 4 + 4 * (uint64_t)from,
        .size = 4 * (uint64_t)(to - from),
    };
}

/* Adds all words from one position to another. */
static void add_stream(struct psx_cut *cut, const struct psx_parser_state *from,
                       const struct psx_parser_state *to)
{
    const struct psx_index *index = cut->restore.index;
    uint64_t offset = from->offset;
    struct psx_packet packet;

    if (from->packet == to->packet && from->word < to->word &&
        psx_packet_read(index->data, index->size, from->offset, &packet)) {
        add_part(cut, &packet, from->word, to->word);
        return;
    }
    if (from->packet >= to->packet)
        return;
    if (from->word > 0 && psx_packet_read(index->data, index->size, from->offset, &packet)) {
        add_part(cut, &packet, from->word, packet.words);
        offset = psx_packet_end(&packet);
    }
    add_slice(cut, offset, to->offset);
    if (to->word > 0 && psx_packet_read(index->data, index->size, to->offset, &packet))
        add_part(cut, &packet, 0, to->word);
}

static bool is_open(const struct psx_parser_state *at, const struct psx_parser_state *first)
{
    return at->state.parser.phase == GP0_PHASE_POLYLINE &&
           at->command_packet == first->command_packet && at->command_word == first->command_word;
}

/*
 * Moves the walk to the frame's last checkpoint at which the polyline is open. From there it is not
 * far to the polyline's end.
 */
static void skip_checkpoints(const struct psx_index *index, struct psx_walk *walk)
{
    uint64_t low = psx_parser_states_find(&index->checkpoints, walk->at.packet, walk->at.word);
    uint64_t high = index->frame_checkpoints[walk->at.frame + 1];
    struct psx_parser_state at;

    while (low + 1 < high) {
        uint64_t middle = low + (high - low) / 2;

        psx_parser_states_get(&index->checkpoints, middle, &at);
        if (is_open(&at, &walk->at)) {
            low = middle;
            psx_walk_resume(walk, index, &at);
        } else {
            high = middle;
        }
    }
}

/* Adds the rest of a polyline. `walk` is after its first segment. */
static int add_segments(struct psx_cut *cut, struct psx_walk *walk, const struct cancel *cancel)
{
    const struct psx_parser_state first = walk->at;
    const struct psx_index *index = cut->restore.index;
    struct psx_step step;
    unsigned steps = 0;

    if (first.frame >= index->frame_count)
        return 0;
    skip_checkpoints(index, walk);
    while (is_open(&walk->at, &first) && walk->at.packet < index->frames[first.frame + 1].packet) {
        struct psx_parser_state before = walk->at;

        if (!psx_walk_next(walk, &step))
            break;
        if (step.kind == PSX_STEP_PACKET && step.packet.type == PSX_PACKET_VSYNC) {
            walk->at = before;
            break;
        }
        psx_walk_apply(walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    add_stream(cut, &first, &walk->at);
    return 0;
}

int psx_cut_draw(struct psx_dump *dump, uint64_t frame, uint64_t draw, const struct cancel *cancel,
                 struct psx_cut *out)
{
    const struct psx_index *index = &dump->index;
    const struct psx_gp0_event *event = &out->draw.step.event;
    struct psx_walk walk;
    int status;

    *out = (struct psx_cut){.frame = frame, .last = frame, .number = draw, .is_draw = true};
    status = psx_find_command(dump, frame, FIND_DRAW, draw, cancel, &out->draw);
    if (status != 0)
        return status;
    out->restore.index = index;
    out->restore.state = out->draw.walk.at.state;
    psx_gp0_parser_reset(&out->restore.state.parser);
    out->restore.packet = out->draw.walk.at.command_packet;
    snprintf(out->restore.origin, sizeof(out->restore.origin),
             "draw %" PRIu64 " of frame %" PRIu64 ", cut at packet %" PRIu64, draw, frame,
             out->restore.packet);
    out->command[0] = (uint32_t)PSX_PACKET_GP0 << 24 | event->count;
    memcpy(out->command + 1, event->words, sizeof(event->words[0]) * event->count);
    out->command_words = 1 + event->count;
    walk = out->draw.walk;
    psx_walk_apply(&walk, &out->draw.step);
    if (psx_gp0_table[event->op].kind == GP0_POLYLINE)
        status = add_segments(out, &walk, cancel);
    add_tail(out);
    return status;
}

/* Bytes. */

static uint64_t slice_size(const struct psx_cut_slice *slice)
{
    return slice->size + (slice->has_header ? 4 : 0);
}

uint64_t psx_cut_size(const struct psx_cut *cut)
{
    uint64_t size =
        psx_restore_size(&cut->restore) + 4 * ((uint64_t)cut->command_words + cut->tail_words);

    for (unsigned i = 0; i < cut->slice_count; i++)
        size += slice_size(&cut->slices[i]);
    return size;
}

/*
 * Determines whether what the texel cache holds at the start of the cut may be seen, that is,
 * whether the texel cache's run in progress there is stale (index/stale_runs.h). If the run goes on
 * after the cut, a later command may make it stale. So that the cut always has the same bytes,
 * waits in that case until the complete dump is known, unless the dump may still grow.
 */
static int find_texels(const struct psx_cut *cut, struct psx_dump *dump,
                       const struct cancel *cancel, bool *texels)
{
    const uint32_t run = cut->restore.state.texel_run;
    struct psx_parser_state end;
    int status = 0;

    psx_index_frame_checkpoint(&dump->index, cut->last + 1, &end);
    if (end.state.texel_run <= run && !psx_index_grows(&dump->index))
        status = psx_index_wait_all(&dump->index, cancel);
    *texels = psx_stale_runs_have(&dump->index.stale_runs, run);
    return status;
}

static int write_frame_head(const struct psx_cut *cut, struct psx_dump *dump, bool texels,
                            const struct cancel *cancel, struct text *out)
{
    const uint64_t packet = dump->index.frames[cut->frame].packet;
    const struct psx_vram_request request = {
        .packet = packet,
        .upto = packet,
        .area = {0, 0, PSX_VRAM_WIDTH, (int)dump->index.vram_lines},
    };
    struct psx_gpu_instance *instance = NULL;
    int status = psx_replay_take(dump, &request, cancel, &instance);

    if (status != 0)
        return status;
    status = psx_restore_write(&cut->restore, instance->gpu, texels, out);
    psx_replay_give(dump, &instance);
    return status;
}

/*
 * Carries out the frame up to the step that completes the draw. If that step is after the frame,
 * the steps between change no pixel.
 */
static int play_to_draw(struct psx_player *player, const struct psx_found *draw,
                        const struct cancel *cancel)
{
    struct psx_step step;

    while (psx_player_next(player, &step) &&
           (step.number != draw->step.number || step.word != draw->step.word)) {
        psx_player_carry_out(player, &step);
        if (cancel_requested(cancel))
            return -EINTR;
    }
    return 0;
}

static int write_draw_head(const struct psx_cut *cut, struct psx_dump *dump, bool texels,
                           const struct cancel *cancel, struct text *out)
{
    struct psx_player *player = NULL;
    int status = psx_player_take_whole(dump, cut->frame, cancel, &player);

    if (status == 0)
        status = play_to_draw(player, &cut->draw, cancel);
    if (status == 0)
        status = psx_restore_write(&cut->restore, player->gpu, texels, out);
    psx_player_forget(dump, &player);
    return status;
}

static int write_head(const struct psx_cut *cut, struct psx_dump *dump, const struct cancel *cancel,
                      struct text *out)
{
    bool texels = false;
    int status = find_texels(cut, dump, cancel, &texels);

    if (status != 0)
        return status;
    return cut->is_draw ? write_draw_head(cut, dump, texels, cancel, out)
                        : write_frame_head(cut, dump, texels, cancel, out);
}

/* A range of the cut's bytes, which is filled while all runs of the cut pass in order. */
struct window {
    uint8_t *bytes;
    uint64_t from, to;
    uint64_t at; /* offset of the next run in the cut */
};

static void pass_run(struct window *window, const void *bytes, uint64_t size)
{
    uint64_t begin = window->at > window->from ? window->at : window->from;
    uint64_t end = window->at + size < window->to ? window->at + size : window->to;

    if (begin < end)
        memcpy(window->bytes + (begin - window->from),
               (const uint8_t *)bytes + (begin - window->at), end - begin);
    window->at += size;
}

static void pass_words(struct window *window, const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint8_t bytes[4];

        bytes_put_le32(bytes, words[i]);
        pass_run(window, bytes, sizeof(bytes));
    }
}

/*
 * Gets the key under which the cache keeps a head that the next piece needs, too, as a part of the
 * cut's file. Returns false if there is no such key.
 */
static bool head_key(const struct psx_cut *cut, struct cache_key *out)
{
    const uint64_t part = UINT64_C(1) << 32; /* no file has that many pieces */
    uint64_t key = cut->frame;
    bool fits = !cut->is_draw || inode_member(DRAW_BITS, cut->frame, cut->number, &key);

    *out = (struct cache_key){
        inode_pack(cut->is_draw ? PSX_RULE_DRAW_CUT : PSX_RULE_FRAME_CUT, key), part};
    return fits;
}

static int take_head(const struct psx_cut *cut, struct psx_dump *dump, bool keeps,
                     const struct cancel *cancel, struct blob **out)
{
    struct cache *cache = dump->base.cache;
    struct text head = TEXT_INIT;
    struct cache_key key;
    bool has_key = cache != NULL && head_key(cut, &key);
    int status;

    *out = has_key ? cache_peek(cache, key) : NULL;
    if (*out != NULL)
        return 0;
    status = write_head(cut, dump, cancel, &head);
    if (status == 0)
        status = text_blob(&head, out);
    else
        text_clear(&head);
    if (status == 0 && has_key && keeps)
        cache_offer(cache, key, *out);
    return status;
}

static int pass_head(const struct psx_cut *cut, struct psx_dump *dump, const struct cancel *cancel,
                     struct window *window)
{
    const uint64_t size = psx_restore_size(&cut->restore);
    struct blob *head = NULL;
    int status = 0;

    if (window->from < size)
        status = take_head(cut, dump, window->to < size, cancel, &head);
    if (head != NULL)
        pass_run(window, head->data, head->size);
    window->at = size;
    blob_unref(&head);
    return status;
}

int psx_cut_piece(const struct psx_cut *cut, struct psx_dump *dump, uint64_t offset, size_t length,
                  const struct cancel *cancel, struct blob **out)
{
    struct window window = {.from = offset, .to = offset + length};
    int status = blob_create(length, out);

    if (status != 0)
        return status;
    window.bytes = (*out)->data;
    status = pass_head(cut, dump, cancel, &window);
    pass_words(&window, cut->command, cut->command_words);
    for (unsigned i = 0; i < cut->slice_count; i++) {
        const struct psx_cut_slice *slice = &cut->slices[i];

        pass_words(&window, &slice->header, slice->has_header);
        pass_run(&window, dump->index.data + slice->offset, slice->size);
    }
    pass_words(&window, cut->tail, cut->tail_words);
    if (status == 0 && window.at < window.to)
        status = -EIO;
    if (status != 0)
        blob_unref(out);
    return status;
}

/* Ranges. */

struct writer {
    dump_sink *sink;
    void *context;
    const struct cancel *cancel;
    const uint8_t *data; /* the bytes of the dump */
    uint64_t from;       /* offset in `data` of the first byte that has not been written yet */
};

static int write_bytes(const struct writer *writer, const void *bytes, uint64_t size)
{
    int status = 0;

    for (uint64_t run, at = 0; status == 0 && at < size; at += run) {
        run = size - at < SINK_BYTES ? size - at : SINK_BYTES;
        status = cancel_requested(writer->cancel)
                     ? -EINTR
                     : writer->sink(writer->context, (const uint8_t *)bytes + at, (size_t)run);
    }
    return status;
}

static int write_up_to(struct writer *writer, uint64_t offset)
{
    int status = write_bytes(writer, writer->data + writer->from, offset - writer->from);

    writer->from = offset;
    return status;
}

/*
 * Returns whether a reader of the cut would determine another field for the frame, even if it has
 * the right one for the frame before.
 */
static bool loses_field(const struct psx_index *index, uint64_t frame, uint64_t last)
{
    const struct psx_frame *frames = index->frames;
    const bool known =
        frame < last && frames[frame].stamp_words > 0 && frames[frame + 1].stamp_words > 0;
    uint64_t interval = known ? frames[frame + 1].cycles - frames[frame].cycles : 0;

    if (known && (frames[frame].stamp_words == 1 || frames[frame + 1].stamp_words == 1))
        interval = (uint32_t)interval;
    return psx_field_next(PSX_FIELD_AUTO, &frames[frame - 1].display, frames[frame - 1].field,
                          interval) != frames[frame].field;
}

/*
 * Writes a comment with the frame's field before the frame. If the frame has a comment with a field
 * of its own, that stays, and says the same.
 */
static int write_field(struct writer *writer, const struct psx_frame *frame)
{
    struct text comment = TEXT_INIT;
    int status = write_up_to(writer, frame->offset);

    psx_field_write(frame->field, &comment);
    if (status == 0)
        status = text_status(&comment);
    if (status == 0)
        status = write_bytes(writer, comment.bytes, comment.length);
    text_clear(&comment);
    return status;
}

static int write_range_head(struct psx_dump *dump, struct psx_cut *cut, uint64_t last,
                            const struct writer *writer)
{
    struct text head = TEXT_INIT;
    int status;

    snprintf(cut->restore.origin, sizeof(cut->restore.origin),
             "frames %" PRIu64 " to %" PRIu64 " of %s, cut at packet %" PRIu64, cut->frame, last,
             source_basename(dump->base.source), dump->index.frames[cut->frame].packet);
    status = write_head(cut, dump, writer->cancel, &head);
    if (status == 0)
        status = write_bytes(writer, head.bytes, head.length);
    text_clear(&head);
    return status;
}

int psx_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                  dump_sink *sink, void *context)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct psx_index *index = &psx->index;
    struct writer writer = {
        .sink = sink, .context = context, .cancel = cancel, .data = index->data};
    struct psx_cut cut;
    int status = psx_index_shows(index, last) ? psx_index_wait_frame(index, last, cancel) : -ENOENT;

    if (status == 0)
        status = psx_cut_frames(index, first, last, &cut);
    if (status != 0)
        return status;
    status = write_range_head(psx, &cut, last, &writer);
    writer.from = cut.slices[0].offset;
    for (uint64_t frame = first + 1; status == 0 && frame <= last; frame++)
        if (loses_field(index, frame, last))
            status = write_field(&writer, &index->frames[frame]);
    return status == 0 ? write_up_to(&writer, index->frames[last + 1].offset) : status;
}
