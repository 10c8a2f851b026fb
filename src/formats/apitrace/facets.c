#include "formats/apitrace/facets.h"

#include <stdlib.h>

uint32_t apitrace_argument_named(const struct apitrace_function *function, const char *name)
{
    for (uint32_t n = 0; n < function->argument_count; n++)
        if (strcmp(function->arguments[n].bytes, name) == 0)
            return n;
    return UINT32_MAX;
}

int apitrace_facets_find(const struct apitrace_index *index, uint64_t max_memory,
                         struct problems *problems, const struct cancel *cancel,
                         struct apitrace_facets *out)
{
    int status;

    *out = (struct apitrace_facets){0};
    status = apitrace_find_shaders(index, max_memory, problems, cancel, out);
    if (status == 0)
        status = apitrace_find_textures(index, max_memory, problems, cancel, out);
    return status;
}

void apitrace_facets_clear(struct apitrace_facets *facets)
{
    free(facets->shaders);
    free(facets->textures);
    apitrace_levels_clear(&facets->levels);
    *facets = (struct apitrace_facets){0};
}
