/*
 * Starting the worker's process, and seeing it off. It inherits two descriptors
 * beside the standard ones, in the places below; what it writes to its standard
 * error is kept, for the sentence that tells why it died. Any thread.
 */
#ifndef GPUDUMPFS_WORKER_LAUNCH_H
#define GPUDUMPFS_WORKER_LAUNCH_H

#include "worker/trail.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    LAUNCH_SOCKET = 3, /* its end of the socket */
    LAUNCH_TRAIL = 4,  /* a page: struct worker_trail */
};

struct launch {
    pid_t pid;
    int socket;                 /* our end */
    int said;                   /* what it wrote to standard error */
    struct worker_trail *trail; /* mapped */
};

/*
 * Runs `program` with the address space limit as its only argument (bytes; 0: its
 * own default), and what compiles shaders in a hurry or with care. 0 or a negative
 * errno, with nothing left behind.
 */
int launch_start(const char *program, uint64_t memory_limit, bool hurry, struct launch *out);

/*
 * Kills the process if it still runs, waits for its end, appends to `reason` how it
 * ended and the last line it wrote, takes over its trail, and frees everything.
 * `killed` tells that the end is our own doing, and is not worth a word. Returns
 * whether somebody else killed it, by SIGKILL: what it was about is not to blame.
 */
bool launch_end(struct launch *launch, int killed, struct worker_trail *trail, char *reason,
                size_t size);

#endif
