/*
 * The binary files of a GAPIR mount: slices of the payload and of resources.data,
 * and what a run leaves in memory at some step, which is made in pieces: it may be
 * larger than all that may be kept. `size`, `make` and `piece` of rules.c. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_MEMORY_H
#define GPUDUMPFS_GAPIR_VIEWS_MEMORY_H

#include "formats/gapir/dump.h"

#define GAPIR_SLICE(name)                                                                          \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_make(struct dump *dump, uint64_t key, const struct cancel *cancel,          \
                            struct blob **out)
#define GAPIR_LEFT(name)                                                                           \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)

GAPIR_SLICE(constants);   /* key 0 */
GAPIR_SLICE(resource);    /* key: the resource */
GAPIR_SLICE(inline);      /* key: the pc */
GAPIR_LEFT(post);         /* key: the post */
GAPIR_LEFT(notification); /* key: the notification */
GAPIR_LEFT(window);       /* key: the window */
GAPIR_LEFT(memory);       /* key: the packet; volatile memory right after it */
GAPIR_LEFT(memory_end);   /* key 0 */
GAPIR_LEFT(frame_memory); /* key: the frame */

#undef GAPIR_SLICE
#undef GAPIR_LEFT

/* The picture that a frame ends with: all but its texts. False: it has none. */
bool gapir_frame_header(const struct gapir_index *index, uint32_t frame,
                        struct picture_header *out);

/* struct dump_ops' frame_picture. */
int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out);

/* The site of the INLINE_RESOURCE at a pc; NULL when there is none. */
const struct gapir_inline_site *gapir_inline_at(const struct gapir_scan *scan, uint64_t pc);

#endif
