/* SPDX-License-Identifier: MIT */
/* GFXReconstruct captures: the input is a file; its tree is walked and some files are read. */
#include "config.h"

#include "tests/fuzz/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/fuzz.gfxr";
    struct source source = {.data = data, .size = size, .file_size = size, .path = path};
    struct options options;

    if (format_options_init(&options) < 0)
        return 0;
    fuzz_dump(&source, &options, true);
    options_clear(&options);
    return 0;
}
