/* SPDX-License-Identifier: MIT */
/*
 * An OpenGL session (worker.md 6): it reads the calls of a trace from the stream and makes them
 * again with this process's driver. This header has the state that all parts share. One thread.
 *
 * Where to begin:
 *
 *     session.c                   the messages; runs one call after the other
 *     stream.c, values.c          from bytes to calls (call.h), and to the values of arguments
 *     dispatch.c                  makes a call: rule, translation of names, checks, libffi, hook
 *     functions.h, rules.c        tables of functions, and of those that need more than a table
 *     contexts.c, windows.c       contexts and surfaces (surfaces.h), and calls that make them
 *     names.c, map.c              from names in the trace to names here
 *     draws.c, arrays.c,          what draws read, checked before the driver reads it
 *       draw_range.c, images.c
 *     memory.c, heap.c            memory of the traced program (memory.h)
 *     lists.c, list_*.c           display lists, and which of them can be called once more
 *     budget.c                    limits of memory
 *
 * The rest serves the daemon's other requests: pictures (pictures.c), watching pixels
 * (pixel_watch.c, probe.c, coverage.c), going back (mark.c), and what a draw saw and left
 * (draw_message.c, with draw_texts.h and draw_parts.h).
 *
 * Comments in this folder use these terms. The name of an object "here" is the driver's, in this
 * process; its "old" name, or name in the trace, is the one that the traced program used. "The call
 * at hand" is the call that is being carried out, or after which the session has stopped; "the draw
 * at hand" is such a call that draws.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_GL_H
#define GPUDUMPFS_GLWORKER_GL_GL_H

#include "base/problems.h"
#include "glworker/core/graphics.h"
#include "glworker/gl/call.h"
#include "glworker/gl/map.h"
#include "glworker/gl/stream.h"
#include "worker/apitrace_protocol.h"
#include "worker/message.h"

/* Memory for one call, reused for the next. */
struct retrace_scratch {
    uint8_t *block;
    size_t room, used;
    void **extra; /* blocks allocated because `block` was full */
    size_t extra_count, extra_room;
};

/* What the daemon has sent for the whole session. */
struct retrace_given {
    struct retrace_size *sizes; /* of drawables, sorted by call and handle */
    uint32_t size_count;
    uint64_t *bad; /* numbers of calls to leave out, since they killed a worker before */
    uint32_t bad_count;
    uint64_t texture_bytes; /* maximum of bytes of one image of a texture (images.c) */
};

/* How far the session has come. Going back to a mark restores it (mark.c). */
struct retrace_progress {
    /* How many calls there were so far, and how many were refused; number of the last call. */
    uint64_t listed, skipped, last;
    uint32_t last_thread; /* thread of the last call that was run */
};

/* What the current feed wants. */
struct retrace_feed {
    bool discard;  /* it does not need pixels of framebuffer 0 */
    bool watching; /* it watches calls */
};

/* Memory of the traced program (memory.h): memory.c has the regions, heap.c the blocks. */
struct retrace_memory {
    struct retrace_region *regions;
    uint32_t region_count, region_room;
    struct retrace_block *blocks;
    uint32_t block_count;
};

/* Display lists (lists.h). */
struct retrace_lists {
    struct retrace_map plain; /* keys of plain lists */
    bool calls_plain;         /* the lists called last were all plain */
    struct retrace_map calls; /* struct retrace_recording by key (list_calls.h) */
    uint64_t bytes;           /* bytes that `calls` has */
    uint64_t read;            /* bytes of buffers that were read for lists (list_arrays.c) */
    bool lost;                /* memory ran out when a list was to be registered */
    /* The lists that the call at hand calls (called_lists.h); NULL if there are none. */
    struct retrace_called_lists *called;
};

/* What shaders and programs were made from. */
struct retrace_sources {
    struct retrace_map linked;  /* sources that programs were linked from (sources.h) */
    struct retrace_map modules; /* modules that shaders were made from (spirv.h) */
    /* How many requests that find no room pass before deleted shaders are looked for (spirv.c). */
    uint32_t module_pause;
    uint64_t bytes; /* of sources in `linked` and `modules` */
};

