/*
 * packets.tsv of the dump and of a frame, and frames.tsv (psx-dump.md 4.2), in
 * pieces of 1024 rows. Any thread.
 */
#ifndef GPUDUMPFS_PSX_TABLES_H
#define GPUDUMPFS_PSX_TABLES_H

#include "formats/psx/psx.h"

int psx_packet_table_head(struct dump *dump, uint64_t key, struct text *text);
int psx_packet_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces);
int psx_packet_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text);

/* key = frame */
int psx_frame_packets_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                             uint64_t *pieces);
int psx_frame_packets_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                            const struct cancel *cancel, struct text *text);

int psx_frame_table_head(struct dump *dump, uint64_t key, struct text *text);
int psx_frame_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces);
int psx_frame_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

#endif
