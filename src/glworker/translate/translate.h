/* SPDX-License-Identifier: MIT */
/*
 * Translates Direct3D shaders to GLSL (worker.md 5.2), for any backend that draws with them, and
 * for reading (MESSAGE_TRANSLATE). DXBC becomes SPIR-V and GLSL 4.50 by vkd3d-shader and
 * SPIRV-Cross, with a list of the resources that the shader needs and where they are bound;
 * Direct3D 9 tokens become GLSL by mojoshader. These libraries abort() on some broken shaders; the
 * breadcrumb then names the shader. For that reason the fuzz targets of backends do without them.
 * Needs no graphics. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_TRANSLATE_TRANSLATE_H
#define GPUDUMPFS_GLWORKER_TRANSLATE_TRANSLATE_H

#include "glworker/core/serve.h"

#include "dxbc/dxbc.h"

enum {
    TRANSLATE_STAGES = 6,
    TRANSLATE_CONSTANTS = 14, /* constant buffers of a stage; D3D has no more */
    TRANSLATE_UNITS = 32,     /* texture units of a stage */
    TRANSLATE_IMAGES = 8,     /* image units of a stage */
    TRANSLATE_NO_SAMPLER = -1,
};

/* A texture unit: a texture with a sampler, or a buffer. */
struct translate_unit {
    uint8_t slot;    /* t# */
    int8_t sampler;  /* s#, or TRANSLATE_NO_SAMPLER if texels are only fetched */
    bool buffer;     /* the unit holds texels of a buffer */
    uint32_t target; /* GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP, ... */
    uint32_t texel;  /* format of a buffer's texels: GL_R32UI, GL_R32I or GL_R32F */
};

/* An image unit: a buffer that the shader writes. */
struct translate_image {
    uint8_t slot; /* u# */
    bool counter; /* the image is the slot's counter, not its bytes */
    uint32_t texel;
};

struct translation {
    char *glsl; /* NUL-terminated */
    uint32_t *spirv;
    size_t spirv_size;                       /* bytes */
    uint32_t constants[TRANSLATE_CONSTANTS]; /* bytes of each constant buffer; 0 if it is unused */
    struct translate_unit units[TRANSLATE_UNITS];
    struct translate_image images[TRANSLATE_IMAGES];
    unsigned unit_count, image_count;
    bool base_vertex; /* the GLSL uses the base vertex, to number vertices */
};

/* These functions return the first binding of a stage's constant buffers, units and images. */
static inline unsigned translate_first_constant(enum dxbc_program stage)
{
    return stage == DXBC_CS ? 0 : (unsigned)stage * TRANSLATE_CONSTANTS;
}

static inline unsigned translate_first_unit(enum dxbc_program stage)
{
    return (unsigned)stage * TRANSLATE_UNITS;
}

static inline unsigned translate_first_image(enum dxbc_program stage)
{
    return (unsigned)stage * TRANSLATE_IMAGES;
}

/*
 * Translates genuine DXBC of that stage. `flip`: the stage is the last one before rasterisation,
 * and flips y. Returns 0, -ENOMEM, -EINVAL with a reason, or -ENOSYS in a build without the
 * libraries. The caller calls translate_free() on `out` even if this fails.
 */
int translate_dxbc(const uint8_t *bytes, size_t size, enum dxbc_program stage, bool flip,
                   struct translation *out, char reason[WORKER_REASON]);
/* Translates a D3D9 shader to GLSL, for reading; the same errors and ownership. */
int translate_d3d9(const uint8_t *bytes, size_t size, struct translation *out,
                   char reason[WORKER_REASON]);
void translate_free(struct translation *translation);

/* The message that translates a shader for reading. */
extern const struct serve_kind translate_kinds[];

#endif
