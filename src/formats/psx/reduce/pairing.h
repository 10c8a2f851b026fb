/* SPDX-License-Identifier: MIT */
/*
 * Two dumps item beside item, so that both can be reduced in step: what is equal in both, then
 * what has the same form; beside an item that only one dump has, the other gets an empty one.
 * One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_PAIRING_H
#define GPUDUMPFS_PSX_REDUCE_PAIRING_H

#include "formats/psx/reduce/items.h"

/*
 * Both have as many items in the end. Items of a pair have the same form, command and number of
 * words, or one is empty; what is fixed in one is in both. 0, -ENOMEM or
 * -EINTR.
 */
int psx_items_pair(struct psx_items *a, struct psx_items *b, const struct cancel *cancel);

#endif
