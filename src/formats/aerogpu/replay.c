#include "formats/aerogpu/replay.h"

#include "formats/aerogpu/colour.h"
#include "formats/aerogpu/soft.h"
#include "formats/aerogpu/texels.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum { RGBA = 4, GREY16 = 2 };

/* What one asker at a time has. */
struct turn {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool taken;
};

struct aerogpu_replay {
    struct turn soft_turn, walker_turn;
    struct aerogpu_soft *soft;   /* with contents; made at the first need */
    struct aerogpu_soft *walker; /* without */
};

static void turn_init(struct turn *turn)
{
    pthread_mutex_init(&turn->lock, NULL);
    pthread_cond_init(&turn->changed, NULL);
    turn->taken = false;
}

static void turn_destroy(struct turn *turn)
{
    pthread_cond_destroy(&turn->changed);
    pthread_mutex_destroy(&turn->lock);
}

static int turn_take(struct turn *turn, const struct cancel *cancel)
{
    int status = 0;

    pthread_mutex_lock(&turn->lock);
    while (turn->taken && status == 0) {
        aerogpu_wait_a_little(&turn->changed, &turn->lock);
        if (cancel_requested(cancel))
            status = -EINTR;
    }
    if (status == 0)
        turn->taken = true;
    pthread_mutex_unlock(&turn->lock);
    return status;
}

static void turn_give(struct turn *turn)
{
    pthread_mutex_lock(&turn->lock);
    turn->taken = false;
    pthread_cond_signal(&turn->changed);
    pthread_mutex_unlock(&turn->lock);
}

int aerogpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_replay **out)
{
    struct aerogpu_replay *replay = calloc(1, sizeof(*replay));

    (void)dump;
    if (replay == NULL)
        return -ENOMEM;
    turn_init(&replay->soft_turn);
    turn_init(&replay->walker_turn);
    *out = replay;
    return 0;
}

void aerogpu_replay_destroy(struct aerogpu_replay **replay)
{
    if (*replay == NULL)
        return;
    aerogpu_soft_destroy(&(*replay)->soft);
    aerogpu_soft_destroy(&(*replay)->walker);
    turn_destroy(&(*replay)->soft_turn);
    turn_destroy(&(*replay)->walker_turn);
    free(*replay);
    *replay = NULL;
}

/* The replay `*soft` at `tick`, its turn being taken. */
static int seek(struct aerogpu_dump *dump, struct aerogpu_soft **soft, bool contents, uint64_t tick,
                const struct cancel *cancel)
{
    int status = 0;

    if (*soft == NULL)
        status = aerogpu_soft_create(&dump->index, &dump->limits, contents, soft);
    return status == 0 ? aerogpu_soft_seek(*soft, tick, cancel) : status;
}

static int take_soft(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel)
{
    struct aerogpu_replay *replay = dump->replay;
    int status = turn_take(&replay->soft_turn, cancel);

    if (status != 0)
        return status;
    status = seek(dump, &replay->soft, true, tick, cancel);
    if (status != 0)
        turn_give(&replay->soft_turn);
    return status;
}

/* The object of a life, in the CPU's replay. */
static struct aerogpu_object *object_of(const struct aerogpu_dump *dump, uint32_t life)
{
    const struct aerogpu_machine *machine = aerogpu_soft_machine(dump->replay->soft);
    const struct aerogpu_object *object = &dump->scan.lives[life].object;

    return aerogpu_objects_alive(&machine->objects, object->space, object->handle, life);
}

/* Where a shot's texels are; false: they are gone, which the scan would know. */
static bool find_shot(const struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
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
    *texels = aerogpu_soft_target(dump->replay->soft, &target, pitch);
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

/* A depth texture that is shown as a picture is grey. */
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

static int refuse_drawn(struct aerogpu_dump *dump)
{
    problems_add(dump->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "pictures that shaders draw cannot be made: this program has no graphics worker");
    return -EIO;
}

int aerogpu_replay_shot(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                        const struct cancel *cancel, struct aerogpu_pixels *out)
{
    const uint8_t *texels = NULL;
    uint32_t pitch = 0;
    int status = 0;

    *out = (struct aerogpu_pixels){0};
    if (shot->drawn)
        return refuse_drawn(dump);
    status = take_soft(dump, shot->tick, cancel);
    if (status != 0)
        return status;
    if (!find_shot(dump, shot, &texels, &pitch))
        status = -EIO;
    if (status == 0)
        status = make_pixels(shot, RGBA, out);
    if (status == 0)
        status = decode_shot(shot, texels, pitch, out->data);
    turn_give(&dump->replay->soft_turn);
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
        return refuse_drawn(dump);
    status = take_soft(dump, shot->tick, cancel);
    if (status != 0)
        return status;
    if (!find_shot(dump, shot, &texels, &pitch))
        status = -EIO;
    if (status == 0)
        status = make_pixels(shot, GREY16, out);
    if (status == 0)
        write_depth(shot, texels, pitch, out->data);
    turn_give(&dump->replay->soft_turn);
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

/* Without the padding of mip 0. */
static void write_tight(const struct aerogpu_object *object, const uint8_t *contents, uint8_t *to)
{
    struct aerogpu_subresource sub;

    for (uint32_t layer = 0; layer < object->shape.layers; layer++)
        for (uint32_t mip = 0; mip < object->shape.mips; mip++) {
            aerogpu_subresource(&object->shape, mip, layer, &sub);
            for (uint32_t y = 0; y < sub.rows; y++, to += sub.row_size)
                memcpy(to, contents + sub.offset + (size_t)sub.pitch * y, sub.row_size);
        }
}

int aerogpu_replay_contents(struct aerogpu_dump *dump, uint32_t number, const struct cancel *cancel,
                            struct blob **out)
{
    const struct aerogpu_life *life = &dump->scan.lives[number];
    const struct aerogpu_object *object = NULL;
    int status = 0;

    if (life->drawn)
        return refuse_drawn(dump);
    status = take_soft(dump, life->end, cancel);
    if (status != 0)
        return status;
    object = object_of(dump, number);
    status = object == NULL ? -EIO : blob_create(aerogpu_replay_contents_size(object), out);
    if (status == 0 && object->kind == AEROGPU_OBJECT_TEXTURE)
        write_tight(object, aerogpu_soft_contents(object), (*out)->data);
    else if (status == 0 && (*out)->size > 0)
        memcpy((*out)->data, aerogpu_soft_contents(object), (*out)->size);
    turn_give(&dump->replay->soft_turn);
    return status;
}

int aerogpu_replay_enter(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                         const struct aerogpu_machine **out)
{
    struct aerogpu_replay *replay = dump->replay;
    int status = turn_take(&replay->walker_turn, cancel);

    if (status != 0)
        return status;
    status = aerogpu_replay_go_on(dump, tick, cancel);
    if (status == 0)
        *out = aerogpu_soft_machine(replay->walker);
    return status;
}

int aerogpu_replay_go_on(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel)
{
    int status = seek(dump, &dump->replay->walker, false, tick, cancel);

    if (status != 0)
        turn_give(&dump->replay->walker_turn);
    return status;
}

void aerogpu_replay_leave(struct aerogpu_dump *dump)
{
    turn_give(&dump->replay->walker_turn);
}
