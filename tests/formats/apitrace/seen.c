/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/script.h"
#include "tests/formats/apitrace/seen.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void seen_open(const char *script, struct seen *out)
{
    char *path;

    apitrace_need_graphics();
    out->folder = support_folder();
    path = support_path(out->folder, "seen.trace");
    apitrace_script(path, script);
    apitrace_open(path, &out->opened);
    free(path);
}

void seen_close(struct seen *seen)
{
    apitrace_close(&seen->opened);
    support_remove(&seen->folder);
}

char *seen_text(const struct seen *seen, unsigned draw, const char *name)
{
    char path[96];
    size_t size;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u%s", draw, name);
    return walk_read(seen->opened.tree, path, &size);
}

void seen_expect_middle(const struct seen *seen, unsigned draw, const char *name,
                        const char *wanted)
{
    unsigned width, height;
    char path[96], found[8];
    uint8_t *pixels, *at;

    snprintf(path, sizeof(path), "by-frame/000000/draws/%08u%s", draw, name);
    pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    at = pixels + 4 * ((size_t)(height / 2) * width + width / 2);
    snprintf(found, sizeof(found), "%02X%02X%02X", at[0], at[1], at[2]);
    assert_string_equal(found, wanted);
    free(pixels);
}

void seen_expect_halves(const struct seen *seen, const char *name, const char *wanted)
{
    unsigned width, height;
    char path[96], found[16];
    const uint8_t *left, *right;
    uint8_t *pixels;

    snprintf(path, sizeof(path), "by-frame/000000/%s", name);
    pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    left = pixels + 4 * ((size_t)5 * width + width / 4);
    right = left + (size_t)4 * (width / 2);
    snprintf(found, sizeof(found), "%02X%02X%02X %02X%02X%02X", left[0], left[1], left[2], right[0],
             right[1], right[2]);
    assert_string_equal(found, wanted);
    free(pixels);
}

void seen_expect_edge(const struct seen *seen, const char *path, bool wanted)
{
    static const uint8_t yellow[3] = {255, 255, 0};
    unsigned width, height, found = 0;
    uint8_t *pixels = apitrace_pixels(&seen->opened, path, &width, &height);
    const uint8_t *line = pixels + (size_t)4 * 5 * width;

    for (unsigned x = width / 2 - 1; x <= width / 2; x++)
        found += memcmp(line + (size_t)4 * x, yellow, 3) == 0;
    assert_int_equal(found > 0, wanted);
    assert_memory_not_equal(line + (size_t)4 * (width - 3), yellow, 3);
    free(pixels);
}
