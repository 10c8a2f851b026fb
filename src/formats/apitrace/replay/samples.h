/*
 * How many samples a pixel of a window or another drawable has, told from the calls that choose
 * configurations, visuals and pixel formats, ask for their attributes, and make contexts
 * and drawables of them (apitrace.md 3.6). One thread at a time.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_SAMPLES_H
#define GPUDUMPFS_APITRACE_REPLAY_SAMPLES_H

#include "formats/apitrace/index/call.h"
#include "formats/apitrace/map.h"

struct apitrace_samples {
    struct apitrace_map known;
};

void apitrace_samples_clear(struct apitrace_samples *samples);

/* Follows a call with APITRACE_CONFIG that was read. 0 or -ENOMEM; so the next. */
int apitrace_samples_follow(struct apitrace_samples *samples, struct apitrace_call *call);

/* The same of one that makes a context. */
int apitrace_samples_context(struct apitrace_samples *samples, struct apitrace_call *call,
                             uint64_t context);

/* Of the drawable that a call makes; 0: none that is known of. */
uint32_t apitrace_samples_made(const struct apitrace_samples *samples, struct apitrace_call *call);

/* Of one that nothing made, but a context is made current with it. The same. */
uint32_t apitrace_samples_met(const struct apitrace_samples *samples, uint64_t drawable,
                              uint64_t context);

#endif
