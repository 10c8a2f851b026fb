/* Scenes of resources: formats, parts of resources, copies, guest memory, sharing */
#include "tests/formats/aerogpu/paint.h"
#include "tests/worker/shaders.h"

#include "formats/aerogpu/decode/layout.h"

#include "tests/support/support.h"

#include <string.h>

enum { SMALL = 8 };

static void target_of(struct painting *painting, uint32_t handle, uint32_t format, uint32_t mips,
                      uint32_t layers)
{
    trace_texture(&painting->stream, handle, AEROGPU_USAGE_TARGET | AEROGPU_USAGE_TEXTURE, format,
                  painting->width, painting->height, mips, layers);
}

static void copy_to_screen(struct painting *painting, uint32_t from, const struct rect *rect)
{
    TRACE(&painting->stream, AEROGPU_COPY_TEXTURE2D, PAINT_SCREEN, from, 0, 0, 0, 0, rect->left,
          rect->top, rect->left, rect->top, rect->right - rect->left, rect->bottom - rect->top, 0,
          0);
}

/* What one frame draws is shown in a later frame. */
static void kept(struct painting *painting)
{
    const struct rect rect = paint_rect(painting), all = paint_all(painting);
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    paint_targets(painting, PAINT_KEPT, 0, 0);
    paint_upload(painting, &rect, 0, rgba);
    paint_issue(painting, 6);
    expected_fill(&painting->kept, &rect, rgba);
    paint_targets(painting, PAINT_SCREEN, 0, PAINT_DEPTH);
    copy_to_screen(painting, PAINT_KEPT, &all);
    expected_copy(&painting->expected, &painting->kept);
}

/* Uploads one row of the screen, texel by texel. */
static void partial_upload(struct painting *painting)
{
    uint32_t row = paint_below(painting, painting->height), rgba = paint_colour(painting);
    const struct rect rect = {0, row, painting->width, row + 1};
    uint8_t texel[4];

    paint_begin(painting);
    for (int i = 0; i < 4; i++)
        texel[i] = (uint8_t)(rgba >> (24 - 8 * i));
    for (uint32_t x = 0; x < painting->width; x++)
        trace_upload(&painting->stream, PAINT_SCREEN, 4 * ((uint64_t)row * painting->width + x),
                     texel, 4);
    expected_fill(&painting->expected, &rect, rgba);
}

static uint32_t expand(uint32_t value, unsigned bits)
{
    return bits == 6 ? value << 2 | value >> 4 : value << 3 | value >> 2;
}

static uint32_t rgba_of_565(uint32_t value)
{
    return expand(value >> 11, 5) << 24 | expand(value >> 5 & 63, 6) << 16 |
           expand(value & 31, 5) << 8 | 255;
}

