/* SPDX-License-Identifier: MIT */
/*
 * Replaying OpenGL calls, as events of an apitrace trace, in the graphics worker (worker.md 6):
 * a session stands at a place of the event stream, is fed the stream's bytes from the
 * first to the last, runs calls up to the one that its user names, and gives pictures of
 * what is there. GL state cannot be saved: to go back is to begin again.
 * All functions but create and destroy are for the thread that has acquired the worker.
 *
 * The session outlives its process: a call that killed one is remembered, and left out
 * from then on.
 */
#ifndef GPUDUMPFS_WORKER_APITRACE_SESSION_H
#define GPUDUMPFS_WORKER_APITRACE_SESSION_H

#include "worker/apitrace_protocol.h"
#include "worker/session.h"
#include "worker/worker.h"

struct apitrace_session;

struct apitrace_session_params {
    uint64_t texture_bytes; /* of all textures at most; 0: the worker's default */
    /*
     * What could not be done, by the number of the call; called within apitrace_session_feed().
     * The worker tells a few of each session only. May be NULL.
     */
    session_note *note;
    void *context;
    /* What is known to kill a process is left out by the new one, too; borrowed; NULL: nothing. */
    const struct apitrace_session *warned;
};

/* `worker` outlives the session. 0 or -ENOMEM. */
int apitrace_session_create(struct worker *worker, const struct apitrace_session_params *params,
                            struct apitrace_session **out);
void apitrace_session_destroy(struct apitrace_session **session);

/*
 * What the calls below return beside 0, always with a sentence in apitrace_session_reason():
 *
 *     -ESTALE  what was built up is gone (no process, another one, or one that somebody
 *              else has just killed, three times on end at most): apitrace_session_reset(),
 *              and feed again from the stream's beginning
 *     -EAGAIN  the process died of a call, which is remembered now: the same
 *     -EIO     the process died, nobody knows of what; -ETIMEDOUT the same for time
 *     -EINTR   `cancel` was raised. The session is still there unless the next call says
 *              -ESTALE; apitrace_session_feed() with APITRACE_FEED_STAY tells how far it is
 *     others   as worker_call(); the worker lives, the session is where it was
 */
const char *apitrace_session_reason(const struct apitrace_session *session);

/*
 * The size of something that is drawn on, which traces do not tell (worker.md 6.2).
 * It is found by the number of the call where the trace first names it (worker.md 6.2
 * lists which) and its value there: a surface, drawable or context, as the trace has it.
 */
struct apitrace_session_drawable {
    uint64_t call, handle;
    uint32_t width, height; /* pixels; what is not listed has 640x480, or its attributes' */
    uint32_t samples;       /* of each pixel; 0: one */
};

/*
 * No context, nothing fed: the next byte to come is the stream's first, its header's.
 * Starts a process if there is none.
 */
int apitrace_session_reset(struct apitrace_session *session,
                           const struct apitrace_session_drawable *drawables, size_t count,
                           const struct cancel *cancel);

/*
 * For the sessions that begin from now on: whether they are to give a picture or a few soon,
 * rather than many at a good pace (worker_set_fast_compile()). May end the session.
 */
void apitrace_session_fast_compile(struct apitrace_session *session, bool fast_compile);

/* The same of worker_set_one_thread(). */
void apitrace_session_one_thread(struct apitrace_session *session, bool one_thread);

/*
 * A stretch of the stream. `offset` is where the last feed's `next` said; the bytes need not
 * end with an event. APITRACE_FEED_BYTES at once are a good measure; more, or none, may be.
 */
struct apitrace_session_feed {
    uint64_t offset;
    const void *bytes;
    size_t size;
    uint64_t stop;  /* number of a call; APITRACE_NO_CALL: none */
    uint32_t flags; /* enum apitrace_feed_flag; APITRACE_FEED_END holds for the session, the rest
                       for a feed */
};

enum { APITRACE_FEED_BYTES = 1 << 20 };

struct apitrace_session_progress {
    enum apitrace_feed_state state;
    uint64_t next;   /* offset in the stream of the first byte that has not been fed */
    uint64_t listed; /* calls run or left out since the reset, in listing order (apitrace.md 3.1) */
    uint64_t call;   /* number of the last one among them; APITRACE_NO_CALL: none */
    uint64_t skipped; /* of those, GL calls that could not be run */
};

/*
 * The number of the call that the leader of the session's worker is at; APITRACE_NO_CALL: none.
 * An untrusted number. Any thread.
 */
uint64_t apitrace_session_leaders_call(const struct apitrace_session *session);

/* Takes the bytes, and runs what is whole. -EINVAL: they do not stand at `next`. */
int apitrace_session_feed(struct apitrace_session *session,
                          const struct apitrace_session_feed *feed, const struct cancel *cancel,
                          struct apitrace_session_progress *progress);

/* A place that the session can go back to, as a feed's progress tells it. */
struct apitrace_session_place {
    uint64_t next, listed;
};

/*
 * Sets a mark before the call at which the last feed stopped (worker.md 6.11). While it stands a
 * feed may be -EXDEV: a call is next that sets what cannot be put back. -ENOENT: there cannot be
 * one here.
 */
int apitrace_session_mark(struct apitrace_session *session, const struct cancel *cancel,
                          struct apitrace_session_place *out);

/*
 * Goes back to the mark, which is not there any more unless it is to `stay`. What is drawn on holds
 * what it held before. -ENOENT: nothing can be gone back to from here.
 */
