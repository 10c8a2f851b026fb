/*
 * Where pictures, contents and states come from: replays on the CPU, one with
 * contents and one without, which keep their positions and serve one request at a
 * time; what shaders made comes from the worker (aerogpu.md 4.5). Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H
#define GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H

#include "formats/aerogpu/dump.h"

/* 0 or -ENOMEM. */
int aerogpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_replay **out);
void aerogpu_replay_destroy(struct aerogpu_replay **replay);

/* Pixels, or bytes. */
struct aerogpu_pixels {
    uint8_t *data; /* for free() */
    uint32_t width, height;
};

/* A shot as RGBA8, tight rows from the top. 0, -EINTR, -ENOMEM, -EIO with a problem. */
int aerogpu_replay_shot(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                        const struct cancel *cancel, struct aerogpu_pixels *out);

/* The same with triangles as their edges from tick `from` on, where its frame begins. */
int aerogpu_replay_wireframe(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                             uint64_t from, const struct cancel *cancel,
                             struct aerogpu_pixels *out);

/* A shot of a depth texture as 16-bit grey, high byte first. As aerogpu_replay_shot(). */
int aerogpu_replay_depth(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                         const struct cancel *cancel, struct aerogpu_pixels *out);

/*
 * What a buffer or texture held at the end of its life, of a texture without padding:
 * `length` bytes from `offset`, or, where shaders drew it, all. As aerogpu_replay_shot().
 */
int aerogpu_replay_contents(struct aerogpu_dump *dump, uint32_t life, uint64_t offset,
                            size_t length, const struct cancel *cancel, struct blob **out);
int aerogpu_replay_gpu_contents(struct aerogpu_dump *dump, uint32_t life,
                                const struct cancel *cancel, struct blob **out);

/* How many bytes these are. */
uint64_t aerogpu_replay_contents_size(const struct aerogpu_object *object);

/* A shader's GLSL, or its SPIR-V. As aerogpu_replay_shot(). */
int aerogpu_replay_translate(struct aerogpu_dump *dump, uint32_t life, bool spirv,
                             const struct cancel *cancel, struct blob **out);

/*
 * The machine's state once `tick` commands are done, until aerogpu_replay_leave().
 * 0, -EINTR, -ENOMEM: then there is nothing to leave.
 */
int aerogpu_replay_enter(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                         const struct aerogpu_machine **out);
/* Goes on, to a later tick. On failure it is left already. */
int aerogpu_replay_go_on(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel);
void aerogpu_replay_leave(struct aerogpu_dump *dump);

#endif
