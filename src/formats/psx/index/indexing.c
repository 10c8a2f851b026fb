/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/indexing.h"

#include "base/bytes.h"
#include "base/log.h"
#include "base/memory.h"
#include "formats/psx/index/kept_index.h"
#include "formats/psx/index/origin.h"
#include "source/growing_source.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Fields. */

enum { FIELD_UNKNOWN = -1 };

uint64_t psx_field_interval(const struct psx_packet *from, const struct psx_packet *to)
{
    if (from->words == 0 || to->words == 0)
        return 0;
    if (from->words == 1 || to->words == 1)
        return bytes_le32(to->payload) - bytes_le32(from->payload);
    return bytes_le64(to->payload) - bytes_le64(from->payload);
}

static uint64_t distance(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

/*
 * Returns the field that is displayed before an interval, which is one field of 262 or 263 lines
 * (PAL 312, 313); FIELD_UNKNOWN if it is neither.
 */
static int field_of_interval(const struct psx_display *display, uint64_t interval)
{
    static const struct {
        uint32_t shorter, longer;
    } cycles[2] = {{563969, 566121}, {676486, 678654}};
    unsigned pal = display->mode >> 3 & 1;
    uint64_t half_line = (cycles[pal].longer - cycles[pal].shorter) / 2;
    uint64_t to_shorter = distance(interval, cycles[pal].shorter);
    uint64_t to_longer = distance(interval, cycles[pal].longer);

    if (to_shorter > half_line && to_longer > half_line)
        return FIELD_UNKNOWN;
    return to_shorter < to_longer;
}

bool psx_field_is_interlaced(const struct psx_display *display)
{
    return display->mode >> 5 & 1;
}

uint8_t psx_field_first(enum psx_field_option rule, const struct psx_display *display,
                        uint64_t interval)
{
    if (rule == PSX_FIELD_AUTO && psx_field_is_interlaced(display))
        return field_of_interval(display, interval) == 1;
    return rule == PSX_FIELD_ODD;
}

uint8_t psx_field_next(enum psx_field_option rule, const struct psx_display *display, uint8_t field,
                       uint64_t interval)
{
    int told = FIELD_UNKNOWN;

    if (rule == PSX_FIELD_BOTH || !psx_field_is_interlaced(display))
        return field;
    if (rule == PSX_FIELD_AUTO)
        told = field_of_interval(display, interval);
    return (uint8_t)(told == FIELD_UNKNOWN ? !field : told);
}

/* The passes. */

enum {
    FRAME_COST = sizeof(struct psx_frame) + sizeof(struct psx_frame_counts) + 256,
    CHECKPOINT_COST = 256, /* bytes of one checkpoint, at most, about */
    FRAMES_MAX = 16 << 20, /* what keys of the tree and numbers of checkpoints can distinguish */
    CHECKPOINTS_MAX = 16 << 20, /* checkpoints in addition to those at the starts of frames */
    FRAMES_MIN = 1024,          /* no stream is opened for fewer */
    /* Bytes of addresses for anything except an index: threads, pictures. */
    SPARE_SPACE = 256 << 20,
    /*
     * Packets looked at in one step: few enough even if each is on a page of its own that has to be
     * read.
     */
    EARLY_PACKETS = 4096,
};

uint64_t psx_index_early_from = UINT64_C(64) << 20;

/* Divides the memory: half of it is for frames, a quarter each for packets and checkpoints. */
static struct psx_packet_index_limits limits_of(const struct options *options)
{
    struct psx_packet_index_limits limits = {
        .packets = options->max_memory / 4 / sizeof(uint64_t) * PSX_GROUP,
        .frames = options->max_memory / 2 / FRAME_COST,
    };

    if (limits.frames > FRAMES_MAX)
        limits.frames = FRAMES_MAX;
    return limits;
}

static uint64_t max_checkpoints(const struct options *options)
{
    uint64_t max = options->max_memory / 4 / CHECKPOINT_COST;

    return max < CHECKPOINTS_MAX ? max : CHECKPOINTS_MAX;
}

/*
 * Returns the cycles from the frame's VSync to the next one, among `count` frames; 0 if not known.
 */
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
    if (index->field_option == PSX_FIELD_AUTO && frame->told_field != 0)
        frame->field = frame->told_field - 1;
}

