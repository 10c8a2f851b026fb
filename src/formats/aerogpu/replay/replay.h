/* SPDX-License-Identifier: MIT */
/*
 * Where pictures, contents and states come from. There are two replays on the CPU, one with
 * contents and one without; each keeps its position and serves one request at a time. What shaders
 * drew comes from the worker (aerogpu.md 4.5). Any thread may call these functions.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H
#define GPUDUMPFS_AEROGPU_REPLAY_REPLAY_H

#include "cache/cache.h"
#include "formats/aerogpu/dump.h"
#include "formats/aerogpu/replay/player.h"
#include "formats/aerogpu/replay/worker_session.h"

#include <stdint.h>

/* Creates the replays of a dump, which start empty and without a process. Returns 0 or -ENOMEM. */
int aerogpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_replay **out);
void aerogpu_replay_destroy(struct aerogpu_replay **replay);

/* Pixels or bytes. */
struct aerogpu_pixels {
    uint8_t *data; /* the caller frees it with free() */
    uint32_t width, height;
};

/*
 * Gets a shot as RGBA8, rows without padding, the top row first. Returns 0, -EINTR, -ENOMEM, or
 * -EIO with a problem.
 */
int aerogpu_replay_shot(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                        const struct cancel *cancel, struct aerogpu_pixels *out);

/*
 * The same, but draws triangles as their edges from tick `from` on, where the shot's frame begins.
 */
int aerogpu_replay_wireframe(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                             uint64_t from, const struct cancel *cancel,
                             struct aerogpu_pixels *out);

/* Returns what to request of the worker when it is at the shot's tick. The scan must be made. */
struct aerogpu_picture_request aerogpu_replay_request(const struct aerogpu_dump *dump,
                                                      const struct aerogpu_shot *shot);

/*
 * Gets a shot of a depth texture as 16-bit grey, high byte first. Returns what
 * aerogpu_replay_shot() returns.
 */
int aerogpu_replay_depth(struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                         const struct cancel *cancel, struct aerogpu_pixels *out);

/*
 * Contents of buffers and textures. Where only the worker knows them, because shaders drew them
 * (`drawn` of the life or object), the caller must use the second function of a pair, which gets
 * everything at once. All return 0, -EINTR, -ENOMEM or -EIO.
 */

/*
 * Gets `length` bytes from `offset` of the contents at the end of life `number`, without padding.
 */
int aerogpu_replay_contents(struct aerogpu_dump *dump, uint32_t number, uint64_t offset,
                            size_t length, const struct cancel *cancel, struct blob **out);

/* Gets all contents at the end of life `number`, without padding, from the worker. */
int aerogpu_replay_gpu_contents(struct aerogpu_dump *dump, uint32_t number,
                                const struct cancel *cancel, struct blob **out);

/*
 * Copies `length` bytes from `offset` in the linear layout of an object that is alive once `tick`
 * commands are done.
 */
int aerogpu_replay_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *wanted,
                         uint64_t tick, uint64_t offset, size_t length, const struct cancel *cancel,
                         uint8_t *to);

/*
 * Gets all bytes, without padding, of an object that is alive once `tick` commands are done, from
 * the worker.
 */
int aerogpu_replay_drawn_bytes(struct aerogpu_dump *dump, const struct aerogpu_object *object,
                               uint64_t tick, const struct cancel *cancel, struct blob **out);

/* Returns the size of the contents without padding. */
uint64_t aerogpu_replay_contents_size(const struct aerogpu_object *object);

/* Gets a shader's GLSL, or its SPIR-V. Returns what aerogpu_replay_shot() returns. */
int aerogpu_replay_translate(struct aerogpu_dump *dump, uint32_t number, bool spirv,
                             const struct cancel *cancel, struct blob **out);

/*
 * Gets the machine's state once `tick` commands are done. It is valid until aerogpu_replay_leave().
 * Returns 0, -EINTR or -ENOMEM; on failure the caller must not call aerogpu_replay_leave().
 */
int aerogpu_replay_enter(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                         const struct aerogpu_machine **out);
/* Advances to a later tick. On failure, the state has been left already. */
int aerogpu_replay_go_on(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel);
void aerogpu_replay_leave(struct aerogpu_dump *dump);
/*
 * Returns the player, with the command that was done last. To be called between
 * aerogpu_replay_enter() and aerogpu_replay_leave().
 */
const struct aerogpu_player *aerogpu_replay_player(const struct aerogpu_dump *dump);

struct aerogpu_cpu_replay;
struct aerogpu_gpu_replay;

/*
 * The replays themselves, for files of this folder only. Each serves one caller at a time, from
 * take to leave.
 */

/*
 * Takes the CPU's replay with contents, once `tick` commands are done. Returns what
 * aerogpu_replay_enter() returns; on failure it is not taken.
 */
int aerogpu_replay_take_cpu(struct aerogpu_dump *dump, uint64_t tick, const struct cancel *cancel,
                            struct aerogpu_cpu_replay **out);
void aerogpu_replay_leave_cpu(struct aerogpu_dump *dump);

/*
 * Takes the worker's replay at its current position. Returns 0 or a negative errno; on failure it
 * is not taken.
 */
int aerogpu_replay_take_gpu(struct aerogpu_dump *dump, const struct cancel *cancel,
                            struct aerogpu_gpu_replay **out);
void aerogpu_replay_leave_gpu(struct aerogpu_dump *dump);

/*
 * While the CPU's replay is taken: finds the texels of a shot. Returns false if the replay has no
 * such texture.
 */
bool aerogpu_replay_find_shot(const struct aerogpu_dump *dump, const struct aerogpu_shot *shot,
                              const uint8_t **texels, uint32_t *pitch);

