/* SPDX-License-Identifier: MIT */
#include "tests/formats/psx/streams.h"

#include "tests/support/support.h"

#include <string.h>

enum {
    COMMANDS = 40, /* of a frame */
    STAGE_X = 512, /* most is drawn in STAGE_X x STAGE_Y, textures are from TEXTURES_Y on */
    STAGE_Y = 200,
    TEXTURES_Y = 256,
    PACKET_WORDS = 64,
    VSYNC_CYCLES = 500000, /* implies neither field */
};

struct stream {
    uint64_t random;
    struct psx_build *build;
    uint32_t words[PACKET_WORDS]; /* of the GP0 packet in progress */
    unsigned count;
    const struct kind *kind;
};

typedef void put_command(struct stream *stream);

enum { COMMANDS_OF_KIND = 18 };

struct kind {
    const char *name;
    put_command *commands[COMMANDS_OF_KIND]; /* all equally likely */
    uint32_t version;                        /* of the GPU; 0: not declared in the dump */
    bool unsummed;                           /* whether psx-streams.tsv has no checksums of it */
    bool interlaced;
    bool wild; /* whether textures and palettes may be anywhere */
    bool tall; /* whether drawing and the area use ten bits of Y */
};

static uint32_t pick(struct stream *stream, uint32_t below)
{
    return (uint32_t)(support_random(&stream->random) >> 24) % below;
}

static bool once_in(struct stream *stream, uint32_t times)
{
    return pick(stream, times) == 0;
}

static uint32_t any(struct stream *stream)
{
    return (uint32_t)(support_random(&stream->random) >> 16);
}

static uint32_t xy(uint32_t x, uint32_t y)
{
    return (x & 0xFFFF) | y << 16;
}

/*
 * Returns a position whose x and y are below the given bounds. Picks x first, since C leaves the
 * order in which arguments are evaluated open.
 */
static uint32_t pick_xy(struct stream *stream, uint32_t below_x, uint32_t below_y)
{
    uint32_t x = pick(stream, below_x), y = pick(stream, below_y);

    return xy(x, y);
}

/* Returns `at` moved by `by` to the right and down, and by (x, y) to the left and up. */
static uint32_t move(uint32_t at, uint32_t by, uint32_t x, uint32_t y)
{
    return xy(at + by - x, (at >> 16) + (by >> 16) - y);
}

static void flush(struct stream *stream)
{
    if (stream->count > 0)
        psx_build_packet(stream->build, PSX_PACKET_GP0, stream->words, stream->count);
    stream->count = 0;
}

static void put(struct stream *stream, uint32_t word)
{
    stream->words[stream->count++] = word;
    if (stream->count == PACKET_WORDS || once_in(stream, 30))
        flush(stream);
}

static void gp1(struct stream *stream, uint32_t word)
{
    flush(stream);
    GP1(stream->build, word);
}

static bool is_double(const struct stream *stream)
{
    return stream->kind->version == 3;
}

static uint32_t position(struct stream *stream)
{
    if (stream->kind->tall && once_in(stream, 2))
        return pick_xy(stream, 1024, 1024);
    if (once_in(stream, 20))
        return move(0, pick_xy(stream, 2400, 1200), 700, 400);
    return pick_xy(stream, STAGE_X, STAGE_Y);
}

/* Returns a vertex near another, so that most triangles are of moderate size. */
static uint32_t near(struct stream *stream, uint32_t from)
{
    if (once_in(stream, 12))
        return position(stream);
    return move(from, pick_xy(stream, 120, 100), 60, 50);
}

static uint32_t colour(struct stream *stream)
{
    return any(stream) & 0xFFFFFF;
}

/* Returns a page with any blend mode and depth, in the lower half of VRAM, or anywhere. */
static uint32_t page(struct stream *stream)
{
    if (stream->kind->wild)
        return any(stream) & (is_double(stream) ? 0x9FF : 0x1FF);
    return 16 | (any(stream) & 0x1EF);
}

static uint32_t palette(struct stream *stream)
{
    uint32_t row = TEXTURES_Y + 50 * pick(stream, 4);

    if (stream->kind->wild) {
        row = 128 * pick(stream, is_double(stream) ? 8 : 4);
        row += pick(stream, 3);
    }
    return row << 6 | pick(stream, 64);
}

static void put_page(struct stream *stream)
{
    uint32_t dither_and_flips = any(stream) & 0x3200;

    put(stream,
        0xE1000000 | page(stream) | dither_and_flips | (uint32_t)!stream->kind->interlaced << 10);
}

