/* SPDX-License-Identifier: MIT */
/*
 * The recording of VMA calls as a format: probing, opening, and the functions that the tree calls.
 */
#include "formats/vma/dump.h"

#include "base/memory.h"
#include "formats/format.h"
#include "formats/vma/views/views.h"

#include <errno.h>
#include <stdlib.h>

/* Milliseconds; greater times are not believed. */
#define YEAR (UINT64_C(365) * 86400 * 1000)

enum {
    SCORE_BY_MAGIC = 100,
    SCORE_BY_FOLDER = 80,
    INDEX_PART = 4,  /* lines and frames may take 1/INDEX_PART of the memory limit */
    STATE_PART = 16, /* one state of the allocator may take 1/STATE_PART of the memory limit */
};

static uint64_t count_packets(const struct dump *dump)
{
    return vma_dump_of_const(dump)->follow.packets;
}

static uint64_t count_frames(const struct dump *dump)
{
    return vma_dump_of_const(dump)->follow.frames;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;
    struct vma_line line;
    uint32_t frame;

    if (number >= recording->packets)
        return -ENOENT;
    vma_recording_line(recording, (uint32_t)number, &line);
    frame = vma_recording_frame_of(recording, (uint32_t)number);
    vma_packet_describe(recording, (uint32_t)number, frame, &line, out);
    return 0;
}

static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;

    if (number >= recording->frame_count)
        return -ENOENT;
    *out = (struct dump_frame){
        .first_packet = recording->frames[number].first,
        .last_packet = vma_recording_frame_last(recording, (uint32_t)number),
        .width = VMA_MAP_WIDTH,
        .height = vma_map_height(recording),
        .colour = PICTURE_GREY,
        .palette = &vma_palette,
    };
    return 0;
}

static void write_time(struct dump *dump, uint64_t frame, struct text *text)
{
    const struct vma_recording *recording = &vma_dump_of(dump)->recording;

    if (recording->frames[frame].milliseconds == VMA_NO_TIME)
        text_add_char(text, '-');
    else
        vma_time_write(recording->frames[frame].milliseconds, text);
}

/* Every frame has a picture. */
static int next_picture(struct dump *dump, uint64_t from, uint64_t *frame)
{
    *frame = from;
    return from < vma_dump_of(dump)->recording.frame_count ? 0 : -ENOENT;
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    return vma_dump_wait(vma_dump_of(dump), cancel);
}

static void note_frame(void *context, const struct vma_replay *replay)
{
    vma_note_frame(context, replay);
}

/*
 * Returns the time of a frame's last call. If calls have no valid times, assumes 60 frames a
 * second.
 */
static double frame_seconds(const struct dump *dump, uint64_t frame)
{
    uint64_t milliseconds = vma_dump_of_const(dump)->recording.frames[frame].milliseconds;

    return milliseconds < YEAR ? (double)milliseconds / 1000 : (double)frame / 60;
}

static void start(struct dump *dump)
{
    vma_pass_start(vma_dump_of(dump)->pass);
}

static uint64_t count_groups(const struct vma_dump *vma)
{
    return vma->recording.packets / VMA_GROUP_PACKETS + (uint64_t)1;
}

/*
 * Allocates an array of `count` elements; for a recording that grows, reserves room for `max`
 * elements.
 */
static void *make_array(const struct vma_dump *vma, uint64_t count, uint64_t max, size_t size)
{
    return vma->base.follow != NULL ? memory_reserve(max * size) : calloc(count, size);
}

static void free_array(const struct vma_dump *vma, void *array, uint64_t max, size_t size)
{
    if (vma->base.follow != NULL)
        memory_unreserve(array, max * size);
    else
        free(array);
}

enum { GROUPS_MAX = UINT32_MAX / VMA_GROUP_PACKETS + 1 };

static int make_lengths(struct vma_dump *vma) LOCKS_UNCHECKED
{
    vma->lengths = make_array(vma, count_groups(vma), GROUPS_MAX, sizeof(*vma->lengths));
    vma->frame_lengths = make_array(vma, vma->recording.frame_count + (uint64_t)1, VMA_FRAMES_MAX,
                                    sizeof(*vma->frame_lengths));
    return vma->lengths != NULL && vma->frame_lengths != NULL ? 0 : -ENOMEM;
}

static void free_lengths(struct vma_dump *vma) LOCKS_UNCHECKED
{
    for (uint64_t group = 0; vma->lengths != NULL && group < count_groups(vma); group++)
        free(vma->lengths[group]);
    free_array(vma, vma->lengths, GROUPS_MAX, sizeof(*vma->lengths));
    free_array(vma, vma->frame_lengths, VMA_FRAMES_MAX, sizeof(*vma->frame_lengths));
}

static void close_dump(struct dump **dump)
{
    struct vma_dump *vma = vma_dump_of(*dump);

    cancel_raise(&vma->base.cancel);
    if (vma->series != NULL) {
        vma_series_close(vma->series);
        free(vma->series);
    } else {
        vma_pass_join(vma->pass);
        vma_pass_destroy(&vma->pass);
        vma_checkpoints_destroy(&vma->checkpoints);
        free_lengths(vma);
    }
    vma_recording_close(&vma->recording);
    pthread_mutex_destroy(&vma->lock);
    free(vma);
    *dump = NULL;
}

