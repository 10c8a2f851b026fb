/* SPDX-License-Identifier: MIT */
#include "tree/names.h"

#include "tree/internal.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { FRAME_DIGITS = 6, PACKET_DIGITS = 8, DEPTH_MAX = 8 };

unsigned names_digits(uint64_t count, unsigned min)
{
    unsigned digits = 1;

    for (uint64_t last = count == 0 ? 0 : count - 1; last >= 10; last /= 10)
        digits++;
    return digits > min ? digits : min;
}

/*
 * The digits of a dump that is followed, or whose frames become known one by one, do not depend on
 * how many frames come later: names neither wait for these nor change with them.
 */
unsigned tree_frame_digits(const struct dump *dump)
{
    bool counted = dump->follow == NULL && !dump->ops->readiness.frames_early;
    unsigned digits = names_digits(counted ? dump->ops->frames(dump) : 0, FRAME_DIGITS);

    return digits > dump->options->digits ? digits : dump->options->digits;
}

unsigned tree_packet_digits(const struct dump *dump)
{
    return names_digits(dump->follow != NULL ? 0 : dump->ops->packets(dump), PACKET_DIGITS);
}

/* A name that was cut off would not be the requested one. */
static int whole(int length)
{
    return length >= 0 && length <= RULE_NAME_MAX ? 0 : -ENAMETOOLONG;
}

/* Returns whether there is such a frame: 0, -ENOENT or -EAGAIN. */
static int has_frame(struct dump *dump, uint64_t frame)
{
    const struct dump_readiness_ops *readiness = &dump->ops->readiness;
    uint64_t frames = dump->ops->frames(dump);

    if (frames == DUMP_NOT_KNOWN)
        return readiness->known != NULL ? readiness->known(dump, RULE_FRAME, frame) : -EAGAIN;
    return frame < frames ? 0 : -ENOENT;
}

int names_frame(struct dump *dump, uint64_t frame, const char *suffix, char *name)
{
    if (has_frame(dump, frame) == -EAGAIN)
        return -EAGAIN;
    return whole(snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_frame_digits(dump),
                          frame, suffix));
}

int names_packet(struct dump *dump, uint64_t packet, const char *suffix, char *name)
{
    struct dump_packet description = {0};
    int status = dump->ops->packet(dump, packet, &description);

    if (status < 0)
        return status;
    return whole(snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s%s",
                          (int)tree_packet_digits(dump), packet, description.name, suffix));
}

/* Appends the name of a rule and key in the directory of that key. */
static void add_name(const struct tree *tree, const struct rule *rule, uint64_t parent_key,
                     uint64_t key, struct text *path)
{
    char name[RULE_NAME_MAX + 1];

    if (rule->family == NULL ||
        rule->family->name(tree->dump, parent_key, inode_ordinal(rule->family->bits, key), name) !=
            0)
        text_add(path, rule->name);
    else
        text_add(path, name);
}

/* Returns whether the key of a member determines its directory. */
static bool is_placed(const struct tree *tree, const struct rule *rule)
{
    const struct rule *parent = tree->rules.by_id[rule->parent];

    return rule->family == NULL || rule->family->bits != 0 || rule->kind == RULE_DIRECTORY ||
           (parent->parent == RULE_ROOT && parent->family == NULL);
}

static void add_path(const struct tree *tree, const struct rule *rule, uint64_t key, unsigned depth,
                     struct text *path)
{
    uint64_t parent_key = rule->family != NULL ? inode_parent_key(rule->family->bits, key) : key;

    if (is_placed(tree, rule) && depth < DEPTH_MAX && rule->parent != RULE_ROOT) {
        add_path(tree, tree->rules.by_id[rule->parent], parent_key, depth + 1, path);
        text_add_char(path, '/');
    }
    add_name(tree, rule, parent_key, key, path);
}

void names_add_path(const struct tree *tree, const struct rule *rule, uint64_t key,
                    struct text *path)
{
    add_path(tree, rule, key, 0, path);
}

int names_next_frame(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame)
{
    (void)parent_key;
    *frame = from;
    return has_frame(dump, from);
}

int names_has_picture(struct dump *dump, uint64_t frame)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    if (status < 0)
        return status;
    return description.width != 0 && description.height != 0 ? 0 : -ENOENT;
}

int names_next_picture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame)
{
    int status;

    (void)parent_key;
    if (dump->ops->pictures.next != NULL)
        return dump->ops->pictures.next(dump, from, frame);
    for (*frame = from; (status = has_frame(dump, *frame)) == 0; ++*frame) {
        status = names_has_picture(dump, *frame);
        if (status != -ENOENT)
            return status;
    }
    return status;
}
