/* SPDX-License-Identifier: MIT */
/* What source.c and source_expansion.c share. */
#ifndef GPUDUMPFS_SOURCE_INTERNAL_H
#define GPUDUMPFS_SOURCE_INTERNAL_H

#include <stdatomic.h>
#include <stdint.h>

struct cancel;
struct problems;
struct source;
struct source_params;

/*
 * Maps `size` bytes for reading, guarded; NULL when there are none. `lost`: raised when some are
 * missed. 0 or -errno.
 */
int source_map(int fd, uint64_t size, atomic_bool *lost, const uint8_t **data);
void source_unmap(const uint8_t *data, uint64_t size);

/* What `params` allow a source to expand to; `standard` where they do not say. */
uint64_t source_max_expand(const struct source_params *params, uint64_t standard);

/* Puts what a mapped container expands to in its place, if it is one. As source_open(). */
int source_expand(struct source *source, const struct source_params *params,
                  struct problems *problems);

/* The same of what was left unfinished. */
int source_expand_rest(struct source *source, const struct cancel *cancel);

void source_end_expansion(struct source *source);

#endif
