/* SPDX-License-Identifier: MIT */
/*
 * A session of apitrace: replays OpenGL calls, as events of an apitrace trace, in the graphics
 * worker (worker.md 6). A session is at a place of the event stream. It is fed the bytes of the
 * stream from the first to the last, runs calls up to the one that its user names, and gives
 * pictures of what is there. GL state cannot be saved: going back means starting again, unless a
 * mark was set (apitrace_session_mark()).
 *
 * All functions except create and destroy are for the thread that has acquired the worker
 * (worker/worker.h).
 *
 * The session outlives its process: a call that killed a process is remembered, and left out from
 * then on.
 */
#ifndef GPUDUMPFS_WORKER_APITRACE_SESSION_H
#define GPUDUMPFS_WORKER_APITRACE_SESSION_H

#include "worker/apitrace_protocol.h"
#include "worker/session.h"
#include "worker/worker.h"

struct apitrace_session;

struct apitrace_session_params {
    uint64_t texture_bytes; /* largest total of all textures; 0: the worker's default */
    /*
     * Receives what could not be done, with the number of the call, during apitrace_session_feed().
     * The worker reports a limited number of notes in each session. May be NULL.
     */
    session_note *note;
    void *context;
    /*
     * Session whose known bad calls this one leaves out, too; borrowed during create; NULL: none.
     */
    const struct apitrace_session *warned;
};

/* Creates a session. `worker` must outlive it. Returns 0 or -ENOMEM. */
int apitrace_session_create(struct worker *worker, const struct apitrace_session_params *params,
                            struct apitrace_session **out);
void apitrace_session_destroy(struct apitrace_session **session);

/*
 * Returns the reason of the last failure, as a sentence. The functions below return 0, or
 *
 *     -ESTALE  the state is gone: there is no process, or another one, or a third party has just
 *              killed it (at most three times in a row). Call apitrace_session_reset(), and feed
 *              again from the beginning of the stream
 *     -EAGAIN  the process died of a call, which is now remembered: do the same
 *     -EIO     the process died of an unknown cause; -ETIMEDOUT is the same for time
 *     -EINTR   `cancel` was raised. The session still exists unless the next call returns -ESTALE;
 *              apitrace_session_feed() with APITRACE_FEED_STAY reports how far it is
 *     others   as worker_call(); the worker lives, and the session is where it was
 */
const char *apitrace_session_reason(const struct apitrace_session *session);

/*
 * The size of something that is drawn on, which traces do not record. It is identified by the
 * number of the call in which the trace first names it (worker.md 6.2 lists these calls), and by
 * its handle there: the value of the surface, drawable or context in the trace.
 */
struct apitrace_session_drawable {
    uint64_t call, handle;
    uint32_t width, height; /* pixels; a drawable that is not listed has 640x480, or the size of its
                               attributes */
    uint32_t samples;       /* for each pixel; 0: one */
};

/*
 * Starts a new state without a context: the next byte to feed is the first of the stream's header.
 * Starts a process if there is none. Returns -EFBIG if there are more than
 * APITRACE_SESSION_DRAWABLES_MAX drawables.
 */
int apitrace_session_reset(struct apitrace_session *session,
                           const struct apitrace_session_drawable *drawables, size_t count,
                           const struct cancel *cancel);

/*
 * Sets whether sessions that start from now on should give one or a few pictures soon, rather than
 * many at a good pace (worker_set_fast_compile()). This may end the session's process.
 */
void apitrace_session_fast_compile(struct apitrace_session *session, bool fast_compile);

/* Calls worker_set_one_thread(), which may end the session's process. */
void apitrace_session_one_thread(struct apitrace_session *session, bool one_thread);

/*
 * A run of bytes of the stream. `offset` is the `next` of the last feed; the bytes need not end
 * with an event. APITRACE_FEED_BYTES at a time is a good size; more bytes, or none, are allowed.
 */
