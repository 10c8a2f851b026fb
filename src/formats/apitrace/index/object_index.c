#include "formats/apitrace/index/object_index.h"

#include <stdlib.h>

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
