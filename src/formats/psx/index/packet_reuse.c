/* SPDX-License-Identifier: MIT */
/*
 * Where a frame starts in bytes that both dumps have, and the display registers and the time are
 * the same as the origin's there, all that the packet pass found out about the origin's frame holds
 * again, and so on up to the end of those bytes. Only offsets and packet numbers differ, each by a
 * constant amount. The bytes themselves are not touched. Frames with defects are walked again, so
 * that their lines of problems.txt are made again.
 */
#include "formats/psx/index/packet_pass.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A frame's start in both dumps. */
struct meeting {
    const struct psx_index *origin;
    const struct psx_kept *kept;
    uint64_t frame, end; /* of the origin: frames from `frame` up to `end` are taken over */
    struct psx_taken taken;
    unsigned string, string_end; /* of the origin: the strings in those frames */
};

/*
 * Returns whether times of one word, and times that run backwards, are read in the same way from
 * here on.
 */
static bool times_meet(const struct psx_packet_index *packet_index, const struct meeting *meeting)
{
    const struct psx_frame *before = &meeting->origin->frames[meeting->frame - 1];

    if (packet_index->has_cycles)
        return before->stamp_words != 0 && before->cycles == packet_index->last_cycles;
    return meeting->origin->first_stamped == meeting->origin->frame_count;
}

/*
 * Finds the frame of the origin that starts where a frame of this dump does. Leaves out the
 * first frame: up to its end a packet may still set the GPU's model.
 */
static bool find_meeting(const struct psx_packet_index *packet_index, struct meeting *out)
{
    const struct psx_origin *origin = packet_index->index->origin;
    uint64_t offset = packet_index->end;

    *out = (struct meeting){.origin = origin->index, .kept = psx_origin_kept(origin, offset)};
    if (out->kept == NULL)
        return false;
    out->frame = psx_origin_frame(origin, psx_kept_before(out->kept, offset));
    if (out->frame == PSX_INITIAL || out->frame == 0 || packet_index->told_field != 0)
        return false;
    return out->origin->model == packet_index->index->model &&
           memcmp(&out->origin->frames[out->frame - 1].display, &packet_index->registers.display,
                  sizeof(struct psx_display)) == 0 &&
           times_meet(packet_index, out);
}

/*
 * Returns whether a frame is complete in the same bytes, without defects, and there is room for it.
 */
static bool is_taken(const struct psx_packet_index *packet_index, const struct meeting *meeting,
                     uint64_t frame)
{
    const struct psx_frame *from = &meeting->origin->frames[frame], *to = from + 1;
    uint64_t first = meeting->origin->frames[meeting->frame].packet;

    return frame < meeting->origin->frame_count && !from->unfinished && from->defects == 0 &&
           to->offset <= meeting->kept->from + meeting->kept->size &&
           packet_index->number + 1 + (to->packet - first) <= packet_index->limits.packets &&
           packet_index->frames + (frame - meeting->frame) < packet_index->limits.frames;
}

/*
 * Finds the strings of those frames. Returns false if not all of them are stored, or if there is no
 * room for them.
 */
static bool find_strings(const struct psx_packet_index *packet_index, struct meeting *meeting)
{
    const struct psx_index *origin = meeting->origin;
    unsigned n = 0;

    if (origin->string_count == PSX_STRINGS)
        return false;
    while (n < origin->string_count &&
           origin->strings[n].packet < origin->frames[meeting->frame].packet)
        n++;
    meeting->string = n;
    while (n < origin->string_count &&
           origin->strings[n].packet < origin->frames[meeting->end].packet)
        n++;
    meeting->string_end = n;
    return packet_index->index->string_count + (n - meeting->string) <= PSX_STRINGS;
}

static bool find_end(const struct psx_packet_index *packet_index, struct meeting *meeting)
{
    const struct psx_frame *frames = meeting->origin->frames;

    meeting->end = meeting->frame;
    while (is_taken(packet_index, meeting, meeting->end))
        meeting->end++;
    meeting->taken = (struct psx_taken){
        .packet = packet_index->number + 1,
        .offset = packet_index->end,
        .count = frames[meeting->end].packet - frames[meeting->frame].packet,
        .size = frames[meeting->end].offset - frames[meeting->frame].offset,
        .packet_before = frames[meeting->frame].packet,
        .offset_before = frames[meeting->frame].offset,
    };
    return meeting->end > meeting->frame && find_strings(packet_index, meeting);
}

