/* SPDX-License-Identifier: MIT */
#include "formats/psx/index/kept_index.h"

#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A hash of the sources that make an index: made by make. */
extern const char psx_index_build[];

uint64_t psx_kept_index_from = UINT64_C(4) << 20;

/* What stands before the arrays. */
struct head {
    uint64_t size, packets, begin_packet, frames, first_stamped, interval;
    uint64_t version; /* 1 more: 0 is none */
    uint64_t model, strings;
};

enum { HIGHEST = 0xFFFFFF /* of a GP1 word's operand */ };

static const struct kept_field frame_fields[] = {
    KEPT_FIELD(struct psx_frame, packet, UINT64_MAX),
    KEPT_FIELD(struct psx_frame, offset, UINT64_MAX),
    KEPT_FIELD(struct psx_frame, cycles, UINT64_MAX),
    KEPT_FIELD(struct psx_frame, display.start, PSX_START_BITS),
    KEPT_FIELD(struct psx_frame, display.x, HIGHEST),
    KEPT_FIELD(struct psx_frame, display.y, HIGHEST),
    KEPT_FIELD(struct psx_frame, display.mode, HIGHEST),
    KEPT_FIELD(struct psx_frame, display.off, 1),
    KEPT_FIELD(struct psx_frame, display.dma, 3),
    KEPT_FIELD(struct psx_frame, display.high_lines, 1),
    KEPT_FIELD(struct psx_frame, stamp_words, 2),
    KEPT_FIELD(struct psx_frame, unfinished, 1),
    KEPT_FIELD(struct psx_frame, field, 1),
    KEPT_FIELD(struct psx_frame, told_field, 2),
    KEPT_FIELD(struct psx_frame, defects, UINT32_MAX),
};

static const struct kept_field counts_fields[] = {
    KEPT_FIELD(struct psx_frame_counts, gp0_words, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, gp1_words, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, commands, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, draws, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, fills, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, uploads, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, copies, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, reads, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, same_vram, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, same_picture, UINT32_MAX),
    KEPT_FIELD(struct psx_frame_counts, defects, UINT32_MAX),
};

static uint64_t count_groups(uint64_t packets)
{
    return (packets + PSX_GROUP - 1) / PSX_GROUP;
}

/* Writing. */

static struct head head_of(const struct psx_index *index)
{
    return (struct head){
        .size = index->size,
        .packets = index->packets,
        .begin_packet = index->begin_packet,
        .frames = index->frame_count,
        .first_stamped = index->first_stamped,
        .interval = index->interval,
        .version = (uint64_t)(index->version + 1),
        .model = (uint64_t)index->model,
        .strings = index->string_count,
    };
}

static void write_frames(const struct psx_index *index, struct kept_writer *writer)
{
    kept_write_rows(writer, index->frames, sizeof(*index->frames), index->frame_count + 1,
                    KEPT_FIELDS(frame_fields));
    kept_write_rows(writer, index->counts, sizeof(*index->counts), index->frame_count,
                    KEPT_FIELDS(counts_fields));
    kept_write(writer, index->frame_checkpoints,
               (index->frame_count + 1) * sizeof(*index->frame_checkpoints));
}

void psx_kept_index_write(const struct psx_index *index, struct kept_writer *writer)
{
    const struct head head = head_of(index);
    uint64_t groups = count_groups(index->packets);

    kept_write(writer, &head, sizeof(head));
    kept_write(writer, &index->initial_display, sizeof(index->initial_display));
    kept_write(writer, index->strings, sizeof(index->strings));
    kept_write(writer, &index->totals, sizeof(index->totals));
    for (unsigned op = 0; op < 256; op++)
        kept_write_number(writer, index->unknown_met[op]);
    kept_write(writer, index->groups, groups * sizeof(*index->groups));
    kept_write(writer, index->readback_groups, (groups + 7) / 8);
    write_frames(index, writer);
    psx_parser_states_keep(&index->checkpoints, writer);
    psx_tile_summary_store_keep(&index->summaries, writer);
    psx_upload_list_keep(&index->uploads, writer);
    psx_stale_runs_keep(&index->stale_runs, writer);
    psx_defects_keep(&index->defects, writer);
}

/* Reading. */

static bool is_display(const struct psx_display *display)
{
    return display->start <= PSX_START_BITS && display->x <= HIGHEST && display->y <= HIGHEST &&
           display->mode <= HIGHEST && display->off <= 1 && display->dma <= 3 &&
           display->high_lines <= 1 && display->unused == 0;
}

static bool is_head(const struct head *head, const struct psx_index *index,
                    const struct psx_packet_index_limits *limits)
{
    return head->size <= index->size && head->packets <= head->size / 4 &&
           head->packets <= limits->packets &&
           (head->begin_packet == PSX_NO_PACKET || head->begin_packet < head->packets) &&
           head->frames <= limits->frames + 1 && head->frames <= head->packets &&
           head->first_stamped <= head->frames && head->version <= 4 &&
           head->model <= PSX_GPU_SECOND_2MIB && head->strings <= PSX_STRINGS;
}

