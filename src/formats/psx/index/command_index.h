/*
 * The index's second pass (index.h): follows the command stream and draws
 * nothing. It can stop after any step and go on later; one thread at a time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_COMMAND_INDEX_H
#define GPUDUMPFS_PSX_INDEX_COMMAND_INDEX_H

#include "formats/psx/index/walk.h"

/* `most_places`: how many the index's memory allows; the distance between them follows. */
int psx_deep_create(struct psx_index *index, uint64_t most_places, struct psx_deep **out);
void psx_deep_destroy(struct psx_deep **deep);

/*
 * Goes on for a few milliseconds at most, and not beyond what is indexed of a dump
 * that grows. 0, with *ended set when all is done, or -ENOMEM. What is known afterwards is told by
 * the two functions below.
 */
int psx_deep_advance(struct psx_deep *deep, bool *ended);

uint64_t psx_deep_packets(const struct psx_deep *deep); /* places reach this packet */
uint64_t psx_deep_frames(const struct psx_deep *deep);  /* counts of these frames are final */

/* Nothing that is told of these frames will change: no command that began in them goes on. */
uint64_t psx_deep_whole_frames(const struct psx_deep *deep);

#endif
