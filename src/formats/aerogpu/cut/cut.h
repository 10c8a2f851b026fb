/* SPDX-License-Identifier: MIT */
/*
 * Frames of a trace as a trace of their own (aerogpu.md 7): its header and meta JSON, in the first
 * frame the records that restore what was there before (restore.h), blobs that stand before the
 * cut, the frames' own records, a table of contents. Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_CUT_CUT_H
#define GPUDUMPFS_AEROGPU_CUT_CUT_H

#include "base/blob.h"
#include "formats/aerogpu/dump.h"

/* 0 or -ENOMEM. */
int aerogpu_cutter_create(struct aerogpu_cutter **out);
void aerogpu_cutter_destroy(struct aerogpu_cutter **cutter);

/* Bytes of a frame's cut: 0, -ENOENT, or -EAGAIN: aerogpu_cutter_know() finds them. */
int aerogpu_cut_size(const struct aerogpu_dump *dump, uint64_t frame, uint64_t *size);

/* Walks as far as that frame, if it was not yet. 0, -ENOENT, -EINTR, -ENOMEM. */
int aerogpu_cutter_know(struct aerogpu_dump *dump, uint64_t frame, const struct cancel *cancel);

/* `length` bytes of it from `offset`. 0, -ENOENT, -EINTR, -ENOMEM, -EIO with a problem. */
int aerogpu_cut_piece(struct aerogpu_dump *dump, uint64_t frame, uint64_t offset, size_t length,
                      const struct cancel *cancel, struct blob **out);

/* As struct dump_ops has it. */
int aerogpu_cut_range(struct dump *dump, uint64_t first, uint64_t last, const struct cancel *cancel,
                      dump_sink *sink, void *context);

#endif
