/*
 * Lines parsed for the replay: each with all that it says by itself, whatever the state
 * that it meets. One at a time, a pure function for any thread; or ahead of the replay,
 * in a thread of its own.
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

/*
 * Parses the lines of calls ahead of their replay, in a thread of its own: parsing is
 * a third of the work of a pass. The results are those of vma_parsed_read(). The
 * functions are for one thread at a time.
 */
struct vma_ahead;

/*
 * Begins to parse at `packet`, the first call or a later one. 0, -ENOMEM, or
 * -EAGAIN where there can be no thread.
 */
int vma_ahead_create(const struct vma_recording *recording, uint32_t packet,
                     struct vma_ahead **out);
void vma_ahead_destroy(struct vma_ahead **ahead);

/*
 * The next line, in order of the packets; the caller knows that there is one. Good
 * until the next call of this function; may wait.
 */
const struct vma_parsed *vma_ahead_next(struct vma_ahead *ahead);

/* The line behind the one that was returned last, or NULL where that is not known yet. */
const struct vma_parsed *vma_ahead_peek(const struct vma_ahead *ahead);

#endif
