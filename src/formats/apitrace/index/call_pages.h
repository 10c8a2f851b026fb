/* SPDX-License-Identifier: MIT */
/*
 * The layout of call records in memory (calls.h), for the files that write, read and keep them.
 *
 * A record has these parts, in this order. The flags say which of the optional parts it has: those
 * for which the record differs from what its predecessor lets expect (struct apitrace_prediction).
 *
 *     flags        one byte
 *     place        signed varint, with FLAG_PLACE: enter event's offset minus the expected one
 *     thread       varint, with FLAG_THREAD
 *     shift        signed varint, with FLAG_ORDER: difference of `shift` from the expected one
 *     enter bytes  varint
 *     gap          signed varint, with LEAVE_APART: bytes between the enter and the leave event
 *     leave bytes  varint, with LEAVE_NEXT and LEAVE_APART
 *     function     varint: its number + 1; 0 for none
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALL_PAGES_H
#define GPUDUMPFS_APITRACE_INDEX_CALL_PAGES_H

#include <stdint.h>

enum {
    APITRACE_PAGE_BYTES = 64 * 1024 - 16,
    RECORD_MAX = 64, /* bytes */

    FLAG_PLACE = 1,
    FLAG_THREAD = 2,
    FLAG_LEAVE = 4 | 8, /* a mask of two bits, which have one of the next four values */
    LEAVE_NEXT = 0,     /* the leave event follows the enter event at once */
    LEAVE_APART = 4,    /* the leave event follows later */
    LEAVE_NONE = 8,     /* the call has no leave event */
    LEAVE_LATE = 4 | 8, /* the table of late calls has the leave event, order and marks */
    FLAG_ORDER = 16,
    FLAG_HIDDEN = 32,
    FLAG_FAKE = 64,
    FLAG_CUT = 128,

    /* Most records are usual: they have no other flags than these, and short events. */
    FLAGS_USUAL = FLAG_HIDDEN | FLAG_FAKE,
    USUAL_HEAD = 3,   /* bytes of a usual record before the function: flags and two lengths */
    USUAL_MAX = 0x80, /* the lengths of a usual record's events are below this */
};

struct apitrace_call_page {
    uint32_t used;
    uint8_t bytes[APITRACE_PAGE_BYTES];
};

struct apitrace_call_mark {
    uint64_t place; /* of the first record's enter event, on which the rest of the block is based */
    uint32_t page, offset;
};

#endif
