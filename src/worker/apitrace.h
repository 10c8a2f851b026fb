/*
 * Replaying the OpenGL calls of an apitrace trace in the graphics worker (worker.md 6):
 * a session stands at a place of the event stream, is fed the stream's bytes from the
 * first to the last, runs calls up to the one that its user names, and gives pictures of
 * what is there. GL state cannot be saved: to go back is to begin again.
 * All functions but create and destroy are for whoever has acquired the worker.
 *
 * The session outlives its process: a call that killed one is remembered, and left out
 * from then on.
 */
#ifndef GPUDUMPFS_WORKER_APITRACE_H
#define GPUDUMPFS_WORKER_APITRACE_H

#include "worker/session.h"
#include "worker/worker.h"

struct retrace_session;

struct retrace_params {
    uint64_t texture_bytes; /* most that all textures may have; 0: the worker's default */
    /*
     * What could not be done, by the number of the call; called within retrace_feed().
     * The worker tells a few of each session only. May be NULL.
     */
    session_note *note;
    void *context;
    /* What is known to kill a process is left out by the new one, too; borrowed; NULL: nothing. */
    const struct retrace_session *warned;
};

/* `worker` outlives the session. 0 or -ENOMEM. */
int retrace_create(struct worker *worker, const struct retrace_params *params,
                   struct retrace_session **out);
void retrace_destroy(struct retrace_session **session);

/*
 * What the calls below return beside 0, always with a sentence in retrace_reason():
 *
 *     -ESTALE  what was built up is gone (no process, another one, or one that somebody
 *              else has just killed, three times on end at most): retrace_reset(),
 *              and feed again from the stream's beginning
 *     -EAGAIN  the process died of a call, which is remembered now: the same
 *     -EIO     the process died, nobody knows of what; -ETIMEDOUT the same for time
 *     -EINTR   `cancel` was raised. The session is still there unless the next call says
 *              -ESTALE; retrace_feed() with RETRACE_STAY tells how far it is
 *     others   as worker_call(); the worker lives, the session is where it was
 */
const char *retrace_reason(const struct retrace_session *session);

/*
 * The size of something that is drawn on, which traces do not tell (worker.md 6.2).
 * It is found by the number of the call where the trace first names it (worker.md 6.2
 * lists which) and its value there: a surface, drawable or context, as the trace has it.
 */
struct retrace_drawable {
    uint64_t call, handle;
    uint32_t width, height; /* pixels; what is not listed has 640x480, or its attributes' */
    uint32_t samples;       /* of each pixel; 0: one */
};

enum { RETRACE_DRAWABLES_MOST = 65536 };

/*
 * No context, nothing fed: the next byte to come is the stream's first, its header's.
 * Starts a process if there is none.
 */
int retrace_reset(struct retrace_session *session, const struct retrace_drawable *drawables,
                  size_t count, const struct cancel *cancel);

/*
 * For the sessions that begin from now on: whether they are to give a picture or a few soon,
 * rather than many at a good pace (worker_hurry()). May end the session.
 */
void retrace_hurry(struct retrace_session *session, bool hurry);

#define RETRACE_NO_CALL UINT64_MAX

enum retrace_flag {
    /*
     * Draws and clears of framebuffer 0 are left out: to reach a later frame fast, where
     * the trace allows it. All else is run as usual.
     */
    RETRACE_DISCARD = 1,
    RETRACE_END = 2,   /* these bytes are the last; calls that never returned are run, too */
    RETRACE_AFTER = 4, /* stops behind the call `stop`, not before it */
    RETRACE_STAY = 8,  /* runs nothing: tells where it stands */
};

/*
 * A stretch of the stream. `offset` is where the last feed's `next` said; the bytes need not
 * end with an event. RETRACE_FEED_BYTES at once are a good measure; more, or none, may be.
 */
struct retrace_feed {
    uint64_t offset;
    const void *bytes;
    size_t size;
    uint64_t stop;  /* number of a call; RETRACE_NO_CALL: none */
    uint32_t flags; /* enum retrace_flag; RETRACE_END holds for the session, the rest for a feed */
};

enum { RETRACE_FEED_BYTES = 1 << 20 };

/* Why a feed came back. What has been fed and not run stays in the worker in any case. */
enum retrace_state {
    RETRACE_HUNGRY,  /* all was run that is whole: go on with the bytes at `next` */
    RETRACE_STOPPED, /* at the call `stop`: go on, with no bytes or some, and another `stop` */
    RETRACE_PAUSED,  /* a while has passed: go on in the same way, with the same `stop` */
    RETRACE_ENDED,   /* after RETRACE_END: all was run */
};

struct retrace_progress {
    enum retrace_state state;
    uint64_t next;   /* offset in the stream of the first byte that has not been fed */
    uint64_t listed; /* calls run or left out since the reset, in listing order (apitrace.md 3.1) */
    uint64_t call;   /* number of the last one among them; RETRACE_NO_CALL: none */
    uint64_t skipped; /* of those, GL calls that could not be run */
};

/*
 * The number of the call that the leader of the session's worker is at; RETRACE_NO_CALL: none.
 * An untrusted number. Any thread.
 */
uint64_t retrace_leaders_call(const struct retrace_session *session);

/* Takes the bytes, and runs what is whole. -EINVAL: they do not stand at `next`. */
int retrace_feed(struct retrace_session *session, const struct retrace_feed *feed,
                 const struct cancel *cancel, struct retrace_progress *progress);

enum retrace_picture_kind {
    RETRACE_COLOUR, /* RGB8, 3 bytes a pixel */
    RETRACE_DEPTH,  /* f32, little-endian; -ENOENT: it has none */
    RETRACE_TARGET, /* RGB8: of what draws of the last call's thread go to */
};

/*
 * Pixels of framebuffer 0: of the drawable that the call at which the feed stopped is about to
 * swap, else of what is current in the thread of the last call. Or of what is drawn on there,
 * which may be a framebuffer object: then of the first colours that draws go to.
 */
struct retrace_picture_request {
    enum retrace_picture_kind kind;
    uint32_t width, height; /* so much of it from the lower left; 0: all, or what is there */
};

struct retrace_picture {
    uint32_t width, height;
    uint32_t pixel_bytes;  /* 3: RGB8; 4: RGBA8; of floats 4 (depth) or 16 (RGBA) */
    bool real;             /* f32, little-endian */
    const uint8_t *pixels; /* width * height * pixel_bytes, rows from the top */
    struct blob *owner;    /* of the pixels; the caller's to drop */
};

/* -ENOENT: no context is current, or it has no drawable. */
int retrace_picture(struct retrace_session *session, const struct retrace_picture_request *request,
                    const struct cancel *cancel, struct retrace_picture *out);

struct retrace_texture_request {
    uint32_t name;   /* as the trace has it */
    uint32_t target; /* GL_TEXTURE_2D, …; of a cube map a face */
    uint32_t level, layer;
};

/*
 * A level of a texture, RGBA8, or RGBA f32 where it has more than 8 bits; the first row is
 * the one that is uploaded first. -ENOENT: there is none.
 */
int retrace_texture(struct retrace_session *session, const struct retrace_texture_request *request,
                    const struct cancel *cancel, struct retrace_picture *out);

#endif
