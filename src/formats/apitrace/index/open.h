/* Opening: the stream, its header, and the pass that makes the index. One thread. */
#ifndef GPUDUMPFS_APITRACE_INDEX_OPEN_H
#define GPUDUMPFS_APITRACE_INDEX_OPEN_H

#include "formats/apitrace/index/index.h"

/*
 * Opens the stream and indexes it to its end, or to what cannot be right: that is a
 * problem, and what stands before it is there. 0, -EPROTO for a version that is not
 * known, -EINTR, -ENOMEM, -errno of the spool. *out is to be cleared in any case. Of a
 * stream that grows nothing is indexed yet.
 */
int apitrace_index_open(const struct apitrace_index_params *params, struct apitrace_index *out);

/* Then indexes such a stream to its end, and waits for it. 0, -EINTR, -ENOMEM, and the like. */
int apitrace_index_follow(struct apitrace_index *index);

#endif
