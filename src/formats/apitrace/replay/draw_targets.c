/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/replay/presentation.h"

#include "image/picture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    ATTACHMENTS = 8,
    COLOUR_ATTACHMENT = 0x8CE0,
    LIST_MAX = 32 << 20, /* bytes; draws after that have unknown targets */
};

/* An attachment of a framebuffer object. */
struct attachment {
    uint8_t kind;
    uint32_t object, level;
};

/* Framebuffer objects belong to their context. */
struct apitrace_framebuffer {
    struct {
        uint64_t context, name;
    } key;
    struct attachment attachments[ATTACHMENTS];
    unsigned drawn; /* index of the first attachment that draws go to; ATTACHMENTS if none */
    UT_hash_handle hh;
};

/*
 * A renderbuffer's size is stored as one number: the height, shifted, and the width. If its storage
 * is that of a texture's level, by an EGLImage, the flag, the level, shifted, and the texture are
 * stored, and beside it when the image was made: what happens to the texture afterwards does not
 * concern the image.
 */
enum { WIDTH_BITS = 16, WIDTH_MASK = (1 << WIDTH_BITS) - 1, LEVEL_BITS = 32, LEVELS = 32 };
enum { STORAGE, ORDER, STORED }; /* second numbers of pairs */
#define IS_LEVEL (UINT64_C(1) << 63)
_Static_assert((int)PICTURE_MAX <= (int)WIDTH_MASK, "a side has its place");

static struct apitrace_framebuffer *find_framebuffer(struct apitrace_targets *targets,
                                                     uint64_t context, uint64_t name)
{
    struct apitrace_framebuffer *framebuffer = NULL, key;

    memset(&key, 0, sizeof(key));
    key.key.context = context;
    key.key.name = name;
    HASH_FIND(hh, targets->framebuffers, &key.key, sizeof(key.key), framebuffer);
    return framebuffer;
}

/* Does the same, adding it if necessary. Returns NULL if memory is short. */
static struct apitrace_framebuffer *need_framebuffer(struct apitrace_targets *targets,
                                                     uint64_t context, uint64_t name)
{
    struct apitrace_framebuffer *framebuffer = find_framebuffer(targets, context, name);

    if (framebuffer != NULL)
        return framebuffer;
    framebuffer = calloc(1, sizeof(*framebuffer));
    if (framebuffer == NULL)
        return NULL;
    framebuffer->key.context = context;
    framebuffer->key.name = name;
    HASH_ADD(hh, targets->framebuffers, key, sizeof(framebuffer->key), framebuffer);
    if (framebuffer->hh.tbl != NULL)
        return framebuffer;
    free(framebuffer);
    return NULL;
}

/* Returns an argument by name; -1 if there is none. */
static int64_t named(struct apitrace_call *call, const char *name)
{
    return apitrace_call_integer_named(call, name, -1);
}

/* Returns the framebuffer that a call names, or that is bound to its target. */
static uint32_t framebuffer_of(const struct apitrace_binding *binding, struct apitrace_call *call)
{
    int64_t name = named(call, "framebuffer"), target = named(call, "target");

    if (name >= 0)
        return (uint32_t)name;
    return target == APITRACE_GL_READ_FRAMEBUFFER ? binding->context->read : binding->context->draw;
}

static int attach(struct apitrace_targets *targets, const struct apitrace_binding *binding,
                  struct apitrace_call *call)
{
    int64_t place = named(call, "attachment") - COLOUR_ATTACHMENT;
    int64_t texture = named(call, "texture"), renderbuffer = named(call, "renderbuffer");
    int64_t level = named(call, "level");
    struct apitrace_framebuffer *framebuffer;
    struct attachment *attachment;

    if (place < 0 || place >= ATTACHMENTS)
        return 0;
    framebuffer =
        need_framebuffer(targets, binding->context->handle, framebuffer_of(binding, call));
    if (framebuffer == NULL)
        return -ENOMEM;
    attachment = &framebuffer->attachments[place];
    *attachment = (struct attachment){.kind = APITRACE_TARGET_NONE};
    if (texture > 0)
        *attachment = (struct attachment){.kind = APITRACE_TARGET_TEXTURE,
                                          .object = (uint32_t)texture,
                                          .level = level > 0 ? (uint32_t)level : 0};
    else if (renderbuffer > 0)
        *attachment = (struct attachment){.kind = APITRACE_TARGET_RENDERBUFFER,
                                          .object = (uint32_t)renderbuffer};
    return 0;
}

static uint64_t side(int64_t size)
{
    return size > 0 && size <= PICTURE_MAX ? (uint64_t)size : 0;
}

