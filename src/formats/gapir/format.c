/* SPDX-License-Identifier: MIT */
#include "formats/format.h"
#include "formats/gapir/dump.h"
#include "formats/gapir/options.h"
#include "formats/gapir/views/views.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The GAPIR payload as a format: probing, opening, and the functions that the tree calls. The index
 * run is made once, by a thread of its own or by the first caller that needs it.
 */

enum {
    SCORE_BY_SIBLING = 90, /* payload.bin, with resources.index beside it */
    SCORE_BY_NAME = 30,
    SCORE_BY_STRUCTURE = 5,
    SCORE_BY_PART = 2,       /* cut off, or still being written */
    PARKED_SHARE = 4,        /* parked VM instances may hold 1/4 of the cache's budget */
    RESOURCES_LISTED = 1000, /* maximum number of unreadable resources that problems.txt lists */
};

/* Makes the complete run: `advance` of struct index_task_work. */
static int make_index(void *context, const struct cancel *cancel,
                      struct index_task_position *position)
{
    struct gapir_dump *dump = context;
    int status = gapir_index_run(dump->replay, cancel, &dump->index);

    if (status == 0)
        status = gapir_lengths_init_calls(&dump->call_lengths, &dump->index);
    /* Set before any other thread can see the index, and thus before any other VM runs. */
    if (status == 0 && dump->index.exhausted)
        dump->replay->params.limits.instructions = dump->index.end.steps - 1;
    if (status != 0)
        gapir_index_clear(&dump->index);
    position->ended = status == 0;
    return status;
}

/* Functions for struct dump_ops. */

static uint64_t count_packets(const struct dump *dump)
{
    return gapir_dump_of_const(dump)->replay->scan.packet_count;
}

static uint64_t count_frames(const struct dump *dump)
{
    const struct gapir_index *index = gapir_dump_peek(gapir_dump_of((struct dump *)dump));

    return index != NULL ? index->frame_count : DUMP_NOT_KNOWN;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_scan *scan = &gapir->replay->scan;
    const struct gapir_index *index = gapir_dump_peek(gapir);

    if (number >= scan->packet_count)
        return -ENOENT;
    const struct gapir_packet *packet = &scan->packets[number];
    uint32_t frame =
        index != NULL ? gapir_index_packet_frame(index, (uint32_t)number) : GAPIR_NO_FRAME;
    out->offset = out->data = gapir_replay_offset(gapir->replay, packet->pc);
    out->bytes = 4 * (uint64_t)packet->words;
    out->frame = frame == GAPIR_NO_FRAME ? DUMP_NO_FRAME : frame;
    out->type = packet->label;
    out->name = out->name_room;
    if (packet->label == GAPIR_LABEL_START)
        snprintf(out->name_room, sizeof(out->name_room), "start");
    else if (packet->label == GAPIR_LABEL_NONE)
        snprintf(out->name_room, sizeof(out->name_room), "label-none");
    else
        snprintf(out->name_room, sizeof(out->name_room), "label-%u", packet->label);
    return 0;
}

static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct gapir_index *index = gapir_dump_peek(gapir_dump_of(dump));
    struct picture_header header;

    if (index == NULL)
        return -EAGAIN;
    if (number >= index->frame_count)
        return -ENOENT;
    const struct gapir_frame_record *frame = &index->frames[number];
    *out =
        (struct dump_frame){.first_packet = frame->first_packet, .last_packet = frame->last_packet};
    if (gapir_frame_header(index, (uint32_t)number, &header)) {
        out->width = header.width;
        out->height = header.height;
        out->colour = header.colour;
    }
    return 0;
}

/* Not every frame has a picture: only few posts of a payload may be pictures. */
static int next_picture(struct dump *dump, uint64_t from, uint64_t *frame)
{
    const struct gapir_index *index = gapir_dump_peek(gapir_dump_of(dump));
    struct picture_header header;

    if (index == NULL)
        return -EAGAIN;
    for (*frame = from; *frame < index->frame_count; ++*frame)
        if (gapir_frame_header(index, (uint32_t)*frame, &header))
            return 0;
    return -ENOENT;
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    const struct gapir_index *index;

    return gapir_dump_index(gapir_dump_of(dump), cancel, &index);
}

/* Everything that is not known yet becomes known with the index. */
static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    (void)rule, (void)key;
    return settle(dump, cancel);
}

static void start(struct dump *dump)
{
    index_task_start(&gapir_dump_of(dump)->pass, NULL, NULL);
}

