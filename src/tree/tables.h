/* SPDX-License-Identifier: MIT */
/*
 * packets.tsv and frames.tsv: the columns that stand first in every format's, and the
 * rows in pieces. A format gives the columns behind them (struct dump_ops: packet_rows,
 * frame_cells). Any thread.
 */
#ifndef GPUDUMPFS_TREE_TABLES_H
#define GPUDUMPFS_TREE_TABLES_H

#include "tree/dump.h"

/*
 * packets.tsv, key 0; a frame's, key = frame; frames.tsv, key 0, and for formats that have
 * measure_frame_cells().
 */
extern const struct dump_listing tables_packets, tables_frame_packets, tables_frames,
    tables_measured_frames;

/* The line of names of packets.tsv. */
int tables_packets_head(struct dump *dump, uint64_t key, struct text *text);

/* The beginning of a packet's row: packet, offset, bytes, type, name, frame. */
void tables_packet(struct dump *dump, uint64_t number, const struct dump_packet *packet,
                   struct text *text);

/*
 * Metadata that all formats have: format and version are the format's, behind them stands
 * container, source, size, expanded_size, then what is counted; the tree adds problems.
 */
void tables_source(const struct dump *dump, struct metadata *out);

struct tables_totals {
    uint64_t packets, frames;
    bool unfinished; /* the last frame has no end */
    double duration; /* seconds; negative: not known */
};

/*
 * packets, frames, frames_finished, unfinished; width and height: the greatest of all
 * pictures; duration. May wait as frames.tsv does. 0 or a negative errno.
 */
int tables_totals(struct dump *dump, const struct tables_totals *totals,
                  const struct cancel *cancel, struct metadata *out);

#endif
