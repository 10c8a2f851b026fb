#include "formats/psx/inside/inside.h"

#include "formats/psx/rules.h"

#include <errno.h>
#include <stdlib.h>

int psx_inside_create(const struct psx_dump *dump, struct psx_inside **out)
{
    struct psx_inside *inside = calloc(1, sizeof(*inside));

    if (inside == NULL)
        return -ENOMEM;
    finder_init(&inside->finder);
    players_init(&inside->players, dump);
    *out = inside;
    return 0;
}

void psx_inside_destroy(struct psx_inside **inside)
{
    if (*inside == NULL)
        return;
    players_destroy(&(*inside)->players);
    finder_destroy(&(*inside)->finder);
    free(*inside);
    *inside = NULL;
}

int psx_inside_counts(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (frame >= index->frame_count)
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_knows_frame(index, frame) ? 0 : -EAGAIN;
}

int psx_inside_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (frame >= index->frame_count)
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_wait_frame(index, frame, cancel);
}

/* Which frame a rule's key is about. */
static uint64_t frame_of(unsigned rule, uint64_t key)
{
    switch (rule) {
    case PSX_RULE_DRAW_PNG:
    case PSX_RULE_DRAW_TOUCHED:
    case PSX_RULE_WITHOUT_PNG:
    case PSX_RULE_WITHOUT_AREA:
        return inside_frame(key);
    default:
        return key;
    }
}

int psx_inside_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    const struct psx_frame_counts *counts;

    return psx_inside_wait(dump, frame_of(rule, key), cancel, &counts);
}
