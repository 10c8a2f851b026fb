/* SPDX-License-Identifier: MIT */
/*
 * An opened GFXReconstruct capture, as the files of this folder use it.
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_DUMP_H
#define GPUDUMPFS_GFXRECONSTRUCT_DUMP_H

#include "cache/index_task.h"
#include "formats/gfxreconstruct/index.h"
#include "tree/rule.h"

struct gfxreconstruct_dump {
    struct dump base;
    struct gfxreconstruct_index index;
    struct index_task pass; /* decodes all parameters, to find their problems */
    uint32_t checked;       /* number of packets that the pass has read */
};

static inline struct gfxreconstruct_dump *gfxreconstruct_dump_of(struct dump *dump)
{
    return (struct gfxreconstruct_dump *)dump;
}

static inline const struct gfxreconstruct_index *gfxreconstruct_index_of(const struct dump *dump)
{
    return &((const struct gfxreconstruct_dump *)dump)->index;
}

/* Names in the tree (rules.c). */
enum gfxreconstruct_rule {
    GFXR_RULE_FUNCTIONS = RULE_FORMAT_FIRST,
    GFXR_RULE_SHADERS_TSV,
    GFXR_RULE_SHADERS,
    GFXR_RULE_SHADER,
    GFXR_RULE_MEMORY_TSV,
    GFXR_RULE_MEMORY,
    GFXR_RULE_MEMORY_BIN,
    GFXR_RULE_ANNOTATIONS,
    GFXR_RULE_ANNOTATION,
    GFXR_RULES_END,
    GFXR_RULES = GFXR_RULES_END - RULE_FORMAT_FIRST,
};

extern const struct rule gfxreconstruct_rules[GFXR_RULES];

#endif
