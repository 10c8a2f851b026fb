/* SPDX-License-Identifier: MIT */
/* apitrace traces as a format: probing, opening, and the operations that the tree calls. */
#include "formats/format.h"

#include "formats/apitrace/cut/files.h"
#include "formats/apitrace/dump.h"
#include "formats/apitrace/index/index.h"
#include "formats/apitrace/replay/player.h"
#include "formats/apitrace/replay/shader_translator.h"
#include "formats/apitrace/views/draws.h"
#include "formats/apitrace/views/views.h"
#include "tree/allowance.h"

#include <errno.h>
#include <stdlib.h>

/* Operations. */

static uint64_t count_packets(const struct dump *dump)
{
    return apitrace_index_of(dump)->follow.packets;
}

static uint64_t count_frames(const struct dump *dump)
{
    return apitrace_is_early(dump) ? DUMP_NOT_KNOWN : apitrace_index_of(dump)->follow.frames;
}

/*
 * Files of this format need the shaders and textures, common files need what frames show, and some
 * need both.
 */
static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    bool both = (rule >= APITRACE_RULE_FRAME_TEXTURES && rule <= APITRACE_RULE_FRAME_DRAW) ||
                rule >= APITRACE_RULE_DRAW_IDS_BIN;
    const struct apitrace_object_index *objects;
    const struct apitrace_presentation *presentation;
    const struct apitrace_cuts *cuts;
    int status = 0;

    if (apitrace_is_early(dump)) /* the tree prepares again if this was not enough */
        return apitrace_early_wait(dump, rule, key, cancel);
    if (rule == APITRACE_RULE_FRAME_CUT)
        return apitrace_dump_cuts(dump, cancel, &cuts);
    if (rule >= RULE_FORMAT_FIRST && !apitrace_index_grows(apitrace_index_of(dump)))
        status = apitrace_dump_objects(dump, cancel, &objects);
    if (status == 0 && (both || rule < RULE_FORMAT_FIRST))
        status = apitrace_dump_presentation(dump, cancel, &presentation);
    if (status == 0 && rule >= APITRACE_RULE_DRAW)
        status = apitrace_draw_prepare(dump, rule, key, cancel);
    return status;
}

static void start(struct dump *dump)
{
    if (dump->follow != NULL)
        apitrace_follow_start(dump);
    else if (apitrace_is_early(dump))
        apitrace_early_start(apitrace_dump_of(dump));
}

static void close_dump(struct dump **dump)
{
    struct apitrace_dump *apitrace = apitrace_dump_of(*dump);

    cancel_raise(&apitrace->base.cancel);
    index_task_join(&apitrace->pass);
    apitrace_index_keep(&apitrace->index);
    index_task_destroy(&apitrace->pass);
    apitrace_finder_destroy(&apitrace->finder);
    apitrace_known_draws_clear(apitrace);
    apitrace_covered_clear(apitrace);
    apitrace_player_destroy(&apitrace->player);
    apitrace_shader_translator_destroy(&apitrace->translator);
    apitrace_follower_destroy(&apitrace->follower);
    instance_pool_clear(&apitrace->cut_cursors);
    apitrace_cuts_clear(&apitrace->cuts);
    apitrace_presentation_clear(&apitrace->presentation);
    apitrace_object_index_clear(&apitrace->objects);
    apitrace_index_clear(&apitrace->index);
    cancellable_mutex_destroy(&apitrace->objects_mutex);
    cancellable_mutex_destroy(&apitrace->presentation_mutex);
    cancellable_mutex_destroy(&apitrace->cuts_mutex);
    pthread_mutex_destroy(&apitrace->drawables_lock);
    pthread_mutex_destroy(&apitrace->parts_lock);
    pthread_mutex_destroy(&apitrace->state_lock);
    free(apitrace);
    *dump = NULL;
}

#define PACKET_COLUMNS "packet\toffset\tbytes\ttype\tname\tframe\tthread\tleave\torder\tstatus"

