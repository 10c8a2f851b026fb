#include "tree/content.h"

#include <errno.h>

/* All that needs no size. */
static int describe(const struct tree *tree, uint64_t inode, struct tree_target *target,
                    struct tree_attributes *out)
{
    int status = tree_target(tree, inode, target);

    if (status == 0)
        *out = (struct tree_attributes){
            .inode = inode, .kind = target->rule->kind, .live = target->rule->live, .links = 1};
    return status;
}

int tree_attributes(struct tree *tree, uint64_t inode, struct tree_attributes *out)
{
    struct tree_target target;
    int status = describe(tree, inode, &target, out);

    if (status < 0 || target.rule->kind == RULE_DIRECTORY)
        return status;
    return content_known_size(tree, &target, &out->size);
}

int tree_stat(struct tree *tree, uint64_t inode, const struct cancel *cancel,
              struct tree_attributes *out)
{
    struct tree_target target;
    struct cache_key key;
    struct blob *blob = NULL;
    int status = tree_attributes(tree, inode, out);

    if (status != -EAGAIN)
        return status;
    status = describe(tree, inode, &target, out);
    if (status < 0)
        return status;
    key = content_key(tree, &target);
    status = cache_get(tree->cache, key, content_maker(tree, &target, key), tree, cancel, &blob);
    if (status == 0)
        out->size = content_size(tree, &target, blob);
    blob_unref(&blob);
    return tree_error(status);
}

static struct tree_request *request_of(struct cache_request *cache)
{
    return (struct tree_request *)((char *)cache - offsetof(struct tree_request, cache));
}

static void stat_done(struct cache_request *cache, int status, struct blob *blob)
{
    struct tree_request *request = request_of(cache);
    struct tree_target target;

    if (status == 0)
        status = describe(request->tree, request->inode, &target, &request->attributes);
    if (status == 0)
        request->attributes.size = content_size(request->tree, &target, blob);
    blob_unref(&blob);
    tree_request_end(request, status);
}

void tree_ask_stat(struct tree *tree, uint64_t inode, struct tree_request *request)
{
    struct tree_target target;
    struct cache_key key;
    int status = 0;

    request->tree = tree;
    request->inode = inode;
    tree_request_begin(request);
    status = tree_attributes(tree, inode, &request->attributes);
    if (status == -EAGAIN && tree_target(tree, inode, &target) == 0) {
        key = content_key(tree, &target);
        request->cache.done = stat_done;
        cache_ask(tree->cache, key, content_maker(tree, &target, key), tree, &request->cache);
    } else {
        tree_request_end(request, status);
    }
}
