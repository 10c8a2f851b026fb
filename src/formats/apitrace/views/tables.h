/*
 * Tables of a whole trace (apitrace.md 4): blobs, threads, errors, markers, shaders, textures.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_TABLES_H
#define GPUDUMPFS_APITRACE_VIEWS_TABLES_H

#include "tree/dump.h"

extern const struct dump_listing apitrace_blobs_listing, apitrace_threads_listing,
    apitrace_errors_listing, apitrace_markers_listing;
extern const struct dump_listing apitrace_shaders_listing, apitrace_textures_listing;

#endif
