/* SPDX-License-Identifier: MIT */
/* Targets of links. */
#include "tree/internal.h"

#include <errno.h>

static int answer_link(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree *tree = request->tree;
    struct tree_target link;
    int status = tree_target(tree, request->inode, &link, dependency);

    if (status == 0 && link.rule->kind != RULE_LINK)
        return -EINVAL;
    if (status < 0)
        return status;
    status = content_make(tree, &link, NULL, &request->window.blob);
    if (status < 0)
        return dependency_status(status, link.rule->id, link.key, dependency);
    request->window.data = request->window.blob->data;
    request->window.length = request->window.blob->size;
    return 0;
}

int tree_link(struct tree *tree, uint64_t inode, struct text *target)
{
    struct tree_request request = {.tree = tree, .answer = answer_link, .inode = inode};
    int status = tree_request_wait(&request, NULL);

    if (status == 0)
        text_add_bytes(target, (const char *)request.window.data, request.window.length);
    blob_unref(&request.window.blob);
    return status < 0 ? status : text_status(target);
}

void tree_submit_link(struct tree *tree, uint64_t inode, struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_link;
    request->inode = inode;
    tree_request_submit(request);
}
