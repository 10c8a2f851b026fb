/* SPDX-License-Identifier: MIT */
#include "tree/outcome.h"

#include "tree/dump.h"

#include <errno.h>
#include <inttypes.h>

int outcome_check_length(const struct dump *dump, const struct rule *rule, uint64_t key,
                         uint64_t made, uint64_t announced)
{
    if (made == announced)
        return 0;
    problems_add(dump->problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "%s of key %" PRIu64 ": %" PRIu64 " bytes were made, but %" PRIu64 " announced",
                 rule->name, key, made, announced);
    return -EIO;
}

int outcome_of(struct dump *dump, int status)
{
    int changed = status == -EINTR ? 0 : dump_check_files(dump);

    return changed < 0 ? changed : status;
}

int outcome_leave(struct dump *dump, const struct rule *rule, int status)
{
    if (status == -EAGAIN || (status == 0 && rule->apart))
        return status;
    return outcome_of(dump, status);
}
