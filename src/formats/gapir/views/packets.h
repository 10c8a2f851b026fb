/*
 * packets.tsv, and what a packet is as text: its part of the disassembly (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_PACKETS_H
#define GPUDUMPFS_GAPIR_VIEWS_PACKETS_H

#include "formats/gapir/dump.h"

/* struct dump_ops' functions for packets.tsv. */
void gapir_packet_type(struct dump *dump, uint32_t type, struct text *text);
int gapir_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                      struct text *text);

/* A packet's part of the disassembly; key: the packet. */
int gapir_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces);
int gapir_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text);

#endif
