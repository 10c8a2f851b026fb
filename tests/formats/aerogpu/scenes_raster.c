/* SPDX-License-Identifier: MIT */
/* Scenes of which pixels are covered, and what happens to them */
#include "tests/formats/aerogpu/paint.h"

#include "tests/support/support.h"

static void clear(struct painting *painting)
{
    paint_begin(painting);
    /* Neither scissor nor mask affects a CLEAR. */
    TRACE(&painting->stream, AEROGPU_SET_SCISSOR, 1, 1, 2, 2);
    TRACE(&painting->stream, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1);
    paint_clear(painting, paint_colour(painting));
}

static void shaded(struct painting *painting)
{
    paint_begin(painting);
    for (uint32_t i = 1 + paint_below(painting, 4); i > 0; i--) {
        const struct rect rect = paint_rect(painting);

        paint_draw(painting, &rect, paint_colour(painting));
    }
}

/* Two floats of position, four of colour, and no shader */
static void shaderless(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);
    float corners[6][8], packed[6][6];

    paint_begin(painting);
    paint_bind(painting, 0, 0);
    TRACE(&painting->stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, PAINT_VERTICES, 24, 48, 0);
    paint_corners(painting, &rect, 0, 0, rgba, corners);
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            packed[i][k] = corners[i][k < 2 ? k : k + 2];
    trace_upload(&painting->stream, PAINT_VERTICES, 48, packed, sizeof(packed));
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
}

/* Edges through pixel centres: the left and the upper edge are inside, the others are not. */
static void fill_rule(struct painting *painting)
{
    const struct rect rect = {10, 10, 20, 20};
    uint32_t rgba = paint_colour(painting);
    float corners[6][8];

    /* Exact in any arithmetic if the target's width and height are powers of two. */
    if ((painting->width & (painting->width - 1)) != 0 ||
        (painting->height & (painting->height - 1)) != 0) {
        shaded(painting);
        return;
    }
    paint_begin(painting);
    paint_corners(painting, &rect, 0, 0.5f, rgba, corners);
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners, sizeof(corners));
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
}

/* All of clip space is mapped to the viewport. */
static void viewport(struct painting *painting)
{
    const struct rect all = paint_all(painting), rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_VIEWPORT, trace_float((float)rect.left),
          trace_float((float)rect.top), trace_float((float)(rect.right - rect.left)),
          trace_float((float)(rect.bottom - rect.top)), 0, trace_float(1));
    paint_upload(painting, &all, 0, rgba);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
}

static void scissor(struct painting *painting)
{
    const struct rect all = paint_all(painting), rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_SCISSOR, rect.left, rect.top, rect.right - rect.left,
          rect.bottom - rect.top);
    TRACE(&painting->stream, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    paint_upload(painting, &all, 0, rgba);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &rect, rgba);
}

/* Clockwise corners, which are culled depending on which side is the front */
static void culling(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting), cull = paint_below(painting, 3);
    uint32_t counter = paint_below(painting, 2);
    bool front = counter == 0;

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_RASTERIZER_STATE, 0, cull, counter, 0, 0, 0);
    paint_upload(painting, &rect, 0, rgba);
    paint_issue(painting, 6);
    if (cull == AEROGPU_CULL_NONE || (cull == AEROGPU_CULL_BACK) == front)
        expected_fill(&painting->expected, &rect, rgba);
}

/* All edges are outside of the target, so that nothing is seen. */
static void wireframe(struct painting *painting)
{
    static const float far[3][8] = {{-20, 30, 0, 1}, {30, -4, 0, 1}, {-20, -40, 0, 1}};

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_RASTERIZER_STATE, 1, 0, 0, 0, 0, 0);
    trace_upload(&painting->stream, PAINT_VERTICES, 0, far, sizeof(far));
    paint_issue(painting, 3);
}

static void topology(struct painting *painting, uint32_t kind)
{
    TRACE(&painting->stream, AEROGPU_SET_PRIMITIVE_TOPOLOGY, kind, 0);
}