/* Returns whether set_field() sets the final field, although more frames may follow the `count`. */
static bool knows_field(const struct psx_index *index, uint64_t n, uint64_t count)
{
    return n + 1 < count || index->field_option != PSX_FIELD_AUTO ||
           index->frames[n].told_field != 0 || !psx_field_is_interlaced(display_before(index, n)) ||
           index->frames[n].stamp_words == 0;
}

/* Ends the pass of a kept index at once, since nothing is left to be done. */
static int end_at_once(void *context, const struct cancel *cancel,
                       struct index_task_position *position)
{
    struct psx_index *index = context;

    (void)cancel;
    psx_defects_finish(&index->defects);
    *position = (struct index_task_position){
        .known = index->packets, .frames = index->frame_count, .ended = true};
    return 0;
}

/* Computes what follows from all packets, and begins the command pass. */
static int end_packets(struct psx_index *index)
{
    for (uint64_t n = 0; n < index->frame_count; n++)
        set_field(index, n, index->frame_count);
    index->counts = calloc(index->frame_count + 1, sizeof(*index->counts));
    index->frame_checkpoints = calloc(index->frame_count + 1, sizeof(*index->frame_checkpoints));
    if (index->counts == NULL || index->frame_checkpoints == NULL)
        return -ENOMEM;
    return psx_command_index_create(index, index->max_checkpoints, &index->command_index);
}

/* Makes a step of the packet pass of an early index. The last step ends that state. */
static int advance_packets(struct psx_index *index)
{
    bool ended;
    int status = psx_packet_index_step(index->packet_index, EARLY_PACKETS, &ended);

    if (status == 0 && ended)
        status = end_packets(index);
    if (status != 0 || !ended)
        return status;
    psx_packet_index_end(&index->packet_index);
    if (index->shows != NULL)
        index->shows(index->context);
    follow_show(&index->follow, index->packets, index->frame_count, true);
    index->early = false;
    return 0;
}

/* Makes one step of a pass: `advance` of struct index_task_work. */
static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct psx_index *index = context;
    bool ended = false;
    int status;

    if (index->kept)
        return end_at_once(index, cancel, position);
    if (index->early)
        return advance_packets(index);
    status = psx_command_index_advance(index->command_index, &ended);
    if (ended)
        psx_defects_finish(&index->defects);
    position->known = psx_command_index_packets(index->command_index);
    position->frames = psx_command_index_frames(index->command_index);
    position->ended = ended;
    return ended ? 0 : status; /* a file that was cut meanwhile ends with fewer checkpoints */
}

/* Hands the frames that the packet pass has found to the command pass, complete ones only. */
static int take_frames(struct psx_index *index, bool all)
{
    uint64_t frames = psx_packet_index_frames(index->packet_index), known = index->frame_count;

    for (; known < frames && (all || knows_field(index, known, frames)); known++)
        set_field(index, known, frames);
    if (known == 0 && !all)
        return 0;
    if (index->command_index == NULL && index->shows != NULL)
        index->shows(index->context);
    psx_packet_index_publish(index->packet_index, known, all);
    if (all)
        index->open = false;
    return index->command_index == NULL
               ? psx_command_index_create(index, index->max_checkpoints, &index->command_index)
               : 0;
}

/* Waits for bytes, and indexes what came. Returns -EINTR if not all of it was indexed. */
static int take_bytes(struct psx_index *index, const struct cancel *cancel)
{
    bool ended = false;
    int status = 0;

    if (!growing_source_await(index->growth, &index->seen, &ended))
        return 0;
    status = psx_packet_index_advance(index->packet_index, index->seen, ended, cancel);
    if (status == -EINTR)
        return status;
    ended |= psx_packet_index_is_limited(index->packet_index);
    if (status == 0)
        status = take_frames(index, ended);
    growing_source_pass(index->growth, index->seen);
    return status;
}

