/* SPDX-License-Identifier: MIT */
#include "formats/apitrace/decode/texture_targets.h"

#include <stddef.h>

static const struct target {
    uint32_t target;
    const char *name;
    const char *word; /* NULL stands for `other` */
} targets[APITRACE_TARGETS] = {
    {0x0DE0, "1d", "1d"},
    {APITRACE_TARGET_2D, "2d", "2d"},
    {APITRACE_TARGET_3D, "3d", "3d"},
    {0x84F5, "rectangle", "rect"},
    {APITRACE_TARGET_CUBE, "cube", "cube"},
    {APITRACE_TARGET_CUBE_FACE, "cube_positive_x", NULL},
    {0x8516, "cube_negative_x", NULL},
    {0x8517, "cube_positive_y", NULL},
    {0x8518, "cube_negative_y", NULL},
    {0x8519, "cube_positive_z", NULL},
    {0x851A, "cube_negative_z", NULL},
    {APITRACE_TARGET_1D_ARRAY, "1d_array", "1d-array"},
    {APITRACE_TARGET_2D_ARRAY, "2d_array", "2d-array"},
    {0x8C2A, "buffer", NULL},
    {APITRACE_TARGET_CUBE_ARRAY, "cube_array", "cube-array"},
    {0x9100, "2d_multisample", "2d-ms"},
    {APITRACE_TARGET_SAMPLES_ARRAY, "2d_multisample_array", "2d-ms-array"},
    {0x8063, "proxy_1d", NULL},
    {0x8064, "proxy_2d", NULL},
    {0x8070, "proxy_3d", NULL},
    {0x851B, "proxy_cube", NULL},
};

unsigned apitrace_target_place(uint32_t target)
{
    unsigned place = 0;

    while (place < APITRACE_TARGETS && targets[place].target != target)
        place++;
    return place;
}

uint32_t apitrace_target_whole(uint32_t target)
{
    enum { FACES = 6 };

    return target >= APITRACE_TARGET_CUBE_FACE && target < APITRACE_TARGET_CUBE_FACE + FACES
               ? (uint32_t)APITRACE_TARGET_CUBE
               : target;
}

const char *apitrace_target_name(uint32_t target)
{
    unsigned place = apitrace_target_place(target);

    return place < APITRACE_TARGETS ? targets[place].name : NULL;
}

const char *apitrace_target_word(uint32_t target)
{
    unsigned place = apitrace_target_place(target);

    return place < APITRACE_TARGETS && targets[place].word != NULL ? targets[place].word : "other";
}
