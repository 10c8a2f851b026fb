/* SPDX-License-Identifier: MIT */
/*
 * packets.tsv and frames.tsv: the columns that come first in every format's tables, and the rows in
 * pieces. A format supplies the columns after these (struct dump_table_ops).
 * Any thread.
 */
#ifndef GPUDUMPFS_TREE_TABLES_H
#define GPUDUMPFS_TREE_TABLES_H

#include "tree/dump.h"

/*
 * packets.tsv, key 0; packets.tsv of a frame, key = frame; frames.tsv, key 0; and frames.tsv for
 * formats that have measure_frame_cells().
 */
extern const struct dump_listing tables_packets, tables_frame_packets, tables_frames,
    tables_measured_frames;

/* Appends the line of column names of packets.tsv. */
int tables_packets_head(struct dump *dump, uint64_t key, struct text *text);

/* Appends the beginning of a packet's row: packet, offset, bytes, type, name, frame. */
void tables_packet(struct dump *dump, uint64_t number, const struct dump_packet *packet,
                   struct text *text);

/*
 * Adds metadata that all formats have: container, source, size and expanded_size. The format adds
 * format and version before these and what it counts after them; the tree adds problems.
 */
void tables_source(const struct dump *dump, struct metadata *out);

struct tables_totals {
    uint64_t packets, frames;
    bool unfinished; /* the last frame has no end */
    double duration; /* seconds; negative if not known */
};

/*
 * Adds packets, frames, frames_finished, unfinished, width and height (the greatest of all
 * pictures), and duration. May wait, as frames.tsv does. Returns 0 or -errno.
 */
int tables_totals(struct dump *dump, const struct tables_totals *totals,
                  const struct cancel *cancel, struct metadata *out);

#endif
