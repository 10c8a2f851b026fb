/* SPDX-License-Identifier: MIT */
/*
 * There is one constant struct expander for each compressed container. An expander recognises its
 * container and expands it piece by piece, within bounded memory. It knows neither files nor
 * problems. One state serves one thread.
 */
#ifndef GPUDUMPFS_SOURCE_EXPAND_H
#define GPUDUMPFS_SOURCE_EXPAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The container of a source's bytes. */
enum source_container { SOURCE_PLAIN, SOURCE_ZSTD, SOURCE_XZ, SOURCE_GZIP };

/* Input and output of step(), which advances the pointers past the bytes taken and given. */
struct expand_buffers {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
    const char *message; /* set with -EBADMSG: the decoder's message, a constant string */
};

enum expand_result {
    EXPAND_MORE, /* needs more bytes, or more room */
    EXPAND_END,  /* a stream (frame, member) has ended; call restart() before the next one */
};

struct expander {
    enum source_container container;
    const char *name;
    const char *extension; /* with its dot */
    bool zero_padding;     /* zero bytes may follow a stream */
    /* Returns whether a file that begins with `data` is such a container. */
    bool (*recognises)(const uint8_t *data, uint64_t size);
    /* Returns whether another stream of the same container begins with `data`. */
    bool (*begins)(const uint8_t *data, uint64_t size);
    /* Creates the state for a first stream. Returns 0 or -ENOMEM. */
    int (*create)(void **state);
    /* Prepares the state for the next stream. Returns 0 or -ENOMEM. */
    int (*restart)(void *state);
    /* Frees the state. */
    void (*destroy)(void *state);
    /*
     * Expands as much as there is input and room for. Returns enum expand_result, -EBADMSG for
     * damaged data, or -ENOMEM.
     */
    int (*step)(void *state, struct expand_buffers *buffers);
};

extern const struct expander expand_zstd, expand_xz, expand_gzip;

/* All expanders. */
enum { EXPANDER_COUNT = 3 };
extern const struct expander *const expanders[EXPANDER_COUNT];

#endif
