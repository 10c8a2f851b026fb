/* SPDX-License-Identifier: MIT */
#include "worker/breadcrumb.h"

uint64_t breadcrumb_name(const void *bytes, size_t size)
{
    uint64_t name = 0xCBF29CE484222325;

    for (const uint8_t *byte = bytes; size > 0; size--, byte++)
        name = (name ^ *byte) * 0x100000001B3;
    return name == 0 ? 1 : name;
}
