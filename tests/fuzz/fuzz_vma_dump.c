/* SPDX-License-Identifier: MIT */
/* Recordings of VMA calls: the input is a dump; its tree is walked and some files are read. */
#include "config.h"

#include "tests/fuzz/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_INPUT = 8 * 1024, MEMORY = 16 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.csv";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct options options;

    if (size > MAX_INPUT || format_options_init(&options) < 0)
        return 0;
    options.max_memory = MEMORY;
    fuzz_dump(&source, &options, false);
    options_clear(&options);
    return 0;
}
