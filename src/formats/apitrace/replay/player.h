/*
 * Pictures of frames, made by the graphics worker (apitrace.md 4.6): a session that
 * stands at a place of the trace goes on to later frames, and begins again for earlier
 * ones. Any thread; one at a time is served.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_PLAYER_H
#define GPUDUMPFS_APITRACE_REPLAY_PLAYER_H

#include "formats/apitrace/dump.h"
#include "formats/apitrace/views/draws.h"

/* Starts no process yet. 0 or -ENOMEM. `dump` outlives it. */
int apitrace_player_create(struct apitrace_dump *dump, struct apitrace_player **out);
void apitrace_player_destroy(struct apitrace_player **player);

/*
 * struct dump_ops' functions: the first also offers pictures of frames that are drawn on the way
 * to the cache, and leaves the encoding to the second. -EIO comes with a problem that tells why.
 */
int apitrace_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                           struct blob **out);
int apitrace_picture_finish(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *half, struct blob **out);

/*
 * A level of a texture as it is at a frame's end, as a PNG in RGBA; slices and faces stand one
 * below the other. What frames show is known. As above.
 */
int apitrace_player_level(struct dump *dump, uint64_t frame, const struct apitrace_level *level,
                          const struct cancel *cancel, struct blob **out);

/* The pixels that are there right after a draw of a frame: RGB, at the end of *out. The same. */
int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out);

#endif
