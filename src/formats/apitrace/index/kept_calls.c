/* SPDX-License-Identifier: MIT */
/*
 * Records of calls from one opening to the next: pages and marks, unchanged. The code that reads
 * records checks no bounds, so each record is checked when it is loaded: it must end within its
 * page, and its numbers must be small enough that nothing they are added to overflows.
 */
#include "formats/apitrace/index/call_pages.h"
#include "formats/apitrace/index/kept_index.h"

#include <errno.h>
#include <stdlib.h>

enum {
    NUMBER_MAX = 10, /* bytes of a varint */
    SHIFT_BITS = 34, /* of the difference between two calls' orders minus numbers, with its sign */
};

static const struct kept_field mark_fields[] = {
    KEPT_FIELD(struct apitrace_call_mark, place, UINT64_MAX),
    KEPT_FIELD(struct apitrace_call_mark, page, UINT32_MAX),
    KEPT_FIELD(struct apitrace_call_mark, offset, APITRACE_PAGE_BYTES),
};

static const struct kept_field late_fields[] = {
    KEPT_FIELD(struct apitrace_late, leave, UINT64_MAX),
    KEPT_FIELD(struct apitrace_late, leave_bytes, UINT64_MAX),
    KEPT_FIELD(struct apitrace_late, order, UINT64_MAX),
    KEPT_FIELD(struct apitrace_late, number, UINT32_MAX),
    KEPT_FIELD(struct apitrace_late, thread, UINT32_MAX),
    KEPT_FIELD(struct apitrace_late, marks,
               APITRACE_HIDDEN | APITRACE_FAKE | APITRACE_INCOMPLETE | APITRACE_CUT),
};

void apitrace_calls_keep(const struct apitrace_calls *calls, struct kept_writer *writer)
{
    kept_write_number(writer, calls->count);
    kept_write_number(writer, calls->page_count);
    kept_write_number(writer, calls->late_count);
    for (uint64_t n = 0; n < calls->page_count; n++) {
        kept_write_number(writer, calls->pages[n]->used);
        kept_write(writer, calls->pages[n]->bytes, calls->pages[n]->used);
    }
    kept_write_rows(writer, calls->marks, sizeof(*calls->marks), calls->mark_count,
                    KEPT_FIELDS(mark_fields));
    kept_write_rows(writer, calls->late, sizeof(*calls->late), calls->late_count,
                    KEPT_FIELDS(late_fields));
}

/* Allocates an array of `count` elements; NULL if it is refused. */
static void *make_array(struct apitrace_calls *calls, uint64_t count, size_t size,
                        struct kept_reader *reader)
{
    void *array = kept_read_array(reader, count, size);

    if (array != NULL)
        calls->memory.taken += (count + 1) * size;
    return array;
}

static void read_page(struct apitrace_calls *calls, uint64_t max_memory, struct kept_reader *reader)
{
    struct apitrace_call_page *page = NULL;
    uint64_t used = kept_read_number(reader, APITRACE_PAGE_BYTES);

    if (calls->memory.taken >= max_memory)
        kept_reader_refuse(reader);
    if (reader->status != 0)
        return;
    page = malloc(sizeof(*page));
    if (page == NULL) {
        kept_reader_fail(reader, -ENOMEM);
        return;
    }
    calls->memory.taken += sizeof(*page);
    calls->pages[calls->page_count++] = page;
    page->used = (uint32_t)used;
    kept_read(reader, page->bytes, (size_t)used);
}

static bool skip_number(const uint8_t **at, const uint8_t *end, uint64_t max)
{
    uint64_t value = 0;

    for (unsigned n = 0; n < NUMBER_MAX && *at < end; n++) {
        uint8_t byte = *(*at)++;

        value |= (uint64_t)(byte & 0x7F) << 7 * n;
        if (byte < 0x80)
            return value <= max;
    }
    return false;
}

/* Skips a record. Returns false if it does not end in the page, or a number is too large. */
static bool skip_record(const uint8_t **at, const uint8_t *end)
{
    unsigned flags, leave, rest;

    if (*at >= end)
        return false;
    flags = *(*at)++;
    leave = flags & FLAG_LEAVE;
    rest = 2U + (leave == LEAVE_NEXT) + 2U * (leave == LEAVE_APART);
    if ((flags & FLAG_PLACE && !skip_number(at, end, UINT64_MAX)) ||
        (flags & FLAG_THREAD && !skip_number(at, end, UINT32_MAX)) ||
        (flags & FLAG_ORDER && !skip_number(at, end, UINT64_C(1) << SHIFT_BITS)))
        return false;
    while (rest > 0 && skip_number(at, end, UINT64_MAX))
        rest--;
    return rest == 0;
}

static bool is_block(const struct apitrace_calls *calls, uint64_t block)
{
    const struct apitrace_call_mark *mark = &calls->marks[block];
    uint64_t left = calls->count - block * APITRACE_BLOCK;
    const struct apitrace_call_page *page;
    const uint8_t *at;

    if (mark->page >= calls->page_count)
        return false;
    page = calls->pages[mark->page];
    if (mark->offset > page->used)
        return false;
    at = page->bytes + mark->offset;
    for (left = left < APITRACE_BLOCK ? left : APITRACE_BLOCK; left > 0; left--)
        if (!skip_record(&at, page->bytes + page->used))
            return false;
    return true;
}

/* Late calls must be in order; all of them have ended. */
static void take_late(struct apitrace_calls *calls, struct kept_reader *reader)
{
    for (uint64_t n = 0; n < calls->late_count; n++) {
        calls->late[n].known = true;
        if (calls->late[n].number >= calls->count ||
            (n > 0 && calls->late[n].number <= calls->late[n - 1].number))
            kept_reader_refuse(reader);
    }
}

void apitrace_calls_restore(struct apitrace_calls *calls, uint64_t max_memory,
                            struct kept_reader *reader)
{
    uint64_t pages, blocks;

    calls->count = kept_read_number(reader, UINT32_MAX);
    pages = kept_read_number(reader, calls->count); /* each page has at least a block */
    calls->late_count = kept_read_number(reader, calls->count);
    blocks = (calls->count + APITRACE_BLOCK - 1) / APITRACE_BLOCK;
    calls->pages = make_array(calls, pages, sizeof(struct apitrace_call_page *), reader);
    calls->marks = make_array(calls, blocks, sizeof(*calls->marks), reader);
    calls->late = make_array(calls, calls->late_count, sizeof(*calls->late), reader);
    if (reader->status != 0)
        return;
    calls->page_room = pages + 1;
    calls->mark_room = (calls->mark_count = blocks) + 1;
    calls->late_room = calls->late_count + 1;
    for (uint64_t n = 0; n < pages && reader->status == 0; n++)
        read_page(calls, max_memory, reader);
    kept_read_rows(reader, calls->marks, sizeof(*calls->marks), blocks, KEPT_FIELDS(mark_fields));
    kept_read_rows(reader, calls->late, sizeof(*calls->late), calls->late_count,
                   KEPT_FIELDS(late_fields));
    take_late(calls, reader);
    for (uint64_t n = 0; n < blocks && reader->status == 0; n++)
        if (!is_block(calls, n))
            kept_reader_refuse(reader);
}
