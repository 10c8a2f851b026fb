/* SPDX-License-Identifier: MIT */
/*
 * Chooses the release whose function ids a payload uses: one in which every function that it calls
 * takes as many arguments as are pushed. Of the releases that fit, the one with the fewest
 * arguments of another type is chosen; of equal ones, the newest (gapir.md 3.5). If none fits, the
 * release with the fewest functions that are missing or take another number of arguments is chosen,
 * unless no call at all can be served. Pure; any thread.
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
    uint32_t calls;                     /* number of call sites */
    uint8_t count;                      /* number of arguments at the first site */
    bool varies;                        /* not all sites have the same number of arguments */
    uint8_t types[GAPIR_ARGUMENTS_MAX]; /* at the first site */
};

enum { GAPIR_APIS = 16 };

/*
 * Returns the table by which the calls of an API are read, or NULL if none serves. `usages` has the
 * `count` functions that the payload calls, of all APIs. `wanted` names a release of the API, as
 * "v3.3.1" or "vulkan_v3.3.1"; if it is NULL or names no release of this API, the calls decide.
 * Sets *fits to whether every function is called with its number of arguments.
 */
const struct gapir_table *gapir_release_choose(unsigned api, const struct gapir_usage *usages,
                                               uint32_t count, const char *wanted, bool *fits);

/* Returns whether there is a release of this name, for checking an option. */
bool gapir_release_is_known(const char *name);

#endif
