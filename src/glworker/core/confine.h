/* SPDX-License-Identifier: MIT */
/*
 * The confinement: what the worker takes from itself, so that code that takes it over through
 * a driver or a shader compiler gains nothing (worker.md 4). The process's main thread; the thread
 * that it has started looks on beside it (confine_watch()).
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_CONFINE_H
#define GPUDUMPFS_GLWORKER_CORE_CONFINE_H

#include <stdbool.h>
#include <stdint.h>

/* Layers that hold, as bits. */
enum confine_layer {
    CONFINE_LIMITS = 1,       /* memory, no core files, no files written */
    CONFINE_FILES = 2,        /* Landlock: files of drivers can be read, nothing else */
    CONFINE_LOADING = 4,      /* seccomp: a list of calls, with those that loading needs */
    CONFINE_SYSTEM_CALLS = 8, /* seccomp: the list without them, no file can be opened */
    CONFINE_NAMESPACES = 16,  /* a network and System V objects of its own: none */
    CONFINE_PRIVILEGES = 32,  /* no capabilities, nor any to gain */
};

/*
 * At the start, with one thread, before a byte from outside is read. memory_limit in bytes, 0: a
 * default; whether the process was given files for compiled shaders. Returns the layers
 * that this kernel grants.
 */
unsigned confine_start(uint64_t memory_limit, bool shaders);

/*
 * Once drivers are loaded, or there are none: only what computing needs. Returns 0 or a negative
 * errno, where the kernel has no seccomp.
 */
int confine_finish(void);

/* All layers that hold now. */
unsigned confine_layers(void);

/*
 * What the process may take beside what drivers and we need for ourselves: so many bytes of
 * objects. What is beyond fails, and ends the process at worst.
 */
void confine_memory(uint64_t objects);

/* Before each message: renews the processor time that it may take. */
void confine_time(void);

/*
 * A thread that ends the process when the socket's other end is closed, or when more memory is
 * held than the daemon allows; to that end it looks while the process is busy.
 */
int confine_watch(int socket);

/* A message is handled from now on, or has been. */
void confine_be_busy(bool now);

#endif
