/* SPDX-License-Identifier: MIT */
/*
 * How textures and vertices are laid out in memory. Formats; the linear layout that uploads, dirty
 * ranges and backing memory address (aerogpu.md 3.6); input layouts in both of their encodings
 * (aerogpu.md 3.7); conversion of texels between memory and RGBA8, for pictures and for the
 * worker's textures; colours and depths as texels, and depth as grey (aerogpu.md 4.5). Nothing here
 * trusts a number of the input. Pure functions; any thread may call them.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_LAYOUT_H
#define GPUDUMPFS_AEROGPU_DECODE_LAYOUT_H

#include "dxbc/dxbc.h"
#include "formats/aerogpu/decode/abi.h"
#include "image/pixel_format.h"

/* The properties of a format's blocks: single texels, or 4x4 of them. */
struct aerogpu_format_info {
    uint8_t bytes; /* of one block */
    uint8_t block; /* its width and height: 1 or 4 */
    bool srgb;
    bool depth;
    bool opaque; /* X8: alpha reads as 255 */
};

/*
 * Returns how the texels of a format are decoded, or NULL if the format has no texels. Depth is
 * decoded to 16-bit grey.
 */
const struct pixel_format *aerogpu_pixel_format(uint32_t format);

/* Returns false if the format has no texels. */
bool aerogpu_format_find(uint32_t format, struct aerogpu_format_info *out);

/* The shape of a texture, as given by CREATE_TEXTURE2D. */
struct aerogpu_shape {
    uint32_t format, width, height, mips, layers;
    uint32_t row_pitch; /* of mip 0; 0 means without padding */
};

/*
 * Returns whether the shape can exist: it has a format with texels, a width and height of 1 to
 * 16384, 1 to 2048 layers, no more mips than halving gives, a pitch that holds a row, and a size
 * that fits in 63 bits.
 */
bool aerogpu_shape_valid(const struct aerogpu_shape *shape);

/* One mip of one layer, of a valid shape. */
struct aerogpu_subresource {
    uint64_t offset;         /* in the texture's linear layout */
    uint32_t width, height;  /* in texels */
    uint32_t rows, row_size; /* rows of blocks, and bytes of a row without padding */
    uint32_t pitch;          /* bytes from one row to the next */
    uint64_t size;           /* pitch * rows */
};

/* Returns false if there is no such mip or layer. */
bool aerogpu_subresource(const struct aerogpu_shape *shape, uint32_t mip, uint32_t layer,
                         struct aerogpu_subresource *out);

/* Returns the size of all subresources in bytes. */
uint64_t aerogpu_shape_size(const struct aerogpu_shape *shape);

/*
 * Gets the mip and layer that hold a byte of the linear layout. Returns false if the offset is
 * beyond the end.
 */
bool aerogpu_shape_locate(const struct aerogpu_shape *shape, uint64_t offset, uint32_t *mip,
                          uint32_t *layer);

/* One vertex attribute of an input layout. */
struct aerogpu_element {
    uint32_t semantic_hash;  /* FNV-1a of the name in upper case */
    uint32_t semantic_index; /* 1 for COLOR1 */
    /*
     * DXGI_FORMAT. A D3D9 type is translated to one; its integers are read as floats. 0 for none.
     */
    uint32_t format;
    uint32_t slot;   /* number of the vertex buffer */
    uint32_t offset; /* bytes within the vertex; "append" is resolved */
    bool instanced;
    uint32_t step_rate;
    uint8_t usage, type; /* of D3D9 declarations: D3DDECLUSAGE, D3DDECLTYPE; otherwise 0 */
};

enum aerogpu_layout_kind { AEROGPU_LAYOUT_ILAY, AEROGPU_LAYOUT_D3D9 };

enum { AEROGPU_VERTEX_SLOTS = 32 };

/* A walk over an input layout. */
struct aerogpu_layout {
    const uint8_t *bytes;
    enum aerogpu_layout_kind kind;
    uint32_t count; /* of elements */
    uint32_t next;
    uint32_t ends[AEROGPU_VERTEX_SLOTS]; /* where the last element of each slot ends, in bytes */
};