static void put(uint8_t *to, uint32_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/*
 * Makes a block of one colour in BC7's mode 6: 7 bits a channel, and one that all channels share.
 * Returns the colour that it decodes to.
 */
static uint32_t make_bc7(uint8_t block[16], uint32_t rgba)
{
    unsigned at = 7;

    memset(block, 0, 16);
    block[0] = 0x40;
    for (int channel = 0; channel < 4; channel++)
        for (int end = 0; end < 2; end++)
            for (unsigned bit = 0; bit < 7; bit++, at++)
                if ((rgba >> (24 - 8 * channel) & 255) >> (bit + 1) & 1)
                    block[at / 8] |= (uint8_t)(1 << at % 8);
    block[at / 8] |= (uint8_t)(1 << at % 8);
    at++;
    block[at / 8] |= (uint8_t)(1 << at % 8);
    return rgba | 0x01010101;
}

/* Encodes one texel or block of about that colour. Returns the colour that it decodes to. */
static uint32_t encode(uint32_t format, uint32_t rgba, uint8_t unit[16])
{
    uint32_t short565 = rgba >> 27 << 11 | (rgba >> 18 & 63) << 5 | (rgba >> 11 & 31);

    memset(unit, 0, 16);
    switch (format) {
    case AEROGPU_B8G8R8A8:
    case AEROGPU_B8G8R8X8:
        unit[0] = (uint8_t)(rgba >> 8);
        unit[1] = (uint8_t)(rgba >> 16);
        unit[2] = (uint8_t)(rgba >> 24);
        unit[3] = (uint8_t)rgba;
        return format == AEROGPU_B8G8R8X8 ? rgba | 255 : rgba;
    case AEROGPU_B5G6R5:
        put(unit, short565, 2);
        return rgba_of_565(short565);
    case AEROGPU_B5G5R5A1:
        put(unit,
            (rgba >> 7 & 1) << 15 | (rgba >> 27) << 10 | (rgba >> 19 & 31) << 5 | (rgba >> 11 & 31),
            2);
        return expand(rgba >> 27, 5) << 24 | expand(rgba >> 19 & 31, 5) << 16 |
               expand(rgba >> 11 & 31, 5) << 8 | ((rgba >> 7 & 1) != 0 ? 255 : 0);
    case AEROGPU_BC1:
        put(unit, short565, 2);
        return rgba_of_565(short565);
    case AEROGPU_BC2:
        memset(unit, (int)((rgba >> 4 & 15) * 17), 8);
        put(unit + 8, short565, 2);
        return (rgba_of_565(short565) & ~255u) | (rgba >> 4 & 15) * 17;
    case AEROGPU_BC3:
        unit[0] = (uint8_t)rgba;
        put(unit + 8, short565, 2);
        return (rgba_of_565(short565) & ~255u) | (rgba & 255);
    case AEROGPU_BC7:
        return make_bc7(unit, rgba);
    default:
        for (int i = 0; i < 4; i++)
            unit[i] = (uint8_t)(rgba >> (24 - 8 * i));
        return format == AEROGPU_R8G8B8X8 ? rgba | 255 : rgba;
    }
}

static uint32_t pick_format(struct painting *painting)
{
    static const uint32_t formats[] = {
        AEROGPU_R8G8B8A8, AEROGPU_B8G8R8A8, AEROGPU_R8G8B8X8, AEROGPU_B8G8R8X8, AEROGPU_B5G6R5,
        AEROGPU_B5G5R5A1, AEROGPU_BC1,      AEROGPU_BC2,      AEROGPU_BC3,      AEROGPU_BC7,
    };

    return formats[paint_below(painting, COUNT_OF(formats))];
}

/* Fills a square subresource of side `extent`, at `offset`. Returns its size in bytes. */
static size_t upload_flat(struct painting *painting, uint32_t handle, uint32_t format,
                          uint32_t extent, uint64_t offset, const uint8_t unit[16])
{
    struct aerogpu_format_info info;
    uint8_t bytes[SMALL * SMALL * 4];
    size_t units;

    assert_true(aerogpu_format_find(format, &info));
    units = (extent + info.block - 1) / info.block;
    units *= units;
    for (size_t i = 0; i < units; i++)
        memcpy(bytes + i * info.bytes, unit, info.bytes);
    trace_upload(&painting->stream, handle, offset, bytes, units * info.bytes);
    return units * info.bytes;
}

/*
 * Binds a pixel shader that samples t0 at the position given by the colours, and a sampler of its
 * own.
 */
static void begin_sampling(struct painting *painting, uint32_t *pixel, uint32_t *sampler)
{
    *pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_sample());
    *sampler = paint_handle(painting);
    TRACE(&painting->stream, AEROGPU_CREATE_SAMPLER, *sampler, paint_below(painting, 2),
          paint_below(painting, 3), paint_below(painting, 3), 0);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, *sampler);
    paint_bind(painting, PAINT_PASS_VERTEX, *pixel);
}

