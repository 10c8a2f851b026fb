/* SPDX-License-Identifier: MIT */
/* Descriptors that a new process has of another, and that it is to have no more. One thread. */
#ifndef GPUDUMPFS_BASE_DESCRIPTORS_H
#define GPUDUMPFS_BASE_DESCRIPTORS_H

/* Closes those from `first` to `last`; one by one where there is no close_range, before Linux 5.9.
 */
void descriptors_close(unsigned first, unsigned last);

#endif
