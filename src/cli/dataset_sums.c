/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "base/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 1 << 16 };

void dataset_sum_bytes(const void *bytes, size_t size, char sum[DATASET_SUM])
{
    uint8_t digest[SHA256_SIZE];
    struct sha256 hash;

    sha256_init(&hash);
    sha256_add(&hash, bytes, size);
    sha256_finish(&hash, digest);
    sha256_digits(digest, sum);
}

int dataset_sum_file(const char *path, char sum[DATASET_SUM], uint64_t *size, uint64_t *lines)
{
    uint8_t piece[PIECE], digest[SHA256_SIZE];
    FILE *file = fopen(path, "rb");
    struct sha256 hash;
    size_t got;
    int status;

    if (file == NULL)
        return -errno;
    setvbuf(file, NULL, _IONBF, 0);
    sha256_init(&hash);
    *size = *lines = 0;
    while ((got = fread(piece, 1, sizeof(piece), file)) > 0) {
        sha256_add(&hash, piece, got);
        *size += got;
        for (const uint8_t *at = piece; (at = memchr(at, '\n', got - (size_t)(at - piece))); at++)
            ++*lines;
    }
    status = ferror(file) != 0 ? -EIO : 0;
    fclose(file);
    sha256_finish(&hash, digest);
    sha256_digits(digest, sum);
    return status;
}

/*
 * A backslash precedes the line if the name has a backslash or line end; these are escaped in the
 * name.
 */
void dataset_sum_line(const char *sum, const char *path, struct text *sums)
{
    if (strpbrk(path, "\\\n\r") != NULL)
        text_add_char(sums, '\\');
    text_printf(sums, "%s  ", sum);
    for (; *path != '\0'; path++)
        if (*path == '\\')
            text_add(sums, "\\\\");
        else if (*path == '\n')
            text_add(sums, "\\n");
        else if (*path == '\r')
            text_add(sums, "\\r");
        else
            text_add_char(sums, *path);
    text_add_char(sums, '\n');
}
