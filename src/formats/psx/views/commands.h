/*
 * commands.txt and packets/BBBBB/NNNNNNNN-NAME.txt: the command stream as lines
 * (psx-dump.md 4.3). Pieces of both are what lies between two checkpoints of the
 * index. Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_COMMANDS_H
#define GPUDUMPFS_PSX_VIEWS_COMMANDS_H

#include "formats/psx/dump.h"

/* A frame's commands; key = frame. */
int psx_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);
int psx_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* As dump_ops says: the line's number, packet and word, and the number of its draw or upload. */
size_t psx_command_place(const char *line, size_t length, unsigned *inside);

/* A packet decoded; key = packet. */
int psx_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int psx_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

#endif
