/*
 * Replaying AeroGPU commands in the graphics worker (worker.md 5): a session stands
 * at a position of the dump, which its user remembers; it is fed submission after
 * submission, and gives pictures of what is there. All functions but create and
 * destroy are for whoever has acquired the worker.
 *
 * The session outlives its process: a shader that killed one is remembered, and drawn
 * in magenta from then on; a draw is left out.
 */
#ifndef GPUDUMPFS_WORKER_AEROGPU_H
#define GPUDUMPFS_WORKER_AEROGPU_H

#include "worker/session.h"
#include "worker/worker.h"

enum {
    AERO_WIREFRAME = 1, /* flag of a session: every triangle is drawn as its edges */
};

struct aero_params {
    uint32_t width, height; /* of the back buffer that stands in where no target is bound */
    uint64_t texture_bytes; /* most that all textures may have; 0: the worker's default */
    /*
     * What is wrong with the commands, by their offset in the stream that is run;
     * called within aero_submit() and the like. May be NULL.
     */
    session_note *note;
    void *context;
};

struct aero_session;

/* `worker` outlives the session. 0 or -ENOMEM. */
int aero_create(struct worker *worker, const struct aero_params *params, struct aero_session **out);
void aero_destroy(struct aero_session **session);

/*
 * What the calls below return beside 0, always with a sentence in aero_reason():
 *
 *     -ESTALE  what was built up is gone (no process, another one, one that somebody else
 *              has just killed, three times on end at most, or a call that was
 *              cancelled): aero_reset(), and feed again from the beginning
 *     -EAGAIN  the process died of a shader or a draw, which is remembered now: the same
 *     -EIO     the process died, nobody knows of what; -ETIMEDOUT the same for time
 *     others   as worker_call(); the worker lives, the session is where it was
 */
const char *aero_reason(const struct aero_session *session);

/* No objects, D3D11's initial state, nothing presented. Starts a process if there is none. */
int aero_reset(struct aero_session *session, uint32_t flags, const struct cancel *cancel);

/* Guest memory of a submission, or a blob that an Appendix-A packet names. */
struct aero_range {
    uint64_t id;    /* alloc_id, or blob id */
    uint32_t flags; /* of the range; of a blob its kind */
    const void *data;
    size_t size;
};

enum aero_dialect { AERO_A3A0, AERO_APPENDIX_A };

struct aero_submission {
    enum aero_dialect dialect;
    const void *commands; /* a whole stream with its header, or one Appendix-A packet */
    size_t size;
    const struct aero_range *ranges; /* at most AERO_RANGES_MAX, borrowed during the call */
    size_t range_count;
    uint32_t until; /* stops before the first packet at or beyond this offset; UINT32_MAX: none */
};

enum { AERO_RANGES_MAX = 65536 };

/* Where a run came to. */
struct aero_progress {
    uint32_t position; /* offset of the next packet, or of the stream's end */
    uint32_t commands; /* that were run, by this call */
    uint32_t presents; /* among them */
};

/* Makes this the current submission, and runs it. `progress` may be NULL. */
int aero_submit(struct aero_session *session, const struct aero_submission *submission,
                const struct cancel *cancel, struct aero_progress *progress);

/* Runs the current submission on, to another `until`. */
int aero_continue(struct aero_session *session, uint32_t until, const struct cancel *cancel,
                  struct aero_progress *progress);

/*
 * Keeps the session as it is, under one of AERO_SAVED_MOST numbers, to go back to; not in
 * the midst of a submission (-EBUSY, also for Appendix A). -ENOSPC: what is saved holds
 * too much; some of it is to be forgotten first. Cheap: what is written to later is
 * copied then. A reset forgets all.
 */
enum { AERO_SAVED_MOST = 40 };
int aero_save(struct aero_session *session, uint32_t slot, const struct cancel *cancel);
/* The session as it was saved, with other flags; -ENOENT: nothing was, it is as it is. */
int aero_load(struct aero_session *session, uint32_t slot, uint32_t flags,
              const struct cancel *cancel);
int aero_forget(struct aero_session *session, uint32_t slot, const struct cancel *cancel);

enum aero_picture_kind {
    AERO_PRESENTED, /* what the last PRESENT showed; -ENOENT: there was none */
    AERO_TARGET,    /* colour target `index`, or the back buffer where none is bound */
    AERO_DEPTH,     /* the depth target; -ENOENT: none is bound */
    AERO_TEXTURE,   /* `handle`, a texture or view, at `mip` and `layer` */
};

struct aero_picture_request {
    enum aero_picture_kind kind;
    uint32_t index, handle, mip, layer;
};

struct aero_picture {
    uint32_t width, height;
    uint32_t format;       /* of the texture, enum aerogpu_format */
    bool depth;            /* pixels are f32, little-endian, else RGBA8 (alpha 255 in X8 formats) */
    const uint8_t *pixels; /* width * height * 4 bytes, rows from the top */
    struct blob *owner;    /* of the pixels; the caller's to drop */
};

int aero_picture(struct aero_session *session, const struct aero_picture_request *request,
                 const struct cancel *cancel, struct aero_picture *out);

/*
 * The bytes of a buffer, or of all subresources of a texture in its format and tight
 * linear layout, as they are now. The caller owns *out.
 */
int aero_content(struct aero_session *session, uint32_t handle, const struct cancel *cancel,
                 struct blob **out);

/* What trails call a shader: 64-bit FNV-1a of its bytecode, never 0. Any thread. */
uint64_t aero_shader_name(const void *bytecode, size_t size);

/* A shader translated as for drawing; needs no reset, and leaves the session alone. */
struct aero_translation {
    struct blob *spirv; /* empty for D3D9 shaders, which have none */
    struct blob *glsl;
};
/* -EIO also for a shader that killed a process before: it is not tried again. */
int aero_translate(struct aero_session *session, const void *bytecode, size_t size,
                   const struct cancel *cancel, struct aero_translation *out);

#endif
