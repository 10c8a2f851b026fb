/* SPDX-License-Identifier: MIT */
#include "cli/gpudump.h"

#include "base/log.h"
#include "tree/dump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PIECE = 1 << 20, FRAME_DIGITS_MAX = 20 };

int contents_read(struct tree *tree, uint64_t inode, struct text *out)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    uint64_t offset = 0;
    int status = tree_open(tree, inode, &file);

    while (status == 0) {
        status = tree_read(file, offset, PIECE, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        text_add_bytes(out, (const char *)window.data, window.length);
        offset += window.length;
        blob_unref(&window.blob);
        status = text_status(out);
    }
    blob_unref(&window.blob);
    tree_close_for_good(&file);
    return status;
}

int contents_find_frame(struct tree *tree, const char *folder, uint64_t frame, const char *rest,
                        char path[CONTENTS_PATH], uint64_t *inode)
{
    int status = -ENOENT;

    for (int digits = 1; digits <= FRAME_DIGITS_MAX && status == -ENOENT; digits++) {
        snprintf(path, CONTENTS_PATH, "%s%0*" PRIu64 "%s", folder, digits, frame, rest);
        status = tree_find(tree, path, true, inode);
    }
    return status;
}

static bool is_file_of(const struct source *source, const struct stat *file)
{
    struct stat own;

    return source != NULL && stat(source->path, &own) == 0 && own.st_dev == file->st_dev &&
           own.st_ino == file->st_ino;
}

/* Whether the dump is read from it, by whatever name it was opened. */
static bool is_of_dump(const struct dump *dump, int fd)
{
    struct stat file;
    bool found = fstat(fd, &file) == 0 && is_file_of(dump->source, &file);

    for (size_t i = 0; !found && i < DUMP_BESIDE_MAX; i++)
        found = is_file_of(dump->beside[i], &file);
    return found;
}

bool contents_is_of_dump(struct tree *tree, const char *path)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    bool found = fd >= 0 && is_of_dump(tree_dump(tree), fd);

    if (fd >= 0)
        close(fd);
    return found;
}

int contents_create(struct tree *tree, const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666), status = 0;

    if (fd < 0)
        return -errno;
    if (is_of_dump(tree_dump(tree), fd)) {
        log_write(LOG_ERR, "%s is the dump itself, which is not overwritten", path);
        status = -EEXIST;
    } else if (ftruncate(fd, 0) != 0 && errno != EINVAL) { /* what is no plain file has no length */
        status = -errno;
    }
    if (status == 0)
        return fd;
    close(fd);
    return status;
}

int contents_write(struct tree *tree, const char *path, const struct blob *blob)
{
    int fd = contents_create(tree, path), status = 0;
    FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;

    if (fd < 0)
        return fd;
    if (file == NULL) {
        status = -errno;
        close(fd);
        return status;
    }
    if (fwrite(blob->data, 1, blob->size, file) != blob->size)
        status = -errno;
    if (fclose(file) != 0 && status == 0)
        status = -errno;
    return status;
}

static int decode(const struct text *bytes, struct pixels *out)
{
    static const png_color black = {0, 0, 0};
    png_image image = {.version = PNG_IMAGE_VERSION};
    int status = -EIO;

    if (!png_image_begin_read_from_memory(&image, bytes->bytes, bytes->length))
        goto out;
    image.format = PNG_FORMAT_RGB;
    out->rgb = malloc(PNG_IMAGE_SIZE(image));
    if (out->rgb == NULL) {
        status = -ENOMEM;
        goto out;
    }
    if (!png_image_finish_read(&image, &black, out->rgb, 0, NULL)) {
        pixels_clear(out);
        goto out;
    }
    out->width = image.width;
    out->height = image.height;
    status = 0;
out:
    png_image_free(&image);
    return status;
}

int pixels_read(struct tree *tree, uint64_t inode, struct pixels *out)
{
    struct text bytes = TEXT_INIT;
    int status = contents_read(tree, inode, &bytes);

    *out = (struct pixels){0};
    if (status == 0)
        status = decode(&bytes, out);
    text_clear(&bytes);
    return status;
}

int pixels_load(const char *path, struct pixels *out)
{
    FILE *file = fopen(path, "rb");
    struct text bytes = TEXT_INIT;
    char piece[1 << 14];
    size_t size;
    int status = file == NULL ? -errno : 0;

    *out = (struct pixels){0};
    while (status == 0 && (size = fread(piece, 1, sizeof(piece), file)) > 0)
        text_add_bytes(&bytes, piece, size);
    if (status == 0)
        status = ferror(file) != 0 ? -EIO : text_status(&bytes);
    if (status == 0)
        status = decode(&bytes, out);
    if (file != NULL)
        fclose(file);
    text_clear(&bytes);
    return status;
}

const uint8_t *pixels_at(const struct pixels *pixels, uint32_t x, uint32_t y)
{
    if (x >= pixels->width || y >= pixels->height)
        return NULL;
    return pixels->rgb + 3 * ((size_t)y * pixels->width + x);
}

void pixels_compare(const struct pixels *a, const struct pixels *b, struct pixels_difference *out)
{
    uint32_t width = a->width > b->width ? a->width : b->width;
    uint32_t height = a->height > b->height ? a->height : b->height;

    *out = (struct pixels_difference){0};
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++) {
            const uint8_t *first = pixels_at(a, x, y), *second = pixels_at(b, x, y);

            if (first != NULL && second != NULL && memcmp(first, second, 3) == 0)
                continue;
            if (out->count++ > 0)
                continue;
            out->x = x;
            out->y = y;
        }
}

void pixels_colour(const struct pixels *pixels, uint32_t x, uint32_t y, char out[PIXELS_COLOUR])
{
    const uint8_t *rgb = pixels_at(pixels, x, y);

    if (rgb != NULL)
        snprintf(out, PIXELS_COLOUR, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    else
        snprintf(out, PIXELS_COLOUR, "none");
}

void pixels_clear(struct pixels *pixels)
{
    free(pixels->rgb);
    *pixels = (struct pixels){0};
}
