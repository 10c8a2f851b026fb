/* SPDX-License-Identifier: MIT */
/*
 * The cube; a ring around it; and gems that travel on the ring. Each face of the cube is cut into 4
 * by 4 quads, lit at every corner, because textures are mapped without perspective. What is farther
 * away than the cube is drawn before it.
 */
#include "scene.h"

enum {
    CUBE_HALF = 38,
    CUBE_DISTANCE = 300,
    PARTS = 4, /* of a face, in each direction */
    RING_RADIUS = 92,
    RING_CORNERS = 48,
    GEMS = 6,
    GEM_SIZE = 8,
};

/* The faces: the directions of u and v, and the outward normal. */
static const struct {
    struct vector u, v, out;
} faces[6] = {
    {{1, 0, 0}, {0, 1, 0}, {0, 0, -1}},  {{-1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}},   {{0, 0, -1}, {0, 1, 0}, {-1, 0, 0}},
    {{1, 0, 0}, {0, 0, -1}, {0, -1, 0}}, {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}},
};

/* How one image of the cube is drawn. */
struct view {
    struct matrix rotation;
    struct vector centre;
    int light;     /* 256 for unchanged */
    bool mirrored; /* in the sea */
};

static struct view view_of(int frame, bool mirrored)
{
    return (struct view){
        .rotation = fixed_rotation(fixed_wave(420, scene_angle(frame, 1)) + 340,
                                   scene_angle(frame, 1), fixed_wave(260, scene_angle(frame, 2))),
        .centre = {10 - scene_sway(frame) / 2, -32 + fixed_wave(5, scene_angle(frame, 2)),
                   CUBE_DISTANCE},
        .light = mirrored ? 150 : 256,
        .mirrored = mirrored,
    };
}

static struct vector scaled(struct vector v, int factor)
{
    return (struct vector){v.x * factor, v.y * factor, v.z * factor};
}

