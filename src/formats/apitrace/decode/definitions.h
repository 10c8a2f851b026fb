/* SPDX-License-Identifier: MIT */
/*
 * What a trace defines as it goes: functions, structs, enums, bitmasks and the
 * frames of backtraces, each in a space of ids of its own (apitrace.md 2.5). The
 * index pass adds them, with a reader that `defines`; they do not change, and any thread
 * may look for those that what it reads refers to.
 * Whether a definition stands where an id is read is told by position alone, so a
 * call can be read without what stands before it.
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
    APITRACE_NAME_SHOWN = 200,     /* bytes of a function's name in file names */
    APITRACE_ARGUMENTS_MAX = 1024, /* of a function; each call costs as much as they are many */
    APITRACE_FLAGS_MAX = 256,
};

/* Behind each name that is kept: zeros, so that it may be copied in large steps. */
enum { APITRACE_NAME_PAD = 16 };

/* Bytes of the trace, without a NUL of their own but with one behind. */
struct apitrace_name {
    const char *bytes;
    uint32_t length; /* as stored */
    uint32_t shown;  /* up to the first NUL */
};

/* What all definitions begin with. */
struct apitrace_definition {
    uint64_t position; /* where it stands, behind its id … */
    uint64_t bytes;    /* … and so much of the stream */
    uint32_t id;
    uint32_t serial; /* from 0, in the order of definition, over all spaces */
};

struct apitrace_function {
    struct apitrace_definition base;
    struct apitrace_name name;
    struct apitrace_name *arguments;
    struct apitrace_name *prefixes; /* of their values in text: "name = ", ", name = " */
    struct apitrace_name head;      /* the name and "(" */
    uint32_t argument_count;
    uint32_t number;                           /* from 0, in the order of definition */
    unsigned classes;                          /* enum apitrace_class */
    unsigned semantic;                         /* enum apitrace_gl_semantic, as `gl` has it */
    const struct apitrace_gl_call *gl, *state; /* rows of the table; `state` may be NULL */
    const char *packet_name;                   /* fit for file names */
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
    int64_t value; /* of a bitmask: its bits */
};

struct apitrace_enum {
    struct apitrace_definition base;
    struct apitrace_constant *constants;
    uint32_t count;
    uint32_t *slots;     /* places in `constants` + 1 by hash of the value; 0: free */
    uint32_t slot_count; /* a power of two */
    bool single;         /* before version 3: the id is the name, and no value follows */
};

/*
 * Flags in the order in which a value is taken apart: few of those that are defined matter, and
 * of more than APITRACE_FLAGS_MAX the others are shown as a number.
 */
struct apitrace_bitmask {
    struct apitrace_definition base;
    struct apitrace_constant *constants;
    uint32_t count;
    uint32_t *flags; /* places in `constants` */
    uint32_t flag_count;
};

struct apitrace_frame {
    struct apitrace_definition base;
    struct apitrace_name module, function, file; /* `bytes` NULL: not given */
    uint64_t line, offset;
    bool has_line, has_offset;
};

/* The definitions of one space, by id and in their order. */
struct apitrace_space {
    void ***pages; /* of APITRACE_PAGE_IDS each; NULL: none of them is defined */
    void **list;
    uint32_t count;
    uint64_t room;
};

struct apitrace_definitions {
    struct apitrace_space functions, structs, enums, bitmasks, frames;
    struct apitrace_arena arena;
    struct apitrace_memory memory; /* of the lists */
    uint32_t count;                /* of all spaces */
    unsigned version;              /* of the stream */
    uint64_t cut_bitmasks;         /* those of which not all flags are shown */
    atomic_bool odd_names;         /* one may hold what is escaped in texts; set before it is met */
};

int apitrace_definitions_init(struct apitrace_definitions *definitions, uint64_t max_memory);
void apitrace_definitions_clear(struct apitrace_definitions *definitions);

/* Reads a name, which is kept as long as definitions are; of no bytes after a failure. */
struct apitrace_name apitrace_read_name(struct apitrace_reader *reader,
                                        struct apitrace_definitions *definitions);

/*
 * Reads an id, and the definition behind it if this is where it stands; adds it if it
 * is new. NULL after a failure of the reader.
 */
const struct apitrace_function *apitrace_read_function(struct apitrace_reader *reader,
                                                       struct apitrace_definitions *definitions);
/* Reads over the id of a function that is known, and its definition if it stands here. */
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

/* What an id stands for by now; NULL: nothing yet. */
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

/* A number with a sign: type byte, magnitude (apitrace.md 2.4). */
int64_t apitrace_read_signed(struct apitrace_reader *reader);

/* The first name of that value; NULL: it has none. */
const struct apitrace_constant *apitrace_enum_find(const struct apitrace_enum *definition,
                                                   int64_t value);

/* Whether its calls draw, and are of a library that is drawn again. */
static inline bool apitrace_function_draws(const struct apitrace_function *function)
{
    return (function->classes & APITRACE_RENDER) != 0 &&
           strncmp(function->name.bytes, "gl", 2) == 0;
}

static inline const struct apitrace_function *apitrace_function_at(
    const struct apitrace_definitions *definitions, uint32_t number)
{
    return definitions->functions.list[number];
}

#endif
