/* SPDX-License-Identifier: MIT */
/*
 * What a subresource of Direct3D contains at a place in the trace, made only of the writes that it
 * depends on (apitrace.md 4.12). These are found backwards, through copies, and carried out from
 * the first to the last. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_D3D_CONTENTS_H
#define GPUDUMPFS_APITRACE_REPLAY_D3D_CONTENTS_H

#include "formats/apitrace/index/object_index.h"

/*
 * Gets the bytes of a subresource before position `order` of the listing, without gaps; unknown
 * bytes are zero. The caller owns *out. Returns 0, -EINTR, -ENOMEM, -EIO if the trace cannot be
 * read, or -EFBIG if that takes more memory than is allowed for a trace of that size.
 */
int apitrace_d3d_content_read(const struct apitrace_index *index,
                              const struct apitrace_d3d_index *d3d,
                              const struct apitrace_d3d_content *content, uint64_t order,
                              const struct cancel *cancel, struct blob **out);

#endif
