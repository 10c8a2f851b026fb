/*
 * Lines as texts: a packet decoded, and the commands of a frame (vma.md 4.1, 4.3).
 * Answers of struct dump_ops, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_COMMANDS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_COMMANDS_H

#include "formats/vma/dump.h"

int vma_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

int vma_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);
int vma_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* As dump_ops says: packet, thread and time; of a line that was refused the packet alone. */
size_t vma_command_place(const char *line, size_t length, unsigned *inside);

/* Seconds with three digits. */
void vma_time_write(uint64_t milliseconds, struct text *text);

#endif
