/*
 * The index's first pass (index.h): packet headers, VSyncs, GP1 words, strings.
 */
#ifndef GPUDUMPFS_PSX_INDEX_PACKET_INDEX_H
#define GPUDUMPFS_PSX_INDEX_PACKET_INDEX_H

#include "formats/psx/index/index.h"

/* How much of the index's memory the packet pass may use. */
struct psx_packet_index_limits {
    uint64_t packets, frames;
};

/* Fills the packet pass's part of an index whose data, size, magic and defects are set. */
int psx_packet_index_make(struct psx_index *index, const struct psx_packet_index_limits *limits,
                          const struct cancel *cancel);

/*
 * The same of a dump that grows, whose arrays are made for all that the limits allow.
 * What it finds is not yet counted in the index: psx_packet_index_publish() does that.
 */
int psx_packet_index_create(struct psx_index *index, const struct psx_packet_index_limits *limits,
                            struct psx_packet_index **out);
void psx_packet_index_destroy(struct psx_packet_index **packet_index);

/*
 * Goes on over the whole packets of the first `size` bytes; with `all`, to the end,
 * as psx_packet_index_make() does. 0, -ENOMEM, -EINTR.
 */
int psx_packet_index_advance(struct psx_packet_index *packet_index, uint64_t size, bool all,
                             const struct cancel *cancel);

/* Whether a limit was reached: the dump is taken to end there. */
bool psx_packet_index_is_limited(const struct psx_packet_index *packet_index);

/* So many frames have ended, or all begun with `all`; index->frames has that many and one more. */
uint64_t psx_packet_index_frames(const struct psx_packet_index *packet_index);

/* Counts the first `frames` in the index, and what comes with them; all if `all`. */
void psx_packet_index_publish(struct psx_packet_index *packet_index, uint64_t frames, bool all);

#endif
