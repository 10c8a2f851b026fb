/* SPDX-License-Identifier: MIT */
/*
 * Trace begin is looked for first, because it determines where frame 0 starts, and is near the
 * beginning of every dump that has one. Then one walk over all headers does the rest; it reads only
 * the words of VSync, GP1 and the small informational packets. The dump counts as ending at the
 * first limit.
 */
#include "formats/psx/index/indexing.h"

#include "base/array.h"
#include "base/bytes.h"
#include "base/memory.h"
#include "formats/psx/index/packet_pass.h"
#include "formats/psx/information.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_PACKETS = 1 << 16, /* packets between two checks of `cancel` */
    STRING_TOLD = 64,       /* bytes of a string that a line of problems.txt shows */
    AT_ONCE = 1 << 20,      /* bytes whose pages map_pages() maps at the same time */
    DENSE = 4096,           /* average length in bytes of packets, up to which it does so */
};

static uint32_t word_at(const struct psx_packet *packet, uint32_t number)
{
    return bytes_le32(packet->payload + 4 * (uint64_t)number);
}

#define DEFECT_AT(packet_index, kind, offset, packet, ...)                                         \
    do {                                                                                           \
        psx_defect(&(packet_index)->index->defects, kind, offset, packet, __VA_ARGS__);            \
        (packet_index)->defects++;                                                                 \
    } while (0)

#define DEFECT(packet_index, kind, ...)                                                            \
    DEFECT_AT(packet_index, kind, (packet_index)->packet.offset, (packet_index)->number,           \
              __VA_ARGS__)

/* Reads a packet. Returns false if not all of it is there, unless the dump ends in it. */
static bool read_packet(const struct psx_packet_index *packet_index, uint64_t offset,
                        struct psx_packet *packet)
{
    return psx_packet_read(packet_index->index->data, packet_index->size, offset, packet) &&
           (packet->words == packet->announced || !packet_index->more);
}

/* Returns whether the walk is to go on in a later step. */
static bool takes_rest(struct psx_packet_index *packet_index)
{
    packet_index->rests = packet_index->left == 0;
    packet_index->left -= !packet_index->rests;
    return packet_index->rests;
}

/*
 * Looks for Trace begin. In a stream the first VSync means that there is none, since a stream
 * cannot be read ahead.
 */
