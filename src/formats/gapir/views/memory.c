#include "formats/gapir/views/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int borrow(const uint8_t *data, uint64_t size, struct blob **out)
{
    return blob_borrow(size != 0 ? data : NULL, size, out);
}

/* Slices. */

int gapir_constants_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    *size = gapir_dump_of(dump)->replay->payload.constants.size;
    return 0;
}

int gapir_constants_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                         struct blob **out)
{
    const struct gapir_slice *constants = &gapir_dump_of(dump)->replay->payload.constants;

    (void)key, (void)cancel;
    return borrow(constants->data, constants->size, out);
}

static const struct gapir_resource *resource_of(struct dump *dump, uint64_t key)
{
    const struct gapir_replay *replay = gapir_dump_of(dump)->replay;

    return key < replay->payload.resource_count ? &replay->resources[key] : NULL;
}

int gapir_resource_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    const struct gapir_resource *resource = resource_of(dump, key);

    if (resource == NULL)
        return -ENOENT;
    *size = resource->size;
    return 0;
}

int gapir_resource_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    const struct gapir_resource *resource = resource_of(dump, key);

    (void)cancel;
    if (resource == NULL)
        return -ENOENT;
    if (resource->status != GAPIR_RESOURCE_OK)
        return -EIO;
    return borrow(resource->data, resource->size, out);
}

const struct gapir_inline_site *gapir_inline_at(const struct gapir_scan *scan, uint64_t pc)
{
    uint32_t low = 0, high = scan->inline_count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (scan->inlines[middle].pc == pc)
            return &scan->inlines[middle];
        if (scan->inlines[middle].pc < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static int find_inline(struct dump *dump, uint64_t pc, struct gapir_inline *out)
{
    const struct gapir_scan *scan = &gapir_dump_of(dump)->replay->scan;
    const struct gapir_inline_site *site = gapir_inline_at(scan, pc);

    return site != NULL && gapir_decode_inline(&scan->code, site->pc, out) ? 0 : -ENOENT;
}

int gapir_inline_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct gapir_inline parts;
    int status = find_inline(dump, key, &parts);

    *size = status == 0 ? parts.bytes : 0;
    return status;
}

int gapir_inline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    const struct gapir_code *code = &gapir_dump_of(dump)->replay->scan.code;
    struct gapir_inline parts;
    int status = find_inline(dump, key, &parts);

    (void)cancel;
    return status == 0 ? borrow(code->words + (uint64_t)parts.data * 4, parts.bytes, out) : status;
}

/*
 * What a run leaves. Questions about sizes do not wait for the index: they answer
 * -EAGAIN before it is there.
 */

/* A file of bytes in memory after some steps. */
struct moment {
    uint64_t steps;
    struct gapir_extent begin; /* all but its size, which may be more than an extent's */
    uint64_t size;
};

typedef int (*locate)(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                      struct moment *out);

static int post_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                   struct moment *out)
{
    (void)dump;
    if (key >= index->post_count)
        return -ENOENT;
    const struct gapir_post_record *post = &index->posts[key];
    *out = (struct moment){post->site.steps, post->bytes, post->bytes.size};
    return 0;
}

static int notification_at(const struct gapir_dump *dump, const struct gapir_index *index,
                           uint64_t key, struct moment *out)
{
    (void)dump;
    if (key >= index->notification_count)
        return -ENOENT;
    const struct gapir_notification_record *record = &index->notifications[key];
    *out = (struct moment){record->site.steps, record->bytes, record->bytes.size};
    return 0;
}

static int window_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                     struct moment *out)
{
    const struct gapir_extent begin = {.region = GAPIR_WINDOW, .window = (uint32_t)key};

    (void)dump;
    if (key >= index->window_count)
        return -ENOENT;
    *out = (struct moment){index->end.steps, begin, index->windows[key].size};
    return 0;
}

static void memory_after(const struct gapir_dump *dump, uint64_t steps, struct moment *out)
{
    const struct gapir_extent begin = {.region = GAPIR_VOLATILE};

    *out = (struct moment){steps, begin, dump->replay->payload.volatile_size};
}

static int memory_at(const struct gapir_dump *dump, const struct gapir_index *index, uint64_t key,
                     struct moment *out)
{
    if (key >= dump->replay->scan.packet_count || index->visits[key].left == 0)
        return -ENOENT;
    memory_after(dump, index->visits[key].left, out);
    return 0;
}

static int memory_end_at(const struct gapir_dump *dump, const struct gapir_index *index,
                         uint64_t key, struct moment *out)
{
    (void)key;
    memory_after(dump, index->end.steps, out);
    return 0;
}