/* Returns false if the bytes are in neither encoding, of an unknown version, or cut off. */
bool aerogpu_layout_open(const uint8_t *bytes, size_t size, struct aerogpu_layout *out);

/* Gets the next element. Returns false at the end. */
bool aerogpu_layout_next(struct aerogpu_layout *layout, struct aerogpu_element *out);

/* Returns the known name with this hash (dxbc_semantic_hash()), or NULL. */
const char *aerogpu_semantic_name(uint32_t hash);

/* The format of a vertex attribute: its components, of `size` bytes each. */
enum aerogpu_component {
    AEROGPU_COMPONENT_FLOAT,
    AEROGPU_COMPONENT_UNORM,
    AEROGPU_COMPONENT_SNORM,
    AEROGPU_COMPONENT_UINT,
    AEROGPU_COMPONENT_SINT,
};

struct aerogpu_attribute {
    const char *name; /* such as R32G32B32_FLOAT */
    uint16_t format;  /* DXGI_FORMAT */
    uint8_t count;    /* number of components, 1 to 4 */
    uint8_t size; /* bytes of a component: 1, 2 or 4; 0 if all are packed in one word of 4 bytes */
    uint8_t component;
    bool bgra; /* the first three components are in the order B, G, R */
};

/* Returns NULL if the format is not a known vertex format. */
const struct aerogpu_attribute *aerogpu_attribute_find(uint32_t format);

/* Texels (texels.c). */

/*
 * Expands `width` x `rows` texels to RGBA8. Rows of texels, or of blocks in block formats, are
 * `pitch` bytes apart in `from`; those of `to` have no padding. Drops texels of blocks that are
 * beyond the edges. Alpha is 255 in X8 formats; sRGB bytes are copied unchanged. Returns false for
 * depth formats and for formats without texels.
 */
bool aerogpu_texels_decode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           size_t pitch, uint8_t *to);

/*
 * Converts back from RGBA8, for formats with one texel a block. 565 and 5551 take the nearest
 * value. The unused byte of X8 formats stays as it is in `to`. Returns false for other formats.
 */
bool aerogpu_texels_encode(uint32_t format, uint32_t width, uint32_t rows, const uint8_t *from,
                           uint8_t *to, size_t pitch);

/*
 * Returns whether a texture of one format can have a view of the other: both are the same, or
 * differ only in sRGB and in whether alpha counts.
 */
bool aerogpu_formats_fit(uint32_t a, uint32_t b);

/*
 * Returns the format in which a view of a texture reads and writes; aerogpu_formats_fit() holds for
 * the two formats. If the texture has no alpha, the view has none.
 */
uint32_t aerogpu_format_of_view(uint32_t texture, uint32_t view);

/* Returns the sRGB twin of a format of 8 bits for each channel; otherwise the format itself. */
uint32_t aerogpu_format_srgb(uint32_t format);

/*
 * Encodes a colour (red, green, blue, alpha) as a texel of a format that is neither depth nor
 * compressed, rounded to the nearest value. sRGB formats take the colour as linear. Returns the
 * number of bytes of the texel, at most 4, or 0 if the format is not suitable.
 */
uint32_t aerogpu_colour_encode(uint32_t format, const float colour[4], uint8_t texel[4]);

/* Returns the nearest depth of 0 to 1, as D3D clamps the depth of a clear. NaN becomes 0. */
float aerogpu_depth_clamp(float depth);

/*
 * Returns the bits that a clear with `depth` gives a texel of a depth format, and in *mask which of
 * these bits to write.
 */
uint32_t aerogpu_depth_encode(uint32_t format, float depth, uint32_t stencil, bool with_depth,
                              bool with_stencil, uint32_t *mask);

/*
 * Converts a depth to 16-bit grey. The depth of a format of 24 bits becomes what these bits become.
 * NaN becomes 0.
 */
uint32_t aerogpu_depth_grey(uint32_t format, float depth);
/* Converts `width` texels of a depth format to 16-bit grey, high byte first. */
void aerogpu_depth_row(uint32_t format, const uint8_t *texels, uint32_t width, uint8_t *grey);

#endif
