/* SPDX-License-Identifier: MIT */
/* The layout of call records in memory (calls.h), for the files that write, read and keep them. */
#ifndef GPUDUMPFS_APITRACE_INDEX_CALL_PAGES_H
#define GPUDUMPFS_APITRACE_INDEX_CALL_PAGES_H

#include <stdint.h>

enum {
    APITRACE_PAGE_BYTES = 64 * 1024 - 16,
    RECORD_MAX = 64, /* bytes */

    FLAG_PLACE = 1,
    FLAG_THREAD = 2,
    FLAG_LEAVE = 4 | 8, /* one of: */
    LEAVE_NEXT = 0,
    LEAVE_APART = 4,
    LEAVE_NONE = 8,
    LEAVE_LATE = 4 | 8,
    FLAG_ORDER = 16,
    FLAG_HIDDEN = 32,
    FLAG_FAKE = 64,
    FLAG_CUT = 128,
    FLAGS_USUAL = FLAG_HIDDEN | FLAG_FAKE, /* no other flags: a usual record, as most are */

    USUAL_HEAD = 3,   /* bytes of one before the function's number: flags and lengths, … */
    USUAL_MAX = 0x80, /* … which are below this */
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
