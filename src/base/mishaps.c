/* SPDX-License-Identifier: MIT */
#include "base/mishaps.h"

static _Thread_local unsigned count;

void mishaps_add(void)
{
    count++;
}

unsigned mishaps(void)
{
    return count;
}
