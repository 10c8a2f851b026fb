/*
 * The commands of a frame (vma.md 4.3), and the values of parameters as texts. Answers
 * of struct dump_ops, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_COMMANDS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_COMMANDS_H

#include "formats/vma/dump.h"

int vma_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);
int vma_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* As dump_ops says: packet, thread and time; of a line that was refused the packet alone. */
size_t vma_command_place(const char *line, size_t length, unsigned *inside);

/*
 * One parameter's value: decoded; with `number` also as it stands. Whether the call has
 * the parameter at all depends on the recording's version and the line.
 */
void vma_value_write(const struct vma_recording *recording, const struct vma_call *call,
                     const struct vma_parameter *parameter, bool number, struct text *text);
bool vma_call_has_parameter(const struct vma_call *call, const struct vma_parameter *parameter);

/* Seconds with three digits. */
void vma_time_write(uint64_t milliseconds, struct text *text);

#endif
