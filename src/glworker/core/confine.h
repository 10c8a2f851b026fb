/* SPDX-License-Identifier: MIT */
/*
 * The confinement of the worker: the process gives up privileges, so that code that takes it over
 * through a driver or a shader compiler gains nothing (worker.md 4). For the process's main thread;
 * confine_watch() starts a second thread, which runs beside it.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_CONFINE_H
#define GPUDUMPFS_GLWORKER_CORE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Layers of the confinement, as bits. */
enum confine_layer {
    CONFINE_LIMITS = 1, /* memory, no core files, no files written */
    CONFINE_FILES = 2,  /* Landlock: only files of drivers can be read */
    /* seccomp: a list of calls, with those that loading needs */
    CONFINE_LOADING = 4,
    CONFINE_SYSTEM_CALLS = 8, /* seccomp: the list without those; no file can be opened */
    CONFINE_NAMESPACES = 16,  /* a network namespace and System V objects of its own, both empty */
    CONFINE_PRIVILEGES = 32,  /* no capabilities, and none can be gained */
};

/*
 * Confines the process as far as loading drivers allows. Call it at the start, while there is only
 * one thread, before any byte from outside is read. `memory_limit` is in bytes; 0 means a default.
 * `shaders`: the process was given files for compiled shaders. Returns the layers that this kernel
 * grants.
 */
unsigned confine_start(uint64_t memory_limit, bool shaders);

/*
 * Restricts the process to the system calls that computing needs. Call it once drivers are loaded,
 * or it is known that there are none. Returns 0, also if the kernel has no seccomp, or -errno if it
 * granted CONFINE_LOADING but not this: then the process must end.
 */
int confine_finish(void);

/* Returns all layers that are in force. */
unsigned confine_layers(void);

/*
 * Limits the process's data to `objects` bytes for objects, plus a fixed amount for drivers and the
 * worker's own code. Allocations beyond the limit fail, which at worst ends the process.
 */
void confine_memory(uint64_t objects);

/* Renews the processor time that the process may take. Call it before each message. */
void confine_time(void);

/*
 * Starts a thread that ends the process when the other end of `socket` is closed, or when the
 * process holds more memory than the daemon allows; it checks the memory while the process is busy.
 * Returns 0 or -errno.
 */
int confine_watch(int socket);

/* Reports that handling a message begins (`now` true) or has ended. */
void confine_be_busy(bool now);

#endif
