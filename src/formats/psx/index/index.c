#include "formats/psx/index/index.h"

#include "core/growth.h"
#include "core/memory.h"
#include "formats/psx/gpu/field.h"
#include "formats/psx/index/command_index.h"
#include "formats/psx/index/packet_index.h"
#include "formats/psx/index/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAME_COST = sizeof(struct psx_frame) + sizeof(struct psx_frame_counts) + 256,
    CHECKPOINT_COST = 256,  /* bytes of one checkpoint at most, about */
    FRAMES_MOST = 16 << 20, /* what keys of the tree and numbers of checkpoints can tell apart */
    CHECKPOINTS_MOST = 16 << 20, /* besides those at the starts of frames */
    WAIT_MS = 20,                /* for more bytes, until somebody may want to end it all */
};

/* Half of the memory is for frames, a quarter each for packets and checkpoints. */
static struct psx_packet_index_limits limits_of(const struct options *options)
{
    struct psx_packet_index_limits limits = {
        .packets = options->max_memory / 4 / sizeof(uint64_t) * PSX_GROUP,
        .frames = options->max_memory / 2 / FRAME_COST,
    };

    if (limits.frames > FRAMES_MOST)
        limits.frames = FRAMES_MOST;
    return limits;
}

static uint64_t max_checkpoints(const struct options *options)
{
    uint64_t most = options->max_memory / 4 / CHECKPOINT_COST;

    return most < CHECKPOINTS_MOST ? most : CHECKPOINTS_MOST;
}

/* From the frame's VSync to the next one, of `count` frames, in cycles; 0: not known. */
static uint64_t interval_after(const struct psx_index *index, uint64_t frame, uint64_t count)
{
    const struct psx_frame *from = &index->frames[frame], *to = from + 1;

    if (frame + 1 >= count || from->stamp_words == 0 || to->stamp_words == 0)
        return 0;
    if (from->stamp_words == 1 || to->stamp_words == 1)
        return (uint32_t)(to->cycles - from->cycles);
    return to->cycles - from->cycles;
}

static const struct psx_display *display_before(const struct psx_index *index, uint64_t frame)
{
    return frame == 0 ? &index->initial_display : &index->frames[frame - 1].display;
}

static void set_field(struct psx_index *index, uint64_t n, uint64_t count)
{
    const struct psx_display *before = display_before(index, n);
    struct psx_frame *frame = &index->frames[n];
    uint64_t interval = interval_after(index, n, count);

    frame->field = n == 0 ? psx_field_first(index->field_option, before, interval)
                          : psx_field_next(index->field_option, before, frame[-1].field, interval);
}

/* Whether what set_field() would say is final, though more frames may follow the `count`. */
static bool knows_field(const struct psx_index *index, uint64_t n, uint64_t count)
{
    return n + 1 < count || index->field_option != PSX_FIELD_AUTO ||
           !psx_field_is_interlaced(display_before(index, n)) || index->frames[n].stamp_words == 0;
}

/* One slice of the command pass: struct pass_work's `advance`. */
static int advance(void *context, const struct cancel *cancel, struct pass_position *position)
{
    struct psx_index *index = context;
    bool ended = false;
    int status = psx_command_index_advance(index->command_index, &ended);

    (void)cancel;
    if (ended)
        psx_defects_finish(&index->defects);
    position->known = psx_command_index_packets(index->command_index);
    position->frames = psx_command_index_frames(index->command_index);
    position->ended = ended;
    return ended ? 0 : status; /* a file that was cut meanwhile ends with fewer checkpoints */
}

/* What the packet pass has found becomes the command pass's to follow, in whole frames. */
static int take_frames(struct psx_index *index, bool all)
{
    uint64_t frames = psx_packet_index_frames(index->packet_index), known = index->frame_count;

    for (; known < frames && (all || knows_field(index, known, frames)); known++)
        set_field(index, known, frames);
    if (known == 0 && !all)
        return 0;
    if (index->command_index == NULL && index->listener.shows != NULL)
        index->listener.shows(index->listener.context);
    psx_packet_index_publish(index->packet_index, known, all);
    if (all)
        index->open = false;
    return index->command_index == NULL
               ? psx_command_index_create(index, index->max_checkpoints, &index->command_index)
               : 0;
}

