/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <png.h>
#include <stdlib.h>

uint8_t *apitrace_decode(const void *bytes, size_t size, unsigned *width, unsigned *height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    uint8_t *pixels;

    if (!png_image_begin_read_from_memory(&image, bytes, size))
        fail_msg("%s", image.message);
    image.format = PNG_FORMAT_RGBA;
    pixels = malloc(PNG_IMAGE_SIZE(image));
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    *width = image.width;
    *height = image.height;
    return pixels;
}

void apitrace_need_graphics(void)
{
    const struct apitrace_session_params params = {.note = NULL};
    const struct worker_params worker_params = {.time_limit_ms = 0};
    struct apitrace_session *session = NULL;
    struct worker *worker = NULL;
    int status;

    assert_int_equal(worker_create(&worker_params, &worker), 0);
    assert_int_equal(apitrace_session_create(worker, &params, &session), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    status = apitrace_session_reset(session, NULL, 0, NULL);
    worker_release(worker);
    apitrace_session_destroy(&session);
    worker_destroy(&worker);
    if (status == -ENODEV)
        support_skip_driver();
    assert_int_equal(status, 0);
}

uint8_t *apitrace_pixels(const struct apitrace_opened *opened, const char *path, unsigned *width,
                         unsigned *height)
{
    size_t size;
    char *bytes = walk_read(opened->tree, path, &size);
    uint8_t *pixels = apitrace_decode(bytes, size, width, height);

    free(bytes);
    return pixels;
}
