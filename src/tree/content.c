#include "tree/content.h"

#include "tree/listing.h"

#include <errno.h>

/* A promised length that was not kept would cut copies off: better no bytes, and a reason. */
static int check_length(struct tree *tree, const struct tree_target *target, struct blob **made)
{
    uint64_t size = 0;
    int status = target->rule->size(tree->dump, target->key, &size);

    if (status == -EAGAIN || status == -ENODATA || (status == 0 && size == (*made)->size))
        return 0;
    if (status < 0) {
        blob_unref(made);
        return status;
    }
    problems_add(tree->dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "%s of key %llu: %llu bytes were made, %llu announced", target->rule->name,
                 (unsigned long long)target->key, (unsigned long long)(*made)->size,
                 (unsigned long long)size);
    blob_unref(made);
    return -EIO;
}

int content_check_source(const struct dump *dump)
{
    if (!source_is_lost(dump->source))
        return 0;
    problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "the dump's file was shortened while it is mounted: nothing more can be made");
    return -EIO;
}

int content_make(struct tree *tree, const struct tree_target *target, const struct cancel *cancel,
                 struct blob **out)
{
    int status = cancel_requested(cancel) ? -EINTR : 0;

    if (status == 0)
        status = target->rule->make(tree->dump, target->key, cancel, out);
    if (status == 0 && target->rule->size != NULL)
        status = check_length(tree, target, out);
    if (status == 0 && !target->rule->live) {
        status = content_check_source(tree->dump);
        if (status < 0)
            blob_unref(out);
    }
    return status;
}

static int make_item(void *context, struct cache_key key, const struct cancel *cancel,
                     struct blob **out)
{
    struct tree *tree = context;
    struct tree_target target = {.rule = tree->rules.by_id[inode_rule(key.item)],
                                 .key = inode_key(key.item),
                                 .inode = key.item};

    return content_make(tree, &target, cancel, out);
}

/* The quick and the slow. */
static const struct cache_maker item_makers[][CACHE_WORKS] = {
    {
        [CACHE_TEXT] = {.work = CACHE_TEXT, .make = make_item},
        [CACHE_RENDER] = {.work = CACHE_RENDER, .make = make_item},
        [CACHE_INDEX] = {.work = CACHE_INDEX, .make = make_item},
    },
    {
        [CACHE_TEXT] = {.work = CACHE_TEXT, .slow = true, .make = make_item},
        [CACHE_RENDER] = {.work = CACHE_RENDER, .slow = true, .make = make_item},
        [CACHE_INDEX] = {.work = CACHE_INDEX, .slow = true, .make = make_item},
    },
};

const struct cache_maker *content_maker(const struct tree *tree, const struct tree_target *target,
                                        struct cache_key key)
{
    if (listing_of(tree, target->rule) == NULL)
        return &item_makers[target->rule->slow][target->rule->work];
    return key.part == PART_OFFSETS ? &listing_offsets_maker : &listing_piece_maker;
}

const struct cache_maker *content_maker_unhurried(const struct rule *rule)
{
    return &item_makers[true][rule->work];
}

struct cache_key content_key(const struct tree *tree, const struct tree_target *target)
{
    struct cache_key key = {.item = target->inode};

    if (listing_of(tree, target->rule) != NULL)
        key.part = PART_OFFSETS;
    else if (target->rule->version != NULL)
        key.part = target->rule->version(tree->dump, target->key);
    return key;
}

uint64_t content_size(const struct tree *tree, const struct tree_target *target,
                      const struct blob *item)
{
    return listing_of(tree, target->rule) != NULL ? listing_size(item) : item->size;
}

bool content_is_at_hand(const struct tree *tree, const struct tree_target *target)
{
    if (target->rule->id == RULE_PACKET_BIN && tree->dump->ops->packet_bytes != NULL)
        return false;
    return target->rule->uncached || target->rule->kind == RULE_LINK;
}

/* By making the contents, which is cheap. */
static int size_at_hand(struct tree *tree, const struct tree_target *target, uint64_t *size,
                        struct tree_need *need)
{
    struct blob *blob = NULL;
    int status = content_make(tree, target, NULL, &blob);

    if (status == 0)
        *size = blob->size;
    blob_unref(&blob);
    return need_status(status, target->rule->id, target->key, need);
}

int content_known_size(struct tree *tree, const struct tree_target *target, uint64_t *size,
                       struct tree_need *need)
{
    const struct rule *rule = target->rule;
    struct blob *blob = NULL;
    int status = -ENODATA;

    if (rule->size != NULL)
        status = rule->size(tree->dump, target->key, size);
    if (status != -ENODATA)
        return need_status(status, rule->id, target->key, need);
    if (content_is_at_hand(tree, target))
        return size_at_hand(tree, target, size, need);
    need->key = content_key(tree, target);
    need->maker = content_maker(tree, target, need->key);
    blob = cache_peek(tree->cache, need->key);
    if (blob == NULL)
        return -EAGAIN;
    *size = content_size(tree, target, blob);
    blob_unref(&blob);
    return 0;
}
