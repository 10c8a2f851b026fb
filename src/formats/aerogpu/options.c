/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/dump.h"

#include "image/picture.h"

#include <inttypes.h>
#include <stdio.h>

static bool parse_size(const char *value, uint32_t *width, uint32_t *height)
{
    char rest = 0;

    return sscanf(value, "%5" SCNu32 "x%5" SCNu32 "%c", width, height, &rest) == 2 && *width >= 1 &&
           *width <= PICTURE_MAX && *height >= 1 && *height <= PICTURE_MAX;
}

static bool is_size(const char *value)
{
    uint32_t width = 0, height = 0;

    return parse_size(value, &width, &height);
}

static const struct option_rule rules[] = {
    {.name = "aerogpu-backbuffer",
     .argument = "WxH",
     .help = "size of pictures while no colour target is bound",
     .standard = "64x64",
     .type = OPTION_TEXT,
     .offset = offsetof(struct aerogpu_options, backbuffer),
     .check = is_size},
    {.name = "aerogpu-time-limit",
     .argument = "SECONDS",
     .help = "time limit of the graphics worker for one step",
     .standard = "10",
     .type = OPTION_COUNT,
     .offset = offsetof(struct aerogpu_options, time_limit),
     .min = 1,
     .max = 3600},
};

static const struct aerogpu_options standard = {.time_limit = 10};

const struct option_table aerogpu_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
};

void aerogpu_options_backbuffer(const struct aerogpu_options *options, uint32_t *width,
                                uint32_t *height)
{
    if (options->backbuffer == NULL || !parse_size(options->backbuffer, width, height))
        *width = *height = AEROGPU_BACK_STANDARD;
}
