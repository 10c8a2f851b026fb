/* SPDX-License-Identifier: MIT */
/*
 * The definitions in a trace: functions, structs, enums, bitmasks and the frames of backtraces,
 * each in a space of ids of its own (apitrace.md 2.5). The index pass adds them, with a reader that
 * `defines`. They never change, and any thread may look up those that are referred to by what it
 * reads.
 *
 * Whether an id that is read is followed by its definition is decided by the position alone, so a
 * call can be read without what precedes it.
 */
#ifndef GPUDUMPFS_APITRACE_DECODE_DEFINITIONS_H
#define GPUDUMPFS_APITRACE_DECODE_DEFINITIONS_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/decode/gl_calls.h"
#include "formats/apitrace/decode/reader.h"

#include <stdatomic.h>

enum {
    APITRACE_ID_MAX = 1 << 20,
    APITRACE_PAGE_IDS = 1024,
    APITRACE_NAME_SHOWN = 200,     /* bytes of a function's name that are used in file names */
    APITRACE_ARGUMENTS_MAX = 1024, /* of a function; each call costs in proportion to them */
    APITRACE_FLAGS_MAX = 256,
};

/* Zero bytes after each name that is kept, so that it may be copied in large steps. */
enum { APITRACE_NAME_PAD = 16 };

/* Bytes of the trace, which may contain NUL, with a NUL after them. */
struct apitrace_name {
    const char *bytes;
    uint32_t length; /* as stored in the trace */
    uint32_t shown;  /* up to the first NUL */
};

/* The head of every definition. */
struct apitrace_definition {
    uint64_t position; /* offset in the stream, after the id */
    uint64_t bytes;    /* size in the stream */
    uint32_t id;
    uint32_t serial; /* in the order of definition over all spaces, from 0 */
};

struct apitrace_function {
    struct apitrace_definition base;
    struct apitrace_name name;
    struct apitrace_name *arguments;
    struct apitrace_name *prefixes; /* of the arguments in text: "name = ", ", name = " */
    struct apitrace_name head;      /* the name and "(" */
    uint32_t argument_count;
    uint32_t number;                           /* in the order of definition, from 0 */
    unsigned classes;                          /* enum apitrace_class, ORed */
    unsigned semantic;                         /* enum apitrace_gl_semantic, copied from `gl` */
    const struct apitrace_gl_call *gl, *state; /* rows of the table; only `state` may be NULL */
    const char *packet_name;                   /* with only characters that fit in file names */
};

struct apitrace_struct {
    struct apitrace_definition base;
    struct apitrace_name name;
    struct apitrace_name *members;
    uint32_t member_count;
    bool is_guid;
};

struct apitrace_constant {
    struct apitrace_name name;
    int64_t value; /* the bits of a flag, if in a bitmask */
};

struct apitrace_enum {
    struct apitrace_definition base;
    struct apitrace_constant *constants;
    uint32_t count;
    uint32_t *slots;     /* indices into `constants` + 1, by hash of the value; 0: free */
    uint32_t slot_count; /* a power of two */
    bool single; /* before version 3: the id stands for one constant, and no value follows */
};

/*
 * The flags in the order in which a value is decomposed. Most defined flags never show; of more
 * than APITRACE_FLAGS_MAX that do, the rest is shown as a number.
 */
struct apitrace_bitmask {
    struct apitrace_definition base;
    struct apitrace_constant *constants;
    uint32_t count;
    uint32_t *flags; /* indices into `constants` */
    uint32_t flag_count;
};

struct apitrace_frame {
    struct apitrace_definition base;
    struct apitrace_name module, function, file; /* `bytes` NULL: not given */
    uint64_t line, offset;
    bool has_line, has_offset;
};

/* The definitions of one space, by id and in the order of definition. */
struct apitrace_space {
    void ***pages; /* of APITRACE_PAGE_IDS each; NULL: none of these ids is defined */
    void **list;
    uint32_t count;
    uint64_t room;
};

