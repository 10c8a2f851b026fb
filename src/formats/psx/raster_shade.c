/*
 * The plain C shaders: one template, made anew for every combination of features
 * as constants, so that a shader holds no test of them. Colours walk packed in
 * 64 bits, 21 bits a channel, and texture coordinates 32 bits each: one addition
 * steps them all, and no carry crosses a border where it is read, since at
 * covered pixels each part lies in its range (raster.h).
 */

#include "formats/psx/pixel.h"
#include "formats/psx/raster.h"

#define INLINE static inline __attribute__((always_inline))

enum { GREEN_SHIFT = 21, RED_SHIFT = 42, U_SHIFT = 32 };

struct walk {
    uint64_t origin, dx, dy;
};

INLINE uint64_t walk_at(const struct walk *walk, int x, int y)
{
    return walk->origin + walk->dx * (uint64_t)x + walk->dy * (uint64_t)y;
}

INLINE struct walk pack_colours(const struct raster_plane plane[3])
{
#define PACK(field)                                                                                \
    (((uint64_t)(int64_t)plane[0].field << RED_SHIFT) +                                            \
     ((uint64_t)(int64_t)plane[1].field << GREEN_SHIFT) + (uint64_t)(int64_t)plane[2].field)
    return (struct walk){PACK(origin), PACK(dx), PACK(dy)};
#undef PACK
}

INLINE struct walk pack_texels(const struct raster_plane *u, const struct raster_plane *v)
{
#define PACK(field) (((uint64_t)(int64_t)u->field << U_SHIFT) + (uint64_t)(int64_t)v->field)
    return (struct walk){PACK(origin), PACK(dx), PACK(dy)};
#undef PACK
}

/*
 * A page as the shaders read it. The window's offset has no bit in common with
 * what its mask leaves of U and V, so it is part of the page's place.
 */
struct texture {
    const uint16_t *page; /* row 0 of the page, in column 0 of VRAM */
    const uint16_t *clut;
    unsigned x;     /* the page's column */
    unsigned and_v; /* V's bits, where V times the width of VRAM has them */
    unsigned and_u; /* U's bits, where the column has them */
};

INLINE struct texture texture_of(const struct raster_job *job, int depth)
{
    const int shift = depth == PSX_DEPTH_4 ? 2 : depth == PSX_DEPTH_8 ? 1 : 0;

    return (struct texture){
        .page = job->vram + (job->page_y + job->or_v) * PSX_VRAM_WIDTH,
        .clut = job->clut,
        .x = job->page_x + (job->or_u >> shift),
        .and_v = job->and_v * (unsigned)PSX_VRAM_WIDTH,
        .and_u = job->and_u >> shift,
    };
}

enum { V_TO_ROW = RASTER_FRACTION - 10, U_BIT = U_SHIFT + RASTER_FRACTION };

INLINE unsigned fetch(const struct texture *texture, int depth, uint64_t uv)
{
    const uint16_t *row = texture->page + ((unsigned)(uv >> V_TO_ROW) & texture->and_v);
    unsigned x;

    switch (depth) {
    case PSX_DEPTH_4: /* a page of 64 halfwords never passes the right edge */
        x = texture->x + ((unsigned)(uv >> (U_BIT + 2)) & texture->and_u);
        return texture->clut[row[x] >> (uv >> (U_BIT - 2) & 12) & 15];
    case PSX_DEPTH_8:
        x = texture->x + ((unsigned)(uv >> (U_BIT + 1)) & texture->and_u);
        return texture->clut[row[x & 1023] >> (uv >> (U_BIT - 3) & 8) & 255];
    default:
        x = texture->x + ((unsigned)(uv >> U_BIT) & texture->and_u);
        return row[x & 1023];
    }
}

/* A channel before dithering: the colour's, or the texel's times the colour's. */
INLINE unsigned modulate(int depth, unsigned texel5, unsigned colour8)
{
    return depth == PSX_DEPTH_NONE ? colour8 : texel5 * colour8 >> 4;
}

