/* SPDX-License-Identifier: MIT */
/*
 * Pairs the items of two dumps, so that both dumps can be reduced in step: first equal items, then
 * items of the same form. An item that only one dump has is paired with an empty item in the other.
 * One thread.
 */
#ifndef GPUDUMPFS_PSX_REDUCE_PAIRING_H
#define GPUDUMPFS_PSX_REDUCE_PAIRING_H

#include "formats/psx/reduce/items.h"

/*
 * Pairs the items by inserting empty ones, until both dumps have the same number. The items of a
 * pair have the same form, command and number of words, or one of them is empty. If one of them is
 * fixed, both are. Returns 0, -ENOMEM or -EINTR.
 */
int psx_items_pair(struct psx_items *a, struct psx_items *b, const struct cancel *cancel);

#endif
