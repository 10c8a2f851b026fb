/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/release.h"

#include "formats/gapir/decode/static_stack.h"

#include <string.h>

/* How badly a table fits; less is better. */
struct misfit {
    uint64_t counts; /* functions that it lacks, or that take another number of arguments */
    uint64_t types;  /* arguments whose type differs */
    bool hopeless;   /* every function is missing or takes more arguments than were pushed */
};

static bool fits_type(unsigned wanted, unsigned found)
{
    if (found == GAPIR_TYPE_UNKNOWN)
        return true;
    if (wanted == GAPIR_ANY_POINTER)
        return found >= GAPIR_ABSOLUTE_POINTER;
    if (wanted == GAPIR_SIZE)
        return found == GAPIR_UINT64 || found == GAPIR_UINT32;
    return wanted == found;
}

static void judge_usage(const struct gapir_table *table, const struct gapir_usage *usage,
                        struct misfit *misfit)
{
    const struct gapir_function *function = gapir_table_find(table, usage->key & 0xffff);

    if (function != NULL && function->count <= usage->count)
        misfit->hopeless = false;
    if (function == NULL || usage->varies || function->count != usage->count) {
        misfit->counts++;
        return;
    }
    for (unsigned n = 0; n < function->count; n++)
        if (!fits_type(gapir_function_argument(function, n)->type, usage->types[n]))
            misfit->types++;
}

static struct misfit judge(const struct gapir_table *table, const struct gapir_usage *usages,
                           uint32_t count)
{
    struct misfit misfit = {.hopeless = true};

    for (uint32_t n = 0; n < count; n++)
        if (usages[n].key >> 16 == table->api)
            judge_usage(table, &usages[n], &misfit);
    return misfit;
}

/* "v3.3.1" names a release of every API, "vulkan_v3.3.1" that of one API. */
static bool named(const struct gapir_table *table, const char *name)
{
    const char *version = strchr(table->release, '_');

    return strcmp(table->release, name) == 0 || (version != NULL && strcmp(version + 1, name) == 0);
}

static bool wanted_for(unsigned api, const char *name)
{
    for (size_t n = 0; name != NULL && n < gapir_table_count; n++)
        if (gapir_tables[n].api == api && named(&gapir_tables[n], name))
            return true;
    return false;
}

const struct gapir_table *gapir_release_choose(unsigned api, const struct gapir_usage *usages,
                                               uint32_t count, const char *wanted, bool *fits)
{
    struct misfit best = {.counts = UINT64_MAX, .types = UINT64_MAX};
    const struct gapir_table *chosen = NULL;
    bool is_option = wanted_for(api, wanted);

    for (size_t n = 0; n < gapir_table_count; n++) {
        const struct gapir_table *table = &gapir_tables[n];
        if (table->api != api || (is_option && !named(table, wanted)))
            continue;
        struct misfit misfit = judge(table, usages, count);
        if (misfit.counts < best.counts ||
            (misfit.counts == best.counts && misfit.types <= best.types)) {
            best = misfit;
            chosen = table;
        }
    }
    *fits = best.counts == 0;
    return best.hopeless && !is_option ? NULL : chosen;
}

bool gapir_release_is_known(const char *name)
{
    for (size_t n = 0; n < gapir_table_count; n++)
        if (named(&gapir_tables[n], name))
            return true;
    return false;
}
