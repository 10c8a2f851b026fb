/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include "base/string.h"
#include "tree/outcome.h"
#include "tree/told_sizes.h"

#include <errno.h>
#include <string.h>

enum { FOLLOW_MAX = 16 }; /* links followed for one path */

/*
 * Checks whether the dump can answer questions about a file or folder yet: 0, or -EAGAIN and the
 * dependency.
 */
static int is_known(const struct tree *tree, const struct rule *rule, uint64_t key,
                    struct tree_dependency *dependency)
{
    const struct dump_readiness_ops *readiness = &tree->dump->ops->readiness;
    int status = 0;

    if (readiness->known != NULL && !rule->apart)
        status = readiness->known(tree->dump, rule->id, key);
    return dependency_status(status, rule->id, key, dependency);
}

static int is_name_known(const struct tree *tree, const struct rule *rule, uint64_t key,
                         struct tree_dependency *dependency)
{
    const struct dump_readiness_ops *readiness = &tree->dump->ops->readiness;

    if (readiness->known_name == NULL || rule->apart)
        return is_known(tree, rule, key, dependency);
    return dependency_status(readiness->known_name(tree->dump, rule->id, key), rule->id, key,
                             dependency);
}

int tree_present(const struct tree *tree, const struct rule *rule, uint64_t key,
                 struct tree_dependency *dependency)
{
    int status = 0;

    if (rule->exists == NULL)
        return 0;
    status = is_name_known(tree, rule, key, dependency);
    if (status < 0)
        return status;
    status = rule->exists(tree->dump, key);
    return dependency_status(status, rule->parent, key, dependency);
}

static int has_member(const struct tree *tree, const struct rule *rule, uint64_t parent_key,
                      uint64_t ordinal, struct tree_dependency *dependency)
{
    uint64_t found = 0, key = 0;
    int status = rule->family->next(tree->dump, parent_key, ordinal, &found);

    if (status == 0 && found != ordinal)
        return -ENOENT;
    if (status == -EAGAIN && rule->prepare != NULL &&
        inode_member(rule->family->bits, parent_key, ordinal, &key))
        return dependency_prepared(rule->id, key, dependency);
    return dependency_status(status, rule->parent, parent_key, dependency);
}

/* Checks that the member or fixed name of a rule and key exists, and all directories above it. */
static int tree_exists(const struct tree *tree, const struct rule *rule, uint64_t key,
                       struct tree_dependency *dependency)
{
    int status = 0;

    for (; rule->id != RULE_ROOT && status == 0; rule = tree->rules.by_id[rule->parent]) {
        const struct rule_family *family = rule->family;

        if (family == NULL) {
            status = tree_present(tree, rule, key, dependency);
            continue;
        }
        if (family->bits == 0 && rule->kind != RULE_DIRECTORY)
            /*
             * Its key does not contain that of its directory, so its own functions report a wrong
             * ordinal.
             */
            return 0;
        status = has_member(tree, rule, inode_parent_key(family->bits, key),
                            inode_ordinal(family->bits, key), dependency);
        key = inode_parent_key(family->bits, key);
    }
    return status == 0 && key != 0 ? -ENOENT : status;
}

int tree_target(const struct tree *tree, uint64_t inode, struct tree_target *out,
                struct tree_dependency *dependency)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(inode)];
    int status;

    if (rule == NULL || rule->alias != 0)
        return -ENOENT;
    out->rule = rule;
    out->key = inode_key(inode);
    out->inode = inode;
    status = is_known(tree, rule, out->key, dependency);
    return status == 0 ? tree_exists(tree, rule, out->key, dependency) : status;
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

/*
 * Finds the member with the number that the name has; the member's name must then be exactly this
 * name.
 */
static int match_family(const struct tree *tree, const struct rule *rule, uint64_t parent_key,
                        const char *name, uint64_t *key, struct tree_dependency *dependency)
{
    const struct rule_family *family = rule->family;
    const char *digits = name;
    char own_name[RULE_NAME_MAX + 1];
    uint64_t ordinal = 0;
    int status = 0;

    if (family->parse != NULL ? !family->parse(tree->dump, parent_key, name, &ordinal)
                              : !string_take_number(&digits, 10, &ordinal))
        return -ENOENT;
    if (!inode_member(family->bits, parent_key, ordinal, key))
        return -ENOENT;
    status = is_known(tree, rule, *key, dependency);
    if (status == 0)
        status = has_member(tree, rule, parent_key, ordinal, dependency);
    if (status < 0)
        return status;
    status = family->name(tree->dump, parent_key, ordinal, own_name);
    if (status == -EAGAIN)
        return dependency_prepared(rule->parent, parent_key, dependency);
    return status == 0 && strcmp(own_name, name) == 0 ? 0 : -ENOENT;
}

/*
 * If a family does not know yet whether it has the name, the other rules are still tried: one may
 * have the name for certain.
 */
