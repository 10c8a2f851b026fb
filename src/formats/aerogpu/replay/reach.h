/* SPDX-License-Identifier: MIT */
/*
 * Determines what a command may write in one subresource of a texture, or in the implicit back
 * buffer. The state machine is enough for this; nothing is drawn. Pure functions.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_REACH_H
#define GPUDUMPFS_AEROGPU_REPLAY_REACH_H

#include "formats/aerogpu/scan.h"

/* A subresource of which a picture is shown. */
struct aerogpu_part {
    uint32_t life; /* of the texture; AEROGPU_NONE: the implicit back buffer */
    uint32_t mip, layer, width, height;
    struct aerogpu_shape shape; /* of the texture */
};

/* Gets the subresource that a shot shows. */
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
    uint32_t left, top, right, bottom; /* texels; right and bottom are exclusive */
    uint64_t begin, end; /* of an upload: range of bytes in the texture's linear layout */
    bool unshaded;       /* a draw that does not need the worker */
    bool blends;         /* a draw whose result may depend on what was there before */
};

/*
 * Determines what the last command of the player writes to the subresource. The player's state is
 * that after the command. Returns false if the command writes nothing there.
 */
bool aerogpu_reach_find(const struct aerogpu_player *player, const struct aerogpu_scan *scan,
                        const struct aerogpu_part *part, struct aerogpu_reach *out);

/* Returns whether the command writes the texel; for a draw, whether it may. */
bool aerogpu_reach_has(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                       uint32_t x, uint32_t y);

/*
 * Returns whether the result is independent of what was there, if the command writes the texel: all
 * of the texel's bytes are written, without blending.
 */
bool aerogpu_reach_replaces(const struct aerogpu_reach *reach, const struct aerogpu_part *part,
                            uint32_t x, uint32_t y);

/* Returns whether the command writes all texels, regardless of what was there. */
bool aerogpu_reach_is_whole(const struct aerogpu_reach *reach, const struct aerogpu_part *part);

#endif
