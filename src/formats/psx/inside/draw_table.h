/*
 * draws.tsv, for the rules: a listing whose pieces are those of commands.txt; key
 * = frame. Any thread.
 */
#ifndef GPUDUMPFS_PSX_INSIDE_DRAW_TABLE_H
#define GPUDUMPFS_PSX_INSIDE_DRAW_TABLE_H

#include "tree/dump.h"

int psx_draw_table_head(struct dump *dump, uint64_t frame, struct text *text);
int psx_draw_table_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                         const struct cancel *cancel, struct text *text);
int psx_draw_table_measure(struct dump *dump, uint64_t frame, uint64_t piece,
                           const struct cancel *cancel, struct text *text);

#endif
