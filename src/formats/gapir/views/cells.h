/*
 * What the tables and texts of a GAPIR mount share: labels, sites and extents.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_CELLS_H
#define GPUDUMPFS_GAPIR_VIEWS_CELLS_H

#include "base/text.h"
#include "formats/gapir/index.h"

/* False: the label that stands for no command, and what runs before the first one. */
bool gapir_is_command(uint32_t label);

/* `label: 12`, a line of its own. */
void gapir_field_label(struct text *text, uint32_t label);

/* `constants`, `volatile`, `window:3`; `-` for nowhere. */
void gapir_write_region(const struct gapir_extent *extent, struct text *text);

/* Cells, each after a tab: a label; packet, pc, label; bytes, region, offset. */
void gapir_cell_label(struct text *text, uint32_t label);
void gapir_cells_site(struct text *text, const struct gapir_site *site);
void gapir_cells_extent(struct text *text, const struct gapir_extent *extent);

#endif