static void end_sampling(struct painting *painting, uint32_t pixel, uint32_t sampler)
{
    TRACE(&painting->stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, 0);
    TRACE(&painting->stream, AEROGPU_DESTROY_SAMPLER, sampler, 0);
    paint_destroy_shader(painting, pixel);
}

/* Shows one mip of one layer, each of which has another colour, through a view. */
static void texture_format(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t format = pick_format(painting), mip = paint_below(painting, 2);
    uint32_t layer = paint_below(painting, 2), shown = 0, pixel, sampler;
    uint32_t texture = paint_handle(painting), view = paint_handle(painting);
    uint64_t offset = 0;
    uint8_t unit[16];

    paint_begin(painting);
    trace_texture(&painting->stream, texture, AEROGPU_USAGE_TEXTURE, format, SMALL, SMALL, 2, 2);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t reads = encode(format, paint_colour(painting), unit);

        offset += upload_flat(painting, texture, format, SMALL >> i % 2, offset, unit);
        if (i == mip + 2 * layer)
            shown = reads;
    }
    TRACE(&painting->stream, AEROGPU_CREATE_TEXTURE_VIEW, view, texture, format, mip, 1, layer, 1,
          0, 0);
    begin_sampling(painting, &pixel, &sampler);
    TRACE(&painting->stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, view, 0);
    paint_upload(painting, &rect, 0, 0x40404040);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, shown);
    end_sampling(painting, pixel, sampler);
    TRACE(&painting->stream, AEROGPU_DESTROY_TEXTURE_VIEW, view, 0);
    TRACE(&painting->stream, AEROGPU_DESTROY_TEXTURE_VIEW, view, 0); /* harmless */
    paint_destroy(painting, texture);
}

/* Two columns of one colour each, read far to the right: clamped, repeated or mirrored */
static void addressing(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t texture = paint_handle(painting), sampler = paint_handle(painting);
    uint32_t pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_sample());
    uint32_t mode = paint_below(painting, 3), colours[2];
    float corners[6][8];
    uint8_t texels[8];

    paint_begin(painting);
    for (int i = 0; i < 2; i++) {
        colours[i] = paint_colour(painting);
        for (int k = 0; k < 4; k++)
            texels[4 * i + k] = (uint8_t)(colours[i] >> (24 - 8 * k));
    }
    trace_texture(&painting->stream, texture, AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, 2, 1, 1, 1);
    trace_upload(&painting->stream, texture, 0, texels, sizeof(texels));
    TRACE(&painting->stream, AEROGPU_CREATE_SAMPLER, sampler, 0, mode, mode, mode);
    TRACE(&painting->stream, AEROGPU_SET_SAMPLERS, AEROGPU_PIXEL, 0, 1, 0, sampler);
    TRACE(&painting->stream, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, texture, 0);
    paint_bind(painting, PAINT_PASS_VERTEX, pixel);
    paint_corners(painting, &rect, 0, 0, 0, corners);
    for (int i = 0; i < 6; i++)
        corners[i][4] = 1.25f; /* the last column; the first; the last */
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, colours[mode == 1 ? 0 : 1]);
    end_sampling(painting, pixel, sampler);
    paint_destroy(painting, texture);
}

/* Copies a rectangle of a texture to another position on the screen. */
static void copied_texture(struct painting *painting)
{
    uint32_t texture = paint_handle(painting), rgba = paint_colour(painting);
    const struct rect all = {0, 0, SMALL, SMALL};
    uint32_t format = AEROGPU_R8G8B8A8;
    uint8_t unit[16];

    paint_begin(painting);
    encode(format, rgba, unit);
    trace_texture(&painting->stream, texture, AEROGPU_USAGE_TEXTURE, format, SMALL, SMALL, 2, 2);
    /* The second mip of the second layer. */
    upload_flat(painting, texture, format, SMALL / 2, 4 * (SMALL * SMALL * 2 + SMALL * SMALL / 4),
                unit);
    TRACE(&painting->stream, AEROGPU_COPY_TEXTURE2D, PAINT_SCREEN, texture, 0, 0, 1, 1,
          all.right - 3, all.bottom - 2, 1, 2, 3, 2, 0, 0);
    expected_fill(&painting->expected, &(struct rect){SMALL - 3, SMALL - 2, SMALL, SMALL}, rgba);
    paint_destroy(painting, texture);
}

