/* SPDX-License-Identifier: MIT */
/*
 * An OpenGL session (worker.md 6), as its parts share it. call.h has the calls that are read from
 * the stream. One thread.
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

struct retrace {
    struct retrace_stream stream;
    struct retrace_binding **bindings; /* by function number */
    uint32_t binding_count;
    struct retrace_scratch scratch;

    struct retrace_size *sizes; /* sorted by call and handle */
    uint32_t size_count;
    uint64_t *bad; /* calls to leave out */
    uint32_t bad_count;
    uint64_t texture_bytes;

    uint64_t listed, skipped, last;
    uint32_t last_thread; /* of the last call that was run */
    bool discard;         /* the current feed does not need pixels of framebuffer 0 */
    bool watching;        /* the current feed watches calls */
    bool effects;         /* draws do more than leave pixels, so none may be discarded */
    bool stores;          /* shaders may write to memory */
    bool complained;      /* a missing context has been reported */
    bool implicit;        /* threads without a context use one that the trace never creates */
    bool told;            /* damage of the stream has been reported */

    struct retrace_context *contexts;
    struct retrace_thread **threads;
    uint32_t thread_count;
    /* thread whose context is current in the process; NULL if none */
    struct retrace_thread *current;
    struct retrace_map surfaces; /* by handle */
    struct retrace_map aliases;  /* device context of a WGL pbuffer: the pbuffer's handle */
    struct retrace_map images;   /* EGLImages by handle */
    struct retrace_map formats;  /* pixel formats of CGL: their profiles */

    struct retrace_map names[RETRACE_NAMES];
    struct retrace_map plain_lists; /* lists.h */
    bool calls_plain;               /* the lists called last were all plain */
    struct retrace_map list_calls;  /* struct retrace_recording by key (list_calls.h) */
    uint64_t list_bytes;            /* in `list_calls` */
    uint64_t list_read;             /* bytes of buffers read for lists */
    bool lists_lost;                /* memory ran out when a list was to be registered */
    /* lists that the call at hand calls (called_lists.h); NULL if there are none */
    struct retrace_called_lists *called;
    bool stopping;          /* the session stops after the call at hand */
    uint64_t array_changes; /* number of changes of arrays and buffers so far (array_elements.h) */
    struct retrace_map programs; /* struct retrace_numbers, by the program's name in the trace */
    struct retrace_map linked;   /* sources that programs were linked from (sources.h) */
    struct retrace_map modules;  /* modules that shaders were made from (spirv.h) */
    /* requests without room to let pass before deleted shaders are looked for again */
    uint32_t module_pause;
    uint64_t source_bytes; /* in `linked` and `modules` */
    struct retrace_region *regions;
    uint32_t region_count, region_room;
    struct retrace_block *blocks;
    uint32_t block_count;

    struct retrace_watch *watch; /* NULL if there is none */
    struct retrace_mark *mark;   /* NULL if there is none (mark.h) */
    bool crossed;                /* the next call may not be run while the mark is set */

    /* name in the trace of the program that the call at hand sets or queries */
    uint64_t old_program;
    bool behind; /* the call at the head of the stream has been run, and is kept for requests */

    uint64_t object_bytes; /* taken by all objects */
    /* part of these that can be given back, by object (budget.c) */
    struct retrace_map object_sizes;
    uint64_t asked_key, asked_bytes; /* of the call at hand */
    uint64_t walled;                 /* bytes last passed to confine_memory() */
    uint32_t groups;                 /* groups of contexts created so far */
    uint64_t surfaces_made;
    uint64_t averaged; /* texels of first levels that the worker made mipmaps of (mipmaps.h) */

    struct message_writer notes;
    uint32_t note_count; /* in this message */
    uint32_t note_total;
    uint64_t note_call;
    bool quiet; /* a call is being repeated: its notes have been written before */
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