/* Memory that the driver's objects take (budget.h). */
struct retrace_budget {
    uint64_t bytes; /* taken by all objects */
    /* How many of these bytes each object takes, to be given back when it ends. */
    struct retrace_map sizes;
    uint64_t asked_key, asked_bytes; /* between retrace_budget_ask() and _settle() of a call */
    uint64_t walled;                 /* bytes last passed to confine_memory() */
};

/* Notes of problems, which go to the daemon with the next answer (session.c). */
struct retrace_notes {
    struct message_writer text;
    uint32_t count; /* of this message */
    uint32_t total; /* of the session */
    uint64_t call;  /* number of the call that notes are about */
    bool quiet;     /* a call is being repeated: its notes have been written before */
};

struct retrace {
    struct retrace_stream stream;
    struct retrace_binding **bindings; /* by function number */
    uint32_t binding_count;
    struct retrace_scratch scratch;

    struct retrace_given given;
    struct retrace_progress progress;
    struct retrace_feed feed;
    struct retrace_notes notes;

    bool effects;      /* draws do more than leave pixels, so none may be discarded */
    bool smooth_lists; /* a list switches smooth lines or points */
    bool stores;       /* shaders may write to memory */
    bool complained;   /* a missing context has been reported */
    bool implicit;     /* threads without a context use one that the trace never creates */
    bool told;         /* damage of the stream has been reported */

    struct retrace_context *contexts;
    struct retrace_thread **threads;
    uint32_t thread_count;
    /* The thread whose context is current in the process; NULL if there is none. */
    struct retrace_thread *current;
    uint32_t groups; /* groups of contexts created so far */
    uint64_t surfaces_made;
    struct retrace_map surfaces; /* by handle */
    struct retrace_map aliases;  /* device context of a WGL pbuffer: the pbuffer's handle */
    struct retrace_map images;   /* EGLImages by handle */
    struct retrace_map formats;  /* pixel formats of CGL: their profiles */

    struct retrace_map names[RETRACE_NAMES];
    struct retrace_map programs; /* struct retrace_numbers, by the program's name in the trace */
    struct retrace_lists lists;
    struct retrace_sources sources;
    struct retrace_memory memory;
    struct retrace_budget budget;
    uint64_t array_changes; /* number of changes of arrays and buffers so far (array_elements.h) */
    uint64_t averaged;      /* texels of first levels that the worker made mipmaps of (mipmaps.h) */

    struct retrace_watch *watch; /* NULL if there is none */
    struct retrace_mark *mark;   /* NULL if there is none (mark.h) */
    bool crossed;                /* the next call may not be run while the mark is set */

    /* The call at hand. */
    uint64_t old_program; /* old name of the program that it sets or queries */
    bool stopping;        /* the session stops after it */
    bool behind; /* it is at the head of the stream and has been run, and is kept for requests */
};

enum {
    RETRACE_NOTES_MAX = 1000, /* of a session */
    RETRACE_THREADS_MAX = 1024,
    RETRACE_PAD = 256, /* zero bytes after memory that is passed to the driver */
};

/* Returns the session, or NULL if there is none. */
struct retrace *retrace_session(void);

/* Writes a note about the call at hand. Always returns RETRACE_REFUSED. */
enum retrace_outcome retrace_refuse(struct retrace *retrace, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void retrace_note(struct retrace *retrace, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns a number of the driver's state. */
static inline GLint retrace_get(GLenum what)
{
    GLint value = 0;

    glGetIntegerv(what, &value);
    return value;
}

/*
 * Returns whether the driver answers queries. Between glBegin() and glEnd() it does not, permits no
 * pixels to be read, and does not even report an error.
 */
static inline bool retrace_driver_tells(void)
{
    GLint value = -1;

    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &value);
    return value != -1;
}

#endif