/* Half of the vertices are copied from another buffer. */
static void copied_buffer(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t buffer = paint_handle(painting), rgba = paint_colour(painting);
    float corners[6][8];

    paint_begin(painting);
    paint_corners(painting, &rect, 0, 0, rgba, corners);
    trace_buffer(&painting->stream, buffer, AEROGPU_USAGE_VERTEX, 512);
    trace_upload(&painting->stream, buffer, 64, corners, sizeof(corners));
    TRACE(&painting->stream, AEROGPU_COPY_BUFFER, PAINT_VERTICES, buffer, 0, 0, 64, 0,
          sizeof(corners), 0, 0, 0);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
    paint_destroy(painting, buffer);
}

/* What a copy writes back to guest memory is read by another resource. */
static void written_back(struct painting *painting)
{
    const struct rect all = {0, 0, SMALL, SMALL};
    uint32_t source = paint_handle(painting), backed = paint_handle(painting);
    uint32_t reader = paint_handle(painting), rgba = paint_colour(painting);
    uint8_t unit[16];

    paint_begin(painting);
    encode(AEROGPU_R8G8B8A8, rgba, unit);
    trace_texture(&painting->stream, source, AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, SMALL, SMALL,
                  1, 1);
    upload_flat(painting, source, AEROGPU_R8G8B8A8, SMALL, 0, unit);
    for (uint32_t i = 0; i < 2; i++)
        TRACE(&painting->stream, AEROGPU_CREATE_TEXTURE2D, i == 0 ? backed : reader,
              AEROGPU_USAGE_TEXTURE, AEROGPU_R8G8B8A8, SMALL, SMALL, 1, 1, 48, PAINT_ALLOCATION,
              1024, 0, 0);
    TRACE(&painting->stream, AEROGPU_COPY_TEXTURE2D, backed, source, 0, 0, 0, 0, 0, 0, 0, 0, SMALL,
          SMALL, AEROGPU_COPY_WRITEBACK, 0);
    TRACE(&painting->stream, AEROGPU_RESOURCE_DIRTY_RANGE, reader, 0, 0, 0, 48 * SMALL, 0);
    copy_to_screen(painting, reader, &all);
    expected_fill(&painting->expected, &all, rgba);
    paint_destroy(painting, source);
    paint_destroy(painting, backed);
    paint_destroy(painting, reader);
}

/* The same with buffers: vertices go through guest memory. */
static void buffer_written_back(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t backed = paint_handle(painting), reader = paint_handle(painting);
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    paint_upload(painting, &rect, 0, rgba);
    TRACE(&painting->stream, AEROGPU_CREATE_BUFFER, backed, AEROGPU_USAGE_VERTEX, 192, 0,
          PAINT_ALLOCATION, 2048, 0, 0);
    TRACE(&painting->stream, AEROGPU_CREATE_BUFFER, reader, AEROGPU_USAGE_VERTEX, 192, 0,
          PAINT_ALLOCATION, 2048, 0, 0);
    TRACE(&painting->stream, AEROGPU_COPY_BUFFER, backed, PAINT_VERTICES, 0, 0, 0, 0, 192, 0,
          AEROGPU_COPY_WRITEBACK, 0);
    TRACE(&painting->stream, AEROGPU_RESOURCE_DIRTY_RANGE, reader, 0, 0, 0, 192, 0);
    TRACE(&painting->stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, reader, 32, 0, 0);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
    paint_destroy(painting, backed);
    paint_destroy(painting, reader);
}

