/*
 * Constants and resources: slices of payload.bin and resources.data, and the texts
 * about them (gapir.md 4.2). Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_RESOURCES_H
#define GPUDUMPFS_GAPIR_VIEWS_RESOURCES_H

#include "formats/gapir/dump.h"

extern const struct dump_listing gapir_constants_listing; /* a hexdump; key 0 */

#define GAPIR_SLICE(name)                                                                          \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_make(struct dump *dump, uint64_t key, const struct cancel *cancel,          \
                            struct blob **out)

GAPIR_SLICE(constants); /* key 0 */
GAPIR_SLICE(resource);  /* key: the resource */
GAPIR_SLICE(inline);    /* key: the pc */

#undef GAPIR_SLICE

/* struct rule's `make`; key: the pc. */
int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);

#endif