static int take_frames(struct psx_packet_index *packet_index, const struct meeting *meeting)
{
    const struct psx_taken *taken = &meeting->taken;
    int status = 0;

    for (uint64_t n = meeting->frame; n < meeting->end && status == 0; n++) {
        const struct psx_frame *from = &meeting->origin->frames[n];
        struct psx_frame *frame = &packet_index->index->frames[packet_index->frames++];
        uint64_t packet = frame->packet, offset = frame->offset;

        *frame = *from;
        frame->packet = packet;
        frame->offset = offset;
        if (from->stamp_words != 0) {
            packet_index->has_cycles = true;
            packet_index->last_cycles = from->cycles;
        }
        status = psx_packet_index_start_frame(
            packet_index, taken->packet + (from[1].packet - taken->packet_before),
            taken->offset + (from[1].offset - taken->offset_before));
    }
    packet_index->registers.display = meeting->origin->frames[meeting->end - 1].display;
    return status;
}

static void take_strings(struct psx_index *index, const struct meeting *meeting)
{
    const struct psx_taken *taken = &meeting->taken;

    for (unsigned n = meeting->string; n < meeting->string_end; n++) {
        unsigned number = index->string_count++;

        index->strings[number].packet =
            taken->packet + (meeting->origin->strings[n].packet - taken->packet_before);
        index->strings[number].offset =
            taken->offset + (meeting->origin->strings[n].offset - taken->offset_before);
    }
}

static void set_readbacks(struct psx_index *index, uint64_t from, uint64_t end)
{
    for (uint64_t group = from / PSX_GROUP; group * PSX_GROUP < end; group++)
        index->readback_groups[group / 8] |= (uint8_t)(1 << group % 8);
}

/*
 * Marks the groups that have packets 03 or 04. Some that have none may be marked too, since the
 * groups begin at other packets.
 */
static int take_groups(struct psx_packet_index *packet_index, const struct psx_index *origin,
                       const struct psx_taken *taken)
{
    uint64_t first = taken->packet_before, end = first + taken->count;
    int status =
        psx_packet_index_make_room(packet_index, (taken->packet + taken->count) / PSX_GROUP);

    for (uint64_t group = first / PSX_GROUP; group * PSX_GROUP < end && status == 0; group++) {
        uint64_t from = group * PSX_GROUP, to = from + PSX_GROUP;

        from = from < first ? first : from;
        to = to > end ? end : to;
        if (origin->readback_groups[group / 8] >> group % 8 & 1)
            set_readbacks(packet_index->index, taken->packet + (from - first),
                          taken->packet + (to - first));
    }
    return status;
}

static int add_taken(struct psx_taken_packets *packets, const struct meeting *meeting)
{
    if (ARRAY_GROW(packets->list, packets->count, packets->room) != 0)
        return -ENOMEM;
    packets->origin = meeting->origin;
    packets->list[packets->count++] = meeting->taken;
    return 0;
}

int psx_packet_reuse_take(struct psx_packet_index *packet_index)
{
    struct psx_index *index = packet_index->index;
    struct meeting meeting;
    int status;

    if (!find_meeting(packet_index, &meeting) || !find_end(packet_index, &meeting))
        return 0;
    status = add_taken(&index->taken, &meeting);
    if (status == 0)
        status = take_groups(packet_index, meeting.origin, &meeting.taken);
    if (status == 0)
        status = take_frames(packet_index, &meeting);
    if (status != 0)
        return status;
    take_strings(index, &meeting);
    packet_index->number += meeting.taken.count;
    packet_index->end += meeting.taken.size;
    return 0;
}

/* Subtracts the origin's packets from one offset up to another. */
static void leave_out(const struct psx_index *origin, uint64_t from, uint64_t end,
                      struct psx_totals *totals)
{
    struct psx_packet packet;

    while (from < end && psx_packet_read(origin->data, origin->size, from, &packet)) {
        totals->types[packet.type]--;
        totals->vsyncs -= packet.type == PSX_PACKET_VSYNC;
        totals->gp0_words -= packet.type == PSX_PACKET_GP0 ? packet.words : 0;
        totals->gp1_words -= packet.type == PSX_PACKET_GP1 ? packet.words : 0;
        from = psx_packet_end(&packet);
    }
}

/*
 * Counts all packets of the origin, then subtracts those that were not taken over, which are fewer
 * to walk.
 */
void psx_packet_reuse_count(struct psx_packet_index *packet_index)
{
    struct psx_index *index = packet_index->index;
    const struct psx_index *origin = index->taken.origin;
    struct psx_totals *totals = &index->totals;
    uint64_t at;

    if (origin == NULL)
        return;
    at = psx_magic_length(origin->magic);
    for (unsigned type = 0; type < 256; type++)
        totals->types[type] += origin->totals.types[type];
    totals->vsyncs += origin->totals.vsyncs;
    totals->gp0_words += origin->totals.gp0_words;
    totals->gp1_words += origin->totals.gp1_words;
    for (size_t i = 0; i < index->taken.count; i++) {
        const struct psx_taken *taken = &index->taken.list[i];

        leave_out(origin, at, taken->offset_before, totals);
        at = taken->offset_before + taken->size;
    }
    leave_out(origin, at, origin->size, totals);
}
