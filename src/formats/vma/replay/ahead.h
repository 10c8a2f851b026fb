/*
 * Parses the lines of calls ahead of their replay, in a thread of its own: parsing is
 * a third of the work of a pass. The results are those of vma_parsed_read(). The
 * functions are for one thread at a time.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_REPLAY_AHEAD_H
#define GPUDUMPFS_FORMATS_VMA_REPLAY_AHEAD_H

#include "formats/vma/replay/parsed.h"

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
