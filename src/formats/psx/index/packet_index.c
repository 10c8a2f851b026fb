/*
 * Trace begin is looked for first, because it decides where frame 0 starts and
 * stands near the beginning of every dump that has one. Then one walk over all
 * headers does the rest, with only the words of VSync, GP1 and the small
 * informational packets read. The dump is treated as ending at the first limit.
 */
#include "formats/psx/index/packet_index.h"

#include "core/bytes.h"
#include "core/memory.h"
#include "formats/psx/index/information.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    POLL_PACKETS = 1 << 16, /* packets between two looks at `cancel` */
    STRING_TOLD = 64,       /* bytes of a string that a problem's line shows */
};

struct psx_skim {
    struct psx_index *index;
    struct psx_skim_limits limits;
    uint64_t size; /* bytes that may be read */
    bool more;     /* than those may come */
    bool limited;
    uint64_t looked, looked_offset; /* for Trace begin, up to this packet */
    bool begin_found;               /* or there is none */
    bool cut;                       /* the last packet was */
    struct psx_registers registers;
    struct psx_packet packet;
    uint64_t number; /* of that packet */
    uint64_t end;    /* of the last packet */
    uint64_t group_room, frame_room;
    uint64_t frames;                 /* that have ended */
    uint64_t defects, frame_defects; /* that were met; before the frame in progress */
    bool in_frames;                  /* at or after the start of frame 0 */
    bool frame_has_words;
    bool after_stream; /* a packet 00 to 05 came: too late for a version */
    uint64_t last_cycles;
    bool has_cycles;
};

static uint32_t word_at(const struct psx_packet *packet, uint32_t number)
{
    return bytes_le32(packet->payload + 4 * (uint64_t)number);
}

#define DEFECT_AT(skim, kind, offset, packet, ...)                                                 \
    do {                                                                                           \
        psx_defect(&(skim)->index->defects, kind, offset, packet, __VA_ARGS__);                    \
        (skim)->defects++;                                                                         \
    } while (0)

#define DEFECT(skim, kind, ...)                                                                    \
    DEFECT_AT(skim, kind, (skim)->packet.offset, (skim)->number, __VA_ARGS__)

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

/* A packet, all of which is there unless the dump ends in it. */
static bool read_packet(const struct psx_skim *skim, uint64_t offset, struct psx_packet *packet)
{
    return psx_packet_read(skim->index->data, skim->size, offset, packet) &&
           (packet->words == packet->announced || !skim->more);
}

/* In a stream the first VSync tells that there is none, since nobody can look ahead. */
static int find_begin(struct psx_skim *skim, const struct cancel *cancel)
{
    bool grows = skim->index->growth != NULL;
    struct psx_packet packet;

    for (; skim->looked < skim->limits.packets && read_packet(skim, skim->looked_offset, &packet);
         skim->looked++) {
        if (packet.type == PSX_PACKET_BEGIN)
            skim->index->begin_packet = skim->looked;
        skim->begin_found =
            packet.type == PSX_PACKET_BEGIN || (grows && packet.type == PSX_PACKET_VSYNC);
        if (skim->begin_found)
            return 0;
        if (skim->looked % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        skim->looked_offset = psx_packet_end(&packet);
    }
    skim->begin_found = !skim->more || skim->looked == skim->limits.packets;
    return 0;
}

static int note_group(struct psx_skim *skim)
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

/* Where a frame begins the one before it ends, so that is told at once. */
static int start_frame(struct psx_skim *skim, uint64_t packet, uint64_t offset)
{
    struct psx_index *index = skim->index;
    int status =
        grow((void **)&index->frames, &skim->frame_room, skim->frames, sizeof(*index->frames));

    if (status != 0)
        return status;
    index->frames[skim->frames] = (struct psx_frame){.packet = packet, .offset = offset};
    skim->frame_defects = skim->defects;
    skim->frame_has_words = false;
    return 0;
}

/* Fills the frame in progress, of which others may read where it begins. */
static void end_frame(struct psx_skim *skim, const struct psx_frame *frame)
{
    struct psx_frame *ended = &skim->index->frames[skim->frames++];

    ended->cycles = frame->cycles;
    ended->display = frame->display;
    ended->stamp_words = frame->stamp_words;
    ended->unfinished = frame->unfinished;
    ended->defects = (uint32_t)(skim->defects - skim->frame_defects);
}

/* Time in 64 bits: a stamp of one word goes on from the one before it. */
static void read_stamp(struct psx_skim *skim, struct psx_frame *frame)
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
        skim->index->first_stamped = skim->frames;
    skim->has_cycles = true;
    skim->last_cycles = frame->cycles;
}

static int skim_vsync(struct psx_skim *skim)
{
    struct psx_frame frame = {.display = skim->registers.display};

    skim->index->totals.vsyncs++;
    if (skim->packet.announced > 2)
        DEFECT(skim, PSX_DEFECT_VSYNC_WORDS,
               "vsync of %" PRIu32 " words, the first two are the time", skim->packet.announced);
    if (!skim->in_frames) {
        DEFECT(skim, PSX_DEFECT_EARLY_VSYNC, "vsync before Trace begin makes no frame");
        return 0;
    }
    read_stamp(skim, &frame);
    end_frame(skim, &frame);
    return start_frame(skim, skim->number + 1, psx_packet_end(&skim->packet));
}

