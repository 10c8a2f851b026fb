#include "tree/content.h"

#include "tree/ahead_texts.h"
#include "tree/outcome.h"

#include <errno.h>

/* The dump file's; of pictures that come while it is followed, and of what grows, their own. */
static struct timespec time_of(const struct tree *tree, const struct tree_target *target)
{
    const struct dump *dump = tree->dump;
    struct timespec time = dump->source->mtime;
    uint64_t frames;
    double seconds;

    if (!dump->followed || dump->ops->frame_seconds == NULL ||
        (target->rule->id != RULE_FRAME_PNG && !target->rule->grows))
        return time;
    frames = dump->ops->frames(dump);
    if (frames == 0)
        return time;
    seconds = dump->ops->frame_seconds(dump, target->rule->id == RULE_FRAME_PNG ? target->key
                                                                                : frames - 1);
    time.tv_sec += (time_t)seconds;
    return time;
}

static int describe(struct tree *tree, uint64_t inode, struct tree_target *target,
                    struct tree_need *need, struct tree_attributes *out)
{
    int status = tree_target(tree, inode, target, need);

    if (status < 0)
        return status;
    *out = (struct tree_attributes){.inode = inode,
                                    .kind = target->rule->kind,
                                    .time = time_of(tree, target),
                                    .live = target->rule->live ||
                                            (target->rule->grows && tree_grows(tree)),
                                    .links = 1};
    if (out->kind == RULE_DIRECTORY)
        return 0;
    if (!need_has_contents(need, inode))
        return content_known_size(tree, target, &out->size, need);
    out->size = content_size(tree, target, need->made);
    return 0;
}

int answer_stat(struct tree_request *request, struct tree_need *need)
{
    struct tree_target target;
    int status = describe(request->tree, request->inode, &target, need, &request->attributes);

    if (status == 0)
        ahead_texts_note(request->tree, &target, request->attributes.size, false);
    return status;
}

/*
 * As an entry of a listing, which is checked when it is complete: but not the root's, which is
 * there in any case.
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
    struct tree_need need = {0};
    int status;

    *out = (struct tree_attributes){0};
    status = describe(tree, inode, &target, &need, out);
    return status == 0 ? check_entry(tree, target.rule) : status;
}

int tree_stat(struct tree *tree, uint64_t inode, const struct cancel *cancel,
              struct tree_attributes *out)
{
    struct tree_request request = {.tree = tree, .answer = answer_stat, .inode = inode};
    int status = question_wait(&request, cancel);

    *out = request.attributes;
    return status;
}

void tree_ask_stat(struct tree *tree, uint64_t inode, struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_stat;
    request->inode = inode;
    question_ask(request);
}
