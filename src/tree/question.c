#include "tree/question.h"

#include "tree/outcome.h"

#include <errno.h>

/* Directories above a file, and the file itself, each prepared once: no path is as deep. */
enum { ROUNDS_MAX = 16 };

int tree_error(int status)
{
    if (status >= 0 || status == -ENOMEM || status == -EINTR || status == -ENOENT)
        return status;
    return -EIO;
}

static int make_prepared(void *context, struct cache_key key, const struct cancel *cancel,
                         struct blob **out)
{
    struct dump *dump = ((struct tree *)context)->dump;
    int status = -EIO;

    if (dump->ops->prepare != NULL)
        status = dump->ops->prepare(dump, inode_rule(key.item), inode_key(key.item), cancel);
    return status < 0 ? status : blob_borrow(NULL, 0, out);
}

static const struct cache_maker prepared_maker = {
    .work = CACHE_INDEX, .fleeting = true, .slow = true, .make = make_prepared};

int need_prepared(unsigned rule, uint64_t key, struct tree_need *need)
{
    need->key = (struct cache_key){.item = inode_pack(rule, key), .part = PART_PREPARED};
    need->maker = &prepared_maker;
    return -EAGAIN;
}

int need_status(int status, unsigned rule, uint64_t key, struct tree_need *need)
{
    return status == -EAGAIN ? need_prepared(rule, key, need) : tree_error(status);
}

bool need_has_contents(const struct tree_need *need, uint64_t inode)
{
    return need->made != NULL && need->maker != &prepared_maker && need->key.item == inode;
}

/* The rule of the inode that a request has come to. */
static const struct rule *rule_of(const struct tree_request *request)
{
    return request->tree->rules.by_id[inode_rule(request->inode)];
}

/* One round: the answer, or -EAGAIN and a need. */
static int answer(struct tree_request *request, struct tree_need *need)
{
    int status = -EINTR;

    if (!atomic_load(&request->forsaken))
        status = request->answer(request, need);
    blob_unref(&need->made);
    if (status == -EAGAIN && ++request->rounds > ROUNDS_MAX)
        status = -EIO;
    if (rule_of(request) != NULL)
        status = outcome_leave(request->tree->dump, rule_of(request), status);
    if (status != 0 && request->opened != NULL)
        tree_close(&request->opened); /* the dump was changed since */
    return status;
}

int question_wait(struct tree_request *request, const struct cancel *cancel)
{
    struct tree *tree = request->tree;
    struct tree_need need = {0};
    int status = 0;

    while ((status = answer(request, &need)) == -EAGAIN) {
        status = cache_get(tree->cache, need.key, need.maker, tree, cancel, &need.made);
        if (status < 0)
            return tree_error(outcome_of(tree->dump, status));
    }
    return status;
}

static void go_on(struct tree_request *request, struct tree_need *need);

static void need_made(struct cache_request *cache, int status, struct blob *blob)
{
    struct tree_request *request =
        (struct tree_request *)((char *)cache - offsetof(struct tree_request, cache));
    struct tree_need need = {.key = cache->key, .maker = cache->maker, .made = blob};

    if (status < 0)
        tree_request_end(request, tree_error(outcome_of(request->tree->dump, status)));
    else
        go_on(request, &need);
}

static void go_on(struct tree_request *request, struct tree_need *need)
{
    struct tree *tree = request->tree;
    int status = answer(request, need);

    if (status != -EAGAIN) {
        tree_request_end(request, status);
        return;
    }
    request->cache.done = need_made;
    cache_ask(tree->cache, need->key, need->maker, tree, &request->cache);
}

void question_ask(struct tree_request *request)
{
    struct tree_need need = {0};

    tree_request_begin(request);
    go_on(request, &need);
}