/* Waits for bytes, and indexes what came. */
static int take_bytes(struct psx_index *index)
{
    struct growth *growth = index->growth;
    bool ended = growth_has_ended(growth);
    uint64_t size = growth_size(growth);
    int status = 0;

    if (size == index->seen && !ended) {
        growth_wait(growth, size, WAIT_MS);
        return 0;
    }
    index->seen = size;
    status = psx_packet_index_advance(index->packet_index, size, ended, NULL);
    ended |= psx_packet_index_is_limited(index->packet_index);
    if (status == 0)
        status = take_frames(index, ended);
    growth_pass(growth, size);
    return status;
}

/* What is known to its last figure may be asked for. */
static void show(struct psx_index *index, bool ended)
{
    uint64_t frames =
        ended ? index->frame_count : psx_command_index_whole_frames(index->command_index);

    if (frames == index->shown_frames && !ended)
        return;
    pthread_mutex_lock(&index->lock);
    index->shown = index->totals;
    pthread_mutex_unlock(&index->lock);
    index->shown_packets = ended ? index->packets : index->frames[frames].packet;
    index->shown_frames = frames;
    index->final = ended;
    if (index->listener.grew != NULL)
        index->listener.grew(index->listener.context);
}

/* The same as advance(), of a dump that grows: where that would end, it waits for bytes. */
static int advance_and_wait(void *context, const struct cancel *cancel,
                            struct pass_position *position)
{
    struct psx_index *index = context;
    bool ended = false;
    int status = 0;

    (void)cancel;
    if (index->open && (index->command_index == NULL ||
                        psx_command_index_packets(index->command_index) == index->packets))
        status = take_bytes(index);
    if (status != 0 || index->command_index == NULL)
        return status;
    status = psx_command_index_advance(index->command_index, &ended);
    if (ended)
        psx_defects_finish(&index->defects);
    show(index, ended);
    position->known = index->shown_packets;
    position->frames = index->shown_frames;
    position->ended = ended;
    return ended ? 0 : status;
}

/* Nothing is looked at before the pass is started; what arrays there are may grow. */
static int open_growing(struct psx_index *index, const struct psx_packet_index_limits *limits)
{
    int status = psx_packet_index_create(index, limits, &index->packet_index);

    index->open = true;
    index->size = 0;
    index->first_stamped = UINT64_MAX;
    if (status != 0)
        return status;
    index->counts = memory_reserve((limits->frames + 2) * sizeof(*index->counts));
    index->frame_checkpoints =
        memory_reserve((limits->frames + 2) * sizeof(*index->frame_checkpoints));
    index->frames_most = limits->frames;
    return index->counts != NULL && index->frame_checkpoints != NULL ? 0 : -ENOMEM;
}

static int open_whole(struct psx_index *index, const struct psx_packet_index_limits *limits,
                      const struct cancel *cancel)
{
    int status = psx_packet_index_make(index, limits, cancel);

    if (status != 0)
        return status;
    for (uint64_t n = 0; n < index->frame_count; n++)
        set_field(index, n, index->frame_count);
    index->shown_packets = index->packets;
    index->shown_frames = index->frame_count;
    index->counts = calloc(index->frame_count + 1, sizeof(*index->counts));
    index->frame_checkpoints = calloc(index->frame_count + 1, sizeof(*index->frame_checkpoints));
    if (index->counts == NULL || index->frame_checkpoints == NULL)
        return -ENOMEM;
    return psx_command_index_create(index, index->max_checkpoints, &index->command_index);
}

int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index)
{
    struct psx_packet_index_limits limits = limits_of(options);
    struct pass_work work = {.advance = advance, .context = index};
    int status = -ENOMEM;

    memset(index, 0, sizeof(*index));
    index->data = source->data;
    index->size = source->size;
    index->growth = source->growth;
    index->magic = psx_magic_read(source->data, source->size);
    index->defects.problems = problems;
    index->field_option = psx_options_of(options)->field;
    index->max_checkpoints = max_checkpoints(options);
    pthread_mutex_init(&index->lock, NULL);
    if (index->growth != NULL)
        work.advance = advance_and_wait;
    pass_init(&index->pass, &work);
    index->noted = calloc(1, sizeof(*index->noted));
    if (index->noted != NULL)
        status = index->growth != NULL ? open_growing(index, &limits)
                                       : open_whole(index, &limits, cancel);
    if (status != 0)
        psx_index_close(index);
    return status;
}

