/*
 * Windows and other drawables of a trace, told from the calls that make them, give them
 * names and make them current (apitrace.md 3.6): how large each is, how many samples its
 * pixels have, and since which frame it has been drawn. One thread follows the calls; while
 * it does, others that read the list hold a lock.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_DRAWABLES_H
#define GPUDUMPFS_APITRACE_REPLAY_DRAWABLES_H

#include "formats/apitrace/arena.h"
#include "formats/apitrace/index/call.h"
#include "formats/apitrace/map.h"
#include "formats/apitrace/replay/context_state.h"
#include "formats/apitrace/replay/samples.h"
#include "worker/apitrace.h"

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
    uint32_t lent_width, lent_height;   /* of the viewport that it found in its first context */
    enum apitrace_sized sized;
};

struct apitrace_drawables {
    struct retrace_drawable *list; /* as the retracer takes them, so far */
    uint64_t count, room;
    uint64_t changes; /* how often those became other ones */
    struct apitrace_memory memory;
    /* While calls are followed. */
    struct apitrace_drawable_size *sizes; /* as many as the list has */
    uint64_t sizes_room;
    struct apitrace_drawable *named;
    struct apitrace_map aliases; /* other names, and 0: the names that they stand for */
    struct apitrace_samples samples;
    bool resized; /* since sizes were told */
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

#endif
