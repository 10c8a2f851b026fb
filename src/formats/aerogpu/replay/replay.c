/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/replay/replay.h"

#include "base/cancellable_mutex.h"
#include "formats/aerogpu/decode/layout.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RGBA = 4, GREY16 = 2 };

struct aerogpu_replay {
    struct cancellable_mutex cpu_mutex, state_mutex, gpu_mutex;
    struct aerogpu_cpu_replay *cpu;   /* the replay with contents; created when first needed */
    struct aerogpu_cpu_replay *state; /* without contents; created when first needed */
    struct aerogpu_gpu_replay *gpu;   /* the replay by the worker; created when first needed */
};

int aerogpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_replay **out)
{
    struct aerogpu_replay *replay = calloc(1, sizeof(*replay));

    (void)dump;
    if (replay == NULL)
        return -ENOMEM;
    cancellable_mutex_init(&replay->cpu_mutex);
    cancellable_mutex_init(&replay->state_mutex);
    cancellable_mutex_init(&replay->gpu_mutex);
    *out = replay;
    return 0;
}

void aerogpu_replay_destroy(struct aerogpu_replay **replay)
{
    if (*replay == NULL)
        return;
    aerogpu_cpu_replay_destroy(&(*replay)->cpu);
    aerogpu_cpu_replay_destroy(&(*replay)->state);
    aerogpu_gpu_replay_destroy(&(*replay)->gpu);
    cancellable_mutex_destroy(&(*replay)->cpu_mutex);
    cancellable_mutex_destroy(&(*replay)->state_mutex);
    cancellable_mutex_destroy(&(*replay)->gpu_mutex);
    free(*replay);
    *replay = NULL;
}

/* Moves the replay *cpu, creating it if necessary, to `tick`. The caller holds its mutex. */
static int seek(struct aerogpu_dump *dump, struct aerogpu_cpu_replay **cpu, bool contents,
                uint64_t tick, const struct cancel *cancel)
{
    int status = 0;

    if (*cpu == NULL)
        status = aerogpu_cpu_replay_create(aerogpu_dump_index(dump), &dump->limits, contents,
                                           dump->base.cache, cpu);
    if (status != 0)
        return status;
    aerogpu_cpu_replay_follow(*cpu, aerogpu_dump_index(dump));
    return aerogpu_cpu_replay_seek(*cpu, tick, cancel);
}

static int take_cpu(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel)
{
    struct aerogpu_replay *replay = dump->replay;
    int status = cancellable_mutex_lock(&replay->cpu_mutex, cancel);

    if (status != 0)
        return status;
    status = seek(dump, &replay->cpu, true, tick, cancel);
    if (status != 0)
        cancellable_mutex_unlock(&replay->cpu_mutex);
    return status;
}

int aerogpu_replay_take_cpu(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                            struct aerogpu_cpu_replay **out)
{
    int status = take_cpu(dump, tick, cancel);

    *out = dump->replay->cpu;
    return status;
}

void aerogpu_replay_leave_cpu(struct aerogpu_dump *dump)
{
    cancellable_mutex_unlock(&dump->replay->cpu_mutex);
}

/*
 * Returns the object of a life in the CPU's replay, or NULL if it is not alive there, or its kind
 * or shape differs from the scan's.
 */
static struct aerogpu_object *object_of(const struct aerogpu_dump *dump, uint32_t life)
{
    const struct aerogpu_machine *machine = aerogpu_cpu_replay_machine(dump->replay->cpu);
    const struct aerogpu_object *object = &aerogpu_dump_scanned(dump)->lives[life].object;
    struct aerogpu_object *found =
        aerogpu_objects_alive(&machine->objects, object->space, object->handle, life);
    bool is_texture = object->kind == AEROGPU_OBJECT_TEXTURE;

    if (found == NULL || found->kind != object->kind ||
        (is_texture && memcmp(&found->shape, &object->shape, sizeof(found->shape)) != 0))
        return NULL;
    return found;
}

