/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static const char *presented_name(enum aerogpu_presented presented)
{
    switch (presented) {
    case AEROGPU_PRESENTED:
        return "yes";
    case AEROGPU_PRESENTED_IMPLICIT:
        return "implicit";
    default:
        return "no";
    }
}

/* frames.tsv */

int aerogpu_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct text *text)
{
    const struct aerogpu_frame *place = &aerogpu_index_of(dump)->frames[number];
    const struct aerogpu_scan *scan = NULL;
    const struct aerogpu_scan_frame *frame = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    frame = &scan->frames[number];
    text_cell(text, place->entry.frame_index);
    text_add_char(text, '\t');
    if (frame->shot.width != 0)
        aerogpu_format_write(text, frame->shot.format);
    else
        text_add_char(text, '-');
    text_cell(text, frame->presents);
    text_cell_word(text, presented_name(frame->presented));
    text_cell(text, frame->draw_calls);
    text_cell(text, place->submissions_end - place->first_submission);
    text_cell(text, place->entry.start);
    text_cell(text, place->entry.present);
    text_cell(text, place->entry.end);
    return 0;
}

/* info.txt */

int aerogpu_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text)
{
    const struct aerogpu_frame *place = &aerogpu_index_of(dump)->frames[frame];
    const struct aerogpu_scan *scan = NULL;
    const struct aerogpu_scan_frame *found = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    found = &scan->frames[frame];
    text_field(text, "frame_index", "%" PRIu32, place->entry.frame_index);
    if (place->first < place->end)
        text_field(text, "packets", "%" PRIu32 "-%" PRIu32, place->first, place->end - 1);
    else
        text_add(text, "packets: -\n");
    text_field(text, "submissions", "%" PRIu32, place->submissions_end - place->first_submission);
    text_field(text, "commands", "%" PRIu32, found->commands);
    text_field(text, "draws", "%" PRIu32, found->draw_calls);
    text_field(text, "clears", "%" PRIu32, found->draws - found->draw_calls);
    text_field(text, "presents", "%" PRIu32, found->presents);
    text_field(text, "presented", "%s", presented_name(found->presented));
    if (found->shot.width != 0) {
        text_field(text, "width", "%" PRIu32, found->shot.width);
        text_field(text, "height", "%" PRIu32, found->shot.height);
        text_add(text, "format: ");
        aerogpu_format_write(text, found->shot.format);
        text_add(text, "\n");
        text_field(text, "picture", "%s",
                   found->shot.drawn ? "drawn by shaders" : "made without shaders");
    } else {
        text_add(text, "width: -\nheight: -\n");
    }
    text_field(text, "resources_created", "%" PRIu32, found->lives_end - found->first_life);
    text_field(text, "toc_flags", "0x%08" PRIX32, place->entry.flags);
    text_field(text, "begin_offset", "%" PRIu64, place->entry.start);
    text_field(text, "present_offset", "%" PRIu64, place->entry.present);
    text_field(text, "end_offset", "%" PRIu64, place->entry.end);
    return 0;
}

int aerogpu_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu, cancel, &scan);

    if (status == 0)
        status = aerogpu_replay_enter(aerogpu, scan->frames[frame].end, cancel, &machine);
    if (status != 0)
        return status;
    aerogpu_state_write(machine, text);
    aerogpu_replay_leave(aerogpu);
    return 0;
}

/* draws.tsv */

static int count_draws(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status == 0)
        *rows = scan->frames[key].draws;
    return status;
}

/* Adds a handle to a list. `what` comes first, or a comma and `what` from the second handle on. */
static void add_handle(struct text *text, bool *first, const char *what, uint32_t number,
                       uint32_t handle)
{
    text_printf(text, *first ? "%s" : ",%s", what);
    if (number != AEROGPU_NONE)
        text_printf(text, "%" PRIu32 "=", number);
    text_printf(text, "%" PRIu32, handle);
    *first = false;
}

static void end_list(struct text *text, bool nothing)
{
    text_add(text, nothing ? "-" : "");
}

