/*
 * The .tsv files of a GAPIR mount: struct dump_listing's functions, for the common
 * part of the tree and for rules.c (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_TABLES_H
#define GPUDUMPFS_GAPIR_TABLES_H

#include "formats/gapir/gapir.h"

/* packets.tsv; key 0, and the frame of by-frame/NNNNNN/packets.tsv. */
int gapir_packets_head(struct dump *dump, uint64_t key, struct text *text);
int gapir_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         uint64_t *pieces);
int gapir_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                        const struct cancel *cancel, struct text *text);
int gapir_frame_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                               uint64_t *pieces);
int gapir_frame_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                              const struct cancel *cancel, struct text *text);

int gapir_frames_head(struct dump *dump, uint64_t key, struct text *text);
int gapir_frames_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        uint64_t *pieces);
int gapir_frames_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
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
