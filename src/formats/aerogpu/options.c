#include "formats/aerogpu/options.h"

#include "core/picture.h"

#include <inttypes.h>
#include <stdio.h>

static const struct option_rule rules[] = {
    {"aerogpu-backbuffer", "WxH", "size of the picture where commands bind no colour target",
     "64x64", OPTION_TEXT, offsetof(struct aerogpu_options, backbuffer), NULL, 0, 0},
    {"aerogpu-time-limit", "SECONDS", "how long the graphics worker may take for one step", "10",
     OPTION_COUNT, offsetof(struct aerogpu_options, time_limit), NULL, 1, 3600},
};

static const struct aerogpu_options standard = {.time_limit = 10};

const struct option_table aerogpu_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
};

bool aerogpu_options_backbuffer(const struct aerogpu_options *options, uint32_t *width,
                                uint32_t *height)
{
    char rest = 0;

    *width = *height = AEROGPU_BACK_STANDARD;
    if (options->backbuffer == NULL)
        return true;
    return sscanf(options->backbuffer, "%5" SCNu32 "x%5" SCNu32 "%c", width, height, &rest) == 2 &&
           *width >= 1 && *width <= PICTURE_MAX && *height >= 1 && *height <= PICTURE_MAX;
}
