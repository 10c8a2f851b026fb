/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/index.h"

#include <errno.h>

void psx_index_totals(struct psx_index *index, struct psx_totals *out)
{
    psx_index_lock(index);
    *out = index->growth != NULL ? index->shown : index->totals;
    psx_index_unlock(index);
}

/*
 * Returns the last run of taken packets that does not begin after that packet; NULL if there is
 * none.
 */
static const struct psx_taken *find_taken(const struct psx_taken_packets *packets, uint64_t number)
{
    size_t low = 0, high = packets->count;

    if (high == 0 || number < packets->list[0].packet)
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (packets->list[middle].packet <= number)
            low = middle;
        else
            high = middle;
    }
    return &packets->list[low];
}

/* Returns a packet at that number or before it, and its offset. */
static uint64_t find_near(const struct psx_index *index, uint64_t number, uint64_t *offset)
{
    const struct psx_taken *taken = find_taken(&index->taken, number);
    uint64_t group = number / PSX_GROUP * PSX_GROUP;
    struct psx_packet before;

    if (taken != NULL && number < taken->packet + taken->count &&
        psx_index_packet(index->taken.origin, taken->packet_before + (number - taken->packet),
                         &before) == 0) {
        *offset = taken->offset + (before.offset - taken->offset_before);
        return number;
    }
    if (taken != NULL && taken->packet + taken->count > group) {
        *offset = taken->offset + taken->size;
        return taken->packet + taken->count;
    }
    *offset = index->groups[number / PSX_GROUP];
    return group;
}

int psx_index_packet(const struct psx_index *index, uint64_t number, struct psx_packet *out)
{
    uint64_t offset, at;

    if (number >= index->packets)
        return -ENOENT;
    for (at = find_near(index, number, &offset);; at++) {
        if (!psx_packet_read(index->data, index->size, offset, out))
            return -ENOENT;
        if (at == number)
            return 0;
        offset = psx_packet_end(out);
    }
}

uint64_t psx_index_frame_of(const struct psx_index *index, uint64_t packet)
{
    uint64_t low = 0, high = index->frame_count;

    if (packet < index->frames[0].packet || packet >= index->frames[high].packet)
        return PSX_INITIAL;
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;

        if (index->frames[middle].packet <= packet)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/*
 * Returns the first readback from packet `from` on in the same group; PSX_NO_PACKET if there is
 * none.
 */
static uint64_t readback_in_group(const struct psx_index *index, uint64_t from)
{
    uint64_t end = (from / PSX_GROUP + 1) * PSX_GROUP;
    struct psx_packet packet;

    if (psx_index_packet(index, from, &packet) != 0)
        return PSX_NO_PACKET;
    for (; from < end; from++) {
        if (packet.type == PSX_PACKET_DISCARD || packet.type == PSX_PACKET_READBACK)
            return from;
        if (!psx_packet_read(index->data, index->size, psx_packet_end(&packet), &packet))
            break;
    }
    return PSX_NO_PACKET;
}

uint64_t psx_index_next_readback(const struct psx_index *index, uint64_t from)
{
    uint64_t groups = (index->packets + PSX_GROUP - 1) / PSX_GROUP;

    for (uint64_t group = from / PSX_GROUP; group < groups; group++) {
        uint8_t bits = __atomic_load_n(&index->readback_groups[group / 8], __ATOMIC_RELAXED);

        if (!(bits >> group % 8 & 1))
            continue;

        uint64_t start = group * PSX_GROUP;
        uint64_t found = readback_in_group(index, from > start ? from : start);

        if (found != PSX_NO_PACKET)
            return found < index->follow.packets ? found : PSX_NO_PACKET;
    }
    return PSX_NO_PACKET;
}

int psx_index_wait_frame(struct psx_index *index, uint64_t frame, const struct cancel *cancel)
{
    return psx_index_knows_frame(index, frame) ? 0
                                               : index_task_wait_frame(&index->pass, frame, cancel);
}

/* All that a growing dump shows is known. */
bool psx_index_knows_frame(struct psx_index *index, uint64_t frame)
{
    return (index->growth != NULL && psx_index_shows(index, frame)) ||
           index_task_knows_frame(&index->pass, frame);
}

bool psx_index_knows_packet(struct psx_index *index, uint64_t packet)
{
    return (index->growth != NULL && packet < index->follow.packets) ||
           index_task_knows(&index->pass, packet);
}

int psx_index_wait_packet(struct psx_index *index, uint64_t packet, const struct cancel *cancel)
{
    return psx_index_knows_packet(index, packet) ? 0
                                                 : index_task_wait(&index->pass, packet, cancel);
}

int psx_index_wait_all(struct psx_index *index, const struct cancel *cancel)
{
    return index_task_wait_all(&index->pass, cancel);
}

int psx_index_wait_packets(struct psx_index *index, const struct cancel *cancel)
{
    return psx_index_is_early(index) ? index_task_wait(&index->pass, 0, cancel) : 0;
}

int psx_index_wait_shown(struct psx_index *index, const struct cancel *cancel)
{
    return psx_index_grows(index) ? 0 : psx_index_wait_all(index, cancel);
}

void psx_index_frame_checkpoint(const struct psx_index *index, uint64_t frame,
                                struct psx_parser_state *out)
{
    psx_parser_states_get(&index->checkpoints, index->frame_checkpoints[frame], out);
    psx_parser_state_set_field(out, index);
}

void psx_index_checkpoint_before(const struct psx_index *index, uint64_t packet, uint32_t word,
                                 struct psx_parser_state *out)
{
    psx_parser_states_get(&index->checkpoints,
                          psx_parser_states_find(&index->checkpoints, packet, word), out);
}

void psx_index_note_checkpoint(struct psx_index *index, const struct psx_parser_state *checkpoint)
{
    psx_index_lock(index);
    *index->noted = *checkpoint;
    psx_index_unlock(index);
}

void psx_index_use_noted(struct psx_index *index, uint64_t packet,
                         struct psx_parser_state *checkpoint)
{
    psx_index_lock(index);
    if (psx_parser_state_is_before(checkpoint, index->noted->packet, index->noted->word) &&
        !psx_parser_state_is_before(&(struct psx_parser_state){.packet = packet},
                                    index->noted->packet, index->noted->word))
        *checkpoint = *index->noted;
    psx_index_unlock(index);
}
