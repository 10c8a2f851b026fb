/*
 * The index's second pass (index.h): follows the command stream and draws
 * nothing. It can stop after any step and go on later; one thread at a time.
 */
#ifndef GPUDUMPFS_PSX_INDEX_COMMAND_INDEX_H
#define GPUDUMPFS_PSX_INDEX_COMMAND_INDEX_H

#include "formats/psx/index/walk.h"

/* `max_checkpoints`: how many the index's memory allows; the distance between them follows. */
int psx_command_index_create(struct psx_index *index, uint64_t max_checkpoints,
                             struct psx_command_index **out);
void psx_command_index_destroy(struct psx_command_index **command_index);

/*
 * Goes on for a few milliseconds at most, and not beyond what is indexed of a dump
 * that grows. 0, with *ended set when all is done, or -ENOMEM. What is known afterwards is told by
 * the two functions below.
 */
int psx_command_index_advance(struct psx_command_index *command_index, bool *ended);

uint64_t psx_command_index_packets(
    const struct psx_command_index *command_index); /* checkpoints reach this packet */
uint64_t psx_command_index_frames(
    const struct psx_command_index *command_index); /* counts of these frames are final */

/* Nothing that is told of these frames will change: no command that began in them goes on. */
uint64_t psx_command_index_whole_frames(const struct psx_command_index *command_index);

#endif