static int store(struct apitrace_targets *targets, const struct apitrace_binding *binding,
                 struct apitrace_call *call)
{
    uint64_t width = side(named(call, "width")), height = side(named(call, "height")), name = 0;
    int64_t told = named(call, "renderbuffer");

    if (told >= 0)
        name = (uint64_t)told;
    else
        apitrace_map_get(&targets->bound, binding->context->handle, 0, &name);
    return apitrace_map_set(&targets->renderbuffers, name, STORAGE, height << WIDTH_BITS | width);
}

/* Returns the texture's level of which an image is made; 0 if it is not made of a texture. */
static uint64_t level_of_image(struct apitrace_call *call)
{
    enum { OF_TEXTURE_2D = 0x30B1, OF_LAST_FACE = 0x30B8, LIST_ROOM = 64, TEXTURE_LEVEL = 0x30BC };
    const int64_t target = named(call, "target");
    const uint64_t texture = (uint32_t)named(call, "buffer");
    int64_t list[LIST_ROOM], level = 0;
    size_t count =
        apitrace_call_array(call, apitrace_call_named(call, "attrib_list", NULL), list, LIST_ROOM);

    for (size_t n = 0; n + 1 < count; n += 2)
        if (list[n] == TEXTURE_LEVEL)
            level = list[n + 1];
    if (target < OF_TEXTURE_2D || target > OF_LAST_FACE || level < 0 || level >= LEVELS)
        return 0;
    return IS_LEVEL | (uint64_t)level << LEVEL_BITS | texture;
}

/* Copies a storage. */
static int copy(const struct apitrace_map *from, uint64_t object, struct apitrace_map *to,
                uint64_t name)
{
    int status = 0;

    for (uint64_t n = STORAGE; n < STORED && status == 0; n++) {
        uint64_t value = 0;

        apitrace_map_get(from, object, n, &value);
        status = apitrace_map_set(to, name, n, value);
    }
    return status;
}

/* Notes what an EGLImage is made of: a level of a texture, or a renderbuffer. */
static int create_image(struct apitrace_targets *targets, struct apitrace_call *call)
{
    enum { OF_RENDERBUFFER = 0x30B9 };
    const uint64_t image = (uint64_t)apitrace_call_result(call, 0);
    int status;

    if (named(call, "target") == OF_RENDERBUFFER)
        return copy(&targets->renderbuffers, (uint32_t)named(call, "buffer"), &targets->images,
                    image);
    status = apitrace_map_set(&targets->images, image, STORAGE, level_of_image(call));
    return status < 0 ? status
                      : apitrace_map_set(&targets->images, image, ORDER, call->record->order);
}

static int use_image(struct apitrace_targets *targets, const struct apitrace_binding *binding,
                     struct apitrace_call *call)
{
    uint64_t name = 0;

    apitrace_map_get(&targets->bound, binding->context->handle, 0, &name);
    return copy(&targets->images, (uint64_t)named(call, "image"), &targets->renderbuffers, name);
}

/* Sets which attachment is drawn on: the first one that is listed. */
static int choose(struct apitrace_targets *targets, const struct apitrace_binding *binding,
                  struct apitrace_call *call)
{
    uint32_t argument = apitrace_call_named(call, "bufs", "buf", "mode", NULL);
    uint32_t name = framebuffer_of(binding, call);
    struct apitrace_framebuffer *framebuffer;
    int64_t buffers[ATTACHMENTS];
    size_t count;

    if (name == 0 || argument == UINT32_MAX)
        return 0;
    framebuffer = need_framebuffer(targets, binding->context->handle, name);
    if (framebuffer == NULL)
        return -ENOMEM;
    count = apitrace_call_array(call, argument, buffers, ATTACHMENTS);
    framebuffer->drawn = ATTACHMENTS;
    for (size_t n = 0; n < count && framebuffer->drawn == ATTACHMENTS; n++)
        if (buffers[n] >= COLOUR_ATTACHMENT && buffers[n] < COLOUR_ATTACHMENT + ATTACHMENTS)
            framebuffer->drawn = (unsigned)(buffers[n] - COLOUR_ATTACHMENT);
    return 0;
}

/* A name may be used again for another framebuffer, which has nothing attached. */
static void delete (struct apitrace_targets *targets, const struct apitrace_binding *binding,
                    struct apitrace_call *call)
{
    enum { NAMES_MAX = 256 };
    int64_t names[NAMES_MAX];
    size_t count = apitrace_call_array(call, 1, names, NAMES_MAX);

    for (size_t n = 0; n < count; n++) {
        struct apitrace_framebuffer *framebuffer =
            find_framebuffer(targets, binding->context->handle, (uint64_t)names[n]);

        if (framebuffer != NULL) {
            HASH_DEL(targets->framebuffers, framebuffer);
            free(framebuffer);
        }
    }
}

