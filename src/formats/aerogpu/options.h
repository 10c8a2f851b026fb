/*
 * The AeroGPU format's own options.
 */
#ifndef GPUDUMPFS_AEROGPU_OPTIONS_H
#define GPUDUMPFS_AEROGPU_OPTIONS_H

#include "tree/options.h"

enum { AEROGPU_BACK_STANDARD = 64 }; /* width and height of the implicit back buffer */

struct aerogpu_options {
    char *backbuffer;    /* WxH; NULL: not given */
    unsigned time_limit; /* seconds that the worker may take for one request */
};

extern const struct option_table aerogpu_options_table;

/* The values in force. */
static inline const struct aerogpu_options *aerogpu_options_of(const struct options *options)
{
    return options_values(options, &aerogpu_options_table);
}

/* The implicit back buffer's size. */
void aerogpu_options_backbuffer(const struct aerogpu_options *options, uint32_t *width,
                                uint32_t *height);

#endif
