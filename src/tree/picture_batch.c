/* SPDX-License-Identifier: MIT */
#include "tree/picture_batch.h"

#include "base/transient_failures.h"
#include "tree/frame_pixels.h"
#include "tree/limits.h"

#include <errno.h>

enum {
    ALL = 100,
    /* Hundredths of the time of a batch that are kept for what is made of the pictures. */
    KEPT = 10,
    SHARE_MIN = 2, /* hundredths of the time of a batch; with less time left, no picture is begun */
    /*
     * A picture gets at most 1/PICTURE_PART of the time of a batch, which is half of what it could
     * take by itself.
     */
    PICTURE_PART = 2 * LIMITS_BATCH_TIMES,
};

void picture_batch_begin(struct picture_batch *batch, struct tree *tree,
                         const struct cancel *cancel)
{
    batch->tree = tree;
    budget_pause(&batch->pause);
    budget_use_begin(&batch->use, &tree->of_batches, cancel, true, 0);
    batch->use.whole = true;
}

int picture_batch_end(struct picture_batch *batch, int status, uint64_t inode)
{
    budget_use_end(&batch->use);
    budget_resume(&batch->pause);
    return budget_use_is_over(&batch->use, status) ? budget_use_tell(&batch->use, inode) : status;
}

bool picture_batch_has_time(unsigned hundredths)
{
    uint64_t of, left = budget_left(&of);

    return of == UINT64_MAX || left / hundredths >= of / ALL;
}

/* Returns how many nanoseconds the next picture may take. */
static uint64_t share(bool last)
{
    uint64_t of, left = budget_left(&of), kept = of / ALL * KEPT;

    left = left > kept ? left - kept : 0;
    left = last ? left : left / 2;
    return left < of / PICTURE_PART ? left : of / PICTURE_PART;
}

int picture_batch_settle(struct tree *tree, const struct cancel *cancel)
{
    struct budget_use part;
    bool late;
    int status;

    if (!picture_batch_has_time(KEPT + SHARE_MIN))
        return -ETIME;
    budget_use_begin_part(&part, cancel, share(false));
    status = tree->dump->ops->settle(tree->dump, &part.cancel);
    late = cancel_is_raised(&part.cancel);
    budget_use_end(&part);
    if (cancel_requested(cancel))
        return -EINTR;
    return status < 0 && late ? -ETIME : status;
}

struct wanted {
    struct tree *tree;
    const struct rule *rule;
    uint64_t key;
    const uint32_t *sides; /* NULL: the complete picture */
};

static int get(const struct wanted *wanted, const struct cancel *cancel, struct picture_pixels *out)
{
    struct tree *tree = wanted->tree;

    if (wanted->sides != NULL)
        return tree->dump->ops->pictures.make_small(tree->dump, wanted->key, wanted->sides[0],
                                                    wanted->sides[1], cancel, out);
    return frame_pixels_get(tree, wanted->rule, wanted->key, cancel, out);
}

static int make(const struct wanted *wanted, bool last, const struct cancel *cancel,
                struct picture_pixels *out)
{
    unsigned before = transient_failures();
    struct budget_use part;
    bool late;
    int status;

    if (!picture_batch_has_time(KEPT + SHARE_MIN))
        return -ETIME;
    budget_use_begin_part(&part, cancel, share(last));
    status = get(wanted, &part.cancel, out);
    late = cancel_is_raised(&part.cancel);
    budget_use_end(&part);
    if (cancel_requested(cancel)) {
        if (status == 0)
            picture_pixels_clear(out);
        return -EINTR;
    }
    if (status < 0 && late)
        return -ETIME;
    return status < 0 && transient_failures() != before ? -EAGAIN : status;
}

int picture_batch_picture(struct tree *tree, const struct rule *rule, uint64_t key, bool last,
                          const struct cancel *cancel, struct picture_pixels *out)
{
    return make(&(struct wanted){.tree = tree, .rule = rule, .key = key}, last, cancel, out);
}

int picture_batch_small(struct tree *tree, uint64_t frame, bool last, const uint32_t sides[2],
                        const struct cancel *cancel, struct picture_pixels *out)
{
    const struct wanted wanted = {.tree = tree,
                                  .rule = tree->rules.by_id[RULE_FRAME_PNG],
                                  .key = frame,
                                  .sides =
                                      tree->dump->ops->pictures.make_small != NULL ? sides : NULL};

    return make(&wanted, last, cancel, out);
}
