/* SPDX-License-Identifier: MIT */
/*
 * What each frame of a trace shows, told from its calls alone before anything is drawn
 * (apitrace.md 3.6, 3.7): how large windows and other drawables are, which of them
 * a frame's picture is of, and which frames before it must be drawn for it. Found by
 * one pass over the calls, at the first need; afterwards nothing changes, and any thread
 * may read. Of a trace that grows the pass goes on with its frames.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H
#define GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/index/call.h"
#include "formats/apitrace/index/index.h"
#include "formats/apitrace/replay/context_state.h"
#include "worker/apitrace_session.h"

/*
 * drawables.c: windows and other drawables of a trace, told from the calls that make them, give
 * them names and make them current (apitrace.md 3.6): how large each is, how many samples its
 * pixels have, and since which frame it has been drawn. One thread follows the calls; while
 * it does, others that read the list hold a lock.
 */
/* Where a drawable's size comes from. */
enum apitrace_sized {
    APITRACE_SIZED_NOT,
    APITRACE_SIZED_BY_VIEWPORTS,
    APITRACE_SIZED_BY_ATTRIBUTES
};

/* A drawable by the name that it has now, and since which frame it has been drawn. */
struct apitrace_drawable {
    uint64_t handle;
    uint32_t place; /* in the lists of all that ever were */
    uint32_t colour, depth, stencil;
    UT_hash_handle hh;
};

struct apitrace_drawable_size {
    uint32_t width, height;             /* so far; 0: not known */
    uint32_t first_width, first_height; /* that was known first */
    uint32_t lent_width, lent_height;   /* if nothing else tells: of the viewport that it found in
                                           its first context, or that was set, of a blit to it */
    enum apitrace_sized sized;
};

/*
 * A property that cuts have (apitrace.md 4.9): "PLACE WIDTHxHEIGHT", how large the drawable at that
 * place in the list is shown, where that is known only from calls that the cut lacks.
 */
#define APITRACE_WINDOW_PROPERTY "gpudumpfs.window"

struct apitrace_told_window {
    uint32_t place, width, height; /* width 0: nothing is told */
};

struct apitrace_drawables {
    struct apitrace_session_drawable *list; /* as the retracer takes them, so far */
    uint64_t count, room;
    uint64_t changes; /* how often those became other ones */
    struct apitrace_memory memory;
    /* While calls are followed. */
    struct apitrace_drawable_size *sizes; /* as many as the list has */
    uint64_t sizes_room;
    struct apitrace_drawable *named;
    struct apitrace_map aliases; /* other names, and 0: the names that they stand for */
    struct apitrace_map samples; /* of configurations, contexts and drawables that were met */
    bool resized;                /* since sizes were told */
    struct apitrace_told_window told;
};

/* The handle of what is drawn on before anything is made current: none that a trace has. */
#define APITRACE_IMPLICIT_DRAWABLE (UINT64_MAX - 2)

/*
 * Follows a call that was read, in `frame`, if it makes a drawable or gives it a name, or tells
 * how many samples those have that are made later. 0 or -ENOMEM; so the next two.
 */
int apitrace_drawables_follow(struct apitrace_drawables *drawables, struct apitrace_call *call,
                              uint32_t frame);

/* Call `number` has made a thread's drawables current: windows are met there for the first time. */
int apitrace_drawables_meet(struct apitrace_drawables *drawables,
                            const struct apitrace_binding *binding, uint64_t number,
                            uint32_t frame);

/* Begins anew, with APITRACE_IMPLICIT_DRAWABLE as the first. What is known of samples stays. */
int apitrace_drawables_begin_implicit(struct apitrace_drawables *drawables);

/* What has that name now; NULL: nothing. Valid until drawables begin anew or are finished. */
struct apitrace_drawable *apitrace_drawables_find(const struct apitrace_drawables *drawables,
                                                  uint64_t handle);

/* Of the drawable at that place, valid until the next one is there. */
static inline const struct apitrace_drawable_size *apitrace_drawables_size(
    const struct apitrace_drawables *drawables, uint32_t place)
{
    return &drawables->sizes[place];
}

/* Something shows that it is at least so large; sizes that none can have are ignored. */
void apitrace_drawables_grow(struct apitrace_drawables *drawables,
                             struct apitrace_drawable *drawable, int64_t width, int64_t height);

/* Something may be as large as it is: what counts of one that nothing else tells of. */
void apitrace_drawables_lend(struct apitrace_drawables *drawables,
                             const struct apitrace_drawable *drawable, int64_t width,
                             int64_t height);

/* Whether a box (x, y, width, height) covers all that is known of it. */
bool apitrace_drawables_cover(const struct apitrace_drawables *drawables,
                              const struct apitrace_drawable *drawable, const int64_t box[4]);