static void read_head(struct psx_index *index, const struct psx_packet_index_limits *limits,
                      struct kept_reader *reader)
{
    struct head head;

    kept_read(reader, &head, sizeof(head));
    if (!is_head(&head, index, limits)) {
        kept_reader_refuse(reader);
        return;
    }
    index->size = head.size;
    index->packets = head.packets;
    index->begin_packet = head.begin_packet;
    index->frame_count = head.frames;
    index->first_stamped = head.first_stamped;
    index->interval = head.interval;
    index->version = (int)head.version - 1;
    index->model = (enum psx_gpu_model)head.model;
    index->vram_lines = psx_model_lines(index->model);
    index->string_count = (unsigned)head.strings;
}

static void read_numbers(struct psx_index *index, struct kept_reader *reader)
{
    kept_read(reader, &index->initial_display, sizeof(index->initial_display));
    if (!is_display(&index->initial_display))
        kept_reader_refuse(reader);
    kept_read(reader, index->strings, sizeof(index->strings));
    for (unsigned i = 0; i < index->string_count; i++)
        if (index->strings[i].packet >= index->packets || index->strings[i].offset >= index->size)
            kept_reader_refuse(reader);
    kept_read(reader, &index->totals, sizeof(index->totals));
    for (unsigned op = 0; op < 256; op++)
        index->unknown_met[op] = kept_read_number(reader, index->packets);
}

static void read_groups(struct psx_index *index, struct kept_reader *reader)
{
    uint64_t groups = count_groups(index->packets);

    index->groups = kept_read_array(reader, groups, sizeof(*index->groups));
    index->readback_groups = kept_read_array(reader, groups / 8 + 1, 1);
    if (reader->status != 0)
        return;
    kept_read(reader, index->groups, groups * sizeof(*index->groups));
    kept_read(reader, index->readback_groups, (groups + 7) / 8);
    for (uint64_t group = 0; group < groups; group++)
        if (index->groups[group] >= index->size ||
            (group > 0 && index->groups[group] <= index->groups[group - 1]))
            kept_reader_refuse(reader);
}

static bool follows(const struct psx_frame *frame, const struct psx_frame *next)
{
    return next->packet >= frame->packet && next->offset >= frame->offset;
}

static bool are_counts(const struct psx_index *index, uint64_t frame)
{
    const struct psx_frame_counts *counts = &index->counts[frame];

    return counts->same_vram <= frame && counts->same_picture <= frame &&
           counts->commands <= index->totals.commands && counts->draws <= index->totals.draws &&
           counts->uploads <= index->totals.uploads;
}

/* No frame has more than the dump, and the dump no more than it has words. */
static bool are_frames(const struct psx_index *index)
{
    const struct psx_frame *frames = index->frames, *last = &frames[index->frame_count];
    const struct psx_totals *totals = &index->totals;

    if (frames[0].offset < psx_magic_length(index->magic) || last->packet > index->packets ||
        last->offset > index->size || totals->draws > index->size / 4 ||
        totals->uploads > index->size / 4 || totals->commands > index->size / 4)
        return false;
    for (uint64_t frame = 0; frame < index->frame_count; frame++)
        if (!follows(&frames[frame], &frames[frame + 1]) || !are_counts(index, frame))
            return false;
    return true;
}

static void read_frames(struct psx_index *index, struct kept_reader *reader)
{
    uint64_t count = index->frame_count;

    index->frames = kept_read_array(reader, count + 1, sizeof(*index->frames));
    index->counts = kept_read_array(reader, count, sizeof(*index->counts));
    index->frame_checkpoints =
        kept_read_array(reader, count + 1, sizeof(*index->frame_checkpoints));
    if (reader->status != 0)
        return;
    kept_read_rows(reader, index->frames, sizeof(*index->frames), count + 1,
                   KEPT_FIELDS(frame_fields));
    kept_read_rows(reader, index->counts, sizeof(*index->counts), count,
                   KEPT_FIELDS(counts_fields));
    kept_read(reader, index->frame_checkpoints, (count + 1) * sizeof(*index->frame_checkpoints));
    if (reader->status == 0 && !are_frames(index))
        kept_reader_refuse(reader);
}

/* While checkpoints are looked at: the frame whose start is the next one to be met. */
struct starts {
    const struct psx_index *index;
    uint64_t frame;
};

/* Frames that start at a checkpoint start where they are said to. */
static bool are_starts(struct starts *starts, uint64_t number,
                       const struct psx_parser_state *checkpoint)
{
    const struct psx_index *index = starts->index;

    for (; starts->frame <= index->frame_count && index->frame_checkpoints[starts->frame] == number;
         starts->frame++)
        if (checkpoint->packet != index->frames[starts->frame].packet || checkpoint->word != 0)
            return false;
    return true;
}

