/* SPDX-License-Identifier: MIT */
/*
 * The index of a trace, kept for its next opening (source/kept.h, apitrace.md 2.8). Kept is where
 * calls and blobs stand, in which order calls are listed, which return an error, and what was
 * defined, as it stands in the trace; all else follows, and is made as the pass makes it
 * (lister.h). What is read is believed no more than a trace is. The thread that opens the trace,
 * or whose pass has ended.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_KEPT_INDEX_H
#define GPUDUMPFS_APITRACE_INDEX_KEPT_INDEX_H

#include "formats/apitrace/index/index.h"
#include "source/kept.h"

/* The key of a trace's index, which depends on the memory that its maker was given. */
void apitrace_kept_index_key(const struct apitrace_index *index, struct kept_key *out);

/*
 * Fills an index of which only the header was read, and ends the reader. 0 or -errno, then the
 * index is as before.
 */
int apitrace_kept_index_read(struct apitrace_index *index, struct kept_reader *reader);

/* Of an index that is complete. 0, or why its definitions cannot be read again. */
int apitrace_kept_index_write(struct apitrace_index *index, struct kept_writer *writer);

/*
 * kept_calls.c: the records' part. What is restored are records that may be read; whether they are
 * of the trace is still to be seen. At most so many bytes are taken, and a page.
 */
void apitrace_calls_keep(const struct apitrace_calls *calls, struct kept_writer *writer);
void apitrace_calls_restore(struct apitrace_calls *calls, uint64_t max_memory,
                            struct kept_reader *reader);

#endif