static void put_area(struct stream *stream)
{
    uint32_t x = pick(stream, 200), y = pick(stream, 80);
    uint32_t right, bottom;

    if (stream->kind->tall)
        y = pick(stream, 1024);
    if (once_in(stream, 2))
        x = y = 0;
    right = x + 100 + pick(stream, 700);
    bottom = y + 60 + pick(stream, 110);
    if (stream->kind->tall)
        bottom = once_in(stream, 2) ? 1023 : pick(stream, 1024);
    put(stream, 0xE3000000 | x | y << 10);
    put(stream, 0xE4000000 | right | bottom << 10);
}

static void put_window(struct stream *stream)
{
    put(stream, 0xE2000000 | (once_in(stream, 2) ? any(stream) & 0xFFFFF : 0));
}

static void put_offset(struct stream *stream)
{
    uint32_t x = pick(stream, 80) - 40, y = pick(stream, 60) - 30;

    put(stream, 0xE5000000 | (x & 0x7FF) | (y & 0x7FF) << 11);
}

static void put_mask(struct stream *stream)
{
    put(stream, 0xE6000000 | (once_in(stream, 2) ? pick(stream, 4) : 0));
}

static void put_environment(struct stream *stream)
{
    put_page(stream);
    put_window(stream);
    put_area(stream);
    put_offset(stream);
    put_mask(stream);
}

/* Appends U and V, and the palette or page that shares their word. */
static void put_texel(struct stream *stream, unsigned vertex)
{
    uint32_t texel = any(stream) & 0xFFFF;

    if (vertex == 0)
        texel |= palette(stream) << 16;
    else if (vertex == 1)
        texel |= page(stream) << 16;
    put(stream, texel);
}

static void put_polygon_of(struct stream *stream, uint32_t kind)
{
    uint32_t op = 0x20 | kind | pick(stream, 32), at = position(stream), first = at;

    /* Renderers disagree about a raw bit without a texture. */
    if (!(op & 4))
        op &= ~1u;
    put(stream, op << 24 | colour(stream));
    for (unsigned i = 0; i < (op & 8 ? 4u : 3u); i++) {
        if (i > 0 && (op & 0x10))
            put(stream, colour(stream));
        put(stream, at);
        if (op & 4)
            put_texel(stream, i);
        at = near(stream, first);
    }
}

static void put_polygon(struct stream *stream)
{
    put_polygon_of(stream, 0);
}

static void put_textured_polygon(struct stream *stream)
{
    put_polygon_of(stream, 4);
}

/* Appends a triangle of 15-bit texels that are a few pixels next to where each is drawn. */
static void put_self_polygon(struct stream *stream)
{
    uint32_t left = pick(stream, 8), beside = pick_xy(stream, 5, 5), op = 0x24 | pick(stream, 4);

    put(stream, 0xE5000000);
    put(stream, op << 24 | colour(stream));
    for (unsigned i = 0; i < 3; i++) {
        uint32_t u = 2 + pick(stream, 250), v = 2 + pick(stream, 200);

        put(stream, xy(64 * left + u, v));
        u += (beside & 0xFFFF) - 2;
        v += (beside >> 16) - 2;
        put(stream, u | v << 8 | (i == 1 ? 0x100 | left : 0) << 16);
    }
}

static void put_line(struct stream *stream)
{
    uint32_t op = 0x40 | (pick(stream, 32) & ~5u), at = position(stream);
    unsigned vertices = op & 8 ? 2 + pick(stream, 8) : 2;

    put(stream, op << 24 | colour(stream));
    for (unsigned i = 0; i < vertices; i++) {
        if (i > 0 && (op & 0x10))
            put(stream, colour(stream));
        put(stream, at & 0x0FFF0FFF);
        at = near(stream, at);
    }
    if (op & 8)
        put(stream, once_in(stream, 2) ? 0x55555555 : 0x50005000);
}

static void put_rectangle_of(struct stream *stream, uint32_t kind)
{
    uint32_t op = 0x60 | kind | pick(stream, 32);

    if (once_in(stream, 3))
        put_page(stream);
    put(stream, op << 24 | colour(stream));
    put(stream, position(stream));
    if (op & 4)
        put_texel(stream, 0);
    if ((op & 0x18) == 0)
        put(stream, once_in(stream, 15) ? any(stream) : pick_xy(stream, 300, 90));
}

static void put_rectangle(struct stream *stream)
{
    put_rectangle_of(stream, 0);
}

static void put_textured_rectangle(struct stream *stream)
{
    put_rectangle_of(stream, 4);
}

/* Returns the number of lines that a transfer may address: those that exist, and some that wrap. */
static uint32_t lines(const struct stream *stream)
{
    return is_double(stream) ? 1200 : 600;
}

