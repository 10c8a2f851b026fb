/* SPDX-License-Identifier: MIT */
/*
 * Listing a directory. A place (the cursor) is a number, and no state is kept for it. 0 and 1 are
 * the places of `.` and `..`. Any other place consists of a slot, which is the index from 1 of a
 * child rule of the directory, above a key: the smallest ordinal of the family that is still to
 * come, 0 for a fixed name. The next place is one more, which may carry into the next slot.
 *
 *     63          56 55                                  0
 *     +-------------+-------------------------------------+
 *     |    slot     |  smallest ordinal still to come     |
 *     +-------------+-------------------------------------+
 */
#include "tree/internal.h"

#include <errno.h>

struct walk {
    const struct tree *tree;
    struct tree_target directory;
    uint64_t cursor; /* place of the next entry */
    tree_emit emit;
    void *context;
    struct tree_dependency *dependency;
    bool *far;  /* where to store the `far` of the request */
    int status; /* first failure, which ends the walk */
};

/* Returns false if the receiver refuses the entry; the cursor then stays at it. */
static bool walk_emit(struct walk *walk, const char *name, uint64_t inode, enum rule_kind kind)
{
    if (!walk->emit(walk->context, name, inode, kind, walk->cursor + 1))
        return false;
    walk->cursor++;
    return true;
}

static bool walk_dots(struct walk *walk)
{
    if (walk->cursor == 0 && !walk_emit(walk, ".", walk->directory.inode, RULE_DIRECTORY))
        return false;
    return walk->cursor != 1 ||
           walk_emit(walk, "..", tree_parent(walk->tree, &walk->directory), RULE_DIRECTORY);
}

/* Returns false if the walk ends here. */
static bool walk_fixed(struct walk *walk, const struct rule *rule)
{
    uint64_t key = walk->directory.key;

    if ((walk->cursor & INODE_KEY_MASK) != 0)
        return true;
    *walk->far = false;
    walk->status = tree_present(walk->tree, rule, key, walk->dependency);
    if (walk->status == 0)
        return walk_emit(walk, rule->name, tree_child_inode(rule, key), rule->kind);
    if (walk->status != -ENOENT)
        return false;
    walk->status = 0;
    return true;
}

/* Emits the member at the cursor; skips it if it has no name. */
static bool walk_member(struct walk *walk, const struct rule *rule, uint64_t ordinal, uint64_t key)
{
    uint64_t parent_key = walk->directory.key;
    char name[RULE_NAME_MAX + 1];
    int status = rule->family->name(walk->tree->dump, parent_key, ordinal, name);

    if (status == 0)
        return walk_emit(walk, name, tree_child_inode(rule, key), rule->kind);
    if (status == -EAGAIN) {
        walk->status = dependency_prepared(rule->parent, parent_key, walk->dependency);
        return false;
    }
    walk->cursor++;
    return true;
}

static bool walk_family(struct walk *walk, const struct rule *rule)
{
    const struct rule_family *family = rule->family;
    uint64_t slot = walk->cursor & ~INODE_KEY_MASK, parent_key = walk->directory.key;
    uint64_t ordinal = 0, first = 0, key = 0;

    if (family->next(walk->tree->dump, parent_key, 0, &first) != 0)
        first = 0;
    while ((walk->cursor & ~INODE_KEY_MASK) == slot) {
        uint64_t from = walk->cursor & INODE_KEY_MASK;
        int status = family->next(walk->tree->dump, parent_key, from, &ordinal);

        if (status == -ENOENT)
            break;
        if (status < 0) {
            walk->status = dependency_status(status, rule->parent, parent_key, walk->dependency);
            return false;
        }
        if (ordinal < from || !inode_member(family->bits, parent_key, ordinal, &key))
            break;
        walk->cursor = slot + ordinal;
        *walk->far = ordinal - first >= TREE_NEAR;
        if (!walk_member(walk, rule, ordinal, key))
            return false;
    }
    return true;
}

static void walk_children(struct walk *walk)
{
    const struct rule_set *rules = &walk->tree->rules;
    unsigned id = walk->directory.rule->id;
    unsigned first = rules->first[id], count = rules->first[id + 1] - first;
    uint64_t slot = walk->cursor >> RULE_KEY_BITS;

    for (slot = slot == 0 ? 1 : slot; slot <= count; slot++) {
        const struct rule *rule = rules->children[first + slot - 1];

        if (walk->cursor < slot << RULE_KEY_BITS)
            walk->cursor = slot << RULE_KEY_BITS;
        if (rule->unlisted)
            continue;
        if (rule->family != NULL ? !walk_family(walk, rule) : !walk_fixed(walk, rule))
            return;
    }
    if (walk->cursor < slot << RULE_KEY_BITS)
        walk->cursor = slot << RULE_KEY_BITS;
}

/* The cursor is kept in the request, so that a later round does not emit an entry again. */
static int answer_list(struct tree_request *request, struct tree_dependency *dependency)
{
    struct walk walk = {.tree = request->tree,
                        .cursor = request->cursor,
                        .emit = request->emit,
                        .context = request->context,
                        .far = &request->far,
                        .dependency = dependency};
    int status = tree_target(request->tree, request->inode, &walk.directory, dependency);

    if (status < 0)
        return status;
    if (walk.directory.rule->kind != RULE_DIRECTORY)
        return -ENOTDIR;
    if (walk_dots(&walk))
        walk_children(&walk);
    request->cursor = walk.cursor;
    return walk.status;
}

int tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
              void *context)
{
    struct tree_request request = {.tree = tree,
                                   .answer = answer_list,
                                   .inode = directory,
                                   .cursor = *cursor,
                                   .emit = emit,
                                   .context = context};
    int status = tree_request_wait(&request, NULL);

    *cursor = request.cursor;
    return status;
}

void tree_submit_list(struct tree *tree, uint64_t directory, uint64_t cursor, tree_emit emit,
                      void *context, struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_list;
    request->inode = directory;
    request->cursor = cursor;
    request->emit = emit;
    request->context = context;
    tree_request_submit(request);
}
