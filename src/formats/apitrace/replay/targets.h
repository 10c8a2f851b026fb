/*
 * What draws go to, told from calls: a drawable, or what is attached to a framebuffer
 * object first, and how large that is. A list of where it changes, so that a trace of a
 * million draws to one window has one entry. Written by one thread; afterwards any may
 * read.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_TARGETS_H
#define GPUDUMPFS_APITRACE_REPLAY_TARGETS_H

#include "formats/apitrace/arena.h"
#include "formats/apitrace/index/call.h"
#include "formats/apitrace/map.h"
#include "formats/apitrace/replay/context_state.h"

enum apitrace_target_kind {
    APITRACE_TARGET_NONE,     /* nothing that could be shown */
    APITRACE_TARGET_DRAWABLE, /* `object` is its place among the drawables */
    APITRACE_TARGET_TEXTURE,
    APITRACE_TARGET_RENDERBUFFER,
};

struct apitrace_target {
    uint64_t order;       /* in the listing: of the first draw that goes there */
    uint32_t framebuffer; /* 0: the drawable's */
    uint32_t object, level;
    uint16_t width, height; /* of a renderbuffer */
    uint32_t base;          /* what is there is what frames from this one on have drawn */
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

/* Whether calls of those semantics tell of framebuffer objects. */
bool apitrace_targets_follows(unsigned semantic);

/* Follows a call that was read, of such semantics. 0 or -ENOMEM. */
int apitrace_targets_follow(struct apitrace_targets *targets,
                            const struct apitrace_binding *binding, struct apitrace_call *call);

/*
 * A draw: `drawable` is the place of the one behind framebuffer 0, UINT32_MAX without one, and
 * `base` what its colours are made of. 0 or -ENOMEM.
 */
int apitrace_targets_draw(struct apitrace_targets *targets, uint64_t order,
                          const struct apitrace_binding *binding, uint32_t drawable, uint32_t base);

/* All was followed. */
void apitrace_targets_finish(struct apitrace_targets *targets);
void apitrace_targets_clear(struct apitrace_targets *targets);

/* Where a draw at that place in the listing goes; NULL: that is not known. */
const struct apitrace_target *apitrace_targets_find(const struct apitrace_targets *targets,
                                                    uint64_t order);

#endif
