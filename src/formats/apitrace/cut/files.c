/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a cut's file. A cursor that has made a piece is kept for the next one, so that a reader
 * that reads in order goes through the calls only once.
 */
#include "formats/apitrace/cut/files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_MAX = 4, IDLE_BYTES = 64 << 20 };

struct idle {
    struct instance_pool_item item; /* must be the first member */
    struct apitrace_cut_cursor *cursor;
};

/* The next bytes to read. */
struct wanted {
    const struct apitrace_cut *cut;
    uint64_t place; /* offset in the stream */
};

static struct idle *idle_of(const struct instance_pool_item *item)
{
    return (struct idle *)(uintptr_t)item;
}

static void destroy(struct instance_pool_item *item)
{
    struct idle *idle = idle_of(item);

    apitrace_cut_cursor_destroy(&idle->cursor);
    free(idle);
}

void apitrace_cut_files_init(struct apitrace_dump *dump)
{
    const struct instance_pool_params params = {.max_count = IDLE_MAX,
                                                .max_bytes = IDLE_BYTES,
                                                .destroy = destroy,
                                                .cache = &dump->base.cache};

    instance_pool_init(&dump->cut_cursors, &params);
}

/* Rates the cursors of the same cut: the nearest one before the place is best. */
static uint64_t rate(const void *context, const struct instance_pool_item *item)
{
    const struct wanted *wanted = context;
    const struct apitrace_cut_cursor *cursor = idle_of(item)->cursor;
    const struct apitrace_cut *cut = apitrace_cut_cursor_cut(cursor);
    uint64_t position = apitrace_cut_cursor_position(cursor);

    return cut->first == wanted->cut->first && cut->last == wanted->cut->last &&
                   position <= wanted->place
               ? position + 1
               : 0;
}

static int take(struct apitrace_dump *dump, const struct wanted *wanted, struct idle **out)
{
    struct instance_pool_item *item = instance_pool_take(&dump->cut_cursors, rate, wanted);
    int status;

    if (item != NULL) {
        *out = idle_of(item);
        return 0;
    }
    *out = calloc(1, sizeof(**out));
    status = *out != NULL ? apitrace_cut_cursor_create(wanted->cut, &(*out)->cursor) : -ENOMEM;
    if (status < 0)
        free(*out);
    return status;
}

static void give(struct apitrace_dump *dump, struct idle *idle, int status)
{
    if (status < 0) {
        destroy(&idle->item);
        return;
    }
    idle->item.bytes = sizeof(*idle) + apitrace_cut_cursor_memory(idle->cursor);
    instance_pool_give(&dump->cut_cursors, &idle->item);
}

/* Reads `size` bytes, which must be there. */
static int read_exactly(struct apitrace_cut_cursor *cursor, uint8_t *to, uint64_t size,
                        const struct cancel *cancel)
{
    int64_t read = apitrace_cut_cursor_read(cursor, to, size, cancel);

    if (read < 0)
        return (int)read;
    return (uint64_t)read == size ? 0 : -EIO;
}

/* The part of a file that is being made. */
struct window {
    uint8_t *bytes;
    uint64_t at, from, to; /* offsets in the file: of the next byte, and of the window */
};

static void pass(struct window *window, const uint8_t *bytes, size_t size)
{
    for (size_t n = 0; n < size; n++, window->at++)
        if (window->at >= window->from && window->at < window->to)
            window->bytes[window->at - window->from] = bytes[n];
}

/*
 * Reads the part of a block of `size` bytes that is inside the window. The cursor is at the first
 * byte of that part.
 */
static int pass_block(struct window *window, struct apitrace_cut_cursor *cursor, size_t size,
                      const struct cancel *cancel)
{
    uint64_t end = window->at + size, begin = window->at;
    int status = 0;

    if (begin < window->from)
        begin = window->from < end ? window->from : end;
    if (window->to < end)
        end = window->to > begin ? window->to : begin;
    if (end > begin)
        status = read_exactly(cursor, window->bytes + (begin - window->from), end - begin, cancel);
    window->at += size;
    return status;
}

static int fill(struct window *window, struct apitrace_cut_cursor *cursor, uint64_t stream,
                const struct cancel *cancel)
{
    uint64_t position = apitrace_cut_cursor_position(cursor);
    uint64_t done = position / APITRACE_CUT_BLOCK * APITRACE_CUT_BLOCK;
    int status = 0;

    pass(window, apitrace_cut_magic, APITRACE_CUT_MAGIC);
    window->at = apitrace_cut_file_size(done);
    while (status == 0 && done < stream && window->at < window->to) {
        size_t size =
            (size_t)(stream - done < APITRACE_CUT_BLOCK ? stream - done : APITRACE_CUT_BLOCK);
        uint8_t head[APITRACE_CUT_HEAD];

        pass(window, head, apitrace_cut_block_head(size, head));
        status = pass_block(window, cursor, size, cancel);
        done += size;
    }
    return status;
}

int apitrace_cut_file_read(struct apitrace_dump *dump, const struct apitrace_cut *cut,
                           uint64_t stream, uint64_t offset, size_t length,
                           const struct cancel *cancel, struct blob **out)
{
    const struct wanted wanted = {cut, apitrace_cut_file_place(stream, offset)};
    struct window window = {.from = offset, .to = offset + length};
    struct idle *idle = NULL;
    int status = blob_create(length, out);

    if (status < 0)
        return status;
    window.bytes = (*out)->data;
    status = take(dump, &wanted, &idle);
    if (status == 0) {
        status = read_exactly(idle->cursor, NULL,
                              wanted.place - apitrace_cut_cursor_position(idle->cursor), cancel);
        if (status == 0)
            status = fill(&window, idle->cursor, stream, cancel);
        give(dump, idle, status);
    }
    if (status < 0)
        blob_unref(out);
    return status;
}

/* Ranges, whose size need not be known in advance. */

static int write_block(const uint8_t *bytes, size_t size, dump_sink *sink, void *context)
{
    uint8_t head[APITRACE_CUT_HEAD];
    int status = sink(context, head, apitrace_cut_block_head(size, head));

    return status == 0 ? sink(context, bytes, size) : status;
}

static int write_blocks(const struct apitrace_cut *cut, const struct cancel *cancel,
                        dump_sink *sink, void *context)
{
    struct apitrace_cut_cursor *cursor = NULL;
    uint8_t *block = malloc(APITRACE_CUT_BLOCK);
    int64_t size = 1;
    int status = block != NULL ? apitrace_cut_cursor_create(cut, &cursor) : -ENOMEM;

    if (status == 0)
        status = sink(context, apitrace_cut_magic, APITRACE_CUT_MAGIC);
    while (status == 0 && size > 0) {
        size = apitrace_cut_cursor_read(cursor, block, APITRACE_CUT_BLOCK, cancel);
        status = size > 0 ? write_block(block, (size_t)size, sink, context) : (int)size;
    }
    apitrace_cut_cursor_destroy(&cursor);
    free(block);
    return status;
}

int apitrace_cut_range(struct dump *dump, uint64_t first, uint64_t last,
                       const struct cancel *cancel, dump_sink *sink, void *context)
{
    const struct apitrace_cuts *cuts;
    struct apitrace_cut cut;
    int status = apitrace_dump_cuts(dump, cancel, &cuts);

    if (status < 0)
        return status;
    if (first > last || last >= cuts->frame_count)
        return -ENOENT;
    apitrace_cut_init(&cut, cuts, first, last);
    return write_blocks(&cut, cancel, sink, context);
}