static const struct dump_objects compared_objects[] = {{.what = "texture",
                                                        .table = "textures.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "texture packet frame",
                                                        .folder = "textures"},
                                                       {.what = "shader",
                                                        .table = "shaders.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "shader packet frame",
                                                        .folder = "shaders"},
                                                       {.what = "resource",
                                                        .table = "resources.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "resource packet frame object of"},
                                                       {.what = "blob",
                                                        .table = "blobs.tsv",
                                                        .number = "packet",
                                                        .frame = "frame",
                                                        .place = "packet frame",
                                                        .folder = "blobs"},
                                                       {0}};

static const struct dump_objects compared_draws = {.what = "draw",
                                                   .table = "draws.tsv",
                                                   .number = "packet",
                                                   .place = "packet thread",
                                                   .folder = "draws"};

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = apitrace_packet_describe,
    .frame = apitrace_frame_describe,
    .metadata = apitrace_metadata,
    .settle = apitrace_early_wait_all,
    .start = start,
    .close = close_dump,
    .cut = apitrace_cut_range,
    .readiness = {.frames_early = true, .known = apitrace_known, .prepare = prepare},
    .container = {.packet_bytes = apitrace_packet_read,
                  .next_frame_packet = apitrace_frame_next_packet},
    .tables = {.packet_table = {.columns = PACKET_COLUMNS,
                                .count = apitrace_packet_count,
                                .rows = apitrace_packet_rows},
               .frame_packet_table = {.columns = PACKET_COLUMNS,
                                      .count = apitrace_frame_packet_count,
                                      .rows = apitrace_frame_packet_rows},
               .frame_table =
                   {.columns =
                        "frame\tfirst\tlast\ttime\twidth\theight\tcalls\thidden\tdraws\tbytes\t"
                        "end\tstatus",
                    .count = apitrace_frame_count,
                    .rows = apitrace_frame_rows},
               .timeline = {"calls", "draws", "bytes"}},
    .texts = {.packet = {.pieces = apitrace_packet_text_pieces,
                         .piece = apitrace_packet_text_piece},
              .command_place = apitrace_call_place,
              .frame_info = apitrace_frame_info,
              .frame_state = apitrace_frame_state},
    .compared = {.objects = compared_objects, .draws = &compared_draws, .uploads = "uploads"},
    .pictures = {.make = apitrace_frame_picture,
                 .finish = apitrace_picture_finish,
                 .drawn_in_turn = true},
    .textures = {.rule = APITRACE_RULE_TEXTURE, .frame = apitrace_texture_frame},
    .introduction =
        "This is a trace recorded by apitrace: every call that a program made to OpenGL, GLES, "
        "EGL, GLX, WGL, CGL or Direct3D. Each packet is a call and has the call's number. Begin "
        "with by-frame/000000/calls.txt. All calls.txt in order are the output of `apitrace dump "
        "--color=never`; all calls-raw.txt in order are the same byte for byte, since they do not "
        "escape names. calls-verbose.txt also has the calls that apitrace shows only with -v. "
        "Frames of OpenGL have pictures; those of Direct3D have none, since gpudumpfs cannot draw "
        "them.",
};

/* Opening. */

static int probe(const struct format_opening *opening)
{
    return apitrace_stream_probe(opening->source);
}

static int open_index(struct apitrace_dump *dump, const struct format_opening *opening)
{
    struct apitrace_index_params params = {.source = opening->source,
                                           .source_params = opening->source_params,
                                           .max_memory = allowance_index(opening->options),
                                           .threads = opening->options->threads,
                                           .keep = opening->options->index_cache == OPTIONS_KEEP,
                                           .problems = opening->problems,
                                           .message = opening->message};

    if (dump->base.follow != NULL)
        return apitrace_follow_open(dump, &params);
    apitrace_early_open(dump, &params);
    return apitrace_index_open(&params, &dump->index);
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    struct apitrace_dump *dump = calloc(1, sizeof(*dump));
    int status;

    if (dump == NULL)
        return -ENOMEM;
    dump->base =
        (struct dump){.ops = &ops,
                      .format = "apitrace",
                      .source = opening->source,
                      .options = opening->options,
                      .problems = opening->problems,
                      .follow = opening->source->growth != NULL ? &dump->index.follow : NULL};
    cancel_init(&dump->base.cancel, NULL);
    apitrace_follow_init(dump);
    cancellable_mutex_init(&dump->objects_mutex);
    cancellable_mutex_init(&dump->presentation_mutex);
    cancellable_mutex_init(&dump->cuts_mutex);
    apitrace_cut_files_init(dump);
    pthread_mutex_init(&dump->drawables_lock, NULL);
    pthread_mutex_init(&dump->parts_lock, NULL);
    pthread_mutex_init(&dump->state_lock, NULL);
    *out = &dump->base;
    status = open_index(dump, opening);
    dump->index.stream.cache = &dump->base.cache;
    if (status == 0)
        status = apitrace_player_create(dump, apitrace_picture_finish, apitrace_earlier_draws,
                                        &dump->player);
    if (status == 0)
        status = apitrace_shader_translator_create(dump, &dump->translator);
    if (status < 0)
        close_dump(out);
    return status;
}

/* Options. */

static const struct option_rule option_rules[] = {
    {.name = "apitrace-time-limit",
     .argument = "SECONDS",
     .help = "time limit of the graphics worker for one call",
     .standard = "10",
     .type = OPTION_COUNT,
     .offset = offsetof(struct apitrace_options, time_limit),
     .min = 1,
     .max = 3600},
};

static const struct apitrace_options standard_options = {.time_limit = 10};

const struct option_table apitrace_options_table = {
    .rules = option_rules,
    .count = sizeof(option_rules) / sizeof(option_rules[0]),
    .standard = &standard_options,
    .size = sizeof(standard_options),
};

const struct format_ops apitrace_format = {
    .takes_packed = true,
    .grows = true,
    .probe = probe,
    .open = open_dump,
    .rules = apitrace_rules,
    .rule_count = APITRACE_RULES,
    .options = &apitrace_options_table,
};