static int find_begin(struct psx_packet_index *packet_index, const struct cancel *cancel)
{
    bool grows = packet_index->index->growth != NULL;
    struct psx_packet packet;

    for (; packet_index->looked < packet_index->limits.packets &&
           read_packet(packet_index, packet_index->looked_offset, &packet);
         packet_index->looked++) {
        if (takes_rest(packet_index))
            return 0;
        if (packet.type == PSX_PACKET_BEGIN)
            packet_index->index->begin_packet = packet_index->looked;
        packet_index->begin_found =
            packet.type == PSX_PACKET_BEGIN || (grows && packet.type == PSX_PACKET_VSYNC);
        if (packet_index->begin_found)
            return 0;
        if (packet_index->looked % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        packet_index->looked_offset = psx_packet_end(&packet);
    }
    packet_index->begin_found =
        !packet_index->more || packet_index->looked == packet_index->limits.packets;
    return 0;
}

int psx_packet_index_make_room(struct psx_packet_index *packet_index, uint64_t group)
{
    struct psx_index *index = packet_index->index;

    while (group >= packet_index->group_room) {
        uint64_t before = packet_index->group_room, room = before;
        int status = ARRAY_GROW(index->groups, room, room);
        uint8_t *bits = status == 0 ? realloc(index->readback_groups, room / 8) : NULL;

        if (bits == NULL)
            return -ENOMEM;
        memset(bits + before / 8, 0, (room - before) / 8);
        index->readback_groups = bits;
        packet_index->group_room = room;
    }
    return 0;
}

/*
 * Maps many pages at the same time if there are headers on all pages, which takes half as long as
 * one fault for every few of them. Other pages, inside long packets, need not be read at all.
 */
static void map_pages(struct psx_packet_index *packet_index, uint64_t group)
{
    const struct psx_index *index = packet_index->index;
    const uint64_t from = packet_index->packet.offset, left = packet_index->size - from;

    if (group == 0 || from < packet_index->mapped || index->growth != NULL ||
        from - index->groups[group - 1] > PSX_GROUP * (uint64_t)DENSE)
        return;
    packet_index->mapped = from + (left < AT_ONCE ? left : AT_ONCE);
    memory_populate_read(index->data + from, packet_index->mapped - from);
}

static int note_group(struct psx_packet_index *packet_index)
{
    uint64_t group = packet_index->number / PSX_GROUP;
    int status;

    if (packet_index->number % PSX_GROUP != 0)
        return 0;
    status = psx_packet_index_make_room(packet_index, group);
    if (status != 0)
        return status;
    packet_index->index->groups[group] = packet_index->packet.offset;
    map_pages(packet_index, group);
    return 0;
}

/* Stores at once where the frame begins, since the frame before it ends there. */
int psx_packet_index_start_frame(struct psx_packet_index *packet_index, uint64_t packet,
                                 uint64_t offset)
{
    struct psx_index *index = packet_index->index;
    int status = ARRAY_GROW(index->frames, packet_index->frames, packet_index->frame_room);

    if (status != 0)
        return status;
    index->frames[packet_index->frames] = (struct psx_frame){.packet = packet, .offset = offset};
    packet_index->frame_defects = packet_index->defects;
    packet_index->frame_has_words = false;
    return 0;
}

/*
 * Fills in the frame in progress, except for where it begins, which other threads may be reading.
 */
static void end_frame(struct psx_packet_index *packet_index, const struct psx_frame *frame)
{
    struct psx_frame *ended = &packet_index->index->frames[packet_index->frames++];

    ended->cycles = frame->cycles;
    ended->display = frame->display;
    ended->stamp_words = frame->stamp_words;
    ended->unfinished = frame->unfinished;
    ended->told_field = packet_index->told_field;
    packet_index->told_field = 0;
    ended->defects = (uint32_t)(packet_index->defects - packet_index->frame_defects);
}

/* Reads the time in 64 bits; a time of one word continues from the one before it. */
static void read_stamp(struct psx_packet_index *packet_index, struct psx_frame *frame)
{
    const struct psx_packet *packet = &packet_index->packet;

    frame->stamp_words = packet->words < 2 ? (uint8_t)packet->words : 2;
    if (frame->stamp_words == 0)
        return;
    frame->cycles = word_at(packet, 0);
    if (frame->stamp_words == 2) {
        frame->cycles |= (uint64_t)word_at(packet, 1) << 32;
        if (packet_index->has_cycles && frame->cycles < packet_index->last_cycles)
            DEFECT(packet_index, PSX_DEFECT_TIME_BACKWARDS,
                   "the time runs backwards: %" PRIu64 " cycles, after %" PRIu64, frame->cycles,
                   packet_index->last_cycles);
    } else if (packet_index->has_cycles) {
        frame->cycles |= packet_index->last_cycles & ~(uint64_t)UINT32_MAX;
        if (frame->cycles < packet_index->last_cycles)
            frame->cycles += UINT64_C(1) << 32;
    }
    if (!packet_index->has_cycles)
        packet_index->index->first_stamped = packet_index->frames;
    packet_index->has_cycles = true;
    packet_index->last_cycles = frame->cycles;
}

static int scan_vsync(struct psx_packet_index *packet_index)
{
    struct psx_frame frame = {.display = packet_index->registers.display};

    packet_index->index->totals.vsyncs++;
    if (packet_index->packet.announced > 2)
        DEFECT(packet_index, PSX_DEFECT_VSYNC_WORDS,
               "vsync of %" PRIu32 " words: only the first two, the time, are used",
               packet_index->packet.announced);
    if (!packet_index->in_frames) {
        DEFECT(packet_index, PSX_DEFECT_EARLY_VSYNC, "vsync before Trace begin: it ends no frame");
        return 0;
    }
    read_stamp(packet_index, &frame);
    end_frame(packet_index, &frame);
    return psx_packet_index_start_frame(packet_index, packet_index->number + 1,
                                        psx_packet_end(&packet_index->packet));
}

static void scan_gp1(struct psx_packet_index *packet_index)
{
    if (packet_index->packet.announced != 1)
        DEFECT(packet_index, PSX_DEFECT_GP1_WORDS, "gp1 packet of %" PRIu32 " words instead of 1",
               packet_index->packet.announced);
    for (uint32_t i = 0; i < packet_index->packet.words; i++)
        psx_registers_gp1(&packet_index->registers, word_at(&packet_index->packet, i));
    packet_index->index->totals.gp1_words += packet_index->packet.words;
    packet_index->frame_has_words |= packet_index->packet.words > 0;
}

static void scan_gp0(struct psx_packet_index *packet_index)
{
    if (packet_index->packet.announced == 0)
        DEFECT(packet_index, PSX_DEFECT_EMPTY_GP0, "gp0 packet without words");
    packet_index->index->totals.gp0_words += packet_index->packet.words;
    packet_index->frame_has_words |= packet_index->packet.words > 0;
}

static void scan_begin(struct psx_packet_index *packet_index)
{
    if (packet_index->packet.announced != 0)
        DEFECT(packet_index, PSX_DEFECT_BEGIN_PAYLOAD,
               "begin packet with a payload of %" PRIu32 " words", packet_index->packet.announced);
    if (packet_index->index->begin_packet == PSX_NO_PACKET)
        DEFECT(packet_index, PSX_DEFECT_SECOND_BEGIN,
               "Trace begin after a vsync: it has no effect in a stream");
    else if (packet_index->number != packet_index->index->begin_packet)
        DEFECT(packet_index, PSX_DEFECT_SECOND_BEGIN,
               "another Trace begin after that of packet %" PRIu64 ", without effect",
               packet_index->index->begin_packet);
}

static void scan_read(struct psx_packet_index *packet_index)
{
    uint64_t group = packet_index->number / PSX_GROUP;

    __atomic_fetch_or(&packet_index->index->readback_groups[group / 8], (uint8_t)(1 << group % 8),
                      __ATOMIC_RELAXED);
    if (packet_index->packet.announced != 1)
        DEFECT(packet_index, PSX_DEFECT_READ_WORDS, "%s packet of %" PRIu32 " words instead of 1",
               psx_packet_name(packet_index->packet.type), packet_index->packet.announced);
}

/* Called before the first word for the GPU. */
static void set_model(struct psx_packet_index *packet_index, enum psx_gpu_model model)
{
    packet_index->index->model = model;
    packet_index->index->vram_lines = psx_model_lines(model);
    psx_registers_reset(&packet_index->registers, model);
}

/*
 * Takes the version. 1 to 3 select the model in 16-byte files; in 14-byte files the number is
 * information only.
 */
static void take_version(struct psx_packet_index *packet_index, uint32_t version)
{
    struct psx_index *index = packet_index->index;

    index->version = (int)version;
    if (index->magic == PSX_MAGIC_16 && index->gpu_option == PSX_GPU_OPTION_AUTO)
        set_model(packet_index, psx_version_model(version));
}

static void scan_version(struct psx_packet_index *packet_index)
{
    uint32_t reserved = packet_index->index->magic == PSX_MAGIC_16 ? 0 : 3;
    uint32_t version =
        packet_index->packet.words > 0 ? word_at(&packet_index->packet, 0) : reserved;

    if (packet_index->packet.announced != 1)
        DEFECT(packet_index, PSX_DEFECT_VERSION, "version packet of %" PRIu32 " words instead of 1",
               packet_index->packet.announced);
    else if (packet_index->after_stream)
        DEFECT(packet_index, PSX_DEFECT_VERSION,
               "version packet after words for the GPU: it is ignored");
    else if (version > 3 || version == reserved)
        DEFECT(packet_index, PSX_DEFECT_VERSION,
               "GPU version %" PRIu32 " is reserved: v2 is used instead", version);
    else
        take_version(packet_index, version);
}

/* Checks a string that is complete; one that was cut off may have been valid. */
static void check_string(struct psx_packet_index *packet_index)
{
    const struct psx_packet *packet = &packet_index->packet;
    size_t length = psx_packet_string(packet);
    int shown = length < STRING_TOLD ? (int)length : STRING_TOLD;

    if (packet->words < packet->announced || psx_packet_string_is_allowed(packet))
        return;
    if (packet->type == PSX_PACKET_GAME)
        DEFECT(packet_index, PSX_DEFECT_GAME, "game id '%.*s' is not of the form SLUS-12345", shown,
               (const char *)packet->payload);
    else
        DEFECT(packet_index, PSX_DEFECT_VIDEO, "video format '%.*s' is neither NTSC nor PAL", shown,
               (const char *)packet->payload);
}

static void scan_string(struct psx_packet_index *packet_index)
{
    struct psx_index *index = packet_index->index;
    int field = psx_packet_field(&packet_index->packet);

    if (field >= 0) {
        packet_index->told_field = (uint8_t)(1 + field);
        return;
    }
    check_string(packet_index);
    if (packet_index->packet.words > PSX_STRING_MAX / 4)
        DEFECT(packet_index, PSX_DEFECT_LONG_STRING,
               "%s of %" PRIu32 " words: metadata shows only its first %d bytes",
               psx_packet_name(packet_index->packet.type), packet_index->packet.words,
               (int)PSX_STRING_MAX);
    if (index->string_count == PSX_STRINGS) {
        DEFECT(packet_index, PSX_DEFECT_LONG_STRING,
               "more than %d strings: metadata does not show the rest", (int)PSX_STRINGS);
        return;
    }
    index->strings[index->string_count].packet = packet_index->number;
    index->strings[index->string_count].offset = packet_index->packet.offset;
    index->string_count++;
}

static int scan_packet(struct psx_packet_index *packet_index)
{
    uint8_t type = packet_index->packet.type;

    packet_index->index->totals.types[type]++;
    packet_index->after_stream |= type <= PSX_PACKET_BEGIN;
    switch (type) {
    case PSX_PACKET_GP0:
        scan_gp0(packet_index);
        break;
    case PSX_PACKET_GP1:
        scan_gp1(packet_index);
        break;
    case PSX_PACKET_VSYNC:
        return scan_vsync(packet_index);
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        scan_read(packet_index);
        break;
    case PSX_PACKET_BEGIN:
        scan_begin(packet_index);
        break;
    case PSX_PACKET_VERSION:
        scan_version(packet_index);
        break;
    case PSX_PACKET_GAME:
    case PSX_PACKET_VIDEO:
    case PSX_PACKET_COMMENT:
        scan_string(packet_index);
        break;
    default:
        DEFECT(packet_index, PSX_DEFECT_UNKNOWN_TYPE, "unknown packet type %02X, %" PRIu32 " words",
               type, packet_index->packet.announced);
        break;
    }
    return 0;
}

/* Returns whether the dump is to be treated as ending before this packet. */
static bool is_limit(struct psx_packet_index *packet_index)
{
    const char *what = NULL;
    uint64_t max = 0;

    if (packet_index->number >= packet_index->limits.packets) {
        what = "packets";
        max = packet_index->limits.packets;
    } else if (packet_index->frames >= packet_index->limits.frames) {
        what = "frames";
        max = packet_index->limits.frames;
    }
    if (what == NULL)
        return false;
    DEFECT(packet_index, PSX_DEFECT_LIMIT,
           "more than %" PRIu64 " %s: what follows is not shown (see max-memory)", max, what);
    packet_index->size = packet_index->packet.offset;
    packet_index->limited = true;
    return true;
}

/*
 * Each header says where the next one is, so each waits for memory, and the processor fetches
 * nothing by itself across the end of a page. Fetching this far ahead lets headers be counted in
 * 0.6 of the time (`make bench BENCH=index`).
 */
enum { HEADERS_AHEAD = 4096 };

/* Returns how many packets may follow of which nothing except the header needs a look. */
static uint64_t count_to_look(const struct psx_packet_index *packet_index)
{
    const uint64_t number = packet_index->number, limit = packet_index->limits.packets - number;
    uint64_t count = (PSX_GROUP - number % PSX_GROUP) % PSX_GROUP;

    if (!packet_index->in_frames)
        return 0;
    count = count < packet_index->left ? count : packet_index->left;
    return count < limit ? count : limit;
}

/* Nearly all packets are complete ones of GP0. Those that follow each other are only counted. */
static void count_gp0(struct psx_packet_index *packet_index)
{
    struct psx_totals *totals = &packet_index->index->totals;
    const uint8_t *data = packet_index->index->data;
    const uint64_t size = packet_index->size, from = packet_index->end;
    const uint64_t max = count_to_look(packet_index);
    uint64_t end = from, count = 0;

    for (; count < max && bytes_inside(end, 4, size); count++) {
        const uint32_t words = bytes_le32(data + end); /* the type is 0 */

        __builtin_prefetch(data + end + HEADERS_AHEAD);
        if (words - 1 >= PSX_PACKET_WORDS_MAX || !bytes_inside(end, 4 + 4 * (uint64_t)words, size))
            break;
        end += 4 + 4 * (uint64_t)words;
    }
    if (count == 0)
        return;
    totals->types[PSX_PACKET_GP0] += count;
    totals->gp0_words += (end - from) / 4 - count;
    packet_index->frame_has_words = packet_index->after_stream = true;
    packet_index->cut = false;
    packet_index->number += count;
    packet_index->left -= count;
    packet_index->end = end;
}

static int walk_packets(struct psx_packet_index *packet_index, const struct cancel *cancel)
{
    struct psx_index *index = packet_index->index;
    int status = 0;

    for (; count_gp0(packet_index),
           read_packet(packet_index, packet_index->end, &packet_index->packet);
         packet_index->number++) {
        if (takes_rest(packet_index) || is_limit(packet_index))
            return status;
        if (packet_index->number % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        if (packet_index->number ==
            (index->begin_packet == PSX_NO_PACKET ? 0 : index->begin_packet)) {
            status =
                psx_packet_index_start_frame(packet_index, packet_index->number, packet_index->end);
            index->initial_display = packet_index->registers.display;
            packet_index->in_frames = true;
        }
        if (status != 0 || (status = note_group(packet_index)) != 0 ||
            (status = scan_packet(packet_index)) != 0)
            return status;
        packet_index->cut = packet_index->packet.words < packet_index->packet.announced;
        if (packet_index->cut)
            DEFECT(packet_index, PSX_DEFECT_CUT_PACKET,
                   "the dump ends after %" PRIu32 " of %" PRIu32 " words of this packet",
                   packet_index->packet.words, packet_index->packet.announced);
        packet_index->end = psx_packet_end(&packet_index->packet);
        if (packet_index->packet.type == PSX_PACKET_VSYNC && packet_index->in_frames &&
            index->origin != NULL)
            status = psx_packet_reuse_take(packet_index);
    }
    return status;
}

/* Reports what is known only at the dump's end. Adds the unfinished frame, if there is one. */
static int finish(struct psx_packet_index *packet_index)
{
    struct psx_index *index = packet_index->index;
    int status = 0;

    if (packet_index->end < packet_index->size && !packet_index->cut)
        DEFECT_AT(packet_index, PSX_DEFECT_TRAILING_BYTES, packet_index->end, PROBLEM_NOWHERE,
                  "%" PRIu64 " bytes after the last packet",
                  packet_index->size - packet_index->end);
    if (index->begin_packet == PSX_NO_PACKET)
        DEFECT_AT(packet_index, PSX_DEFECT_NO_BEGIN, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                  "no Trace begin: frame 0 starts at the first packet");
    if (packet_index->in_frames && packet_index->frame_has_words) {
        end_frame(packet_index, &(struct psx_frame){.display = packet_index->registers.display,
                                                    .unfinished = true});
        status =
            psx_packet_index_start_frame(packet_index, packet_index->number, packet_index->end);
    } else if (!packet_index->in_frames) {
        status =
            psx_packet_index_start_frame(packet_index, packet_index->number, packet_index->end);
        index->initial_display = packet_index->registers.display;
    }
    if (!packet_index->has_cycles)
        index->first_stamped = packet_index->frames;
    if (index->origin != NULL)
        psx_packet_reuse_count(packet_index);
    return status;
}

static void begin(struct psx_packet_index *packet_index, struct psx_index *index,
                  const struct psx_packet_index_limits *limits)
{
    *packet_index = (struct psx_packet_index){.index = index, .limits = *limits};
    packet_index->end = packet_index->looked_offset = psx_magic_length(index->magic);
    packet_index->left = UINT64_MAX;
    index->begin_packet = PSX_NO_PACKET;
    index->version = -1;
    set_model(packet_index, psx_version_model((uint32_t)index->gpu_option));
}

int psx_packet_index_advance(struct psx_packet_index *packet_index, uint64_t size, bool all,
                             const struct cancel *cancel)
{
    int status = 0;

    packet_index->size = size;
    packet_index->more = !all;
    if (!packet_index->begin_found)
        status = find_begin(packet_index, cancel);
    if (status != 0 || !packet_index->begin_found)
        return status;
    status = walk_packets(packet_index, cancel);
    if (packet_index->rests)
        return status;
    return status == 0 && (all || packet_index->limited) ? finish(packet_index) : status;
}

int psx_packet_index_make(struct psx_index *index, const struct psx_packet_index_limits *limits,
                          const struct cancel *cancel)
{
    struct psx_packet_index packet_index;
    int status;

    begin(&packet_index, index, limits);
    status = psx_packet_index_advance(&packet_index, index->size, true, cancel);
    if (status == 0)
        psx_packet_index_publish(&packet_index, packet_index.frames, true);
    return status;
}

int psx_packet_index_begin(struct psx_index *index, const struct psx_packet_index_limits *limits,
                           struct psx_packet_index **out)
{
    *out = malloc(sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    begin(*out, index, limits);
    return 0;
}

int psx_packet_index_step(struct psx_packet_index *packet_index, uint64_t packets, bool *ended)
{
    int status;

    packet_index->left = packets;
    packet_index->rests = false;
    status = psx_packet_index_advance(packet_index, packet_index->index->size, true, NULL);
    packet_index->index->has_frame = packet_index->frames > 0;
    *ended = status == 0 && !packet_index->rests;
    if (*ended)
        psx_packet_index_publish(packet_index, packet_index->frames, true);
    return status;
}

void psx_packet_index_end(struct psx_packet_index **packet_index)
{
    free(*packet_index);
    *packet_index = NULL;
}

int psx_packet_index_create(struct psx_index *index, const struct psx_packet_index_limits *limits,
                            struct psx_packet_index **out)
{
    struct psx_packet_index *packet_index = calloc(1, sizeof(*packet_index));

    if (packet_index == NULL)
        return -ENOMEM;
    begin(packet_index, index, limits);
    *out = packet_index;
    packet_index->group_room = limits->packets / PSX_GROUP + 1;
    packet_index->frame_room = limits->frames + 2;
    index->groups = memory_reserve(packet_index->group_room * sizeof(*index->groups));
    index->readback_groups = memory_reserve(packet_index->group_room / 8 + 1);
    index->frames = memory_reserve(packet_index->frame_room * sizeof(*index->frames));
    if (index->groups == NULL || index->readback_groups == NULL || index->frames == NULL)
        return -ENOMEM;
    return 0;
}

void psx_packet_index_destroy(struct psx_packet_index **packet_index)
{
    struct psx_index *index;

    if (*packet_index == NULL)
        return;
    index = (*packet_index)->index;
    memory_unreserve(index->groups, (*packet_index)->group_room * sizeof(*index->groups));
    memory_unreserve(index->readback_groups, (*packet_index)->group_room / 8 + 1);
    memory_unreserve(index->frames, (*packet_index)->frame_room * sizeof(*index->frames));
    index->groups = NULL;
    index->readback_groups = NULL;
    index->frames = NULL;
    free(*packet_index);
    *packet_index = NULL;
}

bool psx_packet_index_is_limited(const struct psx_packet_index *packet_index)
{
    return packet_index->limited;
}

uint64_t psx_packet_index_frames(const struct psx_packet_index *packet_index)
{
    return packet_index->frames;
}

/* Sets last what readers may request. */
void psx_packet_index_publish(struct psx_packet_index *packet_index, uint64_t frames, bool all)
{
    struct psx_index *index = packet_index->index;

    index->size = all ? packet_index->size : index->frames[frames].offset;
    index->packets = all ? packet_index->number : index->frames[frames].packet;
    index->frame_count = frames;
}
