/* SPDX-License-Identifier: MIT */
/*
 * Cuts as files: pieces of one, and ranges of frames that are written as they are made. Any
 * thread.
 */
#ifndef GPUDUMPFS_APITRACE_CUT_FILES_H
#define GPUDUMPFS_APITRACE_CUT_FILES_H

#include "formats/apitrace/cut/cut.h"
#include "formats/apitrace/dump.h"

/* While the dump is opened: makes the pool of its cursors. */
void apitrace_cut_files_init(struct apitrace_dump *dump);

/*
 * `length` bytes from `offset` on of the file of a cut, whose stream has `stream` bytes. 0,
 * -EINTR, -ENOMEM, -EIO; -EFBIG: too many calls are open at a time.
 */
int apitrace_cut_file_read(struct apitrace_dump *dump, const struct apitrace_cut *cut,
                           uint64_t stream, uint64_t offset, size_t length,
                           const struct cancel *cancel, struct blob **out);

/* As struct dump_ops has it. */
int apitrace_cut_range(struct dump *dump, uint64_t first, uint64_t last,
                       const struct cancel *cancel, dump_sink *sink, void *context);

#endif
