/* The definitions that a trace carries, as listings: signatures/ of its mount. */
#ifndef GPUDUMPFS_APITRACE_VIEWS_SIGNATURES_H
#define GPUDUMPFS_APITRACE_VIEWS_SIGNATURES_H

#include "tree/dump.h"

extern const struct dump_listing apitrace_functions_listing, apitrace_enums_listing,
    apitrace_bitmasks_listing, apitrace_structs_listing;

#endif
