/*
 * packets.tsv and frames.tsv, and info.txt of a frame (vma.md 4.1, 4.2): all from
 * the lines and the index, without the state. Answers of struct dump_ops.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_PACKETS_H
#define GPUDUMPFS_FORMATS_VMA_PACKETS_H

#include "formats/vma/vma.h"

int vma_packet_table_head(struct dump *dump, uint64_t key, struct text *text);
int vma_packet_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            uint64_t *pieces);
int vma_packet_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                           const struct cancel *cancel, struct text *text);
int vma_frame_packets_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                             uint64_t *pieces);
int vma_frame_packets_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                            const struct cancel *cancel, struct text *text);

int vma_frame_table_head(struct dump *dump, uint64_t key, struct text *text);
int vma_frame_table_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_frame_table_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

int vma_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text);

#endif
