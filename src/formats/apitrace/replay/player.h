/* SPDX-License-Identifier: MIT */
/*
 * Pictures of frames, made by the graphics worker (apitrace.md 4.6): a session that
 * stands at a place of the trace goes on to later frames, and begins again for earlier
 * ones. Any thread; one at a time is served.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_PLAYER_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_PLAYER_H

#include "formats/apitrace/replay/request.h"

/* Makes the file of a frame's picture from pixels: dump_ops' finish_picture. */
typedef int apitrace_encode(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *stage, struct blob **out);

/*
 * The draws with a picture that are nearest before one of a frame, `max` at most, in the order in
 * which they are drawn. What frames show is known. 0, -EINTR or -ENOMEM; then nothing.
 */
typedef int apitrace_earlier(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *than, const struct cancel *cancel,
                             struct apitrace_snapshot *out, size_t max, size_t *count);

/* Starts no process yet. 0 or -ENOMEM. `dump` outlives it. */
int apitrace_player_create(struct apitrace_dump *dump, apitrace_encode *encode,
                           apitrace_earlier *earlier, struct apitrace_player **out);
void apitrace_player_destroy(struct apitrace_player **player);

/*
 * The pixels of a frame's picture: RGB, at the end of *out, with CACHE_FIRST_STAGE; or 0 and its
 * file, which another request has made meanwhile. Pictures of frames that are drawn on the way are
 * encoded and offered to the cache. What frames show is known. -EIO comes with a problem that
 * tells why.
 */
int apitrace_player_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/*
 * A level of a texture as it is at a frame's end, as a PNG in RGBA; slices and faces stand one
 * below the other. As above.
 */
int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out);

/* The same behind a draw of the frame. */
int apitrace_player_draw_level(struct dump *dump, uint64_t frame,
                               const struct apitrace_snapshot *snapshot,
                               const struct apitrace_level *level, const struct cancel *cancel,
                               struct blob **out);

/*
 * The pixels that are there right after a draw of a frame: RGB, at the end of *out. The same. Where
 * a reader steps back, those of draws before are kept for the next steps.
 */
int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out);

/*
 * Leads the session behind a draw of a frame (`snapshot` NULL: to the frame's picture), with depths
 * and stencil values as they are there, and has it asked. May ask again when the process died. The
 * same.
 */
int apitrace_player_visit(struct dump *dump, uint64_t frame,
                          const struct apitrace_snapshot *snapshot, apitrace_visitor *visit,
                          void *context, const struct cancel *cancel, struct blob **out);

/* The frame has a picture. As apitrace_player_level(). */
int apitrace_player_watch(struct dump *dump, const struct apitrace_watch *watch,
                          const struct cancel *cancel, struct apitrace_watched *out);

#endif
