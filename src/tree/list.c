/*
 * A place in a directory is a number without state behind it: 0 and 1 are `.` and
 * `..`, then the child's slot (from 1) above the smallest ordinal that is still to
 * come. The next place is one more, which carries into the next slot.
 */
#include "tree/internal.h"

#include <errno.h>

struct walk {
    const struct tree *tree;
    struct tree_target directory;
    uint64_t cursor; /* of the next entry */
    tree_emit emit;
    void *context;
};

/* False when the receiver has had enough; the cursor then stays at this entry. */
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

static bool walk_fixed(struct walk *walk, const struct rule *rule)
{
    uint64_t key = walk->directory.key;

    if ((walk->cursor & INODE_KEY_MASK) != 0 || !tree_present(walk->tree, rule, key))
        return true;
    return walk_emit(walk, rule->name, tree_child_inode(rule, key), rule->kind);
}

static bool walk_family(struct walk *walk, const struct rule *rule)
{
    const struct rule_family *family = rule->family;
    struct dump *dump = walk->tree->dump;
    uint64_t slot = walk->cursor & ~INODE_KEY_MASK, parent_key = walk->directory.key;
    uint64_t ordinal = 0, key = 0;
    char name[RULE_NAME_MAX + 1];

    while ((walk->cursor & ~INODE_KEY_MASK) == slot &&
           family->next(dump, parent_key, walk->cursor & INODE_KEY_MASK, &ordinal)) {
        if (ordinal < (walk->cursor & INODE_KEY_MASK) ||
            !inode_member(family->bits, parent_key, ordinal, &key))
            break;
        walk->cursor = slot + ordinal;
        if (family->name(dump, parent_key, ordinal, name) < 0)
            walk->cursor++;
        else if (!walk_emit(walk, name, tree_child_inode(rule, key), rule->kind))
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
        if (rule->family != NULL ? !walk_family(walk, rule) : !walk_fixed(walk, rule))
            return;
    }
    if (walk->cursor < slot << RULE_KEY_BITS)
        walk->cursor = slot << RULE_KEY_BITS;
}

int tree_list(struct tree *tree, uint64_t directory, uint64_t *cursor, tree_emit emit,
              void *context)
{
    struct walk walk = {.tree = tree, .cursor = *cursor, .emit = emit, .context = context};
    int status = tree_target(tree, directory, &walk.directory);

    if (status < 0)
        return status;
    if (walk.directory.rule->kind != RULE_DIRECTORY)
        return -ENOTDIR;
    if (walk_dots(&walk))
        walk_children(&walk);
    *cursor = walk.cursor;
    return 0;
}
