/* SPDX-License-Identifier: MIT */
#include "formats/vma/dump.h"

/* Each snapshot's state is read separately. */
static int each_snapshot(struct vma_dump *dump, uint64_t first, uint64_t end,
                         const struct cancel *cancel,
                         void (*visit)(void *context, const struct vma_replay *replay),
                         void *context)
{
    int status = 0;

    for (uint64_t frame = first; frame < end && status == 0; frame++) {
        struct vma_replay *replay = NULL;

        status = cancel_requested(cancel) ? -EINTR : vma_seek_frame(dump, frame, cancel, &replay);
        if (status == 0)
            visit(context, replay);
        vma_give_back(dump, &replay);
    }
    return status;
}

int vma_each_frame(struct vma_dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                   void (*visit)(void *context, const struct vma_replay *replay), void *context)
{
    struct vma_replay *replay = NULL;
    int status;

    if (dump->series != NULL)
        return each_snapshot(dump, first, end, cancel, visit, context);
    status = first < end ? vma_seek_frame(dump, first, cancel, &replay) : 0;

    /*
     * Checks for cancellation at each frame: frames may be too short for the replay to poll, and
     * `visit` may take long.
     */
    for (uint64_t frame = first; frame < end && status == 0; frame++) {
        uint32_t last = vma_recording_frame_last(&dump->recording, (uint32_t)frame);

        status = cancel_requested(cancel) ? -EINTR : vma_replay_run(replay, last + 1, cancel);
        if (status == 0)
            visit(context, replay);
    }
    if (status == -ENOMEM)
        vma_checkpoints_drop(&replay);
    vma_checkpoints_give_back(dump->checkpoints, &replay);
    return status;
}
