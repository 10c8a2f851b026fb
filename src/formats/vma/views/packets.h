/*
 * packets.tsv, and a packet decoded (vma.md 4.1): all from the lines and the index,
 * without the state. Answers of struct dump_ops, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_PACKETS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_PACKETS_H

#include "formats/vma/dump.h"

/* As dump_packet says; the line is the packet's, the frame may be VMA_NO_FRAME. */
void vma_packet_describe(const struct vma_recording *recording, uint32_t packet, uint32_t frame,
                         const struct vma_line *line, struct dump_packet *out);

void vma_packet_type(struct dump *dump, uint32_t type, struct text *text);
int vma_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text);

int vma_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

#endif
