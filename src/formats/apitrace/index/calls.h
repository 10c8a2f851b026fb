/* SPDX-License-Identifier: MIT */
/*
 * Where all calls of a trace stand, in about five bytes a call: records in blocks of
 * APITRACE_BLOCK, each told by its difference from the one before, and a mark for
 * each block. Calls whose leave comes much later, which are few, have a table of
 * their own. Written once in order of call numbers by one thread. What it is known to
 * have written any thread may read, also while it goes on if the memory is reserved.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALLS_H
#define GPUDUMPFS_APITRACE_INDEX_CALLS_H

#include "formats/apitrace/collections.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    APITRACE_BLOCK = 64,
    APITRACE_HIDDEN = 1, /* shown with -v alone */
    APITRACE_FAKE = 2,
    APITRACE_INCOMPLETE = 4, /* it never returned */
    APITRACE_CUT = 8,        /* its enter or leave event is cut off: it is not listed */
};

#define APITRACE_NO_FUNCTION UINT32_MAX
#define APITRACE_NO_ORDER    UINT64_MAX
#define APITRACE_NO_LEAVE    UINT64_MAX

struct apitrace_record {
    uint64_t number;
    uint64_t enter, enter_bytes; /* the event's place in the stream */
    uint64_t leave, leave_bytes; /* APITRACE_NO_LEAVE: there is none */
    uint64_t order;              /* in the listing, from 0; APITRACE_NO_ORDER: not listed */
    uint32_t function;           /* its number; APITRACE_NO_FUNCTION */
    uint32_t thread;
    uint8_t marks; /* APITRACE_HIDDEN and so on */
};

/* What becomes of a call later: it has an entry, and its record says so. */
struct apitrace_late {
    uint64_t leave, leave_bytes, order;
    uint32_t number, thread;
    uint8_t marks;
    _Atomic bool known; /* what became of it; else it is open */
};

/* What the next record is told from. */
struct apitrace_prediction {
    uint64_t end;  /* where the call is to be expected */
    int64_t shift; /* how far behind its number it is listed */
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
    struct apitrace_late *late; /* by number */
    _Atomic uint64_t late_count;
    uint64_t late_room, late_open;
    struct apitrace_prediction before; /* while writing */
    struct apitrace_memory memory;
};

/*
 * Adds the record of call number `count`; with `late` what it says of the leave, the
 * order and the marks is left out, and comes by apitrace_calls_close(). -ENOMEM.
 */
int apitrace_calls_add(struct apitrace_calls *calls, const struct apitrace_record *record,
                       bool late);

/* Whether a call was added as a late one, and is still open. */
bool apitrace_calls_is_open(const struct apitrace_calls *calls, uint64_t number);

/* What became of such a call. */
void apitrace_calls_close(struct apitrace_calls *calls, const struct apitrace_record *record);

void apitrace_calls_clear(struct apitrace_calls *calls);

/* Reads records, best in their order: neighbours cost nothing. On the stack, no clean-up. */
struct apitrace_walk {
    const struct apitrace_calls *calls;
    const uint8_t *at; /* of the next record in its block */
    uint64_t next;     /* its number */
    struct apitrace_prediction before;
    struct apitrace_record record; /* the one before it */
};

static inline void apitrace_walk_init(struct apitrace_walk *walk,
                                      const struct apitrace_calls *calls)
{
    walk->calls = calls;
    walk->at = NULL;
    walk->next = 0;
}

/* The record of a call, number < count; valid until the next call. */
const struct apitrace_record *apitrace_walk_to(struct apitrace_walk *walk, uint64_t number);

#endif