/*
 * cpu_replay.c: a replay on the CPU of everything that needs no shader. It has the contents of
 * buffers, textures and the implicit back buffer as uploads, guest memory, copies, clears and draws
 * without shaders leave them (aerogpu.md 4.5). Objects that shaders wrote to are marked (`drawn`).
 * The replay keeps its position, so that a later one is cheap to reach. Only one thread may use it
 * at a time.
 */

/*
 * Creates a replay. Without `contents`, only the machine's state is replayed. The memory of
 * checkpoints is charged to `cache`, unless that is NULL. Returns 0 or -ENOMEM.
 */
int aerogpu_cpu_replay_create(const struct aerogpu_index *index,
                              const struct aerogpu_limits *limits, bool contents,
                              struct cache *cache, struct aerogpu_cpu_replay **out);
void aerogpu_cpu_replay_destroy(struct aerogpu_cpu_replay **cpu);

/*
 * Plays until `tick` commands are done, from a checkpoint if the replay is beyond `tick` or the
 * checkpoint is nearer. Returns 0, -EINTR or -ENOMEM.
 */
int aerogpu_cpu_replay_seek(struct aerogpu_cpu_replay *cpu, uint64_t tick,
                            const struct cancel *cancel);

/* Replaces the index by a longer one that begins with the same frames. */
void aerogpu_cpu_replay_follow(struct aerogpu_cpu_replay *cpu, const struct aerogpu_index *index);

/* Returns the machine at the current position. */
const struct aerogpu_machine *aerogpu_cpu_replay_machine(const struct aerogpu_cpu_replay *cpu);

/* Returns the player at the current position, with the command that was done last. */
const struct aerogpu_player *aerogpu_cpu_replay_player(const struct aerogpu_cpu_replay *cpu);

/*
 * Returns the bytes of a live buffer or texture in its linear layout, aerogpu_object_size() of
 * them.
 */
const uint8_t *aerogpu_cpu_replay_contents(const struct aerogpu_object *object);

/*
 * Returns the first texel of a target, and gets the number of bytes from one row (of blocks) to the
 * next.
 */
const uint8_t *aerogpu_cpu_replay_target(const struct aerogpu_cpu_replay *cpu,
                                         const struct aerogpu_target *target, uint32_t *pitch);

/*
 * gpu_replay.c: a replay of what shaders draw. The trace is fed to the graphics worker submission
 * by submission; commands that the state machine refuses are blanked out (aerogpu.md 4.5). The
 * replay keeps its position, so that the next frame is cheap to reach, and lets the worker save
 * checkpoints on the way, so that an earlier frame is, too. It begins again if the worker died.
 * Only one thread may use it at a time.
 */

/* Creates the replay, without starting a process. Returns 0 or a negative errno. */
int aerogpu_gpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_gpu_replay **out);
void aerogpu_gpu_replay_destroy(struct aerogpu_gpu_replay **gpu);

/*
 * Gets a picture once `tick` commands are done. The scan must be made. Returns 0, -EINTR, -ENOMEM,
 * or -EIO with a problem that states the reason.
 */
int aerogpu_gpu_replay_picture(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                               const struct aerogpu_picture_request *request,
                               const struct cancel *cancel, struct aerogpu_picture *out);

/* The same, but draws triangles as their edges from tick `from` on, where a frame begins. */
int aerogpu_gpu_replay_wireframe(struct aerogpu_gpu_replay *gpu, uint64_t from, uint64_t tick,
                                 const struct aerogpu_picture_request *request,
                                 const struct cancel *cancel, struct aerogpu_picture *out);

/* The same for the bytes of a resource. */
int aerogpu_gpu_replay_content(struct aerogpu_gpu_replay *gpu, uint64_t tick, uint32_t handle,
                               const struct cancel *cancel, struct blob **out);

/*
 * Gets what the command after `tick`, which must be one that is executed, does to a texel; see
 * aerogpu_session_probe(). Returns what aerogpu_gpu_replay_picture() returns.
 */
int aerogpu_gpu_replay_probe(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                             const struct aerogpu_probe_request *request,
                             const struct cancel *cancel, struct aerogpu_probe *out);

/* The same, but gets which texels the command writes; see aerogpu_session_mask(). */
int aerogpu_gpu_replay_mask(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                            const struct aerogpu_probe_request *request,
                            const struct cancel *cancel, struct blob **out);

/* Translates a shader in the worker. `what` names the shader in problems. */
int aerogpu_gpu_replay_translate(struct aerogpu_gpu_replay *gpu, const uint8_t *code, size_t size,
                                 const char *what, const struct cancel *cancel,
                                 struct shader_translation *out);

/*
 * soft_triangle.c: triangles without shaders. Vertices have x and y in clip space and a colour; the
 * triangles are smooth, opaque and not culled, and follow D3D's top-left rule (aerogpu.md 4.3).
 * Pure functions.
 */

struct aerogpu_soft_vertex {
    float x, y;      /* clip space: -1 to 1, y points up */
    float colour[4]; /* red, green, blue, alpha */
};

/* The area in which triangles are drawn. */
struct aerogpu_soft_area {
    uint32_t width, height;              /* of the target */
    float x, y, view_width, view_height; /* the viewport, in pixels from the top left */
    int32_t left, top, right, bottom;    /* the pixels to draw; right and bottom are exclusive */
    const struct cancel *cancel;         /* ends the drawing when raised; may be NULL */
};

/* Called for each pixel that is covered. */
typedef void aerogpu_soft_paint(void *context, uint32_t x, uint32_t y, const float colour[4]);

/* Calls `paint` for each pixel of the area that the triangle covers. */
void aerogpu_soft_triangle(const struct aerogpu_soft_area *area,
                           const struct aerogpu_soft_vertex vertices[3], aerogpu_soft_paint *paint,
                           void *context);

#endif
