/*
 * Raw Snappy blocks, as trace files hold them (apitrace.md 2.2). A decoder of our
 * own, since a block that is cut off must give what it still holds, which the
 * library does not do. Pure functions, callable from any thread.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_SNAPPY_H
#define GPUDUMPFS_APITRACE_CONTAINER_SNAPPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The uncompressed length that a block states, and at `*head` the bytes that say so;
 * false when the block does not begin with a length.
 */
bool apitrace_snappy_length(const uint8_t *block, size_t size, uint64_t *length, size_t *head);

/*
 * Expands a block into at most `room` bytes. Returns how many were written; `*whole`
 * tells whether that was all of the block, without a fault.
 */
size_t apitrace_snappy_expand(const uint8_t *block, size_t size, uint8_t *out, size_t room,
                              bool *whole);

#endif