static void close_dump(struct dump **dump)
{
    struct gapir_dump *gapir = gapir_dump_of(*dump);

    cancel_raise(&gapir->base.cancel);
    index_task_join(&gapir->pass);
    gapir_player_destroy(&gapir->player);
    gapir_vm_pool_destroy(&gapir->pool);
    gapir_index_clear(&gapir->index);
    gapir_lengths_clear(&gapir->packet_lengths);
    gapir_lengths_clear(&gapir->call_lengths);
    gapir_replay_close(&gapir->replay);
    source_close(&gapir->payload);
    source_close(&gapir->index_file);
    source_close(&gapir->data_file);
    index_task_destroy(&gapir->pass);
    free(gapir);
    *dump = NULL;
}

static const struct dump_objects compared_objects[] = {{.what = "resource",
                                                        .table = "resources.tsv",
                                                        .number = "resource",
                                                        .place = "resource data_offset uses first",
                                                        .folder = "resources"},
                                                       {0}};

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = describe_packet,
    .frame = describe_frame,
    .metadata = gapir_metadata,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .readiness = {.prepare = prepare},
    .tables = {.packet_columns = "pc\twords\tinstructions\tcalls\tposts\tinline_bytes\treached",
               .packet_rows = gapir_packet_rows,
               .packet_type = gapir_packet_type,
               .frame_columns = "post\tpc\tlabel\tformat\trows\tbytes\tcontent\tend",
               .frame_cells = gapir_frame_cells,
               .timeline = {"bytes"}},
    .texts = {.packet = {.pieces = gapir_packet_text_pieces,
                         .piece = gapir_packet_text_piece,
                         .length = gapir_packet_text_length},
              .commands = {.pieces = gapir_commands_pieces,
                           .piece = gapir_commands_piece,
                           .length = gapir_commands_length},
              .command_place = gapir_command_place,
              .frame_info = gapir_frame_info,
              .frame_state = gapir_frame_state},
    .compared = {.objects = compared_objects},
    .pictures = {.next = next_picture, .make = gapir_frame_picture},
    .introduction = "This is a replay exported by AGI or GAPID: a program for GAPIR, a stack "
                    "machine, which calls Vulkan or GLES. Begin with calls.txt, which has the "
                    "calls that it makes, disassembly.txt, and frames/, which has the framebuffers "
                    "that it posts. No GPU is used: calls go to a null driver, and Mesa draws the "
                    "pictures in software. The column content of frames.tsv says which pictures "
                    "these are; by-frame/*/drawing.txt lists the calls that could not be drawn.",
};

/* Opening. */

/*
 * Resource files are taken as they are, never as containers: a resource may begin with any bytes.
 */
static struct source_params raw_params(const struct format_opening *opening)
{
    struct source_params params = *opening->source_params;

    params.raw = true;
    return params;
}

/*
 * Returns whether there is such a file. One that exists but cannot be read counts: opening reports
 * why.
 */
static bool has_sibling(const struct format_opening *opening, const char *name)
{
    const struct source_params params = raw_params(opening);
    struct source *sibling = NULL;
    int status = source_open_sibling(opening->source, name, &params, opening->problems, &sibling);
    bool found = status == 0 ? !sibling->is_folder
                             : status != -ENOENT && status != -ENOTDIR && status != -EINVAL;

    source_close(&sibling);
    return found;
}

static int probe(const struct format_opening *opening)
{
    const struct source *source = opening->source;
    bool named = source->path != NULL && strcmp(source_basename(source), "payload.bin") == 0;

    if (source->is_folder)
        named = has_sibling(opening, "payload.bin");
    if (named && has_sibling(opening, "resources.index"))
        return SCORE_BY_SIBLING;
    if (source->is_folder)
        return named ? SCORE_BY_NAME : 0;
    if (named) /* the name identifies even a damaged payload */
        return gapir_payload_begins(source->data, source->size) ? SCORE_BY_NAME : 0;
    if (gapir_payload_probe(source->data, source->size))
        return SCORE_BY_STRUCTURE;
    return gapir_payload_probe_part(source->data, source->size) ? SCORE_BY_PART : 0;
}

/* Opens a file that may be absent; *out is NULL then. */
static int open_optional(const struct format_opening *opening, const char *name,
                         struct source **out)
{
    const char *folder = gapir_options_of(opening->options)->resources;
    const struct source_params params = raw_params(opening);
    struct text path = TEXT_INIT;
    int status;

    if (folder == NULL) {
        status = source_open_sibling(opening->source, name, &params, opening->problems, out);
    } else {
        text_printf(&path, "%s/%s%c", folder, name, 0);
        status = text_status(&path);
        if (status == 0)
            status = source_open(path.bytes, &params, opening->problems, out);
        text_clear(&path);
    }
    if (status == 0 && (*out)->is_folder)
        source_close(out);
    return status == -ENOENT || status == -EACCES || status == -ENOTDIR ? 0 : status;
}

static void note_beside(struct gapir_dump *dump)
{
    const struct source **beside = dump->base.beside;

    if (dump->index_file != NULL)
        *beside++ = dump->index_file;
    if (dump->data_file != NULL)
        *beside = dump->data_file;
}

