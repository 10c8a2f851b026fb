/* SPDX-License-Identifier: MIT */
#include "formats/vma/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t colours[VMA_COLOURS][3] = {
    [VMA_COLOUR_PAPER] = {255, 255, 255},
    [VMA_COLOUR_TEXT] = {0, 0, 0},
    [VMA_COLOUR_FAINT] = {150, 150, 150},
    [VMA_COLOUR_OUTLINE] = {155, 155, 155},
    [VMA_COLOUR_GRID] = {224, 224, 224},
    [VMA_COLOUR_FREE] = {220, 220, 220},
    [VMA_COLOUR_UNKNOWN] = {175, 175, 175},
    [VMA_COLOUR_BUFFER_VERTEX] = {255, 148, 148},
    [VMA_COLOUR_BUFFER_STORAGE] = {255, 187, 121},
    [VMA_COLOUR_BUFFER_UNIFORM] = {255, 255, 0},
    [VMA_COLOUR_BUFFER_OTHER] = {255, 255, 165},
    [VMA_COLOUR_IMAGE_DEPTH] = {246, 128, 255},
    [VMA_COLOUR_IMAGE_ATTACHMENT] = {179, 179, 255},
    [VMA_COLOUR_IMAGE_SAMPLED] = {0, 255, 255},
    [VMA_COLOUR_IMAGE_OTHER] = {183, 255, 255},
    [VMA_COLOUR_IMAGE_LINEAR] = {0, 255, 0},
    [VMA_COLOUR_IMAGE_UNKNOWN] = {0, 255, 164},
    [VMA_COLOUR_HEAP_BLOCKS] = {190, 205, 225},
    [VMA_COLOUR_HEAP_USED] = {70, 110, 170},
};

const struct picture_palette vma_palette = {colours, VMA_COLOURS};

/* Usage bits that distinguish classes of buffers and images, tried in this order. */
static const struct {
    enum vma_label label;
    uint32_t usage;
    enum vma_colour colour;
} classes[] = {
    {VMA_BUFFER, 0x1C0, VMA_COLOUR_BUFFER_VERTEX},
    {VMA_BUFFER, 0x28, VMA_COLOUR_BUFFER_STORAGE},
    {VMA_BUFFER, 0x14, VMA_COLOUR_BUFFER_UNIFORM},
    {VMA_IMAGE_OPTIMAL, 0x20, VMA_COLOUR_IMAGE_DEPTH},
    {VMA_IMAGE_OPTIMAL, 0xD0, VMA_COLOUR_IMAGE_ATTACHMENT},
    {VMA_IMAGE_OPTIMAL, 0x4, VMA_COLOUR_IMAGE_SAMPLED},
};

static const enum vma_colour label_colours[VMA_LABELS] = {
    [VMA_FREE] = VMA_COLOUR_FREE,
    [VMA_UNKNOWN] = VMA_COLOUR_UNKNOWN,
    [VMA_BUFFER] = VMA_COLOUR_BUFFER_OTHER,
    [VMA_IMAGE_UNKNOWN] = VMA_COLOUR_IMAGE_UNKNOWN,
    [VMA_IMAGE_LINEAR] = VMA_COLOUR_IMAGE_LINEAR,
    [VMA_IMAGE_OPTIMAL] = VMA_COLOUR_IMAGE_OTHER,
};

uint8_t vma_allocation_colour(const struct vma_allocation *allocation)
{
    for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
        if (classes[i].label == (enum vma_label)allocation->label &&
            (allocation->resource_usage & classes[i].usage) != 0)
            return (uint8_t)classes[i].colour;
    return (uint8_t)label_colours[allocation->label];
}

