/* SPDX-License-Identifier: MIT */
#include "worker/breadcrumb.h"

#include "base/fnv.h"

uint64_t breadcrumb_name(const void *bytes, size_t size)
{
    uint64_t name = fnv1a(bytes, size);

    return name == 0 ? 1 : name;
}
