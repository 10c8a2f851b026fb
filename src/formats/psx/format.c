/* SPDX-License-Identifier: MIT */
/* The PSX GPU dump as a format: probing, opening, and the functions that the tree calls. */
#include "formats/psx/dump.h"
#include "formats/psx/gpu/scanout.h"

#include "base/log.h"
#include "base/thread.h"
#include "formats/format.h"
#include "formats/psx/assembly/assembly.h"
#include "formats/psx/cut/cut.h"
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/index/index.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/information.h"
#include "formats/psx/reduce/reduce.h"
#include "formats/psx/replay/replay.h"
#include "formats/psx/views/commands.h"
#include "formats/psx/views/views.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { YEAR = 365 * 86400 }; /* in seconds; no recording is that long */

/* Packets of the command pass between two checks for waiting readers. */
enum { HELP_PACKETS = 1 << 16 };

enum { MAGIC_NAME = 10, MAGIC_LONGEST = 16, SCORE_BY_MAGIC = 100 };

static uint64_t count_packets(const struct dump *dump)
{
    return psx_dump_of_const(dump)->index.follow.packets;
}

static uint64_t count_frames(const struct dump *dump)
{
    const struct psx_index *index = &psx_dump_of_const(dump)->index;

    return psx_index_is_early(index) ? DUMP_NOT_KNOWN : index->follow.frames;
}

static int describe_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_packet packet;
    uint64_t frame;
    int status =
        number < index->follow.packets ? psx_index_packet(index, number, &packet) : -ENOENT;

    if (status != 0)
        return psx_index_is_early(index) ? -EAGAIN : status;
    frame = psx_index_frame_of(index, number);
    psx_packet_describe(&packet, frame == PSX_INITIAL ? DUMP_NO_FRAME : frame, out);
    return 0;
}

static int describe_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    struct psx_screen screen;

    psx_replay_want(psx_dump_of(dump));
    if (!psx_index_shows(index, number))
        return psx_index_is_early(index) ? -EAGAIN : -ENOENT;
    psx_display_screen(&index->frames[number].display, &screen);
    *out = (struct dump_frame){
        .first_packet = index->frames[number].packet,
        .last_packet = index->frames[number + 1].packet - 1,
        .width = screen.width,
        .height = screen.height,
        .colour = PICTURE_RGB,
        .significant_bits = screen.depth24 ? 8 : 5,
    };
    return 0;
}

static void write_time(struct dump *dump, uint64_t frame, struct text *text)
{
    psx_frame_time_write(&psx_dump_of(dump)->index, frame, text);
}

/* Every frame has a picture: of a display without pixels it is 1 x 1 (struct psx_screen). */
static int next_picture(struct dump *dump, uint64_t from, uint64_t *frame)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;

    if (psx_index_is_early(index))
        return psx_early_picture(index, from, frame);
    *frame = from;
    return from < index->follow.frames ? 0 : -ENOENT;
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    return psx_index_wait_shown(&psx_dump_of(dump)->index, cancel);
}

static const char *game(const struct dump *dump)
{
    return psx_dump_of_const(dump)->game;
}

/*
 * Makes the keyframes. No request waits for this, so it simply ends when it exceeds its limit. The
 * limit is a quarter of a pass', since a picture that is requested meanwhile takes time of its own.
 */
static void prepare_replay(struct psx_dump *psx)
{
    struct budget *spending = psx->base.follow == NULL ? &psx->base.budget : NULL;
    uint64_t spent = spending != NULL ? spending->params.time / 4 * 3 : 0;
    struct budget_use use;

    budget_use_begin(&use, spending, &psx->base.cancel, true, spent);
    use.whole = true;
    psx_replay_prepare(psx, &use.cancel);
    budget_use_end(&use);
}

/* Runs the passes. Between their steps, helps readers with what they wait for. */
static int make_index(struct psx_dump *psx)
{
    struct index_task *pass = &psx->index.pass;
    const struct cancel *cancel = &psx->base.cancel;
    uint64_t packets = 0;
    int status = 0;

    if (psx->index.growth != NULL)
        return index_task_work_ahead(pass, UINT64_MAX, cancel);
    while (status == 0 && !index_task_knows_all(pass)) {
        if (!psx_index_is_early(&psx->index))
            psx_replay_help(psx, cancel);
        status = index_task_work_ahead(pass, packets, cancel);
        packets += HELP_PACKETS;
    }
    return status;
}

static void *index_in_background(void *context)
{
    struct psx_dump *psx = context;
    int status = make_index(psx);

    if (status != 0 && status != -EINTR)
        log_write(LOG_ERR, "the dump cannot be indexed: %s", strerror(-status));
    if (status == 0)
        psx_index_keep(&psx->index, psx->base.source, psx->base.options);
    psx_follow_join(psx->follow);
    if (status == 0)
        psx_replay_await_want(psx);
    if (status == 0)
        prepare_replay(psx);
    psx_replay_end_prepare(psx);
    return NULL;
}

