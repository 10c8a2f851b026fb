/* The index pass itself, which index.h opens with. One thread. */
#ifndef GPUDUMPFS_APITRACE_INDEX_PASS_H
#define GPUDUMPFS_APITRACE_INDEX_PASS_H

#include "formats/apitrace/index/index.h"

/*
 * Reads the events from `position`, behind the header, to the end. 0, -EINTR, -ENOMEM;
 * what is wrong with the trace is a problem and no failure.
 */
int apitrace_pass_run(struct apitrace_index *index, const struct apitrace_index_params *params,
                      uint64_t position);

#endif
