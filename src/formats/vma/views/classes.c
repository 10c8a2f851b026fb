/* SPDX-License-Identifier: MIT */
/*
 * labels.png and the thumbnail: what memory consists of over the frames, in the colours of the
 * maps.
 */
#include "formats/vma/views/views.h"

#include "formats/vma/views/charts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* From below. Only classes that the maps' colours distinguish. */
static const struct vma_chart_key classes[] = {
    {"BUFFER vertex", VMA_COLOUR_BUFFER_VERTEX},
    {"storage", VMA_COLOUR_BUFFER_STORAGE},
    {"uniform", VMA_COLOUR_BUFFER_UNIFORM},
    {"other", VMA_COLOUR_BUFFER_OTHER},
    {"IMAGE_OPTIMAL depth", VMA_COLOUR_IMAGE_DEPTH},
    {"attachment", VMA_COLOUR_IMAGE_ATTACHMENT},
    {"sampled", VMA_COLOUR_IMAGE_SAMPLED},
    {"other", VMA_COLOUR_IMAGE_OTHER},
    {"IMAGE_LINEAR", VMA_COLOUR_IMAGE_LINEAR},
    {"IMAGE_UNKNOWN", VMA_COLOUR_IMAGE_UNKNOWN},
    {"UNKNOWN", VMA_COLOUR_UNKNOWN},
    {"unused in blocks", VMA_COLOUR_FREE},
};

enum {
    CLASSES = sizeof(classes) / sizeof(classes[0]),
    UNUSED = CLASSES - 1, /* has bytes, but no number of allocations */
    BYTES_HEIGHT = 256,
    NUMBERS_HEIGHT = 128,
    LABELS_HEIGHT = 2 * VMA_CHART_MARGIN + 3 * VMA_CHART_ROW + BYTES_HEIGHT + NUMBERS_HEIGHT +
                    2 * (VMA_CHART_CAPTION + VMA_CHART_GAP),
    LINE_ROOM = 256,
};

/* For each column, the frame with the most bytes in blocks. */
struct gathered {
    uint32_t columns;
    uint64_t frames;
    uint64_t *bytes, *numbers;   /* columns * CLASSES */
    uint64_t *blocks;            /* bytes of blocks */
    uint8_t places[VMA_COLOURS]; /* by colour: the place of its value in a column */
    uint8_t colours[CLASSES];
};

static void gathered_clear(struct gathered *gathered)
{
    free(gathered->bytes);
    free(gathered->numbers);
    free(gathered->blocks);
}

static int gathered_init(const struct vma_recording *recording, struct gathered *out)
{
    *out =
        (struct gathered){.columns = vma_sample_count(recording), .frames = recording->frame_count};
    for (unsigned i = 0; i < CLASSES; i++) {
        out->places[classes[i].colour] = (uint8_t)i;
        out->colours[i] = classes[i].colour;
    }
    out->bytes = calloc((size_t)out->columns * CLASSES + 1, sizeof(*out->bytes));
    out->numbers = calloc((size_t)out->columns * CLASSES + 1, sizeof(*out->numbers));
    out->blocks = calloc((size_t)out->columns + 1, sizeof(*out->blocks));
    return out->bytes != NULL && out->numbers != NULL && out->blocks != NULL ? 0 : -ENOMEM;
}

static uint64_t bytes_of_blocks(const struct vma_allocator *allocator)
{
    uint64_t bytes = 0;

    for (uint32_t type = 0; type < allocator->device->type_count; type++)
        bytes += allocator->types[type].tally.block_bytes;
    return bytes;
}

/*
 * Replaces the values of a column by those of this frame, unless the column has more bytes in
 * blocks.
 */
static void note_frame(void *context, const struct vma_replay *replay)
{
    const struct vma_allocator *allocator = &replay->allocator;
    struct gathered *gathered = context;
    uint64_t column = (uint64_t)replay->frame * gathered->columns / gathered->frames;
    uint64_t *bytes = &gathered->bytes[column * CLASSES], used = 0;
    uint64_t *numbers = &gathered->numbers[column * CLASSES], blocks = bytes_of_blocks(allocator);

    if (blocks < gathered->blocks[column])
        return;
    gathered->blocks[column] = blocks;
    memset(bytes, 0, CLASSES * sizeof(*bytes));
    memset(numbers, 0, CLASSES * sizeof(*numbers));
    for (uint32_t index = 1; index < allocator->allocations.count; index++) {
        const struct vma_allocation *allocation = vma_allocation(allocator, index);
        uint8_t place = gathered->places[vma_allocation_colour(allocation)];

        if (!vma_allocation_is_placed(allocation))
            continue;
        bytes[place] += allocation->size;
        numbers[place]++;
        used += allocation->size;
    }
    bytes[UNUSED] = blocks > used ? blocks - used : 0;
}

static int gather(struct vma_dump *dump, const struct cancel *cancel, struct gathered *out)
{
    int status = gathered_init(&dump->recording, out);

    return status == 0
               ? vma_each_frame(dump, 0, dump->recording.frame_count, cancel, note_frame, out)
               : status;
}

/* labels.png */

static struct picture_header labels_header(void)
{
    return (struct picture_header){.width = VMA_MAP_WIDTH,
                                   .height = LABELS_HEIGHT,
                                   .colour = PICTURE_GREY,
                                   .palette = &vma_palette};
}

int vma_labels_png_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct picture_header header = labels_header();

    (void)key;
    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&header);
    return 0;
}

