/* Tables of a whole trace (apitrace.md 4): threads, errors, markers, signatures. */
#ifndef GPUDUMPFS_APITRACE_VIEWS_TABLES_H
#define GPUDUMPFS_APITRACE_VIEWS_TABLES_H

#include "tree/dump.h"

extern const struct dump_listing apitrace_threads_listing, apitrace_errors_listing,
    apitrace_markers_listing;
extern const struct dump_listing apitrace_functions_listing, apitrace_enums_listing,
    apitrace_bitmasks_listing, apitrace_structs_listing;

#endif
