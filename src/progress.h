/*
 * One line on a terminal for what takes long: how far it is. Nothing is shown
 * where standard error is no terminal, or in the first half second. One thread
 * at a time.
 */
#ifndef GPUDUMPFS_PROGRESS_H
#define GPUDUMPFS_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool wanted;
    bool shown;
    int64_t next; /* milliseconds of the clock: when to show it again */
};

/* Returns whether anything will be shown. */
bool progress_begin(struct progress *progress, bool wanted);

/* `what` may be of any origin: it is escaped, and cut to the terminal's width. */
void progress_show(struct progress *progress, const char *what, uint64_t done, uint64_t total);

/* Leaves an empty line. */
void progress_end(struct progress *progress);

#endif