static const char *const program_letters[AEROGPU_PROGRAMS] = {
    "ps=", "vs=", "gs=", "hs=", "ds=", "cs="};

static void write_shaders(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    static const enum dxbc_program order[] = {DXBC_VS, DXBC_HS, DXBC_DS, DXBC_GS, DXBC_PS};
    bool first = true;

    text_add_char(text, '\t');
    for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
        if (pipeline->stages[order[i]].shader != 0)
            add_handle(text, &first, program_letters[order[i]], AEROGPU_NONE,
                       pipeline->stages[order[i]].shader);
    end_list(text, first);
}

static void write_targets(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    bool first = true;

    text_add_char(text, '\t');
    for (uint32_t i = 0; i < pipeline->colour_count; i++)
        if (pipeline->colours[i] != 0)
            add_handle(text, &first, "rt", i, pipeline->colours[i]);
    if (pipeline->depth_stencil != 0)
        add_handle(text, &first, "ds=", AEROGPU_NONE, pipeline->depth_stencil);
    end_list(text, first);
}

static void write_textures(const struct aerogpu_pipeline *pipeline, struct text *text)
{
    bool first = true;

    text_add_char(text, '\t');
    for (uint32_t i = 0; i < AEROGPU_TEXTURE_SLOTS; i++)
        if (pipeline->stages[DXBC_PS].textures[i] != 0)
            add_handle(text, &first, "t", i, pipeline->stages[DXBC_PS].textures[i]);
    end_list(text, first);
}

/*
 * Gets the command of a draw. Returns false if it is not a draw any more, because another program
 * has written to the file.
 */
static bool find_command(struct aerogpu_dump *dump, const struct aerogpu_scan_draw *draw,
                         struct aerogpu_command *out)
{
    struct aerogpu_record record;
    struct aerogpu_error error;

    if (draw->submission != AEROGPU_NONE)
        return aerogpu_scan_command(aerogpu_dump_index(dump), aerogpu_dump_scanned(dump),
                                    draw->submission, draw->command, out) &&
               aerogpu_is_draw(out);
    aerogpu_dump_record(dump, draw->record, &record);
    return aerogpu_index_packet(aerogpu_dump_index(dump), &record, out, &error) &&
           aerogpu_is_draw(out);
}

static void write_counts(const struct aerogpu_command *command,
                         const struct aerogpu_pipeline *pipeline, struct text *text)
{
    const char *topology = aerogpu_name(AEROGPU_NAMES_TOPOLOGY, pipeline->topology);

    if (command->type->dialect == AEROGPU_APPENDIX_A) {
        if (command->opcode == AEROGPU_A_DRAW) {
            text_cell(text, aerogpu_u32(command, AEROGPU_AT_A_DRAW_COUNT));
            text_add(text, "\t1\tTriangleList");
        } else {
            text_add(text, "\t-\t-\t-");
        }
        return;
    }
    if (command->opcode == AEROGPU_CLEAR) {
        text_add(text, "\t-\t-\t-");
        return;
    }
    /* Both kinds of draws begin with the same fields, count and instances. */
    text_cell(text, aerogpu_u32(command, AEROGPU_AT_DRAW_COUNT));
    text_cell(text, aerogpu_u32(command, AEROGPU_AT_DRAW_INSTANCES));
    text_cell_word(text, topology != NULL ? topology : "-");
}

static void write_draw(struct aerogpu_dump *dump, const struct aerogpu_machine *machine,
                       const struct aerogpu_scan_draw *draw, uint64_t number, struct text *text)
{
    struct aerogpu_command command;

    if (!find_command(dump, draw, &command))
        return;
    text_add_u64(text, number);
    text_cell(text, draw->record);
    aerogpu_cell_or_none(text, draw->submission);
    text_cell(text, draw->command);
    text_cell_word(text, command.type->name);
    write_counts(&command, &machine->pipeline, text);
    write_shaders(&machine->pipeline, text);
    write_targets(&machine->pipeline, text);
    write_textures(&machine->pipeline, text);
    text_add_char(text, '\n');
}

