/*
 * frames.tsv and a frame's info.txt (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_FRAMES_H
#define GPUDUMPFS_GAPIR_VIEWS_FRAMES_H

#include "formats/gapir/dump.h"

/* struct dump_ops' functions. */
int gapir_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

int gapir_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct text *text);

#endif