static void skim_gp1(struct psx_skim *skim)
{
    if (skim->packet.announced != 1)
        DEFECT(skim, PSX_DEFECT_GP1_WORDS, "gp1 packet of %" PRIu32 " words, not 1",
               skim->packet.announced);
    for (uint32_t i = 0; i < skim->packet.words; i++)
        psx_registers_gp1(&skim->registers, word_at(&skim->packet, i));
    skim->index->totals.gp1_words += skim->packet.words;
    skim->frame_has_words |= skim->packet.words > 0;
}

static void skim_gp0(struct psx_skim *skim)
{
    if (skim->packet.announced == 0)
        DEFECT(skim, PSX_DEFECT_EMPTY_GP0, "gp0 packet without words");
    skim->index->totals.gp0_words += skim->packet.words;
    skim->frame_has_words |= skim->packet.words > 0;
}

static void skim_begin(struct psx_skim *skim)
{
    if (skim->packet.announced != 0)
        DEFECT(skim, PSX_DEFECT_BEGIN_PAYLOAD, "begin packet with a payload of %" PRIu32 " words",
               skim->packet.announced);
    if (skim->number != skim->index->begin_packet)
        DEFECT(skim, PSX_DEFECT_SECOND_BEGIN, "another Trace begin after that of packet %" PRIu64,
               skim->index->begin_packet);
}

static void skim_read(struct psx_skim *skim)
{
    uint64_t group = skim->number / PSX_GROUP;

    __atomic_fetch_or(&skim->index->readback_groups[group / 8], (uint8_t)(1 << group % 8),
                      __ATOMIC_RELAXED);
    if (skim->packet.announced != 1)
        DEFECT(skim, PSX_DEFECT_READ_WORDS, "%s packet of %" PRIu32 " words, not 1",
               psx_packet_name(skim->packet.type), skim->packet.announced);
}

/* Values 1 to 3 in 16-byte files; in 14-byte files the number is information only. */
static void take_version(struct psx_skim *skim, uint32_t version)
{
    struct psx_index *index = skim->index;

    index->version = (int)version;
    if (index->magic != PSX_MAGIC_16)
        return;
    if (version == 1)
        DEFECT(skim, PSX_DEFECT_VERSION_1,
               "GPU version 1, the v1 GPU, is replayed as v2 but for drawing area and GP1(10)");
    if (version == 3) {
        index->vram_lines = PSX_VRAM_HEIGHT_MAX;
        DEFECT(skim, PSX_DEFECT_VERSION_2MIB,
               "GPU version 3: how commands reach the second MiB of VRAM is not known");
    }
}

static void skim_version(struct psx_skim *skim)
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

/* Of a packet that is all there; what was cut off may have been right. */
static void check_string(struct psx_skim *skim)
{
    const struct psx_packet *packet = &skim->packet;
    size_t length = psx_packet_string(packet);
    int shown = length < STRING_TOLD ? (int)length : STRING_TOLD;

    if (packet->words < packet->announced || psx_packet_string_is_allowed(packet))
        return;
    if (packet->type == PSX_PACKET_GAME)
        DEFECT(skim, PSX_DEFECT_GAME, "game id '%.*s' is not of the form SLUS-12345", shown,
               (const char *)packet->payload);
    else
        DEFECT(skim, PSX_DEFECT_VIDEO, "video format '%.*s' is neither NTSC nor PAL", shown,
               (const char *)packet->payload);
}

static void skim_string(struct psx_skim *skim)
{
    struct psx_index *index = skim->index;

    check_string(skim);

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
    index->strings[index->string_count].offset = skim->packet.offset;
    index->string_count++;
}

static int skim_packet(struct psx_skim *skim)
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
static bool is_limit(struct psx_skim *skim)
{
    const char *what = NULL;
    uint64_t most = 0;

    if (skim->number >= skim->limits.packets) {
        what = "packets";
        most = skim->limits.packets;
    } else if (skim->frames >= skim->limits.frames) {
        what = "frames";
        most = skim->limits.frames;
    }
    if (what == NULL)
        return false;
    DEFECT(skim, PSX_DEFECT_LIMIT,
           "more than %" PRIu64 " %s: what follows is not shown (see max-memory)", most, what);
    skim->size = skim->packet.offset;
    skim->limited = true;
    return true;
}

