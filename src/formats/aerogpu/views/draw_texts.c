/* SPDX-License-Identifier: MIT */
/*
 * draws/NNNNN/: the state that a draw used, in sections, and its constants.
 */
#include "formats/aerogpu/views/draw_folder.h"

#include "formats/aerogpu/replay/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { VEC4 = 16, ROWS_MAX = 4096 /* rows of a constant buffer; D3D has the same limit */ };

static const char *const stage_names[AEROGPU_PROGRAMS] = {"ps", "vs", "gs", "hs", "ds", "cs"};

/* state.txt */

int aerogpu_draw_state_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                            struct blob **out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan_draw *draw = NULL;
    struct text text = TEXT_INIT;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    if (status == 0)
        status = aerogpu_replay_enter(aerogpu, draw->shot.tick, cancel, &machine);
    if (status != 0)
        return status;
    aerogpu_state_sections(machine, &text);
    aerogpu_replay_leave(aerogpu);
    return text_blob(&text, out);
}

/* uniforms.tsv */

static void add_place(struct text *text, uint32_t stage, const char *kind, uint32_t slot,
                      const char *type)
{
    text_printf(text, "%s\t%s%" PRIu32 "\t%s", stage_names[stage], kind, slot, type);
}

/* Writes a float, or its bits if it is not finite, since not all programs read such numbers. */
static void add_float(struct text *text, uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    if (isfinite(value))
        text_printf(text, "\t%.9g", (double)value);
    else
        aerogpu_cell_hex(text, bits, 8);
}

static bool is_set(const uint64_t *bits, uint32_t number)
{
    return bits != NULL && (bits[number / 64] >> number % 64 & 1) != 0;
}

static void add_registers(const struct aerogpu_stage_state *state, uint32_t stage,
                          struct text *text)
{
    for (uint32_t i = 0; i < AEROGPU_CONSTANTS; i++) {
        if (!is_set(state->floats_set, i))
            continue;
        add_place(text, stage, "c", i, "float");
        for (unsigned j = 0; j < 4; j++)
            add_float(text, state->floats[i][j]);
        text_add_char(text, '\n');
    }
    for (uint32_t i = 0; i < AEROGPU_SCALARS; i++) {
        if (!is_set(state->integers_set, i))
            continue;
        add_place(text, stage, "i", i, "int");
        for (unsigned j = 0; j < 4; j++)
            text_printf(text, "\t%" PRId32, (int32_t)state->integers[i][j]);
        text_add_char(text, '\n');
    }
    for (uint32_t i = 0; state->booleans != NULL && i < AEROGPU_SCALARS; i++)
        if (state->booleans[i] < 2) {
            add_place(text, stage, "b", i, "bool");
            text_printf(text, "\t%u\t-\t-\t-\n", state->booleans[i]);
        }
}

/* Writes rows of four floats. The last row may be incomplete, and has dashes then. */
static void add_buffer(const struct aerogpu_bound *bound, const struct blob *bytes,
                       struct text *text)
{
    for (size_t row = 0; row * VEC4 < bytes->size && row < ROWS_MAX; row++) {
        text_printf(text, "%s\tcb%u[%zu]\tfloat", stage_names[bound->stage], bound->slot, row);
        for (size_t at = row * VEC4; at < (row + 1) * VEC4; at += 4)
            if (at + 4 <= bytes->size)
                add_float(text, bytes_le32(bytes->data + at));
            else
                text_cell_word(text, "-");
        text_add_char(text, '\n');
    }
}

static int add_buffers(struct dump *dump, const struct aerogpu_scan_draw *draw,
                       const struct cancel *cancel, struct text *text)
{
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(aerogpu_dump_of(dump));
    int status = 0;

    for (uint32_t i = 0; status == 0 && i < draw->bound; i++) {
        struct aerogpu_bound bound = scan->bound[draw->first_bound + i];
        struct blob *bytes = NULL;

        if (bound.role != AEROGPU_BOUND_CONSTANT)
            continue;
        if (bound.size == 0 || bound.size > ROWS_MAX * VEC4)
            bound.size = ROWS_MAX * VEC4;
        status = aerogpu_bound_read(dump, &bound, draw->shot.tick, cancel, &bytes);
        if (status == 0)
            add_buffer(&bound, bytes, text);
        blob_unref(&bytes);
    }
    return status;
}

int aerogpu_draw_uniforms_make(struct dump *dump, uint64_t folder, const struct cancel *cancel,
                               struct blob **out)
{
    struct aerogpu_dump *aerogpu = aerogpu_dump_of(dump);
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan_draw *draw = NULL;
    struct text text = TEXT_INIT;
    int status = aerogpu_draw_need(dump, folder, cancel, &draw);

    if (status == 0)
        status = aerogpu_replay_enter(aerogpu, draw->shot.tick, cancel, &machine);
    if (status != 0)
        return status;
    text_add(&text, "stage\tname\ttype\tx\ty\tz\tw\n");
    for (uint32_t stage = 0; stage < AEROGPU_PROGRAMS; stage++)
        add_registers(&machine->pipeline.stages[stage], stage, &text);
    aerogpu_replay_leave(aerogpu);
    status = add_buffers(dump, draw, cancel, &text);
    if (status == 0)
        return text_blob(&text, out);
    text_clear(&text);
    return status;
}
