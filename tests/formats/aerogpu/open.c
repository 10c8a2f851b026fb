/* SPDX-License-Identifier: MIT */
#include "tests/formats/aerogpu/open.h"

#include "formats/aerogpu/replay/worker_session.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void opened_path(struct opened *opened, const char *path)
{
    struct source_params params = {.max_expand = UINT64_C(1) << 32};

    opened->message = (struct text)TEXT_INIT;
    assert_int_equal(format_options_init(&opened->options), 0);
    assert_int_equal(format_open(path, &opened->options, &params, &opened->message, &opened->dump),
                     0);
    assert_string_equal(opened->dump.format->name, "aerogpu");
    assert_int_equal(format_tree(&opened->dump, 0, &opened->tree), 0);
}

void opened_bytes(struct opened *opened, const void *bytes, size_t size)
{
    char *path = NULL;

    *opened = (struct opened){.folder = support_folder()};
    path = support_path(opened->folder, "dump.aerogputrace");
    support_write(path, bytes, size);
    opened_path(opened, path);
    free(path);
}

void opened_trace(struct opened *opened, struct trace_writer *writer)
{
    trace_end(writer);
    opened_bytes(opened, writer->bytes.data, writer->bytes.size);
    trace_free(writer);
}

void opened_close(struct opened *opened)
{
    tree_destroy(&opened->tree);
    format_close(&opened->dump);
    options_clear(&opened->options);
    text_clear(&opened->message);
    if (opened->folder != NULL)
        support_remove(&opened->folder);
}

void opened_expect(const struct opened *opened, const char *path, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, path, &size);

    if (strstr(text, part) == NULL)
        print_message("%s:\n%s", path, text);
    assert_non_null(strstr(text, part));
    free(text);
}

unsigned opened_count(const struct opened *opened, const char *path, const char *part)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, path, &size);
    unsigned count = 0;

    for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
        count++;
    free(text);
    return count;
}

void opened_expect_no_problems(const struct opened *opened)
{
    size_t size = 0;
    char *text = walk_read(opened->tree, "problems.txt", &size);

    if (size > 0)
        print_message("%s", text);
    assert_int_equal(size, 0);
    free(text);
}

struct picture opened_picture(const struct opened *opened, const char *path, uint32_t format)
{
    struct picture picture = {.png = {.version = PNG_IMAGE_VERSION}};
    size_t size = 0;
    char *bytes = walk_read(opened->tree, path, &size);

    assert_true(png_image_begin_read_from_memory(&picture.png, bytes, size));
    picture.png.format = format;
    picture.pixels = malloc(PNG_IMAGE_SIZE(picture.png));
    assert_non_null(picture.pixels);
    assert_true(png_image_finish_read(&picture.png, NULL, picture.pixels, 0, NULL));
    free(bytes);
    return picture;
}

uint32_t opened_pixel(const struct picture *picture, uint32_t x, uint32_t y)
{
    const uint8_t *p = picture->pixels + 4 * ((size_t)picture->png.width * y + x);

    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

void opened_expect_colour(const struct opened *opened, const char *path, uint32_t rgba)
{
    struct picture picture = opened_picture(opened, path, PNG_FORMAT_RGBA);

    for (uint32_t y = 0; y < picture.png.height; y++)
        for (uint32_t x = 0; x < picture.png.width; x++)
            if (opened_pixel(&picture, x, y) != rgba)
                fail_msg("%s: %08X at %u,%u", path, opened_pixel(&picture, x, y), x, y);
    free(picture.pixels);
}

bool opened_has_driver(void)
{
    struct worker_params params = {.program = NULL};
    struct aerogpu_session_params session = {.width = 8, .height = 8};
    struct aerogpu_session *aero = NULL;
    struct worker *worker = NULL;
    int status;

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(aerogpu_session_create(worker, &session, &aero), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    status = aerogpu_session_reset(aero, 0, NULL);
    worker_release(worker);
    aerogpu_session_destroy(&aero);
    worker_destroy(&worker);
    if (status != -ENODEV)
        assert_int_equal(status, 0);
    return status == 0;
}

void opened_need_driver(void)
{
    if (!opened_has_driver())
        support_skip_driver();
}
