/* The calls of a frame as text: calls.txt and its kin (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_COMMANDS_H
#define GPUDUMPFS_APITRACE_VIEWS_COMMANDS_H

#include "tree/dump.h"

/* Rules' listings; key: the frame. */
extern const struct dump_listing apitrace_calls_listing, apitrace_calls_oneline_listing,
    apitrace_calls_verbose_listing;

/*
 * As dump_ops says, for lines without threads: the call's number. Strings may go on for several
 * lines, where what looks like a number is part of one; `*inside` is 1 within a string.
 */
size_t apitrace_call_place(const char *line, size_t length, unsigned *inside);

#endif
