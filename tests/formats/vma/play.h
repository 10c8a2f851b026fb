/* SPDX-License-Identifier: MIT */
/*
 * Recordings for tests: read from the corpus or written line by line, replayed to any packet, and
 * examined through their JSON.
 */
#ifndef GPUDUMPFS_TESTS_FORMATS_VMA_PLAY_H
#define GPUDUMPFS_TESTS_FORMATS_VMA_PLAY_H

#include "formats/vma/replay/replay.h"
#include "formats/vma/views/views.h"

struct vma_play {
    uint8_t *bytes;
    size_t size;
    struct problems *problems;
    struct vma_diagnostics diagnostics;
    struct vma_recording recording;
    struct vma_allocator_params params;
    struct vma_replay replay;
};

enum vma_play_macros { VMA_PLAY_RECORDED, VMA_PLAY_DEFAULT };

/*
 * Opens a recording. Takes ownership of the bytes, which must come from malloc(). Fails the test if
 * they are not a recording.
 */
void vma_play_open(struct vma_play *play, uint8_t *bytes, size_t size, enum vma_play_macros macros);

/* Does the same with other settings than the recorded ones. */
void vma_play_open_with(struct vma_play *play, uint8_t *bytes, size_t size,
                        const struct vma_override *override, enum vma_algorithm pool_algorithm);

/* Opens recordings/NAME.csv of the corpus. Skips the test if there is no corpus. */
void vma_play_corpus(struct vma_play *play, const char *name, enum vma_play_macros macros);

/*
 * Opens a recording of version 1,8 that is made up of configuration lines and calls. The device has
 * one heap of 1 GiB, granularity 1, and one memory type for each element of `types`, which are
 * property flags ended by 0. `more` are further configuration lines. Each call is a line without
 * thread and time: `FRAME,FUNCTION,…`.
 */
void vma_play_lines(struct vma_play *play, const uint32_t *types, const char *more,
                    const char *const *calls, size_t count);

#define VMA_PLAY(play, types, more, ...)                                                           \
    vma_play_lines(play, types, more, (const char *const[]){__VA_ARGS__},                          \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

void vma_play_close(struct vma_play *play);

/* Replays all packets before `packet` that have not been replayed yet; UINT32_MAX means all. */
void vma_play_until(struct vma_play *play, uint32_t packet);

/*
 * Returns the names of the recordings of the corpus, sorted and ended by NULL. The caller frees
 * each name and the array with free().
 */
char **vma_play_names(void);

/* Returns the allocation with that handle. Fails the test if there is none. */
const struct vma_allocation *vma_play_find(const struct vma_play *play, uint64_t pointer);

/* Returns its offset in its block. Fails the test if it is in no block. */
uint64_t vma_play_offset(const struct vma_play *play, uint64_t pointer);
uint32_t vma_play_block(const struct vma_play *play, uint64_t pointer); /* id of its block */

/*
 * Checks the invariants of any state (vma.md 6.6), and that all lengths computed in advance are
 * correct.
 */
void vma_play_check(const struct vma_play *play);

/* Returns whether problems.txt contains the text. */
bool vma_play_complains(const struct vma_play *play, const char *text);

#endif
