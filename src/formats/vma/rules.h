/*
 * What the tree of a VMA recording adds to the common part (vma.md 4.3). Constant.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_RULES_H
#define GPUDUMPFS_FORMATS_VMA_RULES_H

#include "tree/rule.h"

enum vma_rule_id {
    VMA_RULE_MEMORY = RULE_FORMAT_FIRST,
    VMA_RULE_TIMELINE,
    VMA_RULE_ALLOCATIONS,
    VMA_RULE_STATISTICS,
    VMA_RULE_LEAKS,
    VMA_RULE_POOLS,
    VMA_RULE_POOL,
    VMA_RULE_POOL_INFO,
    VMA_RULE_POOL_ALLOCATIONS,
    VMA_RULE_AFTER,
    VMA_RULE_AFTER_GROUP,
    VMA_RULE_AFTER_JSON,
    VMA_RULE_AFTER_PNG,
    VMA_RULE_STATS,
    VMA_RULE_DETAILED,
    VMA_RULE_LIVE,
    VMA_RULE_BUDGET,
    VMA_RULE_FRAME_AFTER,
    VMA_RULE_FRAME_AFTER_PNG,
    VMA_RULES_END,
    VMA_RULES = VMA_RULES_END - RULE_FORMAT_FIRST,
};

extern const struct rule vma_rules[VMA_RULES];

/* struct dump_ops' prepare(). */
int vma_prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel);

#endif
