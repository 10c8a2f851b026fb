/* SPDX-License-Identifier: MIT */
/*
 * AeroGPU traces: the input is a trace; its tree is walked and some files are read. There is no
 * graphics worker; workers have fuzz targets of their own.
 */
#include "config.h"

#include "tests/fuzz/tree.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.aerogputrace";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct options options;

    setenv("GPUDUMPFS_GLWORKER", "/nonexistent", 1);
    if (format_options_init(&options) < 0)
        return 0;
    options.max_memory = MEMORY;
    fuzz_dump(&source, &options, true);
    options_clear(&options);
    return 0;
}