void vma_size_text(uint64_t bytes, char text[VMA_SIZE_ROOM])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    unsigned unit = 0;
    uint64_t rest = 0;

    for (; bytes >= 1024 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++) {
        rest = bytes % 1024;
        bytes /= 1024;
    }
    if (unit == 0 || bytes >= 100)
        snprintf(text, VMA_SIZE_ROOM, "%" PRIu64 " %s", bytes, units[unit]);
    else
        snprintf(text, VMA_SIZE_ROOM, "%" PRIu64 ".%u %s", bytes, (unsigned)(rest * 10 / 1024),
                 units[unit]);
}

/* Files. */

/* The header of a map; a packet before the first frame has no texts. */
static int map_header(struct vma_dump *dump, uint32_t frame, struct dump_picture *out)
{
    uint32_t height = vma_map_height(&dump->recording);
    int status = 0;

    if (frame != VMA_NO_FRAME)
        status = dump_picture_header(&dump->base, frame, out);
    else
        *out = (struct dump_picture){.header = {.width = VMA_MAP_WIDTH,
                                                .height = height,
                                                .colour = PICTURE_GREY,
                                                .palette = &vma_palette}};
    return status;
}

static int draw_map(struct vma_dump *dump, uint32_t frame, const struct vma_replay *replay,
                    struct blob **out)
{
    struct dump_picture picture;
    struct canvas canvas = {0};
    int status = map_header(dump, frame, &picture);

    if (status == 0)
        status = vma_map_draw(replay, vma_options_of(dump->base.options)->scale, &canvas);
    if (status == 0)
        status = picture_encode(&picture.header, canvas.pixels, canvas.width,
                                dump->base.options->png, out);
    canvas_clear(&canvas);
    return status;
}

int vma_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(vma, frame, cancel, &replay);

    if (status == 0)
        status = draw_map(vma, (uint32_t)frame, replay, out);
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return status;
}

int vma_after_png_size(struct dump *dump, uint64_t packet, uint64_t *size)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct dump_picture picture;
    int status;

    if (packet >= vma->recording.packets)
        return -ENOENT;
    status = map_header(vma, vma_recording_frame_of(&vma->recording, (uint32_t)packet), &picture);
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

int vma_after_png_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out)
{
    struct vma_dump *vma = vma_dump_of(dump);
    struct vma_replay *replay = NULL;
    int status = vma_seek_packet(vma, packet, cancel, &replay);

    if (status == 0)
        status =
            draw_map(vma, vma_recording_frame_of(&vma->recording, (uint32_t)packet), replay, out);
    vma_checkpoints_give_back(vma->checkpoints, &replay);
    return status;
}

enum {
    MARGIN = 8,
    AXIS_WIDTH = 72, /* for the figures at the left of a chart */
    TITLE_HEIGHT = 16,
    CAPTION_HEIGHT = 14,
    CHART_HEIGHT = 112,
    CHART_GAP = 10,
    AXIS_HEIGHT = 16,
    GRID_LINES = 4,
    TICKS = 8,
    LINE_ROOM = 256,
    LEGEND_X = 700,
    LEGEND_STEP = 160,
    SWATCH = 10,
    SWATCH_TEXT = SWATCH + 4,
    CHART_X = MARGIN + AXIS_WIDTH,
};

static uint32_t chart_height(const struct vma_recording *recording)
{
    return 2 * MARGIN + TITLE_HEIGHT + AXIS_HEIGHT +
           recording->configuration.device.heap_count * (CAPTION_HEIGHT + CHART_HEIGHT + CHART_GAP);
}

struct chart {
    struct canvas *canvas;
    const struct vma_recording *recording;
    const struct vma_sample *samples;
    uint32_t count;
    int64_t y; /* of the current strip */
};

static void write_line(struct chart *chart, int64_t x, int64_t y, uint8_t colour, const char *line)
{
    font_draw(chart->canvas, x, y, VMA_MAP_WIDTH - MARGIN - x, line, strlen(line), colour);
}

static int64_t sample_x(const struct chart *chart, uint32_t sample)
{
    return CHART_X + (int64_t)sample * VMA_TIMELINE_SAMPLES / chart->count;
}