static bool is_checkpoint(void *context, uint64_t number, const struct psx_parser_state *checkpoint)
{
    struct starts *starts = context;
    const struct psx_index *index = starts->index;

    return are_starts(starts, number, checkpoint) && checkpoint->packet <= index->packets &&
           checkpoint->offset <= index->size &&
           (checkpoint->frame == PSX_INITIAL || checkpoint->frame <= index->frame_count) &&
           checkpoint->word <= PSX_PACKET_WORDS_MAX &&
           checkpoint->command_packet <= index->packets &&
           checkpoint->read_packet <= index->packets &&
           psx_state_is_sound(&checkpoint->state, index->model);
}

static void read_checkpoints(struct psx_index *index, struct kept_reader *reader)
{
    struct starts starts = {.index = index};
    uint64_t checkpoints, summaries;

    psx_parser_states_restore(&index->checkpoints, reader, is_checkpoint, &starts);
    psx_tile_summary_store_restore(&index->summaries, reader);
    psx_upload_list_restore(&index->uploads, psx_tile_summary_store_count(&index->summaries),
                            reader);
    psx_stale_runs_restore(&index->stale_runs, reader);
    if (reader->status != 0)
        return;
    checkpoints = psx_parser_states_count(&index->checkpoints);
    summaries = psx_tile_summary_store_count(&index->summaries);
    if (summaries + 1 < checkpoints || summaries > checkpoints ||
        starts.frame <= index->frame_count)
        kept_reader_refuse(reader);
}

static void drop(struct psx_index *index, uint64_t size)
{
    free(index->frames);
    free(index->counts);
    free(index->frame_checkpoints);
    free(index->groups);
    free(index->readback_groups);
    psx_parser_states_clear(&index->checkpoints);
    psx_tile_summary_store_clear(&index->summaries);
    psx_upload_list_clear(&index->uploads);
    psx_stale_runs_clear(&index->stale_runs);
    index->frames = NULL;
    index->counts = NULL;
    index->frame_checkpoints = NULL;
    index->groups = NULL;
    index->readback_groups = NULL;
    index->size = size;
    index->packets = index->frame_count = index->first_stamped = index->interval = 0;
    index->string_count = 0;
    index->totals = (struct psx_totals){0};
    memset(index->unknown_met, 0, sizeof(index->unknown_met));
}

int psx_kept_index_read(struct psx_index *index, const struct psx_packet_index_limits *limits,
                        struct kept_reader *reader)
{
    uint64_t size = index->size;
    struct psx_defects defects = {.problems = index->defects.problems};
    int status;

    read_head(index, limits, reader);
    if (reader->status == 0)
        read_numbers(index, reader);
    if (reader->status == 0)
        read_groups(index, reader);
    if (reader->status == 0)
        read_frames(index, reader);
    if (reader->status == 0)
        read_checkpoints(index, reader);
    psx_defects_restore(&defects, reader);
    status = kept_reader_end(reader);
    if (status == 0) {
        psx_defects_tell(&defects);
        index->defects = defects;
    } else {
        psx_defects_clear(&defects);
        drop(index, size);
    }
    return status;
}

/* Files. */

void psx_kept_index_key(const struct source *source, const struct options *options,
                        struct kept_key *out)
{
    const struct psx_options *own = psx_options_of(options);
    struct text maker = TEXT_INIT;

    text_printf(&maker,
                "psx index %s %zu %zu field=%d gpu=%d texel-cache=%d max-memory=", psx_index_build,
                sizeof(struct psx_parser_state), sizeof(struct psx_totals), (int)own->field,
                (int)own->gpu, (int)own->texel_cache);
    text_add_u64(&maker, options->max_memory);
    kept_key_make(source, maker.bytes, maker.length, out);
    text_clear(&maker);
}

static int tell(const struct source *source, const char *what, int status)
{
    if (status != 0 && status != -ENOENT && status != -ENOTSUP)
        log_write(LOG_INFO, "the kept index of %s is not %s: %s", source_basename(source), what,
                  status == -EBADMSG ? "damaged" : strerror(-status));
    return status;
}

int psx_kept_index_load(struct psx_index *index, const struct source *source,
                        const struct options *options, const struct psx_packet_index_limits *limits)
{
    struct kept_reader reader;
    struct kept_key key;
    int status;

    psx_kept_index_key(source, options, &key);
    status = kept_reader_begin(&reader, source, &key);
    if (status == 0)
        status = psx_kept_index_read(index, limits, &reader);
    else
        (void)kept_reader_end(&reader);
    if (status == 0)
        log_write(LOG_INFO, "the index was kept: %" PRIu64 " frames", (uint64_t)index->frame_count);
    return tell(source, "used", status);
}

int psx_kept_index_save(const struct psx_index *index, const struct source *source,
                        const struct options *options)
{
    struct kept_writer writer;
    struct kept_key key;
    int file, status;

    psx_kept_index_key(source, options, &key);
    kept_writer_begin(&writer, kept_file_max(source->size));
    psx_kept_index_write(index, &writer);
    file = kept_writer_take(&writer);
    status = file < 0 ? file : kept_file_replace(source, &key, file);
    if (file >= 0)
        close(file);
    return tell(source, "written", status);
}
