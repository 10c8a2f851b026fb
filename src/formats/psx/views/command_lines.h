/*
 * Writes the lines of a stretch of the command stream. A command that goes on
 * behind the stretch is followed to its end on a walk of its own, so that its
 * line is whole and stands where it began. One thread per struct.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_COMMAND_LINES_H
#define GPUDUMPFS_PSX_VIEWS_COMMAND_LINES_H

#include "formats/psx/index/walk.h"
#include "formats/psx/views/format_command.h"

struct psx_lines {
    struct text *text;
    const struct cancel *cancel;
    unsigned packet_digits, line_digits, draw_digits, upload_digits;
    struct psx_polyline *polyline; /* room for one; psx_lines_init() makes it */
};

/* Digits as the counts of a frame need them; NULL: the fewest. 0 or -ENOMEM. */
int psx_lines_init(struct psx_lines *lines, struct text *text, const struct cancel *cancel,
                   unsigned packet_digits, const struct psx_frame_counts *counts);
void psx_lines_clear(struct psx_lines *lines);

/*
 * Lines of all that begins from the walk's position on and before word `word` of
 * packet `packet`; the walk ends there. 0 or -EINTR.
 */
int psx_lines_write(struct psx_lines *lines, struct psx_walk *walk, uint64_t packet, uint32_t word);

/*
 * From a step that begins a command to the end of that command. `command` has
 * room for a polyline, *end_packet is where its last word stands. 0 or -EINTR.
 */
int psx_command_follow(const struct psx_walk *walk, const struct psx_step *step,
                       const struct cancel *cancel, struct psx_command *command,
                       uint64_t *end_packet);

#endif
