/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/model.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { POLYLINE = 1 << 27, WORDS_MAX = 16 };

struct psx_model {
    uint16_t vram[MODEL_HEIGHT_MAX][MODEL_WIDTH];
    unsigned version;
    enum psx_model_fault fault;
    uint32_t e[8]; /* the last words E1 to E6 */
    uint32_t mode, start;
    bool gate; /* GP1(09): whether ten bits of Y reach the memory */
    unsigned field;

    uint32_t words[WORDS_MAX]; /* of the command in progress */
    unsigned count;
    struct {
        unsigned vertices;
        uint32_t colour, at; /* of the last vertex of a polyline */
        uint32_t next;       /* colour of the next vertex */
        bool coloured;       /* whether that colour has been received */
    } polyline;
    struct {
        unsigned x, y, width, height;
        uint32_t left; /* halfwords still to be received */
    } upload;

    uint16_t palette[256];
    unsigned palette_id, palette_count; /* 0 entries: no palette is latched */
    struct {
        bool valid;
        unsigned x, y; /* position of the first halfword */
        uint16_t halfwords[4];
    } texels[256]; /* the texel cache */
};

/* How a primitive is drawn, apart from its shape */
struct paint {
    bool textured, raw, blended, dithered;
};

struct corner {
    int x, y;
    int value[5]; /* R, G, B, U, V */
};

static int sign11(int value)
{
    return ((value & 0x7FF) ^ 0x400) - 0x400;
}

static int low(uint32_t word)
{
    return (int)(word & 0xFFFF);
}

static int high(uint32_t word)
{
    return (int)(word >> 16);
}

static int clamp(int value, int top)
{
    return value < 0 ? 0 : value > top ? top : value;
}

/* Returns whether 480i leaves row y out (12). */
static bool skips(const struct psx_model *model, int y)
{
    unsigned start = model->start >> 10 & 0x1FF;

    return (model->mode & 0x24) == 0x24 && !(model->e[1] & 1 << 10) &&
           ((unsigned)y & 1) == ((start + model->field) & 1);
}

/* Returns the line of memory at y, or NULL if no chip answers there. */
static uint16_t *line_at(struct psx_model *model, unsigned y)
{
    unsigned line = y & (model->gate ? 1023 : 511);

    return line < psx_model_height(model) ? model->vram[line] : NULL;
}

static uint16_t load(struct psx_model *model, unsigned x, unsigned y)
{
    const uint16_t *line = line_at(model, y);

    return line != NULL ? line[x & 1023] : 0;
}

/* Stores a pixel subject to the mask (9), which applies to uploads and copies as well. */
static void store(struct psx_model *model, unsigned x, unsigned y, uint16_t pixel)
{
    uint16_t *line = line_at(model, y);

    if (line == NULL || ((model->e[6] & 2) && (line[x & 1023] & 0x8000)))
        return;
    line[x & 1023] = (uint16_t)(pixel | (model->e[6] & 1) << 15);
}

/* Latches the palette at the beginning of a primitive (6). */
static void latch(struct psx_model *model, uint32_t attribute)
{
    unsigned depth = model->e[1] >> 7 & 3, wanted = depth == 0 ? 16 : 256;
    unsigned id = attribute >> 16 & (model->version == 3 ? 0xFFFF : 0x7FFF);

    if (depth > 1 || (id == model->palette_id && model->palette_count >= wanted))
        return;
    for (unsigned i = 0; i < wanted; i++)
        model->palette[i] = load(model, (id & 63) * 16 + i, id >> 6);
    model->palette_id = id;
    model->palette_count = wanted;
}

static void drop_texels(struct psx_model *model)
{
    for (unsigned i = 0; i < 256; i++)
        model->texels[i].valid = false;
}

/*
 * Sets E1. Drops the texel cache if the page changes, or if the depth changes between 4 bits and
 * another (6).
 */
static void change_page(struct psx_model *model, uint32_t e1)
{
    if ((model->e[1] & 0x81F) != (e1 & 0x81F) ||
        ((model->e[1] & 0x180) == 0) != ((e1 & 0x180) == 0))
        drop_texels(model);
    model->e[1] = e1;
}

