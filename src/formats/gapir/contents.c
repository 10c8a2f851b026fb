#include "formats/gapir/contents.h"

#include "tree/tree.h"

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
    if (resource->size != 0 &&
        source_touch(gapir_dump_of(dump)->data_file, resource->data, resource->size) != 0)
        return gapir_dump_check(gapir_dump_of(dump));
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

/* What no open file can hold is refused before memory is taken for it. */
static int check_size(struct gapir_dump *dump, uint64_t size)
{
    uint64_t most;

    if (__builtin_add_overflow(dump->base.options->cache, TREE_OVERDRAFT, &most) || size <= most)
        return 0;
    problems_add(dump->base.problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "files of %llu bytes do not fit into memory: read them with a larger -o cache",
                 (unsigned long long)size);
    return -EIO;
}

/* A copy of an extent after some steps. */
static int copy_extent(struct gapir_dump *dump, uint64_t steps, const struct gapir_extent *extent,
                       const struct cancel *cancel, struct blob **out)
{
    struct gapir_player *player = NULL;
    int status = check_size(dump, extent->size);

    if (status == 0)
        status = gapir_dump_play(dump, steps, cancel, &player);
    if (status != 0)
        return status;
    const uint8_t *data = gapir_player_bytes(player, extent);
    status = data != NULL ? blob_create(extent->size, out) : -EIO;
    if (status == 0 && extent->size != 0)
        memcpy((*out)->data, data, extent->size);
    gapir_players_park(dump->players, &player);
    return status;
}

static const struct gapir_index *wait_index(struct dump *dump, const struct cancel *cancel,
                                            int *status)
{
    const struct gapir_index *index;

    *status = gapir_dump_index(gapir_dump_of(dump), cancel, &index);
    return index;
}

static const struct gapir_index *peek_index(struct dump *dump, int *status)
{
    const struct gapir_index *index = gapir_dump_peek(gapir_dump_of(dump));

    *status = index != NULL ? 0 : -EAGAIN;
    return index;
}

int gapir_post_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    int status;
    const struct gapir_index *index = peek_index(dump, &status);

    if (index != NULL && key >= index->post_count)
        status = -ENOENT;
    if (status == 0)
        *size = index->posts[key].bytes.size;
    return status;
}

int gapir_post_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (index != NULL && key >= index->post_count)
        status = -ENOENT;
    if (status != 0)
        return status;
    const struct gapir_post_record *post = &index->posts[key];
    return copy_extent(gapir_dump_of(dump), post->site.steps, &post->bytes, cancel, out);
}

int gapir_notification_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    int status;
    const struct gapir_index *index = peek_index(dump, &status);

    if (index != NULL && key >= index->notification_count)
        status = -ENOENT;
    if (status == 0)
        *size = index->notifications[key].bytes.size;
    return status;
}

int gapir_notification_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (index != NULL && key >= index->notification_count)
        status = -ENOENT;
    if (status != 0)
        return status;
    const struct gapir_notification_record *record = &index->notifications[key];
    return copy_extent(gapir_dump_of(dump), record->site.steps, &record->bytes, cancel, out);
}

int gapir_window_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    int status;
    const struct gapir_index *index = peek_index(dump, &status);

    if (index != NULL && key >= index->window_count)
        status = -ENOENT;
    if (status == 0)
        *size = index->windows[key].size;
    return status;
}

/* Windows may be larger than an extent says. */
int gapir_window_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct gapir_player *player = NULL;
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (index != NULL && key >= index->window_count)
        status = -ENOENT;
    if (status == 0)
        status = check_size(gapir, index->windows[key].size);
    if (status == 0)
        status = gapir_dump_play(gapir, index->end.steps, cancel, &player);
    if (status != 0)
        return status;
    const struct gapir_window *window = &index->windows[key];
    const struct gapir_extent begin = {.region = GAPIR_WINDOW, .window = (uint32_t)key};
    const uint8_t *data = gapir_player_bytes(player, &begin);
    status = data != NULL || window->size == 0 ? blob_create(window->size, out) : -EIO;
    if (status == 0 && window->size != 0)
        memcpy((*out)->data, data, window->size);
    gapir_players_park(gapir->players, &player);
    return status;
}

static int memory_size(struct dump *dump, uint64_t *size)
{
    *size = gapir_dump_of(dump)->replay->payload.volatile_size;
    return 0;
}

static int copy_memory(struct dump *dump, uint64_t steps, const struct cancel *cancel,
                       struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    const struct gapir_extent all = {.region = GAPIR_VOLATILE,
                                     .size = gapir->replay->payload.volatile_size};

    return copy_extent(gapir, steps, &all, cancel, out);
}

int gapir_memory_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    return memory_size(dump, size);
}

int gapir_memory_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (status != 0)
        return status;
    if (key >= gapir_dump_of(dump)->replay->scan.packet_count || index->visits[key].left == 0)
        return -ENOENT;
    return copy_memory(dump, index->visits[key].left, cancel, out);
}

int gapir_memory_end_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    return memory_size(dump, size);
}

int gapir_memory_end_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    (void)key;
    return status == 0 ? copy_memory(dump, index->end.steps, cancel, out) : status;
}

int gapir_frame_memory_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    (void)key;
    return memory_size(dump, size);
}

int gapir_frame_memory_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (status != 0)
        return status;
    return key < index->frame_count ? copy_memory(dump, index->frames[key].site.steps, cancel, out)
                                    : -ENOENT;
}

/* Pictures. */

bool gapir_frame_header(const struct gapir_index *index, uint32_t frame, struct picture_header *out)
{
    uint32_t post = index->frames[frame].post;

    if (post == GAPIR_NO_POST)
        return false;
    const struct gapir_shape *shape = &index->posts[post].shape;
    *out = (struct picture_header){
        .width = shape->width, .height = shape->height, .colour = shape->format->look};
    return picture_size(out) != 0;
}

static const uint8_t *row_of(const struct gapir_shape *shape, const uint8_t *post, uint32_t y)
{
    uint32_t row = shape->bottom_up ? shape->height - 1 - y : y;

    return post + shape->offset + (uint64_t)row * shape->stride;
}

/* A post's bytes, as a picture's rows. */
struct painting {
    const struct gapir_shape *shape;
    const uint8_t *post;
};

static void paint_row(const void *context, uint32_t y, uint8_t *pixels)
{
    const struct painting *painting = context;
    const struct gapir_shape *shape = painting->shape;

    gapir_format_row(shape->format, row_of(shape, painting->post, y), shape->width, pixels);
}

int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct gapir_player *player = NULL;
    struct dump_picture picture;
    int status;
    const struct gapir_index *index = wait_index(dump, cancel, &status);

    if (status == 0)
        status = dump_picture_header(dump, frame, &picture);
    if (status == 0)
        status = check_size(gapir, picture_size(&picture.header));
    if (status != 0)
        return status;
    const struct gapir_post_record *post = &index->posts[index->frames[frame].post];
    status = gapir_dump_play(gapir, post->site.steps, cancel, &player);
    if (status != 0)
        return status;
    const uint8_t *bytes = gapir_player_bytes(player, &post->bytes);
    const struct painting painting = {.shape = &post->shape, .post = bytes};
    status = bytes == NULL ? -EIO
                           : picture_write(&picture.header, dump->options->png, paint_row,
                                           &painting, cancel, out);
    gapir_players_park(gapir->players, &player);
    return status;
}
