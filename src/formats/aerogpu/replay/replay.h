/* SPDX-License-Identifier: MIT */
/*
 * Where pictures, contents and states come from: replays on the CPU, one with
 * contents and one without, which keep their positions and serve one request at a
 * time; what shaders made comes from the worker (aerogpu.md 4.5). Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H
#define GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H

#include "cache/cache.h"
#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/player.h"
#include "formats/aerogpu/replay/worker_session.h"

#include <stdint.h>

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

/* What to ask the worker for, when it is at the shot's tick. The scan is there. */
struct aerogpu_picture_request aerogpu_replay_request(const struct aerogpu_dump *dump,
                                                      const struct aerogpu_shot *shot);

/* A shot of a depth texture as 16-bit grey, high byte first. As aerogpu_replay_shot(). */
int aerogpu_replay_depth(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                         const struct cancel *cancel, struct aerogpu_pixels *out);

/*
 * What a buffer or texture held at the end of its life, of a texture without padding:
 * `length` bytes from `offset`, or, where shaders drew it, all. As aerogpu_replay_shot().
 */
int aerogpu_replay_contents(struct aerogpu_dump *dump, uint32_t number, uint64_t offset,
                            size_t length, const struct cancel *cancel, struct blob **out);
int aerogpu_replay_gpu_contents(struct aerogpu_dump *dump, uint32_t number,
                                const struct cancel *cancel, struct blob **out);

/*
 * What a buffer or texture that lives holds once `tick` commands are done, in its linear layout:
 * `length` bytes from `offset`. Where shaders drew it, all, without padding.
 */
int aerogpu_replay_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *wanted,
                         uint64_t tick, uint64_t offset, size_t length, const struct cancel *cancel,
                         uint8_t *to);
int aerogpu_replay_drawn_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *object,
                               uint64_t tick, const struct cancel *cancel, struct blob **out);

/* How many bytes these are. */
uint64_t aerogpu_replay_contents_size(const struct aerogpu_object *object);

/* A shader's GLSL, or its SPIR-V. As aerogpu_replay_shot(). */
int aerogpu_replay_translate(struct aerogpu_dump *dump, uint32_t number, bool spirv,
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
/* Between the two: the command that was done last. */
const struct aerogpu_player *aerogpu_replay_player(const struct aerogpu_dump *dump);

struct aerogpu_cpu_replay;
struct aerogpu_gpu_replay;

/*
 * The replays themselves, for this folder's own files, one caller at a time: the CPU's with
 * contents, once `tick` commands are done; the worker's, where it happens to be. As
 * aerogpu_replay_enter().
 */
int aerogpu_replay_take_cpu(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                            struct aerogpu_cpu_replay **out);
void aerogpu_replay_leave_cpu(struct aerogpu_dump *dump);
int aerogpu_replay_take_gpu(struct aerogpu_dump *dump, const struct cancel *cancel,
                            struct aerogpu_gpu_replay **out);
void aerogpu_replay_leave_gpu(struct aerogpu_dump *dump);

/* While the CPU's is taken: where a shot's texels are; false: it has no such texture. */
bool aerogpu_replay_find_shot(const struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                              const uint8_t **texels, uint32_t *pitch);

/*
 * cpu_replay.c: a replay on the CPU of all that needs no shader: contents of buffers, textures
 * and the implicit back buffer as uploads, guest memory, copies, clears and the
 * draws without shaders leave them (aerogpu.md 4.5). An object that
 * shaders wrote to is marked (`drawn`). It keeps its position, so that what comes next
 * is cheap. One thread at a time.
 */

/*
 * Without `contents` it is the machine's state alone that is replayed. What checkpoints
 * hold is charged to the cache, unless that is NULL. 0 or -ENOMEM.
 */
int aerogpu_cpu_replay_create(const struct aerogpu_index *index,
                              const struct aerogpu_limits *limits, bool contents,
                              struct cache *cache, struct aerogpu_cpu_replay **out);
void aerogpu_cpu_replay_destroy(struct aerogpu_cpu_replay **cpu);

/*
 * Plays until `tick` commands are done; from a checkpoint, if more are done already, or it
 * is nearer. 0, -EINTR, -ENOMEM.
 */
int aerogpu_cpu_replay_seek(struct aerogpu_cpu_replay *cpu, uint64_t tick,
                            const struct cancel *cancel);

/* The trace has another index by now, which begins like the one before. */
void aerogpu_cpu_replay_follow(struct aerogpu_cpu_replay *cpu, const struct aerogpu_index *index);

/* The machine at the position. */
const struct aerogpu_machine *aerogpu_cpu_replay_machine(const struct aerogpu_cpu_replay *cpu);

/* The player there: the command that was done last, and where it stands. */
const struct aerogpu_player *aerogpu_cpu_replay_player(const struct aerogpu_cpu_replay *cpu);

/* A live buffer's or texture's bytes, aerogpu_object_size() of them, in the linear layout. */
const uint8_t *aerogpu_cpu_replay_contents(const struct aerogpu_object *object);

/* The first texel of a target, and the bytes from row to row (of blocks). */
const uint8_t *aerogpu_cpu_replay_target(const struct aerogpu_cpu_replay *cpu,
                                         const struct aerogpu_target *target, uint32_t *pitch);

/*
 * gpu_replay.c: what shaders draw: the trace, fed to the graphics worker submission by submission
 * with what the state machine refuses blanked out (aerogpu.md 4.5). It keeps its
 * position, so that the next frame is cheap, and has the worker save checkpoints on its way, so
 * that an earlier one is; it begins anew when the worker has died.
 * One thread at a time.
 */

/* Starts no process yet. 0 or a negative errno. */
int aerogpu_gpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_gpu_replay **out);
void aerogpu_gpu_replay_destroy(struct aerogpu_gpu_replay **gpu);

