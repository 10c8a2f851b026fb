/* Brotli as one of source/expand.h's containers; it has no magic, so nothing recognises it. */
#ifndef GPUDUMPFS_APITRACE_CONTAINER_BROTLI_H
#define GPUDUMPFS_APITRACE_CONTAINER_BROTLI_H

#include "source/expand.h"

extern const struct expander apitrace_brotli;

/*
 * The first bytes of what a stream expands to, at most `room`: their number, 0 for
 * what is no Brotli.
 */
size_t apitrace_brotli_peek(const uint8_t *data, uint64_t size, uint8_t *out, size_t room);

#endif
