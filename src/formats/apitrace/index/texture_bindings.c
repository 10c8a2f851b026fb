/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/index/texture_bindings.h"

#include "formats/apitrace/decode/gl_calls.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    STORE_MAX = 1 << 16, /* limit for sizes in the pixel store; no data has more */
    CREATED_MAX = 4096,
    TEXTURE_BIT = 0x40000,  /* of glPushAttrib() */
    PIXEL_STORE_BIT = 0x01, /* of glPushClientAttrib() */
};

/* Of glPixelStore(). */
enum {
    UNPACK_SWAP_BYTES = 0x0CF0,
    UNPACK_ROW_LENGTH = 0x0CF2,
    UNPACK_SKIP_ROWS = 0x0CF3,
    UNPACK_SKIP_PIXELS = 0x0CF4,
    UNPACK_ALIGNMENT = 0x0CF5,
    UNPACK_SKIP_IMAGES = 0x806D,
    UNPACK_IMAGE_HEIGHT = 0x806E,
};

void apitrace_bindings_init(struct apitrace_texture_bindings *bindings)
{
    memset(bindings, 0, sizeof(*bindings));
    bindings->unpack.alignment = 4;
}

static void end_list(struct apitrace_texture_bindings *bindings)
{
    if (bindings->listed != NULL)
        apitrace_bindings_clear(bindings->listed);
    free(bindings->listed);
    bindings->listed = NULL;
}

void apitrace_bindings_clear(struct apitrace_texture_bindings *bindings)
{
    for (unsigned n = 0; n < bindings->attribute_count; n++)
        free(bindings->attributes[n].bound);
    bindings->attribute_count = 0;
    end_list(bindings);
}

uint64_t apitrace_bindings_bytes(const struct apitrace_texture_bindings *bindings)
{
    uint64_t bytes = sizeof(*bindings);

    for (unsigned n = 0; n < bindings->attribute_count; n++)
        bytes += bindings->attributes[n].bound != NULL ? sizeof(*bindings->attributes[n].bound) : 0;
    return bindings->listed != NULL ? bytes + apitrace_bindings_bytes(bindings->listed) : bytes;
}

/* Setting. */

static void set_pixel_store(struct apitrace_unpack *unpack, int64_t name, int64_t value)
{
    uint32_t size = value <= 0 ? 0 : value < STORE_MAX ? (uint32_t)value : (uint32_t)STORE_MAX;

    switch (name) {
    case UNPACK_SWAP_BYTES:
        unpack->swap = value != 0;
        break;
    case UNPACK_ROW_LENGTH:
        unpack->row_length = size;
        break;
    case UNPACK_SKIP_ROWS:
        unpack->skip_rows = size;
        break;
    case UNPACK_SKIP_PIXELS:
        unpack->skip_pixels = size;
        break;
    case UNPACK_ALIGNMENT:
        unpack->alignment = size == 1 || size == 2 || size == 4 || size == 8 ? size : 4;
        break;
    case UNPACK_SKIP_IMAGES:
        unpack->skip_images = size;
        break;
    case UNPACK_IMAGE_HEIGHT:
        unpack->image_height = size;
        break;
    default:
        break;
    }
}

static void bind(struct apitrace_bound_textures *bound, uint64_t unit, uint32_t target,
                 uint32_t name)
{
    unsigned place = apitrace_target_place(target);

    if (unit < APITRACE_TEXTURE_UNITS && place < APITRACE_TARGETS)
        bound->names[unit][place] = name;
}

/* Binds a texture to the target that it was made for. Name 0 unbinds all targets of the unit. */
static void bind_to_unit(struct apitrace_bound_textures *bound, const struct apitrace_map *targets,
                         uint64_t unit, uint32_t name)
{
    uint64_t target = 0;

    if (name == 0 && unit < APITRACE_TEXTURE_UNITS)
        memset(bound->names[unit], 0, sizeof(bound->names[unit]));
    else if (apitrace_map_get(targets, name, 0, &target))
        bind(bound, unit, (uint32_t)target, name);
}

/* glBindTextures(): binds consecutive units; without a list it unbinds them. */
static void bind_many(struct apitrace_bound_textures *bound, const struct apitrace_map *targets,
                      struct apitrace_call *call)
{
    int64_t names[APITRACE_TEXTURE_UNITS] = {0};
    int64_t first = apitrace_call_integer(call, 0, 0), count = apitrace_call_integer(call, 1, 0);

    apitrace_call_array(call, 2, names, APITRACE_TEXTURE_UNITS);
    for (int64_t n = 0; n < count && n < APITRACE_TEXTURE_UNITS; n++)
        bind_to_unit(bound, targets, (uint64_t)first + (uint64_t)n, (uint32_t)names[n]);
}

static int bind_one(struct apitrace_bound_textures *bound, struct apitrace_map *targets,
                    struct apitrace_call *call)
{
    const uint32_t target = (uint32_t)apitrace_call_integer(call, 0, 0);
    const uint32_t name = (uint32_t)apitrace_call_integer(call, 1, 0);

    bind(bound, bound->unit, target, name);
    return name == 0 ? 0 : apitrace_map_set(targets, name, 0, target);
}

static int create(struct apitrace_map *targets, struct apitrace_call *call)
{
    const uint32_t target = (uint32_t)apitrace_call_integer(call, 0, 0);
    int64_t names[CREATED_MAX];
    size_t count = apitrace_call_array(call, 2, names, CREATED_MAX);
    int status = 0;

    for (size_t n = 0; n < count && status == 0; n++)
        status = apitrace_map_set(targets, (uint32_t)names[n], 0, target);
    return status;
}

