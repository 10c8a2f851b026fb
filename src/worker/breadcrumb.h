/* SPDX-License-Identifier: MIT */
/*
 * The breadcrumb: what the worker is about, in a page that it shares with the daemon, so
 * that the culprit of a crash can be named. Written by the worker without a system call,
 * read by the daemon as untrusted numbers: once the process is dead, and while it lives
 * for what is to keep ahead of it (launch_view()). The other way it tells the worker that no
 * reader waits for a call any more, and how much memory it may hold. The page cannot be shrunk
 * while it is mapped.
 */
#ifndef GPUDUMPFS_WORKER_BREADCRUMB_H
#define GPUDUMPFS_WORKER_BREADCRUMB_H

#include <stddef.h>
#include <stdint.h>

enum breadcrumb_activity {
    BREADCRUMB_NONE,
    BREADCRUMB_TRANSLATE, /* subjects[0]: the shader */
    BREADCRUMB_COMPILE,   /* the driver's compiler; subjects[0] */
    BREADCRUMB_DRAW,      /* subjects: the bound shaders, 0 where none is */
    BREADCRUMB_CALL,      /* an OpenGL call; subjects[0]: its number + 1 */
    BREADCRUMB_ACTIVITIES
};

enum { BREADCRUMB_SUBJECTS = 6 };

struct breadcrumb {
    uint32_t activity; /* enum breadcrumb_activity */
    uint32_t offset;   /* byte offset of the command in its stream */
    uint64_t subjects[BREADCRUMB_SUBJECTS];
    uint32_t withdrawn; /* the daemon's: serial of a message that is to be left off */
    uint32_t greedy;    /* it ends since it holds more than it may */
    uint64_t held;      /* bytes of memory that it holds, when it looked last … */
    uint64_t max_held;  /* … and the daemon's: those that it may hold; 0: any */
};

/* What breadcrumbs call a shader or a draw: 64-bit FNV-1a of what it is made of, never 0. */
uint64_t breadcrumb_name(const void *bytes, size_t size);

#endif