/* Tells the list how large drawables are, as far as that is known. */
void apitrace_drawables_tell_sizes(struct apitrace_drawables *drawables);

/* Tells an implicit drawable, if there is one, whether its API is OpenGL ES. */
void apitrace_drawables_tell_api(struct apitrace_drawables *drawables, bool embedded);

/* All was followed: the list alone stays. */
void apitrace_drawables_finish(struct apitrace_drawables *drawables);
void apitrace_drawables_clear(struct apitrace_drawables *drawables);

/*
 * draw_targets.c: what draws go to, told from calls: a drawable, or what is attached to a
 * framebuffer object first, and how large that is. A list of where it changes, so that a trace of a
 * million draws to one window has one entry. Written by one thread; afterwards any may
 * read.
 */
enum apitrace_target_kind {
    APITRACE_TARGET_NONE,     /* nothing that could be shown */
    APITRACE_TARGET_LIST,     /* none: it is compiled into a display list, and draws nothing */
    APITRACE_TARGET_DRAWABLE, /* `object` is its place among the drawables */
    APITRACE_TARGET_TEXTURE,
    APITRACE_TARGET_RENDERBUFFER,
};

struct apitrace_target {
    uint64_t order;       /* in the listing: of the first draw that goes there */
    uint32_t framebuffer; /* 0: the drawable's */
    uint32_t object, level;
    uint16_t width, height; /* of a renderbuffer */
    uint32_t base;          /* what is there is what frames from this one on have drawn … */
    uint32_t whole;         /* … and so are depths and stencil values, from this one on */
    uint8_t kind;           /* enum apitrace_target_kind */
};

struct apitrace_framebuffer;

struct apitrace_targets {
    struct apitrace_target *list; /* by order */
    uint64_t count, room;
    struct apitrace_memory memory;
    /* While calls are followed: */
    struct apitrace_framebuffer *framebuffers;
    struct apitrace_map bound;         /* by context: the renderbuffer's name */
    struct apitrace_map renderbuffers; /* by name: their sizes */
};

/* Follows a call that was read, with APITRACE_OF_TARGETS. 0 or -ENOMEM. */
int apitrace_targets_follow(struct apitrace_targets *targets,
                            const struct apitrace_binding *binding, struct apitrace_call *call);

/*
 * A draw: `drawable` is the place of the one behind framebuffer 0, UINT32_MAX without one, and
 * `base` what its colours are made of, `whole` its depths and stencil values, too. 0 or -ENOMEM.
 */
int apitrace_targets_draw(struct apitrace_targets *targets, uint64_t order,
                          const struct apitrace_binding *binding, uint32_t drawable, uint32_t base,
                          uint32_t whole);

/* All was followed. */
void apitrace_targets_finish(struct apitrace_targets *targets);
void apitrace_targets_clear(struct apitrace_targets *targets);

/* Where a draw at that place in the listing goes; NULL: that is not known. */
const struct apitrace_target *apitrace_targets_find(const struct apitrace_targets *targets,
                                                    uint64_t order);

/* The whole. */

#define APITRACE_NO_DRAWABLE UINT32_MAX

struct apitrace_presented_frame {
    uint32_t drawable; /* its place in the list; APITRACE_NO_DRAWABLE: there is no picture */
    uint16_t width, height;
    uint32_t base;  /* the picture is what frames from this one on draw … */
    uint32_t whole; /* … and depths are what those from this one on do */
    uint8_t sized;  /* enum apitrace_sized */
    bool full;      /* to be drawn whichever later frame is requested, since something reads it */
    bool late;      /* its size is told by calls of later frames */
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
 * Whether a call is a draw of that frame, of a library that is drawn again: one that a list is
 * compiled of is none.
 */
bool apitrace_presentation_draws(const struct apitrace_presentation *presentation,
                                 const struct apitrace_index *index, uint64_t frame,
                                 const struct apitrace_record *record);

/*
 * The same step by step, of a trace that grows, in the thread that indexes it. The frames up
 * to *settled are known for good: the next one's drawable has no size yet.
 */
struct apitrace_finder;

int apitrace_finder_create(const struct apitrace_index *index, const struct cancel *cancel,
                           struct apitrace_presentation *presentation,
                           struct apitrace_finder **out);
void apitrace_finder_destroy(struct apitrace_finder **finder);

/*
 * Whether nothing that comes later can change what drawables settled frames show: not where one is
 * drawn on before anything was made current, whose API a later call may tell.
 */
bool apitrace_finder_is_certain(const struct apitrace_finder *finder);

/* Goes on to the end of what is indexed. `final`: nothing more comes, and all is settled. */
int apitrace_finder_go(struct apitrace_finder *finder, bool final, uint64_t *settled);

#endif
