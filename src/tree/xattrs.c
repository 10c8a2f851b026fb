/* SPDX-License-Identifier: MIT */
/* Extended attributes: to which frame, packet and so on a file belongs. */
#include "tree/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(struct tree_xattrs *xattrs, const char *name, const char *value, size_t length)
{
    struct tree_xattr *xattr = &xattrs->list[xattrs->count];

    if (length == 0 || length >= sizeof(xattr->value) || xattrs->count == TREE_XATTRS_MAX ||
        tree_xattrs_find(xattrs, name) != NULL)
        return;
    memcpy(xattr->value, value, length);
    xattr->value[length] = '\0';
    xattr->name = name;
    xattrs->count++;
}

static void add_frame(struct dump *dump, uint64_t frame, struct tree_xattrs *xattrs)
{
    struct text time = TEXT_INIT;
    char number[24];

    snprintf(number, sizeof(number), "%llu", (unsigned long long)frame);
    add(xattrs, "frame", number, strlen(number));
    if (dump->ops->recording.frame_time != NULL)
        dump->ops->recording.frame_time(dump, frame, &time);
    if (text_status(&time) == 0 && (time.length != 1 || time.bytes[0] != '-'))
        add(xattrs, "time", time.bytes, time.length);
    text_clear(&time);
}

/* A packet's key does not have the frame of the packet. */
static int add_frame_of_packet(struct dump *dump, uint64_t packet, struct tree_xattrs *xattrs)
{
    struct dump_packet description = {0};
    int status = dump->ops->packet(dump, packet, &description);

    if (status == 0 && description.frame != DUMP_NO_FRAME)
        add_frame(dump, description.frame, xattrs);
    return status;
}

/* Adds the number at the beginning of a member's name, without leading zeros. */
static int add_member(struct dump *dump, const struct rule *rule, uint64_t parent_key,
                      uint64_t ordinal, struct tree_xattrs *xattrs)
{
    char name[RULE_NAME_MAX + 1], *end;
    unsigned long long number;
    int status = rule->family->name(dump, parent_key, ordinal, name);

    if (status < 0)
        return status;
    number = strtoull(name, &end, 10);
    if (strcmp(rule->counts, "frame") == 0) {
        add_frame(dump, number, xattrs);
        return 0;
    }
    snprintf(name, sizeof(name), "%llu", number);
    add(xattrs, rule->counts, name, strlen(name));
    return strcmp(rule->counts, "packet") == 0 ? add_frame_of_packet(dump, number, xattrs) : 0;
}

/* Walks from the file up to the root, and adds what each family on the way counts. */
static int answer_xattrs(struct tree_request *request, struct tree_dependency *dependency)
{
    struct tree *tree = request->tree;
    struct tree_target target = {.rule = NULL};
    int status = tree_target(tree, request->inode, &target, dependency);
    const struct rule *rule = target.rule;
    uint64_t key = target.key;

    *request->xattrs = (struct tree_xattrs){.count = 0};
    if (status < 0 || rule->kind == RULE_LINK)
        return status;
    add(request->xattrs, "format", tree->dump->format, strlen(tree->dump->format));
    for (; rule->id != RULE_ROOT; rule = tree->rules.by_id[rule->parent]) {
        const struct rule_family *family = rule->family;
        uint64_t parent_key;

        if (family == NULL)
            continue;
        parent_key = inode_parent_key(family->bits, key);
        if (rule->counts != NULL)
            status = add_member(tree->dump, rule, parent_key, inode_ordinal(family->bits, key),
                                request->xattrs);
        if (status < 0)
            return dependency_status(status, target.rule->id, target.key, dependency);
        key = parent_key;
        if (family->bits == 0 && rule->kind != RULE_DIRECTORY)
            break; /* its key does not determine its directory */
    }
    return 0;
}

int tree_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out)
{
    struct tree_request request = {
        .tree = tree, .answer = answer_xattrs, .inode = inode, .xattrs = out};

    return tree_request_wait(&request, NULL);
}

void tree_submit_xattrs(struct tree *tree, uint64_t inode, struct tree_xattrs *out,
                        struct tree_request *request)
{
    request->tree = tree;
    request->answer = answer_xattrs;
    request->inode = inode;
    request->xattrs = out;
    tree_request_submit(request);
}

const char *tree_xattrs_find(const struct tree_xattrs *xattrs, const char *name)
{
    for (unsigned i = 0; i < xattrs->count; i++)
        if (strcmp(xattrs->list[i].name, name) == 0)
            return xattrs->list[i].value;
    return NULL;
}