/* Returns a halfword of a texture, always read through the texel cache (6). */
static uint16_t cached(struct psx_model *model, unsigned x, unsigned y, unsigned depth)
{
    unsigned place = depth == 0 ? y % 64 * 4 + x / 4 % 4 : y % 32 * 8 + x / 4 % 8;

    if (!model->texels[place].valid || model->texels[place].x != x / 4 * 4 ||
        model->texels[place].y != y) {
        model->texels[place].valid = true;
        model->texels[place].x = x / 4 * 4;
        model->texels[place].y = y;
        for (unsigned i = 0; i < 4; i++)
            model->texels[place].halfwords[i] = load(model, x / 4 * 4 + i, y);
    }
    return model->texels[place].halfwords[x % 4];
}

/* Returns the texel at (u, v), after the window and the palette have been applied (6). */
static uint16_t texel(struct psx_model *model, int u, int v)
{
    unsigned mask_x = model->e[2] & 31, mask_y = model->e[2] >> 5 & 31;
    unsigned offset_x = model->e[2] >> 10 & 31, offset_y = model->e[2] >> 15 & 31;
    unsigned x = ((unsigned)u & 255 & ~(8 * mask_x)) | 8 * (offset_x & mask_x);
    unsigned y = ((unsigned)v & 255 & ~(8 * mask_y)) | 8 * (offset_y & mask_y);
    unsigned depth = model->e[1] >> 7 & 3, shift = depth > 1 ? 0 : 2 - depth;
    unsigned page_y = 256 * (model->e[1] >> 4 & 1) + 512 * (model->e[1] >> 11 & 1);
    unsigned column = (64 * (model->e[1] & 15) + (x >> shift)) & 1023;
    uint16_t halfword = cached(model, column, page_y + y, depth);

    if (depth == 0)
        return model->palette[halfword >> 4 * (x & 3) & 15];
    return depth == 1 ? model->palette[halfword >> 8 * (x & 1) & 255] : halfword;
}

/* Blends one channel of five bits over another (9). */
static int blend(unsigned mode, int back, int front)
{
    switch (mode) {
    case 0:
        return (back + front) >> 1;
    case 1:
        return clamp(back + front, 31);
    case 2:
        return clamp(back - front, 31);
    default:
        return clamp(back + (front >> 2), 31);
    }
}

/* Returns the y of a corner of the drawing area, which has nine bits on the first GPU (2). */
static int area_y(const struct psx_model *model, unsigned corner)
{
    return (int)(model->e[corner] >> 10 & (model->version == 1 ? 511 : 1023));
}

/* Draws one pixel of a primitive at any position, on VRAM or not. Its values are R, G, B, U, V. */
static void draw(struct psx_model *model, const struct paint *paint, int x, int y,
                 const int value[5])
{
    static const int matrix[4][4] = {
        {-4, 0, -3, 1}, {2, -2, 3, -1}, {-3, 1, -4, 0}, {3, -1, 2, -2}};
    int left = model->e[3] & 1023, right = model->e[4] & 1023;
    uint16_t sample = 0, pixel = 0, back;

    x = sign11(x);
    y = sign11(y);
    if (x < left || x > right || y < area_y(model, 3) || y > area_y(model, 4) || skips(model, y))
        return;
    if (paint->textured && (sample = texel(model, value[3], value[4])) == 0)
        return;
    back = load(model, (unsigned)x, (unsigned)y);
    for (unsigned c = 0; c < 3; c++) {
        int channel = value[c];

        if (paint->textured)
            channel =
                (sample >> 5 * c & 31) * (value[c] & (model->version == 1 ? 0xF8 : 0xFF)) >> 4;
        if (paint->dithered)
            channel += matrix[y & 3][x & 3];
        channel = clamp(channel >> 3, 31);
        if (paint->textured && paint->raw)
            channel = sample >> 5 * c & 31;
        if (paint->blended && (!paint->textured || (sample & 0x8000)))
            channel = blend(model->e[1] >> 5 & 3, back >> 5 * c & 31, channel);
        pixel |= (uint16_t)(channel << 5 * c);
    }
    store(model, (unsigned)x, (unsigned)y, pixel | (sample & 0x8000));
}

static void set_colour(int value[5], uint32_t colour)
{
    for (unsigned c = 0; c < 3; c++)
        value[c] = (int)(colour >> 8 * c & 255);
}

