/* SPDX-License-Identifier: MIT */
/*
 * Calls as text, byte for byte as `apitrace dump --color=never` prints them
 * (apitrace.md 3.5), but for names, of which what disturbs a terminal is escaped unless they are
 * wanted raw. One thread a printer.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PRINT_H
#define GPUDUMPFS_APITRACE_VIEWS_PRINT_H

#include "base/text.h"
#include "formats/apitrace/decode/literals.h"
#include "formats/apitrace/index/call.h"

enum apitrace_print {
    APITRACE_PRINT_LINES = 0,
    APITRACE_PRINT_ONE_LINE = 1, /* --multiline=no */
    APITRACE_PRINT_THREADS = 2,  /* --thread-ids=yes */
    APITRACE_PRINT_RAW = 4,      /* names as they are */
};

enum { APITRACE_PRINT_ROOM = 8192 };

struct apitrace_printer {
    struct apitrace_call call;
    struct text *text; /* where `room` goes when it is full */
    unsigned how;      /* enum apitrace_print, ORed */
    bool careful;      /* names have to be looked at */
    uint32_t printed;  /* arguments of the call at hand */
    /* The number of the call that was printed last, and its digits. */
    uint64_t number;
    char digits[APITRACE_DECIMAL_MAX];
    size_t digit_count; /* 0: none was */
    size_t used;
    char room[APITRACE_PRINT_ROOM];
};

void apitrace_printer_init(struct apitrace_printer *printer, const struct apitrace_index *index,
                           const struct cancel *cancel);
void apitrace_printer_clear(struct apitrace_printer *printer);

/*
 * Appends a call's text: its lines, its backtrace, and the empty line after the end of
 * a frame. 0, -EINTR, -ENOMEM, -EIO.
 */
int apitrace_print_call(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text);

/*
 * The same for many calls, one after the other: the text has them all once the printer is finished,
 * which is done before it is cleared or appends to another text.
 */
int apitrace_print_next(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text);
void apitrace_printer_finish(struct apitrace_printer *printer);

/* Appends the value at a place in the stream, as it stands in the text of a call. */
int apitrace_print_value(struct apitrace_printer *printer, uint64_t place, unsigned how,
                         struct text *text);

/* Appends the property lines; of a name that repeats the last value, as the dump does. */
void apitrace_print_properties(const struct apitrace_index *index, unsigned how, struct text *text);

#endif