bool aerogpu_replay_find_shot(const struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                              const uint8_t **texels, uint32_t *pitch)
{
    struct aerogpu_target target = {.format = shot->format,
                                    .mip = shot->mip,
                                    .layer = shot->layer,
                                    .width = shot->width,
                                    .height = shot->height};

    if (shot->life != AEROGPU_NONE) {
        target.texture = object_of(dump, shot->life);
        if (target.texture == NULL)
            return false;
    }
    *texels = aerogpu_cpu_replay_target(dump->replay->cpu, &target, pitch);
    return true;
}

static int make_pixels(const struct aerogpu_shot *shot, uint32_t bytes, struct aerogpu_pixels *out)
{
    *out = (struct aerogpu_pixels){.width = shot->width, .height = shot->height};
    out->data = calloc((size_t)shot->width * shot->height, bytes);
    return out->data != NULL ? 0 : -ENOMEM;
}

static void write_depth(const struct aerogpu_shot *shot, const uint8_t *texels, uint32_t pitch,
                        uint8_t *grey)
{
    for (size_t y = 0; y < shot->height; y++)
        aerogpu_depth_row(shot->format, texels + y * pitch, shot->width,
                          grey + y * shot->width * GREY16);
}

/* Shows a depth texture as a grey picture. */
static int show_depth(const struct aerogpu_shot *shot, const uint8_t *texels, uint32_t pitch,
                      uint8_t *rgba)
{
    size_t count = (size_t)shot->width * shot->height;
    uint8_t *grey = malloc(count * GREY16);

    if (grey == NULL)
        return -ENOMEM;
    write_depth(shot, texels, pitch, grey);
    for (size_t i = 0; i < count; i++) {
        memset(rgba + RGBA * i, grey[GREY16 * i], RGBA - 1);
        rgba[RGBA * i + 3] = 255;
    }
    free(grey);
    return 0;
}

static int decode_shot(const struct aerogpu_shot *shot, const uint8_t *texels, uint32_t pitch,
                       uint8_t *rgba)
{
    if (aerogpu_texels_decode(shot->format, shot->width, shot->height, texels, pitch, rgba))
        return 0;
    return show_depth(shot, texels, pitch, rgba);
}

/* What shaders drew. */

static int take_gpu(struct aerogpu_dump *dump, const struct cancel *cancel)
{
    struct aerogpu_replay *replay = dump->replay;
    int status = cancellable_mutex_lock(&replay->gpu_mutex, cancel);

    if (status == 0 && replay->gpu == NULL) {
        status = aerogpu_gpu_replay_create(dump, &replay->gpu);
        if (status != 0)
            cancellable_mutex_unlock(&replay->gpu_mutex);
    }
    return status;
}

int aerogpu_replay_take_gpu(struct aerogpu_dump *dump, const struct cancel *cancel,
                            struct aerogpu_gpu_replay **out)
{
    int status = take_gpu(dump, cancel);

    *out = dump->replay->gpu;
    return status;
}

void aerogpu_replay_leave_gpu(struct aerogpu_dump *dump)
{
    cancellable_mutex_unlock(&dump->replay->gpu_mutex);
}

struct aerogpu_picture_request aerogpu_replay_request(const struct aerogpu_dump *dump,
                                                      const struct aerogpu_shot *shot)
{
    if (shot->slot == AEROGPU_SHOT_BACK)
        return (struct aerogpu_picture_request){.kind = AEROGPU_PICTURE_BACK};
    if (shot->slot == AEROGPU_SHOT_DEPTH)
        return (struct aerogpu_picture_request){.kind = AEROGPU_PICTURE_DEPTH};
    if (shot->slot != AEROGPU_SHOT_UNBOUND)
        return (struct aerogpu_picture_request){.kind = AEROGPU_PICTURE_TARGET,
                                                .index = shot->slot};
    return (struct aerogpu_picture_request){
        .kind = AEROGPU_PICTURE_TEXTURE,
        .handle = aerogpu_dump_scanned(dump)->lives[shot->life].object.handle,
        .mip = shot->mip,
        .layer = shot->layer};
}

