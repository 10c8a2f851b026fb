/*
 * The listings of a trace's mount that are made in pieces (apitrace.md 4): tables of
 * packets, frames, threads, blobs, markers and errors, and the calls of frames.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_TABLES_H
#define GPUDUMPFS_APITRACE_VIEWS_TABLES_H

#include "formats/apitrace/dump.h"

#define APITRACE_HEAD(name) int name(struct dump *dump, uint64_t key, struct text *text)
#define APITRACE_PIECES(name)                                                                      \
    int name(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *pieces)
#define APITRACE_PIECE(name)                                                                       \
    int name(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,         \
             struct text *text)

/* struct dump_ops' listings. */
APITRACE_HEAD(apitrace_packets_head);
APITRACE_PIECES(apitrace_packets_pieces);
APITRACE_PIECE(apitrace_packets_piece);
APITRACE_PIECES(apitrace_frame_pieces); /* key: the frame; of its calls as they are listed */
APITRACE_PIECE(apitrace_frame_packets_piece);
APITRACE_HEAD(apitrace_frames_head);
APITRACE_PIECES(apitrace_frames_pieces);
APITRACE_PIECE(apitrace_frames_piece);
APITRACE_PIECES(apitrace_packet_text_pieces);
APITRACE_PIECE(apitrace_packet_text_piece);

/* Rules' listings; of frames: key is the frame. */
extern const struct dump_listing apitrace_calls_listing, apitrace_calls_oneline_listing,
    apitrace_calls_verbose_listing;
extern const struct dump_listing apitrace_shaders_listing, apitrace_textures_listing;
extern const struct dump_listing apitrace_blobs_listing, apitrace_markers_listing,
    apitrace_errors_listing, apitrace_threads_listing;

/* `hidden,fake` and the like; "ok". */
void apitrace_status_text(unsigned marks, struct text *text);

#endif
