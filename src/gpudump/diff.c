/*
 * `gpudump diff DUMP A B`: the command lists of two frames in unified form, from
 * the fourth field on, so that numbers and packets do not matter; and a picture of
 * where their pictures differ.
 */
#include "core/picture.h"
#include "gpudump/gpudump.h"
#include "gpudump/unified.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20, FIELD = 4, DIGITS_MAX = 20, PATH_BYTES = 64 };

/* The file `folder`NNNNNN`rest` of a frame, whatever digits frames have in this dump. */
static int find_frame_file(const struct gpudump *gpudump, const char *folder, const char *rest,
                           const char *number, char path[PATH_BYTES], uint64_t *inode)
{
    char *end = NULL;
    unsigned long long frame = strtoull(number, &end, 10);
    int status = -ENOENT;

    if (*number < '0' || *number > '9' || *end != '\0')
        return -EINVAL;
    for (int digits = 6; digits <= DIGITS_MAX && status == -ENOENT; digits++) {
        snprintf(path, PATH_BYTES, "%s%0*llu%s", folder, digits, frame, rest);
        status = tree_find(gpudump->program.tree, path, true, inode);
    }
    return status;
}

static int read_file(struct tree *tree, uint64_t inode, struct text *out)
{
    struct tree_file *file = NULL;
    struct tree_window window = {0};
    int status = tree_open(tree, inode, &file);

    while (status == 0) {
        status = tree_read(file, out->length, PIECE, NULL, &window);
        if (status != 0 || window.length == 0)
            break;
        text_add_bytes(out, (const char *)window.data, window.length);
        blob_unref(&window.blob);
        status = text_status(out);
    }
    blob_unref(&window.blob);
    tree_close(&file);
    return status;
}

/* Tells what cannot be read. */
static int read_frame_file(struct gpudump *gpudump, const char *folder, const char *rest,
                           const char *number, char path[PATH_BYTES], struct text *out)
{
    uint64_t inode = 0;
    int status = find_frame_file(gpudump, folder, rest, number, path, &inode);

    if (status == 0)
        status = read_file(gpudump->program.tree, inode, out);
    if (status != 0)
        gpudump_tell(gpudump, number, status);
    return status;
}

struct side {
    char path[PATH_BYTES];
    struct text text;
    struct unified_lines lines;
};

static int read_side(struct gpudump *gpudump, const char *number, struct side *side)
{
    int status =
        read_frame_file(gpudump, "by-frame/", "/commands.txt", number, side->path, &side->text);

    return status == 0 ? unified_split(side->text.bytes, side->text.length, FIELD, &side->lines)
                       : status;
}

static int print_difference(const struct side *a, const struct side *b)
{
    struct text hunks = TEXT_INIT;
    int status = unified_write(&a->lines, &b->lines, &hunks);

    if (status == 0 && hunks.length > 0) {
        printf("--- %s\n+++ %s\n", a->path, b->path);
        if (fwrite(hunks.bytes, 1, hunks.length, stdout) != hunks.length)
            status = -errno;
    }
    text_clear(&hunks);
    return status;
}

/* A picture as rows of RGB. */
struct pixels {
    png_image image;
    uint8_t *rgb;
};

static int read_pixels(struct gpudump *gpudump, const char *number, struct pixels *out)
{
    char path[PATH_BYTES];
    struct text bytes = TEXT_INIT;
    int status = read_frame_file(gpudump, "frames/", ".png", number, path, &bytes);

    out->image.version = PNG_IMAGE_VERSION;
    if (status == 0 && !png_image_begin_read_from_memory(&out->image, bytes.bytes, bytes.length))
        status = -EIO;
    if (status == 0) {
        out->image.format = PNG_FORMAT_RGB;
        out->rgb = malloc(PNG_IMAGE_SIZE(out->image));
        if (out->rgb == NULL)
            status = -ENOMEM;
        else if (!png_image_finish_read(&out->image, NULL, out->rgb, 0, NULL))
            status = -EIO;
    }
    png_image_free(&out->image);
    text_clear(&bytes);
    return status;
}

/* A pixel, or NULL beside the picture. */
static const uint8_t *pixel_of(const struct pixels *pixels, uint32_t x, uint32_t y)
{
    if (x >= pixels->image.width || y >= pixels->image.height)
        return NULL;
    return pixels->rgb + 3 * ((size_t)y * pixels->image.width + x);
}

/* Equal pixels are dimmed; others have a colour that no dimmed one has. */
static void mark(const uint8_t *a, const uint8_t *b, uint8_t *rgb)
{
    static const uint8_t marked[3] = {255, 0, 255};
    bool equal = a != NULL && b != NULL && memcmp(a, b, 3) == 0;

    for (unsigned i = 0; i < 3; i++)
        rgb[i] = equal ? a[i] / 2 : marked[i];
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static int compare_pixels(const struct pixels *a, const struct pixels *b, struct blob **out)
{
    struct picture_header header = {.width = larger(a->image.width, b->image.width),
                                    .height = larger(a->image.height, b->image.height),
                                    .colour = PICTURE_RGB};
    size_t stride = 3 * (size_t)header.width;
    uint8_t *rgb = malloc(stride * header.height);
    int status = rgb == NULL ? -ENOMEM : 0;

    for (uint32_t y = 0; status == 0 && y < header.height; y++)
        for (uint32_t x = 0; x < header.width; x++)
            mark(pixel_of(a, x, y), pixel_of(b, x, y), rgb + y * stride + 3 * (size_t)x);
    if (status == 0)
        status = picture_encode(&header, rgb, stride, PICTURE_SMALL, out);
    free(rgb);
    return status;
}

static int write_file(const char *path, const struct blob *blob)
{
    FILE *file = fopen(path, "wb");
    int status = 0;

    if (file == NULL)
        return -errno;
    if (fwrite(blob->data, 1, blob->size, file) != blob->size)
        status = -errno;
    if (fclose(file) != 0 && status == 0)
        status = -errno;
    return status;
}

static void write_picture(struct gpudump *gpudump)
{
    struct pixels a = {0}, b = {0};
    struct blob *picture = NULL;
    int status = 0;

    if (read_pixels(gpudump, gpudump->paths[0], &a) == 0 &&
        read_pixels(gpudump, gpudump->paths[1], &b) == 0) {
        status = compare_pixels(&a, &b, &picture);
        if (status == 0)
            status = write_file(gpudump->picture, picture);
        if (status != 0)
            gpudump_tell(gpudump, gpudump->picture, status);
    }
    blob_unref(&picture);
    free(a.rgb);
    free(b.rgb);
}

enum program_status gpudump_diff(struct gpudump *gpudump)
{
    struct side sides[2] = {0};
    int status = read_side(gpudump, gpudump->paths[0], &sides[0]);

    if (status == 0)
        status = read_side(gpudump, gpudump->paths[1], &sides[1]);
    if (status == 0) {
        status = print_difference(&sides[0], &sides[1]);
        if (status != 0 && status != -EPIPE)
            gpudump_tell(gpudump, "diff", status);
        if (gpudump->picture != NULL)
            write_picture(gpudump);
    }
    for (unsigned i = 0; i < 2; i++) {
        unified_clear(&sides[i].lines);
        text_clear(&sides[i].text);
    }
    return gpudump_outcome(gpudump);
}
