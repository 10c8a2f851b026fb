/* SPDX-License-Identifier: MIT */
#include "fuse/busy_poll.h"

enum {
    /* How long to poll. A client is woken, works, and sends the next request: 20 to 150 us. */
    LOOK_NANOSECONDS = 200000,
    /*
     * A request came soon if it came within this time: it takes longer than above if the reader
     * thread had to be woken as well.
     */
    SOON_NANOSECONDS = 1000000,
    FEW = 3,   /* after this many requests that came soon, the next one is expected soon */
    MANY = 16, /* after this many, a single late one does not change that */
};

void busy_poll_init(struct busy_poll *poll, unsigned processors)
{
    *poll = (struct busy_poll){.processors = processors};
}

int64_t busy_poll_now(const struct busy_poll *poll, size_t making)
{
    return poll->dense >= FEW && making + 1 < poll->processors ? LOOK_NANOSECONDS : 0;
}

void busy_poll_learn(struct busy_poll *poll, int64_t gap, int64_t looked)
{
    if (gap > SOON_NANOSECONDS)
        poll->dense = 0;
    else if (looked > 0 && gap > looked)
        poll->dense /= 4;
    else if (poll->dense < MANY)
        poll->dense++;
}