/*
 * A picture once `tick` commands are done. As aerogpu_session_picture(), and -EIO with a problem
 * that has the reason. The scan is there.
 */
int aerogpu_gpu_replay_picture(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                               const struct aerogpu_picture_request *request,
                               const struct cancel *cancel, struct aerogpu_picture *out);

/* The same with triangles drawn as their edges from `from` on, where a frame begins. */
int aerogpu_gpu_replay_wireframe(struct aerogpu_gpu_replay *gpu, uint64_t from, uint64_t tick,
                                 const struct aerogpu_picture_request *request,
                                 const struct cancel *cancel, struct aerogpu_picture *out);

/* The same for a resource's bytes. */
int aerogpu_gpu_replay_content(struct aerogpu_gpu_replay *gpu, uint64_t tick, uint32_t handle,
                               const struct cancel *cancel, struct blob **out);

/*
 * What the command behind `tick`, which is executed, does to a texel; which texels it writes. As
 * aerogpu_session_probe() and aerogpu_session_mask(), and -EIO with a problem.
 */
int aerogpu_gpu_replay_probe(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                             const struct aerogpu_probe_request *request,
                             const struct cancel *cancel, struct aerogpu_probe *out);
int aerogpu_gpu_replay_mask(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                            const struct aerogpu_probe_request *request,
                            const struct cancel *cancel, struct blob **out);

/* A shader as the worker translates it; `what` names it in problems. */
int aerogpu_gpu_replay_translate(struct aerogpu_gpu_replay *gpu, const uint8_t *code, size_t size,
                                 const char *what, const struct cancel *cancel,
                                 struct shader_translation *out);

/*
 * soft_triangle.c: triangles without shaders: vertices of x, y in clip space and a colour, smooth,
 * opaque, unculled, by D3D's top-left rule (aerogpu.md 4.3). Pure functions.
 */

struct aerogpu_soft_vertex {
    float x, y;      /* clip space: -1 to 1, y upwards */
    float colour[4]; /* red, green, blue, alpha */
};

/* Where triangles are drawn. */
struct aerogpu_soft_area {
    uint32_t width, height;              /* of the target */
    float x, y, view_width, view_height; /* viewport, in pixels from the top left */
    int32_t left, top, right, bottom;    /* what is drawn: right and bottom are outside */
    const struct cancel *cancel;         /* raised: what is left is not drawn; may be NULL */
};

/* Called for each pixel that is covered. */
typedef void aerogpu_soft_paint(void *context, uint32_t x, uint32_t y, const float colour[4]);

void aerogpu_soft_triangle(const struct aerogpu_soft_area *area,
                           const struct aerogpu_soft_vertex vertices[3], aerogpu_soft_paint *paint,
                           void *context);

#endif