static const struct dump_objects compared_objects[] = {
    {.what = "allocation",
     .table = "allocations.tsv",
     .number = "allocation",
     .frame = "created_frame",
     .place = "allocation pointer created created_frame destroyed destroyed_frame lost_frame"},
    {.what = "failure",
     .table = "failures.tsv",
     .number = "packet",
     .frame = "frame",
     .place = "packet frame"},
    {0}};

/*
 * The figures by which dumps with different settings are compared: how much memory, in how many
 * blocks, how fragmented, and whether it is enough.
 */
static const struct dump_figure compared_figures[] = {
    {"blocks", "memory.tsv", "blocks"},
    {"dedicated", "memory.tsv", "dedicated"},
    {"allocations", "memory.tsv", "allocations"},
    {"block_bytes", "memory.tsv", "block_bytes"},
    {"used_bytes", "memory.tsv", "used_bytes"},
    {"unused_bytes", "memory.tsv", "unused_bytes"},
    {"fragmented_bytes", "memory.tsv", "fragmented_bytes"},
    {"failures", "failures.tsv", NULL},
    {0}};

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = describe_packet,
    .frame = describe_frame,
    .metadata = vma_metadata,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .readiness = {.prepare = vma_prepare},
    .recording = {.frame_time = write_time, .frame_seconds = frame_seconds},
    .tables = {.packet_columns = "line\tthread\ttime\tframe_index\tpointer\tsize\textent\ttext",
               .packet_rows = vma_packet_rows,
               .packet_type = vma_packet_type,
               .frame_columns =
                   "frame_index\tgrouping\tcalls\tallocating\tfreeing\tlate\tthreads\tended_by",
               .frame_cells = vma_frame_cells},
    .texts = {.packet = {.pieces = vma_packet_text_pieces, .piece = vma_packet_text_piece},
              .commands = {.count = vma_command_count, .rows = vma_command_rows},
              .command_place = vma_command_place,
              .frame_info = vma_frame_info,
              .frame_state = vma_frame_state},
    .compared = {.figures = compared_figures, .objects = compared_objects},
    .pictures = {.next = next_picture,
                 .make = vma_frame_picture,
                 .make_small = vma_frame_small,
                 .thumbnail = vma_thumbnail},
    .introduction =
        "This is a recording of the calls that a program made to the Vulkan Memory Allocator. "
        "Begin with frames/, which has a map of memory at the end of each frame, timeline.png, and "
        "leaks.txt; by-frame/NNNNNN/detailed.json is what VMA itself would have written. The "
        "places of allocations are found by simulating the allocator; sizes marked 'estimated' are "
        "not in the recording.\nA recording does not contain the contents of memory, so there is "
        "no video memory here: use the maps and detailed.json instead.\n",
};

static void write_snapshot_type(struct dump *dump, uint32_t type, struct text *text)
{
    (void)dump, (void)type;
    text_add(text, "snapshot");
}

static const struct dump_ops snapshot_ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = vma_snapshot_packet,
    .frame = describe_frame,
    .metadata = vma_metadata,
    .settle = settle,
    .close = close_dump,
    .container = {.packet_bytes = vma_snapshot_bytes},
    .recording = {.frame_time = write_time},
    .tables = {.packet_columns = "line\tthread\ttime\tframe_index\tpointer\tsize\textent\ttext",
               .packet_rows = vma_snapshot_packet_rows,
               .packet_type = write_snapshot_type,
               .frame_columns =
                   "frame_index\tgrouping\tcalls\tallocating\tfreeing\tlate\tthreads\tended_by",
               .frame_cells = vma_snapshot_frame_cells},
    .texts = {.commands = {.pieces = vma_snapshot_command_pieces,
                           .piece = vma_snapshot_command_piece},
              .frame_info = vma_snapshot_info,
              .frame_state = vma_frame_state},
    .pictures = {.next = next_picture,
                 .make = vma_frame_picture,
                 .make_small = vma_frame_small,
                 .thumbnail = vma_thumbnail},
    .introduction =
        "These are snapshots of a Vulkan Memory Allocator, as its function vmaBuildStatsString "
        "writes them. Begin with frames/, which has a map of memory for each snapshot, "
        "timeline.png and labels.png; by-frame/NNNNNN/live.tsv lists its allocations, and "
        "detailed.json is the snapshot itself. The numbers of allocations are valid only within a "
        "snapshot.\n",
};

static int probe(const struct format_opening *opening)
{
    const struct source *source = opening->source;

    if (source->is_folder) {
        const int found = vma_series_probe_folder(source, opening->source_params);

        return found > 0 ? SCORE_BY_FOLDER : found;
    }
    if (source->data != NULL && vma_snapshot_probe(source->data, source->size))
        return SCORE_BY_MAGIC;
    return source->data != NULL && vma_recording_probe(source->data, source->size) ? SCORE_BY_MAGIC
                                                                                   : 0;
}

