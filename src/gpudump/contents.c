#include "gpudump/contents.h"

#include <errno.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 20 };

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
    tree_close(&file);
    return status;
}

int contents_write(const char *path, const struct blob *blob)
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

void pixels_clear(struct pixels *pixels)
{
    free(pixels->rgb);
    *pixels = (struct pixels){0};
}
