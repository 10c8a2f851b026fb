/* SPDX-License-Identifier: MIT */
#include "formats/psx/gpu/texel_cache.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

int psx_texel_cache_create(struct psx_texel_cache **out)
{
    *out = calloc(1, sizeof(**out));
    return *out != NULL ? 0 : -ENOMEM;
}

void psx_texel_cache_copy(struct psx_texel_cache *to, const struct psx_texel_cache *from)
{
    memcpy(to, from,
           offsetof(struct psx_texel_cache, notes) + from->count * sizeof(from->notes[0]));
}

void psx_texel_cache_empty(struct psx_texel_cache *cache)
{
    if (cache->is_tagged)
        memset(cache->tags, 0, sizeof(cache->tags));
    cache->is_tagged = false;
    cache->count = 0;
}

void psx_texel_cache_forget(struct psx_texel_cache *cache)
{
    psx_texel_cache_empty(cache);
    cache->reach = (struct psx_texel_reach){0};
}

void psx_texel_cache_load(struct psx_texel_cache *cache, const struct psx_texel_lines *lines)
{
    psx_texel_cache_forget(cache);
    memcpy(cache->tags, lines->tags, sizeof(cache->tags));
    memcpy(cache->lines, lines->lines, sizeof(cache->lines));
    cache->is_tagged = true;
    cache->reach.run = lines->run;
    cache->reach.stale = true;
}

const uint16_t *psx_texel_cache_look(const struct psx_texel_cache *cache, const uint16_t *vram,
                                     uint32_t index, enum psx_depth depth)
{
    uint32_t line = index / PSX_TEXEL_LINE;
    unsigned place = psx_texel_cache_place(line, depth);

    if (!psx_texel_cache_is_stale(cache) || cache->tags[place] != line + 1)
        return vram + index;
    return &cache->lines[place][index % PSX_TEXEL_LINE];
}
