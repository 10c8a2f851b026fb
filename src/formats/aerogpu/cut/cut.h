/* SPDX-License-Identifier: MIT */
/*
 * Makes a trace of some frames of a trace (aerogpu.md 7). It consists of the header and meta JSON;
 * in the first frame, the records that restore the state before it (restore.h) and the blobs from
 * before the cut; the records of the frames; and a table of contents. Any thread may call these
 * functions.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_CUT_H
#define GPUDUMPFS_AEROGPU_CUT_CUT_H

#include "base/blob.h"
#include "formats/aerogpu/dump.h"

/* Creates a cutter, which has walked nothing yet. Returns 0 or -ENOMEM. */
int aerogpu_cutter_create(struct aerogpu_cutter **out);
void aerogpu_cutter_destroy(struct aerogpu_cutter **cutter);

/*
 * Gets the size of a frame's cut in bytes. Returns 0, -ENOENT, or -EAGAIN if it is not known yet;
 * then aerogpu_cutter_know() determines it.
 */
int aerogpu_cut_size(const struct aerogpu_dump *dump, uint64_t frame, uint64_t *size);

/* Walks up to the frame, unless that was done before. Returns 0, -ENOENT, -EINTR or -ENOMEM. */
int aerogpu_cutter_know(struct aerogpu_dump *dump, uint64_t frame, const struct cancel *cancel);

/*
 * Gets `length` bytes of the frame's cut from `offset` on. Returns 0, -ENOENT, -EINTR, -ENOMEM, or
 * -EIO with a problem.
 */
int aerogpu_cut_piece(struct aerogpu_dump *dump, uint64_t frame, uint64_t offset, size_t length,
                      const struct cancel *cancel, struct blob **out);

/* Implements `cut` of struct dump_ops. */
int aerogpu_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                      dump_sink *sink, void *context);

#endif
