/*
 * Texts of frames: frames.tsv, info.txt, state.txt, draws.tsv, hashes. As struct
 * dump_ops' and struct rule's members.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_FRAMES_H
#define GPUDUMPFS_AEROGPU_VIEWS_FRAMES_H

#include "formats/aerogpu/dump.h"

extern const struct dump_listing aerogpu_draw_table, aerogpu_hash_listing,
    aerogpu_frame_hash_listing;

int aerogpu_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct text *text);
int aerogpu_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
int aerogpu_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text);
/* Whether a frame has a line in hashes.txt. */
int aerogpu_has_hash(struct dump *dump, uint64_t frame);

#endif
