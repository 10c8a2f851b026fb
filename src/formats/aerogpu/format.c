/* SPDX-License-Identifier: MIT */
/*
 * The AeroGPU trace as a format: probing, opening, and the table of its operations.
 */
#include "formats/aerogpu/dump.h"

#include "formats/aerogpu/cut/cut.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/replay/replay.h"
#include "formats/aerogpu/rules.h"
#include "formats/aerogpu/scan_make.h"
#include "formats/aerogpu/views/views.h"
#include "formats/format.h"
#include "tree/allowance.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SCORE_BY_MAGIC = 100, BUDGET = 1 << 30 };

/* Makes the complete scan. Implements `advance` of struct index_task_work. */
static int make_scan(void *context, const struct cancel *cancel,
                     struct index_task_position *position)
{
    struct aerogpu_dump *dump = context;
    const struct aerogpu_scan_params params = {.limits = &dump->limits,
                                               .max_memory = dump->base.options->max_memory};
    int status = aerogpu_scan_make(&dump->index, &params, dump->base.problems, cancel, &dump->scan);

    if (status == -EFBIG)
        problems_add(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     AEROGPU_SCAN_TOO_MUCH);
    position->ended = status == 0;
    return status;
}

/* The same for a trace that grows. */
static int follow(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct aerogpu_dump *dump = context;

    return aerogpu_follow_advance(dump->follower, cancel, position);
}

/* The functions of struct dump_ops. */

static uint64_t count_packets(const struct dump *dump)
{
    return aerogpu_dump_of_const(dump)->follow.packets;
}

static uint64_t count_frames(const struct dump *dump)
{
    return aerogpu_dump_of_const(dump)->follow.frames;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    struct aerogpu_record record;

    if (number >= aerogpu_dump_index(aerogpu)->records)
        return -ENOENT;
    aerogpu_dump_record(aerogpu, number, &record);
    aerogpu_packet_describe(aerogpu, number, &record, out);
    return 0;
}

static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_index *index = aerogpu_dump_index(aerogpu);
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu);
    const struct aerogpu_frame *place = NULL;

    if (number >= index->frame_count)
        return -ENOENT;
    if (scan == NULL)
        return -EAGAIN;
    place = &index->frames[number];
    *out = (struct dump_frame){
        .first_packet = place->first < place->end ? place->first : 1,
        .last_packet = place->first < place->end ? place->end - 1 : 0,
        .width = scan->frames[number].shot.width,
        .height = scan->frames[number].shot.height,
        .colour = PICTURE_RGBA,
    };
    return 0;
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    const struct aerogpu_scan *scan = NULL;

    return aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);
}

/* Apart from the sizes of cuts, only the scan can be unknown. */
static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    if (rule == AEROGPU_RULE_FRAME_CUT)
        return aerogpu_cutter_know(aerogpu_dump_of(dump), key, cancel);
    return settle(dump, cancel);
}

static void start(struct dump *dump)
{
    index_task_start(&aerogpu_dump_of(dump)->pass, NULL, NULL);
}

static void close_dump(struct dump **dump)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(*dump);

    cancel_raise(&aerogpu->base.cancel);
    index_task_join(&aerogpu->pass);
    aerogpu_cutter_destroy(&aerogpu->cutter);
    aerogpu_replay_destroy(&aerogpu->replay);
    aerogpu_scan_clear(&aerogpu->scan);
    if (aerogpu->base.follow != NULL)
        aerogpu_follow_destroy(&aerogpu->follower);
    else
        aerogpu_index_close(&aerogpu->index);
    index_task_destroy(&aerogpu->pass);
    free(aerogpu);
    *dump = NULL;
}

static const struct dump_objects compared_objects[] = {
    {.what = "resource",
     .table = "resources.tsv",
     .number = "resource",
     .place = "resource created_packet created_command destroyed_packet destroyed_command uses",
     .folder = "resources",
     .files = {"content.bin", "bytecode.dxbc", "bytecode.d3d9"},
     .picture = "00-00.png"},
    {0}};

