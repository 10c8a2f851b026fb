/* Writing worker/breadcrumb.h: what the worker is about. One thread. */
#ifndef GPUDUMPFS_GLWORKER_BREADCRUMB_H
#define GPUDUMPFS_GLWORKER_BREADCRUMB_H

#include "worker/breadcrumb.h"

/* Maps the page that the daemon reads. 0 or a negative errno. */
int breadcrumb_open(int fd);

/* From here on this, about these (NULL: nothing), until the next call. */
void breadcrumb_set(enum breadcrumb_activity activity,
                    const uint64_t subjects[BREADCRUMB_SUBJECTS]);

/* The same about one. */
void breadcrumb_set_one(enum breadcrumb_activity activity, uint64_t subject);

/* The command that is run, by its offset in the stream. */
void breadcrumb_move(uint32_t offset);

#endif
