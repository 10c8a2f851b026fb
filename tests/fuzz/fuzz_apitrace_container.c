/* SPDX-License-Identifier: MIT */
/*
 * The containers of apitrace: a Snappy block expands to the same bytes whatever the size of the
 * buffer, and the stream of a file has the stated size and can be read from any position.
 */
#include "config.h"

#include "formats/apitrace/container/container.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 15, EXPAND_MAX = 1 << 18, MEMORY = 1 << 20 };

static void expect(bool true_here)
{
    if (!true_here)
        abort();
}

static void expand_block(const uint8_t *block, size_t size)
{
    static uint8_t large[ROOM];
    uint64_t length = 0;
    size_t head = 0, done;
    uint8_t *exact;
    bool whole, again;

    if (!apitrace_snappy_length(block, size, &length, &head))
        return;
    expect(head <= size);
    done = apitrace_snappy_expand(block, size, large, sizeof(large), &whole);
    expect(done <= sizeof(large) && done <= length);
    /* With room for one byte less, the result is a prefix. */
    exact = malloc(done > 0 ? done : 1);
    if (exact == NULL)
        return;
    if (done > 0) {
        expect(apitrace_snappy_expand(block, size, exact, done - 1, &again) == done - 1);
        expect(memcmp(exact, large, done - 1) == 0);
    }
    expect(apitrace_snappy_expand(block, size, exact, done, &again) == done);
    expect(memcmp(exact, large, done) == 0);
    free(exact);
}

static void read_stream(const struct apitrace_stream *stream)
{
    struct apitrace_stretch stretch;
    uint64_t position = 0;

    while (position < stream->size && apitrace_stream_get(stream, position, NULL, &stretch) == 0) {
        expect(stretch.begin <= position && position - stretch.begin < stretch.size);
        position = stretch.begin + stretch.size;
        blob_unref(&stretch.blob);
    }
    expect(position <= stream->size);
}

static void open_stream(const struct source *source, struct problems *problems)
{
    const struct source_params source_params = {.max_expand = EXPAND_MAX};
    const struct apitrace_stream_params params = {
        .source = &source_params, .max_memory = MEMORY, .problems = problems};
    struct apitrace_stream stream = {0};

    if (apitrace_stream_open(source, &params, &stream) == 0) {
        read_stream(&stream);
        (void)apitrace_stream_container(&stream);
        (void)apitrace_stream_version(&stream);
    }
    apitrace_stream_close(&stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.trace";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct problems *problems = NULL;

    expand_block(data, size);
    if (apitrace_stream_probe(&source) > 0 && problems_create(&problems) == 0)
        open_stream(&source, problems);
    problems_destroy(&problems);
    return 0;
}
