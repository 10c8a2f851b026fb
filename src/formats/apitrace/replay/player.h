/* SPDX-License-Identifier: MIT */
/*
 * Pictures of frames, drawn by the graphics worker (apitrace.md 4.6). A session at a place in the
 * trace goes on to later frames, and begins again for earlier ones. Any thread; requests are served
 * one at a time.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_PLAYER_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_PLAYER_H

#include "formats/apitrace/replay/request.h"

/* Encodes the file of a frame's picture from its pixels: dump_ops.pictures.finish. */
typedef int apitrace_encode(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *stage, struct blob **out);

/*
 * Finds the last draws with a picture before a draw of a frame, at most `max`, in drawing order.
 * What frames show must be known. Returns 0, or -EINTR or -ENOMEM with *count 0.
 */
typedef int apitrace_earlier(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *than, const struct cancel *cancel,
                             struct apitrace_snapshot *out, size_t max, size_t *count);

/*
 * Makes a player without starting a process. Returns 0 or -ENOMEM. `dump` must outlive the player.
 */
int apitrace_player_create(struct apitrace_dump *dump, apitrace_encode *encode,
                           apitrace_earlier *earlier, struct apitrace_player **out);
void apitrace_player_destroy(struct apitrace_player **player);

/*
 * Draws a frame's picture. Returns CACHE_FIRST_STAGE, with RGB pixels at the end of *out, or 0 with
 * the picture's file, if another request has made it at the same time. Pictures of frames that are
 * drawn on the way are encoded and offered to the cache. What frames show must be known. -EIO comes
 * with a problem that gives the reason.
 */
int apitrace_player_frame(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                          struct blob **out);

/*
 * Reads a level of a texture at a frame's end, as a PNG in RGBA; slices and faces are below each
 * other. Returns 0 or as above.
 */
int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out);

/* Does the same for the level after a draw of the frame. */
int apitrace_player_draw_level(struct dump *dump, uint64_t frame,
                               const struct apitrace_snapshot *snapshot,
                               const struct apitrace_level *level, const struct cancel *cancel,
                               struct blob **out);

/*
 * Reads the pixels right after a draw of a frame: RGB, at the end of *out. Returns as above. If a
 * reader steps back, the pictures of draws before are kept for its next steps.
 */
int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out);

/*
 * Brings the session to after a draw of a frame, or to the frame's picture if `snapshot` is NULL,
 * with valid depths and stencil values, and calls `visit`. May call it again if the process died.
 * Returns as above.
 */
int apitrace_player_visit(struct dump *dump, uint64_t frame,
                          const struct apitrace_snapshot *snapshot, apitrace_visitor *visit,
                          void *context, const struct cancel *cancel, struct blob **out);

/*
 * Runs a watch; its frame must have a picture. Returns as apitrace_player_level(). The caller frees
 * what is in *out even after a failure.
 */
int apitrace_player_watch(struct dump *dump, const struct apitrace_watch *watch,
                          const struct cancel *cancel, struct apitrace_watched *out);

#endif
