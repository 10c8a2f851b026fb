/*
 * What packets.tsv and frames.tsv have behind the common columns (psx-dump.md 4.2).
 * Any thread.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_PACKETS_H
#define GPUDUMPFS_PSX_VIEWS_PACKETS_H

#include "formats/psx/dump.h"

/* As dump_packet says; `frame` likewise. */
void psx_packet_describe(const struct psx_packet *packet, uint64_t frame, struct dump_packet *out);

/* What struct dump_ops asks for tables. */
void psx_packet_type(struct dump *dump, uint32_t type, struct text *text);
int psx_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text);
int psx_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                    struct text *text);

#endif
