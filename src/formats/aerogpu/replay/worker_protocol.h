/* SPDX-License-Identifier: MIT */
/*
 * The messages that the daemon and the graphics worker exchange for AeroGPU commands (worker.md 5):
 * this backend's range of messages, and the numbers in them. Constants; any thread may use them.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WORKER_PROTOCOL_H
#define GPUDUMPFS_AEROGPU_REPLAY_WORKER_PROTOCOL_H

#include "formats/aerogpu/decode/abi.h"

#include <stdint.h>

/* Kinds of messages, 16 to 31 (worker/message.h). */
enum aerogpu_message {
    AEROGPU_MESSAGE_RESET = 16,
    AEROGPU_MESSAGE_SUBMIT,
    AEROGPU_MESSAGE_CONTINUE,
    AEROGPU_MESSAGE_PICTURE,
    AEROGPU_MESSAGE_CONTENT,
    AEROGPU_MESSAGE_SAVE,
    AEROGPU_MESSAGE_LOAD,
    AEROGPU_MESSAGE_FORGET,
    AEROGPU_MESSAGE_PROBE,
};

enum {
    AEROGPU_SESSION_WIREFRAME = 1, /* flag of a session: every triangle is drawn as its edges */
    AEROGPU_SESSION_RANGES_MAX = 65536,
    AEROGPU_SESSION_SAVED_MAX = 40,
};

enum aerogpu_picture_kind {
    AEROGPU_PICTURE_PRESENTED, /* what the last PRESENT showed; -ENOENT if there was none */
    AEROGPU_PICTURE_TARGET,    /* a colour target, or the back buffer if none is bound */
    AEROGPU_PICTURE_DEPTH,     /* the depth target; -ENOENT if none is bound */
    AEROGPU_PICTURE_TEXTURE,   /* a texture or view, at a mip and layer */
    AEROGPU_PICTURE_BACK,      /* the implicit back buffer, whatever is bound */
};

/* What a probe requests. Without a flag: one pixel before and after a command. */
enum aerogpu_probe_flag {
    AEROGPU_PROBE_MASK = 1, /* a byte for each pixel instead: 1 where the command wrote */
};

/*
 * What happened to a pixel that a draw touches. If the draw does not pass there, the depth test,
 * the stencil test and culling are switched off one after the other, and stay off. The first one
 * without which the draw passes is the outcome.
 */
enum aerogpu_outcome {
    AEROGPU_OUTCOME_NONE, /* the draw does not cover the pixel */
    AEROGPU_OUTCOME_WRITTEN,
    AEROGPU_OUTCOME_MASKED, /* it passed all tests, but no channel is written */
    AEROGPU_OUTCOME_DEPTH,
    AEROGPU_OUTCOME_STENCIL,
    AEROGPU_OUTCOME_CULLED,
    AEROGPU_OUTCOME_SCISSOR,
    AEROGPU_OUTCOME_DISCARDED, /* discarded by the shader */
    AEROGPU_OUTCOME_UNKNOWN,   /* the draw's shaders write buffers, so it cannot be repeated */
    AEROGPU_OUTCOMES
};

#endif
