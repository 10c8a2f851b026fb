/* SPDX-License-Identifier: MIT */
/*
 * What is known of a trace after all of its command streams were walked (aerogpu.md 6.3): the
 * commands of each submission, what each frame draws and presents, the lives of objects, the sizes
 * of all pictures, and which of these need shaders. It is made once, at the first request that
 * needs it, and is read-only afterwards; any thread may use it.
 */
#ifndef GPUDUMPFS_AEROGPU_SCAN_H
#define GPUDUMPFS_AEROGPU_SCAN_H

#include "formats/aerogpu/bound.h"
#include "formats/aerogpu/replay/player.h"

enum { AEROGPU_CHECKPOINT = 64 }; /* commands from one stored offset to the next */

struct aerogpu_scan_stream {
    uint32_t commands, draws, unknown;
    uint32_t first_checkpoint; /* index in `checkpoints` */
};

/* A picture that can be shown, and the time at which it exists. */
struct aerogpu_shot {
    uint64_t tick; /* number of commands done by then */
    uint32_t width, height, format;
    uint32_t mip, layer;
    uint32_t life; /* of the texture; AEROGPU_NONE: the implicit back buffer */
    uint8_t slot; /* enum aerogpu_shot_slot, or the slot of the colour target that it is bound as */
    bool drawn;   /* only the worker can draw it */
};

enum aerogpu_shot_slot {
    AEROGPU_SHOT_BACK = 0xFD, /* the implicit back buffer */
    AEROGPU_SHOT_DEPTH = 0xFE,
    AEROGPU_SHOT_UNBOUND = 0xFF
};

struct aerogpu_scan_draw {
    struct aerogpu_shot shot; /* colour target 0 right after the draw; width 0: none is bound */
    uint32_t submission, record, command;
    uint32_t first_bound, bound; /* a range of the scan's `bound`; empty once memory is used up */
    bool fetches; /* it fetches vertices from buffers: no clear, and not of Appendix A */
};

struct aerogpu_scan_present {
    struct aerogpu_shot shot;
    uint32_t submission, record, command, scanout;
};

enum aerogpu_presented { AEROGPU_NOT_PRESENTED, AEROGPU_PRESENTED, AEROGPU_PRESENTED_IMPLICIT };

struct aerogpu_scan_frame {
    struct aerogpu_shot shot;  /* the frame's picture; width 0: there is none */
    struct aerogpu_shot depth; /* the depth target at the frame's end; width 0: there is none */
    enum aerogpu_presented presented;
    uint64_t begin, end; /* ticks */
    uint32_t first_draw, draws, first_present, presents;
    uint32_t draw_calls;            /* those of `draws` that are not a CLEAR */
    uint32_t first_life, lives_end; /* lives that begin in this frame */
    uint32_t commands;
};

/* The position of a command. */
struct aerogpu_where {
    uint32_t record, submission, command; /* submission AEROGPU_NONE: alone in its record */
};

struct aerogpu_life {
    struct aerogpu_object object;            /* as it was created; `texture` has a view's texture */
    struct aerogpu_where created, destroyed; /* record AEROGPU_NONE: the object lives to the end */
    uint64_t end;     /* number of commands done when its last contents are read */
    uint32_t uses;    /* number of commands that name it */
    uint32_t texture; /* for a view, the life of its texture */
    bool drawn;       /* at its end, only the worker knows its contents */
};

struct aerogpu_scan {
    struct aerogpu_scan_stream *streams; /* of each submission */
    uint32_t *checkpoints;               /* offsets in streams */
    size_t checkpoint_count;
    struct aerogpu_scan_frame *frames;
    struct aerogpu_scan_draw *draws;
    struct aerogpu_scan_present *presents;
    struct aerogpu_life *lives;
    struct aerogpu_bound *bound; /* several draws may share a range */
    uint32_t draw_count, present_count, life_count, bound_count;
    bool bound_full; /* memory is used up: what later draws have bound is not stored */
    uint64_t commands, unknown, draw_calls;
    uint64_t ticks;
    uint32_t shaders[3]; /* number of genuine DXBC, Aero's dialect, D3D9 */
};

void aerogpu_scan_clear(struct aerogpu_scan *scan);

/* Returns whether a command can be executed, and draws or clears. */
bool aerogpu_is_draw(const struct aerogpu_command *command);

/* Gets command `number` of a submission. Returns false if there is no such command. */
bool aerogpu_scan_command(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                          uint32_t submission, uint32_t number, struct aerogpu_command *out);

#endif
