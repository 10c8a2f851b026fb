/* SPDX-License-Identifier: MIT */
/*
 * What a command may write of one subresource of a texture, or of the implicit back buffer, as
 * the state machine tells; nothing is drawn. Pure functions.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_REACH_H
#define GPUDUMPFS_AEROGPU_REPLAY_REACH_H

#include "formats/aerogpu/scan.h"

/* A subresource that is shown somewhere. */
struct aerogpu_part {
    uint32_t life; /* of the texture; AEROGPU_NONE: the implicit back buffer */
    uint32_t mip, layer, width, height;
    struct aerogpu_shape shape; /* of the texture */
};

void aerogpu_part_of(const struct aerogpu_scan *scan, const struct aerogpu_shot *shot,
                     struct aerogpu_part *out);

enum aerogpu_reach_kind {
    AEROGPU_REACH_CREATE,
    AEROGPU_REACH_UPLOAD, /* also from guest memory */
    AEROGPU_REACH_COPY,
    AEROGPU_REACH_CLEAR,
    AEROGPU_REACH_DRAW,
};

struct aerogpu_reach {
    enum aerogpu_reach_kind kind;
    uint32_t left, top, right, bottom; /* texels; right and bottom are outside */
    uint64_t begin, end;               /* of an upload: bytes of the texture's linear layout */
    bool unshaded;                     /* a draw that needs no worker */
    bool blends;                       /* a draw for which it counts what was there */
};

/*
 * Of the command that the player has executed last, whose state is the one behind it. False: it
 * writes nothing there.
 */
bool aerogpu_reach_find(const struct aerogpu_player *player, const struct aerogpu_scan *scan,
                        const struct aerogpu_part *part, struct aerogpu_reach *out);

/* Whether a texel is among them; of a draw, whether it may be. */
bool aerogpu_reach_has(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                       uint32_t x, uint32_t y);

/* Whether a texel that is written is so whatever was there: all of its bytes, and unblended. */
bool aerogpu_reach_replaces(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                            uint32_t x, uint32_t y);

/* Whether all texels are written, whatever was there. */
bool aerogpu_reach_is_whole(const struct aerogpu_reach *reach, const struct aerogpu_part *part);

#endif