int apitrace_session_back(struct apitrace_session *session, bool stay, const struct cancel *cancel,
                          struct apitrace_session_place *out);

/*
 * Pixels of framebuffer 0: of the drawable that the call at which the feed stopped is about to
 * swap, else of what is current in the thread of the last call. Or of what is drawn on there,
 * which may be a framebuffer object: then of the first colours that draws go to.
 */
struct apitrace_picture_request {
    enum apitrace_picture_kind kind;
    uint32_t width, height; /* so much of it from the lower left; 0: all, or what is there */
};

struct apitrace_picture {
    uint32_t width, height;
    uint32_t pixel_bytes;  /* 3: RGB8; 4: RGBA8; of floats 4 (depth) or 16 (RGBA) */
    bool real;             /* f32, little-endian */
    const uint8_t *pixels; /* width * height * pixel_bytes, rows from the top */
    struct blob *owner;    /* of the pixels; the caller's to drop */
};

/*
 * Whether a picture is of the size that its reader counts on: a worker that is not itself any more
 * sends what it likes. 0, or -ERANGE: it is not, and is dropped.
 */
int apitrace_session_expect(struct apitrace_picture *picture, uint32_t width, uint32_t height,
                            uint32_t pixel_bytes);

/* -ENOENT: no context is current, or it has no drawable. */
int apitrace_session_picture(struct apitrace_session *session,
                             const struct apitrace_picture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out);

struct apitrace_texture_request {
    uint32_t name;   /* as the trace has it */
    uint32_t target; /* GL_TEXTURE_2D, …; of a cube map a face */
    uint32_t level, layer;
};

/*
 * A level of a texture, RGBA8, or RGBA f32 where it has more than 8 bits; the first row is
 * the one that is uploaded first. -ENOENT: there is none.
 */
int apitrace_session_texture(struct apitrace_session *session,
                             const struct apitrace_texture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out);

/*
 * Bytes of the program's memory that the session keeps (worker.md 6.10), or of a buffer that is
 * mapped: `size` of them. -ENOENT: there are not so many at the address.
 */
int apitrace_session_memory(struct apitrace_session *session, uint64_t address, uint64_t size,
                            const struct cancel *cancel, struct blob **out);

enum { APITRACE_DRAW_TEXT_MAX = 64 << 20 };

/*
 * What the call saw behind which the session stands, as a text of printable characters.
 * -ENOENT: no context is current there, or it stands between glBegin() and glEnd().
 */
int apitrace_session_draw_text(struct apitrace_session *session, enum apitrace_draw_text what,
                               const struct cancel *cancel, struct blob **out);

/* What the session's feeds with APITRACE_FEED_WATCH look at. */
struct apitrace_watch_request {
    enum apitrace_watch_kind kind;
    uint64_t handle; /* of the drawable, or APITRACE_WATCH_IMPLICIT */
    /* The pixel, from below; of APITRACE_WATCH_IDS the part from the lower left that is. */
    uint32_t x, y, width, height;
    uint32_t flags; /* enum apitrace_watch_flag; the first one for APITRACE_COVERED_SPOILS */
};

/* -EINVAL: there is no such part of a drawable. */
int apitrace_session_watch(struct apitrace_session *session,
                           const struct apitrace_watch_request *request,
                           const struct cancel *cancel);

/* What a pixel holds. */
struct apitrace_sight {
    uint8_t rgba[4];
    uint32_t depth; /* of 24 bits */
    uint8_t stencil;
};

struct apitrace_pixel_change {
    uint64_t call;  /* an untrusted number */
    uint32_t flags; /* enum apitrace_watch_plane: what it wrote, whatever was there */
    enum apitrace_pixel_outcome outcome;
    struct apitrace_sight before, after;
};

struct apitrace_pixel_changes {
    uint32_t planes;                    /* enum apitrace_watch_plane: that are known */
    struct apitrace_sight first;        /* before the first call that was looked at */
    struct apitrace_pixel_change *list; /* calls that changed it, or wrote it; for free() */
    uint32_t count;
};

/* The watch ends. -EFBIG: the pixel changes too often. *out is to be freed in any case. */
int apitrace_session_watched_pixel(struct apitrace_session *session, const struct cancel *cancel,
                                   struct apitrace_pixel_changes *out);

/* The same of all pixels: the numbers of calls, u32, or APITRACE_WATCHED_NOBODY. */
int apitrace_session_watched_ids(struct apitrace_session *session, const struct cancel *cancel,
                                 struct apitrace_picture *out);
/* Of APITRACE_WATCH_COVERAGE: enum apitrace_covered_pixel each; *told is of enum
 * apitrace_covered_by, an untrusted number. -ENOENT: the driver does not draw it elsewhere. */
int apitrace_session_watched_coverage(struct apitrace_session *session, const struct cancel *cancel,
                                      uint32_t *told, struct apitrace_picture *out);

/*
 * What there is to read there beside texts: *out is an array of struct apitrace_draw_part, whose
 * sizes have been looked at. Of a drawable so much from the lower left counts; 0: all. -ENOENT as
 * above.
 */
int apitrace_session_draw_parts(struct apitrace_session *session, uint32_t width, uint32_t height,
                                const struct cancel *cancel, struct blob **out);

/* The bytes of the part at a place in that list, `bytes` as it is told there. */
int apitrace_session_draw_part(struct apitrace_session *session, uint32_t width, uint32_t height,
                               uint32_t place, uint64_t bytes, const struct cancel *cancel,
                               struct blob **out);

#endif
