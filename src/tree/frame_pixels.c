/* SPDX-License-Identifier: MIT */
#include "tree/frame_pixels.h"

#include "tree/names.h"

#include <errno.h>

int frame_pixels_get(struct tree *tree, const struct rule *rule, uint64_t key,
                     const struct cancel *cancel, struct picture_pixels *out)
{
    const struct tree_target target = {rule, key, inode_pack(rule->id, key)};
    struct cache_key item = content_key(tree, &target);
    struct blob *file = cache_look(tree->cache, item);
    int status = 0;

    if (file == NULL) {
        status =
            cache_get(tree->cache, item, content_maker(tree, &target, item), tree, cancel, &file);
        if (status == 0)
            cache_drop(tree->cache, item);
    }
    if (status == 0)
        status = picture_decode(file->data, file->size, PICTURE_RGB, out);
    blob_unref(&file);
    return status;
}

int frame_pixels_next(struct dump *dump, uint64_t from, const struct cancel *cancel,
                      uint64_t *frame)
{
    int status = names_next_picture(dump, 0, from, frame);

    if (status != -EAGAIN || dump->ops->readiness.prepare == NULL)
        return status;
    status = dump->ops->readiness.prepare(dump, RULE_FRAMES, 0, cancel);
    return status == 0 ? names_next_picture(dump, 0, from, frame) : status;
}

int frame_pixels_choose(struct dump *dump, unsigned max, uint64_t *frames, unsigned *count)
{
    uint64_t all = dump->ops->frames(dump), frame = 0;

    *count = 0;
    if (all == DUMP_NOT_KNOWN)
        return -EAGAIN;
    for (unsigned i = 0; i < max && i < all; i++) {
        uint64_t wanted = all <= max ? i : i * (all - 1) / (max - 1);
        int status;

        if (*count > 0 && wanted <= frames[*count - 1])
            continue;
        status = names_next_picture(dump, 0, wanted, &frame);
        if (status == -ENOENT)
            break;
        if (status < 0)
            return status;
        frames[(*count)++] = frame;
    }
    return 0;
}
