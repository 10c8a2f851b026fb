/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/open.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens a trace with a cache of `cache` bytes; 0 means the default. */
static int try_with(const char *path, uint64_t cache, struct apitrace_opened *out)
{
    struct source_params source = {0};
    int status;

    *out = (struct apitrace_opened){0};
    assert_int_equal(format_options_init(&out->options), 0);
    out->options.index_cache = OPTIONS_DROP; /* a test must not depend on what another opened */
    if (cache > 0)
        out->options.cache = cache;
    out->options.max_seconds = 0; /* processor time means nothing under emulation */
    status = format_open(path, &out->options, &source, &out->message, &out->dump);
    return status == 0 ? format_tree(&out->dump, 0, &out->tree) : status;
}

int apitrace_try(const char *path, struct apitrace_opened *out)
{
    return try_with(path, 0, out);
}

void apitrace_open(const char *path, struct apitrace_opened *out)
{
    apitrace_open_within(path, 0, out);
}

void apitrace_open_within(const char *path, uint64_t cache, struct apitrace_opened *out)
{
    if (try_with(path, cache, out) != 0)
        fail_msg("%s: %.*s", path, (int)out->message.length, out->message.bytes);
    assert_string_equal(out->dump.format->name, "apitrace");
}

void apitrace_open_bytes(const void *bytes, size_t size, struct apitrace_opened *out)
{
    char *folder = support_folder();
    char *path = support_path(folder, "x.trace");

    support_write(path, bytes, size);
    apitrace_open(path, out);
    free(path);
    support_remove(&folder);
}

void apitrace_close(struct apitrace_opened *opened)
{
    if (opened->tree != NULL)
        tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
}

const struct apitrace_index *apitrace_opened_index(const struct apitrace_opened *opened)
{
    struct dump *dump = tree_dump(opened->tree);

    assert_int_equal(dump->ops->settle(dump, NULL), 0);
    return apitrace_index_of(dump);
}

char *apitrace_all(const struct apitrace_opened *opened, const char *name, size_t *size)
{
    uint64_t frames = apitrace_opened_index(opened)->frame_count;
    char *all = malloc(1), path[64];

    *size = 0;
    for (uint64_t frame = 0; frame < frames; frame++) {
        size_t length = 0;
        char *text;

        snprintf(path, sizeof(path), "by-frame/%06llu/%s", (unsigned long long)frame, name);
        text = walk_read(opened->tree, path, &length);
        all = realloc(all, *size + length + 1);
        memcpy(all + *size, text, length);
        *size += length;
        free(text);
    }
    all[*size] = '\0';
    return all;
}

char *apitrace_problems(const struct apitrace_opened *opened)
{
    size_t size;

    return walk_read(opened->tree, "problems.txt", &size);
}