INLINE void shade_rows(const struct raster_job *job, int depth, int colour, bool dither,
                       unsigned blend, bool check)
{
    const bool textured = depth != PSX_DEPTH_NONE;
    const struct texture texture = texture_of(job, depth);
    const unsigned set = job->set;
    const unsigned r_flat = job->flat[0], g_flat = job->flat[1], b_flat = job->flat[2];
    struct walk rgb_walk = {0}, uv_walk = {0};

    if (colour == RASTER_GOURAUD)
        rgb_walk = pack_colours(job->plane);
    if (textured)
        uv_walk = pack_texels(&job->u, &job->v);

    for (int y = job->y0; y < job->y1; y++) {
        const int right = job->right[y];
        int x = job->left[y];
        uint16_t *row = job->vram + y * PSX_VRAM_WIDTH;
        const int8_t *offsets = pixel_dither[y & 3];
        uint64_t rgb = walk_at(&rgb_walk, x, y), uv = walk_at(&uv_walk, x, y);

        for (; x < right; x++, rgb += rgb_walk.dx, uv += uv_walk.dx) {
            const unsigned back = row[x];
            unsigned texel = 0, pixel;

            if (check && (back & PIXEL_MASK))
                continue;
            if (textured) {
                texel = fetch(&texture, depth, uv);
                if (texel == 0)
                    continue;
            }
            if (colour == RASTER_RAW) {
                pixel = texel & 0x7FFF;
            } else {
                const bool flat = colour == RASTER_FLAT;
                const unsigned r8 = flat ? r_flat : (unsigned)(rgb >> (RED_SHIFT + 12));
                const unsigned g8 = flat ? g_flat : (rgb >> (GREEN_SHIFT + 12)) & 0xFF;
                const unsigned b8 = flat ? b_flat : (rgb >> 12) & 0xFF;
                const uint8_t *clamp = pixel_clamp + PIXEL_CLAMP_BIAS;

                if (dither)
                    clamp += offsets[x & 3];
                pixel = pixel_pack(clamp[modulate(depth, texel & 31, r8)],
                                   clamp[modulate(depth, texel >> 5 & 31, g8)],
                                   clamp[modulate(depth, texel >> 10 & 31, b8)]);
            }
            if (blend != RASTER_OPAQUE && (!textured || (texel & PIXEL_MASK)))
                pixel = pixel_blend(back & 0x7FFF, pixel, blend);
            row[x] = (uint16_t)(pixel | (texel & PIXEL_MASK) | set);
        }
    }
}

#define NAME(depth, colour, dither, blend, check) shade_##depth##colour##dither##blend##check

#define DEFINE(depth, colour, dither, blend, check)                                                \
    static void NAME(depth, colour, dither, blend, check)(const struct raster_job *job)            \
    {                                                                                              \
        shade_rows(job, depth, colour, dither, blend, check);                                      \
    }

/* Every blend mode and mask check of a combination of the other three. */
/* clang-format off */
#define BLENDS(X, depth, colour, dither)                                                           \
    X(depth, colour, dither, 0, 0)                                                                 \
    X(depth, colour, dither, 0, 1)                                                                 \
    X(depth, colour, dither, 1, 0)                                                                 \
    X(depth, colour, dither, 1, 1)                                                                 \
    X(depth, colour, dither, 2, 0)                                                                 \
    X(depth, colour, dither, 2, 1)                                                                 \
    X(depth, colour, dither, 3, 0)                                                                 \
    X(depth, colour, dither, 3, 1)                                                                 \
    X(depth, colour, dither, 4, 0)                                                                 \
    X(depth, colour, dither, 4, 1)
/* clang-format on */

#define TEXTURED(X, depth)                                                                         \
    BLENDS(X, depth, 0, 0)                                                                         \
    BLENDS(X, depth, 0, 1)                                                                         \
    BLENDS(X, depth, 1, 0)                                                                         \
    BLENDS(X, depth, 1, 1)                                                                         \
    BLENDS(X, depth, 2, 0)

/* Untextured flat shapes are never dithered (psx-gpu.md 8; lines have no shader). */
#define SHADERS(X)                                                                                 \
    TEXTURED(X, 0)                                                                                 \
    TEXTURED(X, 1)                                                                                 \
    TEXTURED(X, 2)                                                                                 \
    BLENDS(X, 3, 0, 0)                                                                             \
    BLENDS(X, 3, 1, 0)                                                                             \
    BLENDS(X, 3, 1, 1)

SHADERS(DEFINE)

#define ENTRY(depth, colour, dither, blend, check)                                                 \
    [depth][colour][dither][blend][check] = NAME(depth, colour, dither, blend, check),

const struct raster_ops raster_ops_c = {"c", {SHADERS(ENTRY)}};

_Static_assert(PSX_DEPTH_4 == 0 && PSX_DEPTH_8 == 1 && PSX_DEPTH_15 == 2 && PSX_DEPTH_NONE == 3 &&
                   RASTER_FLAT == 0 && RASTER_GOURAUD == 1 && RASTER_RAW == 2 && RASTER_OPAQUE == 4,
               "the numbers in the macros above are these names");