static int walk_packets(struct psx_skim *skim, const struct cancel *cancel)
{
    struct psx_index *index = skim->index;
    int status = 0;

    for (; read_packet(skim, skim->end, &skim->packet); skim->number++) {
        if (is_limit(skim))
            return 0;
        if (skim->number == (index->begin_packet == PSX_NO_PACKET ? 0 : index->begin_packet)) {
            status = start_frame(skim, skim->number, skim->end);
            index->initial_display = skim->registers.display;
            skim->in_frames = true;
        }
        if (status != 0 || (status = note_group(skim)) != 0 || (status = skim_packet(skim)) != 0)
            return status;
        if (skim->number % POLL_PACKETS == 0 && cancel_requested(cancel))
            return -EINTR;
        skim->cut = skim->packet.words < skim->packet.announced;
        if (skim->cut)
            DEFECT(skim, PSX_DEFECT_CUT_PACKET,
                   "the dump ends after %" PRIu32 " of %" PRIu32 " words of this packet",
                   skim->packet.words, skim->packet.announced);
        skim->end = psx_packet_end(&skim->packet);
    }
    return 0;
}

/* What can be told at the dump's end alone; the unfinished frame is one more. */
static int finish(struct psx_skim *skim)
{
    struct psx_index *index = skim->index;
    int status = 0;

    if (skim->end < skim->size && !skim->cut)
        DEFECT_AT(skim, PSX_DEFECT_TRAILING_BYTES, skim->end, PROBLEM_NOWHERE,
                  "%" PRIu64 " bytes after the last packet", skim->size - skim->end);
    if (index->begin_packet == PSX_NO_PACKET)
        DEFECT_AT(skim, PSX_DEFECT_NO_BEGIN, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                  "no Trace begin: frame 0 starts at the first packet");
    if (skim->in_frames && skim->frame_has_words) {
        end_frame(skim,
                  &(struct psx_frame){.display = skim->registers.display, .unfinished = true});
        status = start_frame(skim, skim->number, skim->end);
    } else if (!skim->in_frames) {
        status = start_frame(skim, skim->number, skim->end);
        index->initial_display = skim->registers.display;
    }
    if (!skim->has_cycles)
        index->first_stamped = skim->frames;
    return status;
}

static void begin(struct psx_skim *skim, struct psx_index *index,
                  const struct psx_skim_limits *limits)
{
    *skim = (struct psx_skim){.index = index, .limits = *limits};
    skim->end = skim->looked_offset = psx_magic_length(index->magic);
    index->begin_packet = PSX_NO_PACKET;
    index->version = -1;
    index->vram_lines = PSX_VRAM_HEIGHT;
    psx_registers_reset(&skim->registers);
}

int psx_skim_advance(struct psx_skim *skim, uint64_t size, bool all, const struct cancel *cancel)
{
    int status = 0;

    skim->size = size;
    skim->more = !all;
    if (!skim->begin_found)
        status = find_begin(skim, cancel);
    if (status != 0 || !skim->begin_found)
        return status;
    status = walk_packets(skim, cancel);
    return status == 0 && (all || skim->limited) ? finish(skim) : status;
}

int psx_skim(struct psx_index *index, const struct psx_skim_limits *limits,
             const struct cancel *cancel)
{
    struct psx_skim skim;
    int status;

    begin(&skim, index, limits);
    status = psx_skim_advance(&skim, index->size, true, cancel);
    if (status == 0)
        psx_skim_publish(&skim, skim.frames, true);
    return status;
}

int psx_skim_create(struct psx_index *index, const struct psx_skim_limits *limits,
                    struct psx_skim **out)
{
    struct psx_skim *skim = calloc(1, sizeof(*skim));

    if (skim == NULL)
        return -ENOMEM;
    begin(skim, index, limits);
    *out = skim;
    skim->group_room = limits->packets / PSX_GROUP + 1;
    skim->frame_room = limits->frames + 2;
    index->groups = memory_reserve(skim->group_room * sizeof(*index->groups));
    index->readback_groups = memory_reserve(skim->group_room / 8 + 1);
    index->frames = memory_reserve(skim->frame_room * sizeof(*index->frames));
    if (index->groups == NULL || index->readback_groups == NULL || index->frames == NULL)
        return -ENOMEM;
    return 0;
}

void psx_skim_destroy(struct psx_skim **skim)
{
    struct psx_index *index;

    if (*skim == NULL)
        return;
    index = (*skim)->index;
    memory_unreserve(index->groups, (*skim)->group_room * sizeof(*index->groups));
    memory_unreserve(index->readback_groups, (*skim)->group_room / 8 + 1);
    memory_unreserve(index->frames, (*skim)->frame_room * sizeof(*index->frames));
    index->groups = NULL;
    index->readback_groups = NULL;
    index->frames = NULL;
    free(*skim);
    *skim = NULL;
}

bool psx_skim_is_limited(const struct psx_skim *skim)
{
    return skim->limited;
}

uint64_t psx_skim_frames(const struct psx_skim *skim)
{
    return skim->frames;
}

/* What readers may ask for comes last. */
void psx_skim_publish(struct psx_skim *skim, uint64_t frames, bool all)
{
    struct psx_index *index = skim->index;

    index->size = all ? skim->size : index->frames[frames].offset;
    index->packets = all ? skim->number : index->frames[frames].packet;
    index->frame_count = frames;
}
