#include "formats/apitrace/index/object_index.h"

#include <stdlib.h>

int apitrace_object_index_find(const struct apitrace_index *index, uint64_t max_memory,
                               struct problems *problems, const struct cancel *cancel,
                               struct apitrace_object_index *out)
{
    int status;

    *out = (struct apitrace_object_index){0};
    status = apitrace_find_shaders(index, max_memory, problems, cancel, out);
    if (status == 0)
        status = apitrace_find_textures(index, max_memory, problems, cancel, out);
    return status;
}

void apitrace_object_index_clear(struct apitrace_object_index *objects)
{
    free(objects->shaders);
    free(objects->textures);
    apitrace_levels_clear(&objects->levels);
    *objects = (struct apitrace_object_index){0};
}
