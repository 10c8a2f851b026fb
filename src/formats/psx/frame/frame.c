#include "formats/psx/frame/frame.h"

#include <errno.h>

int psx_frame_counts_get(struct dump *dump, uint64_t frame, const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_knows_frame(index, frame) ? 0 : -EAGAIN;
}

int psx_frame_counts_wait(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          const struct psx_frame_counts **out)
{
    struct psx_index *index = &psx_dump_of(dump)->index;

    if (!psx_index_shows(index, frame))
        return -ENOENT;
    *out = &index->counts[frame];
    return psx_index_wait_frame(index, frame, cancel);
}