/* Replaces the tick from which draws are drawn as edges: no draw is. */
#define NO_WIREFRAME UINT64_MAX

/* Gets a picture of the size that the tree announced. The caller unreferences its owner. */
static int ask_worker(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                      uint64_t wireframe, const struct cancel *cancel, struct aerogpu_picture *out)
{
    const struct aerogpu_picture_request request = aerogpu_replay_request(dump, shot);
    int status = take_gpu(dump, cancel);

    if (status != 0)
        return status;
    if (wireframe == NO_WIREFRAME)
        status = aerogpu_gpu_replay_picture(dump->replay->gpu, shot->tick, &request, cancel, out);
    else
        status = aerogpu_gpu_replay_wireframe(dump->replay->gpu, wireframe, shot->tick, &request,
                                              cancel, out);
    cancellable_mutex_unlock(&dump->replay->gpu_mutex);
    if (status != 0 || (out->width == shot->width && out->height == shot->height))
        return status;
    problems_add(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "the graphics worker returned a picture of %" PRIu32 "x%" PRIu32
                 " instead of %" PRIu32 "x%" PRIu32,
                 out->width, out->height, shot->width, shot->height);
    blob_unref(&out->owner);
    return -EIO;
}

/* Converts a depth that the worker sent to 0 to 65535. */
static uint32_t grey_of(uint32_t format, const uint8_t *f32)
{
    uint32_t bits = bytes_le32(f32);
    float depth;

    memcpy(&depth, &bits, sizeof(depth));
    return aerogpu_depth_grey(format, depth);
}

/* Converts the worker's pixels to RGBA8, or depth to 16-bit grey. */
static int take_pixels(const struct aerogpu_shot *shot, const struct aerogpu_picture *picture,
                       bool grey, struct aerogpu_pixels *out)
{
    size_t count = (size_t)shot->width * shot->height;
    int status = make_pixels(shot, grey ? GREY16 : RGBA, out);

    if (status != 0)
        return status;
    if (!grey && !picture->depth)
        memcpy(out->data, picture->pixels, count * RGBA);
    for (size_t i = 0; picture->depth && i < count; i++) {
        uint32_t value = grey_of(shot->format, picture->pixels + 4 * i);

        if (grey) {
            out->data[GREY16 * i] = (uint8_t)(value >> 8);
            out->data[GREY16 * i + 1] = (uint8_t)value;
        } else {
            memset(out->data + RGBA * i, (int)(value >> 8), RGBA - 1);
            out->data[RGBA * i + 3] = 255;
        }
    }
    return 0;
}

static int draw_shot(struct aerogpu_dump *dump, const struct aerogpu_shot *shot, uint64_t wireframe,
                     bool grey, const struct cancel *cancel, struct aerogpu_pixels *out)
{
    struct aerogpu_picture picture = {0};
    int status = ask_worker(dump, shot, wireframe, cancel, &picture);

    if (status != 0)
        return status;
    status = take_pixels(shot, &picture, grey, out);
    blob_unref(&picture.owner);
    return status;
}

int aerogpu_replay_wireframe(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                             uint64_t from, const struct cancel *cancel, struct aerogpu_pixels *out)
{
    *out = (struct aerogpu_pixels){0};
    return draw_shot(dump, shot, from, false, cancel, out);
}

int aerogpu_replay_drawn_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *object,
                               uint64_t tick, const struct cancel *cancel, struct blob **out)
{
    uint64_t size = aerogpu_replay_contents_size(object);
    const struct aerogpu_scan *scan = NULL;
    int status = aerogpu_dump_scan(dump, cancel, &scan);

    if (status == 0)
        status = take_gpu(dump, cancel);
    if (status != 0)
        return status;
    status = aerogpu_gpu_replay_content(dump->replay->gpu, tick, object->handle, cancel, out);
    cancellable_mutex_unlock(&dump->replay->gpu_mutex);
    if (status != 0 || (*out)->size == size)
        return status;
    problems_add(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE,
                 object->number < scan->life_count ? scan->lives[object->number].created.record
                                                   : PROBLEM_NOWHERE,
                 "the graphics worker returned %zu bytes of resource %" PRIu32
                 " instead of %" PRIu64,
                 (*out)->size, object->handle, size);
    blob_unref(out);
    return -EIO;
}