struct apitrace_definitions {
    struct apitrace_space functions, structs, enums, bitmasks, frames;
    struct apitrace_arena arena;
    struct apitrace_memory memory; /* of the lists */
    uint32_t count;                /* over all spaces */
    unsigned version;              /* of the stream */
    uint64_t cut_bitmasks;         /* bitmasks with more than APITRACE_FLAGS_MAX flags to show */
    /* A name may contain bytes that texts escape. Set before that name can be found. */
    atomic_bool odd_names;
};

/*
 * Begins with no definitions; names and the like may take `max_memory` bytes. Returns 0 or -ENOMEM.
 */
int apitrace_definitions_init(struct apitrace_definitions *definitions, uint64_t max_memory);
void apitrace_definitions_clear(struct apitrace_definitions *definitions);

/*
 * Reads a name, which lives as long as the definitions. Returns an empty name after a failure of
 * the reader.
 */
struct apitrace_name apitrace_read_name(struct apitrace_reader *reader,
                                        struct apitrace_definitions *definitions);

/*
 * This and the other apitrace_read_… functions of definitions below read an id. If its definition
 * follows here, they read that too, and add it if it is new. They return NULL after a failure of
 * the reader.
 */
const struct apitrace_function *apitrace_read_function(struct apitrace_reader *reader,
                                                       struct apitrace_definitions *definitions);
/* Skips the id of a known function, and its definition if that is here. */
void apitrace_skip_function(struct apitrace_reader *reader,
                            const struct apitrace_function *function);

const struct apitrace_struct *apitrace_read_struct(struct apitrace_reader *reader,
                                                   struct apitrace_definitions *definitions);
const struct apitrace_enum *apitrace_read_enum(struct apitrace_reader *reader,
                                               struct apitrace_definitions *definitions);
const struct apitrace_bitmask *apitrace_read_bitmask(struct apitrace_reader *reader,
                                                     struct apitrace_definitions *definitions);
const struct apitrace_frame *apitrace_read_frame(struct apitrace_reader *reader,
                                                 struct apitrace_definitions *definitions);

/* Returns the definition of an id; NULL if it is not defined yet. */
static inline void *apitrace_space_find(const struct apitrace_space *space, uint64_t id)
{
    void **page = NULL;

    if (id < APITRACE_ID_MAX && space->pages != NULL)
        page = space->pages[id / APITRACE_PAGE_IDS];
    return page != NULL ? page[id % APITRACE_PAGE_IDS] : NULL;
}

static inline const struct apitrace_function *apitrace_known_function(
    const struct apitrace_definitions *definitions, uint64_t id)
{
    return apitrace_space_find(&definitions->functions, id);
}

static inline const struct apitrace_enum *apitrace_known_enum(
    const struct apitrace_definitions *definitions, uint64_t id)
{
    return apitrace_space_find(&definitions->enums, id);
}

static inline const struct apitrace_bitmask *apitrace_known_bitmask(
    const struct apitrace_definitions *definitions, uint64_t id)
{
    return apitrace_space_find(&definitions->bitmasks, id);
}

/* Reads a signed number: a type byte and a magnitude (apitrace.md 2.4). */
int64_t apitrace_read_signed(struct apitrace_reader *reader);

/* Returns the first name of a value; NULL if it has none. */
const struct apitrace_constant *apitrace_enum_find(const struct apitrace_enum *definition,
                                                   int64_t value);

/* Returns whether the function draws on the framebuffer that is its operand 0 (gl_calls.h). */
static inline bool apitrace_function_names_target(const struct apitrace_function *function)
{
    return function->semantic == APITRACE_BLIT_NAMED || function->semantic == APITRACE_CLEAR_NAMED;
}

/*
 * Returns whether the function draws or clears, and belongs to a library that can be replayed.
 * glClearBuffer… and calls that name a framebuffer do, although the dump's classes leave them out.
 */
static inline bool apitrace_function_draws(const struct apitrace_function *function)
{
    return ((function->classes & APITRACE_RENDER) != 0 ||
            function->semantic == APITRACE_CLEAR_BUFFER ||
            apitrace_function_names_target(function)) &&
           strncmp(function->name.bytes, "gl", 2) == 0;
}

static inline const struct apitrace_function *apitrace_function_at(
    const struct apitrace_definitions *definitions, uint32_t number)
{
    return definitions->functions.list[number];
}

#endif
