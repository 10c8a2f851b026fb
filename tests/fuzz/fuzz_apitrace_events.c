/* SPDX-License-Identifier: MIT */
/*
 * The event stream of apitrace without a container: the index is built, and the calls are printed
 * in two ways.
 */
#include "config.h"

#include "formats/apitrace/views/print.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 1 << 20, CALLS_MAX = 256 };

static void print_calls(const struct apitrace_index *index)
{
    static const unsigned ways[] = {APITRACE_PRINT_LINES,
                                    APITRACE_PRINT_ONE_LINE | APITRACE_PRINT_THREADS};
    static struct text text = {.limit = 1 << 20};
    static struct apitrace_printer printer;

    apitrace_printer_init(&printer, index, NULL);
    text_reset(&text);
    apitrace_print_properties(index, ways[0], &text);
    for (unsigned way = 0; way < 2; way++)
        for (uint64_t number = 0; number < index->calls.count && number < CALLS_MAX; number++)
            (void)apitrace_print_call(&printer, number, ways[way], &text);
    apitrace_printer_clear(&printer);
}

static void check_index(const struct apitrace_index *index)
{
    uint64_t before = 0;

    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        if (index->frames[frame].first != before || index->frames[frame].end < before)
            abort();
        before = index->frames[frame].end;
    }
    for (uint64_t order = 0; order < index->listed && order < CALLS_MAX; order++)
        if (apitrace_index_listed(index, order) >= index->calls.count)
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.trace";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    const struct source_params source_params = {0};
    struct apitrace_index_params params = {
        .source = &source, .source_params = &source_params, .max_memory = MEMORY, .threads = 1};
    struct apitrace_index index;

    /* a first byte larger than all versions would be that of a container or of no trace */
    if (size == 0 || data[0] > APITRACE_VERSION_MAX || problems_create(&params.problems) < 0)
        return 0;
    if (apitrace_index_open(&params, &index) == 0) {
        check_index(&index);
        print_calls(&index);
    }
    apitrace_index_clear(&index);
    problems_destroy(&params.problems);
    return 0;
}
