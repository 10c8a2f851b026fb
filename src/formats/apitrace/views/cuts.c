/* SPDX-License-Identifier: MIT */
/* frame.trace: a frame as a trace of its own. */
#include "formats/apitrace/views/views.h"

#include "formats/apitrace/cut/files.h"

#include <errno.h>

int apitrace_frame_cut_size(struct dump *dump, uint64_t frame, uint64_t *size)
{
    const struct apitrace_cuts *cuts = apitrace_dump_peek_cuts(dump);

    if (apitrace_index_grows(apitrace_index_of(dump)))
        return -ENOENT;
    if (cuts == NULL)
        return -EAGAIN;
    if (frame >= cuts->frame_count)
        return -ENOENT;
    *size = apitrace_cut_file_size(cuts->sizes[frame]);
    return 0;
}

int apitrace_frame_cut_piece(struct dump *dump, uint64_t frame, uint64_t offset, size_t length,
                             const struct cancel *cancel, struct blob **out)
{
    const struct apitrace_cuts *cuts;
    struct apitrace_cut cut;
    int status = apitrace_dump_cuts(dump, cancel, &cuts);

    if (status == 0 && frame >= cuts->frame_count)
        status = -ENOENT;
    if (status < 0)
        return status;
    apitrace_cut_init(&cut, cuts, frame, frame);
    return apitrace_cut_file_read(apitrace_dump_of(dump), &cut, cuts->sizes[frame], offset, length,
                                  cancel, out);
}