static const struct dump_objects compared_draws = {.what = "draw",
                                                   .table = "draws.tsv",
                                                   .number = "draw",
                                                   .place = "draw packet submission command",
                                                   .folder = "draws"};

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = describe_packet,
    .frame = describe_frame,
    .metadata = aerogpu_metadata,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .cut = aerogpu_cut_range,
    .readiness = {.prepare = prepare},
    .tables = {.packet_columns = "blob_id\tkind\tsubmission",
               .packet_rows = aerogpu_packet_rows,
               .frame_columns =
                   "frame_index\tformat\tpresents\tpresented\tdraws\tsubmissions\tbegin_offset\t"
                   "present_offset\tend_offset",
               .frame_cells = aerogpu_frame_cells,
               .timeline = {"draws", "submissions", "presents"}},
    .texts = {.packet = {.head = aerogpu_packet_head,
                         .count = aerogpu_packet_count,
                         .rows = aerogpu_packet_lines,
                         .piece_rows = PIECE_COMMANDS},
              .commands = {.pieces = aerogpu_frame_commands_pieces,
                           .piece = aerogpu_frame_commands_piece},
              .command_place = aerogpu_command_place,
              .frame_info = aerogpu_frame_info,
              .frame_state = aerogpu_frame_state},
    .compared = {.objects = compared_objects, .draws = &compared_draws},
    .pictures = {.make = aerogpu_frame_picture},
    .textures = {.rule = AEROGPU_RULE_TEXTURE, .frame = aerogpu_texture_frame},
    .introduction = "This is a trace of the commands that a driver submitted to the virtual GPU of "
                    "the Aero emulator. Begin with frames/, which has the pictures, and "
                    "by-frame/NNNNNN/commands.txt, which has the commands of a frame. A frame is "
                    "an entry of the trace's table of contents; its picture is that of its last "
                    "PRESENT. by-frame/NNNNNN/opaque.png is the same picture without alpha.\n",
};

static int probe(const struct format_opening *opening)
{
    const struct source *source = opening->source;

    return source->data != NULL && aerogpu_magic_is(source->data, source->size) ? SCORE_BY_MAGIC
                                                                                : 0;
}

/* Writes the verdict of the reference reader on a header after which nothing can be read. */
static int refuse_header(const struct format_opening *opening)
{
    struct aerogpu_verdict verdict;
    struct aerogpu_toc toc;

    aerogpu_trace_check(opening->source->data, opening->source->size, &toc, &verdict);
    text_add(opening->message, "not a header of AeroGPU traces of version 1 or 2: ");
    aerogpu_verdict_write(&verdict, opening->message);
    return -EPROTO;
}

static int open_index(struct aerogpu_dump *dump, const struct format_opening *opening)
{
    const struct source *source = opening->source;
    int status =
        aerogpu_index_open(source->data, source->size, allowance_index(opening->options),
                           opening->problems, opening->source_params->cancel, &dump->index);

    if (status != 0)
        return status;
    aerogpu_lint_container(&dump->index, opening->problems);
    follow_show(&dump->follow, dump->index.records, dump->index.frame_count, true);
    return 0;
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    const struct source *source = opening->source;
    struct aerogpu_header header;
    struct aerogpu_dump *aerogpu = NULL;
    int status = 0;

    if (source->growth != NULL)
        status = aerogpu_follow_open(source->growth, opening->source_params->cancel, &header);
    else if (!aerogpu_header_read(source->data, source->size, &header) ||
             !aerogpu_header_known(&header))
        status = -EPROTO;
    if (status != 0)
        return status == -EPROTO ? refuse_header(opening) : status;
    aerogpu = calloc(1, sizeof(*aerogpu));
    if (aerogpu == NULL)
        return -ENOMEM;
    aerogpu->base = (struct dump){.ops = &ops,
                                  .format = "aerogpu",
                                  .source = source,
                                  .options = opening->options,
                                  .problems = opening->problems,
                                  .follow = source->growth != NULL ? &aerogpu->follow : NULL};
    cancel_init(&aerogpu->base.cancel, NULL);
    index_task_init(&aerogpu->pass,
                    &(struct index_task_work){
                        .advance = source->growth != NULL ? follow : make_scan,
                        .context = aerogpu,
                        .cancel = &aerogpu->base.cancel,
                        .spending = source->growth != NULL ? NULL : &aerogpu->base.budget});
    aerogpu->limits.budget =
        opening->options->max_memory < BUDGET ? opening->options->max_memory : BUDGET;
    *out = &aerogpu->base;
    aerogpu_options_backbuffer(aerogpu_options_of(opening->options), &aerogpu->limits.back_width,
                               &aerogpu->limits.back_height);
    if (source->growth != NULL)
        status =
            aerogpu_follow_create(&aerogpu->base, &aerogpu->limits, &header, &aerogpu->follower);
    else
        status = open_index(aerogpu, opening);
    if (status == 0)
        status = aerogpu_replay_create(aerogpu, &aerogpu->replay);
    if (status == 0)
        status = aerogpu_cutter_create(&aerogpu->cutter);
    if (status != 0)
        close_dump(out);
    return status;
}

const struct format_ops aerogpu_format = {
    .grows = true,
    .probe = probe,
    .open = open_dump,
    .options = &aerogpu_options_table,
    .rules = aerogpu_rules,
    .rule_count = AEROGPU_RULES,
    .edit = format_edit_packet,
};