static int frame_memory_at(const struct gapir_dump *dump, const struct gapir_index *index,
                           uint64_t key, struct moment *out)
{
    if (key >= index->frame_count)
        return -ENOENT;
    memory_after(dump, index->frames[key].site.steps, out);
    return 0;
}

static int size_of(struct dump *dump, uint64_t key, locate find, uint64_t *size)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_index *index = gapir_dump_peek(gapir);
    struct moment moment = {0};
    int status = index != NULL ? find(gapir, index, key, &moment) : -EAGAIN;

    *size = moment.size;
    return status;
}

/* What is copied of a instance's memory. */
struct copying {
    struct gapir_extent from;
    size_t length;
    struct blob **out;
};

static int copy_bytes(void *context, const struct gapir_vm_instance *instance)
{
    const struct copying *copying = context;
    const uint8_t *data = gapir_vm_instance_bytes(instance, &copying->from);
    int status = data != NULL ? blob_create(copying->length, copying->out) : -EIO;

    if (status == 0)
        memcpy((*copying->out)->data, data, copying->length);
    return status;
}

/* Most often a run waits where the last piece left it. */
static int copy_at(struct gapir_dump *dump, uint64_t steps, struct copying *copying,
                   const struct cancel *cancel)
{
    struct gapir_vm_instance *instance = NULL;
    int status = gapir_vm_pool_look(dump->pool, steps, copy_bytes, copying);

    if (status != -ENOENT)
        return status;
    status = gapir_dump_take_vm(dump, steps, cancel, &instance);
    if (status == 0)
        status = copy_bytes(copying, instance);
    gapir_vm_pool_park(dump->pool, &instance);
    return status;
}

static const struct gapir_index *wait_index(struct dump *dump, const struct cancel *cancel,
                                            int *status)
{
    const struct gapir_index *index;

    *status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);
    return index;
}

static int piece_of(struct dump *dump, uint64_t key, locate find, uint64_t offset, size_t length,
                    const struct cancel *cancel, struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct copying copying = {.length = length, .out = out};
    struct moment moment = {0};
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (status == 0)
        status = find(gapir, index, key, &moment);
    if (status != 0)
        return status;
    copying.from = moment.begin;
    copying.from.offset += offset;
    return copy_at(gapir, moment.steps, &copying, cancel);
}

#define LEFT_BY_A_RUN(name)                                                                        \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size)                       \
    {                                                                                              \
        return size_of(dump, key, name##_at, size);                                                \
    }                                                                                              \
                                                                                                   \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)                       \
    {                                                                                              \
        return piece_of(dump, key, name##_at, offset, length, cancel, out);                        \
    }

LEFT_BY_A_RUN(post)
LEFT_BY_A_RUN(notification)
LEFT_BY_A_RUN(window)
LEFT_BY_A_RUN(memory)
LEFT_BY_A_RUN(memory_end)
LEFT_BY_A_RUN(frame_memory)

/* Pictures. */

bool gapir_frame_header(const struct gapir_index *index, uint32_t frame, struct picture_header *out)
{
    uint32_t post = index->frames[frame].post;

    if (post == GAPIR_NO_POST)
        return false;
    const struct gapir_framebuffer_shape *shape = &index->posts[post].shape;
    *out = (struct picture_header){
        .width = shape->width, .height = shape->height, .colour = shape->format->look};
    return picture_size(out) != 0;
}

static const uint8_t *row_of(const struct gapir_framebuffer_shape *shape, const uint8_t *post,
                             uint32_t y)
{
    uint32_t row = shape->bottom_up ? shape->height - 1 - y : y;

    return post + shape->offset + (uint64_t)row * shape->stride;
}

/* A post's bytes, as a picture's rows. */
struct painting {
    const struct gapir_framebuffer_shape *shape;
    const uint8_t *post;
};

static void paint_row(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct painting *painting = context;
    const struct gapir_framebuffer_shape *shape = painting->shape;

    gapir_format_row(shape->format, row_of(shape, painting->post, y), shape->width, pixels);
}

int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct gapir_vm_instance *instance = NULL;
    struct dump_picture picture;
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (status == 0)
        status = dump_picture_header(dump, frame, &picture);
    if (status != 0)
        return status;
    const struct gapir_post_record *post = &index->posts[index->frames[frame].post];
    status = gapir_dump_take_vm(gapir, post->site.steps, cancel, &instance);
    if (status != 0)
        return status;
    const uint8_t *bytes = gapir_vm_instance_bytes(instance, &post->bytes);
    const struct painting painting = {.shape = &post->shape, .post = bytes};
    status = bytes == NULL ? -EIO
                           : picture_write(&picture.header, dump->options->png, paint_row,
                                           &painting, cancel, out);
    gapir_vm_pool_park(gapir->pool, &instance);
    return status;
}
