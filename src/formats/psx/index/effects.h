/* SPDX-License-Identifier: MIT */
/*
 * What a step of the command stream does to VRAM and to the two latches, in tiles
 * and without drawing: what it may write, what it wholly overwrites, what its
 * pixels depend on. Always on the safe side: `part`, `read` and `palette` may be
 * too large, `full` too small. Facts: psx-gpu.md 3, 6, 11, psx-dump.md 3.7. Pure
 * functions.
 *
 * The destination of blending or of a mask check needs no `read`: what is not
 * `full` never frees a tile from its former contents, so they stay needed anyway.
 */
#ifndef GPUDUMPFS_PSX_INDEX_EFFECTS_H
#define GPUDUMPFS_PSX_INDEX_EFFECTS_H

#include "formats/psx/gpu/gp0.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/tiles.h"
#include "source/kept.h"

#include <stdatomic.h>
#include <stdint.h>

struct psx_effects {
    struct psx_tile_box part;    /* what it may write at all */
    struct psx_tile_box full;    /* what of it is certain to be overwritten, every pixel */
    struct psx_tile_box read;    /* texels, a copy's source; what a read latches */
    struct psx_tile_box palette; /* what it latches as palette, before it draws */
    uint8_t uses;                /* latches that its pixels depend on */
    uint8_t fills;               /* latches that it overwrites */
    /* The same to the pixel, where memory has it. */
    struct psx_box part_pixels, full_pixels, read_pixels, palette_pixels;
};

/*
 * Whether an event acts at all: draws, moves pixels, or fills a latch. The others
 * change registers and the parser alone.
 */
bool psx_event_acts(const struct psx_gp0_event *event);

/*
 * The effects of a command that acts, an upload's data aside; a polyline's segment
 * comes as the line of psx_state_segment(). `clut` is the palette latch before it.
 */
void psx_effects_of(const struct psx_gp0_event *event, const struct psx_registers *registers,
                    const struct psx_clut_key *clut, struct psx_effects *out);

/*
 * The effects of an upload's data, from halfword `from` to halfword `to` of it, between
 * which `lines` stay. `masked`: it heeds the mask check, as E6 stands.
 */
void psx_effects_of_upload(const struct psx_transfer *upload, struct psx_vram_lines lines,
                           uint32_t from, uint32_t to, bool masked, struct psx_effects *out);

/* Whether the upload under way heeds a mask check, by E6 and psx_state_ignores_mask(). */
bool psx_upload_is_masked(const struct psx_state *state);

/* Where primitives may draw at all: the drawing area. */
struct psx_tile_box psx_effects_area(const struct psx_registers *registers);

/* All that a texture page with that depth can be read from, whatever the coordinates. */
struct psx_tile_box psx_effects_page(unsigned page, unsigned depth, struct psx_vram_lines lines);

/* What a palette that is latched now is read from. */
struct psx_tile_box psx_effects_palette(const struct psx_clut_key *key,
                                        struct psx_vram_lines lines);

/*
 * What a stretch of the command stream does to VRAM as a whole: enough to pass
 * over it when a picture does not depend on it (psx-dump.md 3.7). Made as the
 * index follows the stream, so it is rough where that saves time: a primitive
 * counts as writing all of its drawing area and as reading all of its texture
 * page. What it is certain to overwrite is exact. One thread per maker.
 */

struct psx_tile_summary {
    struct psx_tiles written; /* by any of its ops, in part or in full */
    struct psx_tiles killed;  /* overwritten in full by one of its ops */
    struct psx_tiles exposed; /* read by one of its ops, none before having overwritten it */
    struct psx_tiles drawn;   /* as `written`, by others than uploads that are listed */
};

/* Zero-initialised at the start of a stretch. */
struct psx_tile_summary_maker {
    struct psx_tile_summary summary;
    uint32_t area[3];       /* E3, E4 and GP1(09) whose area is in `written` */
    uint64_t pages[3];      /* by depth: a bit for each page that is in `exposed` */
    uint32_t data_from;     /* where data begins that is not in `written` yet */
    bool has_area, in_data; /* those of the above that count */
    bool lists;  /* an upload or a copy that is whole is listed (upload_list.h); the caller's … */
    bool listed; /* … to do: the upload that has just ended, or the copy */
};

/* The next event of the stretch; `before` is the state it meets. */
void psx_tile_summary_event(struct psx_tile_summary_maker *maker, const struct psx_state *before,
                            const struct psx_gp0_event *event);

/*
 * No more data comes for the upload under way in this stretch, or none as before: `state` is
 * where the stretch ends, or before the GP1 word that drops the upload or tells other lines.
 */
void psx_tile_summary_end_data(struct psx_tile_summary_maker *maker, const struct psx_state *state);

/*
 * What is in the summary already, so that primitives that need no more add nothing to it: the
 * drawing area; the texture page of E1, and the palette that is latched if it takes one.
 */
bool psx_tile_summary_has_area(const struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);
bool psx_tile_summary_has_texture(const struct psx_tile_summary_maker *maker,
                                  const struct psx_state *state);

/*
 * Whether the summary takes the box of a polygon or a rectangle in place of the drawing area, since
 * it may overwrite all of it: rectangles, and quads whose first two corners, as sent, could be
 * one's.
 */
bool psx_tile_summary_takes_box(uint8_t op, uint32_t first, uint32_t second);

/* Adds the drawing area, as primitives do that are not told any closer. */
void psx_tile_summary_add_area(struct psx_tile_summary_maker *maker,
                               const struct psx_registers *registers);

/* Adds one op's effects, which the caller knows exactly. */
void psx_tile_summary_add(struct psx_tile_summary *summary, const struct psx_effects *effects);

/*
 * The summaries of all stretches of the command stream, from one checkpoint of the
 * index to the next, kept small: rows that are equal to the row above take no
 * room, stretches that do nothing share one record. Appended by one thread; read
 * by any, up to psx_tile_summary_store_count().
 */

struct psx_tile_summary_store {
    uint16_t *units;   /* address space for the largest number; used as it fills */
    uint32_t *offsets; /* of each record, in units */
    uint64_t max;
    uint64_t used; /* of units */
    atomic_uint_fast64_t count;
};

/* Room for `max` stretches. 0 or -ENOMEM. */
int psx_tile_summary_store_init(struct psx_tile_summary_store *summaries, uint64_t max);
void psx_tile_summary_store_clear(struct psx_tile_summary_store *summaries);

/* -ENOSPC when there is no room left. */
int psx_tile_summary_store_add(struct psx_tile_summary_store *summaries,
                               const struct psx_tile_summary *summary);

static inline uint64_t psx_tile_summary_store_count(const struct psx_tile_summary_store *summaries)
{
    return atomic_load_explicit(&summaries->count, memory_order_acquire);
}

/* From one opening of the dump to the next; what is restored is to be cleared in any case. */
void psx_tile_summary_store_keep(const struct psx_tile_summary_store *summaries,
                                 struct kept_writer *writer);
void psx_tile_summary_store_restore(struct psx_tile_summary_store *summaries,
                                    struct kept_reader *reader);

/* number < psx_tile_summary_store_count(); the second gives a part of it faster. */
void psx_tile_summary_store_get(const struct psx_tile_summary_store *summaries, uint64_t number,
                                struct psx_tile_summary *out);
void psx_tile_summary_store_get_written(const struct psx_tile_summary_store *summaries,
                                        uint64_t number, struct psx_tiles *out);
void psx_tile_summary_store_get_drawn(const struct psx_tile_summary_store *summaries,
                                      uint64_t number, struct psx_tiles *out);

#endif
