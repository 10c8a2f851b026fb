/*
 * Packets of the container: packets.tsv and its parts, a packet decoded, a frame's
 * commands. As struct dump_listing's functions.
 */
#ifndef GPUDUMPFS_AEROGPU_PACKET_TEXT_H
#define GPUDUMPFS_AEROGPU_PACKET_TEXT_H

#include "formats/aerogpu/aerogpu.h"

/* packets.tsv, key 0, and a frame's. */
int aerogpu_packets_head(struct dump *dump, uint64_t key, struct text *text);
int aerogpu_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           uint64_t *pieces);
int aerogpu_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                          const struct cancel *cancel, struct text *text);
int aerogpu_frame_packets_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                 uint64_t *pieces);
int aerogpu_frame_packets_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                const struct cancel *cancel, struct text *text);

/* A packet decoded, key = packet. */
int aerogpu_packet_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces);
int aerogpu_packet_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text);

/* A frame's commands, key = frame, each behind its packet's number. */
int aerogpu_frame_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *pieces);
int aerogpu_frame_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                                 const struct cancel *cancel, struct text *text);

#endif
