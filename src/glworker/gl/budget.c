/* SPDX-License-Identifier: MIT */
/*
 * Counts the memory that the objects of a session take, because a call of ten bytes can request a
 * gigabyte. The limit grows with the bytes read from the trace, because textures and vertices come
 * from there. For other objects, such as render targets, any trace gets ANY_MAX bytes (worker.md
 * 6.5). The limit depends on the position in the trace alone, so a picture is the same whatever the
 * process did before.
 */
#include "config.h"

#include "glworker/gl/budget.h"

#include "glworker/core/confine.h"

#include "glworker/gl/surfaces.h"

#define MEBIBYTE (UINT64_C(1) << 20)
#define ANY_MAX  (384 * MEBIBYTE) /* limit for any trace */
enum { PER_BYTE = 16 };           /* added to the limit for each byte that was read of the trace */
#define ALL_MAX (4096 * MEBIBYTE) /* maximum of the limit */

/*
 * Memory that is not counted is limited by the process's own limit, which is raised in these steps.
 */
#define WALL_STEP (64 * MEBIBYTE)

/* Bytes that drivers need for an object before it has any content; contexts need CONTEXT_BYTES. */
enum { OBJECT_BYTES = 2048, VERTEX_ARRAY_BYTES = 8192 };
#define CONTEXT_BYTES (4 * MEBIBYTE)

#define SOURCE_BYTES (64 * MEBIBYTE) /* limit of a session */

/*
 * Keys: group of contexts, name space and the object's name here; for textures also the image, or
 * RETRACE_ALL_IMAGES.
 */
enum { FACES = 6, LEVELS = 16, IMAGE_SHIFT = 32, SPACE_SHIFT = 39, GROUP_SHIFT = 43 };

static uint64_t limit(const struct retrace *retrace)
{
    uint64_t read = retrace->stream.at;

    if (read > (ALL_MAX - ANY_MAX) / PER_BYTE)
        return ALL_MAX;
    return ANY_MAX + PER_BYTE * read;
}

bool retrace_budget_fits(struct retrace *retrace, uint64_t more)
{
    const uint64_t max = limit(retrace);

    if (retrace->budget.walled == 0 || max > retrace->budget.walled + WALL_STEP) {
        confine_memory(max + WALL_STEP);
        retrace->budget.walled = max;
    }
    if (retrace->budget.bytes <= max && more <= max - retrace->budget.bytes)
        return true;
    retrace_refuse(retrace, "its objects would take more than the %llu MiB that a session may use",
                   (unsigned long long)(max / MEBIBYTE));
    return false;
}

void retrace_budget_take(struct retrace *retrace, uint64_t bytes)
{
    retrace->budget.bytes += bytes;
}

void retrace_budget_give(struct retrace *retrace, uint64_t bytes)
{
    retrace->budget.bytes -= bytes < retrace->budget.bytes ? bytes : retrace->budget.bytes;
}

bool retrace_budget_context(struct retrace *retrace)
{
    if (!retrace_budget_fits(retrace, CONTEXT_BYTES))
        return false;
    retrace_budget_take(retrace, CONTEXT_BYTES);
    return true;
}

void retrace_budget_context_ends(struct retrace *retrace)
{
    retrace_budget_give(retrace, CONTEXT_BYTES);
}

uint64_t retrace_budget_names(enum retrace_names space, uint64_t count)
{
    return count * (space == RETRACE_VERTEX_ARRAY ? VERTEX_ARRAY_BYTES : OBJECT_BYTES);
}

static uint64_t key_of(const struct retrace *retrace, enum retrace_names space, uint32_t name,
                       unsigned image)
{
    return (uint64_t)retrace_context(retrace)->group << GROUP_SHIFT |
           (uint64_t)space << SPACE_SHIFT | (uint64_t)image << IMAGE_SHIFT | name;
}

static uint64_t held(const struct retrace *retrace, uint64_t key)
{
    uint64_t bytes;

    return retrace_map_get(&retrace->budget.sizes, key, &bytes) ? bytes : 0;
}