static void free_growing(struct psx_index *index)
{
    uint64_t frames = index->frames_most + 2;

    memory_unreserve(index->counts, frames * sizeof(*index->counts));
    memory_unreserve(index->frame_checkpoints, frames * sizeof(*index->frame_checkpoints));
    index->counts = NULL;
    index->frame_checkpoints = NULL;
    psx_packet_index_destroy(&index->packet_index);
}

void psx_index_close(struct psx_index *index)
{
    psx_command_index_destroy(&index->command_index);
    psx_parser_states_clear(&index->checkpoints);
    psx_tile_summary_store_clear(&index->summaries);
    if (index->growth != NULL)
        free_growing(index);
    free(index->counts);
    free(index->frame_checkpoints);
    free(index->noted);
    free(index->frames);
    free(index->groups);
    free(index->readback_groups);
    pass_destroy(&index->pass);
    pthread_mutex_destroy(&index->lock);
    memset(index, 0, sizeof(*index));
}

void psx_index_listen(struct psx_index *index, const struct psx_index_listener *listener)
{
    index->listener = *listener;
}

void psx_index_totals(struct psx_index *index, struct psx_totals *out)
{
    pthread_mutex_lock(&index->lock);
    *out = index->growth != NULL ? index->shown : index->totals;
    pthread_mutex_unlock(&index->lock);
}

int psx_index_packet(const struct psx_index *index, uint64_t number, struct psx_packet *out)
{
    if (number >= index->packets)
        return -ENOENT;

    uint64_t offset = index->groups[number / PSX_GROUP];

    for (uint64_t n = number % PSX_GROUP;; n--) {
        if (!psx_packet_read(index->data, index->size, offset, out))
            return -ENOENT;
        if (n == 0)
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

/* Within one group, from packet `from` on. */
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
            return found < index->shown_packets ? found : PSX_NO_PACKET;
    }
    return PSX_NO_PACKET;
}

int psx_index_wait_frame(struct psx_index *index, uint64_t frame, const struct cancel *cancel)
{
    return psx_index_knows_frame(index, frame) ? 0 : pass_wait_frame(&index->pass, frame, cancel);
}

/* What a growing dump shows is known. */
bool psx_index_knows_frame(struct psx_index *index, uint64_t frame)
{
    return (index->growth != NULL && psx_index_shows(index, frame)) ||
           pass_knows_frame(&index->pass, frame);
}

bool psx_index_knows_packet(struct psx_index *index, uint64_t packet)
{
    return (index->growth != NULL && packet < index->shown_packets) ||
           pass_knows(&index->pass, packet);
}

int psx_index_wait_packet(struct psx_index *index, uint64_t packet, const struct cancel *cancel)
{
    return psx_index_knows_packet(index, packet) ? 0 : pass_wait(&index->pass, packet, cancel);
}

int psx_index_wait_all(struct psx_index *index, const struct cancel *cancel)
{
    return pass_wait_all(&index->pass, cancel);
}

int psx_index_wait_shown(struct psx_index *index, const struct cancel *cancel)
{
    return psx_index_grows(index) ? 0 : psx_index_wait_all(index, cancel);
}

bool psx_index_grows(struct psx_index *index)
{
    return index->growth != NULL && !index->final;
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
    pthread_mutex_lock(&index->lock);
    *index->noted = *checkpoint;
    pthread_mutex_unlock(&index->lock);
}

void psx_index_use_noted(struct psx_index *index, uint64_t packet,
                         struct psx_parser_state *checkpoint)
{
    pthread_mutex_lock(&index->lock);
    if (psx_parser_state_is_before(checkpoint, index->noted->packet, index->noted->word) &&
        !psx_parser_state_is_before(&(struct psx_parser_state){.packet = packet},
                                    index->noted->packet, index->noted->word))
        *checkpoint = *index->noted;
    pthread_mutex_unlock(&index->lock);
}
