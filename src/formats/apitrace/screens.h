/*
 * What each frame of a trace shows, told from its calls alone before anything is drawn
 * (apitrace.md 3.6, 3.7): how large windows and other drawables are, which of them
 * a frame's picture is of, and which frames before it must be drawn for it. Found by
 * one pass over the calls, at the first need; afterwards nothing changes, and any thread
 * may read.
 */
#ifndef GPUDUMPFS_APITRACE_SCREENS_H
#define GPUDUMPFS_APITRACE_SCREENS_H

#include "formats/apitrace/index.h"
#include "worker/apitrace.h"

#define APITRACE_NO_DRAWABLE UINT32_MAX

/* Where a drawable's size comes from. */
enum apitrace_sized {
    APITRACE_SIZED_NOT,
    APITRACE_SIZED_BY_VIEWPORTS,
    APITRACE_SIZED_BY_ATTRIBUTES
};

struct apitrace_screen {
    uint32_t drawable; /* its place in the list; APITRACE_NO_DRAWABLE: there is no picture */
    uint16_t width, height;
    uint32_t base; /* the picture is what frames from this one on draw */
    uint8_t sized; /* enum apitrace_sized */
    bool full;     /* to be drawn whichever later frame is wanted, since something reads it */
};

struct apitrace_screens {
    struct retrace_drawable *drawables; /* as the retracer wants them */
    uint64_t drawable_count;
    struct apitrace_screen *frames; /* as many as the index has */
    uint64_t last_draw;             /* of an unfinished frame: number of its last call of class R */
};

/* 0, -EINTR, -ENOMEM, -EIO. *out is to be cleared in any case. */
int apitrace_screens_find(const struct apitrace_index *index, const struct cancel *cancel,
                          struct apitrace_screens *out);
void apitrace_screens_clear(struct apitrace_screens *screens);

#endif
