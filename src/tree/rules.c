/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include <errno.h>
#include <string.h>

static int rules_add(struct rule_set *set, const struct rule *rules, size_t count, unsigned first)
{
    for (size_t i = 0; i < count; i++) {
        if (rules[i].id < first || set->by_id[rules[i].id] != NULL)
            return -EINVAL;
        set->by_id[rules[i].id] = &rules[i];
    }
    return 0;
}

static bool is_directory(const struct rule *rule)
{
    return rule != NULL && rule->kind == RULE_DIRECTORY;
}

/* Returns whether the rule's parents lead to the root: a cycle of directories would hang a walk. */
static bool reaches_root(const struct rule_set *set, const struct rule *rule)
{
    for (int steps = 0; steps < RULES_MAX; steps++) {
        if (rule->id == RULE_ROOT)
            return true;
        if (!is_directory(set->by_id[rule->parent]))
            return false;
        rule = set->by_id[rule->parent];
    }
    return false;
}

/* A file with two names must keep the size that was reported once (told_sizes.h). */
static bool may_have_alias(const struct rule *rule, enum rule_kind kind)
{
    return rule != NULL && rule->kind == kind && rule->alias == 0 && !rule->live && !rule->grows;
}

static bool is_sound(const struct rule_set *set, const struct rule *rule)
{
    const struct rule_family *family = rule->family;

    if (!reaches_root(set, rule) || (rule->name == NULL && rule->id != RULE_ROOT))
        return false;
    if (family != NULL &&
        (family->next == NULL || family->name == NULL || family->bits > RULE_KEY_BITS))
        return false;
    if (rule->kind == RULE_DIRECTORY)
        return rule->alias == 0;
    if (rule->alias != 0)
        return may_have_alias(set->by_id[rule->alias], rule->kind);
    if (rule->uncached && rule->make == NULL)
        return false;
    if (rule->ahead && family == NULL && set->by_id[rule->parent]->family == NULL)
        return false;
    if (rule->piece != NULL)
        return rule->kind == RULE_FILE && rule->size != NULL && rule->make == NULL;
    return rule->make != NULL ||
           (rule->kind == RULE_FILE && (rule->listing != NULL || rule->common_listing != NULL));
}

static bool is_offered(const struct rule *rule, const struct dump *dump)
{
    if (rule->common_listing != NULL && !dump_listing_exists(rule->common_listing(dump)))
        return false;
    return rule->offered == NULL || rule->offered(dump);
}

/* Removes what this dump does not have: rules, their aliases, and everything below them. */
static void rules_prune(struct rule_set *set, const struct dump *dump)
{
    bool removed = false;

    for (unsigned id = 0; id < RULES_MAX; id++)
        if (set->by_id[id] != NULL && !is_offered(set->by_id[id], dump))
            set->by_id[id] = NULL;
    do {
        removed = false;
        for (unsigned id = 0; id < RULES_MAX; id++) {
            const struct rule *rule = set->by_id[id];

            if (rule == NULL || rule->id == RULE_ROOT ||
                (set->by_id[rule->parent] != NULL &&
                 (rule->alias == 0 || set->by_id[rule->alias] != NULL)))
                continue;
            set->by_id[id] = NULL;
            removed = true;
        }
    } while (removed);
}

static void add_children(struct rule_set *set, const struct rule *rules, size_t count,
                         uint16_t *fill)
{
    for (size_t i = 0; i < count; i++)
        if (set->by_id[rules[i].id] != NULL)
            set->children[fill[rules[i].parent]++] = &rules[i];
}

/* Sorts the rules by parent; the children of one parent stay in the order of the tables. */
static int rules_sort(struct rule_set *set, const struct rule *own, size_t own_count)
{
    uint16_t counts[RULES_MAX] = {0}, fill[RULES_MAX];

    for (unsigned id = 0; id < RULES_MAX; id++)
        if (set->by_id[id] != NULL && ++counts[set->by_id[id]->parent] > RULES_CHILDREN_MAX)
            return -EINVAL;
    for (unsigned id = 0; id < RULES_MAX; id++) {
        fill[id] = set->first[id];
        set->first[id + 1] = (uint16_t)(set->first[id] + counts[id]);
    }
    add_children(set, common_rules, common_rule_count, fill);
    add_children(set, own, own_count, fill);
    return 0;
}

int rules_build(struct rule_set *set, const struct rule *own, size_t own_count,
                const struct dump *dump)
{
    int status = 0;

    memset(set, 0, sizeof(*set));
    status = rules_add(set, common_rules, common_rule_count, RULE_ROOT);
    if (status == 0)
        status = rules_add(set, own, own_count, RULE_FORMAT_FIRST);
    for (unsigned id = 0; id < RULES_MAX && status == 0; id++)
        if (set->by_id[id] != NULL && !is_sound(set, set->by_id[id]))
            status = -EINVAL;
    if (status < 0)
        return status;
    rules_prune(set, dump);
    for (unsigned id = 0; id < RULES_MAX; id++)
        if (set->by_id[id] != NULL && set->by_id[id]->alias != 0)
            set->shared[set->by_id[id]->alias] = true;
    return rules_sort(set, own, own_count);
}
