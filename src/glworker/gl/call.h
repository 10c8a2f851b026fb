/* SPDX-License-Identifier: MIT */
/*
 * A call of OpenGL as the trace has it, what it is done by, and how it is carried out (dispatch.c):
 * it is looked up once for its function, has its names and addresses changed to those of this
 * process, is checked, and is made. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_CALL_H
#define GPUDUMPFS_GLWORKER_GL_CALL_H

#include "formats/apitrace/decode/events.h"
#include "glworker/gl/functions.h"

#include <ffi.h>
#include <stdbool.h>
#include <stdint.h>

struct retrace;
struct retrace_call;
struct retrace_event;
struct retrace_recording;

/* What has become of a call. */
enum retrace_outcome {
    RETRACE_MADE,    /* all was done, there is nothing more to do */
    RETRACE_GO_ON,   /* of a rule: now make the call, with the arguments as they are now */
    RETRACE_LEFT,    /* left out, as it leaves no trace in pictures */
    RETRACE_REFUSED, /* could not be made; there is a note */
};

/* What a call is done by before, or in place of, being made. */
typedef enum retrace_outcome retrace_rule(struct retrace *retrace, struct retrace_call *call);
/* And after that. */
typedef void retrace_post_hook(struct retrace *retrace, struct retrace_call *call);

/* How a function's calls may change what framebuffer 0 holds. */
enum retrace_paints {
    RETRACE_PAINTS_NOTHING,
    RETRACE_PAINTS_FRAGMENTS, /* of primitives */
    RETRACE_PAINTS_PIXELS,    /* colours, depths or stencil values that it brings or copies */
    RETRACE_PAINTS_CLEAR,     /* glClear() */
    RETRACE_PAINTS_BLIT,
    RETRACE_PAINTS_NAMED, /* a framebuffer that it names */
    RETRACE_PAINTS_BLIT_NAMED,
    RETRACE_PAINTS_LIST,  /* whatever is in a list; state, too */
    RETRACE_PAINTS_BEGIN, /* glBegin(): nothing yet, and nobody can look until glEnd() */
};

/* How calls of a function may be run while a mark stands (mark.h). */
enum retrace_marked {
    RETRACE_MARKED_NEVER,
    RETRACE_MARKED_ALWAYS,
    RETRACE_MARKED_SWITCH, /* these and the next by their first argument */
    RETRACE_MARKED_HINT,
    RETRACE_MARKED_UNIT,
    RETRACE_MARKED_BUFFER,
    RETRACE_MARKED_TEXTURE,
    RETRACE_MARKED_MATRIX_MODE,
    RETRACE_MARKED_PUSHES_MATRIX, /* by how deep the stack is */
    RETRACE_MARKED_POPS_MATRIX,
    RETRACE_MARKED_PUSHES_STATE,
    RETRACE_MARKED_POPS_STATE,
    RETRACE_MARKED_CALLS, /* by the list */
};

/* A row of the tables of rules: what is done of the function of that name. */
struct retrace_rule_row {
    const char *name;
    retrace_rule *rule;
    retrace_post_hook *post_hook;
    uint32_t detail;
};

/* A function of the trace, and what it is done by; found out at its first call. */
struct retrace_binding {
    const struct apitrace_function *function;
    const struct retrace_function *gl; /* NULL: none of OpenGL's */
    retrace_rule *rule;                /* NULL: none */
    retrace_post_hook *post_hook;
    uint32_t detail;        /* of a rule that serves several functions */
    bool deletes;           /* names that go in are no more afterwards */
    bool listed;            /* a list that is compiled takes its calls (list_calls.h) */
    bool changes_arrays;    /* or buffers that they are in (array_elements.h) */
    uint8_t paints;         /* enum retrace_paints */
    uint8_t marked;         /* enum retrace_marked */
    int8_t location, owner; /* arguments: a uniform's location, its program (-1: the current) */
    void (*made)(void);     /* the driver's function */
    ffi_cif cif;
    ffi_type *types[RETRACE_ARGUMENTS_MAX];
};

enum retrace_kind {
    RETRACE_ABSENT,  /* the trace does not have it */
    RETRACE_NUMBER,  /* also null */
    RETRACE_ADDRESS, /* opaque: of the traced program, or an offset */
    RETRACE_MEMORY,  /* elements or bytes */
};

/* An argument or a result, as the trace has it. */
struct retrace_argument {
    uint8_t kind; /* enum retrace_kind */
    bool is_blob;
    bool checked;    /* by a rule: it goes to the driver as it is now */
    bool live;       /* MEMORY is a block's (heap.c), from here to its end; it may be written */
    uint64_t number; /* an integer, or the address; of floats see `real` */
    double real;
    uint8_t *memory; /* for this call alone; zeros behind it */
    uint64_t size;   /* bytes of the trace's */
    uint64_t count;  /* elements: of RETRACE_IN_POINTERS pointers, else of the type's size */
    uint64_t *sizes; /* of RETRACE_IN_POINTERS: bytes behind each */
};

struct retrace_call {
    const struct retrace_event *event;
    struct retrace_binding *binding;
    struct retrace_argument arguments[RETRACE_ARGUMENTS_MAX];
    unsigned count;
    struct retrace_argument result;
    union {
        ffi_arg integer;
        uint64_t wide;
        float single;
        double real;
        void *address;
    } returned; /* what the driver returned */
};

/* A call as it was made, to be made once more. */
struct retrace_repeat {
    const struct retrace_call *call;
    struct retrace_binding *binding;
    void **values;                             /* as libffi takes them */
    const struct retrace_recording *recording; /* what it ends, instead; NULL: none */
};

/* The function's binding, made at its first call. NULL: no memory. */
struct retrace_binding *retrace_bind(struct retrace *retrace,
                                     const struct apitrace_function *function);
/* Does all that there is to do for a call that has been read. */
enum retrace_outcome retrace_run(struct retrace *retrace, struct retrace_call *call);
/* Elements that the driver takes for granted behind a pointer; UINT64_MAX: nobody knows. */
uint64_t retrace_needed(const struct retrace_call *call, const struct retrace_parameter *parameter);
/* Changes names, checks memory, makes the call. */
enum retrace_outcome retrace_make(struct retrace *retrace, struct retrace_call *call);

#endif
