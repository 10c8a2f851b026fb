/* SPDX-License-Identifier: MIT */
/*
 * Cuts as files: pieces of one, and ranges of frames that are written as they are made. Any thread.
 */
#ifndef GPUDUMPFS_APITRACE_CUT_FILES_H
#define GPUDUMPFS_APITRACE_CUT_FILES_H

#include "formats/apitrace/cut/cut.h"
#include "formats/apitrace/dump.h"

/* Makes the pool of the dump's cursors, while the dump is opened. */
void apitrace_cut_files_init(struct apitrace_dump *dump);

/*
 * Makes `length` bytes from `offset` on of the file of a cut, whose stream has `stream` bytes.
 * Returns 0, -EINTR, -ENOMEM, -EIO, or -EFBIG if too many calls are open at the same time.
 */
int apitrace_cut_file_read(struct apitrace_dump *dump, const struct apitrace_cut *cut,
                           uint64_t stream, uint64_t offset, size_t length,
                           const struct cancel *cancel, struct blob **out);

/* As `cut` of struct dump_ops. */
int apitrace_cut_range(struct dump *dump, uint64_t first, uint64_t last,
                       const struct cancel *cancel, dump_sink *sink, void *context);

#endif
