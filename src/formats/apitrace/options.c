#include "formats/apitrace/options.h"

#include <stddef.h>

static const struct option_rule rules[] = {
    {.name = "apitrace-time-limit",
     .argument = "SECONDS",
     .help = "how long the graphics worker may take for one call",
     .standard = "10",
     .type = OPTION_COUNT,
     .offset = offsetof(struct apitrace_options, time_limit),
     .min = 1,
     .max = 3600},
};

static const struct apitrace_options standard = {.time_limit = 10};

const struct option_table apitrace_options_table = {
    .rules = rules,
    .count = sizeof(rules) / sizeof(rules[0]),
    .standard = &standard,
    .size = sizeof(standard),
};