/* Sets the bytes of an object. Without memory to store them, they are never given back. */
static void set_held(struct retrace *retrace, uint64_t key, uint64_t bytes)
{
    retrace_budget_give(retrace, held(retrace, key));
    retrace_budget_take(retrace, bytes);
    if (bytes == 0)
        retrace_map_remove(&retrace->budget.sizes, key);
    else
        (void)retrace_map_put(&retrace->budget.sizes, key, bytes);
}

bool retrace_budget_ask(struct retrace *retrace, enum retrace_names space, uint32_t name,
                        unsigned image, uint64_t bytes)
{
    const uint64_t key = key_of(retrace, space, name, image), had = held(retrace, key);

    retrace->budget.asked_key = RETRACE_NO_KEY;
    if (bytes > had && !retrace_budget_fits(retrace, bytes - had))
        return false;
    retrace->budget.asked_key = key;
    retrace->budget.asked_bytes = bytes;
    graphics_failed();
    return true;
}

void retrace_budget_settle(struct retrace *retrace, struct retrace_call *call)
{
    (void)call;
    /* If the driver refused the call, the object keeps what it had. */
    if (retrace->budget.asked_key != RETRACE_NO_KEY && !graphics_failed())
        set_held(retrace, retrace->budget.asked_key, retrace->budget.asked_bytes);
    retrace->budget.asked_key = RETRACE_NO_KEY;
}

unsigned retrace_budget_image(GLenum target, int64_t level)
{
    unsigned face =
        target >= GL_TEXTURE_CUBE_MAP_POSITIVE_X && target <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z
            ? target - GL_TEXTURE_CUBE_MAP_POSITIVE_X
            : 0;

    return face * LEVELS + (level < 0 || level >= LEVELS ? LEVELS - 1 : (unsigned)level);
}

void retrace_budget_forget(struct retrace *retrace, enum retrace_names space, uint32_t name)
{
    const bool is_texture = space == RETRACE_TEXTURE;

    if (space != RETRACE_TEXTURE && space != RETRACE_RENDERBUFFER && space != RETRACE_BUFFER)
        return;
    if (retrace->budget.sizes.count == 0 || retrace_context(retrace) == NULL)
        return;
    for (unsigned image = 0; image < (is_texture ? FACES * LEVELS : 1); image++)
        if (held(retrace, key_of(retrace, space, name, image)) != 0)
            set_held(retrace, key_of(retrace, space, name, image), 0);
    if (is_texture && held(retrace, key_of(retrace, space, name, RETRACE_ALL_IMAGES)) != 0)
        set_held(retrace, key_of(retrace, space, name, RETRACE_ALL_IMAGES), 0);
}

void retrace_budget_end_group(struct retrace *retrace, uint32_t group)
{
    const uint64_t first = (uint64_t)group << GROUP_SHIFT;
    const uint64_t last = first | ((UINT64_C(1) << GROUP_SHIFT) - 1);
    uint64_t key = RETRACE_NO_KEY;

    for (uint32_t at = 0; retrace_map_next(&retrace->budget.sizes, first, last, &at, &key);)
        set_held(retrace, key, 0);
}

/*
 * Counts four bytes a texel, or more for wide formats. Drivers seldom store narrow formats in less.
 */
uint64_t retrace_budget_texels(GLenum format, uint64_t count)
{
    switch (format) {
    case GL_RGBA32F:
    case GL_RGBA32I:
    case GL_RGBA32UI:
    case GL_RGB32F:
    case GL_RGB32I:
    case GL_RGB32UI:
        return 16 * count;
    case GL_RGBA16:
    case GL_RGBA16F:
    case GL_RGBA16I:
    case GL_RGBA16UI:
    case GL_RGBA16_SNORM:
    case GL_RGB16:
    case GL_RGB16F:
    case GL_RGB16I:
    case GL_RGB16UI:
    case GL_RGB16_SNORM:
    case GL_RG32F:
    case GL_RG32I:
    case GL_RG32UI:
    case GL_DEPTH32F_STENCIL8:
        return 8 * count;
    default:
        return 4 * count;
    }
}

bool retrace_budget_fits_sources(const struct retrace *retrace, uint64_t more)
{
    return retrace->sources.bytes <= SOURCE_BYTES && more <= SOURCE_BYTES - retrace->sources.bytes;
}
