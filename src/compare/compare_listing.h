/* SPDX-License-Identifier: MIT */
/*
 * A frame's commands as they are compared and as they are shown, and what is told of a line of
 * them. One thread; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_LISTING_H
#define GPUDUMPFS_COMPARE_COMPARE_LISTING_H

#include "compare/compare.h"
#include "compare/text_diff.h"

struct compare_listing {
    struct text compared, shown;
    struct text_diff_lines lines, places, commands; /* places: whole lines of commands.txt */
};

/* A frame without commands has no lines. 0 or -errno; to be cleared in any case. */
int compare_listing_read(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct compare_listing *out);
void compare_listing_clear(struct compare_listing *listing);

/* A line of one of the two frames; `line` is ALIGN_NONE if the other frame alone has one. */
struct compare_place {
    uint64_t line, packet, draw;
};

/* Sets the numbers of packet and draw, DUMP_NOT_KNOWN where there is none, of a place's line. */
void compare_listing_number(const struct compare_side *side, const struct compare_listing *listing,
                            struct compare_place *place);

/* Two lines as they stand in JSON: frames, lines, packets, draws and commands. */
json_t *compare_listing_describe(const struct align_pair *pair,
                                 const struct compare_place places[2],
                                 const struct compare_listing listings[2]);

/* Sets such an object as `draw`, and why it is one, unless a draw was found that comes before. */
void compare_listing_set_draw(json_t *found, json_t *draw, const char *why);

#endif