static void strips_and_fans(struct painting *painting)
{
    static const unsigned strip[4] = {0, 1, 2, 4}, fan[4] = {0, 1, 4, 5};
    const struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);
    bool is_fan = paint_below(painting, 2) != 0;
    float corners[6][8];

    paint_begin(painting);
    topology(painting, is_fan ? AEROGPU_TRIANGLE_FAN : AEROGPU_TRIANGLE_STRIP);
    paint_corners(painting, &rect, 0, 0, rgba, corners);
    for (int i = 0; i < 4; i++)
        trace_upload(&painting->stream, PAINT_VERTICES, 32u * (unsigned)i,
                     corners[is_fan ? fan[i] : strip[i]], 32);
    paint_issue(painting, 4);
    expected_fill(&painting->expected, &rect, rgba);
}

/* One pixel each */
static void points(struct painting *painting)
{
    paint_begin(painting);
    topology(painting, AEROGPU_POINT_LIST);
    for (int i = 0; i < 3; i++) {
        struct rect rect = paint_rect(painting);
        uint32_t rgba = paint_colour(painting);
        float corners[6][8];

        rect.right = rect.left + 1;
        rect.bottom = rect.top + 1;
        paint_corners(painting, &rect, 0, 0.5f, rgba, corners);
        trace_upload(&painting->stream, PAINT_VERTICES, 0, corners[0], 32);
        paint_issue(painting, 1);
        expected_fill(&painting->expected, &rect, rgba);
    }
}

/*
 * From pixel centre to pixel centre, without the last pixel; as a list or a strip of two vertices
 */
static void lines(struct painting *painting)
{
    struct rect rect = paint_rect(painting);
    uint32_t rgba = paint_colour(painting);
    float corners[6][8];

    paint_begin(painting);
    topology(painting, paint_below(painting, 2) ? AEROGPU_LINE_LIST : AEROGPU_LINE_STRIP);
    rect.bottom = rect.top + 1;
    paint_corners(painting, &rect, 0, 0.5f, rgba, corners);
    trace_upload(&painting->stream, PAINT_VERTICES, 0, corners[0], 64);
    paint_issue(painting, 2);
    expected_fill(&painting->expected, &rect, rgba);
}

/* Adds colours that cannot overflow, or weights the extremes. */
static void blending(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);
    uint32_t below = paint_colour(painting) & 0x7F7F7F7F;
    uint32_t above = paint_colour(painting) & 0x7F7F7F7F;
    uint32_t zero = trace_float(0), one = trace_float(1);
    uint32_t kind = paint_below(painting, 4);

    paint_begin(painting);
    paint_clear(painting, below);
    if (kind == 0)
        TRACE(&painting->stream, AEROGPU_SET_BLEND_STATE, 1, 1, 1, 0, 15, 1, 1, 0, 0, 0, 0, 0,
              UINT32_MAX);
    if (kind == 1) /* constant: red, alpha of source, others of target */
        TRACE(&painting->stream, AEROGPU_SET_BLEND_STATE, 1, 6, 7, 0, 15, 6, 7, 0, one, zero, zero,
              one, UINT32_MAX);
    if (kind == 2) /* write mask of the target, and minimum */
        TRACE(&painting->stream, AEROGPU_SET_BLEND_STATE, 1, 1, 1, 3, 5, 1, 1, 3, 0, 0, 0, 0,
              UINT32_MAX);
    if (kind == 3) /* no sample is written */
        TRACE(&painting->stream, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, 0);
    paint_upload(painting, &rect, 0, above);
    paint_issue(painting, 6);
    if (kind == 0)
        expected_fill(&painting->expected, &rect, below + above);
    if (kind == 1)
        expected_fill(&painting->expected, &rect, (above & 0xFF0000FF) | (below & 0x00FFFF00));
    if (kind == 2) {
        uint32_t red = (above >> 24) < (below >> 24) ? above : below;
        uint32_t blue = (above & 0xFF00) < (below & 0xFF00) ? above : below;

        expected_fill(&painting->expected, &rect,
                      (red & 0xFF000000) | (blue & 0xFF00) | (below & 0x00FF00FF));
    }
}

