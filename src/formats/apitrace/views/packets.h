/* Packets, which are calls: their tables, bytes and texts (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PACKETS_H
#define GPUDUMPFS_APITRACE_VIEWS_PACKETS_H

#include "formats/apitrace/views/rows.h"

/* struct dump_ops' functions. */
int apitrace_packet_describe(struct dump *dump, uint64_t number, struct dump_packet *out);
int apitrace_packet_read(struct dump *dump, uint64_t number, const struct cancel *cancel,
                         struct blob **out);

/* struct dump_ops' listings. */
APITRACE_HEAD(apitrace_packets_head);
APITRACE_PIECES(apitrace_packets_pieces);
APITRACE_PIECE(apitrace_packets_piece);
APITRACE_PIECES(apitrace_frame_pieces); /* key: the frame; of its calls as they are listed */
APITRACE_PIECE(apitrace_frame_packets_piece);
APITRACE_PIECES(apitrace_packet_text_pieces);
APITRACE_PIECE(apitrace_packet_text_piece);

#endif