static int64_t bar_height(uint64_t bytes, uint64_t top)
{
    return bytes >= top ? CHART_HEIGHT : (int64_t)((unsigned __int128)bytes * CHART_HEIGHT / top);
}

/* More than any heap has; what is beyond is drawn as high. */
#define SCALE_MAX (UINT64_C(1) << 62)

/* A scale of a chart: lines at multiples of a step, which is a power of two. */
struct scale {
    uint64_t step, top;
};

/* With as many lines as fit, the highest of which is not below the greatest value. */
static struct scale scale_for(uint64_t max)
{
    uint64_t step = 1;

    max = max < SCALE_MAX ? max : SCALE_MAX;
    while (step < max / GRID_LINES + (max % GRID_LINES != 0))
        step <<= 1;
    return (struct scale){step, max == 0 ? step : (max / step + (max % step != 0)) * step};
}

static void draw_grid(struct chart *chart, const struct scale *scale)
{
    char figure[VMA_SIZE_ROOM];

    for (uint64_t bytes = 0; bytes <= scale->top; bytes += scale->step) {
        int64_t y = chart->y + CHART_HEIGHT - bar_height(bytes, scale->top);

        canvas_fill(chart->canvas, CHART_X, y, VMA_TIMELINE_SAMPLES, 1, VMA_COLOUR_GRID);
        vma_size_text(bytes, figure);
        write_line(chart, MARGIN, y - FONT_HEIGHT / 2, VMA_COLOUR_FAINT, figure);
    }
}

static void draw_heap(struct chart *chart, uint32_t heap)
{
    const struct vma_heap *limits = &chart->recording->configuration.device.heaps[heap];
    uint64_t blocks = 0, used = 0;
    struct scale scale;
    char line[LINE_ROOM], sizes[3][VMA_SIZE_ROOM];

    for (uint32_t i = 0; i < chart->count; i++) {
        const struct vma_sample *sample = &chart->samples[i];

        blocks = sample->block_bytes[heap] > blocks ? sample->block_bytes[heap] : blocks;
        used = sample->used_bytes[heap] > used ? sample->used_bytes[heap] : used;
    }
    vma_size_text(used, sizes[0]);
    vma_size_text(blocks, sizes[1]);
    vma_size_text(limits->size, sizes[2]);
    snprintf(line, sizeof(line), "Heap %u   at most %s used, %s in blocks, of %s", heap, sizes[0],
             sizes[1], sizes[2]);
    write_line(chart, CHART_X, chart->y + 3, VMA_COLOUR_TEXT, line);
    chart->y += CAPTION_HEIGHT;
    scale = scale_for(blocks > 0 ? blocks : limits->size);
    draw_grid(chart, &scale);
    for (uint32_t i = 0; i < chart->count; i++) {
        int64_t x = sample_x(chart, i), width = sample_x(chart, i + 1) - x;
        int64_t high = bar_height(chart->samples[i].block_bytes[heap], scale.top);
        int64_t low = bar_height(chart->samples[i].used_bytes[heap], scale.top);

        canvas_fill(chart->canvas, x, chart->y + CHART_HEIGHT - high, width, high,
                    VMA_COLOUR_HEAP_BLOCKS);
        canvas_fill(chart->canvas, x, chart->y + CHART_HEIGHT - low, width, low,
                    VMA_COLOUR_HEAP_USED);
    }
    chart->y += CHART_HEIGHT + CHART_GAP;
}

/* 1, 2 or 5 times a power of ten: so many frames that there are at most TICKS of them. */
static uint64_t tick_step(uint64_t frames)
{
    static const unsigned factors[] = {2, 5, 10};
    uint64_t power = 1, step = 1;

    for (unsigned i = 0; frames > step * TICKS; i++) {
        step = power * factors[i % 3];
        if (i % 3 == 2)
            power *= 10;
    }
    return step;
}

