/* SPDX-License-Identifier: MIT */
/*
 * The container: the file's header, blocks, and the compression of their contents, but not their
 * meaning. Pure functions of bytes; any thread may call them. (gfxreconstruct.md 2 and 3)
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_CONTAINER_H
#define GPUDUMPFS_GFXRECONSTRUCT_CONTAINER_H

#include "base/blob.h"
#include "formats/gfxreconstruct/decode/decode.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    GFXR_FILE_HEADER = 16, /* bytes, followed by pairs of 8 bytes */
    GFXR_BLOCK_HEADER = 12,
    GFXR_MINOR_KNOWN = 1,    /* the last known version is 0.1 */
    GFXR_MINOR_MARKERS = 1,  /* the first version whose frames end only at markers */
    GFXR_OPTIONS_MAX = 4096, /* maximum of options that are read; a header may claim 2^32 */
};

#define GFXR_EXPANDED_MAX (UINT64_C(1) << 30) /* maximum size of one expanded block */

/*
 * Returns the smaller of GFXR_EXPANDED_MAX and half of what the program may hold
 * (base/memory_limit.h).
 */
uint64_t gfxreconstruct_max_expanded(void);

enum gfxreconstruct_compression { GFXR_NONE, GFXR_LZ4, GFXR_ZLIB, GFXR_ZSTD, GFXR_COMPRESSIONS };

struct gfxreconstruct_header {
    uint32_t major, minor;
    uint32_t options;     /* number of options, as given by the header */
    uint32_t readable;    /* options that the file has; only the first GFXR_OPTIONS_MAX count */
    uint32_t compression; /* enum gfxreconstruct_compression, or an unknown number */
    uint64_t size;        /* where blocks begin */
};

/*
 * Reads the header. Returns 0, -ENODATA if the file is shorter than a header, or -EPROTO if it has
 * no magic.
 */
int gfxreconstruct_header_read(const uint8_t *data, uint64_t size,
                               struct gfxreconstruct_header *out);

/* Keys of options. */
enum { GFXR_OPTION_COMPRESSION = 1 };

/* Reads an option; `number` must be less than `readable`. */
void gfxreconstruct_option_read(const uint8_t *data, uint32_t number, uint32_t *key,
                                uint32_t *value);

const char *gfxreconstruct_compression_name(uint32_t compression); /* NULL if unknown */

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
    uint64_t size;   /* number of bytes after the block's header, as the header says */
    uint64_t there;  /* how many of these bytes the dump has */
    uint32_t type;   /* enum gfxreconstruct_block_type, or an unknown number */
    bool compressed; /* the flag bit of the type is set */
    bool whole;      /* complete: it holds what its type needs */
    uint32_t id;     /* of a call, a method or meta data; the kind of a marker or annotation */
    bool has_thread;
    uint64_t thread;
    uint64_t number; /* the frame of a marker; the object of a method */

    const struct gfxreconstruct_meta *meta; /* NULL for other blocks and unknown types */
    struct gfxreconstruct_slice fields;     /* of meta data, with what follows the fields */
    struct gfxreconstruct_slice label;      /* of an annotation */
    struct gfxreconstruct_slice data;       /* parameters or data, still compressed */
    uint64_t expanded;                      /* size of the expanded data */
};

/*
 * Reads the block at an offset. Returns false if there is not even a header. A block that is cut
 * off, or shorter than its type needs, is not `whole`, and its parts are empty.
 */
bool gfxreconstruct_block_read(const uint8_t *data, uint64_t size, uint64_t offset,
                               struct gfxreconstruct_block *out);

/*
 * Returns whether the compressed bytes can expand to the size that the block claims, so that no
 * memory is allocated for a false size, and no sum is made of it. False if the capture has no
 * compression, or an unknown one.
 */
bool gfxreconstruct_block_is_plausible(const struct gfxreconstruct_block *block,
                                       uint32_t compression);

/*
 * Gets the expanded parameters or data of a block, or a borrowed slice if they are not compressed.
 * Returns 0; -EIO if the block is cut off or damaged; -EFBIG if it exceeds
 * gfxreconstruct_max_expanded(); -EOPNOTSUPP if the compression is unknown; or -ENOMEM.
 */
int gfxreconstruct_block_expand(const struct gfxreconstruct_block *block, uint32_t compression,
                                struct blob **out);

#endif
