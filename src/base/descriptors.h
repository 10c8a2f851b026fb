/* SPDX-License-Identifier: MIT */
/*
 * Closing descriptors that a new process inherited from its parent and should not have. One thread.
 */
#ifndef GPUDUMPFS_BASE_DESCRIPTORS_H
#define GPUDUMPFS_BASE_DESCRIPTORS_H

#include <stddef.h>

/*
 * Closes all descriptors from `first` to `last`; one by one on kernels without close_range(),
 * before Linux 5.9.
 */
void descriptors_close(unsigned first, unsigned last);

/*
 * Closes all descriptors from `first` on, except the `count` ones in `kept`. Entries of -1 are
 * ignored.
 */
void descriptors_close_others(unsigned first, const int *kept, size_t count);

#endif
