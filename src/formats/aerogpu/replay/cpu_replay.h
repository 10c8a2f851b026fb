/*
 * A replay on the CPU of all that needs no shader: contents of buffers, textures
 * and the implicit back buffer as uploads, guest memory, copies, clears and the
 * draws without shaders leave them (aerogpu.md 4.5). An object that
 * shaders wrote to is marked (`drawn`). It keeps its position, so that what comes next
 * is cheap. One thread at a time.
 */
#ifndef GPUDUMPFS_AEROGPU_REPLAY_CPU_REPLAY_H
#define GPUDUMPFS_AEROGPU_REPLAY_CPU_REPLAY_H

#include "cache/cache.h"
#include "formats/aerogpu/replay/player.h"

struct aerogpu_cpu_replay;

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

/* A live buffer's or texture's bytes, aerogpu_object_size() of them, in the linear layout. */
const uint8_t *aerogpu_cpu_replay_contents(const struct aerogpu_object *object);

/* The first texel of a target, and the bytes from row to row (of blocks). */
const uint8_t *aerogpu_cpu_replay_target(const struct aerogpu_cpu_replay *cpu,
                                         const struct aerogpu_target *target, uint32_t *pitch);

#endif
