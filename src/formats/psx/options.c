/* SPDX-License-Identifier: MIT */
#include "formats/psx/options.h"

_Static_assert(sizeof(enum psx_field_option) == sizeof(unsigned) &&
                   sizeof(enum psx_gpu_option) == sizeof(unsigned) &&
                   sizeof(enum psx_texel_cache_option) == sizeof(unsigned),
               "choices are parsed as unsigned");

static const char *const field_choices[] = {"auto", "even", "odd", "both", NULL};
static const char *const gpu_choices[] = {"auto", "1", "2", "3", NULL};
static const char *const texel_cache_choices[] = {"on", "off", NULL};

static const struct option_rule rules[] = {
    {"field", "auto|even|odd|both", "the lines that an interlaced 480-line frame draws", "auto",
     OPTION_CHOICE, offsetof(struct psx_options, field), field_choices, 0, 0, NULL},
    {"psx-gpu", "auto|1|2|3", "GPU model: the first, the second, the second with 2 MiB", "auto",
     OPTION_CHOICE, offsetof(struct psx_options, gpu), gpu_choices, 0, 0, NULL},
    {"psx-readback-to", "PATH", "where to append the data that readbacks of a followed dump read",
     "nowhere", OPTION_TEXT, offsetof(struct psx_options, readback_to), NULL, 0, 0, NULL},
    {"psx-texel-cache", "on|off", "sample textures through the GPU's texel cache, or from VRAM",
     "on", OPTION_CHOICE, offsetof(struct psx_options, texel_cache), texel_cache_choices, 0, 0,
     NULL},
};

static const char *const of_mounts[] = {"psx-readback-to", NULL};

static const struct psx_options standard = {.field = PSX_FIELD_AUTO, .gpu = PSX_GPU_OPTION_AUTO};

const struct option_table psx_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
    .of_mounts = of_mounts,
    .outputs = of_mounts,
};
