/* SPDX-License-Identifier: MIT */
/*
 * Parses bytes with Jansson, and distinguishes a lack of memory from bad syntax, which Jansson
 * itself does not always do. That requires an allocator that records its failures. Jansson has one
 * allocator for the whole process, so it is set only here, at the first call; values made before
 * that can still be freed, since both allocators use malloc(). Any thread may call this, but no
 * thread may use Jansson otherwise during the first call.
 */
#ifndef GPUDUMPFS_BASE_JSON_MEMORY_H
#define GPUDUMPFS_BASE_JSON_MEMORY_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parses like json_loadb(). *out is a value for json_decref(), or NULL on failure. Returns 0,
 * -ENOMEM, or -EINVAL with `error` (may be NULL) filled in.
 */
int json_memory_load(const uint8_t *bytes, size_t size, size_t flags, json_t **out,
                     json_error_t *error);

#endif
