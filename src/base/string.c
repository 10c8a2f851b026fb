/* SPDX-License-Identifier: MIT */
#include "base/string.h"

#include <string.h>

bool string_begins(const char *string, const char *prefix)
{
    return strncmp(string, prefix, strlen(prefix)) == 0;
}

bool string_ends(const char *string, const char *suffix)
{
    size_t length = strlen(string), end = strlen(suffix);

    return length >= end && strcmp(string + length - end, suffix) == 0;
}

bool string_take_number(const char **at, unsigned base, uint64_t *value)
{
    const char *begin = *at;

    for (*value = 0; **at >= '0' && (unsigned)(**at - '0') < base; (*at)++)
        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, (uint64_t)(**at - '0'), value))
            return false;
    return *at > begin;
}
