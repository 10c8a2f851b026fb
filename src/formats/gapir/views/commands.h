/*
 * calls.txt and a frame's commands.txt: the executed CALLs, written while the
 * program runs once more (gapir.md 4.2). A piece is what runs between two marks
 * of the index.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_COMMANDS_H
#define GPUDUMPFS_GAPIR_VIEWS_COMMANDS_H

#include "formats/gapir/dump.h"

extern const struct dump_listing gapir_calls_listing; /* key 0 */

/* A frame's lines of calls.txt; key: the frame. */
int gapir_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces);
int gapir_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text);

/* As dump_ops says: packet, instruction, label and thread. */
size_t gapir_command_place(const char *line, size_t length, unsigned *inside);

#endif