/* Pushing. A push to a full stack and a pop of an empty one have no effect. */

static int push_attributes(struct apitrace_texture_bindings *bindings, int64_t mask)
{
    struct apitrace_bound_textures *bound = NULL;

    if (bindings->attribute_count == APITRACE_PUSHED_MAX)
        return 0;
    if (mask & TEXTURE_BIT) {
        bound = malloc(sizeof(*bound));
        if (bound == NULL)
            return -ENOMEM;
        *bound = bindings->bound;
    }
    bindings->attributes[bindings->attribute_count++].bound = bound;
    return 0;
}

static void pop_attributes(struct apitrace_texture_bindings *bindings)
{
    struct apitrace_bound_textures *bound;

    if (bindings->attribute_count == 0)
        return;
    bound = bindings->attributes[--bindings->attribute_count].bound;
    if (bound != NULL)
        bindings->bound = *bound;
    free(bound);
}

static void push_client(struct apitrace_texture_bindings *bindings, int64_t mask)
{
    if (bindings->client_count == APITRACE_PUSHED_MAX)
        return;
    bindings->client[bindings->client_count].pixels = (mask & PIXEL_STORE_BIT) != 0;
    bindings->client[bindings->client_count++].unpack = bindings->unpack;
}

static void pop_client(struct apitrace_texture_bindings *bindings)
{
    if (bindings->client_count > 0 && bindings->client[--bindings->client_count].pixels)
        bindings->unpack = bindings->client[bindings->client_count].unpack;
}

/* Lists. A list within another is refused, and so has no effect. */

static int begin_list(struct apitrace_texture_bindings *bindings, int64_t mode)
{
    if (mode != APITRACE_GL_COMPILE || bindings->listed != NULL)
        return 0;
    bindings->listed = malloc(sizeof(*bindings->listed));
    if (bindings->listed == NULL)
        return -ENOMEM;
    apitrace_bindings_init(bindings->listed);
    return 0;
}

int apitrace_bindings_follow(struct apitrace_texture_bindings *bindings,
                             struct apitrace_map *targets, struct apitrace_call *call)
{
    switch (call->function->semantic) {
    case APITRACE_PIXEL_STORE:
        set_pixel_store(&bindings->unpack, apitrace_call_integer(call, 0, 0),
                        apitrace_call_integer(call, 1, 0));
        break;
    case APITRACE_ACTIVE_TEXTURE:
        bindings->bound.unit =
            (uint32_t)apitrace_call_integer(call, 0, APITRACE_GL_TEXTURE0) - APITRACE_GL_TEXTURE0;
        break;
    case APITRACE_BIND_TEXTURE:
        return bind_one(&bindings->bound, targets, call);
    case APITRACE_BIND_TEXTURE_UNIT:
        bind_to_unit(&bindings->bound, targets, (uint64_t)apitrace_call_integer(call, 0, -1),
                     (uint32_t)apitrace_call_integer(call, 1, 0));
        break;
    case APITRACE_BIND_TEXTURES:
        bind_many(&bindings->bound, targets, call);
        break;
    case APITRACE_CREATE_TEXTURES:
        return create(targets, call);
    case APITRACE_PUSH_ATTRIBUTES:
        return push_attributes(bindings, apitrace_call_integer(call, 0, -1));
    case APITRACE_POP_ATTRIBUTES:
        pop_attributes(bindings);
        break;
    case APITRACE_PUSH_CLIENT_ATTRIBUTES:
        push_client(bindings, apitrace_call_integer(call, 0, -1));
        break;
    case APITRACE_POP_CLIENT_ATTRIBUTES:
        pop_client(bindings);
        break;
    case APITRACE_NEW_LIST:
        return begin_list(bindings, apitrace_call_integer(call, 1, 0));
    case APITRACE_END_LIST:
        end_list(bindings);
        break;
    default:
        break;
    }
    return 0;
}

struct apitrace_texture_bindings *apitrace_bindings_of_call(
    struct apitrace_texture_bindings *bindings, const struct apitrace_call *call)
{
    if (bindings->listed == NULL)
        return bindings;
    switch (call->function->semantic) {
    case APITRACE_ACTIVE_TEXTURE:
    case APITRACE_BIND_TEXTURE:
    case APITRACE_PUSH_ATTRIBUTES:
    case APITRACE_POP_ATTRIBUTES:
    case APITRACE_TEX_PARAMETER:
    case APITRACE_TEX_IMAGE:
    case APITRACE_TEX_COMPRESSED:
    case APITRACE_TEX_SUB_IMAGE:
    case APITRACE_TEX_COMPRESSED_SUB:
    case APITRACE_COPY_IMAGE:
        bindings->listed->unpack = bindings->unpack;
        return bindings->listed;
    default:
        return bindings; /* OpenGL executes these in any case */
    }
}

void apitrace_bindings_forget(struct apitrace_texture_bindings *bindings, uint32_t name)
{
    for (unsigned unit = 0; unit < APITRACE_TEXTURE_UNITS; unit++)
        for (unsigned place = 0; place < APITRACE_TARGETS; place++)
            if (bindings->bound.names[unit][place] == name)
                bindings->bound.names[unit][place] = 0;
}

uint32_t apitrace_bindings_find(const struct apitrace_texture_bindings *bindings, uint32_t target)
{
    unsigned place = apitrace_target_place(apitrace_target_whole(target));

    return bindings->bound.unit < APITRACE_TEXTURE_UNITS && place < APITRACE_TARGETS
               ? bindings->bound.names[bindings->bound.unit][place]
               : 0;
}
