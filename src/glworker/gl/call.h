/* SPDX-License-Identifier: MIT */
/*
 * A call of OpenGL as the trace has it, the rule and hook of its function, and how the call is
 * carried out (dispatch.c): the function is looked up once; then names and addresses are changed to
 * those of this process, arguments are checked, and the driver's function is called. One thread.
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

/* The result of a call. */
enum retrace_outcome {
    RETRACE_MADE,  /* done; there is nothing more to do */
    RETRACE_GO_ON, /* returned by a rule: make the call, with the arguments as the rule left them */
    RETRACE_LEFT,  /* left out, because pictures do not depend on it */
    RETRACE_REFUSED, /* could not be made; there is a note */
};

/* Runs before a call is made, or instead of making it. */
typedef enum retrace_outcome retrace_rule(struct retrace *retrace, struct retrace_call *call);
/* Runs after the call was made. */
typedef void retrace_post_hook(struct retrace *retrace, struct retrace_call *call);

/* How a function's calls may change what framebuffer 0 holds. */
enum retrace_paints {
    RETRACE_PAINTS_NOTHING,
    RETRACE_PAINTS_FRAGMENTS, /* of primitives */
    RETRACE_PAINTS_PIXELS, /* colours, depths or stencil values that the call uploads or copies */
    RETRACE_PAINTS_CLEAR,  /* glClear() */
    RETRACE_PAINTS_BLIT,
    RETRACE_PAINTS_NAMED, /* a framebuffer that the call names */
    RETRACE_PAINTS_BLIT_NAMED,
    RETRACE_PAINTS_LIST,  /* whatever the list does; it may change state, too */
    RETRACE_PAINTS_BEGIN, /* glBegin(): nothing yet, but nothing can be read until glEnd() */
};

/* How calls of a function may be run while a mark is set (mark.h). */
enum retrace_marked {
    RETRACE_MARKED_NEVER,
    RETRACE_MARKED_ALWAYS,
    /* Up to RETRACE_MARKED_MATRIX_MODE: it depends on the first argument. */
    RETRACE_MARKED_SWITCH,
    RETRACE_MARKED_HINT,
    RETRACE_MARKED_UNIT,
    RETRACE_MARKED_BUFFER,
    RETRACE_MARKED_TEXTURE,
    RETRACE_MARKED_MATRIX_MODE,
    /* Up to RETRACE_MARKED_POPS_STATE: it depends on the stack's depth. */
    RETRACE_MARKED_PUSHES_MATRIX,
    RETRACE_MARKED_POPS_MATRIX,
    RETRACE_MARKED_PUSHES_STATE,
    RETRACE_MARKED_POPS_STATE,
    RETRACE_MARKED_CALLS, /* it depends on the list that is called */
};

/* A row of the tables of rules, for the function of that name. */
struct retrace_rule_row {
    const char *name;
    retrace_rule *rule;
    retrace_post_hook *post_hook;
    uint32_t detail;
};

/* A function of the trace, and how its calls are made; filled in at its first call. */
struct retrace_binding {
    const struct apitrace_function *function;
    const struct retrace_function *gl; /* NULL if it is not a function of OpenGL */
    retrace_rule *rule;                /* NULL if it has none */
    retrace_post_hook *post_hook;
    uint32_t detail;     /* parameter of a rule that serves several functions */
    bool deletes;        /* the names passed are deleted by the call */
    bool listed;         /* a list that is being compiled includes its calls (list_calls.h) */
    bool changes_arrays; /* the call changes arrays, or buffers that may have them */
    uint8_t paints;      /* enum retrace_paints */
    uint8_t marked;      /* enum retrace_marked */
    /*
     * Indices of arguments: `location` is that of a uniform's location, -1 if there is none;
     * `owner` is that of the uniform's program, -1 for the current program.
     */
    int8_t location, owner;
    void (*made)(void); /* the driver's function; NULL if the driver lacks it */
    ffi_cif cif;
    ffi_type *types[RETRACE_ARGUMENTS_MAX];
};

enum retrace_kind {
    RETRACE_ABSENT,  /* not in the trace */
    RETRACE_NUMBER,  /* also null */
    RETRACE_ADDRESS, /* opaque: of the traced program, or an offset */
    RETRACE_MEMORY,  /* elements or bytes */
};

/* An argument or a result, as the trace has it. */
struct retrace_argument {
    uint8_t kind; /* enum retrace_kind */
    bool is_blob;
    bool checked;    /* by a rule; it is passed to the driver without further checks */
    bool live;       /* MEMORY is the rest of a block (heap.c), and may be written */
    uint64_t number; /* an integer, or the address; floats are in `real` */
    double real;
    uint8_t *memory; /* valid for this call only; zeros follow */
    uint64_t size;   /* bytes in the trace */
    uint64_t count;  /* elements: pointers if RETRACE_IN_POINTERS, otherwise of the type's size */
    uint64_t *sizes; /* bytes of each pointer's target if RETRACE_IN_POINTERS */
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
    } returned; /* by the driver */
};

/* A call that has been made, with what is needed to make it again. */
struct retrace_repeat {
    const struct retrace_call *call;
    struct retrace_binding *binding;
    void **values; /* as libffi takes them */
    /* The calls since glBegin(), to be made instead if it is glEnd(); NULL for other calls. */
    const struct retrace_recording *recording;
};

/* Returns the function's binding, creating it at the first call. Returns NULL without memory. */
struct retrace_binding *retrace_bind(struct retrace *retrace,
                                     const struct apitrace_function *function);
/* Carries out a call that has been read: its rule, the call itself, and its post hook. */
enum retrace_outcome retrace_run(struct retrace *retrace, struct retrace_call *call);
/*
 * Returns the number of elements that the driver assumes a pointer to have, or UINT64_MAX if it is
 * unknown.
 */
uint64_t retrace_needed(const struct retrace_call *call, const struct retrace_parameter *parameter);
/* Changes names, checks memory, and makes the call, or records it to be made later. */
enum retrace_outcome retrace_make(struct retrace *retrace, struct retrace_call *call);

#endif
