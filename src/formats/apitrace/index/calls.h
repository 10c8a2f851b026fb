/* SPDX-License-Identifier: MIT */
/*
 * The offsets of all calls of a trace, in about five bytes a call: records in blocks of
 * APITRACE_BLOCK, each stored as its difference from the one before, and a mark for each block. The
 * few calls whose leave comes much later have a table of their own. One thread writes them once, in
 * the order of call numbers. Any thread may read what is known to have been written, also while the
 * writing continues if the memory is reserved.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALLS_H
#define GPUDUMPFS_APITRACE_INDEX_CALLS_H

#include "formats/apitrace/collections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APITRACE_BLOCK = 64,
    APITRACE_HIDDEN = 1, /* shown only with -v */
    APITRACE_FAKE = 2,
    APITRACE_INCOMPLETE = 4, /* it never returned */
    APITRACE_CUT = 8,        /* its enter or leave event is cut off, so that it is not listed */
};

#define APITRACE_NO_FUNCTION UINT32_MAX
#define APITRACE_NO_ORDER    UINT64_MAX
#define APITRACE_NO_LEAVE    UINT64_MAX

struct apitrace_record {
    uint64_t number;
    uint64_t enter, enter_bytes; /* offset and size of the event in the stream */
    uint64_t leave, leave_bytes; /* APITRACE_NO_LEAVE if there is none */
    uint64_t order;    /* position in the listing, from 0; APITRACE_NO_ORDER if it is not listed */
    uint32_t function; /* number of the function; or APITRACE_NO_FUNCTION */
    uint32_t thread;
    uint8_t marks; /* APITRACE_HIDDEN and so on, ORed */
};

/* How a late call, whose record refers to this entry, ends. */
struct apitrace_late {
    uint64_t leave, leave_bytes, order;
    uint32_t number, thread;
    uint8_t marks;
    _Atomic bool known; /* the other fields are valid; until then the call is open */
};

/* What is expected of the next record, which is stored as its differences from this. */
struct apitrace_prediction {
    uint64_t end;  /* where the call is expected in the stream */
    int64_t shift; /* order minus number of a listed call */
    uint32_t thread;
};

struct apitrace_call_page;
struct apitrace_call_mark;

struct apitrace_calls {
    uint64_t count;
    struct apitrace_call_page **pages;
    uint64_t page_count, page_room;
    struct apitrace_call_mark *marks;
    uint64_t mark_count, mark_room;
    struct apitrace_late *late; /* sorted by number */
    _Atomic uint64_t late_count;
    uint64_t late_room, late_open;     /* `late_open`: number of late calls that are still open */
    struct apitrace_prediction before; /* for the next record to be written */
    struct apitrace_memory memory;
};

/*
 * Adds the record of call number `count`. If it is `late`, its leave, order and marks are left out;
 * apitrace_calls_close() adds them. Returns 0 or -ENOMEM.
 */
int apitrace_calls_add(struct apitrace_calls *calls, const struct apitrace_record *record,
                       bool late);

/* Returns whether a call was added as a late one and is still open. */
bool apitrace_calls_is_open(const struct apitrace_calls *calls, uint64_t number);

/* Completes a late call. */
void apitrace_calls_close(struct apitrace_calls *calls, const struct apitrace_record *record);

void apitrace_calls_clear(struct apitrace_calls *calls);

/*
 * Reads records, which is fastest in ascending order: the next record costs almost nothing. Lives
 * on the stack and needs no clean-up.
 */
struct apitrace_walk {
    const struct apitrace_calls *calls;
    const uint8_t *at; /* the next record in its block */
    uint64_t next;     /* number of that record */
    struct apitrace_prediction before;
    struct apitrace_record record; /* the record before it */
};

static inline void apitrace_walk_init(struct apitrace_walk *walk,
                                      const struct apitrace_calls *calls)
{
    walk->calls = calls;
    walk->at = NULL;
    walk->next = 0;
}

/* Returns the record of a call, number < count; valid until the next use of the walk. */
const struct apitrace_record *apitrace_walk_to(struct apitrace_walk *walk, uint64_t number);

#endif