static void place(const struct psx_model *model, uint32_t word, struct corner *corner)
{
    corner->x = sign11(low(word)) + sign11((int)model->e[5]);
    corner->y = sign11(high(word)) + sign11((int)(model->e[5] >> 11));
}

/* Returns a/b, rounded up. */
static int ceiling(int64_t a, int64_t b)
{
    if (b < 0) {
        a = -a;
        b = -b;
    }
    return (int)(a >= 0 ? (a + b - 1) / b : -(-a / b));
}

/* Returns the x at which an edge meets row y, rounded up. */
static int edge(const struct corner *a, const struct corner *b, int y)
{
    return a->x + ceiling((int64_t)(b->x - a->x) * (y - a->y), b->y - a->y);
}

static bool too_far(const struct corner *a, const struct corner *b)
{
    return abs(a->x - b->x) >= 1024 || abs(a->y - b->y) >= 512;
}

static void swap_if(bool wanted, const struct corner **a, const struct corner **b)
{
    const struct corner *kept = *a;

    if (wanted) {
        *a = *b;
        *b = kept;
    }
}

/* Returns the corner from which values are interpolated (5). */
static const struct corner *anchor(const struct corner *c)
{
    if (c[1].x <= c[0].x)
        return c[2].x <= c[1].x ? &c[2] : &c[1];
    return c[2].x < c[0].x ? &c[2] : &c[0];
}

/*
 * Computes the gradients of the values over a triangle (5): steps to the right and down, with 12
 * bits of fraction. Returns twice the triangle's signed area, 0 if it is empty.
 */
static int64_t gradients(const struct corner *const s[3], int to_right[5], int down[5])
{
    int64_t ax = s[1]->x - s[0]->x, bx = s[2]->x - s[1]->x;
    int64_t ay = s[1]->y - s[0]->y, by = s[2]->y - s[1]->y;
    int64_t whole = ax * by - bx * ay;

    for (unsigned i = 0; i < 5 && whole != 0; i++) {
        int64_t av = s[1]->value[i] - s[0]->value[i], bv = s[2]->value[i] - s[1]->value[i];

        to_right[i] = (int)(4096 * (av * by - bv * ay) / whole);
        down[i] = (int)(4096 * (ax * bv - bx * av) / whole);
    }
    return whole;
}

struct triangle {
    const struct paint *paint;
    const struct corner *sorted[3]; /* by y */
    const struct corner *from;      /* the corner from which values are interpolated */
    int to_right[5], down[5];
};

static void draw_row(struct psx_model *model, const struct triangle *t, int y)
{
    const struct corner *const *s = t->sorted;
    int a = edge(s[0], s[2], y), b = y < s[1]->y ? edge(s[0], s[1], y) : edge(s[1], s[2], y);
    int value[5];

    for (int x = a < b ? a : b; x < (a < b ? b : a); x++) {
        for (unsigned i = 0; i < 5; i++) {
            int64_t exact = ((int64_t)t->from->value[i] << 12) + 2048 +
                            (int64_t)t->to_right[i] * (x - t->from->x) +
                            (int64_t)t->down[i] * (y - t->from->y);

            value[i] = (int)((uint64_t)exact >> 12 & 255);
        }
        draw(model, t->paint, x, y, value);
    }
}

/* Draws rows from..to-1 one by one, and stops at the first row beyond the drawing area (3). */
static void draw_rows(struct psx_model *model, const struct triangle *t, int from, int to,
                      bool upwards)
{
    for (int i = 0; i < to - from; i++) {
        int row = upwards ? to - 1 - i : from + i, y = sign11(row);

        if (upwards ? y < area_y(model, 3) : y > area_y(model, 4))
            return;
        draw_row(model, t, row);
    }
}

