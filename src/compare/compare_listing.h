/* SPDX-License-Identifier: MIT */
/*
 * A frame's commands, both as they are compared and as they are shown, and what is reported of one
 * of their lines. One thread; may take long.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_LISTING_H
#define GPUDUMPFS_COMPARE_COMPARE_LISTING_H

#include "compare/compare.h"
#include "compare/text_diff.h"

struct compare_listing {
    struct text compared, shown;
    struct text_diff_lines lines, places, commands; /* places: complete lines of commands.txt */
};

/*
 * Reads the commands of a frame; there are no lines if it has none. Returns 0 or -errno. Call
 * compare_listing_clear() even if this fails.
 */
int compare_listing_read(struct tree *tree, uint64_t frame, const struct cancel *cancel,
                         struct compare_listing *out);
void compare_listing_clear(struct compare_listing *listing);

/* A line in one of the two frames; `line` is ALIGN_NONE if only the other frame has the line. */
struct compare_place {
    uint64_t line, packet, draw;
};

/*
 * Sets the numbers of packet and draw in the line of a place; DUMP_NOT_KNOWN where there is none.
 */
void compare_listing_number(const struct compare_side *side, const struct compare_listing *listing,
                            struct compare_place *place);

/* Returns two lines as a JSON object: frames, lines, packets, draws and commands. */
json_t *compare_listing_describe(const struct align_pair *pair,
                                 const struct compare_place places[2],
                                 const struct compare_listing listings[2]);

/* Sets this object as `draw`, and the reason `why`, unless an earlier draw was found already. */
void compare_listing_set_draw(json_t *found, json_t *draw, const char *why);

#endif
