/* SPDX-License-Identifier: MIT */
/*
 * What vmaBuildStatsString of VMA 3 writes (vma.md 7): snapshots of an allocator, one JSON text
 * each. A series of them is a dump: a file with one or several behind each other, or a folder whose
 * *.json are taken in the order of their names. A packet and a frame is a snapshot. Nothing is
 * simulated: the state of the allocator is the one that the text tells.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_SNAPSHOT_SNAPSHOT_H
#define GPUDUMPFS_FORMATS_VMA_SNAPSHOT_SNAPSHOT_H

#include "base/json_reader.h"
#include "formats/vma/replay/replay.h"
#include "source/source.h"

enum { VMA_SNAPSHOTS_MAX = 1 << 20, VMA_SNAPSHOT_FILES_MAX = 1 << 16 };

/* A replay that holds a snapshot's state, and what its texts are. */
struct vma_snapshot_state {
    struct vma_replay replay; /* first: the one is found by the other */
    uint8_t *texts;           /* names, one after the other */
    size_t text_length;
};

/*
 * read.c: whether bytes look like the beginning of a snapshot; the device of one; and its state,
 * which has the device and settings of `params`. 0; -EPROTO with a fault whose lines are those of
 * the reader; -EFBIG: it needs more memory than the params allow; -EINTR, -ENOMEM. The reader
 * stands behind the text then. `frame` is its number.
 */
bool vma_snapshot_probe(const uint8_t *data, uint64_t size);
int vma_snapshot_device(struct json_reader *reader, struct vma_device *out);
int vma_snapshot_read(struct json_reader *reader, const struct vma_recording *recording,
                      const struct vma_allocator_params *params, uint32_t frame,
                      const struct cancel *cancel, struct vma_snapshot_state *out);
void vma_snapshot_clear(struct vma_snapshot_state *state);

/* series.c: which snapshots there are. */

struct vma_snapshot {
    uint64_t offset, size; /* in `data` */
    uint64_t line;         /* of its file, on which it begins */
    uint32_t name;         /* of its file, in `names`; of a folder alone */
};

struct vma_series {
    const uint8_t *data; /* of the source, or `joined` */
    uint8_t *joined;     /* the files of a folder */
    char *names;         /* with a NUL each */
    struct vma_snapshot *items;
    uint32_t count;
    uint32_t pools; /* most in one */
    const struct vma_recording *recording;
    struct vma_allocator_params params;
};

/* Whether a folder's first *.json is a snapshot: 1, 0 or -ENOMEM. */
int vma_series_probe_folder(const struct source *source, const struct source_params *params);

/*
 * Finds all, and sets up the recording's frames, device and lanes. What is wrong with some goes to
 * `problems`, and they are left out, of a file also those behind. -EPROTO: there is no good one,
 * with a sentence in `message`; -EFBIG: a folder of more than `max_memory`; -EINTR, -ENOMEM, -errno
 * of files.
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

/* The state of a snapshot; *out is for vma_series_give_back(). -EIO: a problem tells why. */
int vma_series_state(const struct vma_series *series, uint64_t number, const struct cancel *cancel,
                     struct vma_replay **out);
void vma_series_give_back(struct vma_replay **replay);

#endif