/* Opens lines, configuration and frames. */
static int open_recording(const struct format_opening *opening, struct vma_dump *vma)
{
    unsigned calls = vma_options_of(opening->options)->calls_per_frame;
    struct vma_recording_params params = {
        .calls_per_frame = calls == VMA_CALLS_CHOSEN ? -1 : (int64_t)calls,
        .pool_lanes = vma_options_of(opening->options)->pool_lanes,
        .max_memory = opening->options->max_memory / INDEX_PART,
        .cancel = opening->source_params->cancel,
        .growth = opening->source->growth,
    };
    struct vma_diagnostics diagnostics = {.problems = opening->problems};
    const char *message = NULL;
    int status;

    if (params.growth != NULL && params.pool_lanes == 0)
        params.pool_lanes = VMA_FOLLOWED_LANES;
    status = vma_recording_open(opening->source->data, opening->source->size, &params, &diagnostics,
                                &message, &vma->recording);
    if (status == -EPROTO && message != NULL)
        text_add(opening->message, message);
    return status;
}

/* Creates what replays the recording. */
static int open_allocator(const struct format_opening *opening, struct vma_dump *vma)
{
    const struct vma_options *options = vma_options_of(opening->options);
    const struct vma_override override = {.device = options->device,
                                          .default_macros = options->macros == VMA_MACROS_DEFAULT,
                                          .block_size = options->block_size,
                                          .granularity = options->granularity};
    struct vma_pass_params params = {.recording = &vma->recording,
                                     .allocator = &vma->params,
                                     .follow = vma->base.follow,
                                     .at_frame_end = note_frame,
                                     .context = vma,
                                     .problems = opening->problems,
                                     .cancel = &vma->base.cancel,
                                     .spending = &vma->base.budget};
    int status;

    vma->recorded = vma->recording.configuration;
    vma_configuration_override(&vma->recording.configuration, &override);
    vma->params = (struct vma_allocator_params){
        .device = &vma->recording.configuration.device,
        .macros = &vma->recording.configuration.macros,
        .data = opening->source->data,
        .max_bytes = opening->options->max_memory / STATE_PART,
        .budget = options->budget == VMA_ON,
        .pool_algorithm = options->pool_algorithm,
    };
    status = make_lengths(vma);
    if (status < 0)
        return status;
    status = vma_checkpoints_create(&vma->recording, &vma->params, opening->options->cache,
                                    &vma->base.cache, &vma->checkpoints);
    params.checkpoints = vma->checkpoints;
    return status == 0 ? vma_pass_create(&params, &vma->pass) : status;
}

/* Opens a snapshot or a series of them. */
static int open_series(const struct format_opening *opening, struct vma_dump *vma,
                       struct dump **out)
{
    const struct vma_series_params params = {
        .source = opening->source,
        .source_params = opening->source_params,
        .problems = opening->problems,
        .max_memory = opening->options->max_memory / INDEX_PART,
        .max_state = opening->options->max_memory / STATE_PART,
        .pool_lanes = vma_options_of(opening->options)->pool_lanes,
        .message = opening->message,
    };
    int status;

    vma->base.ops = &snapshot_ops;
    vma->base.follow = NULL;
    vma->series = calloc(1, sizeof(*vma->series));
    status = vma->series != NULL ? vma_series_open(&params, &vma->recording, vma->series) : -ENOMEM;
    pthread_mutex_init(&vma->lock, NULL);
    vma->recorded = vma->recording.configuration;
    follow_show(&vma->follow, vma->recording.packets, vma->recording.frame_count, true);
    *out = &vma->base;
    if (status < 0)
        close_dump(out);
    return status;
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    struct vma_dump *vma = calloc(1, sizeof(*vma));
    int status;

    if (vma == NULL)
        return -ENOMEM;
    vma->base = (struct dump){.ops = &ops,
                              .format = "vma",
                              .source = opening->source,
                              .options = opening->options,
                              .problems = opening->problems,
                              .follow = opening->source->growth != NULL ? &vma->follow : NULL};
    cancel_init(&vma->base.cancel, NULL);
    if (opening->source->is_folder ||
        vma_snapshot_probe(opening->source->data, opening->source->size))
        return open_series(opening, vma, out);
    status = open_recording(opening, vma);
    if (status < 0) {
        free(vma);
        return status;
    }
    follow_show(&vma->follow, vma->recording.packets, vma->recording.frame_count,
                vma->base.follow == NULL);
    pthread_mutex_init(&vma->lock, NULL);
    *out = &vma->base;
    status = open_allocator(opening, vma);
    if (status < 0)
        close_dump(out);
    return status;
}

/* The files of a folder of snapshots. */
static const char *const members[] = {"*.json", NULL};

const struct format_ops vma_format = {
    .members = members,
    .grows = true,
    .probe = probe,
    .open = open_dump,
    .options = &vma_options_table,
    .rules = vma_rules,
    .rule_count = VMA_RULES,
    .edit = format_edit_line,
};
