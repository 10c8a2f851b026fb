/* SPDX-License-Identifier: MIT */
/*
 * The reader of libpsxgpudump, and its writer: packets that were read, written and read again are
 * the same. The first byte gives the number of bytes, less one, that the origin returns at a time.
 */
#include "lib/psxgpudump.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BYTES_MAX = 1 << 14, WORDS = 64 };

struct bytes {
    const uint8_t *at;
    size_t left, step;
};

struct copy {
    uint8_t bytes[4 * BYTES_MAX];
    size_t size;
};

static int give(void *context, void *bytes, size_t size)
{
    struct bytes *from = context;
    size_t n = size < from->step ? size : from->step;

    n = n < from->left ? n : from->left;
    memcpy(bytes, from->at, n);
    from->at += n;
    from->left -= n;
    return (int)n;
}

static int take(void *context, const void *bytes, size_t size)
{
    struct copy *copy = context;

    if (size > sizeof(copy->bytes) - copy->size)
        abort();
    if (size > 0)
        memcpy(copy->bytes + copy->size, bytes, size);
    copy->size += size;
    return 0;
}

/* Copies complete packets only, as a filter does. */
static void filter(struct psxgpudump_reader *reader, struct copy *copy)
{
    static uint32_t words[BYTES_MAX / 4 + 1];
    struct psxgpudump_packet packet;
    struct psxgpudump_writer writer;

    psxgpudump_writer_init(&writer, take, copy);
    while (psxgpudump_reader_next(reader, &packet) > 0) {
        size_t done = 0;
        int n;

        if (packet.words > BYTES_MAX / 4)
            continue;
        while ((n = psxgpudump_reader_words(reader, words + done, packet.words - done)) > 0)
            done += (size_t)n;
        if (n == 0 && done != packet.words)
            abort();
        if (n == 0)
            psxgpudump_writer_packet(&writer, packet.type, words, done);
    }
    if (psxgpudump_writer_flush(&writer) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct copy first, second;
    struct psxgpudump_reader reader;
    struct bytes from;

    if (size == 0 || size > BYTES_MAX)
        return 0;
    from = (struct bytes){data + 1, size - 1, data[0] + (size_t)1};
    if (data[0] == 'P') /* the input is a dump from its first byte on */
        from = (struct bytes){data, size, 3};
    psxgpudump_reader_init(&reader, give, &from);
    if (reader.status < 0)
        return 0;
    first.size = second.size = 0;
    filter(&reader, &first);
    from = (struct bytes){first.bytes, first.size, WORDS};
    psxgpudump_reader_init(&reader, give, &from);
    filter(&reader, &second);
    if (reader.status != 0 || first.size != second.size ||
        memcmp(first.bytes, second.bytes, first.size) != 0)
        abort();
    return 0;
}
