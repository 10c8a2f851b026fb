#include "formats/psx/frame/frame.h"

#include "formats/psx/rules.h"

#include <errno.h>
#include <stdlib.h>

int psx_inside_create(const struct psx_dump *dump, struct psx_inside **out)
{
    struct psx_inside *inside = calloc(1, sizeof(*inside));

    if (inside == NULL)
        return -ENOMEM;
    psx_finder_init(&inside->finder);
    psx_players_init(&inside->players, dump);
    psx_recent_textures_init(&inside->recent_textures);
    psx_texture_catalog_init(&inside->catalog, dump);
    *out = inside;
    return 0;
}

void psx_inside_destroy(struct psx_inside **inside, struct cache *cache)
{
    if (*inside == NULL)
        return;
    psx_flips_destroy(&(*inside)->flips);
    psx_texture_catalog_destroy(&(*inside)->catalog, cache);
    psx_recent_textures_destroy(&(*inside)->recent_textures);
    psx_players_destroy(&(*inside)->players);
    psx_finder_destroy(&(*inside)->finder);
    free(*inside);
    *inside = NULL;
}

int psx_inside_counts(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_knows_frame(index, frame) ? 0 : -EAGAIN;
}

int psx_inside_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_wait_frame(index, frame, cancel);
}

int psx_inside_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    struct psx_dump *psx = psx_dump_of(dump);
    const struct psx_frame_counts *counts;
    struct blob *frame_textures = NULL;
    int status;

    switch (rule) {
    case PSX_RULE_ALL_TEXTURES:
    case PSX_RULE_ALL_TEXTURE_PNG:
        return psx_texture_catalog_wait(psx, cancel);
    case PSX_RULE_TEXTURES:
    case PSX_RULE_CLUTS:
        status = psx_frame_textures_get(psx, key, cancel, &frame_textures);
        blob_unref(&frame_textures);
        return status;
    case PSX_RULE_READBACK:
        return psx_index_wait_packet(&psx->index, key, cancel);
    case PSX_RULE_DRAW_PNG:
    case PSX_RULE_DRAW_TOUCHED:
    case PSX_RULE_WITHOUT_PNG:
    case PSX_RULE_WITHOUT_AREA:
    case PSX_RULE_UPLOAD_PNG:
        return psx_inside_wait(dump, frame_of_key(key), cancel, &counts);
    default:
        return psx_inside_wait(dump, key, cancel, &counts);
    }
}
