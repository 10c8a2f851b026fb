/* SPDX-License-Identifier: MIT */
/*
 * The GFXReconstruct capture as a format: probing, opening, and the table of functions that the
 * tree calls.
 */
#include "formats/format.h"

#include "formats/gfxreconstruct/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { SCORE_BY_MAGIC = 100 };

static uint64_t count_packets(const struct dump *dump)
{
    return gfxreconstruct_index_of(dump)->packet_count;
}

static uint64_t count_frames(const struct dump *dump)
{
    return gfxreconstruct_index_of(dump)->frame_count;
}

/* Frames have no pictures: the file has none of the captured program's. */
static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct gfxreconstruct_index *index = gfxreconstruct_index_of(dump);

    if (number >= index->frame_count)
        return -ENOENT;
    *out = (struct dump_frame){.first_packet = index->frames[number].first,
                               .last_packet = index->frames[number].last};
    return 0;
}

static int next_picture(struct dump *dump, uint64_t from, uint64_t *frame)
{
    (void)dump, (void)from, (void)frame;
    return -ENOENT;
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    return index_task_wait_all(&gfxreconstruct_dump_of(dump)->pass, cancel);
}

static void close_dump(struct dump **dump)
{
    struct gfxreconstruct_dump *gfxr = gfxreconstruct_dump_of(*dump);

    cancel_raise(&gfxr->base.cancel);
    index_task_join(&gfxr->pass);
    index_task_destroy(&gfxr->pass);
    gfxreconstruct_index_clear(&gfxr->index);
    free(gfxr);
    *dump = NULL;
}

static const struct dump_objects compared_objects[] = {{.what = "shader",
                                                        .table = "shaders.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "packet frame",
                                                        .folder = "shaders"},
                                                       {.what = "memory",
                                                        .table = "memory.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "packet frame",
                                                        .folder = "memory"},
                                                       {0}};

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = gfxreconstruct_packet,
    .frame = describe_frame,
    .metadata = gfxreconstruct_metadata,
    .settle = settle,
    .close = close_dump,
    .tables = {.packet_columns = "id\tthread\tcompressed\texpanded",
               .packet_rows = gfxreconstruct_packet_rows,
               .packet_type = gfxreconstruct_packet_type,
               .frame_columns =
                   "end\tnumber\tcalls\tdraws\tdispatches\tsubmits\tmemory_writes\tmemory_bytes",
               .frame_cells = gfxreconstruct_frame_cells,
               .timeline = {"calls", "draws", "submits", "memory_bytes"}},
    .texts = {.packet = {.count = gfxreconstruct_count_packet_text,
                         .rows = gfxreconstruct_write_packet_text},
              .commands = {.count = gfxreconstruct_count_commands,
                           .rows = gfxreconstruct_write_commands,
                           .piece_rows = GFXR_PIECE_COMMANDS},
              .command_place = gfxreconstruct_command_place,
              .frame_info = gfxreconstruct_frame_info},
    .compared = {.objects = compared_objects},
    .pictures = {.next = next_picture},
    .introduction =
        "This is a capture that GFXReconstruct made of a program that uses Vulkan. Begin with "
        "by-frame/NNNNNN/commands.txt, which has the calls with their parameters, functions.tsv, "
        "shaders/ and memory/. The capture is not replayed, so there are no pictures.",
};

static int probe(const struct format_opening *opening)
{
    const struct source *source = opening->source;
    struct gfxreconstruct_header header;

    if (source->data == NULL ||
        gfxreconstruct_header_read(source->data, source->size, &header) == -EPROTO)
        return 0;
    return SCORE_BY_MAGIC;
}

static int check_header(const struct format_opening *opening, struct gfxreconstruct_header *header)
{
    int status = gfxreconstruct_header_read(opening->source->data, opening->source->size, header);

    if (status < 0) {
        text_add(opening->message, "the header of the GFXReconstruct capture is cut off");
        return -EPROTO;
    }
    if (header->major != 0) {
        text_printf(opening->message,
                    "unknown version of the GFXReconstruct format: %" PRIu32 ".%" PRIu32
                    " (known are 0.0 and 0.1)",
                    header->major, header->minor);
        return -EPROTO;
    }
    return 0;
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    struct gfxreconstruct_dump *dump = calloc(1, sizeof(*dump));
    int status = 0;

    if (dump == NULL)
        return -ENOMEM;
    dump->base = (struct dump){.ops = &ops,
                               .format = "gfxreconstruct",
                               .source = opening->source,
                               .options = opening->options,
                               .problems = opening->problems};
    cancel_init(&dump->base.cancel, NULL);
    index_task_init(&dump->pass,
                    &(struct index_task_work){.advance = gfxreconstruct_check_parameters,
                                              .context = dump,
                                              .cancel = &dump->base.cancel,
                                              .spending = &dump->base.budget});
    dump->index.data = opening->source->data;
    dump->index.size = opening->source->size;
    *out = &dump->base;
    status = check_header(opening, &dump->index.header);
    if (status == 0)
        status = gfxreconstruct_index_make(&dump->index, opening->problems,
                                           opening->source_params->cancel);
    if (status != 0)
        close_dump(out);
    return status;
}

const struct format_ops gfxreconstruct_format = {
    .probe = probe,
    .open = open_dump,
    .rules = gfxreconstruct_rules,
    .rule_count = GFXR_RULES,
};
