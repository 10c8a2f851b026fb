/* SPDX-License-Identifier: MIT */
/*
 * Traces that a worker of the test's own draws, tests/formats/apitrace/fakeretracer: its pictures
 * tell what led to them. One trace at a time.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_RETRACED_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_RETRACED_H

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"

extern struct retraced {
    char *folder; /* of the test */
    char *place;  /* of the worker, with its moods; NULL: where it was built */
    struct apitrace_opened opened;
} retraced;

#define WINDOW(height)                                                                             \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"                                           \
    "glViewport(x=0, y=0, width=900, height=" #height ")\n"
#define SWAP  "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR "glClear(mask=17664)\n" /* colour, depth, stencil */
#define DRAW  "glDrawArrays(mode=4, first=0, count=3)\n"
#define COPY  "glCopyTexSubImage2D(target=3553, level=0)\n"

/* Before anything is opened, with the program's own name. */
void retraced_use_fake(const char *program);

/* The group's. */
int retraced_make_folder(void **state);
int retraced_remove_folder(void **state);

/* Makes `place` a folder with the worker, where compiled shaders can be kept; and not any more. */
int retraced_move_program(void **state);
int retraced_forget_place(void **state);

void retraced_open_script(const char *script);

/* With a cache of so many bytes. */
void retraced_open_script_within(const char *script, uint64_t cache);

/* What led to a picture. */
void retraced_expect_way_to(const char *path, const char *wanted);
void retraced_expect_way(unsigned frame, const char *wanted);

/* The files beside the worker: see fakeretracer.c. NULL: none. */
void retraced_set_mood(const char *mood);

/* Until the worker has left the file `waits` there. */
void retraced_wait(void);

#endif