int apitrace_targets_follow(struct apitrace_targets *targets,
                            const struct apitrace_binding *binding, struct apitrace_call *call)
{
    switch (call->function->semantic) {
    case APITRACE_ATTACH:
        return attach(targets, binding, call);
    case APITRACE_BIND_RENDERBUFFER:
        return apitrace_map_set(&targets->bound, binding->context->handle, 0,
                                (uint32_t)named(call, "renderbuffer"));
    case APITRACE_RENDERBUFFER_STORAGE:
        return store(targets, binding, call);
    case APITRACE_CREATE_IMAGE:
        return create_image(targets, call);
    case APITRACE_RENDERBUFFER_IMAGE:
        return use_image(targets, binding, call);
    case APITRACE_DELETE_FRAMEBUFFERS:
        delete (targets, binding, call);
        return 0;
    default:
        return choose(targets, binding, call);
    }
}

/* Finds what a framebuffer object's draws go to. */
static void look_up(struct apitrace_targets *targets, uint64_t context, uint32_t name,
                    struct apitrace_target *out)
{
    const struct apitrace_framebuffer *framebuffer = find_framebuffer(targets, context, name);
    uint64_t size = 0;

    out->framebuffer = name;
    out->base = out->whole = UINT32_MAX;
    if (framebuffer == NULL || framebuffer->drawn >= ATTACHMENTS)
        return;
    out->kind = framebuffer->attachments[framebuffer->drawn].kind;
    out->object = framebuffer->attachments[framebuffer->drawn].object;
    out->level = framebuffer->attachments[framebuffer->drawn].level;
    if (out->kind == APITRACE_TARGET_RENDERBUFFER)
        apitrace_map_get(&targets->renderbuffers, out->object, STORAGE, &size);
    if (size & IS_LEVEL) {
        out->texture = (uint32_t)size;
        out->level = (uint32_t)(size >> LEVEL_BITS) % LEVELS;
        apitrace_map_get(&targets->renderbuffers, out->object, ORDER, &out->made);
        return;
    }
    out->width = (uint16_t)(size & WIDTH_MASK);
    out->height = (uint16_t)(size >> WIDTH_BITS);
}

static bool is_same(const struct apitrace_target *a, const struct apitrace_target *b)
{
    return a->kind == b->kind && a->framebuffer == b->framebuffer && a->object == b->object &&
           a->level == b->level && a->texture == b->texture && a->made == b->made &&
           a->width == b->width && a->height == b->height && a->base == b->base &&
           a->whole == b->whole;
}

int apitrace_targets_draw(struct apitrace_targets *targets, uint64_t order,
                          const struct apitrace_binding *binding, uint32_t drawable, uint32_t base,
                          uint32_t whole)
{
    struct apitrace_target target = {.order = order};

    if (binding->context->compiling) {
        target.kind = APITRACE_TARGET_LIST;
    } else if (binding->context->draw != 0) {
        look_up(targets, binding->context->handle, binding->context->draw, &target);
    } else if (drawable != UINT32_MAX) {
        target.kind = APITRACE_TARGET_DRAWABLE;
        target.object = drawable;
        target.base = base;
        target.whole = whole;
    }
    if (targets->count > 0 && is_same(&targets->list[targets->count - 1], &target))
        return 0;
    if (targets->memory.taken >= LIST_MAX)
        target = (struct apitrace_target){.order = order};
    if (targets->count > 0 && is_same(&targets->list[targets->count - 1], &target))
        return 0;
    if (apitrace_grow(&targets->list, targets->count, &targets->room, sizeof(*targets->list),
                      &targets->memory) < 0)
        return -ENOMEM;
    targets->list[targets->count++] = target;
    return 0;
}

void apitrace_targets_finish(struct apitrace_targets *targets)
{
    struct apitrace_framebuffer *framebuffer, *next;

    HASH_ITER (hh, targets->framebuffers, framebuffer, next) {
        HASH_DEL(targets->framebuffers, framebuffer);
        free(framebuffer);
    }
    apitrace_map_clear(&targets->bound);
    apitrace_map_clear(&targets->renderbuffers);
    apitrace_map_clear(&targets->images);
}

void apitrace_targets_clear(struct apitrace_targets *targets)
{
    apitrace_targets_finish(targets);
    apitrace_free(targets->list, &targets->memory);
    *targets = (struct apitrace_targets){0};
}

const struct apitrace_target *apitrace_targets_find(const struct apitrace_targets *targets,
                                                    uint64_t order)
{
    uint64_t low = 0, high = targets->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (targets->list[middle].order <= order)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &targets->list[low - 1] : NULL;
}