static void draw_triangle(struct psx_model *model, const struct paint *paint,
                          const struct corner *c)
{
    struct triangle t = {.paint = paint, .sorted = {&c[0], &c[1], &c[2]}, .from = anchor(c)};
    const struct corner **s = t.sorted;

    if (too_far(&c[0], &c[1]) || too_far(&c[1], &c[2]) || too_far(&c[0], &c[2]))
        return;
    swap_if(s[2]->y < s[1]->y, &s[1], &s[2]);
    swap_if(s[1]->y < s[0]->y, &s[0], &s[1]);
    swap_if(s[2]->y < s[1]->y, &s[1], &s[2]);
    if (gradients(s, t.to_right, t.down) == 0)
        return;
    if (t.from->y == s[0]->y) {
        draw_rows(model, &t, s[0]->y, s[1]->y, false);
        draw_rows(model, &t, s[1]->y, s[2]->y, false);
    } else {
        draw_rows(model, &t, s[1]->y, s[2]->y, t.from->y == s[2]->y);
        draw_rows(model, &t, s[0]->y, s[1]->y, true);
    }
}

/* Returns the bits of E1 below 14. Bit 11 remains only if GP1(09) allows it (2). */
static uint32_t gated(const struct psx_model *model, uint32_t e1)
{
    return model->gate ? e1 : e1 & ~(1u << 11);
}

static void draw_polygon(struct psx_model *model)
{
    uint32_t command = model->words[0];
    bool shaded = command >> 28 & 1, textured = command >> 26 & 1, raw = command >> 24 & 1;
    struct paint paint = {.textured = textured, .raw = raw, .blended = command >> 25 & 1};
    struct corner corners[4];
    unsigned count = command >> 27 & 1 ? 4 : 3, at = 0;
    uint32_t colour = command, attributes[4] = {0};

    for (unsigned i = 0; i < count; i++) {
        if (i == 0 || shaded)
            colour = model->words[at++];
        set_colour(corners[i].value, colour);
        place(model, model->words[at++], &corners[i]);
        if (textured)
            attributes[i] = model->words[at++];
        corners[i].value[3] = (int)(attributes[i] & 255);
        corners[i].value[4] = (int)(attributes[i] >> 8 & 255);
    }
    if (textured) {
        change_page(model, gated(model, (model->e[1] & ~0x9FFu) | (attributes[1] >> 16 & 0x9FF)));
        latch(model, attributes[0]);
    }
    paint.dithered = (model->e[1] >> 9 & 1) && (textured ? !raw : shaded);
    draw_triangle(model, &paint, corners);
    if (count == 4)
        draw_triangle(model, &paint, corners + 1);
}

/*
 * Returns floor(a / b + 1/2), or the next lower integer if a / b is a tie and `ties_down` is set
 * (10).
 */
static int nearest(int64_t a, int64_t b, bool ties_down)
{
    return ties_down ? ceiling(2 * a - b, 2 * b) : -ceiling(-(2 * a + b), 2 * b);
}

static void draw_line(struct psx_model *model, bool blended, uint32_t from, uint32_t from_colour,
                      uint32_t to, uint32_t to_colour)
{
    struct paint paint = {.blended = blended,
                          .dithered = (model->e[1] >> 9 & 1) &&
                                      model->fault != MODEL_FAULT_LINES_UNDITHERED};
    struct corner ends[2], *a = &ends[0], *b = &ends[1];
    int length, value[5] = {0};

    place(model, from, a);
    place(model, to, b);
    set_colour(a->value, from_colour);
    set_colour(b->value, to_colour);
    if (too_far(a, b))
        return;
    if (a->x > b->x) {
        a = &ends[1];
        b = &ends[0];
    }
    length = abs(b->y - a->y) > b->x - a->x ? abs(b->y - a->y) : b->x - a->x;
    for (int i = 0; i <= length; i++) {
        int whole = length == 0 ? 1 : length;

        for (unsigned c = 0; c < 3; c++)
            value[c] =
                ((a->value[c] << 12) + 2048 + i * (4096 * (b->value[c] - a->value[c]) / whole)) >>
                    12 &
                255;
        draw(model, &paint, a->x + nearest((int64_t)i * (b->x - a->x), whole, true),
             a->y + nearest((int64_t)i * (b->y - a->y), whole, b->y < a->y), value);
    }
}

