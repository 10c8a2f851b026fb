/* SPDX-License-Identifier: MIT */
/* Containers: the input is opened as a file, whatever its format. */
#include "config.h"

#include "source/source.h"

#include <stdlib.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { EXPAND_MAX = 1 << 20 };

static void open_file(const char *path)
{
    struct source_params params = {.max_expand = EXPAND_MAX};
    struct problems *problems = NULL;
    struct source *source = NULL;
    uint8_t sum = 0;

    if (problems_create(&problems) < 0)
        return;
    if (source_open(path, &params, problems, &source) < 0)
        abort(); /* a file can be opened, whatever its bytes are */
    if (source->container != SOURCE_PLAIN && source->size > EXPAND_MAX)
        abort();
    for (uint64_t i = 0; i < source->size; i += 4096)
        sum ^= source->data[i];
    (void)sum;
    source_close(&source);
    problems_destroy(&problems);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[] = "/tmp/gpudumpfs-fuzz.XXXXXX";
    int fd = mkstemp(path);

    if (fd < 0)
        return 0;
    if (write(fd, data, size) == (ssize_t)size)
        open_file(path);
    close(fd);
    unlink(path);
    return 0;
}
