/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include "base/bytes.h"
#include "tree/limits.h"
#include "tree/outcome.h"
#include "tree/pieces.h"

#include <errno.h>
#include <inttypes.h>

static int check_announced(struct tree *tree, const struct tree_target *target, uint64_t made)
{
    uint64_t size = 0;
    int status = target->rule->size(tree->dump, target->key, &size);

    if (status == -EAGAIN || status == -ENODATA)
        return 0;
    return status < 0 ? status
                      : outcome_check_length(tree->dump, target->rule, target->key, made, size);
}

/*
 * Checks the result of a maker, a failure as well as contents; a first stage is checked later, with
 * the second one. After a success the dump's files are checked when the result leaves the tree
 * (outcome_leave()).
 */
static int check_made(struct tree *tree, const struct tree_target *target, int status,
                      struct blob **out)
{
    if (status == CACHE_FIRST_STAGE)
        return status;
    if (status < 0)
        return target->rule->apart ? status : outcome_of(tree->dump, status);
    if (target->rule->size != NULL)
        status = check_announced(tree, target, (*out)->size);
    if (status < 0 && !target->rule->apart)
        status = outcome_of(tree->dump, status);
    if (status < 0)
        blob_unref(out);
    return status;
}

int content_make(struct tree *tree, const struct tree_target *target, const struct cancel *cancel,
                 struct blob **out)
{
    int status = cancel_requested(cancel) ? -EINTR : 0;

    if (status == 0)
        status = target->rule->make(tree->dump, target->key, cancel, out);
    return check_made(tree, target, status, out);
}

/* Refuses a file that no handle could hold, before memory is taken for it. */
static int check_room(struct tree *tree, const struct tree_target *target)
{
    const struct dump *dump = tree->dump;
    uint64_t size = 0, max = 0;

    if (target->rule->size == NULL || target->rule->size(tree->dump, target->key, &size) != 0 ||
        !bytes_add(dump->options->cache, TREE_OVERDRAFT, &max) || size <= max)
        return 0;
    problems_add(dump->problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "files of %" PRIu64 " bytes do not fit into memory: read them with a larger "
                 "-o cache",
                 size);
    return -EIO;
}

static struct tree_target target_of(const struct tree *tree, struct cache_key key)
{
    return (struct tree_target){.rule = tree->rules.by_id[inode_rule(key.item)],
                                .key = inode_key(key.item),
                                .inode = key.item};
}

static int make_text(struct tree *tree, const struct tree_target *target,
                     const struct cancel *cancel, struct blob **out)
{
    struct text_allowance allowance = limits_allowance(tree, 0), *before = text_allow(&allowance);
    int status = content_make(tree, target, cancel, out);

    text_allow(before);
    return limits_judge(tree, &allowance, target->inode, status);
}

static int make_item(void *context, struct cache_key key, const struct cancel *cancel,
                     struct blob **out)
{
    struct tree *tree = context;
    struct tree_target target = target_of(tree, key);
    int status = check_room(tree, &target);

    if (status < 0)
        return status;
    if (target.rule->work == CACHE_TEXT && !target.rule->apart)
        return make_text(tree, &target, cancel, out);
    return content_make(tree, &target, cancel, out);
}

static int finish_item(void *context, struct cache_key key, const struct cancel *cancel,
                       const struct blob *stage, struct blob **out)
{
    struct tree *tree = context;
    struct tree_target target = target_of(tree, key);
    int status = target.rule->finish(tree->dump, target.key, cancel, stage, out);

    return check_made(tree, &target, status, out);
}

/* Makers of files that are not slow, and of those that are. */
static const struct cache_maker item_makers[][CACHE_WORKS] = {
    {
        [CACHE_TEXT] = {.work = CACHE_TEXT, .make = make_item, .finish = finish_item},
        [CACHE_RENDER] = {.work = CACHE_RENDER, .make = make_item, .finish = finish_item},
        [CACHE_INDEX] = {.work = CACHE_INDEX, .make = make_item, .finish = finish_item},
    },
    {
        [CACHE_TEXT] = {.work = CACHE_TEXT, .slow = true, .make = make_item, .finish = finish_item},
        [CACHE_RENDER] =
            {.work = CACHE_RENDER, .slow = true, .make = make_item, .finish = finish_item},
        [CACHE_INDEX] =
            {.work = CACHE_INDEX, .slow = true, .make = make_item, .finish = finish_item},
    },
};

/* For files that may say why others failed: they have no limit. */
static const struct cache_maker apart_maker = {
    .work = CACHE_TEXT, .slow = true, .unlimited = true, .make = make_item};

const struct cache_maker *content_maker(const struct tree *tree, const struct tree_target *target,
                                        struct cache_key key)
{
    if (pieces_has(tree, target->rule))
        return pieces_maker(tree, target->rule, key);
    if (target->rule->apart)
        return &apart_maker;
    return &item_makers[target->rule->slow][target->rule->work];
}

const struct cache_maker *content_maker_slow(const struct rule *rule)
{
    return &item_makers[true][rule->work];
}

struct cache_key content_key(const struct tree *tree, const struct tree_target *target)
{
    const struct dump *dump = tree->dump;
    struct cache_key key = {.item = target->inode};

    if (rule_has_grown(target->rule, dump))
        key.part = PART_GROWN | dump->follow->moment;
    else if (pieces_has(tree, target->rule))
        key.part = PART_OFFSETS;
    else if (target->rule->version != NULL)
        key.part = target->rule->version(tree->dump, target->key);
    return key;
}

uint64_t content_size(const struct tree *tree, const struct tree_target *target,
                      const struct blob *item)
{
    return pieces_has(tree, target->rule) ? pieces_size(tree, target->rule, item) : item->size;
}

bool content_is_at_hand(const struct tree *tree, const struct tree_target *target)
{
    if (target->rule->id == RULE_PACKET_BIN && tree->dump->ops->container.packet_bytes != NULL)
        return false;
    return target->rule->uncached || target->rule->kind == RULE_LINK;
}

/* Finds the size by making the contents, which is cheap. */
static int size_at_hand(struct tree *tree, const struct tree_target *target, uint64_t *size,
                        struct tree_dependency *dependency)
{
    struct blob *blob = NULL;
    int status = content_make(tree, target, NULL, &blob);

    if (status == 0)
        *size = blob->size;
    blob_unref(&blob);
    return dependency_status(status, target->rule->id, target->key, dependency);
}

bool content_size_is_made(const struct tree *tree, const struct tree_target *target)
{
    uint64_t size;

    return (target->rule->size == NULL ||
            target->rule->size(tree->dump, target->key, &size) == -ENODATA) &&
           !content_is_at_hand(tree, target);
}

int content_known_size(struct tree *tree, const struct tree_target *target, uint64_t *size,
                       struct tree_dependency *dependency)
{
    const struct rule *rule = target->rule;
    struct blob *blob = NULL;
    int status = -ENODATA;

    if (rule->size != NULL)
        status = rule->size(tree->dump, target->key, size);
    if (status != -ENODATA)
        return dependency_status(status, rule->id, target->key, dependency);
    if (content_is_at_hand(tree, target))
        return size_at_hand(tree, target, size, dependency);
    if (pieces_known_length(tree, rule, target->key, size) == 0)
        return 0;
    dependency->key = content_key(tree, target);
    dependency->maker = content_maker(tree, target, dependency->key);
    blob = cache_peek(tree->cache, dependency->key);
    if (blob == NULL)
        return -EAGAIN;
    *size = content_size(tree, target, blob);
    blob_unref(&blob);
    return 0;
}
