/* SPDX-License-Identifier: MIT */
/*
 * A dump with edits, as a source of its own: the original's bytes, some of them replaced. The
 * original is only read, and is asked whether its file is what it was. Making it takes as long as
 * the edits are: what moves because of them need not be copied before it is touched.
 */
#ifndef GPUDUMPFS_SOURCE_EDITED_H
#define GPUDUMPFS_SOURCE_EDITED_H

#include "source/source.h"

/* Bytes that cannot be the original's own pages: what is put in, and what moves because of it. */
#define EDITED_COPY_MAX ((uint64_t)1 << 30)

/* `length` bytes in place of `size` at `offset`. */
struct source_edit {
    uint64_t offset, size;
    const uint8_t *bytes;
    size_t length;
};

/*
 * Edits stand in order, and none reaches into another; their bytes are copied. The original, which
 * is whole, outlives it. `later`: bytes that move are copied in pieces, by the thread that touches
 * one first (sigbus_guard.h); so none of them may be given to a system call.
 * 0; -EFBIG beyond EDITED_COPY_MAX; -EINVAL where nothing is left or the original grows; -ENOMEM.
 * Any thread.
 */
int source_open_edited(const struct source *original, const struct source_edit *edits, size_t count,
                       bool later, struct source **out);

#endif