int aerogpu_replay_gpu_contents(struct aerogpu_dump *dump, uint32_t number,
                                const struct cancel *cancel, struct blob **out)
{
    const struct aerogpu_life *life = &aerogpu_dump_scanned(dump)->lives[number];
    struct aerogpu_object object = life->object;

    object.number = number;
    return aerogpu_replay_drawn_bytes(dump, &object, life->end, cancel, out);
}

int aerogpu_replay_translate(struct aerogpu_dump *dump, uint32_t number, bool spirv,
                             const struct cancel *cancel, struct blob **out)
{
    const struct aerogpu_object *shader = NULL;
    const struct aerogpu_scan *scan = NULL;
    struct shader_translation translation = {0};
    char what[40];
    int status = aerogpu_dump_scan(dump, cancel, &scan);

    if (status == 0)
        status = take_gpu(dump, cancel);
    if (status != 0)
        return status;
    shader = &scan->lives[number].object;
    snprintf(what, sizeof(what), "shader %" PRIu32, shader->handle);
    status = aerogpu_gpu_replay_translate(dump->replay->gpu, shader->shader.code,
                                          shader->shader.length, what, cancel, &translation);
    cancellable_mutex_unlock(&dump->replay->gpu_mutex);
    if (status != 0)
        return status;
    *out = blob_ref(spirv ? translation.spirv : translation.glsl);
    shader_translation_clear(&translation);
    return 0;
}

int aerogpu_replay_shot(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                        const struct cancel *cancel, struct aerogpu_pixels *out)
{
    const uint8_t *texels = NULL;
    uint32_t pitch = 0;
    int status = 0;

    *out = (struct aerogpu_pixels){0};
    if (shot->drawn)
        return draw_shot(dump, shot, NO_WIREFRAME, false, cancel, out);
    status = take_cpu(dump, shot->tick, cancel);
    if (status != 0)
        return status;
    if (!aerogpu_replay_find_shot(dump, shot, &texels, &pitch))
        status = -EIO;
    if (status == 0)
        status = make_pixels(shot, RGBA, out);
    if (status == 0)
        status = decode_shot(shot, texels, pitch, out->data);
    cancellable_mutex_unlock(&dump->replay->cpu_mutex);
    if (status != 0) {
        free(out->data);
        out->data = NULL;
    }
    return status;
}

int aerogpu_replay_depth(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                         const struct cancel *cancel, struct aerogpu_pixels *out)
{
    const uint8_t *texels = NULL;
    uint32_t pitch = 0;
    int status = 0;

    *out = (struct aerogpu_pixels){0};
    if (shot->drawn)
        return draw_shot(dump, shot, NO_WIREFRAME, true, cancel, out);
    status = take_cpu(dump, shot->tick, cancel);
    if (status != 0)
        return status;
    if (!aerogpu_replay_find_shot(dump, shot, &texels, &pitch))
        status = -EIO;
    if (status == 0)
        status = make_pixels(shot, GREY16, out);
    if (status == 0)
        write_depth(shot, texels, pitch, out->data);
    cancellable_mutex_unlock(&dump->replay->cpu_mutex);
    return status;
}

uint64_t aerogpu_replay_contents_size(const struct aerogpu_object *object)
{
    struct aerogpu_shape tight = object->shape;

    if (object->kind != AEROGPU_OBJECT_TEXTURE)
        return aerogpu_object_size(object);
    tight.row_pitch = 0;
    return aerogpu_shape_size(&tight);
}

/* The requested bytes of a file's contents, from `begin` to `end`. */
struct range {
    uint64_t begin, end;
    uint8_t *to;
};

