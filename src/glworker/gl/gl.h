/* SPDX-License-Identifier: MIT */
/*
 * An OpenGL session (worker.md 6), as its parts share it. The calls that come out of the stream are
 * call.h's. One thread.
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

/* Memory for one call, all of it free for the next. */
struct retrace_scratch {
    uint8_t *block;
    size_t room, used;
    void **extra; /* of what did not fit */
    size_t extra_count, extra_room;
};

struct retrace {
    struct retrace_stream stream;
    struct retrace_binding **bindings; /* by the function's number */
    uint32_t binding_count;
    struct retrace_scratch scratch;

    struct retrace_size *sizes; /* by call and handle */
    uint32_t size_count;
    uint64_t *bad; /* calls that are left out */
    uint32_t bad_count;
    uint64_t texture_bytes;

    uint64_t listed, skipped, last;
    uint32_t last_thread; /* of the last call */
    bool discard;         /* of the feed at hand */
    bool watching;        /* the same */
    bool effects;         /* draws do more than leave pixels: none is discarded */
    bool stores;          /* as shaders may write to memory */
    bool complained;      /* of no context */
    bool implicit;        /* threads without a context have one that the trace never makes */
    bool told;            /* where the stream is damaged */

    struct retrace_context *contexts;
    struct retrace_thread **threads;
    uint32_t thread_count;
    struct retrace_thread *current; /* whose context is the process's; NULL: none */
    struct retrace_map surfaces;    /* by handle */
    struct retrace_map aliases;     /* a WGL pbuffer's device context: its pbuffer */
    struct retrace_map images;      /* EGLImages by handle */
    struct retrace_map formats;     /* pixel formats of CGL: their profiles */

    struct retrace_map names[RETRACE_NAMES];
    struct retrace_map plain_lists; /* lists.h */
    bool calls_plain;               /* the lists that were called last were such */
    struct retrace_map list_calls;  /* struct retrace_recording by key (list_calls.h) */
    uint64_t list_bytes;            /* in those */
    uint64_t list_read;             /* bytes of buffers that were read for them */
    bool lists_lost;                /* there was no memory to tell that there is one */
    struct retrace_called_lists
        *called;                 /* what the call at hand calls (called_lists.h); NULL: nothing */
    bool stopping;               /* behind the call at hand */
    uint64_t array_changes;      /* of arrays and buffers, so far (array_elements.h) */
    struct retrace_map programs; /* struct retrace_numbers by the program's old name */
    struct retrace_map linked;   /* what programs were linked of (sources.h) */
    struct retrace_map modules;  /* what shaders were made of (spirv.h) */
    uint32_t module_pause;       /* makings before those that are gone are looked for again */
    uint64_t source_bytes;       /* in both */
    struct retrace_region *regions;
    uint32_t region_count, region_room;
    struct retrace_block *blocks;
    uint32_t block_count;

    struct retrace_watch *watch; /* NULL: none */
    struct retrace_mark *mark;   /* the same (mark.h) */
    bool crossed;                /* a call that may not be run while it stands is next */

    uint64_t old_program; /* of the call at hand: as the trace names it */
    bool behind;          /* the stream's call has been run, and is kept: it may be asked about */

    uint64_t object_bytes;           /* that objects take, of which … */
    struct retrace_map object_sizes; /* … these can be given back (budget.c) */
    uint64_t asked_key, asked_bytes; /* of the call at hand */
    uint64_t walled;                 /* confine_memory() was told so much */
    uint32_t groups;                 /* of contexts, so far */
    uint64_t surfaces_made;
    uint64_t averaged; /* texels of first levels that mipmaps were made of here (mipmaps.h) */

    struct message_writer notes;
    uint32_t note_count; /* in this message */
    uint32_t note_total;
    uint64_t note_call;
    bool quiet; /* a call is made once more: what there is to tell has been told */
};

enum {
    RETRACE_NOTES_MAX = 1000, /* of a session */
    RETRACE_THREADS_MAX = 1024,
    RETRACE_PAD = 256, /* zeros behind memory that goes to the driver */
};

/* The session; NULL: there is none. */
struct retrace *retrace_session(void);

/* Tells of the call at hand. Always RETRACE_REFUSED. */
enum retrace_outcome retrace_refuse(struct retrace *retrace, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void retrace_note(struct retrace *retrace, enum problem_severity severity, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A number that the driver tells. */
static inline GLint retrace_get(GLenum what)
{
    GLint value = 0;

    glGetIntegerv(what, &value);
    return value;
}

/*
 * Whether the driver tells anything. Between glBegin() and glEnd() it does not, lets no pixels be
 * read, and does not even tell that this is an error.
 */
static inline bool retrace_driver_tells(void)
{
    GLint value = -1;

    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &value);
    return value != -1;
}

#endif
