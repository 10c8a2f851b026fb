/* SPDX-License-Identifier: MIT */
#include "base/transient_failures.h"

static _Thread_local unsigned count;

void transient_failures_add(void)
{
    count++;
}

unsigned transient_failures(void)
{
    return count;
}