/* Shows the frames whose figures are final. */
static void show(struct psx_index *index, bool ended)
{
    uint64_t frames =
        ended ? index->frame_count : psx_command_index_whole_frames(index->command_index);

    if (frames == index->follow.frames && !ended)
        return;
    psx_index_lock(index);
    index->shown = index->totals;
    psx_index_unlock(index);
    follow_show(&index->follow, ended ? index->packets : index->frames[frames].packet, frames,
                ended);
}

/* The same as advance() for a growing dump: waits for bytes where advance() would end. */
static int advance_and_wait(void *context, const struct cancel *cancel,
                            struct index_task_position *position)
{
    struct psx_index *index = context;
    bool ended = false;
    int status = 0;

    if (index->open && (index->command_index == NULL ||
                        psx_command_index_packets(index->command_index) == index->packets))
        status = take_bytes(index, cancel);
    if (status != 0 || index->command_index == NULL)
        return status;
    status = psx_command_index_advance(index->command_index, &ended);
    if (ended)
        psx_defects_finish(&index->defects);
    show(index, ended);
    position->known = index->follow.packets;
    position->frames = index->follow.frames;
    position->ended = ended;
    return ended ? 0 : status;
}

static void free_growing(struct psx_index *index)
{
    uint64_t frames = index->max_frames + 2;

    memory_unreserve(index->counts, frames * sizeof(*index->counts));
    memory_unreserve(index->frame_checkpoints, frames * sizeof(*index->frame_checkpoints));
    index->counts = NULL;
    index->frame_checkpoints = NULL;
    psx_packet_index_destroy(&index->packet_index);
}

/*
 * Reserves address space for all that the limits allow, and checks that there is enough for what
 * the command pass reserves later.
 */
static int reserve_growing(struct psx_index *index, const struct psx_packet_index_limits *limits)
{
    int status = psx_packet_index_create(index, limits, &index->packet_index);
    void *spare = memory_reserve(SPARE_SPACE);

    index->max_frames = limits->frames;
    index->counts = memory_reserve((limits->frames + 2) * sizeof(*index->counts));
    index->frame_checkpoints =
        memory_reserve((limits->frames + 2) * sizeof(*index->frame_checkpoints));
    if (spare == NULL || index->counts == NULL || index->frame_checkpoints == NULL)
        status = -ENOMEM;
    if (status == 0)
        status = psx_command_index_try(index, index->max_checkpoints);
    memory_unreserve(spare, SPARE_SPACE);
    if (status != 0)
        free_growing(index);
    return status;
}

/*
 * Opens the index of a growing dump. Reads nothing before the pass is started; the arrays can grow
 * in place. If address space is limited (ulimit -v), fewer frames are shown.
 */
static int open_growing(struct psx_index *index, struct psx_packet_index_limits *limits)
{
    const uint64_t wanted = limits->frames;
    int status;

    while ((status = reserve_growing(index, limits)) == -ENOMEM && limits->frames > FRAMES_MIN) {
        limits->frames /= 2;
        limits->packets /= 2;
        index->max_checkpoints /= 2;
    }
    if (status != 0)
        log_write(LOG_ERR, "there is not enough address space for an index: raise ulimit -v");
    else if (limits->frames < wanted)
        log_write(LOG_WARNING,
                  "address space is limited (ulimit -v): at most %" PRIu64 " frames are shown",
                  limits->frames);
    index->open = true;
    index->size = 0;
    index->first_stamped = UINT64_MAX;
    return status;
}

/* Makes an index for which no kept one exists. */
static int make_whole(struct psx_index *index, const struct psx_packet_index_limits *limits,
                      const struct cancel *cancel)
{
    int status = psx_packet_index_make(index, limits, cancel);

    return status == 0 ? end_packets(index) : status;
}

/*
 * Begins the packet pass with its first step, after which the names in the root are known for most
 * dumps.
 */
static int begin_early(struct psx_index *index, const struct psx_packet_index_limits *limits)
{
    int status = psx_packet_index_begin(index, limits, &index->packet_index);

    index->early = status == 0;
    return status == 0 ? advance_packets(index) : status;
}

