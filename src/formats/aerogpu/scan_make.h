/* SPDX-License-Identifier: MIT */
/*
 * Makes the scan of a trace (scan.h): at once, or frame by frame while the trace grows. Only one
 * thread may make a scan; several may make several.
 */
#ifndef GPUDUMPFS_AEROGPU_SCAN_MAKE_H
#define GPUDUMPFS_AEROGPU_SCAN_MAKE_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/scan.h"

/* The problem to report with -EFBIG. */
#define AEROGPU_SCAN_TOO_MUCH "more draws and resources than max-memory allows to index"

struct aerogpu_scan_params {
    const struct aerogpu_limits *limits;
    uint64_t max_memory; /* bytes that the scan may take */
};

/*
 * Makes the scan. Returns 0, -ENOMEM, -EINTR, or -EFBIG if it would exceed max_memory. On failure
 * there is nothing to clear.
 */
int aerogpu_scan_make(const struct aerogpu_index *index, const struct aerogpu_scan_params *params,
                      struct problems *problems, const struct cancel *cancel,
                      struct aerogpu_scan *out);

struct aerogpu_scanner;

/*
 * Begins the scan of a trace that grows, which is then made frame by frame. What is known of a
 * frame does not move. The scanner owns the contents of the scan, which is empty once the scanner
 * is destroyed. Returns 0 or -ENOMEM.
 */
int aerogpu_scanner_create(const struct aerogpu_index *index,
                           const struct aerogpu_scan_params *params, struct problems *problems,
                           const struct cancel *cancel, struct aerogpu_scan *scan,
                           struct aerogpu_scanner **out);
void aerogpu_scanner_destroy(struct aerogpu_scanner **scanner);

/*
 * Scans the next frame, which is the last one of the index. Returns what aerogpu_scan_make()
 * returns; after a failure no further frame can be scanned.
 */
int aerogpu_scanner_frame(struct aerogpu_scanner *scanner);

#endif
