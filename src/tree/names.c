/* SPDX-License-Identifier: MIT */
#include "tree/names.h"

#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { FRAME_DIGITS = 6, PACKET_DIGITS = 8 };

unsigned names_digits(uint64_t count, unsigned min)
{
    unsigned digits = 1;

    for (uint64_t last = count == 0 ? 0 : count - 1; last >= 10; last /= 10)
        digits++;
    return digits > min ? digits : min;
}

unsigned tree_frame_digits(const struct dump *dump)
{
    unsigned digits =
        names_digits(dump->follow != NULL ? 0 : dump->ops->frames(dump), FRAME_DIGITS);

    return digits > dump->options->digits ? digits : dump->options->digits;
}

unsigned tree_packet_digits(const struct dump *dump)
{
    return names_digits(dump->follow != NULL ? 0 : dump->ops->packets(dump), PACKET_DIGITS);
}

/* A name that is cut off would not be the one that was asked for. */
static int whole(int length)
{
    return length >= 0 && length <= RULE_NAME_MAX ? 0 : -ENAMETOOLONG;
}

int names_frame(const struct dump *dump, uint64_t frame, const char *suffix, char *name)
{
    if (dump->ops->frames(dump) == DUMP_NOT_KNOWN)
        return -EAGAIN;
    return whole(snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "%s", (int)tree_frame_digits(dump),
                          frame, suffix));
}

int names_packet(struct dump *dump, uint64_t packet, const char *suffix, char *name)
{
    struct dump_packet description = {0};
    int status = dump->ops->packet(dump, packet, &description);

    if (status < 0)
        return status;
    return whole(snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64 "-%s%s",
                          (int)tree_packet_digits(dump), packet, description.name, suffix));
}

int names_next_frame(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame)
{
    uint64_t frames = dump->ops->frames(dump);

    (void)parent_key;
    *frame = from;
    if (frames == DUMP_NOT_KNOWN)
        return -EAGAIN;
    return from < frames ? 0 : -ENOENT;
}

int names_has_picture(struct dump *dump, uint64_t frame)
{
    struct dump_frame description = {0};
    int status = dump->ops->frame(dump, frame, &description);

    if (status < 0)
        return status;
    return description.width != 0 && description.height != 0 ? 0 : -ENOENT;
}

int names_next_picture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *frame)
{
    uint64_t frames = dump->ops->frames(dump);

    (void)parent_key;
    if (dump->ops->next_picture != NULL)
        return dump->ops->next_picture(dump, from, frame);
    if (frames == DUMP_NOT_KNOWN)
        return -EAGAIN;
    for (*frame = from; *frame < frames; ++*frame) {
        int status = names_has_picture(dump, *frame);

        if (status != -ENOENT)
            return status;
    }
    return -ENOENT;
}
