/* SPDX-License-Identifier: MIT */
/*
 * Which release's function ids a payload has: that in which every function it
 * calls takes as many arguments as are pushed. Among those that fit, the one with
 * the fewest arguments of another type, then the newest (gapir.md 3.5). Where none
 * fits, the one with the fewest other functions, if it serves any call at all. Pure; any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_RELEASE_H
#define GPUDUMPFS_GAPIR_DECODE_RELEASE_H

#include "formats/gapir/decode/decode.h"
#include "formats/gapir/decode/names.h"

#include <stdbool.h>
#include <stdint.h>

/* How the payload calls a function. */
struct gapir_usage {
    uint32_t key;                       /* api << 16 | id */
    uint32_t calls;                     /* sites */
    uint8_t count;                      /* of arguments, at the first site */
    bool varies;                        /* not the same number at every site */
    uint8_t types[GAPIR_ARGUMENTS_MAX]; /* at the first site */
};

enum { GAPIR_APIS = 16 };

/*
 * The table by which the calls of an API are read, of the `count` functions that a payload calls;
 * NULL: none serves. `wanted`: a release for its API, "v3.3.1" or "vulkan_v3.3.1"; NULL: as the
 * calls say. *fits: every function is called with its number of arguments.
 */
const struct gapir_table *gapir_release_choose(unsigned api, const struct gapir_usage *usages,
                                               uint32_t count, const char *wanted, bool *fits);

/* Whether there is a release of this name, for checking an option. */
bool gapir_release_is_known(const char *name);

#endif
