/* SPDX-License-Identifier: MIT */
/* frame.aerogputrace: a frame as a trace of its own. */
#include "formats/aerogpu/views/views.h"

#include "formats/aerogpu/cut/cut.h"

int aerogpu_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    return aerogpu_cut_size(aerogpu_dump_of(dump), frame, size);
}

int aerogpu_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                            const struct cancel *cancel, struct blob **out)
{
    return aerogpu_cut_piece(aerogpu_dump_of(dump), frame, offset, length, cancel, out);
}
