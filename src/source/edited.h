/* SPDX-License-Identifier: MIT */
/*
 * A dump with edits, as a source of its own: the original's bytes, some of them replaced. The
 * original is only read; source_check() also checks its file. Opening takes time in proportion to
 * the edits: bytes that move because of them need not be copied before they are touched.
 */
#ifndef GPUDUMPFS_SOURCE_EDITED_H
#define GPUDUMPFS_SOURCE_EDITED_H

#include "source/source.h"

/* Maximum bytes that cannot be the original's pages: inserted bytes, and bytes that move. */
#define EDITED_COPY_MAX ((uint64_t)1 << 30)

/* Replaces `size` bytes at `offset` by `length` bytes. */
struct source_edit {
    uint64_t offset, size;
    const uint8_t *bytes;
    size_t length;
};

/*
 * Opens an edited source. The edits must be in order and must not overlap; their bytes are copied.
 * The original must be complete, and must outlive the new source. If `later` is set, bytes that
 * move are copied piece by piece, by the thread that first touches them (sigbus_guard.h), so none
 * of the bytes may be passed to a system call. Returns 0, -EFBIG beyond EDITED_COPY_MAX, -EINVAL if
 * no bytes are left or the original grows, -ENOMEM, or another -errno. Any thread.
 */
int source_open_edited(const struct source *original, const struct source_edit *edits, size_t count,
                       bool later, struct source **out);

#endif
