/*
 * What each frame of a trace shows, told from its calls alone before anything is drawn
 * (apitrace.md 3.6, 3.7): how large windows and other drawables are, which of them
 * a frame's picture is of, and which frames before it must be drawn for it. Found by
 * one pass over the calls, at the first need; afterwards nothing changes, and any thread
 * may read. Of a trace that grows the pass goes on with its frames.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H
#define GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H

#include "formats/apitrace/index/index.h"
#include "formats/apitrace/replay/drawables.h"
#include "formats/apitrace/replay/targets.h"

#define APITRACE_NO_DRAWABLE UINT32_MAX

struct apitrace_presented_frame {
    uint32_t drawable; /* its place in the list; APITRACE_NO_DRAWABLE: there is no picture */
    uint16_t width, height;
    uint32_t base; /* the picture is what frames from this one on draw */
    uint8_t sized; /* enum apitrace_sized */
    bool full;     /* to be drawn whichever later frame is requested, since something reads it */
};

struct apitrace_presentation {
    struct apitrace_drawables drawables;
    struct apitrace_presented_frame *frames; /* as many as the index has */
    uint64_t frame_room;
    struct apitrace_memory memory; /* of the frames, which do not move while they grow */
    uint64_t last_draw;            /* of an unfinished frame: number of its last call of class R */
    struct apitrace_targets targets; /* of draws */
    uint32_t unsafe; /* from this frame on, all that is drawn depends on the first frame */
};

/* 0, -EINTR, -ENOMEM, -EIO. *out is to be cleared in any case. */
int apitrace_presentation_find(const struct apitrace_index *index, const struct cancel *cancel,
                               struct apitrace_presentation *out);
void apitrace_presentation_clear(struct apitrace_presentation *presentation);

/*
 * The same step by step, of a trace that grows, in the thread that indexes it. The frames up
 * to *settled are known for good: the next one's drawable has no size yet.
 */
struct apitrace_finder;

int apitrace_finder_create(const struct apitrace_index *index, const struct cancel *cancel,
                           struct apitrace_presentation *presentation,
                           struct apitrace_finder **out);
void apitrace_finder_destroy(struct apitrace_finder **finder);

/* Goes on to the end of what is indexed. `final`: nothing more comes, and all is settled. */
int apitrace_finder_go(struct apitrace_finder *finder, bool final, uint64_t *settled);

#endif