/* Guest memory is that of this submission, not of the one in which the texture was created. */
static void dirty_range(struct painting *painting)
{
    const struct rect all = {0, 0, SMALL, SMALL};
    uint32_t texture = paint_handle(painting), rgba = paint_colour(painting);

    paint_begin(painting);
    for (size_t i = 0; i < SMALL * SMALL * 4; i++)
        painting->memory[4096 + i] = (uint8_t)(rgba >> (24 - 8 * (i % 4)));
    TRACE(&painting->stream, AEROGPU_CREATE_TEXTURE2D, texture, AEROGPU_USAGE_TEXTURE,
          AEROGPU_R8G8B8A8, SMALL, SMALL, 1, 1, 4 * SMALL, PAINT_ALLOCATION, 4096, 0, 0);
    /* Overwritten, then read again. */
    trace_upload(&painting->stream, texture, 0, painting->memory, SMALL * SMALL * 4);
    TRACE(&painting->stream, AEROGPU_RESOURCE_DIRTY_RANGE, texture, 0, 0, 0, 4 * SMALL * SMALL, 0);
    copy_to_screen(painting, texture, &all);
    expected_fill(&painting->expected, &all, rgba);
    paint_destroy(painting, texture);
}

/* Draws to an alias, destroys the original, and shows the alias. */
static void shared_surface(struct painting *painting)
{
    const struct rect rect = paint_rect(painting), all = paint_all(painting);
    uint32_t original = paint_handle(painting), alias = paint_handle(painting);
    uint32_t token = original + 0x10000;

    paint_begin(painting);
    target_of(painting, original, AEROGPU_R8G8B8A8, 1, 1);
    TRACE(&painting->stream, AEROGPU_EXPORT_SHARED_SURFACE, original, 0, token, 1);
    TRACE(&painting->stream, AEROGPU_IMPORT_SHARED_SURFACE, alias, 0, token, 1);
    paint_targets(painting, alias, 0, 0);
    paint_clear(painting, paint_colour(painting));
    paint_draw(painting, &rect, paint_colour(painting));
    paint_destroy(painting, original);
    TRACE(&painting->stream, AEROGPU_RELEASE_SHARED_SURFACE, token, 1, 0, 0);
    paint_targets(painting, PAINT_SCREEN, 0, PAINT_DEPTH);
    copy_to_screen(painting, alias, &all);
    paint_destroy(painting, alias);
}

/*
 * Linear colours are encoded when they are written to a target, through a view or because of its
 * own format.
 */
static void srgb_target(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t target = paint_handle(painting), view = paint_handle(painting);
    bool whole = paint_below(painting, 2) != 0;
    float corners[6][8];

    paint_begin(painting);
    target_of(painting, target, whole ? AEROGPU_R8G8B8A8_SRGB : AEROGPU_R8G8B8A8, 1, 1);
    TRACE(&painting->stream, AEROGPU_CREATE_TEXTURE_VIEW, view, target, AEROGPU_R8G8B8A8_SRGB, 0, 1,
          0, 1, 0, 0);
    paint_targets(painting, whole ? target : view, 0, 0);
    paint_clear(painting, 0x00FF00FF);
    paint_corners(painting, &rect, 0, 0, 0x000000FF, corners);
    for (int i = 0; i < 6; i++)
        for (int k = 4; k < 7; k++)
            corners[i][k] = 0.25f;
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, 0x898989FF);
    paint_doom(painting, AEROGPU_DESTROY_TEXTURE_VIEW, view);
    paint_doom(painting, AEROGPU_DESTROY_RESOURCE, target);
}

