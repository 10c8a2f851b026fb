/* SPDX-License-Identifier: MIT */
/* Event streams of apitrace traces, put into each of the containers. What fails, fails the test. */
#ifndef GPUDUMPFS_TESTS_FORMATS_APITRACE_FRAMED_H
#define GPUDUMPFS_TESTS_FORMATS_APITRACE_FRAMED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes that are added one after another. All zero: none. */
struct framed {
    uint8_t *data;
    size_t size;
};

void framed_add(struct framed *bytes, const void *more, size_t size);
void framed_clear(struct framed *bytes);

/* Returns the event stream of a trace in any container. */
struct framed framed_stream_of(const char *path);

/* Put a stream into a container, in pieces of up to `max` bytes. */
struct framed framed_bare(const struct framed *raw, size_t max);
struct framed framed_snappy(const struct framed *raw, size_t max); /* blocks of literals only */
struct framed framed_gzip(const struct framed *raw, size_t max);
struct framed framed_zstd(const struct framed *raw, size_t max);
struct framed framed_seekable(const struct framed *raw, size_t max);

#endif
