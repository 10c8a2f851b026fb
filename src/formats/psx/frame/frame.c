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
    psx_surveys_init(&inside->surveys);
    psx_census_init(&inside->census, dump);
    *out = inside;
    return 0;
}

void psx_inside_destroy(struct psx_inside **inside, struct cache *cache)
{
    if (*inside == NULL)
        return;
    psx_flips_destroy(&(*inside)->flips);
    psx_census_destroy(&(*inside)->census, cache);
    psx_surveys_destroy(&(*inside)->surveys);
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
    struct blob *survey = NULL;
    int status;

    switch (rule) {
    case PSX_RULE_ALL_TEXTURES:
    case PSX_RULE_ALL_TEXTURE_PNG:
        return psx_census_wait(psx, cancel);
    case PSX_RULE_TEXTURES:
    case PSX_RULE_CLUTS:
        status = psx_survey_get(psx, key, cancel, &survey);
        blob_unref(&survey);
        return status;
    case PSX_RULE_READBACK:
        return psx_index_wait_packet(&psx->index, key, cancel);
    case PSX_RULE_DRAW_PNG:
    case PSX_RULE_DRAW_TOUCHED:
    case PSX_RULE_WITHOUT_PNG:
    case PSX_RULE_WITHOUT_AREA:
    case PSX_RULE_UPLOAD_PNG:
        return psx_inside_wait(dump, inside_frame(key), cancel, &counts);
    default:
        return psx_inside_wait(dump, key, cancel, &counts);
    }
}