/* Draws one plane, then another with a depth comparison. */
static void depth(struct painting *painting)
{
    const struct rect first = paint_rect(painting), second = paint_rect(painting);
    uint32_t one = paint_colour(painting), two = paint_colour(painting);
    uint32_t function = paint_below(painting, 8);
    float z = paint_below(painting, 2) != 0 ? 0.25f : 0.75f;

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, 1, 7, 0, 0xFFFF);
    paint_upload(painting, &first, 0.5f, one);
    paint_issue(painting, 6);
    TRACE(&painting->stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, 1, function, 0, 0xFFFF);
    paint_upload(painting, &second, z, two);
    paint_issue(painting, 6);
    expected_fill(&painting->expected, &first, one);
    for (uint32_t y = second.top; y < second.bottom; y++)
        for (uint32_t x = second.left; x < second.right; x++) {
            const struct rect pixel = {x, y, x + 1, y + 1};
            bool inside = x >= first.left && x < first.right && y >= first.top && y < first.bottom;
            float old = inside ? 0.5f : 1;

            /* Never, less, equal, less or equal, greater, not equal, greater or equal, always. */
            if ((z < old ? function >> 0 & 1 : function >> 2 & 1) != 0)
                expected_fill(&painting->expected, &pixel, two);
        }
}

static void render_state(struct painting *painting, uint32_t number, uint32_t value)
{
    TRACE(&painting->stream, AEROGPU_SET_RENDER_STATE, number, value);
}

/* Writes a stencil value, then draws over where it is equal, or not equal. */
static void stencil(struct painting *painting)
{
    bool equal = paint_below(painting, 2) != 0;
    const struct rect first = paint_rect(painting), all = paint_all(painting);
    uint32_t one = paint_colour(painting), two = paint_colour(painting);

    paint_begin(painting);
    TRACE(&painting->stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 0, 0, 1, 1, 0xFFFF);
    render_state(painting, 53, 1); /* STENCILFAIL: keep */
    render_state(painting, 54, 1);
    render_state(painting, 55, 3); /* STENCILPASS: replace */
    render_state(painting, 56, 8); /* STENCILFUNC: always */
    render_state(painting, 57, 0x5A);
    paint_upload(painting, &first, 0, one);
    paint_issue(painting, 6);
    render_state(painting, 55, 1);
    render_state(painting, 56, equal ? 3 : 6);
    paint_upload(painting, &all, 0, two);
    paint_issue(painting, 6);
    if (!equal)
        expected_fill_all(&painting->expected, two);
    expected_fill(&painting->expected, &first, equal ? two : one);
}

/* Presents twice: what was cleared first is gone. */
static void presented_twice(struct painting *painting)
{
    const struct rect rect = paint_rect(painting);

    paint_begin(painting);
    trace_present(&painting->stream);
    paint_draw(painting, &rect, paint_colour(painting));
    TRACE(&painting->stream, AEROGPU_PRESENT_EX, 1, 0, 0x10, 0);
}

const struct scene_kind paint_raster_scenes[] = {
    {.name = "clear", .paint = clear},
    {.name = "shaded", .paint = shaded},
    {.name = "shaderless", .paint = shaderless},
    {.name = "fill rule", .paint = fill_rule},
    {.name = "viewport", .paint = viewport},
    {.name = "scissor", .paint = scissor},
    {.name = "culling", .paint = culling},
    {.name = "wireframe", .paint = wireframe},
    {.name = "strips and fans", .paint = strips_and_fans},
    {.name = "points", .paint = points},
    {.name = "lines", .paint = lines},
    {.name = "blending", .paint = blending},
    {.name = "depth", .paint = depth},
    {.name = "stencil", .paint = stencil},
    {.name = "presented twice", .paint = presented_twice},
};
const size_t paint_raster_count = COUNT_OF(paint_raster_scenes);
