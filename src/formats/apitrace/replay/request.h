/* SPDX-License-Identifier: MIT */
/*
 * What the player (player.h) is asked for, as a value: where its session is to stand for it, and
 * what it is made of. For a thread that has acquired the player's worker; what needs no session is
 * any thread's.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_REQUEST_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_REQUEST_H

#include "formats/apitrace/replay/pixel_watch.h"

/*
 * What is asked of the session where it stands: behind a draw, or at a frame's picture. As
 * apitrace_session_feed() returns; *out is what was made, and may stay NULL.
 */
typedef int apitrace_visitor(void *context, struct apitrace_session *session,
                             const struct cancel *cancel, struct blob **out);

/*
 * A request: a frame's picture, a level of a texture at its end, what a draw left, a visit, or what
 * frames do to pixels.
 */
struct apitrace_request {
    uint64_t frame;                           /* of a watch the first one */
    const struct apitrace_level *level;       /* NULL: none */
    const struct apitrace_snapshot *snapshot; /* the same */
    apitrace_visitor *visit;                  /* NULL: none; instead of what is made else */
    void *context;                            /* of that */
    const struct apitrace_watch *watch;       /* the same */
    struct apitrace_watched *watched;         /* where to */
};

/* Where the session is to stand. */
struct apitrace_replay_goal apitrace_request_goal(const struct apitrace_dump *dump,
                                                  const struct apitrace_request *request);

/* It is made of what frames from this one on have drawn. */
uint32_t apitrace_request_base(const struct apitrace_dump *dump,
                               const struct apitrace_request *request);

/* Whether a frame is wanted as it is at its end, not what is met on the way through it. */
bool apitrace_request_is_of_frame(const struct apitrace_request *request);

/* Whether what a draw left is wanted, and nothing else. */
bool apitrace_request_is_of_draw(const struct apitrace_request *request);

/* Tells in problems.txt why there is no answer: by -ERANGE, -ENODATA, or what the session says. */
void apitrace_request_report(const struct apitrace_request *request,
                             const struct apitrace_dump *dump,
                             const struct apitrace_session *session, int status);

#endif
