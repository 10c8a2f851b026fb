/*
 * What the worker is about, left in a page that it shares with the daemon, so that
 * the culprit of a crash can be named. Written by the worker without a system call,
 * read by the daemon as untrusted numbers: once the process is dead, and while it lives
 * for what is to keep ahead of it (launch_view()).
 */
#ifndef GPUDUMPFS_WORKER_TRAIL_H
#define GPUDUMPFS_WORKER_TRAIL_H

#include <stdint.h>

enum worker_act {
    WORKER_ACT_NONE,
    WORKER_ACT_TRANSLATE, /* subjects[0]: the shader */
    WORKER_ACT_COMPILE,   /* the driver's compiler; subjects[0] */
    WORKER_ACT_DRAW,      /* subjects: the bound shaders, 0 where none is */
    WORKER_ACT_CALL,      /* an OpenGL call; subjects[0]: its number + 1 */
    WORKER_ACTS
};

enum { WORKER_SUBJECTS = 6 };

struct worker_trail {
    uint32_t act;   /* enum worker_act */
    uint32_t place; /* byte offset of the command in its stream */
    uint64_t subjects[WORKER_SUBJECTS];
};

#endif
