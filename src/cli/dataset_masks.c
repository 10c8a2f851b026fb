/* SPDX-License-Identifier: MIT */
#include "cli/dataset.h"

#include "base/bytes.h"
#include "compare/pixels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 96, NAME_ROOM = 24, ROW = 4, ROWS = 4096 };

/* Limit of a frame's masks: many draws with many scattered pixels would fill any disk. */
#define MASKS_MAX ((uint64_t)256 << 20)

/* Writes rows to the file. */
struct mask_writer {
    const struct dataset_masks *masks;
    struct dataset_file *file;
    uint64_t rows; /* including those in `pending` */
    size_t count;  /* rows in `pending` */
    uint8_t pending[ROWS][ROW * 4];
};

static int write_pending(struct mask_writer *writer)
{
    int status =
        dataset_put(writer->file, writer->pending, writer->count * sizeof(*writer->pending));

    writer->count = 0;
    return status;
}

static int put_row(struct mask_writer *writer, const uint32_t row[ROW])
{
    bytes_put_words(writer->pending[writer->count++], row, ROW);
    if (++writer->rows > MASKS_MAX / sizeof(*writer->pending))
        return -EFBIG;
    return writer->count == ROWS ? write_pending(writer) : 0;
}

/* Pixels that a draw has touched are magenta, and no others are. */
static bool is_touched(const uint8_t *rgb)
{
    return rgb[0] == 255 && rgb[1] == 0 && rgb[2] == 255;
}

static int put_line(struct mask_writer *writer, uint32_t draw, uint32_t y, const uint8_t *rgb,
                    uint32_t width)
{
    int status = 0;

    for (uint32_t x = 0; status == 0 && x < width; x++) {
        uint32_t begin = x;

        while (x < width && is_touched(rgb + (size_t)3 * x))
            x++;
        if (x > begin)
            status = put_row(writer, (const uint32_t[ROW]){draw, y, begin, x - begin});
    }
    return status;
}

static int put_draw(struct mask_writer *writer, uint32_t draw, const struct pixels *pixels)
{
    int status = put_row(writer, (const uint32_t[ROW]){draw, pixels->height, pixels->width, 0});

    for (uint32_t y = 0; status == 0 && y < pixels->height; y++)
        status =
            put_line(writer, draw, y, pixels->rgb + (size_t)3 * y * pixels->width, pixels->width);
    return status;
}

/*
 * Finds the picture of what the draw NAME has touched, under either name that formats use. Returns
 * -ENOENT if there is none.
 */
static int find_touched(const struct dataset_masks *masks, const char *name, uint64_t *inode)
{
    static const char *const forms[] = {"-touched.png", "/touched.png"};
    char path[PATH_ROOM];
    int status = -ENOENT;

    for (size_t i = 0; status == -ENOENT && i < sizeof(forms) / sizeof(forms[0]); i++) {
        snprintf(path, sizeof(path), "by-frame/%s/draws/%s%s", masks->frame, name, forms[i]);
        status = tree_find(masks->tree, path, true, inode);
        if (status == -ENOTDIR)
            status = -ENOENT;
    }
    return status;
}

static int put_draw_of(struct mask_writer *writer, const char *name)
{
    uint64_t number = strtoull(name, NULL, 10), inode = 0;
    struct pixels pixels = {0};
    int status = number <= INT32_MAX ? find_touched(writer->masks, name, &inode) : -EOVERFLOW;

    if (status == -ENOENT)
        return 0;
    if (status == 0)
        status = pixels_read(writer->masks->tree, inode, NULL, &pixels);
    if (status == 0)
        status = put_draw(writer, (uint32_t)number, &pixels);
    pixels_clear(&pixels);
    return status;
}

/* Collects the names of draws, from pictures that are named by a number only. */
struct draw_search {
    char (*names)[NAME_ROOM];
    size_t count;
    int status;
};

static bool see_draw(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                     uint64_t next_cursor)
{
    struct draw_search *search = context;
    size_t digits = strspn(name, "0123456789");
    char(*moved)[NAME_ROOM];

    (void)inode;
    (void)next_cursor;
    if (kind != RULE_FILE || digits == 0 || digits >= NAME_ROOM ||
        strcmp(name + digits, ".png") != 0)
        return true;
    if ((search->count & (search->count - 1)) == 0) { /* grow at each power of two */
        size_t room = search->count == 0 ? 1 : 2 * search->count;

        moved = reallocarray(search->names, room, sizeof(*moved));
        if (moved == NULL) {
            search->status = -ENOMEM;
            return false;
        }
        search->names = moved;
    }
    memcpy(search->names[search->count], name, digits);
    search->names[search->count++][digits] = '\0';
    return true;
}

static int find_draws(const struct dataset_masks *masks, struct draw_search *search)
{
    uint64_t inode = 0, cursor = 0;
    char path[PATH_ROOM];
    int status;

    snprintf(path, sizeof(path), "by-frame/%s/draws", masks->frame);
    status = tree_find(masks->tree, path, true, &inode);
    if (status == 0)
        status = tree_list(masks->tree, inode, &cursor, see_draw, search);
    return status == 0 ? search->status : status;
}

static int write_head(const struct mask_writer *writer)
{
    return dataset_put_npy(writer->file, "<i4", (const uint64_t[2]){writer->rows, ROW}, 2);
}

/* The header has the number of rows, which is known only at the end. */
static int write_draws(struct mask_writer *writer, const struct draw_search *search)
{
    int status = write_head(writer);

    for (size_t i = 0; status == 0 && i < search->count; i++)
        status = put_draw_of(writer, search->names[i]);
    if (status == 0)
        status = writer->rows > 0 ? write_pending(writer) : -ENOENT;
    if (status == 0 && fseeko(writer->file->stream, 0, SEEK_SET) != 0)
        status = writer->file->export->broken = -errno;
    return status == 0 ? write_head(writer) : status;
}

int dataset_write_masks(void *context, struct dataset_file *file)
{
    struct mask_writer *writer = calloc(1, sizeof(*writer));
    struct draw_search search = {0};
    int status = -ENOMEM;

    if (writer != NULL) {
        writer->masks = context;
        writer->file = file;
        status = find_draws(writer->masks, &search);
    }
    if (status == 0)
        status = write_draws(writer, &search);
    free(search.names);
    free(writer);
    return status;
}
