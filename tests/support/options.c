/* SPDX-License-Identifier: MIT */
#include "tests/support/options.h"

#include <stddef.h>

static const char *const png_choices[] = {"stored", "small", NULL};

static const struct option_rule rules[] = {
    {.name = "cache",
     .argument = "SIZE",
     .type = OPTION_SIZE,
     .offset = offsetof(struct options, cache),
     .max = UINT64_MAX},
    {.name = "max-memory",
     .argument = "SIZE",
     .type = OPTION_SIZE,
     .offset = offsetof(struct options, max_memory),
     .max = UINT64_MAX},
    {.name = "threads",
     .argument = "N",
     .type = OPTION_COUNT,
     .offset = offsetof(struct options, threads),
     .max = 256},
    {.name = "digits",
     .argument = "N",
     .type = OPTION_COUNT,
     .offset = offsetof(struct options, digits),
     .max = 12},
    {.name = "png",
     .argument = "stored|small",
     .type = OPTION_CHOICE,
     .offset = offsetof(struct options, png),
     .choices = png_choices},
    {.name = "strict", .type = OPTION_FLAG, .offset = offsetof(struct options, strict)},
};

static const struct option_table table = {.rules = rules,
                                          .count = sizeof(rules) / sizeof(rules[0])};

void support_take_common_options(struct options *options)
{
    options->program = &table;
    options->program_values = options;
}
