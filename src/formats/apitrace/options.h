/*
 * The apitrace format's own options.
 */
#ifndef GPUDUMPFS_APITRACE_OPTIONS_H
#define GPUDUMPFS_APITRACE_OPTIONS_H

#include "tree/options.h"

struct apitrace_options {
    unsigned time_limit; /* seconds that the worker may take for one call */
};

extern const struct option_table apitrace_options_table;

/* The values in force. */
static inline const struct apitrace_options *apitrace_options_of(const struct options *options)
{
    return options_values(options, &apitrace_options_table);
}

#endif