static void draw_rectangle(struct psx_model *model)
{
    static const int sizes[4] = {0, 1, 8, 16};
    uint32_t command = model->words[0];
    unsigned size = command >> 27 & 3;
    struct paint paint = {
        .textured = command >> 26 & 1, .raw = command >> 24 & 1, .blended = command >> 25 & 1};
    uint32_t attribute = paint.textured ? model->words[2] : 0;
    uint32_t extent = model->words[paint.textured ? 3 : 2];
    int width = size == 0 ? low(extent) & 1023 : sizes[size];
    int height = size == 0 ? high(extent) & 511 : sizes[size];
    bool flips = model->version > 1;
    bool flip_x = flips && (model->e[1] >> 12 & 1), flip_y = flips && (model->e[1] >> 13 & 1);
    struct corner corner;
    int value[5], u = (int)(attribute & 255), v = (int)(attribute >> 8 & 255);

    place(model, model->words[1], &corner);
    corner.x = sign11(corner.x);
    corner.y = sign11(corner.y);
    if (paint.textured)
        latch(model, attribute);
    set_colour(value, command);
    for (int j = 0; j < height; j++)
        for (int i = 0; i < width; i++) {
            value[3] = flip_x ? (u | 1) - i : u + i;
            value[4] = flip_y ? v - j : v + j;
            if (corner.x + i < 1024 && corner.y + j < 1024)
                draw(model, &paint, corner.x + i, corner.y + j, value);
        }
}

/*
 * On the first GPU, if x & 15 is 15, every other pixel is drawn 16 columns further to the right
 * (psx-spx, versions).
 */
static void fill(struct psx_model *model)
{
    uint32_t colour = model->words[0];
    unsigned x = model->words[1] & 0x3F0, y = model->words[1] >> 16;
    unsigned width = ((model->words[2] & 0x3FF) + 15) & ~15u;
    unsigned height = model->words[2] >> 16 & 0x1FF;
    unsigned apart = model->version == 1 && (model->words[1] & 15) == 15 ? 16 : 0;
    uint16_t pixel =
        (uint16_t)((colour >> 3 & 31) | (colour >> 11 & 31) << 5 | (colour >> 19 & 31) << 10);

    for (unsigned j = y; j < y + height; j++) {
        uint16_t *line = line_at(model, j);

        for (unsigned i = x; i < x + width && line != NULL && !skips(model, (int)j); i++)
            line[(i + (i & 1 ? 0 : apart)) & 1023] = pixel;
    }
}

static unsigned transfer_width(uint32_t extent)
{
    return ((extent - 1) & 1023) + 1;
}

static unsigned transfer_height(uint32_t extent)
{
    return (((extent >> 16) - 1) & 511) + 1;
}

/* Reads each row before writing it (16.9). */
static void copy(struct psx_model *model)
{
    uint32_t from = model->words[1], to = model->words[2];
    unsigned width = transfer_width(model->words[3]), height = transfer_height(model->words[3]);
    uint16_t row[MODEL_WIDTH];

    for (unsigned j = 0; j < height; j++) {
        for (unsigned i = 0; i < width; i++)
            row[i] = load(model, from + i, (from >> 16) + j);
        for (unsigned i = 0; i < width; i++)
            if (model->fault == MODEL_FAULT_COPY_BY_PIXEL)
                store(model, to + i, (to >> 16) + j, load(model, from + i, (from >> 16) + j));
            else
                store(model, to + i, (to >> 16) + j, row[i]);
    }
}

static void begin_upload(struct psx_model *model)
{
    model->upload.x = (unsigned)low(model->words[1]);
    model->upload.y = (unsigned)high(model->words[1]);
    model->upload.width = transfer_width(model->words[2]);
    model->upload.height = transfer_height(model->words[2]);
    model->upload.left = model->upload.width * model->upload.height;
}

static void upload_word(struct psx_model *model, uint32_t word)
{
    for (unsigned n = 0; n < 2 && model->upload.left > 0; n++) {
        unsigned done = model->upload.width * model->upload.height - model->upload.left--;

        store(model, model->upload.x + done % model->upload.width,
              model->upload.y + done / model->upload.width, (uint16_t)(word >> 16 * n));
    }
}

/*
 * Returns the number of words of a command, given its first word (2). For polylines: up to the
 * first vertex.
 */
static unsigned command_words(uint32_t word)
{
    unsigned vertices = word >> 27 & 1 ? 4 : 3, textured = word >> 26 & 1;

    switch (word >> 29) {
    case 1:
        return 1 + vertices * (1 + textured) + (word >> 28 & 1 ? vertices - 1 : 0);
    case 2:
        return word & POLYLINE ? 2 : 3 + (word >> 28 & 1);
    case 3:
        return 2 + textured + ((word >> 27 & 3) == 0);
    case 4:
        return 4;
    case 5:
    case 6:
        return 3;
    default:
        return word >> 24 == 2 ? 3 : 1;
    }
}

