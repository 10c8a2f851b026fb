/* SPDX-License-Identifier: MIT */
/*
 * Recordings for tests: read from the corpus or made up line by line, replayed to
 * any packet, and looked at through their JSON.
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

/* Takes over the bytes, from malloc(). Fails the test when they are no recording. */
void vma_play_open(struct vma_play *play, uint8_t *bytes, size_t size, enum vma_play_macros macros);

/* The same under other settings than the recorded ones. */
void vma_play_open_with(struct vma_play *play, uint8_t *bytes, size_t size,
                        const struct vma_override *override, enum vma_algorithm pool_algorithm);

/* recordings/NAME.csv of the corpus; skips the test where there is none. */
void vma_play_corpus(struct vma_play *play, const char *name, enum vma_play_macros macros);

/*
 * A made-up recording of version 1,8: configuration lines (a device with one heap
 * of 1 GiB, granularity 1, and the types that `types` gives flags for, 0 at the end;
 * `more` are further configuration lines) and calls. Each call is a line without
 * thread and time: `FRAME,FUNCTION,…`.
 */
void vma_play_lines(struct vma_play *play, const uint32_t *types, const char *more,
                    const char *const *calls, size_t count);

#define VMA_PLAY(play, types, more, ...)                                                           \
    vma_play_lines(play, types, more, (const char *const[]){__VA_ARGS__},                          \
                   sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

void vma_play_close(struct vma_play *play);

/* Goes on until all packets before `packet` are carried out; UINT32_MAX: all. */
void vma_play_until(struct vma_play *play, uint32_t packet);

/* The names of the recordings of the corpus, sorted, NULL at the end, for free() each. */
char **vma_play_names(void);

/* The allocation of that name; fails the test when there is none. */
const struct vma_allocation *vma_play_find(const struct vma_play *play, uint64_t pointer);

/* Where it lies in its block; fails the test when it lies in none. */
uint64_t vma_play_offset(const struct vma_play *play, uint64_t pointer);
uint32_t vma_play_block(const struct vma_play *play, uint64_t pointer); /* its id */

/* Checks what must hold of any state (vma.md 6.6), and all lengths. */
void vma_play_check(const struct vma_play *play);

/* Whether problems.txt has a line with that text. */
bool vma_play_complains(const struct vma_play *play, const char *text);

#endif