/* Copies the string of the first game packet. */
static int copy_game(struct psx_dump *psx)
{
    const struct psx_index *index = &psx->index;
    uint64_t size = index->growth != NULL ? index->seen : index->size;
    struct psx_packet packet;

    for (unsigned i = 0; i < index->string_count; i++) {
        if (!psx_packet_read(index->data, size, index->strings[i].offset, &packet) ||
            packet.type != PSX_PACKET_GAME)
            continue;
        psx->game = strndup((const char *)packet.payload, psx_packet_string(&packet));
        return psx->game == NULL ? -ENOMEM : 0;
    }
    return 0;
}

/*
 * Called before anything is shown. What pictures carry must not change, so in a growing dump the
 * game is the one that came before the first frame.
 */
static void note_what_shows(void *context)
{
    (void)copy_game(context);
}

/* Returns the time of a frame: that of the VSyncs, or as if they came 60 times a second. */
static double frame_seconds(const struct dump *dump, uint64_t frame)
{
    double seconds = psx_frame_time(&psx_dump_of_const(dump)->index, frame);

    return seconds >= 0 && seconds < YEAR ? seconds : (double)frame / 60;
}

/* Starts the thread. If that fails, the first reader that needs the index makes it. */
static void start(struct dump *dump)
{
    struct psx_dump *psx = psx_dump_of(dump);

    psx_replay_expect(psx);
    psx_follow_start(psx->follow);
    if (index_task_start(&psx->index.pass, index_in_background, psx) != 0)
        psx_replay_end_prepare(psx);
}

static void close_dump(struct dump **dump) LOCKS_UNCHECKED
{
    struct psx_dump *psx = psx_dump_of(*dump);

    cancel_raise(&psx->base.cancel);
    if (psx->replay != NULL)
        psx_replay_want(psx); /* the thread need not wait for a reader */
    index_task_join(&psx->index.pass);
    psx_index_keep(&psx->index, psx->base.source, psx->base.options);
    psx_follow_destroy(&psx->follow);
    psx_texture_catalog_destroy(&psx->catalog, psx->base.cache);
    psx_recent_textures_destroy(&psx->recent_textures);
    psx_players_destroy(&psx->players);
    psx_finder_destroy(&psx->finder);
    psx_replay_destroy(&psx->replay);
    psx_index_close(&psx->index);
    pthread_mutex_destroy(&psx->flips.lock);
    free(psx->flips.before);
    free(psx->game);
    free(psx);
    *dump = NULL;
}

static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct blob *frame_textures = NULL;
    int status;

    if (psx_index_is_early(&psx->index)) { /* called again if that is not all */
        if (rule == RULE_FRAME_PNG || rule == PSX_RULE_VRAM_BIN || rule == PSX_RULE_VRAM_PNG)
            psx_replay_announce(psx, key, cancel);
        return psx_index_wait_packets(&psx->index, cancel);
    }
    switch (rule) {
    case PSX_RULE_ALL_TEXTURES:
    case PSX_RULE_ALL_TEXTURE_PNG:
        return psx_texture_catalog_wait(psx, cancel);
    case PSX_RULE_TEXTURES:
    case PSX_RULE_CLUTS:
        status = psx_frame_textures_get(psx, key, cancel, &frame_textures);
        blob_unref(&frame_textures);
        return status;
    case PSX_RULE_READBACK:
        return psx_index_wait_packet(&psx->index, key, cancel);
    case PSX_RULE_DRAW_PNG:
    case PSX_RULE_DRAW_TOUCHED:
    case PSX_RULE_DRAW_CUT:
    case PSX_RULE_WITHOUT_PNG:
    case PSX_RULE_WITHOUT_AREA:
    case PSX_RULE_UPLOAD_PNG:
        return psx_frame_counts_wait(dump, frame_of_key(key), cancel, &counts);
    default:
        return psx_frame_counts_wait(dump, key, cancel, &counts);
    }
}

static const struct dump_ops ops = {
    .packets = count_packets,
    .frames = count_frames,
    .packet = describe_packet,
    .frame = describe_frame,
    .metadata = psx_metadata,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .cut = psx_cut_range,
    .readiness = {.known = psx_known, .known_name = psx_known_name, .prepare = prepare},
    .recording = {.game = game, .frame_time = write_time, .frame_seconds = frame_seconds},
    .tables = {.packet_columns = "words\tcarry\tbegins\tfirst",
               .packet_rows = psx_packet_rows,
               .packet_type = psx_packet_type,
               .frame_columns =
                   "cycles\tgp0_words\tgp1_words\tcommands\tdraws\tfills\tuploads\tcopies\treads\t"
                   "flip\tdisplay\tmode\tunfinished\tcycles_gpu\tcycles_transfer\tgpu_share",
               .frame_cells = psx_frame_cells,
               .measure_frame_cells = psx_measure_frame_cells,
               .timeline = {"draws", "commands", "gpu_share"}},
    .texts = {.packet = {.pieces = psx_packet_text_pieces, .piece = psx_packet_text_piece},
              .commands = {.pieces = psx_commands_pieces, .piece = psx_commands_piece},
              .command_place = psx_command_place,
              .command_numbers = psx_command_numbers,
              .frame_info = psx_frame_info,
              .frame_state = psx_frame_state},
    .compared = {.commands = {.pieces = psx_commands_pieces, .piece = psx_compared_piece},
                 .uploads = "uploads",
                 .samples = &psx_compared_samples},
    .pictures = {.next = next_picture,
                 .make = psx_frame_picture,
                 .finish = psx_frame_finish,
                 .cheap = true},
    .textures = {.rule = PSX_RULE_ALL_TEXTURE_PNG, .frame = psx_texture_frame},
    .introduction =
        "This is a dump of everything that a program sent to the PlayStation's GPU. Begin with "
        "frames/, which has the pictures, and by-frame/NNNNNN/commands.txt, which has the commands "
        "of a frame. A frame ends at a VSync. With double buffering its picture was drawn by an "
        "earlier frame; vram/ shows all of video memory.\n",
};

