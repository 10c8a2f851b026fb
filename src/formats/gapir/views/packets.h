/*
 * The .tsv files of a GAPIR mount: the format's columns of the common tables, and
 * listings for rules.c (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_PACKETS_H
#define GPUDUMPFS_GAPIR_VIEWS_PACKETS_H

#include "formats/gapir/dump.h"

/* struct dump_ops' functions for packets.tsv and frames.tsv. */
void gapir_packet_type(struct dump *dump, uint32_t type, struct text *text);
int gapir_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                      struct text *text);
int gapir_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

/* Key 0 each. */
extern const struct dump_listing gapir_functions_listing;
extern const struct dump_listing gapir_opcodes_listing;
extern const struct dump_listing gapir_resources_listing;
extern const struct dump_listing gapir_posts_listing;
extern const struct dump_listing gapir_notifications_listing;
extern const struct dump_listing gapir_fences_listing;
extern const struct dump_listing gapir_windows_listing;

/* `constants`, `volatile`, `window:3`; `-` for nowhere. */
void gapir_write_region(const struct gapir_extent *extent, struct text *text);

#endif
