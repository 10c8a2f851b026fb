/* SPDX-License-Identifier: MIT */
/*
 * Elements of raw Snappy blocks (apitrace.md 2.2), for the two modules that go through them one by
 * one. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_ELEMENTS_H
#define GPUDUMPFS_APITRACE_CONTAINER_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One element of a block: `length` bytes, a literal or a copy from `offset` bytes back. */
struct apitrace_snappy_element {
    size_t length;
    size_t offset;
    bool literal;
};

/*
 * Reads a tag and its extra bytes, from `left` > 0 bytes. Returns how many bytes that took, or 0 if
 * they are cut off. The bytes of a literal follow them.
 */
size_t apitrace_snappy_element(const uint8_t *in, size_t left,
                               struct apitrace_snappy_element *element);

#endif