static void polyline_word(struct psx_model *model, uint32_t word)
{
    bool shaded = model->words[0] >> 28 & 1, begins = !shaded || !model->polyline.coloured;

    if (begins && model->polyline.vertices >= 2 && (word & 0xF000F000) == 0x50005000) {
        model->polyline.vertices = 0;
    } else if (shaded && !model->polyline.coloured) {
        model->polyline.next = word;
        model->polyline.coloured = true;
    } else {
        draw_line(model, model->words[0] >> 25 & 1, model->polyline.at, model->polyline.colour,
                  word, model->polyline.next);
        model->polyline.at = word;
        model->polyline.colour = model->polyline.next;
        model->polyline.coloured = false;
        model->polyline.vertices++;
    }
}

static void line(struct psx_model *model)
{
    const uint32_t *words = model->words;
    bool shaded = words[0] >> 28 & 1;

    if (words[0] & POLYLINE) {
        model->polyline.vertices = 1;
        model->polyline.at = words[1];
        model->polyline.colour = model->polyline.next = words[0];
        model->polyline.coloured = false;
    } else {
        draw_line(model, words[0] >> 25 & 1, words[1], words[0], words[shaded ? 3 : 2],
                  words[shaded ? 2 : 0]);
    }
}

static void environment(struct psx_model *model, uint32_t word)
{
    unsigned number = word >> 24 & 31;

    if (number == 1)
        change_page(model, gated(model, word) & 0xFFFFFF);
    else if (number >= 2 && number <= 6)
        model->e[number] = word & 0xFFFFFF;
}

static void execute(struct psx_model *model)
{
    static void (*const kinds[8])(struct psx_model *) = {NULL, draw_polygon, line, draw_rectangle,
                                                         copy, begin_upload, NULL, NULL};
    uint32_t word = model->words[0];

    if (word >> 24 == 1 || (word >> 29 >= 4 && word >> 29 <= 6)) /* except by a fill (6) */
        drop_texels(model);
    if (word >> 24 == 1)
        model->palette_count = 0;
    else if (word >> 24 == 2)
        fill(model);
    else if (word >> 29 == 7)
        environment(model, word);
    else if (kinds[word >> 29] != NULL)
        kinds[word >> 29](model);
}

void psx_model_gp0(struct psx_model *model, uint32_t word)
{
    if (model->upload.left > 0) {
        upload_word(model, word);
    } else if (model->polyline.vertices > 0) {
        polyline_word(model, word);
    } else {
        model->words[model->count++] = word;
        if (model->count < command_words(model->words[0]))
            return;
        model->count = 0;
        execute(model);
    }
}

void psx_model_gp1(struct psx_model *model, uint32_t word)
{
    unsigned command = word >> 24 & 63;

    if (command <= 1) {
        model->count = model->polyline.vertices = model->upload.left = 0;
        model->palette_count = 0;
    }
    if (command == 0) {
        drop_texels(model);
        memset(model->e, 0, sizeof(model->e));
        model->mode = model->start = 0;
    } else if (command == 5) {
        model->start = word;
    } else if (command == 8) {
        model->mode = word;
    } else if (command == 9) {
        model->gate = model->version > 1 && (word & 1);
    }
}

void psx_model_set_field(struct psx_model *model, unsigned field)
{
    model->field = field;
}

const uint16_t *psx_model_vram(const struct psx_model *model)
{
    return model->vram[0];
}

unsigned psx_model_height(const struct psx_model *model)
{
    return model->version == 3 ? MODEL_HEIGHT_MAX : MODEL_HEIGHT;
}

struct psx_model *psx_model_create(unsigned version)
{
    struct psx_model *model = calloc(1, sizeof(*model));

    if (model == NULL)
        abort();
    model->version = version;
    return model;
}

void psx_model_set_fault(struct psx_model *model, enum psx_model_fault fault)
{
    model->fault = fault;
}

void psx_model_destroy(struct psx_model **model)
{
    free(*model);
    *model = NULL;
}
