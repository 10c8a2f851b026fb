/*
 * A line with all that it says by itself, whatever the state that it meets: what
 * a pass has a thread of its own find out ahead of the replay (ahead.h). Pure
 * functions, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_PARSED_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_PARSED_H

#include "formats/vma/decode/requirements.h"
#include "formats/vma/index/recording.h"

struct vma_parsed {
    struct vma_line line;
    struct vma_call call;
    struct vma_requirements needs; /* of a good call that allocates; else 0 */
    bool too_large;                /* they do not fit 64 bits */
    /* Lengths of its text, if that is user data and may be a string (escape.h); else 0. */
    uint32_t field_length, json_length;
};

/* Reads a line of calls. */
void vma_parsed_read(const struct vma_recording *recording, const struct vma_line *line,
                     struct vma_parsed *out);

#endif
