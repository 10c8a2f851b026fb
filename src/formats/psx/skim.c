/*
 * Trace begin is looked for first, because it decides where frame 0 starts and
 * stands near the beginning of every dump that has one. Then one walk over all
 * headers does the rest, with only the words of VSync, GP1 and the small
 * informational packets read. The dump is treated as ending at the first limit.
 */
#include "formats/psx/skim.h"

#include "core/bytes.h"
#include "formats/psx/information.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { POLL_PACKETS = 1 << 16 }; /* packets between two looks at `cancel` */

struct skim {
    struct psx_index *index;
    const struct psx_skim_limits *limits;
    struct psx_registers registers;
    struct psx_packet packet;
    uint64_t number; /* of that packet */
    uint64_t end;    /* of the last packet */
    uint64_t group_room, frame_room;
    uint64_t frame_packet, frame_offset; /* where the frame in progress starts */
    uint64_t frame_defects;              /* defects before it */
    bool in_frames;                      /* at or after the start of frame 0 */
    bool frame_has_words;
    bool after_stream; /* a packet 00 to 05 came: too late for a version */
    uint64_t last_cycles;
    bool has_cycles;
};

static uint32_t word_at(const struct psx_packet *packet, uint32_t number)
{
    return bytes_le32(packet->payload + 4 * (uint64_t)number);
}

#define DEFECT(skim, kind, ...)                                                                    \
    psx_defect(&(skim)->index->defects, kind, (skim)->packet.offset, (skim)->number, __VA_ARGS__)

/* Makes room for one more element; doubles. */
static int grow(void **array, uint64_t *room, uint64_t count, size_t size)
{
    if (count < *room)
        return 0;

    uint64_t more = *room == 0 ? 64 : *room * 2;
    void *moved = more > SIZE_MAX / size ? NULL : realloc(*array, more * size);

    if (moved == NULL)
        return -ENOMEM;
    *array = moved;
    *room = more;
    return 0;
}

