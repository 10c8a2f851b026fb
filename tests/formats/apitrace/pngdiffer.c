/* SPDX-License-Identifier: MIT */
/*
 * pngdiffer [-l] WANTED FOUND: compares the pictures of a folder, in the order of their names, with
 * those of the same names in another, pixel by pixel. Prints their number, and the pictures that
 * differ to standard error. Exits with status 1 if one differs or cannot be read. With -l the
 * wanted pictures may be larger; then only their lower left parts are compared, and the number of
 * such pictures is printed as well.
 */
#include <dirent.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pixels {
    png_image image;
    unsigned char *bytes; /* RGBA; NULL if the file cannot be read */
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

static int parts, larger; /* whether -l is given; number of pictures of which a part was compared */

static int have_sizes(const struct pixels *wanted, const struct pixels *found)
{
    const png_image *of = &wanted->image, *is = &found->image;

    if (wanted->bytes == NULL || found->bytes == NULL)
        return 0;
    if (of->width == is->width && of->height == is->height)
        return 1;
    larger += parts;
    return parts && of->width >= is->width && of->height >= is->height;
}

/* Returns the number of pixels that differ, or that of all pixels if they cannot be compared. */
static size_t compare(const char *wanted_folder, const char *found_folder, const char *name)
{
    struct pixels wanted = read_pixels(wanted_folder, name);
    struct pixels found = read_pixels(found_folder, name);
    const size_t width = found.image.width, height = found.image.height;
    size_t count = width * height, differing = 0;

    if (!have_sizes(&wanted, &found))
        differing = count = count > 0 ? count : 1;
    for (size_t n = 0; differing < count && n < count; n++) {
        size_t row = wanted.image.height - height + n / width;

        differing += memcmp(wanted.bytes + 4 * (row * wanted.image.width + n % width),
                            found.bytes + 4 * n, 4) != 0;
    }
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

    if (count == 4 && strcmp(arguments[1], "-l") == 0) {
        parts = 1;
        arguments++;
        count--;
    }
    if (count != 3 || (pictures = scandir(arguments[1], &names, is_picture, alphasort)) < 0) {
        fprintf(stderr, "pngdiffer [-l] WANTED FOUND\n");
        return 2;
    }
    for (int n = 0; n < pictures; n++) {
        if (compare(arguments[1], arguments[2], names[n]->d_name) > 0)
            status = 1;
        free(names[n]);
    }
    free(names);
    printf("%d compared\n", pictures);
    if (parts)
        printf("%d larger\n", larger);
    return status;
}
