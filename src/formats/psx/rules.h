/*
 * What the PSX format adds to the tree (gpudumpfs-tree(7), psx-dump.md 4.5), as
 * a table.
 */
#ifndef GPUDUMPFS_PSX_RULES_H
#define GPUDUMPFS_PSX_RULES_H

#include "tree/rule.h"

enum psx_rule {
    PSX_RULE_VRAM = RULE_FORMAT_FIRST,
    PSX_RULE_VRAM_BIN,
    PSX_RULE_VRAM_PNG,
    PSX_RULE_READBACKS,
    PSX_RULE_READBACK,
    PSX_RULE_FRAME_VRAM_BIN,
    PSX_RULE_FRAME_VRAM_PNG,
    PSX_RULE_INITIAL,
    PSX_RULE_INITIAL_STATE,
    PSX_RULE_INITIAL_BIN,
    PSX_RULE_INITIAL_PNG,
};

enum { PSX_RULES = 11 };

extern const struct rule psx_rules[PSX_RULES];

#endif