/* Copies the requested part of the bytes that are at offset `at` of the file. */
static void copy_wanted(const struct range *range, uint64_t at, const uint8_t *bytes, size_t length)
{
    uint64_t from = at < range->begin ? range->begin : at;
    uint64_t end = at + length < range->end ? at + length : range->end;

    if (from < end)
        memcpy(range->to + (from - range->begin), bytes + (from - at), (size_t)(end - from));
}

/* Copies a texture without the padding of mip 0. */
static void copy_tight(const struct aerogpu_object *object, const uint8_t *contents,
                       const struct range *range)
{
    struct aerogpu_subresource sub;
    uint64_t at = 0;

    for (uint32_t layer = 0; layer < object->shape.layers; layer++)
        for (uint32_t mip = 0; mip < object->shape.mips && at < range->end; mip++) {
            uint64_t size = 0;

            aerogpu_subresource(&object->shape, mip, layer, &sub);
            size = (uint64_t)sub.rows * sub.row_size;
            for (uint32_t y = 0; at + size > range->begin && y < sub.rows; y++)
                copy_wanted(range, at + (uint64_t)y * sub.row_size,
                            contents + sub.offset + (size_t)sub.pitch * y, sub.row_size);
            at += size;
        }
}

int aerogpu_replay_contents(struct aerogpu_dump *dump, uint32_t number, uint64_t offset,
                            size_t length, const struct cancel *cancel, struct blob **out)
{
    const struct aerogpu_object *object = NULL;
    struct range range = {offset, offset + length, NULL};
    int status = take_cpu(dump, aerogpu_dump_scanned(dump)->lives[number].end, cancel);

    if (status != 0)
        return status;
    object = object_of(dump, number);
    status = object == NULL || range.end > aerogpu_replay_contents_size(object)
                 ? -EIO
                 : blob_create(length, out);
    if (status == 0)
        range.to = (*out)->data;
    if (status == 0 && object->kind == AEROGPU_OBJECT_TEXTURE)
        copy_tight(object, aerogpu_cpu_replay_contents(object), &range);
    else if (status == 0 && length > 0)
        memcpy(range.to, aerogpu_cpu_replay_contents(object) + offset, length);
    cancellable_mutex_unlock(&dump->replay->cpu_mutex);
    return status;
}

int aerogpu_replay_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *wanted,
                         uint64_t tick, uint64_t offset, size_t length, const struct cancel *cancel,
                         uint8_t *to)
{
    const struct aerogpu_object *object = NULL;
    const struct aerogpu_machine *machine = NULL;
    int status = take_cpu(dump, tick, cancel);

    if (status != 0)
        return status;
    machine = aerogpu_cpu_replay_machine(dump->replay->cpu);
    object =
        aerogpu_objects_alive(&machine->objects, wanted->space, wanted->handle, wanted->number);
    if (object == NULL || !bytes_inside(offset, length, aerogpu_object_size(object)))
        status = -EIO;
    else if (length > 0)
        memcpy(to, aerogpu_cpu_replay_contents(object) + offset, length);
    cancellable_mutex_unlock(&dump->replay->cpu_mutex);
    return status;
}

int aerogpu_replay_enter(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                         const struct aerogpu_machine **out)
{
    struct aerogpu_replay *replay = dump->replay;
    int status = cancellable_mutex_lock(&replay->state_mutex, cancel);

    if (status != 0)
        return status;
    status = aerogpu_replay_go_on(dump, tick, cancel);
    if (status == 0)
        *out = aerogpu_cpu_replay_machine(replay->state);
    return status;
}

int aerogpu_replay_go_on(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel)
{
    int status = seek(dump, &dump->replay->state, false, tick, cancel);

    if (status != 0)
        cancellable_mutex_unlock(&dump->replay->state_mutex);
    return status;
}

const struct aerogpu_player *aerogpu_replay_player(const struct aerogpu_dump *dump)
{
    return aerogpu_cpu_replay_player(dump->replay->state);
}

void aerogpu_replay_leave(struct aerogpu_dump *dump)
{
    cancellable_mutex_unlock(&dump->replay->state_mutex);
}
