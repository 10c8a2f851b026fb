/* SPDX-License-Identifier: MIT */
/*
 * Calls as text, byte for byte as `apitrace dump --color=never` prints them (apitrace.md 3.5),
 * except names: what would disturb a terminal is escaped in them, unless raw names are requested.
 * One thread a printer.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PRINT_H
#define GPUDUMPFS_APITRACE_VIEWS_PRINT_H

#include "formats/apitrace/views/printer.h"

void apitrace_printer_init(struct apitrace_printer *printer, const struct apitrace_index *index,
                           const struct cancel *cancel);
void apitrace_printer_clear(struct apitrace_printer *printer);

/*
 * Appends the text of a call: its lines, its backtrace, and an empty line if it ends a frame. `how`
 * is of enum apitrace_print, ORed. Returns 0, -EINTR, -ENOMEM or -EIO.
 */
int apitrace_print_call(struct apitrace_printer *printer, uint64_t number, unsigned how,
                        struct text *text);

/*
 * Begins a text of many calls, which apitrace_print_next() appends one after the other. The text is
 * complete only after apitrace_printer_finish(), which must be called before the printer is cleared
 * or begins another text.
 */
void apitrace_printer_begin(struct apitrace_printer *printer, unsigned how, struct text *text);

/*
 * Appends the text of a call, which must be in a frame that is shown. Leaves out a hidden call,
 * unless threads are printed. Returns as apitrace_print_call().
 */
int apitrace_print_next(struct apitrace_printer *printer, uint64_t number);

/* Completes the text. */
void apitrace_printer_finish(struct apitrace_printer *printer);

/* Appends the value at an offset in the stream, as in the text of a call. */
int apitrace_print_value(struct apitrace_printer *printer, uint64_t place, unsigned how,
                         struct text *text);

/* Appends the property lines. If a name repeats, only the last value is printed, as by the dump. */
void apitrace_print_properties(const struct apitrace_index *index, unsigned how, struct text *text);

#endif
