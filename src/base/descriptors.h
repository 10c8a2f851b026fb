/* SPDX-License-Identifier: MIT */
/* Descriptors that a new process has of another, and that it is to have no more. One thread. */
#ifndef GPUDUMPFS_BASE_DESCRIPTORS_H
#define GPUDUMPFS_BASE_DESCRIPTORS_H

#include <stddef.h>

/* Closes those from `first` to `last`; one by one where there is no close_range, before Linux 5.9.
 */
void descriptors_close(unsigned first, unsigned last);

/* Closes those from `first` on but the `count` that are kept; -1 among these is none. */
void descriptors_close_others(unsigned first, const int *kept, size_t count);

#endif
