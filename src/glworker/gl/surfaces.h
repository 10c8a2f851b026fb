/* SPDX-License-Identifier: MIT */
/*
 * Where calls draw: threads of the trace, their current contexts, and the surfaces that these draw
 * on and read (contexts.c). One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SURFACES_H
#define GPUDUMPFS_GLWORKER_GL_SURFACES_H

#include "glworker/gl/gl.h"

/* The size of a drawable from a call on, as determined by the daemon. */
struct retrace_size {
    uint64_t call, handle;
    uint32_t width, height, samples;
};

/* A drawable of the trace, with its surface here. */
struct retrace_surface {
    uint64_t serial; /* unique number, from 1 */
    uint64_t handle, bytes;
    void *surface;                   /* EGLSurface */
    uint32_t width, height, samples; /* samples 0 means 1 */
    unsigned users; /* references: the table of handles, and threads where it is current */
};

/* The requested properties of a context. */
struct retrace_context_config {
    uint64_t handle, share;
    bool es, core, forward;
    unsigned major, minor;
};

/* A display list that is being compiled (lists.h). */
struct retrace_list_state {
    uint64_t name;                   /* its name here */
    bool plain;                      /* so far */
    bool executes;                   /* its calls are made as well */
    bool begun;                      /* is between glBegin() and glEnd() */
    int matrices, attributes;        /* pushes in it that have not been popped */
    struct retrace_recording *calls; /* its calls (list_calls.h); NULL if there are none */
    bool lost;                       /* its calls could not all be kept */
};

struct retrace_context {
    uint64_t handle;
    void *context; /* EGLContext */
    struct retrace_context *next;
    unsigned users; /* references: the list, and threads where it is current */
    uint32_t group; /* contexts of a group share objects */
    struct retrace_context_config config; /* as requested */
    bool es;
    GLint major, minor;                      /* as provided by the driver */
    bool begun;                              /* has been current */
    struct retrace_map names[RETRACE_NAMES]; /* name spaces that are not shared */
    uint64_t program, pipeline;              /* current, by their names in the trace */
    struct retrace_map pipeline_programs;
    uint64_t list_base;
    /* number of the call that gave a texture an EGLImage, plus 1; 0 if there is none */
    uint64_t imaged;
    bool in_list, in_begin;
    struct retrace_list_state list;      /* state of the list, if `in_list` */
    struct retrace_recording *recording; /* calls to be made later (recording.h) */
    struct retrace_immediate *immediate; /* calls that the last glEnd() ended (immediate.h) */
    bool conditional;                    /* conditional rendering is active */
    GLuint condition;                    /* its query, by its name here */
    GLenum condition_mode;
    bool discards;   /* the trace has disabled the rasteriser */
    bool discarding; /* the driver's current setting */
    void *feedback, *selection;
    struct retrace_array *arrays; /* memory that draws read from */
    bool bindings;                /* vertex buffer bindings were set */
    bool offsets;                 /* arrays may have offsets although their buffer is gone */
    /* Found at glBegin(), after which the driver answers no queries. */
    bool begun_with_offsets;              /* as `offsets` (draw_range.h) */
    GLint begun_object;                   /* the bound vertex array object */
    int64_t begun_last;                   /* the last element of its arrays (array_elements.h) */
    uint64_t begun_changes;               /* `array_changes` when `begun_last` was found, plus 1 */
    struct retrace_pushed_arrays *pushed; /* by glPushClientAttrib(), the latest one first */
    struct retrace_pointing {
        struct retrace_array *array; /* NULL if there is none, which removes the array */
        GLint object;                /* the vertex array object */
        unsigned slot;               /* the array's slot */
    } pointing;                      /* set by the call at hand */
};

/* The state of a thread of the trace. */
struct retrace_thread {
    uint32_t number;
    unsigned api; /* EGL's API for contexts that the thread creates */
    struct retrace_context *context;
    struct retrace_surface *draw, *read;
};

/*
 * Returns a thread of the trace, creating it at first. Returns NULL if there are too many, or
 * without memory.
 */
struct retrace_thread *retrace_thread(struct retrace *retrace, uint32_t number);
/* Creates a context of the trace. Returns NULL, with a note, on failure. */
struct retrace_context *retrace_context_create(struct retrace *retrace,
                                               const struct retrace_context_config *config);
struct retrace_context *retrace_context_find(struct retrace *retrace, uint64_t handle);
/*
 * Creates a context that the trace makes current without having created it, as in a trace whose
 * beginning is missing: one of OpenGL, or OpenGL ES 2, that shares objects with the existing
 * contexts. Returns NULL as retrace_context_create() does.
 */
struct retrace_context *retrace_context_assume(struct retrace *retrace, uint64_t handle, bool es);
void retrace_context_destroy(struct retrace *retrace, uint64_t handle);
/*
 * Creates a surface of the size that the daemon determined or, if it did not, of this size. Returns
 * NULL on failure.
 */
struct retrace_surface *retrace_surface_create(struct retrace *retrace, uint64_t handle,
                                               uint32_t width, uint32_t height);
struct retrace_surface *retrace_surface_find(struct retrace *retrace, uint64_t handle);
void retrace_surface_destroy(struct retrace *retrace, uint64_t handle);
/*
 * Makes a context and surfaces, or none of them if NULL, current in a thread of the trace. Returns
 * RETRACE_MADE or RETRACE_REFUSED.
 */
enum retrace_outcome retrace_make_current(struct retrace *retrace, struct retrace_thread *thread,
                                          struct retrace_context *context,
                                          struct retrace_surface *draw,
                                          struct retrace_surface *read);
/*
 * Makes the thread's context current in the process. Returns false if the thread has no context, or
 * it was lost.
 */
bool retrace_enter(struct retrace *retrace, struct retrace_thread *thread);

/* Returns the context that calls go to, or NULL if there is none. */
static inline struct retrace_context *retrace_context(const struct retrace *retrace)
{
    return retrace->current == NULL ? NULL : retrace->current->context;
}

/*
 * Returns whether the context has at least this version, as ten times the major version plus the
 * minor one, of OpenGL or OpenGL ES.
 */
static inline bool retrace_is_new(const struct retrace_context *context, int desktop, int es)
{
    return context->major * 10 + context->minor >= (context->es ? es : desktop);
}

void retrace_contexts_clear(struct retrace *retrace);
/*
 * Makes the driver read the surface that the current thread draws on, whatever surface the trace
 * reads. Call retrace_read_own() afterwards. Returns false on failure.
 */
bool retrace_read_drawn(struct retrace *retrace, struct retrace_thread *thread);
void retrace_read_own(struct retrace *retrace, struct retrace_thread *thread);

/* Sorts the sizes that the daemon sent, and finds out whether threads have an implicit context. */
void retrace_sizes_sort(struct retrace *retrace);

#endif
