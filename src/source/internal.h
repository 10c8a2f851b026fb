/* SPDX-License-Identifier: MIT */
/* Shared by source.c and source_expansion.c. */
#ifndef GPUDUMPFS_SOURCE_INTERNAL_H
#define GPUDUMPFS_SOURCE_INTERNAL_H

#include <stdatomic.h>
#include <stdint.h>

struct cancel;
struct problems;
struct source;
struct source_params;

/*
 * Maps `size` bytes for reading, with a guard. *data is NULL if `size` is 0. *lost is set when
 * bytes are touched that the file does not have. Returns 0 or -errno.
 */
int source_map(int fd, uint64_t size, atomic_bool *lost, const uint8_t **data);
void source_unmap(const uint8_t *data, uint64_t size);

/* Returns how many bytes a source may expand to: what `params` allow, or `standard` by default. */
uint64_t source_max_expand(const struct source_params *params, uint64_t standard);

/*
 * If the mapped bytes are a container, replaces them by what it expands to. Returns as
 * source_open().
 */
int source_expand(struct source *source, const struct source_params *params,
                  struct problems *problems);

/* Expands the rest of a container that was left unfinished. Returns as source_open(). */
int source_expand_rest(struct source *source, const struct cancel *cancel);

/* Frees the state of an expansion, and the container; does nothing if there is none. */
void source_end_expansion(struct source *source);

#endif
