/* SPDX-License-Identifier: MIT */
#include "cache/follow.h"

#include <stddef.h>

void follow_listen(struct follow *follow, void (*grew)(void *context), void *context)
{
    follow->grew = grew;
    follow->context = context;
}

/* Increments the moment last: what is made at that moment sees all its counts. */
void follow_show(struct follow *follow, uint64_t packets, uint64_t frames, bool ended)
{
    follow->packets = packets;
    follow->frames = frames;
    follow->ended = ended;
    follow->moment++;
    if (follow->grew != NULL)
        follow->grew(follow->context);
}
