/* SPDX-License-Identifier: MIT */
/*
 * The sea: a grid of textured quads in perspective, semi-transparent over the mirrored sky. Its
 * corners rise and fall. Its texture is one small tile, which the texture window repeats. Distant
 * rows use the tile more coarsely, like a mipmap, so that texture coordinates fit in 8 bits.
 */
#include "scene.h"

#include <stdlib.h>

enum { ROWS = 12, COLUMNS = 16, CELL = SCREEN_WIDTH / COLUMNS + 4, NET_LEFT = -32, GLINTS = 70 };

/* Lines of the screen where the rows of the grid begin, counted from the horizon. */
static const int row_lines[ROWS + 1] = {2, 4, 7, 11, 16, 22, 29, 38, 49, 62, 78, 98, 122};

struct node {
    int x, y; /* on the screen */
    int u, v; /* in texels, before they wrap around */
    uint32_t colour;
};

static int clamp(int value, int min, int max)
{
    return value < min ? min : value > max ? max : value;
}

static int distance_of(int line)
{
    return SEA_LEVEL * FOCUS / clamp(line, 3, SCREEN_HEIGHT);
}

/* Returns the sea's height at a position, -FIXED_ONE to FIXED_ONE. */
static int swell(int x, int z, int frame)
{
    return (fixed_sin(x * 14 + z * 9 + scene_angle(frame, 3)) +
            fixed_sin(z * 23 - x * 5 + scene_angle(frame, 4))) /
           2;
}

static struct node net_node(int row, int column, int frame)
{
    int line = row_lines[row], z = distance_of(line);
    int screen_x = NET_LEFT + column * CELL;
    int x = (screen_x - SCREEN_WIDTH / 2 + scene_sway(frame)) * z / FOCUS;
    int height = swell(x, z, frame), lift = height * line / FIXED_ONE / 18;
    uint32_t deep = rgb_mix(rgb(216, 150, 130), rgb(70, 96, 150), clamp(line, 0, 60), 60);
    int warmth = clamp(80 - abs(screen_x - SUN_X), 0, 80) * clamp(110 - line, 0, 110) / 110;
    uint32_t colour = rgb_mix(deep, rgb(255, 196, 130), warmth, 110);

    return (struct node){
        .x = screen_x,
        .y = HORIZON + line - lift,
        .u = x * 2,
        .v = z * 2 + frame * 3 * WATER_SIZE / SCENE_FRAMES,
        .colour = rgb_scale(colour, 236 + height * 70 / FIXED_ONE),
    };
}

/*
 * Halves the texel coordinates until the quad's span fits, then moves it to the beginning of the
 * tile.
 */
static void fit_texture(struct corner *corners, const struct node *const *nodes)
{
    int min_u = nodes[0]->u, max_u = min_u, min_v = nodes[0]->v, max_v = min_v;
    int shift = 0;

    for (int i = 1; i < 4; i++) {
        min_u = nodes[i]->u < min_u ? nodes[i]->u : min_u;
        max_u = nodes[i]->u > max_u ? nodes[i]->u : max_u;
        min_v = nodes[i]->v < min_v ? nodes[i]->v : min_v;
        max_v = nodes[i]->v > max_v ? nodes[i]->v : max_v;
    }
    while ((max_u - min_u) >> shift > 60 || (max_v - min_v) >> shift > 100)
        shift++;
    for (int i = 0; i < 4; i++) {
        corners[i].u = (nodes[i]->u >> shift) - ((min_u >> shift) & ~(WATER_SIZE - 1));
        corners[i].v = (nodes[i]->v >> shift) - ((min_v >> shift) & ~(WATER_SIZE - 1));
    }
}

static void draw_net(struct display_list *list, int frame)
{
    struct node net[ROWS + 1][COLUMNS + 1];
    const struct style style = {.texture = &texture_water, .blend = BLEND_AVERAGE, .gouraud = true};

    for (int row = 0; row <= ROWS; row++)
        for (int column = 0; column <= COLUMNS; column++)
            net[row][column] = net_node(row, column, frame);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            const struct node *const nodes[4] = {&net[row][column], &net[row][column + 1],
                                                 &net[row + 1][column], &net[row + 1][column + 1]};
            struct corner corners[4];
            for (int i = 0; i < 4; i++)
                corners[i] = (struct corner){nodes[i]->x, nodes[i]->y, nodes[i]->colour, 0, 0};
            fit_texture(corners, nodes);
            list_polygon(list, corners, 4, style);
        }
}

/* Draws short flashes on the waves, most of them towards the sun. */
static void draw_glints(struct display_list *list, int frame)
{
    for (int i = 0; i < GLINTS; i++) {
        uint32_t bits = fixed_hash((uint32_t)i + 4000);
        int line = 2 + (int)(bits & 255) * (int)(bits & 255) * 82 / 65536;
        int spread = 10 + line / 2;
        int x = SUN_X + (int)(bits >> 8 & 255) * 2 * spread / 256 - spread;
        int light = fixed_wave(256, scene_angle(frame, 2 + i % 4) + (int)(bits >> 16));
        if (light <= 60)
            continue;
        struct corner glint = {.x = x + fixed_wave(3, scene_angle(frame, 3) + i * 333),
                               .y = HORIZON + line,
                               .colour = rgb_scale(rgb(255, 206, 150), light * 3 / 4)};
        list_rectangle(list, glint, 2 + line / 14, 1, (struct style){.blend = BLEND_ADD});
    }
}

void sea_draw(struct display_list *list, int frame)
{
    list_texture_window(list, WATER_SIZE, WATER_SIZE);
    draw_net(list, frame);
    list_texture_window(list, 256, 256);
    draw_glints(list, frame);
}
