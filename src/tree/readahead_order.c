/* SPDX-License-Identifier: MIT */
/* What follows a picture or a text when a reader takes them in order. */
#include "tree/readahead_parts.h"

#include "tree/internal.h"

enum { FOLDERS = 8 }; /* folders searched for the next text of a family */

bool readahead_next_picture(const struct tree *tree, const struct rule *rule, uint64_t key,
                            uint64_t *next)
{
    return rule->family->next(tree->dump, 0, key + 1, next) == 0;
}

/* Finds the text of the next packet, in any folder. */
static bool find_next_packet(const struct tree *tree, uint64_t key, bool downwards, uint64_t *next)
{
    *next = downwards ? key - 1 : key + 1;
    return *next < tree->dump->ops->packets(tree->dump);
}

/* Finds the next or previous member of a family in the same directory. */
static bool find_beside(const struct tree *tree, const struct rule_family *family, uint64_t key,
                        bool downwards, uint64_t *next)
{
    uint64_t parent_key = inode_parent_key(family->bits, key);
    uint64_t ordinal = inode_ordinal(family->bits, key), found = 0;

    if (downwards && ordinal == 0)
        return false;
    ordinal = downwards ? ordinal - 1 : ordinal + 1;
    if (family->next(tree->dump, parent_key, ordinal, &found) != 0 ||
        (downwards && found != ordinal))
        return false;
    return inode_member(family->bits, parent_key, found, next);
}

/* Returns the nearest directory above a rule that is a member of a family, or NULL. */
static const struct rule *find_numbered(const struct tree *tree, const struct rule *rule)
{
    do {
        if (rule->id == RULE_ROOT)
            return NULL;
        rule = tree->rules.by_id[rule->parent];
    } while (rule->family == NULL);
    return rule;
}

/* Finds the first text in the next few directories. */
static bool find_next_first(const struct tree *tree, const struct rule *rule, uint64_t key,
                            uint64_t *next)
{
    const struct rule *directory = find_numbered(tree, rule);
    uint64_t ordinal;

    if (directory == NULL)
        return false;
    key = inode_parent_key(rule->family->bits, key);
    for (unsigned n = 0; n < FOLDERS; n++) {
        if (!find_beside(tree, directory->family, key, false, &key))
            return false;
        if (rule->family->next(tree->dump, key, 0, &ordinal) == 0)
            return inode_member(rule->family->bits, key, ordinal, next);
    }
    return false;
}

/*
 * Finds the next text of a family: in the same directory, or after its last one in the next
 * directories.
 */
static bool find_next_member(const struct tree *tree, const struct rule *rule, uint64_t key,
                             bool downwards, uint64_t *next)
{
    return find_beside(tree, rule->family, key, downwards, next) ||
           (!downwards && find_next_first(tree, rule, key, next));
}

bool readahead_next_text(const struct tree *tree, const struct rule *rule, uint64_t key,
                         bool downwards, uint64_t *next)
{
    if (rule->id == RULE_PACKET_TXT)
        return find_next_packet(tree, key, downwards, next);
    if (rule->family != NULL)
        return find_next_member(tree, rule, key, downwards, next);
    return find_beside(tree, tree->rules.by_id[rule->parent]->family, key, downwards, next) &&
           (rule->exists == NULL || rule->exists(tree->dump, *next) == 0);
}

bool readahead_next(const struct tree *tree, const struct rule *rule, uint64_t key, bool downwards,
                    uint64_t *next)
{
    if (!readahead_is_pictures(rule))
        return readahead_next_text(tree, rule, key, downwards, next);
    return !downwards && readahead_next_picture(tree, rule, key, next);
}