static void draw_axis(struct chart *chart)
{
    uint64_t frames = chart->recording->frame_count, step = tick_step(frames);
    char line[32];

    for (uint64_t frame = 0; frame < frames; frame += step) {
        int64_t x = sample_x(chart, (uint32_t)(frame * chart->count / frames));

        canvas_fill(chart->canvas, x, chart->y - CHART_GAP + 1, 1, 6, VMA_COLOUR_OUTLINE);
        snprintf(line, sizeof(line), "frame %06" PRIu64, frame);
        write_line(chart, x + 3, chart->y, VMA_COLOUR_FAINT, line);
    }
}

static void draw_title(struct chart *chart)
{
    uint32_t frames = chart->recording->frame_count;
    char line[LINE_ROOM];

    snprintf(line, sizeof(line), "bytes of each heap at the end of each frame (%u)%s", frames,
             frames > VMA_TIMELINE_SAMPLES ? ", the greatest of those in a column" : "");
    write_line(chart, MARGIN, chart->y + 3, VMA_COLOUR_TEXT, line);
    canvas_fill(chart->canvas, LEGEND_X, chart->y + 2, SWATCH, SWATCH, VMA_COLOUR_HEAP_USED);
    write_line(chart, LEGEND_X + SWATCH_TEXT, chart->y + 3, VMA_COLOUR_TEXT, "used by allocations");
    canvas_fill(chart->canvas, LEGEND_X + LEGEND_STEP, chart->y + 2, SWATCH, SWATCH,
                VMA_COLOUR_HEAP_BLOCKS);
    write_line(chart, LEGEND_X + LEGEND_STEP + SWATCH_TEXT, chart->y + 3, VMA_COLOUR_TEXT,
               "in blocks and dedicated memory");
    chart->y += TITLE_HEIGHT;
}

static int draw_samples(const struct vma_recording *recording, const struct vma_sample *samples,
                        struct canvas *canvas)
{
    struct chart chart = {.canvas = canvas,
                          .recording = recording,
                          .samples = samples,
                          .count = vma_sample_count(recording),
                          .y = MARGIN};
    int status = canvas_init(canvas, VMA_MAP_WIDTH, chart_height(recording), VMA_COLOUR_PAPER);

    if (status < 0)
        return status;
    draw_title(&chart);
    for (uint32_t heap = 0; heap < recording->configuration.device.heap_count; heap++)
        draw_heap(&chart, heap);
    draw_axis(&chart);
    return 0;
}

/* The file. */

static struct picture_header timeline_header(const struct vma_dump *dump)
{
    return (struct picture_header){.width = VMA_MAP_WIDTH,
                                   .height = chart_height(&dump->recording),
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

/* All that the pass would have gathered, had it known how many frames there are. */
static int gather_samples(struct vma_dump *dump, const struct cancel *cancel,
                          struct vma_sample *samples)
{
    const struct vma_recording *recording = &dump->recording;
    struct vma_replay *replay = NULL;
    int status = vma_seek_frame(dump, 0, cancel, &replay);

    for (uint32_t frame = 0; frame < recording->frame_count && status == 0; frame++) {
        status = vma_replay_run(replay, vma_recording_frame_last(recording, frame) + 1, cancel);
        if (status == 0)
            vma_sample_add(samples, replay);
    }
    if (status == -ENOMEM)
        vma_checkpoints_drop(&replay);
    vma_checkpoints_give_back(dump->checkpoints, &replay);
    return status;
}

static int draw_timeline(struct vma_dump *dump, const struct cancel *cancel, struct canvas *canvas)
{
    const struct vma_sample *samples = vma_pass_samples(dump->pass);
    struct vma_sample *gathered = NULL;
    int status = 0;

    if (samples == NULL) {
        samples = gathered = calloc(vma_sample_count(&dump->recording) + 1, sizeof(*gathered));
        status = gathered != NULL ? gather_samples(dump, cancel, gathered) : -ENOMEM;
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
