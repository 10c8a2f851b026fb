/*
 * What shaders draw: the trace, fed to the graphics worker submission by submission
 * with what the state machine refuses blanked out (aerogpu.md 4.5). It keeps its
 * position, so that the next frame is cheap, and has the worker save checkpoints on its way, so
 * that an earlier one is; it begins anew when the worker has died.
 * One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_GPU_REPLAY_H
#define GPUDUMPFS_AEROGPU_REPLAY_GPU_REPLAY_H

#include "formats/aerogpu/dump.h"
#include "worker/aerogpu.h"

struct aerogpu_gpu_replay;

/* Starts no process yet. 0 or a negative errno. */
int aerogpu_gpu_replay_create(struct aerogpu_dump *dump, struct aerogpu_gpu_replay **out);
void aerogpu_gpu_replay_destroy(struct aerogpu_gpu_replay **gpu);

/*
 * A picture once `tick` commands are done. As aero_picture(), and -EIO with a problem that
 * has the reason. The scan is there.
 */
int aerogpu_gpu_replay_picture(struct aerogpu_gpu_replay *gpu, uint64_t tick,
                               const struct aero_picture_request *request,
                               const struct cancel *cancel, struct aero_picture *out);

/* The same with triangles drawn as their edges from `from` on, where a frame begins. */
int aerogpu_gpu_replay_wireframe(struct aerogpu_gpu_replay *gpu, uint64_t from, uint64_t tick,
                                 const struct aero_picture_request *request,
                                 const struct cancel *cancel, struct aero_picture *out);

/* The same for a resource's bytes. */
int aerogpu_gpu_replay_content(struct aerogpu_gpu_replay *gpu, uint64_t tick, uint32_t handle,
                               const struct cancel *cancel, struct blob **out);

/* A shader as the worker translates it; `what` names it in problems. */
int aerogpu_gpu_replay_translate(struct aerogpu_gpu_replay *gpu, const uint8_t *code, size_t size,
                                 const char *what, const struct cancel *cancel,
                                 struct aero_translation *out);

#endif
