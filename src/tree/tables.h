/*
 * packets.tsv and frames.tsv: the columns that stand first in every format's, and the
 * rows in pieces. A format gives the columns behind them (struct dump_ops: packet_rows,
 * frame_cells). Any thread.
 */
#ifndef GPUDUMPFS_TREE_TABLES_H
#define GPUDUMPFS_TREE_TABLES_H

#include "tree/dump.h"

/* packets.tsv, key 0; a frame's, key = frame; frames.tsv, key 0. */
extern const struct dump_listing tables_packets, tables_frame_packets, tables_frames;

/* The line of names of packets.tsv. */
int tables_packets_head(struct dump *dump, uint64_t key, struct text *text);

/* The beginning of a packet's row: packet, offset, bytes, type, name, frame. */
void tables_packet(struct dump *dump, uint64_t number, const struct dump_packet *packet,
                   struct text *text);

/* In metadata: container, source, size, expanded_size. */
void tables_source(const struct dump *dump, struct metadata *out);

#endif