static struct vector sum(struct vector a, struct vector b)
{
    return (struct vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

/*
 * Returns a lit colour: warm light from the sun's side, cool light from the sky, and ambient light.
 */
static uint32_t lit(struct vector normal, uint32_t colour, int light)
{
    const struct vector sun = {-2900, -1300, -2580}, sky = {2300, -2900, -1750};
    int warm = fixed_facing(normal, sun), cool = fixed_facing(normal, sky);
    int r = 46 + warm * 112 / FIXED_ONE + cool * 22 / FIXED_ONE;
    int g = 42 + warm * 84 / FIXED_ONE + cool * 46 / FIXED_ONE;
    int b = 58 + warm * 50 / FIXED_ONE + cool * 84 / FIXED_ONE;

    r = r * (int)(colour & 255) / 128;
    g = g * (int)(colour >> 8 & 255) / 128;
    b = b * (int)(colour >> 16 & 255) / 128;
    return rgb_scale(rgb(r < 255 ? r : 255, g < 255 ? g : 255, b < 255 ? b : 255), light);
}

/* Returns where a point relative to the cube's centre, in eighths of a unit, is on the screen. */
static struct corner seen(const struct view *view, struct vector point)
{
    struct vector turned = fixed_rotate(&view->rotation, point);
    struct vector place = sum(scaled(view->centre, 8), turned);

    if (view->mirrored)
        place.y = 2 * 8 * SEA_LEVEL - place.y;
    return scene_project(place);
}

/* Returns twice the area of a triangle on the screen; positive if its corners are clockwise. */
static int area(struct corner a, struct corner b, struct corner c)
{
    return (b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y);
}

static struct corner face_corner(const struct view *view, int face, int column, int row)
{
    int across = (2 * column - PARTS) * CUBE_HALF * 8 / PARTS;
    int down = (2 * row - PARTS) * CUBE_HALF * 8 / PARTS;
    struct vector point = sum(scaled(faces[face].out, CUBE_HALF * 8),
                              sum(scaled(faces[face].u, across), scaled(faces[face].v, down)));
    /* The normal leans outwards towards the edges, so that the face looks slightly domed. */
    struct vector normal = sum(scaled(faces[face].out, 3700), scaled(point, 3));
    struct vector turned = fixed_rotate(&view->rotation, normal);
    struct corner corner = seen(view, point);

    corner.colour = lit(turned, rgb(128, 128, 128), view->light);
    corner.u = column * (CUBE_SIZE - 1) / PARTS;
    corner.v = row * (CUBE_SIZE - 1) / PARTS;
    return corner;
}

static void draw_face(struct display_list *list, const struct view *view, int face)
{
    struct corner grid[PARTS + 1][PARTS + 1];
    struct style style = {.texture = &texture_cube[face / 2], .blend = BLEND_OFF, .gouraud = true};

    for (int row = 0; row <= PARTS; row++)
        for (int column = 0; column <= PARTS; column++)
            grid[row][column] = face_corner(view, face, column, row);
    int facing = area(grid[0][0], grid[0][PARTS], grid[PARTS][0]);
    if (view->mirrored ? facing >= 0 : facing <= 0)
        return;
    for (int row = 0; row < PARTS; row++)
        for (int column = 0; column < PARTS; column++) {
            struct corner corners[4] = {grid[row][column], grid[row][column + 1],
                                        grid[row + 1][column], grid[row + 1][column + 1]};
            list_polygon(list, corners, 4, style);
        }
}

/* The ring is tilted, and turns in the other direction than the cube. */
static struct view ring_view(int frame, bool mirrored)
{
    struct view view = view_of(frame, mirrored);

    view.rotation = fixed_rotation(FIXED_TURN / 4 - 300, 0, fixed_wave(180, scene_angle(frame, 1)));
    return view;
}

/* Returns a point of the ring. The first half turn is behind the cube. */
static struct vector ring_point(int angle)
{
    return (struct vector){fixed_wave(RING_RADIUS * 8, angle + FIXED_TURN / 4),
                           fixed_wave(RING_RADIUS * 8, angle), 0};
}

static void draw_ring(struct display_list *list, const struct view *view, int frame, bool near)
{
    struct corner corners[RING_CORNERS / 2 + 1];

    for (int i = 0; i <= RING_CORNERS / 2; i++) {
        int angle = i * FIXED_TURN / RING_CORNERS + (near ? FIXED_TURN / 2 : 0);
        int phase = fixed_sin(angle * 2 - scene_angle(frame, 3)) + FIXED_ONE;
        corners[i] = seen(view, ring_point(angle));
        corners[i].colour = rgb_scale(
            rgb_mix(rgb(40, 150, 255), rgb(255, 90, 170), phase, 2 * FIXED_ONE), view->light);
    }
    list_polyline(list, corners, RING_CORNERS / 2 + 1,
                  (struct style){.blend = BLEND_ADD, .gouraud = true});
}

/* Draws an octahedron: six tips, and eight faces by the signs of their directions. */
static void draw_gem(struct display_list *list, const struct view *view, struct vector centre,
                     int angle, uint32_t colour)
{
    struct matrix spin = fixed_rotation(angle, angle * 2, 0);

    for (int face = 0; face < 8; face++) {
        int sx = face & 1 ? 1 : -1, sy = face & 2 ? 1 : -1, sz = face & 4 ? 1 : -1;
        struct vector tips[3] = {
            {sx * GEM_SIZE * 8, 0, 0}, {0, sy * GEM_SIZE * 12, 0}, {0, 0, sz * GEM_SIZE * 8}};
        struct vector normal =
            fixed_rotate(&spin, (struct vector){sx * 2600, sy * 1800, sz * 2600});
        struct corner corners[3];
        for (int i = 0; i < 3; i++) {
            corners[i] = seen(view, sum(centre, fixed_rotate(&spin, tips[i])));
            corners[i].colour = lit(normal, rgb_scale(colour, 200 + 60 * i), view->light);
        }
        int facing = area(corners[0], corners[1], corners[2]) * sx * sy * sz;
        if (view->mirrored ? facing > 0 : facing < 0)
            list_polygon(list, corners, 3, (struct style){.blend = BLEND_OFF, .gouraud = true});
    }
}

static void draw_gems(struct display_list *list, const struct view *view, int frame, bool near)
{
    const uint32_t colours[3] = {rgb(255, 176, 70), rgb(90, 210, 255), rgb(255, 96, 168)};

    for (int i = 0; i < GEMS; i++) {
        int angle = (i * FIXED_TURN / GEMS - scene_angle(frame, 1)) & (FIXED_TURN - 1);
        if ((angle >= FIXED_TURN / 2) == near)
            draw_gem(list, view, ring_point(angle), scene_angle(frame, 3) + i * 500,
                     colours[i % 3]);
    }
}

static void draw_image(struct display_list *list, int frame, bool mirrored)
{
    struct view cube = view_of(frame, mirrored), ring = ring_view(frame, mirrored);

    draw_ring(list, &ring, frame, false);
    draw_gems(list, &ring, frame, false);
    for (int face = 0; face < 6; face++)
        draw_face(list, &cube, face);
    draw_ring(list, &ring, frame, true);
    draw_gems(list, &ring, frame, true);
}

void cube_draw(struct display_list *list, int frame)
{
    draw_image(list, frame, false);
}

void cube_draw_mirrored(struct display_list *list, int frame)
{
    draw_image(list, frame, true);
}
