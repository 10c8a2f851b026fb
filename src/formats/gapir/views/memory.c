#include "formats/gapir/views/memory.h"

#include <errno.h>
#include <string.h>

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

/* Does not wait for the index: -EAGAIN before it is there. */
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

static int piece_of(struct dump *dump, uint64_t key, locate find, uint64_t offset, size_t length,
                    const struct cancel *cancel, struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct copying copying = {.length = length, .out = out};
    struct moment moment = {0};
    const struct gapir_index *index;
    int status = gapir_dump_index(gapir, cancel, &index);

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