struct apitrace_session_feed {
    uint64_t offset;
    const void *bytes;
    size_t size;
    uint64_t stop;  /* number of a call; APITRACE_NO_CALL: none */
    uint32_t flags; /* enum apitrace_feed_flag; APITRACE_FEED_END holds for the session, the others
                       for one feed */
};

enum { APITRACE_FEED_BYTES = 1 << 20 };

struct apitrace_session_progress {
    enum apitrace_feed_state state;
    uint64_t next;   /* offset in the stream of the first byte that was not fed */
    uint64_t listed; /* calls run or left out since the reset, in listing order (apitrace.md 3.1) */
    uint64_t call;   /* number of the last of those; APITRACE_NO_CALL: none */
    uint64_t skipped; /* GL calls among them that could not be run */
};

/*
 * Returns the number of the call that the leader of the session's worker is running;
 * APITRACE_NO_CALL if there is none. This is an untrusted number. Any thread.
 */
uint64_t apitrace_session_leaders_call(const struct apitrace_session *session);

/*
 * Feeds the bytes, and runs the calls that are complete. Returns -EINVAL if the bytes do not begin
 * at `next`.
 */
int apitrace_session_feed(struct apitrace_session *session,
                          const struct apitrace_session_feed *feed, const struct cancel *cancel,
                          struct apitrace_session_progress *progress);

/* A place that the session can go back to; the fields are those of a feed's progress. */
struct apitrace_session_place {
    uint64_t next, listed;
};

/*
 * Sets a mark before the call at which the last feed stopped (worker.md 6.11). While the mark
 * exists, a feed returns -EXDEV if the next call sets what cannot be restored. Returns -ENOENT if
 * no mark can be set here.
 */
int apitrace_session_mark(struct apitrace_session *session, const struct cancel *cancel,
                          struct apitrace_session_place *out);

/*
 * Goes back to the mark, and removes it unless `stay`. The contents of what is drawn on are not
 * restored. Returns -ENOENT if there is no mark, or the session cannot go back from here.
 */
int apitrace_session_back(struct apitrace_session *session, bool stay, const struct cancel *cancel,
                          struct apitrace_session_place *out);

/*
 * A picture of framebuffer 0: of the drawable that the call at which the feed stopped is about to
 * swap, otherwise of the current drawable of the last call's thread. With APITRACE_PICTURE_TARGET a
 * picture of what draws go to there: of a framebuffer object, its first colour attachment in use.
 */
struct apitrace_picture_request {
    enum apitrace_picture_kind kind;
    uint32_t width, height; /* part from the lower left; 0: all, or what is there */
};

struct apitrace_picture {
    uint32_t width, height;
    uint32_t pixel_bytes;  /* 3: RGB8; 4: RGBA8; if `real` 4 (depth) or 16 (RGBA) */
    bool real;             /* components are f32, little-endian */
    const uint8_t *pixels; /* width * height * pixel_bytes, rows from the top */
    struct blob *owner;    /* of the pixels; dropped by the caller */
};

/*
 * Checks that a picture has the expected size, since a worker that has been taken over may send
 * anything. Returns 0, or drops the picture and returns -ERANGE.
 */
int apitrace_session_expect(struct apitrace_picture *picture, uint32_t width, uint32_t height,
                            uint32_t pixel_bytes);

/*
 * Reads a picture. Returns -ENOENT if that is impossible here: no context is current, it has no
 * drawable, or the session is between glBegin() and glEnd().
 */
int apitrace_session_picture(struct apitrace_session *session,
                             const struct apitrace_picture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out);

struct apitrace_texture_request {
    uint32_t name;   /* as in the trace */
    uint32_t target; /* GL_TEXTURE_2D, …; of a cube map, a face */
    uint32_t level, layer;
};

/*
 * Reads a level of a texture as RGBA8, or as RGBA f32 if it has more than 8 bits a component. The
 * first row is the one that was uploaded first. Returns -ENOENT if there is no such level.
 */
int apitrace_session_texture(struct apitrace_session *session,
                             const struct apitrace_texture_request *request,
                             const struct cancel *cancel, struct apitrace_picture *out);

