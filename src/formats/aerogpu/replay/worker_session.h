/* SPDX-License-Identifier: MIT */
/*
 * Replays AeroGPU commands in the graphics worker (worker.md 5). A session is at a position of the
 * dump, which the caller keeps track of. It is fed submission after submission, and returns
 * pictures of the current state. All functions except create and destroy must be called by the
 * thread that has acquired the worker.
 *
 * The session outlives its process. It remembers shaders and draws that killed the process: from
 * then on such a shader is replaced by magenta, and such a draw is left out.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WORKER_SESSION_H
#define GPUDUMPFS_AEROGPU_REPLAY_WORKER_SESSION_H

#include "formats/aerogpu/replay/worker_protocol.h"
#include "worker/session.h"
#include "worker/shader_translation.h"
#include "worker/worker.h"

struct aerogpu_session_params {
    uint32_t width, height; /* of the back buffer that is drawn to where no target is bound */
    uint64_t texture_bytes; /* maximum size of all textures; 0 for the worker's default */
    /*
     * Receives problems of the commands, with their offset in the stream that is run. Called within
     * aerogpu_session_submit() and other functions that run commands. May be NULL.
     */
    session_note *note;
    void *context;
};

struct aerogpu_session;

/* Creates a session. `worker` must outlive it. Returns 0 or -ENOMEM. */
int aerogpu_session_create(struct worker *worker, const struct aerogpu_session_params *params,
                           struct aerogpu_session **out);
void aerogpu_session_destroy(struct aerogpu_session **session);

/*
 * Returns the reason of the last failure. The functions below return 0 or one of these, always with
 * a sentence here:
 *
 *     -ESTALE  what was built up is lost (there is no process, or another one, or one that was
 *              just killed from outside, at most three times in a row; or a call was
 *              cancelled): call aerogpu_session_reset(), and feed again from the beginning
 *     -EAGAIN  the process died of a shader or a draw, which is remembered: do the same
 *     -EIO     the process died for an unknown reason; -ETIMEDOUT: it exceeded its time
 *     others   as worker_call(); the worker lives, and the session is unchanged
 */
const char *aerogpu_session_reason(const struct aerogpu_session *session);

/*
 * Resets the session to no objects, D3D11's initial state, and nothing presented. Starts a process
 * if there is none.
 */
int aerogpu_session_reset(struct aerogpu_session *session, uint32_t flags,
                          const struct cancel *cancel);

/* Guest memory of a submission, or a blob that a packet of Appendix A names. */
struct aerogpu_session_range {
    uint64_t id;    /* alloc_id, or the id of the blob */
    uint32_t flags; /* of the range; for a blob, its kind */
    const void *data;
    size_t size;
};

struct aerogpu_session_submission {
    enum aerogpu_dialect dialect;
    const void *commands; /* a complete stream with its header, or one packet of Appendix A */
    size_t size;
    const struct aerogpu_session_range *ranges; /* borrowed during the call */
    size_t range_count;                         /* at most AEROGPU_SESSION_RANGES_MAX */
    uint32_t until; /* stop before the first packet at or beyond this offset; UINT32_MAX: run all */
};

/* How far a run came. */
struct aerogpu_session_progress {
    uint32_t position; /* offset of the next packet, or of the stream's end */
    uint32_t commands; /* number of commands that this call ran */
    uint32_t presents; /* number of PRESENTs among them */
};

/* Makes this the current submission, and runs it. `progress` may be NULL. */
int aerogpu_session_submit(struct aerogpu_session *session,
                           const struct aerogpu_session_submission *submission,
                           const struct cancel *cancel, struct aerogpu_session_progress *progress);

/* Continues the current submission, up to another `until`. */
int aerogpu_session_continue(struct aerogpu_session *session, uint32_t until,
                             const struct cancel *cancel,
                             struct aerogpu_session_progress *progress);

/*
 * Saves the session under one of AEROGPU_SESSION_SAVED_MAX numbers, to go back to. Returns -EBUSY
 * in the middle of a submission, and after commands of Appendix A; -ENOSPC if too much is saved, so
 * that some of it must be forgotten first. Saving is cheap: what is written later is copied only
 * then. A reset forgets everything that was saved.
 */
int aerogpu_session_save(struct aerogpu_session *session, uint32_t slot,
                         const struct cancel *cancel);
/*
 * Restores a saved session, with other flags. Returns -ENOENT, leaving the session unchanged, if
 * nothing was saved under this number.
 */
int aerogpu_session_load(struct aerogpu_session *session, uint32_t slot, uint32_t flags,
                         const struct cancel *cancel);

/* Frees what was saved under a number. */
int aerogpu_session_forget(struct aerogpu_session *session, uint32_t slot,
                           const struct cancel *cancel);

struct aerogpu_picture_request {
    enum aerogpu_picture_kind kind;
    uint32_t index;              /* of a colour target */
    uint32_t handle, mip, layer; /* of a texture */
};

struct aerogpu_picture {
    uint32_t width, height;
    uint32_t format; /* of the texture, enum aerogpu_format */
    bool depth; /* pixels are f32, little-endian; otherwise RGBA8 (alpha is 255 in X8 formats) */
    const uint8_t *pixels; /* width * height * 4 bytes, the top row first */
    struct blob *owner;    /* holds the pixels; the caller must unreference it */
};

/* Gets a picture of the session's current state. On success the caller owns out->owner. */
int aerogpu_session_picture(struct aerogpu_session *session,
                            const struct aerogpu_picture_request *request,
                            const struct cancel *cancel, struct aerogpu_picture *out);

/*
 * Gets the current bytes of a buffer, or of all subresources of a texture in its format and linear
 * layout without padding. The caller owns *out.
 */
int aerogpu_session_content(struct aerogpu_session *session, uint32_t handle,
                            const struct cancel *cancel, struct blob **out);

struct aerogpu_probe_request {
    uint32_t handle, mip, layer; /* of a texture; handle 0 is the back buffer */
    uint32_t x, y;
};

/* What a command does to a texel. */
struct aerogpu_probe {
    bool drawn; /* the command is a draw to that subresource with a known outcome */
    enum aerogpu_outcome outcome;
    bool had_colour, has_colour; /* whether the texel has a colour before and after */
    uint8_t before[4], after[4]; /* RGBA8 as stored, or the f32 of a depth format */
    bool had_depth, has_depth;
    float depth_before, depth_after;
};

/* Runs only the next command of the current submission, and gets what it does to a texel. */
int aerogpu_session_probe(struct aerogpu_session *session,
                          const struct aerogpu_probe_request *request, const struct cancel *cancel,
                          struct aerogpu_probe *out);

/*
 * Runs only the next command of the current submission, and gets which texels of the subresource it
 * writes: in *mask, which the caller owns, a byte for each texel, the top row first. A command that
 * is not a draw writes none.
 */
int aerogpu_session_mask(struct aerogpu_session *session,
                         const struct aerogpu_probe_request *request, const struct cancel *cancel,
                         struct blob **mask);

/* Calls shader_translation_make() in the process of the session. Needs no reset before. */
int aerogpu_session_translate(struct aerogpu_session *session, const void *bytecode, size_t size,
                              const struct cancel *cancel, struct shader_translation *out);

#endif
