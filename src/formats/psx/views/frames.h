/*
 * What the index says of a frame, as text: cells of frames.tsv, info.txt and
 * state.txt (psx-dump.md 4.2, 4.4). Nothing here replays. Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_FRAMES_H
#define GPUDUMPFS_PSX_VIEWS_FRAMES_H

#include "formats/psx/dump.h"

/* Seconds since the first timestamped VSync with 6 decimals, or `-`. */
void psx_frame_time_write(const struct psx_index *index, uint64_t frame, struct text *text);
/* The same as a number; NAN. */
double psx_frame_time(const struct psx_index *index, uint64_t frame);

/* The stamp as it stands in the dump, or `-`. */
void psx_frame_cycles_write(const struct psx_frame *frame, struct text *text);

/* Whether GP1(05) differs from the frame before. */
bool psx_frame_flips(const struct psx_index *index, uint64_t frame);

/* `x,y`, `off` or `empty` */
void psx_display_write(const struct psx_screen *screen, struct text *text);

/* `640x480i@24p` */
void psx_mode_write(const struct psx_screen *screen, struct text *text);

/* info.txt and state.txt; as struct dump_ops has them. */
int psx_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text);
int psx_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);

/* initial/state.txt */
int psx_initial_state(struct dump *dump, const struct cancel *cancel, struct text *text);

#endif
