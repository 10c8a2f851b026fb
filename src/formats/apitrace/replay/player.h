/*
 * Pictures of frames, made by the graphics worker (apitrace.md 4.6): a session that
 * stands at a place of the trace goes on to later frames, and begins again for earlier
 * ones. Any thread; one at a time is served.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_PLAYER_H
#define GPUDUMPFS_APITRACE_REPLAY_PLAYER_H

#include "formats/apitrace/dump.h"

/* A draw, and the picture of what it has drawn on. */
struct apitrace_snapshot {
    uint64_t call, order;
    uint32_t width, height;
    uint32_t base; /* it is what frames from this one on have drawn */
};

/* Makes the file of a frame's picture from pixels: dump_ops' finish_picture. */
typedef int apitrace_encode(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            const struct blob *half, struct blob **out);

/* Starts no process yet. 0 or -ENOMEM. `dump` outlives it. */
int apitrace_player_create(struct apitrace_dump *dump, apitrace_encode *encode,
                           struct apitrace_player **out);
void apitrace_player_destroy(struct apitrace_player **player);

/*
 * The pixels of a frame's picture: RGB, at the end of *out, with CACHE_HALF; or 0 and its file,
 * which another request has made meanwhile. Pictures of frames that are drawn on the way are
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

/* The pixels that are there right after a draw of a frame: RGB, at the end of *out. The same. */
int apitrace_player_snapshot(struct dump *dump, uint64_t frame,
                             const struct apitrace_snapshot *snapshot, const struct cancel *cancel,
                             struct blob **out);

#endif