static int find_begin(struct psx_index *index, uint64_t most, const struct cancel *cancel)
{
    uint64_t offset = psx_magic_length(index->magic);
    struct psx_packet packet;

    index->begin_packet = PSX_NO_PACKET;
    for (uint64_t n = 0; n < most && psx_packet_read(index->data, index->size, offset, &packet);
         n++) {
        if (packet.type == PSX_PACKET_BEGIN) {
            index->begin_packet = n;
            return 0;
        }
        if (n % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        offset = psx_packet_end(&packet);
    }
    return 0;
}

static int note_group(struct skim *skim)
{
    struct psx_index *index = skim->index;
    uint64_t group = skim->number / PSX_GROUP;

    if (skim->number % PSX_GROUP != 0)
        return 0;
    if (group == skim->group_room) {
        uint64_t room = skim->group_room;
        int status = grow((void **)&index->groups, &room, group, sizeof(*index->groups));
        uint8_t *bits = status == 0 ? realloc(index->readback_groups, room / 8) : NULL;

        if (bits == NULL)
            return -ENOMEM;
        memset(bits + skim->group_room / 8, 0, (room - skim->group_room) / 8);
        index->readback_groups = bits;
        skim->group_room = room;
    }
    index->groups[group] = skim->packet.offset;
    return 0;
}

static void start_frame(struct skim *skim, uint64_t packet, uint64_t offset)
{
    skim->frame_packet = packet;
    skim->frame_offset = offset;
    skim->frame_defects = skim->index->defects.total;
    skim->frame_has_words = false;
}

static int add_frame(struct skim *skim, const struct psx_frame *frame)
{
    struct psx_index *index = skim->index;
    int status = grow((void **)&index->frames, &skim->frame_room, index->frame_count,
                      sizeof(*index->frames));

    if (status != 0)
        return status;

    struct psx_frame *added = &index->frames[index->frame_count];

    *added = *frame;
    added->packet = skim->frame_packet;
    added->offset = skim->frame_offset;
    added->defects = (uint32_t)(index->defects.total - skim->frame_defects);
    return 0;
}

/* Time in 64 bits: a stamp of one word goes on from the one before it. */
static void read_stamp(struct skim *skim, struct psx_frame *frame)
{
    const struct psx_packet *packet = &skim->packet;

    frame->stamp_words = packet->words < 2 ? (uint8_t)packet->words : 2;
    if (frame->stamp_words == 0)
        return;
    frame->cycles = word_at(packet, 0);
    if (frame->stamp_words == 2) {
        frame->cycles |= (uint64_t)word_at(packet, 1) << 32;
        if (skim->has_cycles && frame->cycles < skim->last_cycles)
            DEFECT(skim, PSX_DEFECT_TIME_BACKWARDS,
                   "the time runs backwards: %" PRIu64 " cycles after %" PRIu64, frame->cycles,
                   skim->last_cycles);
    } else if (skim->has_cycles) {
        frame->cycles |= skim->last_cycles & ~(uint64_t)UINT32_MAX;
        if (frame->cycles < skim->last_cycles)
            frame->cycles += UINT64_C(1) << 32;
    }
    if (!skim->has_cycles)
        skim->index->first_stamped = skim->index->frame_count;
    skim->has_cycles = true;
    skim->last_cycles = frame->cycles;
}

static int skim_vsync(struct skim *skim)
{
    struct psx_index *index = skim->index;
    struct psx_frame frame = {.display = skim->registers.display};

    index->totals.vsyncs++;
    if (skim->packet.announced > 2)
        DEFECT(skim, PSX_DEFECT_VSYNC_WORDS,
               "vsync of %" PRIu32 " words, the first two are the time", skim->packet.announced);
    if (!skim->in_frames) {
        DEFECT(skim, PSX_DEFECT_EARLY_VSYNC, "vsync before Trace begin makes no frame");
        return 0;
    }
    read_stamp(skim, &frame);

    int status = add_frame(skim, &frame);

    if (status != 0)
        return status;
    index->frame_count++;
    start_frame(skim, skim->number + 1, psx_packet_end(&skim->packet));
    return 0;
}

static void skim_gp1(struct skim *skim)
{
    if (skim->packet.announced != 1)
        DEFECT(skim, PSX_DEFECT_GP1_WORDS, "gp1 packet of %" PRIu32 " words, not 1",
               skim->packet.announced);
    for (uint32_t i = 0; i < skim->packet.words; i++)
        psx_registers_gp1(&skim->registers, word_at(&skim->packet, i));
    skim->index->totals.gp1_words += skim->packet.words;
    skim->frame_has_words |= skim->packet.words > 0;
}

static void skim_gp0(struct skim *skim)
{
    if (skim->packet.announced == 0)
        DEFECT(skim, PSX_DEFECT_EMPTY_GP0, "gp0 packet without words");
    skim->index->totals.gp0_words += skim->packet.words;
    skim->frame_has_words |= skim->packet.words > 0;
}

static void skim_begin(struct skim *skim)
{
    if (skim->packet.announced != 0)
        DEFECT(skim, PSX_DEFECT_BEGIN_PAYLOAD, "begin packet with a payload of %" PRIu32 " words",
               skim->packet.announced);
    if (skim->number != skim->index->begin_packet)
        DEFECT(skim, PSX_DEFECT_SECOND_BEGIN, "another Trace begin after that of packet %" PRIu64,
               skim->index->begin_packet);
}

static void skim_read(struct skim *skim)
{
    uint64_t group = skim->number / PSX_GROUP;

    skim->index->readback_groups[group / 8] |= (uint8_t)(1 << group % 8);
    if (skim->packet.announced != 1)
        DEFECT(skim, PSX_DEFECT_READ_WORDS, "%s packet of %" PRIu32 " words, not 1",
               psx_packet_name(skim->packet.type), skim->packet.announced);
}

/* Values 1 to 3 in 16-byte files; in 14-byte files the number is information only. */
static void take_version(struct skim *skim, uint32_t version)
{
    struct psx_index *index = skim->index;

    index->version = (int)version;
    if (index->magic != PSX_MAGIC_16)
        return;
    if (version == 1)
        DEFECT(skim, PSX_DEFECT_VERSION_1, "GPU version 1, the v1 GPU, is replayed as v2");
    if (version == 3) {
        index->vram_lines = PSX_VRAM_HEIGHT_MAX;
        DEFECT(skim, PSX_DEFECT_VERSION_2MIB,
               "GPU version 3: how commands reach the second MiB of VRAM is not known");
    }
}

static void skim_version(struct skim *skim)
{
    uint32_t reserved = skim->index->magic == PSX_MAGIC_16 ? 0 : 3;
    uint32_t version = skim->packet.words > 0 ? word_at(&skim->packet, 0) : reserved;

    if (skim->packet.announced != 1)
        DEFECT(skim, PSX_DEFECT_VERSION, "version packet of %" PRIu32 " words, not 1",
               skim->packet.announced);
    else if (skim->after_stream)
        DEFECT(skim, PSX_DEFECT_VERSION, "version packet after words for the GPU, not used");
    else if (version > 3 || version == reserved)
        DEFECT(skim, PSX_DEFECT_VERSION, "GPU version %" PRIu32 " is reserved, v2 is used",
               version);
    else
        take_version(skim, version);
}

static void skim_string(struct skim *skim)
{
    struct psx_index *index = skim->index;

    if (skim->packet.words > PSX_STRING_MAX / 4)
        DEFECT(skim, PSX_DEFECT_LONG_STRING,
               "%s of %" PRIu32 " words, metadata shows %d bytes of it",
               psx_packet_name(skim->packet.type), skim->packet.words, (int)PSX_STRING_MAX);
    if (index->string_count == PSX_STRINGS) {
        DEFECT(skim, PSX_DEFECT_LONG_STRING, "more than %d strings, metadata shows no more",
               (int)PSX_STRINGS);
        return;
    }
    index->strings[index->string_count].packet = skim->number;
    index->strings[index->string_count++].offset = skim->packet.offset;
}

static int skim_packet(struct skim *skim)
{
    uint8_t type = skim->packet.type;

    skim->index->totals.types[type]++;
    skim->after_stream |= type <= PSX_PACKET_BEGIN;
    switch (type) {
    case PSX_PACKET_GP0:
        skim_gp0(skim);
        break;
    case PSX_PACKET_GP1:
        skim_gp1(skim);
        break;
    case PSX_PACKET_VSYNC:
        return skim_vsync(skim);
    case PSX_PACKET_DISCARD:
    case PSX_PACKET_READBACK:
        skim_read(skim);
        break;
    case PSX_PACKET_BEGIN:
        skim_begin(skim);
        break;
    case PSX_PACKET_VERSION:
        skim_version(skim);
        break;
    case PSX_PACKET_GAME:
    case PSX_PACKET_VIDEO:
    case PSX_PACKET_COMMENT:
        skim_string(skim);
        break;
    default:
        DEFECT(skim, PSX_DEFECT_UNKNOWN_TYPE, "unknown packet type %02X, %" PRIu32 " words", type,
               skim->packet.announced);
        break;
    }
    return 0;
}

/* True when the dump is to be treated as ending before this packet. */
static bool is_limit(struct skim *skim)
{
    const char *what = NULL;
    uint64_t most = 0;

    if (skim->number >= skim->limits->packets) {
        what = "packets";
        most = skim->limits->packets;
    } else if (skim->index->frame_count >= skim->limits->frames) {
        what = "frames";
        most = skim->limits->frames;
    }
    if (what == NULL)
        return false;
    DEFECT(skim, PSX_DEFECT_LIMIT,
           "more than %" PRIu64 " %s: what follows is not shown (see max-memory)", most, what);
    skim->index->size = skim->packet.offset;
    return true;
}

static int walk_packets(struct skim *skim, const struct cancel *cancel)
{
    struct psx_index *index = skim->index;
    uint64_t offset = skim->end = psx_magic_length(index->magic);
    bool cut = false;
    int status = 0;

    for (; psx_packet_read(index->data, index->size, offset, &skim->packet); skim->number++) {
        if (is_limit(skim))
            return 0;
        if (skim->number == (index->begin_packet == PSX_NO_PACKET ? 0 : index->begin_packet)) {
            start_frame(skim, skim->number, offset);
            index->initial_display = skim->registers.display;
            skim->in_frames = true;
        }
        if ((status = note_group(skim)) != 0 || (status = skim_packet(skim)) != 0)
            return status;
        if (skim->number % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        cut = skim->packet.words < skim->packet.announced;
        if (cut)
            DEFECT(skim, PSX_DEFECT_CUT_PACKET,
                   "the dump ends after %" PRIu32 " of %" PRIu32 " words of this packet",
                   skim->packet.words, skim->packet.announced);
        skim->end = offset = psx_packet_end(&skim->packet);
    }
    if (offset < index->size && !cut)
        psx_defect(&index->defects, PSX_DEFECT_TRAILING_BYTES, offset, PROBLEM_NOWHERE,
                   "%" PRIu64 " bytes after the last packet", index->size - offset);
    return 0;
}

/* The unfinished frame, and behind the last one the mark where frames end. */
static int finish_frames(struct skim *skim)
{
    struct psx_index *index = skim->index;
    int status = 0;

    if (skim->in_frames && skim->frame_has_words) {
        struct psx_frame frame = {.display = skim->registers.display, .unfinished = true};

        if ((status = add_frame(skim, &frame)) != 0)
            return status;
        index->frame_count++;
        start_frame(skim, skim->number, skim->end);
    }
    if (!skim->in_frames) {
        start_frame(skim, skim->number, skim->end);
        index->initial_display = skim->registers.display;
    }
    if (!skim->has_cycles)
        index->first_stamped = index->frame_count;
    return add_frame(skim, &(struct psx_frame){0});
}

int psx_skim(struct psx_index *index, const struct psx_skim_limits *limits,
             const struct cancel *cancel)
{
    struct skim skim = {.index = index, .limits = limits};
    int status = find_begin(index, limits->packets, cancel);

    index->version = -1;
    index->vram_lines = PSX_VRAM_HEIGHT;
    psx_registers_reset(&skim.registers);
    if (status != 0 || (status = walk_packets(&skim, cancel)) != 0)
        return status;
    index->packets = skim.number;
    if (index->begin_packet == PSX_NO_PACKET)
        psx_defect(&index->defects, PSX_DEFECT_NO_BEGIN, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                   "no Trace begin: frame 0 starts at the first packet");
    return finish_frames(&skim);
}