static void draw_strips(const struct gathered *gathered, struct vma_chart *chart)
{
    struct vma_strip bytes = {.values = gathered->bytes,
                              .colours = gathered->colours,
                              .series = CLASSES,
                              .height = BYTES_HEIGHT};
    struct vma_strip numbers = {.values = gathered->numbers,
                                .colours = gathered->colours,
                                .series = CLASSES,
                                .height = NUMBERS_HEIGHT,
                                .numbers = true};
    char line[LINE_ROOM], size[VMA_SIZE_ROOM];

    vma_size_text(vma_strip_greatest(&bytes, chart->columns), size);
    snprintf(line, sizeof(line), "Bytes   at most %s", size);
    bytes.caption = line;
    vma_chart_strip(chart, &bytes);
    snprintf(line, sizeof(line), "Allocations   at most %" PRIu64,
             vma_strip_greatest(&numbers, chart->columns));
    numbers.caption = line;
    vma_chart_strip(chart, &numbers);
}

static int draw_labels(const struct gathered *gathered, struct canvas *canvas)
{
    struct vma_chart chart = {.canvas = canvas,
                              .columns = gathered->columns,
                              .frames = gathered->frames,
                              .y = VMA_CHART_MARGIN};
    char line[LINE_ROOM];
    int status = canvas_init(canvas, VMA_MAP_WIDTH, LABELS_HEIGHT, VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    snprintf(line, sizeof(line), "what memory holds at the end of each frame (%" PRIu64 ")%s",
             gathered->frames,
             gathered->frames > gathered->columns ? ", of a column the one with most in blocks"
                                                  : "");
    vma_chart_title(&chart, line);
    vma_chart_legend(&chart, classes, CLASSES);
    draw_strips(gathered, &chart);
    vma_chart_frames(&chart);
    return 0;
}

int vma_labels_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct picture_header header = labels_header();
    struct gathered gathered;
    struct canvas canvas = {0};
    int status = gather(vma, cancel, &gathered);

    (void)key;
    if (status == 0)
        status = draw_labels(&gathered, &canvas);
    if (status == 0)
        status = picture_encode(&header, canvas.pixels, canvas.width, dump->options->png, out);
    canvas_clear(&canvas);
    gathered_clear(&gathered);
    return status;
}

/* The thumbnail. */

enum {
    THUMBNAIL_MIN = 16,    /* minimum of pixels of a side */
    THUMBNAIL_TEXT = 64,   /* minimum width with a number */
    THUMBNAIL_SCALE = 128, /* pixels of width for each pixel of a letter */
};

/* Draws text whose pixels are squares of `scale`. */
static int draw_large(struct canvas *canvas, int64_t x, int64_t y, const char *line, int64_t scale)
{
    struct canvas small;
    int status = canvas_init(&small, font_width(strlen(line)) + 1, FONT_HEIGHT, VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    font_draw(&small, 0, 0, small.width, line, strlen(line), VMA_COLOUR_TEXT);
    for (uint32_t v = 0; v < small.height; v++)
        for (uint32_t u = 0; u < small.width; u++)
            if (small.pixels[v * small.width + u] == VMA_COLOUR_TEXT)
                canvas_fill(canvas, x + u * scale, y + v * scale, scale, scale, VMA_COLOUR_TEXT);
    canvas_clear(&small);
    return 0;
}

/* Draws the areas of labels.png, and in large letters the maximum of memory. */
static int draw_thumbnail(const struct gathered *gathered, struct canvas *canvas)
{
    int64_t width = canvas->width, height = canvas->height;
    int64_t scale = width / THUMBNAIL_SCALE > 0 ? width / THUMBNAIL_SCALE : 1;
    int64_t head = width >= THUMBNAIL_TEXT ? (FONT_HEIGHT + 4) * scale : 2 * scale;
    struct vma_strip strip = {.values = gathered->bytes,
                              .colours = gathered->colours,
                              .series = CLASSES,
                              .height = height - head - scale};
    struct vma_chart chart = {
        .canvas = canvas, .columns = gathered->columns, .frames = gathered->frames, .y = head};
    uint64_t greatest = vma_strip_greatest(&strip, chart.columns);
    char size[VMA_SIZE_ROOM];

    if (greatest > 0)
        vma_chart_areas(&chart, &strip, scale, width - 2 * scale, greatest);
    canvas_outline(canvas, 0, 0, width, height, VMA_COLOUR_OUTLINE);
    vma_size_text(greatest, size);
    return width < THUMBNAIL_TEXT ? 0 : draw_large(canvas, 3 * scale, 2 * scale, size, scale);
}

int vma_thumbnail(struct dump *dump, uint32_t size, const struct cancel *cancel, struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    uint32_t width = size < THUMBNAIL_MIN ? THUMBNAIL_MIN : size;
    struct picture_header header = {
        .width = width, .height = width * 3 / 4, .colour = PICTURE_GREY, .palette = &vma_palette};
    struct gathered gathered;
    struct canvas canvas = {0};
    int status;

    if (vma->recording.frame_count == 0)
        return -ENOENT;
    status = gather(vma, cancel, &gathered);
    if (status == 0)
        status = canvas_init(&canvas, header.width, header.height, VMA_COLOUR_PAPER);
    if (status == 0)
        status = draw_thumbnail(&gathered, &canvas);
    if (status == 0)
        status = picture_encode(&header, canvas.pixels, canvas.width, PICTURE_SMALL, out);
    canvas_clear(&canvas);
    gathered_clear(&gathered);
    return status;
}
