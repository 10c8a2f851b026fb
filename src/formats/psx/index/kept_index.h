/* SPDX-License-Identifier: MIT */
/*
 * The index of a dump, kept for its next opening (source/kept.h, psx.md 1.1). A kept file is
 * trusted no more than a dump: unless each value is one that some dump leads to, nothing of the
 * file is used. Called by the thread that opens the dump, or by the thread whose pass has ended.
 */
#ifndef GPUDUMPFS_PSX_INDEX_KEPT_INDEX_H
#define GPUDUMPFS_PSX_INDEX_KEPT_INDEX_H

#include "formats/psx/index/index.h"
#include "source/kept.h"

/*
 * Length in bytes from which the index of a dump is kept. The index of a shorter dump is made in
 * less time than a kept one is looked for. Tests set a smaller value before they open a dump.
 */
extern uint64_t psx_kept_index_from;

/*
 * Computes the key of a dump's index, which also depends on the options that influence the index.
 */
void psx_kept_index_key(const struct source *source, const struct options *options,
                        struct kept_key *out);

/*
 * Fills the parts of both passes in an index whose data, size, magic and defects are set, and ends
 * the reader. Returns 0, or -errno; the passes can then fill the index as if nothing had been read.
 */
int psx_kept_index_read(struct psx_index *index, const struct psx_packet_index_limits *limits,
                        struct kept_reader *reader);

/* Writes an index, which must be complete. */
void psx_kept_index_write(const struct psx_index *index, struct kept_writer *writer);

/*
 * Read and write the kept file that belongs to the dump. Return 0 or -errno. All errors except
 * -ENOENT and -ENOTSUP (kept.h) are logged in verbose mode.
 */
int psx_kept_index_load(struct psx_index *index, const struct source *source,
                        const struct options *options,
                        const struct psx_packet_index_limits *limits);
int psx_kept_index_save(const struct psx_index *index, const struct source *source,
                        const struct options *options);

#endif