static int open_whole(struct psx_index *index, const struct source *source,
                      const struct options *options, const struct psx_packet_index_limits *limits,
                      bool later, const struct cancel *cancel)
{
    int status = -ENOENT;

    index->keeps = index->origin == NULL && options->index_cache == OPTIONS_KEEP &&
                   source->size >= psx_kept_index_from && kept_file_is_for(source);
    if (index->keeps)
        status = psx_kept_index_load(index, source, options, limits);
    index->kept = status == 0;
    index->keeps &= status != -ENOTSUP;
    if (!index->kept && later && index->origin == NULL && source->size >= psx_index_early_from)
        return begin_early(index, limits);
    if (!index->kept)
        status = make_whole(index, limits, cancel);
    if (status == 0)
        follow_show(&index->follow, index->packets, index->frame_count, true);
    return status;
}

void psx_index_keep(struct psx_index *index, const struct source *source,
                    const struct options *options)
{
    if (index->keeps && !index->kept && index_task_knows_all(&index->pass))
        (void)psx_kept_index_save(index, source, options);
    index->keeps = false;
}

/*
 * Opens an index. With `later`, what takes long is left to the index task if the dump has no edits.
 */
static int open_index(const struct source *source, const struct options *options,
                      struct problems *problems, const struct cancel *cancel,
                      const struct psx_index_edits *edits, bool later,
                      struct psx_index *index) LOCKS_UNCHECKED
{
    struct psx_packet_index_limits limits = limits_of(options);
    struct index_task_work work = {.advance = advance, .context = index};
    int status = -ENOMEM;

    memset(index, 0, sizeof(*index));
    index->data = source->data;
    index->size = source->size;
    index->growth = source->growth;
    index->magic = psx_magic_read(source->data, source->size);
    index->defects.problems = problems;
    index->field_option = psx_options_of(options)->field;
    index->gpu_option = psx_options_of(options)->gpu;
    index->texel_cache = psx_options_of(options)->texel_cache == PSX_TEXEL_CACHE_ON;
    index->max_checkpoints = max_checkpoints(options);
    pthread_mutex_init(&index->lock, NULL);
    if (index->growth != NULL)
        work.advance = advance_and_wait;
    index_task_init(&index->pass, &work);
    index->noted = calloc(1, sizeof(*index->noted));
    if (index->noted != NULL)
        status = edits == NULL
                     ? 0
                     : psx_origin_create(edits->origin, edits->edits, edits->count, &index->origin);
    if (status == 0)
        status = index->growth != NULL ? open_growing(index, &limits)
                                       : open_whole(index, source, options, &limits, later, cancel);
    if (status != 0)
        psx_index_close(index);
    return status;
}

int psx_index_open(const struct source *source, const struct options *options,
                   struct problems *problems, const struct cancel *cancel, struct psx_index *index)
{
    return open_index(source, options, problems, cancel, NULL, false, index);
}

int psx_index_open_later(const struct source *source, const struct options *options,
                         struct problems *problems, const struct cancel *cancel,
                         struct psx_index *index)
{
    return open_index(source, options, problems, cancel, NULL, true, index);
}

int psx_index_open_edited(const struct source *source, const struct options *options,
                          struct problems *problems, const struct cancel *cancel,
                          const struct psx_index_edits *edits, struct psx_index *index)
{
    int status = psx_index_wait_packets(edits->origin, cancel);

    return status == 0 ? open_index(source, options, problems, cancel, edits, false, index)
                       : status;
}

void psx_index_close(struct psx_index *index) LOCKS_UNCHECKED
{
    psx_command_index_destroy(&index->command_index);
    psx_parser_states_clear(&index->checkpoints);
    psx_tile_summary_store_clear(&index->summaries);
    psx_upload_list_clear(&index->uploads);
    psx_stale_runs_clear(&index->stale_runs);
    if (index->growth != NULL)
        free_growing(index);
    psx_packet_index_end(&index->packet_index);
    free(index->counts);
    free(index->frame_checkpoints);
    free(index->noted);
    free(index->frames);
    free(index->groups);
    free(index->taken.list);
    free(index->readback_groups);
    psx_origin_destroy(&index->origin);
    psx_defects_clear(&index->defects);
    index_task_destroy(&index->pass);
    pthread_mutex_destroy(&index->lock);
    memset(index, 0, sizeof(*index));
}