static int open_sources(struct gapir_dump *dump, const struct format_opening *opening)
{
    int status = 0;

    dump->base.source = opening->source;
    if (opening->source->is_folder) {
        status = source_open_sibling(opening->source, "payload.bin", opening->source_params,
                                     opening->problems, &dump->payload);
        if (status != 0)
            return status;
        dump->base.source = dump->payload;
    }
    status = open_optional(opening, "resources.index", &dump->index_file);
    if (status == 0)
        status = open_optional(opening, "resources.data", &dump->data_file);
    note_beside(dump);
    return status;
}

/* An empty message is a legal payload, but no exporter writes one. */
static void report_empty(const struct gapir_dump *dump)
{
    if (dump->base.source->size == 0)
        problems_add(dump->base.problems, PROBLEM_WARNING, 0, PROBLEM_NOWHERE,
                     "the payload is empty: there is nothing to replay");
}

static struct gapir_bytes bytes_of(const struct source *source)
{
    return source != NULL ? (struct gapir_bytes){source->data, source->size}
                          : (struct gapir_bytes){NULL, 0};
}

static void report_resources(const struct gapir_dump *dump)
{
    const struct gapir_replay *replay = dump->replay;
    uint32_t count = replay->payload.resource_count;

    if (count != 0 && dump->index_file == NULL) {
        problems_add(dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "no resources.index: the %u resources of the payload are missing", count);
        return;
    }
    if (count != 0 && dump->data_file == NULL)
        problems_add(dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "no resources.data: the resources that resources.index lists are missing");
    uint32_t unreadable = 0;
    for (uint32_t n = 0; n < count; n++) {
        const struct gapir_resource *resource = &replay->resources[n];
        if (resource->status != GAPIR_RESOURCE_OK && unreadable++ < RESOURCES_LISTED)
            problems_add(dump->base.problems, PROBLEM_WARNING, resource->id.offset, PROBLEM_NOWHERE,
                         "resource %u of %u bytes cannot be read: %s", n, resource->size,
                         gapir_resource_status_name(resource->status));
    }
    if (unreadable > RESOURCES_LISTED)
        problems_add(dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "%u more resources cannot be read, see resources.tsv",
                     unreadable - RESOURCES_LISTED);
}

/* If this program cannot draw, only the null driver serves the calls. */
static int open_player(struct gapir_dump *dump, const struct options *options)
{
    struct gapir_player_params params = {.replay = dump->replay, .cache = &dump->base.cache};
    int status;

    if (!gapir_replay_may_draw(dump->replay))
        return 0;
    if (options->shader_cache == OPTIONS_KEEP)
        params.kept_for = dump->base.source;
    status = gapir_player_create(&params, &dump->player);
    dump->replay->draws = status == 0;
    return status == -ENOTSUP ? 0 : status;
}

static int open_replay(struct gapir_dump *dump, const struct format_opening *opening,
                       const struct gapir_replay_params *params)
{
    int status = open_sources(dump, opening);

    if (status == 0)
        report_empty(dump);
    if (status == 0)
        status = gapir_replay_open(bytes_of(dump->base.source), bytes_of(dump->index_file),
                                   bytes_of(dump->data_file), params, opening->problems,
                                   opening->source_params->cancel, &dump->replay);
    if (status == 0)
        status = gapir_vm_pool_create(dump->replay, opening->options->cache / PARKED_SHARE,
                                      &dump->base.cache, &dump->pool);
    if (status == 0)
        status = gapir_lengths_init_packets(&dump->packet_lengths, &dump->replay->scan);
    if (status == 0)
        status = open_player(dump, opening->options);
    if (status == 0)
        report_resources(dump);
    return status;
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    struct gapir_replay_params params;
    struct gapir_dump *dump = calloc(1, sizeof(*dump));
    int status;

    if (dump == NULL)
        return -ENOMEM;
    gapir_options_replay(opening->options, &params);
    dump->base = (struct dump){
        .ops = &ops, .format = "gapir", .options = opening->options, .problems = opening->problems};
    cancel_init(&dump->base.cancel, NULL);
    index_task_init(&dump->pass, &(struct index_task_work){.advance = make_index,
                                                           .context = dump,
                                                           .cancel = &dump->base.cancel,
                                                           .spending = &dump->base.budget});
    *out = &dump->base;
    status = open_replay(dump, opening, &params);
    if (status != 0)
        close_dump(out);
    return status;
}

static const char *const siblings[] = {"payload.bin", "resources.index", "resources.data", NULL};

const struct format_ops gapir_format = {
    .probe = probe,
    .open = open_dump,
    .siblings = siblings,
    .options = &gapir_options_table,
    .rules = gapir_rules,
    .rule_count = GAPIR_RULES,
};
