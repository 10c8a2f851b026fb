/*
 * Which release's function ids a payload has: that in which every function it
 * calls takes as many arguments as are pushed. Among those that fit, the one with
 * the fewest arguments of another type, then the newest (gapir.md 3.5). Where none
 * fits, the one with the fewest other functions, if it serves any call at all.
 */
#include "formats/gapir/decode/scan.h"

#include <string.h>

/* How badly a table fits; smaller is better. */
struct misfit {
    uint64_t counts; /* functions that it lacks, or whose number of arguments differs */
    uint64_t types;  /* arguments whose type differs */
    bool hopeless;   /* every function is lacking, or takes more than was pushed */
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

static struct misfit judge(const struct gapir_scan *scan, const struct gapir_table *table)
{
    struct misfit misfit = {.hopeless = true};

    for (uint32_t n = 0; n < scan->usage_count; n++)
        if (scan->usages[n].key >> 16 == table->api)
            judge_usage(table, &scan->usages[n], &misfit);
    return misfit;
}

/* "v3.3.1" names the releases of every API, "vulkan_v3.3.1" one of them. */
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

static void choose(struct gapir_scan *scan, unsigned api, const char *wanted)
{
    struct misfit best = {.counts = UINT64_MAX, .types = UINT64_MAX};
    bool is_option = wanted_for(api, wanted);

    for (size_t n = 0; n < gapir_table_count; n++) {
        const struct gapir_table *table = &gapir_tables[n];
        if (table->api != api || (is_option && !named(table, wanted)))
            continue;
        struct misfit misfit = judge(scan, table);
        if (misfit.counts < best.counts ||
            (misfit.counts == best.counts && misfit.types <= best.types)) {
            best = misfit;
            scan->tables[api] = table;
        }
    }
    scan->table_fits[api] = best.counts == 0;
    if (best.hopeless && !is_option)
        scan->tables[api] = NULL;
}

void gapir_scan_choose_tables(struct gapir_scan *scan, const char *wanted)
{
    bool called[GAPIR_APIS] = {false};

    for (uint32_t n = 0; n < scan->usage_count; n++)
        called[scan->usages[n].key >> 16] = true;
    for (unsigned api = 1; api < GAPIR_APIS; api++)
        if (called[api])
            choose(scan, api, wanted);
}

bool gapir_scan_knows_table(const char *name)
{
    for (size_t n = 0; n < gapir_table_count; n++)
        if (named(&gapir_tables[n], name))
            return true;
    return false;
}

const struct gapir_function *gapir_scan_function(const struct gapir_scan *scan, uint32_t word)
{
    const struct gapir_table *table = scan->tables[gapir_call_api(word)];

    return table != NULL ? gapir_table_find(table, gapir_call_function(word)) : NULL;
}