/* Draws to a view of one mip of one layer, and copies it to the screen. */
static void view_target(struct painting *painting)
{
    uint32_t target = paint_handle(painting), view = paint_handle(painting);
    uint32_t width = painting->width / 2, height = painting->height / 2;
    const struct rect half = {0, 0, width, height};
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    target_of(painting, target, AEROGPU_R8G8B8A8, 2, 3);
    TRACE(&painting->stream, AEROGPU_CREATE_TEXTURE_VIEW, view, target, AEROGPU_R8G8B8A8, 1, 1, 2,
          1, 0, 0);
    paint_targets(painting, view, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_VIEWPORT, 0, 0, 0, 0, 0, 0); /* the complete target */
    paint_upload(painting, &(struct rect){0, 0, painting->width, painting->height}, 0, rgba);
    paint_issue(painting, 6);
    TRACE(&painting->stream, AEROGPU_COPY_TEXTURE2D, PAINT_SCREEN, target, 0, 0, 1, 2, 0, 0, 0, 0,
          width, height, 0, 0);
    paint_targets(painting, PAINT_SCREEN, 0, PAINT_DEPTH);
    expected_fill(&painting->expected, &half, rgba);
    TRACE(&painting->stream, AEROGPU_DESTROY_TEXTURE_VIEW, view, 0);
    paint_destroy(painting, target);
}

/* A picture of another size and format */
static void resized(struct painting *painting)
{
    static const uint32_t formats[] = {AEROGPU_R8G8B8A8, AEROGPU_B8G8R8A8, AEROGPU_R8G8B8X8,
                                       AEROGPU_B8G8R8X8};
    uint32_t format = formats[paint_below(painting, COUNT_OF(formats))];
    uint32_t width = 1 + paint_below(painting, 100), height = 1 + paint_below(painting, 60);
    bool opaque = format == AEROGPU_R8G8B8X8 || format == AEROGPU_B8G8R8X8;
    uint32_t target = paint_handle(painting), rgba = paint_colour(painting);

    paint_begin(painting);
    trace_texture(&painting->stream, target, AEROGPU_USAGE_SCANOUT | AEROGPU_USAGE_TARGET, format,
                  width, height, 1, 1);
    paint_targets(painting, target, 0, 0);
    expected_free(&painting->expected);
    expected_init(&painting->expected, width, height);
    paint_clear(painting, opaque ? rgba | 255 : rgba);
    paint_doom(painting, AEROGPU_DESTROY_RESOURCE, target);
}

/* A second target, which is not shown until it is copied to the screen */
static void two_targets(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t other = paint_handle(painting), rgba = paint_colour(painting);
    uint32_t pixel = paint_shader(painting, AEROGPU_PIXEL, 0, shader_two_targets());
    bool second = paint_below(painting, 2) != 0;

    paint_begin(painting);
    target_of(painting, other, AEROGPU_R8G8B8A8, 1, 1);
    paint_targets(painting, PAINT_SCREEN, other, 0);
    paint_clear(painting, paint_colour(painting));
    paint_bind(painting, PAINT_PASS_VERTEX, pixel);
    paint_upload(painting, &rect, 0, rgba);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, second ? rgba : 0xFF0000FF);
    if (second)
        copy_to_screen(painting, other, &(struct rect){0, 0, painting->width, painting->height});
    paint_targets(painting, PAINT_SCREEN, 0, 0);
    paint_destroy_shader(painting, pixel);
    paint_destroy(painting, other);
}

const struct scene_kind paint_data_scenes[] = {
    {.name = "kept", .paint = kept},
    {.name = "partial upload", .paint = partial_upload},
    {.name = "texture format", .paint = texture_format},
    {.name = "addressing", .paint = addressing},
    {.name = "copied texture", .paint = copied_texture},
    {.name = "copied buffer", .paint = copied_buffer},
    {.name = "written back", .paint = written_back, .memory = true},
    {.name = "buffer written back", .paint = buffer_written_back, .memory = true},
    {.name = "dirty range", .paint = dirty_range, .memory = true},
    {.name = "shared surface", .paint = shared_surface},
    {.name = "sRGB target", .paint = srgb_target},
    {.name = "view target", .paint = view_target},
    {.name = "resized", .paint = resized},
    {.name = "two targets", .paint = two_targets},
};
const size_t paint_data_count = COUNT_OF(paint_data_scenes);
