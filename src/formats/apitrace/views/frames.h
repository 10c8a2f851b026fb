/* Frames: what they are, their table, info.txt and summary.txt (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_FRAMES_H
#define GPUDUMPFS_APITRACE_VIEWS_FRAMES_H

#include "formats/apitrace/views/rows.h"

/* struct dump_ops' functions. */
int apitrace_frame_describe(struct dump *dump, uint64_t number, struct dump_frame *out);
int apitrace_frame_next_packet(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *packet);
int apitrace_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text);

/* struct dump_ops' listing. */
APITRACE_HEAD(apitrace_frames_head);
APITRACE_PIECES(apitrace_frames_pieces);
APITRACE_PIECE(apitrace_frames_piece);

/* struct rule's `make`: what a frame did, counted. Key: the frame. */
int apitrace_summary_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

#endif