static void put_fill(struct stream *stream)
{
    put(stream, 0x02000000 | colour(stream));
    put(stream, pick_xy(stream, 1024, is_double(stream) ? 1200 : 512));
    put(stream, pick_xy(stream, 200, 40));
}

/* Appends a fill at x & 15 = 15, where the first GPU has a bug. */
static void put_odd_fill(struct stream *stream)
{
    put(stream, 0x02000000 | colour(stream));
    put(stream, pick_xy(stream, 1024, 512) | 15);
    put(stream, pick_xy(stream, 200, 40));
}

/*
 * Opens or closes the gate. Drops the palette afterwards: it is not known whether an open gate does
 * that.
 */
static void put_gate(struct stream *stream)
{
    gp1(stream, 0x09000000 | pick(stream, 2));
    put(stream, 0x01000000);
}

/* Appends a copy of up to the full width. Every other copy goes to a position near its source. */
static void put_wide_copy(struct stream *stream)
{
    uint32_t from = pick_xy(stream, 1024, lines(stream)), to = pick_xy(stream, 80, 3);

    to = once_in(stream, 2) ? pick_xy(stream, 1100, lines(stream)) : move(from, to, 40, 1);
    put(stream, 0x80000000);
    put(stream, from);
    put(stream, to);
    put(stream, xy(1, 1) + pick_xy(stream, 1024, 60));
}

/* Appends a copy. A wide one goes from one half of VRAM to the other. */
static void put_copy(struct stream *stream)
{
    bool wide = once_in(stream, 3);

    put(stream, 0x80000000);
    if (wide) {
        put(stream, xy(0, TEXTURES_Y) + pick_xy(stream, 1024, 100));
        put(stream, pick_xy(stream, 1024, 100));
        put(stream, xy(0, 1) + pick_xy(stream, 1025, 100));
    } else {
        put(stream, pick_xy(stream, 1100, lines(stream)));
        put(stream, pick_xy(stream, 1100, lines(stream)));
        put(stream, xy(1, 1) + pick_xy(stream, 128, 60));
    }
}

/* Returns two texels, each of which is transparent once in eight times. */
static uint32_t texels(struct stream *stream)
{
    uint32_t word = any(stream);

    if (once_in(stream, 8))
        word &= 0xFFFF0000;
    return once_in(stream, 8) ? word & 0xFFFF : word;
}

static void put_upload_of(struct stream *stream, uint32_t at, uint32_t width, uint32_t height,
                          uint32_t end)
{
    put(stream, 0xA0000000);
    put(stream, at);
    put(stream, xy(width, height));
    for (uint32_t i = 0; i < (width * height + 1) / 2 && i < end; i++)
        put(stream, texels(stream));
}

static void put_upload(struct stream *stream)
{
    uint32_t width = 1 + pick(stream, 60), height = 1 + pick(stream, 30);

    put_upload_of(stream, pick_xy(stream, 1100, lines(stream)), width, height, UINT32_MAX);
}

static void put_nothing(struct stream *stream)
{
    static const uint32_t words[] = {0x00123456, 0x01000000, 0x01000000, 0x04000000, 0x1E000000,
                                     0x1F000000, 0xE0FFFFFF, 0xE7000001, 0xEF000000};

    put(stream, words[pick(stream, COUNT_OF(words))]);
}

/* Appends commands that end before their last word. GP1(00) also resets the environment. */
static void put_aborted(struct stream *stream)
{
    unsigned kind = pick(stream, 3);

    if (kind == 0) {
        uint32_t at = position(stream), size = xy(1, 1) + pick_xy(stream, 50, 30);

        put_upload_of(stream, at, size & 0xFFFF, size >> 16, pick(stream, 300));
    } else if (kind == 1) {
        put(stream, 0x58000000 | colour(stream));
        for (unsigned i = pick(stream, 12); i > 0; i--) {
            put(stream, position(stream) & 0x0FFF0FFF);
            put(stream, colour(stream));
        }
    } else {
        put(stream, 0x3C000000 | colour(stream));
        for (unsigned i = pick(stream, 11); i > 0; i--)
            put(stream, any(stream));
    }
    if (once_in(stream, 2)) {
        gp1(stream, 0x01000000);
    } else {
        gp1(stream, 0x00000000);
        put_environment(stream);
    }
}

