#include "fuse/patience.h"

enum {
    LOOK_NANOSECONDS = 200000,  /* a client is woken, works, and asks again: 20 to 150 us */
    SOON_NANOSECONDS = 1000000, /* the same, when the reader had to be woken as well */
    FEW = 3,                    /* so many soon, and the next one is expected soon */
    MANY = 16,                  /* so many, and not even one that was late changes that */
};

void patience_init(struct patience *patience, unsigned processors)
{
    *patience = (struct patience){.processors = processors};
}

int64_t patience_now(const struct patience *patience, size_t making)
{
    return patience->dense >= FEW && making + 1 < patience->processors ? LOOK_NANOSECONDS : 0;
}

void patience_learn(struct patience *patience, int64_t gap, int64_t looked)
{
    if (gap > SOON_NANOSECONDS)
        patience->dense = 0;
    else if (looked > 0 && gap > looked)
        patience->dense /= 4;
    else if (patience->dense < MANY)
        patience->dense++;
}
