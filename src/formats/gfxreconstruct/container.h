/* SPDX-License-Identifier: MIT */
/*
 * The container: the file's header, blocks, and how what they hold is compressed; nothing of
 * what it means. Pure functions of bytes; any thread. (gfxreconstruct.md 2 and 3)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_CONTAINER_H
#define GPUDUMPFS_GFXRECONSTRUCT_CONTAINER_H

#include "base/blob.h"
#include "formats/gfxreconstruct/decode/decode.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GFXR_FILE_HEADER = 16, /* bytes, then pairs of 8 */
    GFXR_BLOCK_HEADER = 12,
    GFXR_MINOR_KNOWN = 1,    /* the last version that is known: 0.1 */
    GFXR_MINOR_MARKERS = 1,  /* from which on frames end at markers alone */
    GFXR_OPTIONS_MAX = 4096, /* that are looked at: a hole may have 2^32 of them */
};

#define GFXR_EXPANDED_MAX (UINT64_C(1) << 30) /* bytes of one block: what one may cost */

/* That, or half of what the program may hold (base/memory_limit.h). */
uint64_t gfxreconstruct_max_expanded(void);

enum gfxreconstruct_compression { GFXR_NONE, GFXR_LZ4, GFXR_ZLIB, GFXR_ZSTD, GFXR_COMPRESSIONS };

struct gfxreconstruct_header {
    uint32_t major, minor;
    uint32_t options;  /* as many as the header tells … */
    uint32_t readable; /* … and as many as are there, the first GFXR_OPTIONS_MAX of which count */
    uint32_t compression; /* enum gfxreconstruct_compression, or a number that is not known */
    uint64_t size;        /* where blocks begin */
};

/* 0; -ENODATA: shorter than a header; -EPROTO: no magic. */
int gfxreconstruct_header_read(const uint8_t *data, uint64_t size,
                               struct gfxreconstruct_header *out);

/* Keys of options. */
enum { GFXR_OPTION_COMPRESSION = 1 };

/* An option as it stands there; `number` below `readable`. */
void gfxreconstruct_option_read(const uint8_t *data, uint32_t number, uint32_t *key,
                                uint32_t *value);

const char *gfxreconstruct_compression_name(uint32_t compression); /* NULL: not known */

enum gfxreconstruct_block_type {
    GFXR_BLOCK_FRAME = 1,
    GFXR_BLOCK_STATE = 2,
    GFXR_BLOCK_META = 3,
    GFXR_BLOCK_CALL = 4,
    GFXR_BLOCK_ANNOTATION = 5,
    GFXR_BLOCK_METHOD = 6,
};

enum { GFXR_MARKER_BEGIN = 1, GFXR_MARKER_END = 2 };

struct gfxreconstruct_block {
    uint64_t offset; /* of its header */
    uint64_t size;   /* of what is behind the header, as the header tells */
    uint64_t there;  /* the same, as far as the dump holds it */
    uint32_t type;   /* enum gfxreconstruct_block_type, or a number that is not known */
    bool compressed; /* the bit that stands in the type */
    bool whole;      /* it holds what its type needs */
    uint32_t id;     /* of a call, a method, meta data; a marker's or annotation's kind */
    bool has_thread;
    uint64_t thread;
    uint64_t number; /* a marker's frame; a method's object */

    const struct gfxreconstruct_meta *meta; /* NULL: no meta data, or of an unknown type */
    struct gfxreconstruct_slice fields;     /* meta data's, and what is behind them */
    struct gfxreconstruct_slice label;      /* an annotation's */
    struct gfxreconstruct_slice data;       /* parameters or data as they stand */
    uint64_t expanded;                      /* their size when they are expanded */
};

/*
 * The block at an offset; false when there is not even a header. A block that is cut off, or
 * shorter than its type needs, is not `whole`, and its parts are empty.
 */
bool gfxreconstruct_block_read(const uint8_t *data, uint64_t size, uint64_t offset,
                               struct gfxreconstruct_block *out);

/*
 * Whether so few bytes can become as many as a block says, else that is a lie, for which no memory
 * is taken. Of a compression that is not known anything can.
 */
bool gfxreconstruct_block_is_plausible(const struct gfxreconstruct_block *block,
                                       uint32_t compression);

/*
 * A block's parameters or data, expanded; otherwise a borrowed slice. 0; -EIO: cut off or
 * damaged; -EFBIG: more than that; -EOPNOTSUPP: a compression that is not known.
 */
int gfxreconstruct_block_expand(const struct gfxreconstruct_block *block, uint32_t compression,
                                struct blob **out);

#endif
