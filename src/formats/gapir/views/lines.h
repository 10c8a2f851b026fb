/*
 * The static listings of a GAPIR mount: the disassembly, by marks of the decode
 * pass, and the constants as a hexdump. struct dump_listing's functions.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_LINES_H
#define GPUDUMPFS_GAPIR_VIEWS_LINES_H

#include "formats/gapir/dump.h"

extern const struct dump_listing gapir_disassembly_listing; /* key 0 */
extern const struct dump_listing gapir_constants_listing;   /* key 0 */

/* A packet's part of the disassembly; key: the packet. */
int gapir_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces);
int gapir_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text);

#endif
