/* SPDX-License-Identifier: MIT */
/*
 * One constant struct expander per compressed container. An expander recognises
 * its container and turns bytes into bytes, piece by piece, within bounded memory;
 * it knows neither files nor problems. One state serves one thread.
 */
#ifndef GPUDUMPFS_SOURCE_EXPAND_H
#define GPUDUMPFS_SOURCE_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a source's bytes came in. */
enum source_container { SOURCE_PLAIN, SOURCE_ZSTD, SOURCE_XZ, SOURCE_GZIP };

/* Advanced by the bytes taken and given. */
struct expand_buffers {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
    const char *message; /* set with -EBADMSG: what the decoder says, constant */
};

enum expand_result {
    EXPAND_MORE, /* wants more bytes, or more room */
    EXPAND_END,  /* a stream (frame, member) has ended; restart() before the next one */
};

struct expander {
    enum source_container container;
    const char *name;
    const char *extension; /* with its dot */
    bool zero_padding;     /* zero bytes may follow a stream */
    /* Whether a file that begins so is such a container. */
    bool (*recognises)(const uint8_t *data, uint64_t size);
    /* Whether another stream of the same container begins here. */
    bool (*begins)(const uint8_t *data, uint64_t size);
    /* 0 or -ENOMEM. */
    int (*create)(void **state);
    int (*restart)(void *state);
    void (*destroy)(void *state);
    /* enum expand_result, -EBADMSG for damaged data, or -ENOMEM. */
    int (*step)(void *state, struct expand_buffers *buffers);
};

extern const struct expander expand_zstd, expand_xz, expand_gzip;

/* All of them. */
enum { EXPANDER_COUNT = 3 };
extern const struct expander *const expanders[EXPANDER_COUNT];

#endif
