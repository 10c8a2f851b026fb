/*
 * Packets of the container: rows of packets.tsv, a packet decoded. As struct dump_ops' and struct
 * dump_listing's functions.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_PACKETS_H
#define GPUDUMPFS_AEROGPU_VIEWS_PACKETS_H

#include "formats/aerogpu/dump.h"

/* As dump_packet says. */
void aerogpu_packet_describe(const struct aerogpu_dump *dump, uint64_t number,
                             const struct aerogpu_record *record, struct dump_packet *out);

/* Its rows in packets.tsv. */
int aerogpu_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text);

/* A packet decoded, key = packet. */
int aerogpu_packet_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces);
int aerogpu_packet_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text);

#endif
