/* SPDX-License-Identifier: MIT */
/*
 * statistics.txt: for a frame what follows from its stream, and what a replay of it adds, in
 * figures of fixed width; for the dump what the catalog counted.
 */
#include "formats/psx/frame/frame.h"
#include "formats/psx/frame/textures.h"
#include "formats/psx/views/views.h"

#include <errno.h>
#include <inttypes.h>

static void add_u64(struct text *text, const char *key, uint64_t value)
{
    text_field(text, key, "%" PRIu64, value);
}

static void add_counts(struct text *text, const struct psx_catalog_counts *counts)
{
    add_u64(text, "triangles", counts->triangles);
    add_u64(text, "quads", counts->quads);
    add_u64(text, "lines", counts->lines);
    add_u64(text, "polylines", counts->polylines);
    add_u64(text, "rectangles", counts->rectangles);
    add_u64(text, "fills", counts->fills);
    add_u64(text, "copies", counts->copies);
    add_u64(text, "textured", counts->textured);
    add_u64(text, "semi_transparent", counts->semi_transparent);
    add_u64(text, "culled", counts->culled);
}

/* Numbers of changes in a frame's stream. */
struct changes {
    uint64_t environment, texture, clut_loads;
};

static void note_texture(const struct psx_walk *walk, const struct psx_step *step,
                         uint32_t *texture, struct changes *changes)
{
    struct psx_state after = walk->at.state;
    struct psx_draw draw;

    psx_draw_decode(&step->event, &walk->at.state.registers, &draw);
    if (!draw.textured)
        return;
    changes->texture += psx_texture_key(&draw) != *texture;
    *texture = psx_texture_key(&draw);
    changes->clut_loads +=
        draw.depth != PSX_DEPTH_15 &&
        psx_clut_key_latch(&after.clut, psx_registers_palette(&after.registers, draw.clut),
                           draw.depth);
}

static void note_environment(const struct psx_walk *walk, const struct psx_step *step,
                             struct changes *changes)
{
    struct psx_registers after = walk->at.state.registers;
    unsigned number = step->event.op & 7;

    psx_registers_environment(&after, step->event.words[0]);
    changes->environment += after.e[number] != walk->at.state.registers.e[number];
}

/*
 * Returns whether the walk has to go on: to the frame's end, or to the end of its last command as
 * far as that matters.
 */
static bool goes_on(const struct psx_walk *walk, uint64_t frame,
                    const struct psx_catalog_counts *counts)
{
    return psx_find_goes_on(walk, frame) ||
           (walk->at.state.parser.phase == GP0_PHASE_POLYLINE && counts->culled_so_far);
}

static int walk_frame(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                      struct psx_catalog_counts *counts, struct changes *changes)
{
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    struct psx_step step;
    uint32_t texture = UINT32_MAX;
    unsigned steps = 0;

    psx_index_frame_checkpoint(index, frame, &checkpoint);
    psx_walk_resume(&walk, index, &checkpoint);
    while (goes_on(&walk, frame, counts) && psx_walk_next(&walk, &step)) {
        bool begun = step.kind == PSX_STEP_GP0 && psx_find_began_in(index, &walk, frame);

        if (begun && step.event.type == GP0_EVENT_SEGMENT)
            psx_texture_catalog_count(counts, &walk, &step);
        if (begun && step.event.type == GP0_EVENT_COMMAND) {
            psx_texture_catalog_count(counts, &walk, &step);
            note_texture(&walk, &step, &texture, changes);
            if (psx_gp0_table[step.event.op].kind == GP0_ENVIRONMENT)
                note_environment(&walk, &step, changes);
        }
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return 0;
}

static uint64_t pixels_covered(const struct psx_write_log *write_log, uint32_t lines)
{
    uint64_t covered = 0;

    for (size_t i = 0; i < (size_t)PSX_VRAM_WIDTH * lines; i++)
        covered += write_log->times[i] > 0;
    return covered;
}

/*
 * Twelve digits with leading zeros, so that the length of the file is known before the figures are.
 */
static void add_replayed(struct text *text, const struct psx_write_log *write_log, uint64_t covered)
{
    text_field(text, "pixels_written", "%012" PRIu64, write_log->written);
    text_field(text, "pixels_blended", "%012" PRIu64, write_log->blended);
    text_field(text, "texels_read", "%012" PRIu64, write_log->textured);
    text_field(text, "pixels_covered", "%012" PRIu64, covered);
    text_field(text, "overdraw", "%012.3f",
               covered > 0 ? (double)write_log->written / (double)covered : 0.0);
}

static int write_frame(struct dump *dump, uint64_t frame, bool measured,
                       const struct cancel *cancel, struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct psx_catalog_counts found = {0};
    struct changes changes = {0};
    struct psx_frame_trace trace = {0};
    int status = psx_frame_counts_wait(dump, frame, cancel, &counts);

    if (status == 0)
        status = walk_frame(&psx->index, frame, cancel, &found, &changes);
    if (status == 0 && !measured)
        status = psx_frame_trace_make(psx, frame, cancel, &trace);
    if (status == 0) {
        add_u64(text, "draws", counts->draws);
        add_counts(text, &found);
        add_u64(text, "uploads", counts->uploads);
        add_u64(text, "upload_bytes", found.upload_bytes);
        add_u64(text, "state_changes", changes.environment);
        add_u64(text, "texture_changes", changes.texture);
        add_u64(text, "clut_loads", changes.clut_loads);
        add_replayed(text, &trace.write_log,
                     measured ? 0 : pixels_covered(&trace.write_log, psx->index.vram_lines));
    }
    psx_frame_trace_clear(&trace);
    return status;
}

static int write_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_frame(dump, frame, false, cancel, text);
}

static int measure_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text)
{
    (void)piece;
    return write_frame(dump, frame, true, cancel, text);
}

const struct dump_listing psx_frame_statistics = {
    .pieces = psx_frame_one_piece, .piece = write_piece, .measure = measure_piece};

/* Adds the flips per second between the first and the last flip that have a time. */
static void add_rate(struct text *text, const struct psx_index *index, uint64_t *flips)
{
    double first = -1, last = -1;
    uint64_t timed = 0;

    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        double time = psx_frame_time(index, frame);

        if (!psx_frame_flips(index, frame))
            continue;
        ++*flips;
        if (!(time >= 0))
            continue;
        first = timed++ == 0 ? time : first;
        last = time;
    }
    add_u64(text, "flips", *flips);
    if (last > first)
        text_field(text, "flips_per_second", "%.3f", (double)(timed - 1) / (last - first));
    else
        text_field(text, "flips_per_second", "-");
}

int psx_statistics_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_texture_catalog *catalog = psx->catalog;
    struct text text = TEXT_INIT;
    uint64_t flips = 0;
    int status = psx_texture_catalog_wait(psx, cancel);

    (void)key;
    if (status != 0)
        return status;
    add_u64(&text, "frames", psx->index.frame_count);
    add_rate(&text, &psx->index, &flips);
    add_u64(&text, "draws", psx->index.totals.draws);
    add_counts(&text, &catalog->counts);
    add_u64(&text, "uploads", psx->index.totals.uploads);
    add_u64(&text, "upload_bytes", catalog->counts.upload_bytes);
    add_u64(&text, "textures", catalog->texture_count);
    return text_blob(&text, out);
}
