/* SPDX-License-Identifier: MIT */
/*
 * What a subresource of Direct3D holds at a place of the trace, made of the writes that it depends
 * on alone (apitrace.md 4.12): they are found backwards, through copies, and carried out from the
 * first to the last. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_D3D_CONTENTS_H
#define GPUDUMPFS_APITRACE_REPLAY_D3D_CONTENTS_H

#include "formats/apitrace/index/object_index.h"

/*
 * The bytes of a subresource before place `order` of the listing, without gaps; zero where nobody
 * knows. The caller's. 0, -EINTR, -ENOMEM, -EIO: the trace cannot be read, or -EFBIG: what that
 * takes is more than a trace of that size may ask for.
 */
int apitrace_d3d_content_read(const struct apitrace_index *index,
                              const struct apitrace_d3d_index *d3d,
                              const struct apitrace_d3d_content *content, uint64_t order,
                              const struct cancel *cancel, struct blob **out);

#endif
