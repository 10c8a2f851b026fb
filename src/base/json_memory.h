/* SPDX-License-Identifier: MIT */
/*
 * Values of Jansson read from bytes, with a lack of memory told from bad syntax, which Jansson
 * itself does not always do. That takes an allocator that notes its failures. Jansson has one
 * allocator for the whole process, so it is set here alone, once, at the first call; what was made
 * before is freed as before, since both give blocks of malloc(). Any thread may call; no other may
 * use Jansson otherwise while the first call of all sets it.
 */
#ifndef GPUDUMPFS_BASE_JSON_MEMORY_H
#define GPUDUMPFS_BASE_JSON_MEMORY_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

/*
 * As json_loadb(): a value for json_decref(), NULL on failure. 0, -ENOMEM, or -EINVAL with `error`,
 * which may be NULL.
 */
int json_memory_load(const uint8_t *bytes, size_t size, size_t flags, json_t **out,
                     json_error_t *error);

#endif