static int probe(const struct format_opening *opening)
{
    const struct source *source = opening->source;

    if (source->data == NULL || psx_magic_read(source->data, source->size) == PSX_MAGIC_NONE)
        return 0;
    return SCORE_BY_MAGIC;
}

/* Reports the version as it is in the magic, after the format's name. */
static void refuse_version(const struct source *source, struct text *message)
{
    size_t length = source->size < MAGIC_LONGEST ? (size_t)source->size : MAGIC_LONGEST;
    const char *version = (const char *)source->data + MAGIC_NAME;

    if (psx_magic_is_cut(source->data, source->size)) {
        text_add(message, "the magic of the PSX GPU dump is cut off after '");
        text_add_escaped(message, version, strnlen(version, length - MAGIC_NAME));
        text_add_char(message, '\'');
        return;
    }
    text_add(message, "unknown version of the PSX GPU dump format: '");
    text_add_escaped(message, version, strnlen(version, length - MAGIC_NAME));
    text_add(message, "' (known are v1 and v1r1)");
}

/* Returns the dump from which edits have made this one; NULL if there is none. */
static struct psx_dump *origin_of(const struct format_opening *opening)
{
    const struct format_origin *origin = opening->origin;

    return origin != NULL && origin->dump->ops == &ops ? psx_dump_of(origin->dump) : NULL;
}

/* Opens the index. What edits have left of another dump is taken from that dump's index. */
static int open_index(const struct format_opening *opening, struct psx_index *index)
{
    struct psx_dump *origin = origin_of(opening);
    const struct cancel *cancel = opening->source_params->cancel;
    struct psx_index_edits edits;

    if (origin == NULL)
        return psx_index_open_later(opening->source, opening->options, opening->problems, cancel,
                                    index);
    edits =
        (struct psx_index_edits){&origin->index, opening->origin->edits, opening->origin->count};
    return psx_index_open_edited(opening->source, opening->options, opening->problems, cancel,
                                 &edits, index);
}

static int open_dump(const struct format_opening *opening, struct dump **out)
{
    const struct source *source = opening->source;
    struct psx_dump *psx = NULL;
    int status = 0;

    if (psx_magic_read(source->data, source->size) == PSX_MAGIC_UNKNOWN) {
        refuse_version(source, opening->message);
        return -EPROTO;
    }
    psx = calloc(1, sizeof(*psx));
    if (psx == NULL)
        return -ENOMEM;
    psx->base = (struct dump){.ops = &ops,
                              .format = "psx",
                              .source = source,
                              .options = opening->options,
                              .problems = opening->problems,
                              .follow = source->growth != NULL ? &psx->index.follow : NULL};
    cancel_init(&psx->base.cancel, NULL);
    status = open_index(opening, &psx->index);
    if (status != 0) {
        free(psx);
        return status;
    }
    psx->index.pass.work.cancel = &psx->base.cancel;
    if (source->growth == NULL)
        psx->index.pass.work.spending = &psx->base.budget;
    pthread_mutex_init(&psx->flips.lock, NULL);
    psx->index.shows = note_what_shows;
    psx->index.context = psx;
    *out = &psx->base;
    if ((!psx_index_is_early(&psx->index) && (status = copy_game(psx)) != 0) ||
        (status = psx_replay_create(psx, &psx->replay)) != 0 ||
        (status = psx_finder_create(&psx->finder)) != 0 ||
        (status = psx_players_create(psx, &psx->players)) != 0 ||
        (status = psx_recent_textures_create(&psx->recent_textures)) != 0 ||
        (status = psx_texture_catalog_create(psx, &psx->catalog)) != 0 ||
        (status = psx_follow_create(psx, opening->message, &psx->follow)) != 0)
        close_dump(out);
    else if (origin_of(opening) != NULL)
        psx_replay_borrow(psx, origin_of(opening));
    return status;
}

const struct format_ops psx_format = {
    .grows = true,
    .edits_later = true,
    .probe = probe,
    .open = open_dump,
    .options = &psx_options_table,
    .rules = psx_rules,
    .rule_count = PSX_RULES,
    .text_word = PSX_TEXT_WORD,
    .disassemble = psx_disassemble_dump,
    .assemble = psx_assemble,
    .edit = psx_edit,
    .part = psx_part_packet,
    .reduce = psx_reduce,
};
