/* SPDX-License-Identifier: MIT */
/*
 * What the daemon and the graphics worker say to each other of AeroGPU commands (worker.md 5):
 * this backend's range of messages, and the numbers in them. Constant; any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WORKER_PROTOCOL_H
#define GPUDUMPFS_AEROGPU_REPLAY_WORKER_PROTOCOL_H

#include "formats/aerogpu/decode/abi.h"

#include <stddef.h>
#include <stdint.h>

/* Kinds of messages: 16 to 31 (worker/message.h). */
enum aerogpu_message {
    AEROGPU_MESSAGE_RESET = 16,
    AEROGPU_MESSAGE_SUBMIT,
    AEROGPU_MESSAGE_CONTINUE,
    AEROGPU_MESSAGE_PICTURE,
    AEROGPU_MESSAGE_CONTENT,
    AEROGPU_MESSAGE_SAVE,
    AEROGPU_MESSAGE_LOAD,
    AEROGPU_MESSAGE_FORGET,
    AEROGPU_MESSAGE_TRANSLATE,
};

enum {
    AEROGPU_SESSION_WIREFRAME = 1, /* flag of a session: every triangle is drawn as its edges */
    AEROGPU_SESSION_RANGES_MAX = 65536,
    AEROGPU_SESSION_SAVED_MAX = 40,
};

enum aerogpu_picture_kind {
    AEROGPU_PICTURE_PRESENTED, /* what the last PRESENT showed; -ENOENT: there was none */
    AEROGPU_PICTURE_TARGET,    /* a colour target, or the back buffer where none is bound */
    AEROGPU_PICTURE_DEPTH,     /* the depth target; -ENOENT: none is bound */
    AEROGPU_PICTURE_TEXTURE,   /* a texture or view, at a mip and layer */
};

/* What breadcrumbs call a shader: 64-bit FNV-1a of its bytecode, never 0. */
uint64_t aerogpu_shader_name(const void *bytecode, size_t size);

#endif
