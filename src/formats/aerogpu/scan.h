/* SPDX-License-Identifier: MIT */
/*
 * What is known of a trace once all of its command streams were walked (aerogpu.md
 * 6.3): commands of each submission, what each frame draws and presents, lives of
 * objects, the sizes of all pictures, and which of them need shaders. Made once, at
 * the first request that needs it; read-only afterwards, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_SCAN_H
#define GPUDUMPFS_AEROGPU_SCAN_H

#include "formats/aerogpu/bound.h"
#include "formats/aerogpu/replay/player.h"

/* The problem that goes with -EFBIG. */
#define AEROGPU_SCAN_TOO_MUCH "more draws and resources than max-memory allows to index"

enum { AEROGPU_CHECKPOINT = 64 }; /* commands from one noted offset to the next */

struct aerogpu_scan_stream {
    uint32_t commands, draws, unknown;
    uint32_t first_checkpoint; /* among `checkpoints` */
};

/* A picture that can be shown, and when. */
struct aerogpu_shot {
    uint64_t tick; /* commands done by then */
    uint32_t width, height, format;
    uint32_t mip, layer;
    uint32_t life; /* of the texture; AEROGPU_NONE: the implicit back buffer */
    uint8_t slot;  /* enum aerogpu_shot_slot, or the colour target that it is bound as */
    bool drawn;    /* only the worker can make it */
};

enum aerogpu_shot_slot {
    AEROGPU_SHOT_BACK = 0xFD, /* the implicit back buffer */
    AEROGPU_SHOT_DEPTH = 0xFE,
    AEROGPU_SHOT_UNBOUND = 0xFF
};

struct aerogpu_scan_draw {
    struct aerogpu_shot shot; /* colour target 0 right after it; width 0: none is bound */
    uint32_t submission, record, command;
    uint32_t first_bound, bound; /* among the scan's; none beyond what memory allows */
    bool fetches;                /* vertices from buffers: no clear, and not of Appendix A */
};

struct aerogpu_scan_present {
    struct aerogpu_shot shot;
    uint32_t submission, record, command, scanout;
};

enum aerogpu_presented { AEROGPU_NOT_PRESENTED, AEROGPU_PRESENTED, AEROGPU_PRESENTED_IMPLICIT };

struct aerogpu_scan_frame {
    struct aerogpu_shot shot;  /* the frame's picture; width 0: it has none */
    struct aerogpu_shot depth; /* the depth target at its end; width 0: none */
    enum aerogpu_presented presented;
    uint64_t begin, end; /* ticks */
    uint32_t first_draw, draws, first_present, presents;
    uint32_t draw_calls;            /* of `draws`, those that are no CLEAR */
    uint32_t first_life, lives_end; /* begun in this frame */
    uint32_t commands;
};

/* Where a command stands. */
struct aerogpu_where {
    uint32_t record, submission, command; /* submission AEROGPU_NONE: alone in its record */
};

struct aerogpu_life {
    struct aerogpu_object object;            /* as it was made; a view's texture is in `texture` */
    struct aerogpu_where created, destroyed; /* record AEROGPU_NONE: it lives to the end */
    uint64_t end;                            /* ticks done when its contents are looked at */
    uint32_t uses;                           /* commands that name it */
    uint32_t texture;                        /* a view's: its life */
    bool drawn;                              /* at its end: only the worker knows */
};

struct aerogpu_scan {
    struct aerogpu_scan_stream *streams; /* of each submission */
    uint32_t *checkpoints;               /* offsets in streams */
    size_t checkpoint_count;
    struct aerogpu_scan_frame *frames;
    struct aerogpu_scan_draw *draws;
    struct aerogpu_scan_present *presents;
    struct aerogpu_life *lives;
    struct aerogpu_bound *bound; /* several draws may have the same ones */
    uint32_t draw_count, present_count, life_count, bound_count;
    bool bound_full; /* there is no memory for what later draws have bound */
    uint64_t commands, unknown, draw_calls;
    uint64_t ticks;
    uint32_t shaders[3]; /* genuine DXBC, Aero's dialect, D3D9 */
};

struct aerogpu_scan_params {
    const struct aerogpu_limits *limits;
    uint64_t max_memory; /* that the scan may take */
};

/* 0, -ENOMEM, -EINTR, -EFBIG: more than max_memory. Then there is nothing to close. */
int aerogpu_scan_make(const struct aerogpu_index *index, const struct aerogpu_scan_params *params,
                      struct problems *problems, const struct cancel *cancel,
                      struct aerogpu_scan *out);
void aerogpu_scan_clear(struct aerogpu_scan *scan);

/*
 * The same of a trace that grows, frame by frame: what is known of a frame stays where it is.
 * The scan is the scanner's, and is nothing when that is destroyed. 0 or -ENOMEM.
 */
struct aerogpu_scanner;

int aerogpu_scanner_create(const struct aerogpu_index *index,
                           const struct aerogpu_scan_params *params, struct problems *problems,
                           const struct cancel *cancel, struct aerogpu_scan *scan,
                           struct aerogpu_scanner **out);
void aerogpu_scanner_destroy(struct aerogpu_scanner **scanner);

/* The next frame, the index's last one. As aerogpu_scan_make(); then nothing can follow. */
int aerogpu_scanner_frame(struct aerogpu_scanner *scanner);

/* Whether it can be carried out, and draws or clears. */
bool aerogpu_is_draw(const struct aerogpu_command *command);

/* Command `number` of a submission; false: it has not so many. */
bool aerogpu_scan_command(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                          uint32_t submission, uint32_t number, struct aerogpu_command *out);

#endif
