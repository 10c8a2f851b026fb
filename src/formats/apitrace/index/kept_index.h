/* SPDX-License-Identifier: MIT */
/*
 * The index of a trace, kept for its next opening (source/kept.h, apitrace.md 2.8). It contains
 * where calls and blobs are, the order in which calls are listed, which of them return an error,
 * and the definitions as they are in the trace. All else follows from that, and is made as the pass
 * makes it (lister.h). A kept index is trusted no more than a trace is. Used by the thread that
 * opens the trace, or whose pass has ended.
 */
#ifndef GPUDUMPFS_APITRACE_INDEX_KEPT_INDEX_H
#define GPUDUMPFS_APITRACE_INDEX_KEPT_INDEX_H

#include "formats/apitrace/index/index.h"
#include "source/kept.h"

/* Makes the key of a trace's index, which depends on the memory that the index may take. */
void apitrace_kept_index_key(const struct apitrace_index *index, struct kept_key *out);

/*
 * Fills an index of which only the header was read, and ends the reader. Returns 0, or -errno,
 * leaving the index as it was.
 */
int apitrace_kept_index_read(struct apitrace_index *index, struct kept_reader *reader);

/* Writes a complete index. Returns 0, or the error of reading its definitions again. */
int apitrace_kept_index_write(struct apitrace_index *index, struct kept_writer *writer);

/*
 * kept_calls.c: the records of calls. Restored records can be read safely; whether they fit the
 * trace must be checked separately. Restoring takes at most `max_memory` bytes and a page.
 */
void apitrace_calls_keep(const struct apitrace_calls *calls, struct kept_writer *writer);
void apitrace_calls_restore(struct apitrace_calls *calls, uint64_t max_memory,
                            struct kept_reader *reader);

#endif