static const struct kind kinds[] = {
    {.name = "polygons", .commands = {put_polygon, put_polygon, put_page, put_area, put_offset}},
    {.name = "lines", .commands = {put_line, put_line, put_page, put_area, put_offset}},
    {.name = "rectangles",
     .commands = {put_rectangle, put_rectangle, put_page, put_area, put_offset}},
    {.name = "textures",
     .commands = {put_textured_polygon, put_textured_polygon, put_textured_rectangle, put_page,
                  put_window, put_nothing}},
    {.name = "masks",
     .commands = {put_polygon, put_line, put_rectangle, put_upload, put_copy, put_mask, put_mask}},
    {.name = "transfers",
     .commands = {put_upload, put_copy, put_copy, put_fill, put_rectangle, put_mask}},
    {.name = "aborts", .commands = {put_aborted, put_polygon, put_line, put_upload, put_rectangle}},
    {.name = "interlaced",
     .commands = {put_polygon, put_line, put_rectangle, put_fill, put_copy, put_upload, put_page,
                  put_window},
     .interlaced = true},
    {.name = "everything",
     .commands = {put_polygon, put_textured_polygon, put_line, put_rectangle,
                  put_textured_rectangle, put_fill, put_copy, put_upload, put_page, put_window,
                  put_area, put_offset, put_mask, put_nothing, put_aborted}},
    {.name = "clean",
     .commands = {put_polygon, put_textured_polygon, put_line, put_rectangle,
                  put_textured_rectangle, put_fill, put_copy, put_upload, put_page, put_window,
                  put_area, put_offset, put_mask, put_nothing},
     .unsummed = true},
    {.name = "feedback",
     .commands = {put_self_polygon, put_self_polygon, put_textured_polygon, put_textured_rectangle,
                  put_textured_rectangle, put_polygon, put_line, put_fill, put_wide_copy,
                  put_upload, put_page, put_window, put_area, put_offset, put_mask},
     .unsummed = true,
     .wild = true},
    {.name = "areas",
     .commands = {put_polygon, put_textured_polygon, put_line, put_rectangle,
                  put_textured_rectangle, put_page, put_window, put_area, put_area, put_offset,
                  put_mask, put_gate},
     .version = 2,
     .unsummed = true,
     .wild = true,
     .tall = true},
    {.name = "first-gpu",
     .commands = {put_polygon, put_textured_polygon, put_line, put_rectangle,
                  put_textured_rectangle, put_fill, put_odd_fill, put_copy, put_upload, put_page,
                  put_window, put_area, put_offset, put_mask, put_gate, put_nothing, put_aborted},
     .version = 1,
     .unsummed = true,
     .tall = true},
    {.name = "2-mib",
     .commands = {put_polygon, put_textured_polygon, put_line, put_rectangle,
                  put_textured_rectangle, put_fill, put_wide_copy, put_upload, put_page, put_window,
                  put_area, put_offset, put_mask, put_gate},
     .version = 3,
     .unsummed = true,
     .wild = true,
     .tall = true},
};

const char *psx_streams_kind(unsigned number)
{
    return number < COUNT_OF(kinds) && !kinds[number].unsummed ? kinds[number].name : NULL;
}

static const struct kind *find_kind(const char *name)
{
    for (unsigned i = 0; i < COUNT_OF(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return &kinds[i];
    return NULL;
}

/* Appends a version packet, the display, textures and an environment. */
static void begin(struct stream *stream)
{
    const struct kind *kind = stream->kind;

    psx_build_start(stream->build, PSX_MAGIC_16);
    if (kind->version != 0)
        PACKET(stream->build, PSX_PACKET_VERSION, kind->version);
    gp1(stream, 0x03000000);
    gp1(stream, 0x08000001 | (kind->interlaced ? 0x24 : 0));
    gp1(stream, 0x05000000 | (kind->interlaced ? pick(stream, 8) << 10 : 0));
    put_upload_of(stream, xy(0, TEXTURES_Y), 1024, 512 - TEXTURES_Y, UINT32_MAX);
    if (is_double(stream)) {
        gp1(stream, 0x09000001);
        put_upload_of(stream, xy(0, 512 + TEXTURES_Y), 1024, 512 - TEXTURES_Y, UINT32_MAX);
    }
    put_environment(stream);
}

bool psx_streams_build(const char *kind, uint64_t seed, struct psx_build *out)
{
    struct stream stream = {.random = seed, .build = out, .kind = find_kind(kind)};
    unsigned commands = 0;

    if (stream.kind == NULL)
        return false;
    while (commands < COMMANDS_OF_KIND && stream.kind->commands[commands] != NULL)
        commands++;
    begin(&stream);
    for (unsigned frame = 0; frame < STREAM_FRAMES; frame++) {
        for (unsigned i = 0; i < COMMANDS; i++)
            stream.kind->commands[pick(&stream, commands)](&stream);
        flush(&stream);
        psx_build_vsync(out, (uint64_t)(frame + 1) * VSYNC_CYCLES);
    }
    return true;
}
