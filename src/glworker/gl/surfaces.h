/* SPDX-License-Identifier: MIT */
/*
 * Where calls draw: threads of the trace, the contexts that are current in them, and the surfaces
 * that they draw on and read (contexts.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SURFACES_H
#define GPUDUMPFS_GLWORKER_GL_SURFACES_H

#include "glworker/gl/gl.h"

/* How large something to draw on is from a call on, as the daemon found out. */
struct retrace_size {
    uint64_t call, handle;
    uint32_t width, height, samples;
};

/* Something to draw on. */
struct retrace_surface {
    uint64_t serial; /* of all that were made, from 1 */
    uint64_t handle, bytes;
    void *surface;                   /* EGLSurface */
    uint32_t width, height, samples; /* samples 0: one */
    unsigned users;                  /* the table of handles, and threads where it is current */
};

/* What a context is to be. */
struct retrace_context_config {
    uint64_t handle, share;
    bool es, core, forward;
    unsigned major, minor;
};

/* A display list that the trace compiles (lists.h). */
struct retrace_list_state {
    uint64_t name;                   /* here */
    bool plain;                      /* so far */
    bool executes;                   /* calls are made as well */
    bool begun;                      /* it stands between glBegin() and glEnd() */
    int matrices, attributes;        /* that are pushed in it */
    struct retrace_recording *calls; /* of it (list_calls.h); NULL: none … */
    bool lost;                       /* … that are kept */
};

struct retrace_context {
    uint64_t handle;
    void *context; /* EGLContext */
    struct retrace_context *next;
    unsigned users;                       /* the list, and threads where it is current */
    uint32_t group;                       /* of contexts that share objects */
    struct retrace_context_config config; /* what it was made for */
    bool es;
    GLint major, minor;                      /* of what the driver gave */
    bool begun;                              /* it was current once */
    struct retrace_map names[RETRACE_NAMES]; /* of those that are its own */
    uint64_t program, pipeline;              /* current, as the trace names them */
    struct retrace_map pipeline_programs;
    uint64_t list_base;
    uint64_t imaged; /* the call that gave a texture an image (EGLImage), plus 1; 0: none */
    bool in_list, in_begin;
    struct retrace_list_state list;      /* where it is in one */
    struct retrace_recording *recording; /* of calls that are made later (recording.h) */
    struct retrace_immediate *immediate; /* what glEnd() ended last (immediate.h) */
    bool conditional;                    /* rendering is, by … */
    GLuint condition;                    /* … this query, by its name here */
    GLenum condition_mode;
    bool discards;   /* by the trace's own will */
    bool discarding; /* as it is set */
    void *feedback, *selection;
    struct retrace_array *arrays; /* memory that draws read from */
    bool bindings;                /* of vertex buffers were set */
    bool offsets;                 /* may stand where no buffer is any more … */
    bool begun_with_offsets;      /* … and did at glBegin(), behind which no call can ask */
    GLint begun_object;           /* the vertex array object that was bound then … */
    int64_t begun_last;     /* … and the last element of its arrays (array_elements.h) … */
    uint64_t begun_changes; /* … as of that count of changes, plus 1 */
    struct retrace_pushed_arrays *pushed; /* by glPushClientAttrib(), the last one first */
    struct retrace_pointing {
        struct retrace_array *array; /* NULL: none, and no array's any more */
        GLint object;                /* the vertex array object … */
        unsigned slot;               /* … and which of its arrays */
    } pointing;                      /* by the call at hand */
};

/* Where a thread of the trace stands. */
struct retrace_thread {
    uint32_t number;
    unsigned api; /* EGL's, for contexts that it makes */
    struct retrace_context *context;
    struct retrace_surface *draw, *read;
};

/* A thread of the trace, met for the first time or again; NULL: there are too many, or no
 * memory. */
struct retrace_thread *retrace_thread(struct retrace *retrace, uint32_t number);
/* The context that the trace made; NULL: it cannot be had, and there is a note. */
struct retrace_context *retrace_context_create(struct retrace *retrace,
                                               const struct retrace_context_config *config);
struct retrace_context *retrace_context_find(struct retrace *retrace, uint64_t handle);
/*
 * A context that the trace makes current and has not made, as the rest of a longer trace does:
 * one of OpenGL, or OpenGL ES 2, that shares with what there is. NULL as above.
 */
struct retrace_context *retrace_context_assume(struct retrace *retrace, uint64_t handle, bool es);
void retrace_context_destroy(struct retrace *retrace, uint64_t handle);
/* Something to draw on, of the size that the daemon found, or else this one. */
struct retrace_surface *retrace_surface_create(struct retrace *retrace, uint64_t handle,
                                               uint32_t width, uint32_t height);
struct retrace_surface *retrace_surface_find(struct retrace *retrace, uint64_t handle);
void retrace_surface_destroy(struct retrace *retrace, uint64_t handle);
/* Makes these current in a thread of the trace; NULL: none. */
enum retrace_outcome retrace_make_current(struct retrace *retrace, struct retrace_thread *thread,
                                          struct retrace_context *context,
                                          struct retrace_surface *draw,
                                          struct retrace_surface *read);
/* Makes the thread's context that of the process; false: it has none, or it was lost. */
bool retrace_enter(struct retrace *retrace, struct retrace_thread *thread);

/* The context that calls go to; NULL: none. */
static inline struct retrace_context *retrace_context(const struct retrace *retrace)
{
    return retrace->current == NULL ? NULL : retrace->current->context;
}

/* Whether its version, ten times the major one and the minor one, is so of OpenGL, or of OpenGL ES.
 */
static inline bool retrace_is_new(const struct retrace_context *context, int desktop, int es)
{
    return context->major * 10 + context->minor >= (context->es ? es : desktop);
}

void retrace_contexts_clear(struct retrace *retrace);
/*
 * Has the driver read what the thread, which is the current one, draws on, whatever it reads by the
 * trace's will; retrace_read_own() is called afterwards. False: that cannot be had.
 */
bool retrace_read_drawn(struct retrace *retrace, struct retrace_thread *thread);
void retrace_read_own(struct retrace *retrace, struct retrace_thread *thread);

/* Sorts what the daemon found, and whether a context is implicit is known. */
void retrace_sizes_sort(struct retrace *retrace);

#endif
