/* SPDX-License-Identifier: MIT */
/*
 * Replaying AeroGPU commands in the graphics worker (worker.md 5): a session stands
 * at a position of the dump, which its user remembers; it is fed submission after
 * submission, and gives pictures of what is there. All functions but create and
 * destroy are for the thread that has acquired the worker.
 *
 * The session outlives its process: a shader that killed one is remembered, and drawn
 * in magenta from then on; a draw is left out.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_WORKER_SESSION_H
#define GPUDUMPFS_AEROGPU_REPLAY_WORKER_SESSION_H

#include "formats/aerogpu/replay/worker_protocol.h"
#include "worker/session.h"
#include "worker/shader_translation.h"
#include "worker/worker.h"

struct aerogpu_session_params {
    uint32_t width, height; /* of the back buffer that stands in where no target is bound */
    uint64_t texture_bytes; /* of all textures at most; 0: the worker's default */
    /*
     * What is wrong with the commands, by their offset in the stream that is run;
     * called within aerogpu_session_submit() and the like. May be NULL.
     */
    session_note *note;
    void *context;
};

struct aerogpu_session;

/* `worker` outlives the session. 0 or -ENOMEM. */
int aerogpu_session_create(struct worker *worker, const struct aerogpu_session_params *params,
                           struct aerogpu_session **out);
void aerogpu_session_destroy(struct aerogpu_session **session);

/*
 * What the calls below return beside 0, always with a sentence in aerogpu_session_reason():
 *
 *     -ESTALE  what was built up is gone (no process, another one, one that somebody else
 *              has just killed, three times on end at most, or a call that was
 *              cancelled): aerogpu_session_reset(), and feed again from the beginning
 *     -EAGAIN  the process died of a shader or a draw, which is remembered now: the same
 *     -EIO     the process died, nobody knows of what; -ETIMEDOUT the same for time
 *     others   as worker_call(); the worker lives, the session is where it was
 */
const char *aerogpu_session_reason(const struct aerogpu_session *session);

/* No objects, D3D11's initial state, nothing presented. Starts a process if there is none. */
int aerogpu_session_reset(struct aerogpu_session *session, uint32_t flags,
                          const struct cancel *cancel);

/* Guest memory of a submission, or a blob that an Appendix-A packet names. */
struct aerogpu_session_range {
    uint64_t id;    /* alloc_id, or blob id */
    uint32_t flags; /* of the range; of a blob its kind */
    const void *data;
    size_t size;
};

struct aerogpu_session_submission {
    enum aerogpu_dialect dialect;
    const void *commands; /* a whole stream with its header, or one Appendix-A packet */
    size_t size;
    const struct aerogpu_session_range *ranges; /* borrowed during the call */
    size_t range_count;                         /* at most AEROGPU_SESSION_RANGES_MAX */
    uint32_t until; /* stops before the first packet at or beyond this offset; UINT32_MAX: none */
};

/* Where a run came to. */
struct aerogpu_session_progress {
    uint32_t position; /* offset of the next packet, or of the stream's end */
    uint32_t commands; /* that were run, by this call */
    uint32_t presents; /* among them */
};

/* Makes this the current submission, and runs it. `progress` may be NULL. */
int aerogpu_session_submit(struct aerogpu_session *session,
                           const struct aerogpu_session_submission *submission,
                           const struct cancel *cancel, struct aerogpu_session_progress *progress);

/* Runs the current submission on, to another `until`. */
int aerogpu_session_continue(struct aerogpu_session *session, uint32_t until,
                             const struct cancel *cancel,
                             struct aerogpu_session_progress *progress);

/*
 * Keeps the session as it is, under one of AEROGPU_SESSION_SAVED_MAX numbers, to go back to; not in
 * the midst of a submission (-EBUSY, also for Appendix A). -ENOSPC: what is saved holds
 * too much; some of it is to be forgotten first. Cheap: what is written to later is
 * copied then. A reset forgets all.
 */
int aerogpu_session_save(struct aerogpu_session *session, uint32_t slot,
                         const struct cancel *cancel);
/* The session as it was saved, with other flags; -ENOENT: nothing was, it is as it is. */
int aerogpu_session_load(struct aerogpu_session *session, uint32_t slot, uint32_t flags,
                         const struct cancel *cancel);
int aerogpu_session_forget(struct aerogpu_session *session, uint32_t slot,
                           const struct cancel *cancel);

struct aerogpu_picture_request {
    enum aerogpu_picture_kind kind;
    uint32_t index;              /* of a colour target */
    uint32_t handle, mip, layer; /* of a texture */
};

struct aerogpu_picture {
    uint32_t width, height;
    uint32_t format;       /* of the texture, enum aerogpu_format */
    bool depth;            /* pixels are f32, little-endian, else RGBA8 (alpha 255 in X8 formats) */
    const uint8_t *pixels; /* width * height * 4 bytes, rows from the top */
    struct blob *owner;    /* of the pixels; the caller's to drop */
};

int aerogpu_session_picture(struct aerogpu_session *session,
                            const struct aerogpu_picture_request *request,
                            const struct cancel *cancel, struct aerogpu_picture *out);

/*
 * The bytes of a buffer, or of all subresources of a texture in its format and tight
 * linear layout, as they are now. The caller owns *out.
 */
int aerogpu_session_content(struct aerogpu_session *session, uint32_t handle,
                            const struct cancel *cancel, struct blob **out);

struct aerogpu_probe_request {
    uint32_t handle, mip, layer; /* of a texture; handle 0: the back buffer */
    uint32_t x, y;
};

/* What a command does to a texel. */
struct aerogpu_probe {
    bool drawn; /* it is a draw onto that subresource, of which the outcome is known */
    enum aerogpu_outcome outcome;
    bool had_colour, has_colour; /* before and after: there is such a texel */
    uint8_t before[4], after[4]; /* RGBA8 as it is stored, or f32 of a depth format */
    bool had_depth, has_depth;
    float depth_before, depth_after;
};

/*
 * Runs the next command of the current submission alone, and tells what that does to a texel, or
 * in *mask, which the caller owns, which texels of the subresource it writes: a byte each, rows
 * from the top. A command that is no draw is found to write none.
 */
int aerogpu_session_probe(struct aerogpu_session *session,
                          const struct aerogpu_probe_request *request, const struct cancel *cancel,
                          struct aerogpu_probe *out);
int aerogpu_session_mask(struct aerogpu_session *session,
                         const struct aerogpu_probe_request *request, const struct cancel *cancel,
                         struct blob **mask);

/* shader_translation_make() by the process of the session, which needs no reset for it. */
int aerogpu_session_translate(struct aerogpu_session *session, const void *bytecode, size_t size,
                              const struct cancel *cancel, struct shader_translation *out);

#endif