static int lookup_child(const struct tree *tree, const struct tree_target *directory,
                        const char *name, uint64_t *inode, struct tree_dependency *dependency)
{
    const struct rule_set *rules = &tree->rules;
    unsigned id = directory->rule->id;
    int result = -ENOENT;

    for (unsigned i = rules->first[id]; i < rules->first[id + 1]; i++) {
        const struct rule *rule = rules->children[i];
        uint64_t key = directory->key;
        int status = -ENOENT;

        if (rule->family != NULL)
            status = match_family(tree, rule, directory->key, name, &key, dependency);
        else if (strcmp(rule->name, name) == 0)
            status = tree_present(tree, rule, key, dependency);
        if (status == 0) {
            *inode = tree_child_inode(rule, key);
            return 0;
        }
        if (status != -ENOENT)
            result = status;
    }
    return result;
}

/* Resolves the name in the directory request->inode to an inode. */
static int answer_name(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree *tree = request->tree;
    const char *name = request->name;
    struct tree_target directory;
    int status = tree_target(tree, request->inode, &directory, dependency);

    if (status < 0)
        return status;
    if (directory.rule->kind != RULE_DIRECTORY)
        return -ENOTDIR;
    if (strcmp(name, ".") == 0)
        return 0;
    if (strcmp(name, "..") != 0)
        return lookup_child(tree, &directory, name, &request->inode, dependency);
    request->inode = tree_parent(tree, &directory);
    return 0;
}

/* Resolves the name, then answers with the attributes; `name` is NULL once it was found. */
static int answer_lookup(struct tree_request *request, struct tree_dependency *dependency)
{
    int status = 0;

    if (request->name != NULL) {
        status = answer_name(request, dependency);
        if (status < 0)
            return status;
        request->name = NULL;
    }
    status = answer_stat(request, dependency);
    if (status == -EAGAIN && request->attributes.inode == request->inode &&
        !atomic_load(&request->is_named)) {
        request->named = request->attributes;
        atomic_store(&request->is_named, true);
    }
    return status;
}

bool tree_lookup_may_leave_size(const struct tree_request *request)
{
    const struct tree *tree = request->tree;

    return atomic_load(&request->is_named) &&
           !(tree->rules.shared[inode_rule(request->named.inode)] &&
             told_sizes_may_have(tree->told, request->named.inode));
}

int tree_lookup_named(struct tree_request *request, struct tree_attributes *out)
{
    const struct tree *tree = request->tree;

    *out = request->named;
    return outcome_leave(tree->dump, tree->rules.by_id[inode_rule(out->inode)], 0);
}

/* Finds the inode of a name, and waits for it. `inner`: the inode is not given to a reader. */
static int look_up(struct tree *tree, uint64_t directory, const char *name, bool inner,
                   uint64_t *inode)
{
    struct tree_request request = {
        .tree = tree, .answer = answer_name, .inode = directory, .name = name, .inner = inner};
    int status = tree_request_wait(&request, NULL);

    if (status == 0)
        *inode = request.inode;
    return status;
}

int tree_lookup(struct tree *tree, uint64_t directory, const char *name, uint64_t *inode)
{
    return look_up(tree, directory, name, false, inode);
}

void tree_submit_lookup(struct tree *tree, uint64_t directory, const char *name,
                        struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_lookup;
    request->inode = directory;
    request->name = name;
    tree_request_submit(request);
}

/* Takes one step of a path; `inner`: more steps follow. */
static int find_component(struct tree *tree, const char *component, size_t length, bool inner,
                          uint64_t *inode)
{
    char name[RULE_NAME_MAX + 1];

    if (length > RULE_NAME_MAX)
        return -ENAMETOOLONG;
    memcpy(name, component, length);
    name[length] = '\0';
    return look_up(tree, *inode, name, inner, inode);
}

static int find_from(struct tree *tree, uint64_t directory, const char *path, bool follow,
                     unsigned *links, uint64_t *inode);

/* Replaces a link by its target, relative to the directory that holds it. */
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

static bool is_link(const struct tree *tree, uint64_t inode)
{
    return tree->rules.by_id[inode_rule(inode)]->kind == RULE_LINK;
}

static int find_from(struct tree *tree, uint64_t directory, const char *path, bool follow,
                     unsigned *links, uint64_t *inode)
{
    int status = 0;

    *inode = directory;
    for (path += strspn(path, "/"); *path != '\0' && status == 0;) {
        size_t length = strcspn(path, "/");
        const char *rest = path + length + strspn(path + length, "/");
        uint64_t holder = *inode;

        status = find_component(tree, path, length, *rest != '\0', inode);
        path = rest;
        if (status == 0 && is_link(tree, *inode) && (follow || *path != '\0'))
            status = find_target(tree, holder, links, inode);
    }
    return status;
}

int tree_find(struct tree *tree, const char *path, bool follow, uint64_t *inode)
{
    unsigned links = 0;

    return find_from(tree, TREE_ROOT, path, follow, &links, inode);
}
