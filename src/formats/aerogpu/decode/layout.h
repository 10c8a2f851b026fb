/* SPDX-License-Identifier: MIT */
/*
 * How textures and vertices lie in memory: formats, the linear layout that uploads, dirty
 * ranges and backing memory address (aerogpu.md 3.6), and input layouts in both of their
 * encodings (aerogpu.md 3.7); texels between memory and RGBA8, for pictures and for the
 * worker's textures alike, colours and depths as texels, and depth as grey (aerogpu.md 4.5).
 * Nothing here trusts a number. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_LAYOUT_H
#define GPUDUMPFS_AEROGPU_DECODE_LAYOUT_H

#include "dxbc/dxbc.h"
#include "formats/aerogpu/decode/abi.h"
#include "image/pixel_format.h"

/* A texel, or a block of 4x4 of them. */
struct aerogpu_format_info {
    uint8_t bytes; /* of one block */
    uint8_t block; /* its width and height: 1, or 4 */
    bool srgb;
    bool depth;
    bool opaque; /* X8: alpha reads 255 */
};

/* How its texels are decoded; NULL: no format that has texels. Depth is grey of 16 bits. */
const struct pixel_format *aerogpu_pixel_format(uint32_t format);

/* False: no format that has texels. */
bool aerogpu_format_find(uint32_t format, struct aerogpu_format_info *out);

/* A texture's shape, as CREATE_TEXTURE2D gives it. */
struct aerogpu_shape {
    uint32_t format, width, height, mips, layers;
    uint32_t row_pitch; /* of mip 0; 0: tight */
};

/*
 * Whether it is one that can exist: a format with texels, 1 to 16384 wide and high,
 * 1 to 2048 layers, no more mips than halving gives, a pitch that holds a row, and
 * a size that fits 63 bits.
 */
bool aerogpu_shape_valid(const struct aerogpu_shape *shape);

/* One mip of one layer, of a valid shape. */
struct aerogpu_subresource {
    uint64_t offset;         /* in the texture's linear layout */
    uint32_t width, height;  /* in texels */
    uint32_t rows, row_size; /* rows of blocks, and bytes of one without padding */
    uint32_t pitch;          /* bytes from row to row */
    uint64_t size;           /* pitch * rows */
};

/* False: there is no such mip or layer. */
bool aerogpu_subresource(const struct aerogpu_shape *shape, uint32_t mip, uint32_t layer,
                         struct aerogpu_subresource *out);

/* Bytes of all subresources. */
uint64_t aerogpu_shape_size(const struct aerogpu_shape *shape);

/* The mip and layer that a byte of the linear layout is in; false beyond the end. */
bool aerogpu_shape_locate(const struct aerogpu_shape *shape, uint64_t offset, uint32_t *mip,
                          uint32_t *layer);

/* One vertex attribute of an input layout. */
struct aerogpu_element {
    uint32_t semantic_hash;  /* FNV-1a of the upper-cased name */
    uint32_t semantic_index; /* COLOR1: 1 */
    /* DXGI_FORMAT; a D3D9 type is translated to one (its integers are read as floats, 0: none) */
    uint32_t format;
    uint32_t slot;   /* vertex buffer */
    uint32_t offset; /* bytes within the vertex, resolved where it says "append" */
    bool instanced;
    uint32_t step_rate;
    uint8_t usage, type; /* D3D9 declarations: D3DDECLUSAGE, D3DDECLTYPE; else 0 */
};

enum aerogpu_layout_kind { AEROGPU_LAYOUT_ILAY, AEROGPU_LAYOUT_D3D9 };

enum { AEROGPU_VERTEX_SLOTS = 32 };

/* An input layout that is walked. */
struct aerogpu_layout {
    const uint8_t *bytes;
    enum aerogpu_layout_kind kind;
    uint32_t count; /* of elements */
    uint32_t next;
    uint32_t ends[AEROGPU_VERTEX_SLOTS]; /* where the last element of each slot ends */
};

/* False: neither encoding, a version that is not known, or cut off. */
bool aerogpu_layout_open(const uint8_t *bytes, size_t size, struct aerogpu_layout *out);

/* The next element; false at the end. */
bool aerogpu_layout_next(struct aerogpu_layout *layout, struct aerogpu_element *out);

/* The known name with this hash (dxbc_semantic_hash()), or NULL. */
const char *aerogpu_semantic_name(uint32_t hash);

/* A vertex attribute's format: components of `size` bytes each. */
enum aerogpu_component {
    AEROGPU_COMPONENT_FLOAT,
    AEROGPU_COMPONENT_UNORM,
    AEROGPU_COMPONENT_SNORM,
    AEROGPU_COMPONENT_UINT,
    AEROGPU_COMPONENT_SINT,
};

struct aerogpu_attribute {
    const char *name; /* R32G32B32_FLOAT */
    uint16_t format;  /* DXGI_FORMAT */
    uint8_t count;    /* components, 1 to 4 */
    uint8_t size;     /* bytes of one: 1, 2, 4; 0: packed in one word of 4 */
    uint8_t component;
    bool bgra; /* the first three come in the order B, G, R */
};

/* NULL: not a format of vertices that is known. */
const struct aerogpu_attribute *aerogpu_attribute_find(uint32_t format);

/* Texels (texels.c). */

/*
 * Expands `width` x `rows` texels to RGBA8. Rows of texels, of blocks in block
 * formats, stand `pitch` bytes apart in `from`; those of `to` are tight. Texels of
 * blocks beyond the edges are dropped. Alpha is 255 in X8 formats; sRGB bytes stay as
 * they are. False for depth formats, and what is none.
 */
bool aerogpu_texels_decode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           size_t pitch, uint8_t *to);

/*
 * The way back, for formats of one texel a block: 565 and 5551 take the nearest
 * value, X8 gets 255. False for others.
 */
bool aerogpu_texels_encode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           uint8_t *to, size_t pitch);

/*
 * A colour (red, green, blue, alpha) as a texel of a format that is neither depth nor
 * compressed, rounded to the nearest; sRGB formats take it as linear. Bytes of the
 * texel, at most 4; 0: not such a format.
 */
uint32_t aerogpu_colour_encode(uint32_t format, const float colour[4], uint8_t texel[4]);

/* The bits of a texel of a depth format, and in `mask` which of them are meant. */
uint32_t aerogpu_depth_encode(uint32_t format, float depth, uint32_t stencil, bool with_depth,
                              bool with_stencil, uint32_t *mask);

/* `width` texels of a depth format as 16-bit grey, high byte first. */
void aerogpu_depth_row(uint32_t format, const uint8_t *texels, uint32_t width, uint8_t *grey);

#endif
