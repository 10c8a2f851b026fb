/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/dump.h"

#include <errno.h>

const struct aerogpu_index *aerogpu_dump_index(const struct aerogpu_dump *dump)
{
    return dump->follower != NULL ? aerogpu_follow_index(dump->follower) : &dump->index;
}

const struct aerogpu_scan *aerogpu_dump_scanned(const struct aerogpu_dump *dump)
{
    return dump->follower != NULL ? aerogpu_follow_scan(dump->follower) : &dump->scan;
}

/* For a trace that grows, whatever is shown has been scanned before. */
int aerogpu_dump_scan(struct aerogpu_dump *dump, const struct cancel *cancel,
                      const struct aerogpu_scan **out)
{
    int status = dump->follower != NULL ? 0 : index_task_wait_all(&dump->pass, cancel);

    *out = status == 0 ? aerogpu_dump_scanned(dump) : NULL;
    return status;
}

const struct aerogpu_scan *aerogpu_dump_peek(struct aerogpu_dump *dump)
{
    return dump->follower != NULL || index_task_knows_all(&dump->pass) ? aerogpu_dump_scanned(dump)
                                                                       : NULL;
}

int aerogpu_has_all(struct dump *dump, uint64_t key)
{
    const struct aerogpu_follower *follower = aerogpu_dump_of(dump)->follower;

    (void)key;
    return follower == NULL || aerogpu_follow_is_whole(follower) ? 0 : -ENOENT;
}
