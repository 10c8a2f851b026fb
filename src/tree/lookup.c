#include "tree/internal.h"

#include "core/bytes.h"

#include <errno.h>
#include <string.h>

enum { FOLLOW_MAX = 16 }; /* links on the way of one path */

bool tree_present(const struct tree *tree, const struct rule *rule, uint64_t key)
{
    if (rule->common_listing != NULL && rule->common_listing(tree->dump)->pieces == NULL)
        return false;
    return rule->exists == NULL || rule->exists(tree->dump, key);
}

static bool has_member(const struct tree *tree, const struct rule_family *family,
                       uint64_t parent_key, uint64_t ordinal)
{
    uint64_t found = 0;

    return family->next(tree->dump, parent_key, ordinal, &found) && found == ordinal;
}

/* Checks a rule and its key, and all the directories above. */
static bool tree_exists(const struct tree *tree, const struct rule *rule, uint64_t key)
{
    for (; rule->id != RULE_ROOT; rule = tree->rules.by_id[rule->parent]) {
        const struct rule_family *family = rule->family;

        if (family == NULL) {
            if (!tree_present(tree, rule, key))
                return false;
            continue;
        }
        if (family->bits == 0 && rule->kind != RULE_DIRECTORY)
            return true; /* where it stands is not in its key: its own functions tell */
        if (!has_member(tree, family, inode_parent_key(family->bits, key),
                        inode_ordinal(family->bits, key)))
            return false;
        key = inode_parent_key(family->bits, key);
    }
    return key == 0;
}

int tree_target(const struct tree *tree, uint64_t inode, struct tree_target *out)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(inode)];

    if (rule == NULL || rule->alias != 0 || !tree_exists(tree, rule, inode_key(inode)))
        return -ENOENT;
    out->rule = rule;
    out->key = inode_key(inode);
    out->inode = inode;
    return 0;
}

uint64_t tree_parent(const struct tree *tree, const struct tree_target *target)
{
    const struct rule *rule = target->rule;

    if (rule->id == RULE_ROOT)
        return TREE_ROOT;
    return inode_pack(tree->rules.by_id[rule->parent]->id,
                      rule->family == NULL ? target->key
                                           : inode_parent_key(rule->family->bits, target->key));
}

uint64_t tree_child_inode(const struct rule *rule, uint64_t key)
{
    return inode_pack(rule->alias != 0 ? rule->alias : rule->id, key);
}

/* The number that a name begins with; false if there is none, or it is too large. */
static bool parse_number(const char *name, uint64_t *number)
{
    uint64_t value = 0;

    if (*name < '0' || *name > '9')
        return false;
    for (; *name >= '0' && *name <= '9'; name++)
        if (!bytes_mul(value, 10, &value) || !bytes_add(value, (uint64_t)(*name - '0'), &value))
            return false;
    *number = value;
    return true;
}

/* The number decides which member it would be; then its name must be this one, all of it. */
static bool match_family(const struct tree *tree, const struct rule_family *family,
                         uint64_t parent_key, const char *name, uint64_t *key)
{
    char own_name[RULE_NAME_MAX + 1];
    uint64_t ordinal = 0;

    if (family->parse != NULL ? !family->parse(tree->dump, parent_key, name, &ordinal)
                              : !parse_number(name, &ordinal))
        return false;
    return inode_member(family->bits, parent_key, ordinal, key) &&
           has_member(tree, family, parent_key, ordinal) &&
           family->name(tree->dump, parent_key, ordinal, own_name) == 0 &&
           strcmp(own_name, name) == 0;
}

static int lookup_child(const struct tree *tree, const struct tree_target *directory,
                        const char *name, uint64_t *inode)
{
    const struct rule_set *rules = &tree->rules;
    unsigned id = directory->rule->id;

    for (unsigned i = rules->first[id]; i < rules->first[id + 1]; i++) {
        const struct rule *rule = rules->children[i];
        uint64_t key = directory->key;

        if (rule->family == NULL ? strcmp(rule->name, name) == 0 && tree_present(tree, rule, key)
                                 : match_family(tree, rule->family, directory->key, name, &key)) {
            *inode = tree_child_inode(rule, key);
            return 0;
        }
    }
    return -ENOENT;
}

int tree_lookup(struct tree *tree, uint64_t directory, const char *name, uint64_t *inode)
{
    struct tree_target target;
    int status = tree_target(tree, directory, &target);

    if (status < 0)
        return status;
    if (target.rule->kind != RULE_DIRECTORY)
        return -ENOTDIR;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
        *inode = name[1] == '.' ? tree_parent(tree, &target) : directory;
        return 0;
    }
    return lookup_child(tree, &target, name, inode);
}

/* One step of a path. */
static int find_component(struct tree *tree, const char *component, size_t length, uint64_t *inode)
{
    char name[RULE_NAME_MAX + 1];

    if (length > RULE_NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(name, component, length);
    name[length] = '\0';
    return tree_lookup(tree, *inode, name, inode);
}

static int find_from(struct tree *tree, uint64_t directory, const char *path, bool follow,
                     unsigned *links, uint64_t *inode);

/* Replaces a link by what it points to, seen from the directory that holds it. */
static int find_target(struct tree *tree, uint64_t directory, unsigned *links, uint64_t *inode)
{
    struct text target = TEXT_INIT;
    int status = 0;

    if (++*links > FOLLOW_MAX)
        return -ELOOP;
    status = tree_link(tree, *inode, &target);
    text_add_char(&target, '\0');
    if (status == 0)
        status = text_status(&target);
    if (status == 0)
        status = find_from(tree, directory, target.bytes, true, links, inode);
    text_clear(&target);
    return status;
}

static int find_from(struct tree *tree, uint64_t directory, const char *path, bool follow,
                     unsigned *links, uint64_t *inode)
{
    int status = 0;

    *inode = directory;
    for (path += strspn(path, "/"); *path != '\0' && status == 0;) {
        size_t length = strcspn(path, "/");
        uint64_t holder = *inode;
        struct tree_target target;

        status = find_component(tree, path, length, inode);
        path += length + strspn(path + length, "/");
        if (status == 0)
            status = tree_target(tree, *inode, &target);
        if (status == 0 && target.rule->kind == RULE_LINK && (follow || *path != '\0'))
            status = find_target(tree, holder, links, inode);
    }
    return status;
}

int tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode)
{
    unsigned links = 0;

    return find_from(tree, TREE_ROOT, path, follow, &links, inode);
}