/*
 * Reads `size` bytes of the program's memory as the session keeps it (worker.md 6.10), or of a
 * mapped buffer. Returns -ENOENT if fewer bytes are there at the address.
 */
int apitrace_session_memory(struct apitrace_session *session, uint64_t address, uint64_t size,
                            const struct cancel *cancel, struct blob **out);

enum { APITRACE_DRAW_TEXT_MAX = 64 << 20 };

/*
 * Returns a text, of printable characters, about the state that the last call saw; the session is
 * at the place after it. Returns -ENOENT if no context is current there, or the place is between
 * glBegin() and glEnd().
 */
int apitrace_session_draw_text(struct apitrace_session *session, enum apitrace_draw_text what,
                               const struct cancel *cancel, struct blob **out);

/* What feeds with APITRACE_FEED_WATCH watch. */
struct apitrace_watch_request {
    enum apitrace_watch_kind kind;
    uint64_t handle; /* of the drawable, or APITRACE_WATCH_IMPLICIT or APITRACE_WATCH_ANY */
    /* The pixel, counted from below. For the other kinds the watched part, from the lower left. */
    uint32_t x, y, width, height;
    uint32_t flags; /* enum apitrace_watch_flag; coverage that is APITRACE_COVERED_SPOILS needs
                       MAY_SPOIL */
};

/* Starts a watch. Returns -EINVAL if a drawable has no such part. */
int apitrace_session_watch(struct apitrace_session *session,
                           const struct apitrace_watch_request *request,
                           const struct cancel *cancel);

/* The contents of a pixel. */
struct apitrace_sight {
    uint8_t rgba[4];
    uint32_t depth; /* 24 bits */
    uint8_t stencil;
};

struct apitrace_pixel_change {
    uint64_t call;  /* an untrusted number */
    uint32_t flags; /* enum apitrace_watch_plane: what the call certainly wrote */
    enum apitrace_pixel_outcome outcome;
    struct apitrace_sight before, after;
};

struct apitrace_pixel_changes {
    uint32_t planes;                    /* enum apitrace_watch_plane: which are known */
    struct apitrace_sight first;        /* before the first watched call */
    struct apitrace_pixel_change *list; /* calls that changed or wrote it; freed by the caller */
    uint32_t count;
};

/*
 * Ends the watch of a pixel and reads its changes. Returns -EFBIG if the pixel changed too often.
 * The caller frees out->list even if this fails.
 */
int apitrace_session_watched_pixel(struct apitrace_session *session, const struct cancel *cancel,
                                   struct apitrace_pixel_changes *out);

/* Ends the watch of all pixels: numbers of calls, u32, or APITRACE_WATCHED_NOBODY. */
int apitrace_session_watched_ids(struct apitrace_session *session, const struct cancel *cancel,
                                 struct apitrace_picture *out);
/*
 * Ends a watch of coverage: each pixel of *out is an enum apitrace_covered_pixel. *told gets a set
 * of enum apitrace_covered_by, as the worker reports it: an untrusted number. Returns -ENOENT if
 * the driver cannot repeat the draws on another framebuffer.
 */
int apitrace_session_watched_coverage(struct apitrace_session *session, const struct cancel *cancel,
                                      uint32_t *told, struct apitrace_picture *out);

/*
 * Lists what can be read besides texts, at the place where apitrace_session_draw_text() reads: *out
 * is an array of struct apitrace_draw_part, whose sizes have been checked. Of a drawable, only the
 * given size from the lower left counts; 0: all. Returns -ENOENT as that function does.
 */
int apitrace_session_draw_parts(struct apitrace_session *session, uint32_t width, uint32_t height,
                                const struct cancel *cancel, struct blob **out);

/* Reads the part at index `place` of that list; `bytes` is its size there. */
int apitrace_session_draw_part(struct apitrace_session *session, uint32_t width, uint32_t height,
                               uint32_t place, uint64_t bytes, const struct cancel *cancel,
                               struct blob **out);

#endif
