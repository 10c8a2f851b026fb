/* SPDX-License-Identifier: MIT */
/*
 * The breadcrumb: what the worker is doing, in a page of memory that the worker shares with the
 * daemon, so that the daemon can name the culprit of a crash.
 *
 * The worker writes it without a system call. The daemon reads it as untrusted numbers: after the
 * process has died, and, for a process that works ahead of it, while it lives (launch_view()). In
 * the other direction, the daemon uses the page to tell the worker that no reader waits for a call
 * any more, and how much memory it may hold. The page is sealed: it cannot be shrunk while it is
 * mapped.
 */
#ifndef GPUDUMPFS_WORKER_BREADCRUMB_H
#define GPUDUMPFS_WORKER_BREADCRUMB_H

#include <stddef.h>
#include <stdint.h>

enum breadcrumb_activity {
    BREADCRUMB_NONE,
    BREADCRUMB_TRANSLATE, /* subjects[0]: the shader */
    BREADCRUMB_COMPILE,   /* in the driver's compiler; subjects[0]: the shader */
    BREADCRUMB_DRAW,      /* subjects: the bound shaders, 0 for a stage without one */
    BREADCRUMB_CALL,      /* an OpenGL call; subjects[0]: its number + 1 */
    BREADCRUMB_ACTIVITIES
};

enum { BREADCRUMB_SUBJECTS = 6 };

struct breadcrumb {
    uint32_t activity; /* enum breadcrumb_activity */
    uint32_t offset;   /* byte offset of the command in its stream */
    uint64_t subjects[BREADCRUMB_SUBJECTS];
    uint32_t withdrawn; /* written by the daemon: serial of the message to abandon */
    uint32_t greedy;    /* nonzero: the process ends because it exceeded max_held */
    uint64_t held;      /* bytes of memory held, when the process last looked */
    uint64_t max_held;  /* written by the daemon: bytes it may hold; 0: no limit */
};

/* Returns the name of a shader or draw in breadcrumbs: the 64-bit FNV-1a of its bytes, never 0. */
uint64_t breadcrumb_name(const void *bytes, size_t size);

#endif
