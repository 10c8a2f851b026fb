/* SPDX-License-Identifier: MIT */
/*
 * Snapshots: what vmaBuildStatsString of VMA 3 writes (vma.md 7), the state of an allocator as a
 * JSON text. A series of snapshots is a dump: a file with one or several texts, or a folder, whose
 * *.json are taken in the order of their names. Each snapshot is a packet and a frame. Nothing is
 * simulated: the state of the allocator is the one that the text says.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_SNAPSHOT_SNAPSHOT_H
#define GPUDUMPFS_FORMATS_VMA_SNAPSHOT_SNAPSHOT_H

#include "base/json_reader.h"
#include "formats/vma/replay/replay.h"
#include "source/source.h"

enum { VMA_SNAPSHOTS_MAX = 1 << 20, VMA_SNAPSHOT_FILES_MAX = 1 << 16 };

/* A replay that holds a snapshot's state, and the bytes of its texts. */
struct vma_snapshot_state {
    struct vma_replay replay; /* must be first: a pointer to it is cast to the struct */
    uint8_t *texts;           /* names, one after the other */
    size_t text_length;
};

/* read.c */

/* Returns whether bytes look like the beginning of a snapshot. */
bool vma_snapshot_probe(const uint8_t *data, uint64_t size);

/*
 * Reads the device of a snapshot, whose text begins at the reader's position. Returns 0 with the
 * reader after the text, or -EPROTO with a fault at the reader's position.
 */
int vma_snapshot_device(struct json_reader *reader, struct vma_device *out);

/*
 * Reads the state of a snapshot, with the device and settings of `params`; `frame` is the number of
 * the snapshot. Returns the same, -EFBIG if the state needs more memory than `params` allow, -EINTR
 * or -ENOMEM. Call vma_snapshot_clear() on *out even if this fails.
 */
int vma_snapshot_read(struct json_reader *reader, const struct vma_recording *recording,
                      const struct vma_allocator_params *params, uint32_t frame,
                      const struct cancel *cancel, struct vma_snapshot_state *out);
void vma_snapshot_clear(struct vma_snapshot_state *state);

/* series.c: the list of snapshots. */

struct vma_snapshot {
    uint64_t offset, size; /* in `data` */
    uint64_t line;         /* line of its file on which it begins */
    uint32_t name;         /* offset of its file's name in `names`; only in a folder */
};

struct vma_series {
    const uint8_t *data; /* the source's bytes, or `joined` */
    uint8_t *joined;     /* the bytes of all files of a folder */
    char *names;         /* each ends with a NUL */
    struct vma_snapshot *items;
    uint32_t count;
    uint32_t pools; /* maximum number of pools in one snapshot */
    const struct vma_recording *recording;
    struct vma_allocator_params params;
};

/* Returns 1 or 0, whether the first *.json of a folder is a snapshot, or -ENOMEM. */
int vma_series_probe_folder(const struct source *source, const struct source_params *params);

/*
 * Finds all snapshots, and sets up the recording's frames, device and lanes. Texts that are not
 * valid snapshots are reported to `problems` and left out; after a text that is not JSON, the rest
 * of its file is left out too. Returns 0, -EINTR, -ENOMEM or an error of opening files. Returns
 * -EPROTO if there is no valid snapshot, and -EFBIG if a folder is larger than `max_memory` or
 * there are too many files or snapshots; both with a sentence in `message`. Call vma_series_close()
 * and vma_recording_close() even if this fails.
 */
struct vma_series_params {
    const struct source *source;
    const struct source_params *source_params;
    struct problems *problems;
    uint64_t max_memory, max_state;
    uint32_t pool_lanes; /* 0: as many as are needed */
    struct text *message;
};
int vma_series_open(const struct vma_series_params *params, struct vma_recording *recording,
                    struct vma_series *out);
void vma_series_close(struct vma_series *series);

/*
 * Gets the state of a snapshot; call vma_series_give_back() on *out. Returns 0, -ENOENT, -ENOMEM or
 * -EINTR. Returns -EIO if the snapshot cannot be read.
 */
int vma_series_state(const struct vma_series *series, uint64_t number, const struct cancel *cancel,
                     struct vma_replay **out);
void vma_series_give_back(struct vma_replay **replay);

#endif
