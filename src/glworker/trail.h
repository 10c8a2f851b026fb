/* Writing worker/trail.h: what the worker is about. One thread. */
#ifndef GPUDUMPFS_GLWORKER_TRAIL_H
#define GPUDUMPFS_GLWORKER_TRAIL_H

#include "worker/trail.h"

/* Maps the page that the daemon reads. 0 or a negative errno. */
int trail_open(int fd);

/* From here on `act`, about these (NULL: nothing), until the next call. */
void trail_act(enum worker_act act, const uint64_t subjects[WORKER_SUBJECTS]);

/* The same about one. */
void trail_act_on(enum worker_act act, uint64_t subject);

/* The command that is run, by its offset in the stream. */
void trail_place(uint32_t offset);

#endif
