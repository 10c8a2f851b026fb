/* SPDX-License-Identifier: MIT */
/*
 * What each frame of a trace shows, found from its calls before anything is drawn (apitrace.md 3.6,
 * 3.7): the sizes of windows and other drawables, which of them a frame's picture shows, and which
 * frames before it must be drawn for it. One pass over the calls finds this when it is first
 * needed; afterwards nothing changes, and any thread may read. If the trace grows, the pass
 * continues with its frames.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H
#define GPUDUMPFS_APITRACE_REPLAY_PRESENTATION_H

#include "formats/apitrace/collections.h"
#include "formats/apitrace/index/call.h"
#include "formats/apitrace/index/index.h"
#include "formats/apitrace/replay/context_state.h"
#include "worker/apitrace_session.h"

/*
 * drawables.c: windows and other drawables of a trace, found from the calls that make them, name
 * them and make them current (apitrace.md 3.6): their sizes, the samples of their pixels, and the
 * frame since which they have been drawn. One thread follows the calls; meanwhile, others that read
 * the list hold a lock.
 */
/* Where the size of a drawable comes from. */
enum apitrace_sized {
    APITRACE_SIZED_NOT,
    APITRACE_SIZED_BY_VIEWPORTS,
    APITRACE_SIZED_BY_ATTRIBUTES
};

/* A drawable by its current name. */
struct apitrace_drawable {
    uint64_t handle;
    uint32_t place; /* index in the lists of all drawables that ever existed */
    /* For each plane: what it contains comes from draws of this frame and later ones only. */
    uint32_t colour, depth, stencil;
    UT_hash_handle hh;
};

struct apitrace_drawable_size {
    uint32_t width, height;             /* so far; 0: not known */
    uint32_t first_width, first_height; /* the first known size */
    /*
     * A suggested size, used if nothing else states the size: that of the viewport of the
     * drawable's first context, of the last viewport, or of the last blit to the drawable.
     */
    uint32_t lent_width, lent_height;
    enum apitrace_sized sized;
};

/*
 * A property of cuts (apitrace.md 4.9): "PLACE WIDTHxHEIGHT", the size of the drawable at that
 * index of the list, if the size is known only from calls that the cut lacks.
 */
#define APITRACE_WINDOW_PROPERTY "gpudumpfs.window"

struct apitrace_told_window {
    uint32_t place, width, height; /* width 0: no property */
};

struct apitrace_drawables {
    struct apitrace_session_drawable *list; /* in the form for the session, so far */
    uint64_t count, room;
    uint64_t changes; /* how often a size or an API in the list has changed */
    struct apitrace_memory memory;
    /* The rest is used while calls are followed. */
    struct apitrace_drawable_size *sizes; /* one for each element of the list */
    uint64_t sizes_room;
    struct apitrace_drawable *named;
    struct apitrace_map aliases; /* from other names, with 0, to the names that they stand for */
    struct apitrace_map samples; /* of configurations, contexts and drawables */
    bool resized;                /* a size has changed since the list received the sizes */
    struct apitrace_told_window told; /* what the trace's own property says, if it is a cut */
};

/* The handle of what is drawn on before anything is current. No trace uses it. */
#define APITRACE_IMPLICIT_DRAWABLE (UINT64_MAX - 2)

/*
 * Follows a call that was read, in `frame`, if it makes a drawable, gives it a name, or determines
 * the samples of later ones. This and the next two functions return 0 or -ENOMEM.
 */
int apitrace_drawables_follow(struct apitrace_drawables *drawables, struct apitrace_call *call,
                              uint32_t frame);

/*
 * Adds the drawables that call `number` has made current in a thread, if they are new, as windows
 * are.
 */
int apitrace_drawables_meet(struct apitrace_drawables *drawables,
                            const struct apitrace_binding *binding, uint64_t number,
                            uint32_t frame);

/*
 * Starts over with APITRACE_IMPLICIT_DRAWABLE as the first drawable. What is known of samples is
 * kept.
 */
int apitrace_drawables_begin_implicit(struct apitrace_drawables *drawables);

/*
 * Returns the drawable that has that name now; NULL if there is none. Valid until the drawables
 * start over or are finished.
 */
struct apitrace_drawable *apitrace_drawables_find(const struct apitrace_drawables *drawables,
                                                  uint64_t handle);

/* Returns the sizes of the drawable at an index; valid until another one is added. */
static inline const struct apitrace_drawable_size *apitrace_drawables_size(
    const struct apitrace_drawables *drawables, uint32_t place)
{
    return &drawables->sizes[place];
}

/* Enlarges a drawable to at least that size; impossible sizes are ignored. */
void apitrace_drawables_grow(struct apitrace_drawables *drawables,
                             struct apitrace_drawable *drawable, int64_t width, int64_t height);

/* Suggests a size, which counts if nothing else states the size of the drawable. */
void apitrace_drawables_lend(struct apitrace_drawables *drawables,
                             const struct apitrace_drawable *drawable, int64_t width,
                             int64_t height);

/* Returns whether a box (x, y, width, height) covers the known size of a drawable. */
bool apitrace_drawables_cover(const struct apitrace_drawables *drawables,
                              const struct apitrace_drawable *drawable, const int64_t box[4]);

/* Copies the sizes, as far as they are known, to the list. */
void apitrace_drawables_tell_sizes(struct apitrace_drawables *drawables);

/* Sets in the list whether the API of an implicit drawable, if there is one, is OpenGL ES. */
void apitrace_drawables_tell_api(struct apitrace_drawables *drawables, bool embedded);

/* Frees everything except the list, after all calls were followed. */
void apitrace_drawables_finish(struct apitrace_drawables *drawables);
void apitrace_drawables_clear(struct apitrace_drawables *drawables);

