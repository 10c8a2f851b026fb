/*
 * What a run leaves in memory at some step: volatile memory, windows, posts,
 * notifications. Made in pieces, since it may be larger than the cache. `size` and
 * `piece` of rules.c; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_MEMORY_H
#define GPUDUMPFS_GAPIR_VIEWS_MEMORY_H

#include "formats/gapir/dump.h"

#define GAPIR_LEFT(name)                                                                           \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)

GAPIR_LEFT(post);         /* key: the post */
GAPIR_LEFT(notification); /* key: the notification */
GAPIR_LEFT(window);       /* key: the window */
GAPIR_LEFT(memory);       /* key: the packet; volatile memory right after it */
GAPIR_LEFT(memory_end);   /* key 0 */
GAPIR_LEFT(frame_memory); /* key: the frame */

#undef GAPIR_LEFT

#endif