static int write_draws(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                       const struct cancel *cancel, struct text *text)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan_frame *frame = NULL;
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(aerogpu, cancel, &scan);

    if (status != 0)
        return status;
    frame = &scan->frames[key];
    status = aerogpu_replay_enter(aerogpu, scan->draws[frame->first_draw + first].shot.tick, cancel,
                                  &machine);
    if (status != 0)
        return status;
    for (uint64_t i = first; i < end; i++) {
        const struct aerogpu_scan_draw *draw = &scan->draws[frame->first_draw + i];

        status = aerogpu_replay_go_on(aerogpu, draw->shot.tick, cancel);
        if (status != 0)
            return status;
        write_draw(aerogpu, machine, draw, i, text);
    }
    aerogpu_replay_leave(aerogpu);
    return 0;
}

const struct dump_listing aerogpu_draw_table = {
    .columns = "draw\tpacket\tsubmission\tcommand\tkind\tvertices\tinstances\ttopology\tshaders\t"
               "targets\ttextures",
    .count = count_draws,
    .rows = write_draws,
    .piece_rows = 256};

/* hashes.txt: each frame is a piece, so that only frames that are read are rendered. */

static int hash_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       uint64_t *pieces)
{
    (void)key, (void)cancel;
    *pieces = aerogpu_index_of(dump)->frame_count;
    return 0;
}

/* The purpose for which the line of a frame's hash is written. */
enum hash_use {
    HASH_MEASURED, /* only its length matters */
    HASH_LISTED,   /* among other lines: dashes if the frame cannot be rendered */
    HASH_ALONE,    /* alone: a failure is returned to the reader */
};

static int write_hash(struct dump *dump, uint64_t number, enum hash_use use,
                      const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = NULL;
    const struct aerogpu_scan_frame *frame = NULL;
    char digits[SHA256_DIGITS + 1];
    int status = aerogpu_dump_scan(aerogpu_dump_of(dump), cancel, &scan);

    if (status != 0)
        return status;
    frame = &scan->frames[number];
    if (frame->presented == AEROGPU_NOT_PRESENTED)
        return 0;
    memset(digits, '-', sizeof(digits) - 1);
    digits[sizeof(digits) - 1] = '\0';
    if (use != HASH_MEASURED)
        status = aerogpu_frame_hash(dump, number, cancel, digits);
    if (status == -EINTR || status == -ENOMEM || (status != 0 && use == HASH_ALONE))
        return status;
    text_printf(text, "frame %" PRIu32 ": %" PRIu32 "x%" PRIu32 " sha256=%s\n",
                aerogpu_index_of(dump)->frames[number].entry.frame_index, frame->shot.width,
                frame->shot.height, digits);
    return 0;
}

static int hash_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                      struct text *text)
{
    (void)key;
    return write_hash(dump, piece, HASH_LISTED, cancel, text);
}

static int hash_measure(struct dump *dump, uint64_t key, uint64_t piece,
                        const struct cancel *cancel, struct text *text)
{
    (void)key;
    return write_hash(dump, piece, HASH_MEASURED, cancel, text);
}

const struct dump_listing aerogpu_hash_listing = {
    .pieces = hash_pieces, .piece = hash_piece, .measure = hash_measure};

static int frame_hash_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces)
{
    (void)dump, (void)key, (void)cancel;
    *pieces = 1;
    return 0;
}

static int frame_hash_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_hash(dump, key, HASH_ALONE, cancel, text);
}

static int frame_hash_measure(struct dump *dump, uint64_t key, uint64_t piece,
                              const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_hash(dump, key, HASH_MEASURED, cancel, text);
}

const struct dump_listing aerogpu_frame_hash_listing = {
    .pieces = frame_hash_pieces, .piece = frame_hash_piece, .measure = frame_hash_measure};

int aerogpu_has_hash(struct dump *dump, uint64_t frame)
{
    const struct aerogpu_scan *scan = aerogpu_dump_peek(aerogpu_dump_of(dump));

    if (scan == NULL)
        return -EAGAIN;
    return scan->frames[frame].presented != AEROGPU_NOT_PRESENTED ? 0 : -ENOENT;
}
