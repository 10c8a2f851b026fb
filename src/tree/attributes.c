/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"

#include "tree/outcome.h"
#include "tree/readahead.h"
#include "tree/told_sizes.h"

#include <errno.h>

/*
 * Returns the time of the dump's file; in a followed dump, pictures and files that grow have times
 * of their own.
 */
static struct timespec time_of(const struct tree *tree, const struct tree_target *target)
{
    const struct dump *dump = tree->dump;
    struct timespec time = dump->source->mtime;
    uint64_t frames, frame;

    if (dump->follow == NULL || (target->rule->id != RULE_FRAME_PNG && !target->rule->grows))
        return time;
    frames = dump->ops->frames(dump);
    if (frames == 0)
        return time;
    frame = target->rule->id == RULE_FRAME_PNG ? target->key : frames - 1;
    time.tv_sec += dump->ops->recording.frame_seconds != NULL
                       ? (time_t)dump->ops->recording.frame_seconds(dump, frame)
                       : (time_t)(frame / 60);
    return time;
}

static void describe_target(const struct tree *tree, const struct tree_target *target,
                            struct tree_attributes *out)
{
    const struct rule *rule = target->rule;

    *out = (struct tree_attributes){.inode = target->inode,
                                    .kind = rule->kind,
                                    .time = time_of(tree, target),
                                    .live = rule->live || (rule->grows && tree_grows(tree)),
                                    .links = 1};
}

/*
 * Returns whether the last dependency has the contents by which to report the size. Once a followed
 * dump has ended, contents made before do not count: they may be shorter than the final file, whose
 * size the kernel keeps.
 */
static bool has_contents(const struct tree *tree, const struct tree_target *target,
                         const struct tree_dependency *dependency, bool live)
{
    return dependency_has_contents(dependency, target->inode) &&
           (live || !rule_has_grown(target->rule, tree->dump) ||
            dependency->key.part == content_key(tree, target).part);
}

/*
 * Returns whether the size must be remembered once it was reported: the file may be open by another
 * name, and its size is known only by making its contents.
 */
static bool has_told_size(const struct tree *tree, const struct tree_target *target)
{
    return tree->rules.shared[target->rule->id] && content_size_is_made(tree, target);
}

enum { TOLD_BEFORE = 1 }; /* the size was reported before: nothing is made to find it */

/*
 * Finds the size; a directory has none. Returns 0, TOLD_BEFORE, -EAGAIN, or the reason why there is
 * no such file.
 */
static int find_size(struct tree *tree, const struct tree_target *target,
                     struct tree_dependency *dependency, struct tree_attributes *out)
{
    int status = 0;

    if (out->kind == RULE_DIRECTORY)
        return 0;
    if (has_contents(tree, target, dependency, out->live))
        out->size = content_size(tree, target, dependency->made);
    else
        status = content_known_size(tree, target, &out->size, dependency);
    if ((status != 0 && status != -EAGAIN) || !has_told_size(tree, target))
        return status;
    if (status == -EAGAIN && told_sizes_find(tree->told, target->inode, &out->size))
        return TOLD_BEFORE;
    if (status == 0)
        told_sizes_add(tree->told, target->inode, out->size);
    return status;
}

/* Stores the attributes; returns as find_size(). */
static int describe(struct tree *tree, uint64_t inode, struct tree_target *target,
                    struct tree_dependency *dependency, struct tree_attributes *out)
{
    int status = tree_target(tree, inode, target, dependency);

    if (status == 0 || (status == -EAGAIN && rule_waits_at_open(target->rule, tree->dump)))
        describe_target(tree, target, out);
    return status < 0 ? status : find_size(tree, target, dependency, out);
}

int answer_stat(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree_target target;
    int status = describe(request->tree, request->inode, &target, dependency, &request->attributes);

    if (status == 0)
        readahead_note_text(request->tree, &target, request->attributes.size, false);
    return status == TOLD_BEFORE ? 0 : status;
}

/*
 * Checks an entry of a listing. Complete listings are checked when they leave the tree, so it is
 * enough here to look for a known change. The root's listing is not checked, since the root always
 * exists, so its entries are.
 */
static int check_entry(struct tree *tree, const struct rule *rule)
{
    if (rule->parent == RULE_ROOT)
        return outcome_leave(tree->dump, rule, 0);
    return dump_has_changed(tree->dump) && !rule->apart ? -EIO : 0;
}

int tree_attributes(struct tree *tree, uint64_t inode, struct tree_attributes *out)
{
    struct tree_target target;
    struct tree_dependency dependency = {0};
    int status;

    *out = (struct tree_attributes){0};
    status = describe(tree, inode, &target, &dependency, out);
    /*
     * If READDIRPLUS has the size of a text that was made ahead, the kernel sends no lookup for the
     * text, so the reader's progress is noted here.
     */
    if (status == 0 && target.rule->ahead && target.rule->size == NULL)
        readahead_note_text(tree, &target, out->size, false);
    return status >= 0 ? check_entry(tree, target.rule) : status;
}

int tree_stat(struct tree *tree, uint64_t inode, const struct cancel *cancel,
              struct tree_attributes *out)
{
    struct tree_request request = {.tree = tree, .answer = answer_stat, .inode = inode};
    int status = tree_request_wait(&request, cancel);

    *out = request.attributes;
    return status;
}

void tree_submit_stat(struct tree *tree, uint64_t inode, struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_stat;
    request->inode = inode;
    tree_request_submit(request);
}

bool tree_size_waits(const struct tree *tree, uint64_t inode)
{
    const struct rule *rule = tree->rules.by_id[inode_rule(inode)];

    return rule != NULL && rule_waits_at_open(rule, tree->dump);
}

void tree_attributes_so_far(struct tree *tree, uint64_t inode, struct tree_attributes *out)
{
    const struct tree_target target = {
        .rule = tree->rules.by_id[inode_rule(inode)], .key = inode_key(inode), .inode = inode};

    describe_target(tree, &target, out);
    out->size = target.rule->size_so_far(tree->dump, target.key);
}
