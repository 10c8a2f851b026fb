/* SPDX-License-Identifier: MIT */
/*
 * pngdiffer WANTED FOUND: compares the pictures of a folder, in the order of their names,
 * with those of the same names in another, pixel by pixel. Prints how many, and to standard
 * error which differ; the status is 1 when one does, or cannot be read.
 */
#include <dirent.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixels {
    png_image image;
    unsigned char *bytes; /* RGBA; NULL: it cannot be read */
};

static struct pixels read_pixels(const char *folder, const char *name)
{
    struct pixels pixels = {.image = {.version = PNG_IMAGE_VERSION}};
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    if (!png_image_begin_read_from_file(&pixels.image, path)) {
        fprintf(stderr, "%s: %s\n", path, pixels.image.message);
        return pixels;
    }
    pixels.image.format = PNG_FORMAT_RGBA;
    pixels.bytes = malloc(PNG_IMAGE_SIZE(pixels.image));
    if (pixels.bytes == NULL ||
        !png_image_finish_read(&pixels.image, NULL, pixels.bytes, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", path, pixels.image.message);
        free(pixels.bytes);
        pixels.bytes = NULL;
    }
    return pixels;
}

static int is_picture(const struct dirent *entry)
{
    const char *end = strrchr(entry->d_name, '.');

    return end != NULL && strcmp(end, ".png") == 0;
}

/* How many pixels differ; all of them where there is nothing to compare. */
static size_t compare(const char *wanted_folder, const char *found_folder, const char *name)
{
    struct pixels wanted = read_pixels(wanted_folder, name);
    struct pixels found = read_pixels(found_folder, name);
    size_t count = (size_t)wanted.image.width * wanted.image.height, differing = 0;

    if (wanted.bytes == NULL || found.bytes == NULL || wanted.image.width != found.image.width ||
        wanted.image.height != found.image.height)
        differing = count > 0 ? count : 1;
    for (size_t n = 0; differing < count && n < count; n++)
        differing += memcmp(wanted.bytes + 4 * n, found.bytes + 4 * n, 4) != 0;
    if (differing > 0)
        fprintf(stderr, "%s/%s: %zu of %zu pixels differ\n", found_folder, name, differing, count);
    free(wanted.bytes);
    free(found.bytes);
    return differing;
}

int main(int count, char **arguments)
{
    struct dirent **names;
    int pictures, status = 0;

    if (count != 3 || (pictures = scandir(arguments[1], &names, is_picture, alphasort)) < 0) {
        fprintf(stderr, "pngdiffer WANTED FOUND\n");
        return 2;
    }
    for (int n = 0; n < pictures; n++) {
        if (compare(arguments[1], arguments[2], names[n]->d_name) > 0)
            status = 1;
        free(names[n]);
    }
    free(names);
    printf("%d compared\n", pictures);
    return status;
}
