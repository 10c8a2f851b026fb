/* SPDX-License-Identifier: MIT */
/*
 * The index of a dump, kept for its next opening (source/kept.h, psx.md 1.1). What is read is
 * believed no more than a dump is: each value is one that some dump leads to, or nothing of it is
 * taken. The thread that opens the dump, or whose pass has ended.
 */
#ifndef GPUDUMPFS_PSX_INDEX_KEPT_INDEX_H
#define GPUDUMPFS_PSX_INDEX_KEPT_INDEX_H

#include "formats/psx/index/index.h"
#include "source/kept.h"

/*
 * Bytes of a dump from which on its index is kept: of shorter ones it is made in less time than it
 * is looked for. Tests set less, before they open any.
 */
extern uint64_t psx_kept_index_from;

/* The key of a dump's index, which depends on the options that its maker was given. */
void psx_kept_index_key(const struct source *source, const struct options *options,
                        struct kept_key *out);

/*
 * Fills both passes' part of an index whose data, size, magic and defects are set, and ends the
 * reader. 0 or -errno, then the index is as before.
 */
int psx_kept_index_read(struct psx_index *index, const struct psx_packet_index_limits *limits,
                        struct kept_reader *reader);

/* Of an index that is complete. */
void psx_kept_index_write(const struct psx_index *index, struct kept_writer *writer);

/*
 * The same with the dump's own file. 0 or -errno, of which all but -ENOENT and -ENOTSUP (kept.h) is
 * told in verbose mode.
 */
int psx_kept_index_load(struct psx_index *index, const struct source *source,
                        const struct options *options,
                        const struct psx_packet_index_limits *limits);
int psx_kept_index_save(const struct psx_index *index, const struct source *source,
                        const struct options *options);

#endif
