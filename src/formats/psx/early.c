/* SPDX-License-Identifier: MIT */
/*
 * A long dump that is mounted at once, while its packets are still being walked. As a rule the
 * first thousands of packets, which are walked before the mount, show that there is a Trace begin
 * and a frame, and so which names the root has. Everything else waits for the last packet, since
 * the names of packets and all counts depend on it.
 */
#include "formats/psx/dump.h"

#include <errno.h>

/* Returns 0 for folders that are known to exist; their listings return -EAGAIN themselves. */
int psx_known(struct dump *dump, unsigned rule, uint64_t key)
{
    (void)key;
    if (!psx_index_is_early(&psx_dump_of(dump)->index))
        return 0;
    switch (rule) {
    case RULE_FRAMES:
    case RULE_BY_FRAME:
    case PSX_RULE_VRAM:
        return 0;
    default:
        return -EAGAIN;
    }
}

/* Returns 0 for names in the root, which their rules' functions decide on. */
int psx_known_name(struct dump *dump, unsigned rule, uint64_t key)
{
    switch (rule) {
    case RULE_LATEST:
    case RULE_CONTACT_SHEET:
    case RULE_TIMELINE:
    case RULE_NEAR_FRAMES:
    case RULE_FIND:
    case PSX_RULE_INITIAL:
    case PSX_RULE_ALL_TEXTURES_TSV:
    case PSX_RULE_ALL_TEXTURES:
    case PSX_RULE_ALL_UPLOADS_TSV:
    case PSX_RULE_FLIPS_TSV:
    case PSX_RULE_ALL_STATISTICS:
        return 0;
    default:
        return psx_known(dump, rule, key);
    }
}

int psx_early_picture(const struct psx_index *index, uint64_t from, uint64_t *frame)
{
    *frame = 0;
    return index->has_frame && from == 0 ? 0 : -EAGAIN;
}
