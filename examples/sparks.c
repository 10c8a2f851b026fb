/* SPDX-License-Identifier: MIT */
/* Sparks: sprites of light that rise from the sea around the cube, and fade. */
#include "scene.h"

enum { SPARKS = 54, LIFE = 90 };

void sparks_draw(struct display_list *list, int frame)
{
    const struct style style = {.texture = &texture_glow, .blend = BLEND_ADD};

    for (int i = 0; i < SPARKS; i++) {
        uint32_t bits = fixed_hash((uint32_t)i + 900);
        int age = (frame + (int)(bits >> 20) % LIFE) % LIFE;
        int angle = (int)(bits & 4095), radius = 60 + (int)(bits >> 12 & 63);
        struct vector place = {
            10 + fixed_wave(radius + age / 3, angle) + fixed_wave(6, age * 60 + angle),
            SEA_LEVEL - age * (70 + (int)(bits >> 8 & 31)) / 64,
            300 + fixed_wave(radius, angle + FIXED_TURN / 4),
        };
        int light = age < 12 ? age * 256 / 12 : (LIFE - age) * 256 / (LIFE - 12);
        int twinkle = 200 + fixed_wave(56, age * 500 + angle), size = age % 3 == 0 ? 8 : 16;
        uint32_t colour = rgb_mix(rgb(255, 190, 90), rgb(255, 90, 190), age, LIFE);
        struct corner corner = scene_project(place);
        corner.x -= size / 2;
        corner.y -= size / 2;
        corner.u = SPARK_U + (SPARK_SIZE - size) / 2;
        corner.v = (SPARK_SIZE - size) / 2;
        corner.colour = rgb_scale(colour, light * twinkle / 512);
        list_rectangle(list, corner, size, size, style);
    }
}
