/* SPDX-License-Identifier: MIT */
/*
 * timeline.png: the bytes of each heap. Heaps that never held anything leave their room to the
 * others.
 */
#include "formats/vma/views/views.h"

#include "formats/vma/views/charts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    STRIP_HEIGHT = 112, /* if all heaps have a strip */
    STRIP_MAX = 300,    /* maximum, if few heaps have a strip */
    LINE_ROOM = 256,
    SERIES = 2,
};

static const struct vma_chart_key keys[SERIES] = {
    {"used by allocations", VMA_COLOUR_HEAP_USED},
    {"unused in blocks", VMA_COLOUR_HEAP_BLOCKS},
};

static const uint8_t colours[SERIES] = {VMA_COLOUR_HEAP_USED, VMA_COLOUR_HEAP_BLOCKS};

static uint32_t strips_height(const struct vma_recording *recording)
{
    return recording->configuration.device.heap_count *
           (VMA_CHART_CAPTION + STRIP_HEIGHT + VMA_CHART_GAP);
}

static uint32_t timeline_height(const struct vma_recording *recording)
{
    return 2 * VMA_CHART_MARGIN + 3 * VMA_CHART_ROW + strips_height(recording);
}

static bool holds_anything(const struct vma_sample *samples, uint32_t count, uint32_t heap)
{
    for (uint32_t i = 0; i < count; i++)
        if (samples[i].block_bytes[heap] > 0)
            return true;
    return false;
}

static void draw_heap(struct vma_chart *chart, const struct vma_sample *samples,
                      const struct vma_heap *limits, uint32_t heap, struct vma_strip *strip,
                      uint64_t *values)
{
    uint64_t blocks = 0, used = 0;
    char line[LINE_ROOM], sizes[3][VMA_SIZE_ROOM];

    for (uint32_t i = 0; i < chart->columns; i++) {
        uint64_t in_blocks = samples[i].block_bytes[heap], in_use = samples[i].used_bytes[heap];

        blocks = in_blocks > blocks ? in_blocks : blocks;
        used = in_use > used ? in_use : used;
        values[SERIES * i] = in_use;
        values[SERIES * i + 1] = in_blocks > in_use ? in_blocks - in_use : 0;
    }
    vma_size_text(used, sizes[0]);
    vma_size_text(blocks, sizes[1]);
    vma_size_text(limits->size, sizes[2]);
    snprintf(line, sizeof(line), "Heap %u   at most %s used, %s in blocks, of %s", heap, sizes[0],
             sizes[1], sizes[2]);
    strip->caption = line;
    vma_chart_strip(chart, strip);
}

/* Draws one strip below the other. The heaps that held anything share the height. */
static void draw_heaps(const struct vma_recording *recording, const struct vma_sample *samples,
                       uint64_t *values, struct vma_chart *chart)
{
    const struct vma_device *device = &recording->configuration.device;
    struct vma_strip strip = {.values = values, .colours = colours, .series = SERIES};
    uint32_t shown = 0;

    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        shown += holds_anything(samples, chart->columns, heap);
    if (shown > 0)
        strip.height = strips_height(recording) / shown - VMA_CHART_CAPTION - VMA_CHART_GAP;
    strip.height = strip.height < STRIP_MAX ? strip.height : STRIP_MAX;
    for (uint32_t heap = 0; heap < device->heap_count; heap++)
        if (holds_anything(samples, chart->columns, heap))
            draw_heap(chart, samples, &device->heaps[heap], heap, &strip, values);
}

static int draw_samples(const struct vma_recording *recording, const struct vma_sample *samples,
                        struct canvas *canvas)
{
    struct vma_chart chart = {.canvas = canvas,
                              .columns = vma_sample_count(recording),
                              .frames = recording->frame_count,
                              .y = VMA_CHART_MARGIN};
    uint64_t *values = calloc((size_t)chart.columns * SERIES + 1, sizeof(*values));
    char line[LINE_ROOM];
    int status = values == NULL ? -ENOMEM
                                : canvas_init(canvas, VMA_MAP_WIDTH, timeline_height(recording),
                                              VMA_COLOUR_PAPER);

    if (status == 0) {
        snprintf(line, sizeof(line), "bytes of each heap at the end of each frame (%u)%s",
                 recording->frame_count,
                 recording->frame_count > VMA_TIMELINE_SAMPLES
                     ? ", the greatest of those in a column"
                     : "");
        vma_chart_title(&chart, line);
        vma_chart_legend(&chart, keys, SERIES);
        draw_heaps(recording, samples, values, &chart);
        vma_chart_frames(&chart);
    }
    free(values);
    return status;
}

/* The file. */

static struct picture_header timeline_header(const struct vma_dump *dump)
{
    return (struct picture_header){.width = VMA_MAP_WIDTH,
                                   .height = timeline_height(&dump->recording),
                                   .colour = PICTURE_GREY,
                                   .palette = &vma_palette};
}

int vma_timeline_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct picture_header header = timeline_header(vma_dump_of(dump));

    (void)key;
    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&header);
    return 0;
}

static void add_sample(void *context, const struct vma_replay *replay)
{
    vma_sample_add(context, replay);
}

/* Gathers the samples now if the pass did not, since it could not know the number of frames. */
static int draw_timeline(struct vma_dump *dump, const struct cancel *cancel, struct canvas *canvas)
{
    const struct vma_sample *samples = dump->series == NULL ? vma_pass_samples(dump->pass) : NULL;
    struct vma_sample *gathered = NULL;
    int status = 0;

    if (samples == NULL) {
        samples = gathered = calloc(vma_sample_count(&dump->recording) + 1, sizeof(*gathered));
        status = gathered == NULL ? -ENOMEM
                                  : vma_each_frame(dump, 0, dump->recording.frame_count, cancel,
                                                   add_sample, gathered);
    }
    if (status == 0)
        status = draw_samples(&dump->recording, samples, canvas);
    free(gathered);
    return status;
}

int vma_timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct picture_header header = timeline_header(vma);
    struct canvas canvas = {0};
    int status = vma_dump_wait(vma, cancel);

    (void)key;
    if (status == 0)
        status = draw_timeline(vma, cancel, &canvas);
    if (status == 0)
        status = picture_encode(&header, canvas.pixels, canvas.width, dump->options->png, out);
    canvas_clear(&canvas);
    return status;
}
