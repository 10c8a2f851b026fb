/*
 * What the worker takes from itself, so that whoever takes it over through a
 * driver or a shader compiler gains nothing (worker.md 4).
 */
#ifndef GPUDUMPFS_GLWORKER_CONFINE_H
#define GPUDUMPFS_GLWORKER_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Layers that hold, as bits. */
enum confine_layer {
    CONFINE_LIMITS = 1,       /* memory, no core files, no files written */
    CONFINE_READ_ONLY = 2,    /* Landlock: files can be read, none written or run */
    CONFINE_NO_NETWORK = 4,   /* seccomp: no sockets, no other processes */
    CONFINE_SYSTEM_CALLS = 8, /* seccomp: a list of calls, and no new files */
};

/*
 * At the start, before a byte from outside is read. memory_limit in bytes, 0: a
 * default; whether the process was given files for compiled shaders. Returns the layers
 * that this kernel grants.
 */
unsigned confine_start(uint64_t memory_limit, bool shaders);

/*
 * Once drivers are loaded: only what computing needs. Returns 0 or a negative
 * errno, where the kernel has no seccomp.
 */
int confine_finish(void);

/* All layers that hold now. */
unsigned confine_layers(void);

/* Before each message: renews the processor time that it may take. */
void confine_time(void);

/* A thread that ends the process when the socket's other end is closed. */
int confine_watch(int socket);

#endif