/*
 * draw_targets.c: what draws go to, found from the calls: a drawable, or the first attachment of a
 * framebuffer object that is drawn to, and its size. The list contains the changes, so that a
 * million draws to one window are one entry. One thread writes it; afterwards any thread may read
 * it.
 */
enum apitrace_target_kind {
    APITRACE_TARGET_NONE,     /* nothing that could be shown */
    APITRACE_TARGET_LIST,     /* the draw is compiled into a display list, and draws nothing */
    APITRACE_TARGET_DRAWABLE, /* `object` is its index among the drawables */
    APITRACE_TARGET_TEXTURE,
    APITRACE_TARGET_RENDERBUFFER,
};

struct apitrace_target {
    uint64_t order;       /* position in the listing of the first draw that goes there */
    uint64_t made;        /* the same of the call that made the EGLImage of `texture` */
    uint32_t framebuffer; /* 0: the drawable's */
    uint32_t object, level;
    uint32_t texture;       /* the renderbuffer is an EGLImage of its `level`; 0: it is not */
    uint16_t width, height; /* of a renderbuffer */
    uint32_t base;  /* the target's colours come from draws of this frame and later ones only */
    uint32_t whole; /* as `base`, for colours, depths and stencil values */
    uint8_t kind;   /* enum apitrace_target_kind */
};

struct apitrace_framebuffer;

struct apitrace_targets {
    struct apitrace_target *list; /* sorted by order */
    uint64_t count, room;
    struct apitrace_memory memory;
    /* Used while calls are followed. */
    struct apitrace_framebuffer *framebuffers;
    struct apitrace_map bound;         /* by context: name of the bound renderbuffer */
    struct apitrace_map renderbuffers; /* by name: sizes, or levels of textures (draw_targets.c) */
    struct apitrace_map images;        /* by handle of an EGLImage: the same */
};

/* Follows a call that was read, with APITRACE_OF_TARGETS. Returns 0 or -ENOMEM. */
int apitrace_targets_follow(struct apitrace_targets *targets,
                            const struct apitrace_binding *binding, struct apitrace_call *call);

/*
 * Adds a draw. `drawable` is the index of the drawable of framebuffer 0, UINT32_MAX if there is
 * none; `base` is the frame since which its colours have been drawn, and `whole` the one since
 * which depths and stencil values have been, too. Returns 0 or -ENOMEM.
 */
int apitrace_targets_draw(struct apitrace_targets *targets, uint64_t order,
                          const struct apitrace_binding *binding, uint32_t drawable, uint32_t base,
                          uint32_t whole);

/* Frees everything except the list, after all calls were followed. */
void apitrace_targets_finish(struct apitrace_targets *targets);
void apitrace_targets_clear(struct apitrace_targets *targets);

/* Returns where a draw at that position in the listing goes; NULL if that is not known. */
const struct apitrace_target *apitrace_targets_find(const struct apitrace_targets *targets,
                                                    uint64_t order);

/* The complete presentation. */

#define APITRACE_NO_DRAWABLE UINT32_MAX

struct apitrace_presented_frame {
    uint32_t drawable; /* index in the list; APITRACE_NO_DRAWABLE if there is no picture */
    uint16_t width, height;
    uint32_t base;  /* the picture's colours come from draws of this frame and later ones only */
    uint32_t whole; /* as `base`, for colours, depths and stencil values */
    uint8_t sized;  /* enum apitrace_sized */
    bool full;      /* must be drawn for any later frame, since something reads it */
    bool late;      /* only calls of later frames state the size */
};

struct apitrace_presentation {
    struct apitrace_drawables drawables;
    struct apitrace_presented_frame *frames; /* as many as the index has */
    uint64_t frame_room;
    struct apitrace_memory memory; /* of `frames`, which do not move while they grow */
    uint64_t last_draw;            /* number of the last call of class R, for an unfinished frame */
    struct apitrace_targets targets; /* of all draws */
    uint32_t unsafe; /* from this frame on, everything drawn may depend on all frames before */
};

/*
 * Finds the presentation. Returns 0, -EINTR, -ENOMEM or -EIO. Call apitrace_presentation_clear() on
 * *out even if it fails.
 */
int apitrace_presentation_find(const struct apitrace_index *index, const struct cancel *cancel,
                               struct apitrace_presentation *out);
void apitrace_presentation_clear(struct apitrace_presentation *presentation);

/*
 * Returns whether a call is a draw of that frame, by a library that can be replayed. Calls that are
 * compiled into a display list are no draws.
 */
bool apitrace_presentation_draws(const struct apitrace_presentation *presentation,
                                 const struct apitrace_index *index, uint64_t frame,
                                 const struct apitrace_record *record);

/*
 * Finds the presentation step by step, for a trace that grows, in the thread that indexes it.
 * apitrace_finder_create() returns 0 or -ENOMEM; `index`, `cancel` and `presentation` must outlive
 * the finder.
 */
struct apitrace_finder;

int apitrace_finder_create(const struct apitrace_index *index, const struct cancel *cancel,
                           struct apitrace_presentation *presentation,
                           struct apitrace_finder **out);
void apitrace_finder_destroy(struct apitrace_finder **finder);

/*
 * Returns whether later calls cannot change the drawables that settled frames show. They can if
 * something is drawn on before any context is current, since a later call may determine its API.
 */
bool apitrace_finder_is_certain(const struct apitrace_finder *finder);

/*
 * Continues to the end of what is indexed. Sets *settled to how many frames, from the first on, are
 * final; the drawable of the next one has no size yet. `final` says that nothing more comes, so
 * that all frames are settled. Returns 0, -EINTR or -ENOMEM.
 */
int apitrace_finder_go(struct apitrace_finder *finder, bool final, uint64_t *settled);

#endif
