/* SPDX-License-Identifier: MIT */
/*
 * Calls as text, byte for byte as `apitrace dump --color=never` prints them
 * (apitrace.md 3.5), but for names, of which what disturbs a terminal is escaped unless they are
 * wanted raw. One thread a printer.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PRINT_H
#define GPUDUMPFS_APITRACE_VIEWS_PRINT_H

#include "formats/apitrace/views/printer.h"

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
 * The same for many calls, one after the other, which are all in frames that are shown: a listing
 * leaves out those that are hidden, unless it has threads. The text has them all once the printer
 * is finished, which is done before it is cleared or begins another text.
 */
void apitrace_printer_begin(struct apitrace_printer *printer, unsigned how, struct text *text);
int apitrace_print_next(struct apitrace_printer *printer, uint64_t number);
void apitrace_printer_finish(struct apitrace_printer *printer);

/* Appends the value at a place in the stream, as it stands in the text of a call. */
int apitrace_print_value(struct apitrace_printer *printer, uint64_t place, unsigned how,
                         struct text *text);

/* Appends the property lines; of a name that repeats the last value, as the dump does. */
void apitrace_print_properties(const struct apitrace_index *index, unsigned how, struct text *text);

#endif
