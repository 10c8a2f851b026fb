/* SPDX-License-Identifier: MIT */
/*
 * Traces that are drawn by a fake worker, tests/formats/apitrace/fakeretracer, whose pictures say
 * what led to them. One trace at a time.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_RETRACED_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_RETRACED_H

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"

extern struct retraced {
    char *folder; /* of the test; contains its files */
    char *place;  /* folder of the worker and its moods; NULL: the build folder */
    struct apitrace_opened opened;
} retraced;

#define WINDOW(height)                                                                             \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"                                           \
    "glViewport(x=0, y=0, width=900, height=" #height ")\n"
#define SWAP  "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define CLEAR "glClear(mask=17664)\n" /* colour, depth, stencil */
#define DRAW  "glDrawArrays(mode=4, first=0, count=3)\n"
#define COPY  "glCopyTexSubImage2D(target=3553, level=0)\n"

/*
 * Makes gpudumpfs use the fake worker, which is next to `program`, the test's argv[0]. Must be
 * called before anything is opened.
 */
void retraced_use_fake(const char *program);

/* cmocka's set-up and tear-down of the group */
int retraced_make_folder(void **state);
int retraced_remove_folder(void **state);

/*
 * retraced_move_program() makes `place` a folder with a copy of the worker, where compiled shaders
 * can be kept; retraced_forget_place() clears `place`.
 */
int retraced_move_program(void **state);
int retraced_forget_place(void **state);

void retraced_open_script(const char *script);

/* Opens a script with a cache of `cache` bytes; 0 means the default. */
void retraced_open_script_within(const char *script, uint64_t cache);

/* Checks what led to a picture, which the fake worker writes into it (see fakeretracer.c). */
void retraced_expect_way_to(const char *path, const char *wanted);
void retraced_expect_way(unsigned frame, const char *wanted);

/*
 * Sets the file `mood` next to the worker (see fakeretracer.c), or removes it if `mood` is NULL.
 * Removes the files that the worker leaves.
 */
void retraced_set_mood(const char *mood);

/* Waits until the worker has left the file `waits` in its folder. */
void retraced_wait(void);

#endif
