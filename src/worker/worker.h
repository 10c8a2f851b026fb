/* SPDX-License-Identifier: MIT */
/*
 * The daemon's end of gpudumpfs-glworker, the program that alone meets graphics
 * drivers and shader compilers (worker.md). The process is started by the first
 * call, and ended when it was not needed for a while; when it dies, runs out of
 * time or breaks the protocol, that one call fails. The next one starts another. Any thread: calls
 * of one worker come one after another, ordered by worker_acquire().
 */
#ifndef GPUDUMPFS_WORKER_WORKER_H
#define GPUDUMPFS_WORKER_WORKER_H

#include "base/blob.h"
#include "base/cancel.h"
#include "base/cancellable_mutex.h"
#include "cache/cache.h"
#include "worker/breadcrumb.h"
#include "worker/message.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum {
    WORKER_TIME_LIMIT = 10000, /* milliseconds of one call */
    WORKER_IDLE = 30000,       /* milliseconds after which a process that is not needed is ended */
    WORKER_WITHDRAW = 60,      /* milliseconds to leave off a call in whose caller has gone */
    WORKER_REASON = 400,       /* bytes of a sentence, its NUL included */
};

/* Bytes of a request or a reply, at most. */
#define WORKER_PAYLOAD_MAX (UINT64_C(1) << 30)

struct source;

struct worker_params {
    const char *program;    /* path of the program, borrowed; NULL: ours (worker_program()) */
    unsigned time_limit_ms; /* of a call; 0: WORKER_TIME_LIMIT */
    /* Milliseconds; 0: $GPUDUMPFS_WORKER_IDLE_MS, which is for tests, or else WORKER_IDLE. */
    unsigned idle_ms;
    unsigned withdraw_ms;  /* 0: WORKER_WITHDRAW; others are for tests */
    uint64_t memory_limit; /* address space of the process in bytes; 0: LAUNCH_MEMORY */
    /*
     * The dump whose compiled shaders are kept for its next mount, borrowed. It is read at the
     * first start (shader_disk_cache_path()). NULL: they go with the worker.
     */
    const struct source *kept_for;
    bool vulkan;                /* its process has a driver of Vulkan, and none of OpenGL */
    struct cache *const *cache; /* that pays for compiled shaders; NULL, or inside: none */
    /*
     * The worker, acquired, beside whose process this one compiles: its own process draws no
     * pixels, shares its shaders with that one, and stays until it is destroyed. NULL: none.
     */
    const struct worker *leader;
};

struct worker;

/*
 * Starts nothing yet. 0 or a negative errno; -ENODATA: the leader has no process that
 * shaders can be shared with.
 */
int worker_create(const struct worker_params *params, struct worker **out);

/* Kills the process, if there is one, and waits for its end. No call may be under way. */
void worker_destroy(struct worker **destroyed);

/*
 * The calls between worker_acquire() and worker_release() are one thread's; others
 * wait, and the process is not ended for being idle. 0, or -EINTR when `cancel` is raised first.
 */
int worker_acquire(struct worker *worker, const struct cancel *cancel);
/*
 * The same for what is not urgent: behind all who wait for it in a rank before, of which the first
 * is that of worker_acquire(), and with a flag, which is raised as soon as another one does: then
 * it is to be released soon. NULL: nothing is.
 */
int worker_acquire_late(struct worker *worker, enum cancellable_mutex_rank rank,
                        const struct cancel *cancel, struct cancel *gives_way);
void worker_release(struct worker *worker);

struct worker_request {
    uint16_t kind;                    /* enum message_kind (worker/message.h) */
    const struct message_part *parts; /* borrowed */
    size_t part_count;
    uint64_t max_reply; /* bytes that the reply may have; more breaks the protocol */
    /* The process that must answer, since it holds what earlier calls made; 0: any. */
    uint64_t generation;
    unsigned time_limit_ms; /* 0: the worker's */
};

struct worker_reply {
    struct blob *payload;         /* the caller's to drop; NULL unless the call returned 0 */
    uint64_t generation;          /* of the process that answered or failed; 0: none ran */
    bool died;                    /* that process is no more */
    bool killed;                  /* by neither itself nor us: nothing that it did is to blame */
    unsigned greedy;              /* it would have held too much memory: the how manieth since
                                     worker_acquire(); 0: not so */
    struct breadcrumb breadcrumb; /* of a process that died: what it was about */
    char reason[WORKER_REASON];   /* of a failure, a sentence; else empty */
};

/*
 * Starts the process unless it runs: what a first call would do, for a caller that has something to
 * do meanwhile. 0, or as worker_call(), which tries again and tells why. The caller has acquired
 * the worker.
 */
int worker_start(struct worker *worker, const struct cancel *cancel);

/*
 * Sends the request and waits for the reply; the caller has acquired the worker.
 * 0, or
 *
 *     -ESTALE     the process `generation` is gone; nothing was sent
 *     -EINTR      `cancel` was raised, or the processor time that the calling thread's budget had
 *                 for a helper at worker_acquire() is used up (base/budget.h), which is nobody's
 *                 fault: nothing is remembered as bad. The request may or may not have been done:
 *                 what state the caller had in the worker is to be built up again
 *     -ETIMEDOUT  the time limit passed; the process is dead. One that a busy machine leaves little
 *                 of its processors has more time, where its processor time is limited. Or three
 *                 time limits have passed since a process failed for the first time after
 *                 worker_acquire()
 *     -EIO        the process died, or broke the protocol
 *     -ENOENT     there is no such program, and other errors of starting one
 *     others      what the worker itself answered; it lives on
 */
int worker_call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply);

/*
 * What the caller wants takes more memory than a process may hold (worker_reply.greedy): the
 * calling thread's budget is over, which remembers it where the process had most of the limit.
 * -ENOMEM. The caller has acquired the worker.
 */
int worker_give_up_for_memory(const struct worker *worker);

/* Processor time that processes have taken since worker_acquire(), in milliseconds. */
uint64_t worker_processor_ms(const struct worker *worker);

/*
 * Whether shaders are compiled fast, without the driver's optimisations: half the time, for code
 * that takes up to twice as long and draws the same. A process that does otherwise is ended. The
 * caller has acquired the worker.
 *
 * What it is worth: without it frame 76 of neverball's trace takes 1.5 times as long (1.4 s for
 * 0.9), frame 40 1.7 times, its first one 1.1 times, glmark2's frame 60 1.4 times, and as much more
 * processor time; boing, which compiles little, 1.01 times. Medians of 5 interleaved runs on two
 * idle processors, nothing kept from an earlier mount.
 */
void worker_set_fast_compile(struct worker *worker, bool fast_compile);

/*
 * Whether the thread that draws fills pixels itself, rather than others beside it: they are woken
 * each time that something is read back, which takes some 40 microseconds of processor time. What
 * is drawn is the same. A process that does otherwise is ended. The caller has acquired the worker.
 */
void worker_set_one_thread(struct worker *worker, bool one_thread);

/*
 * The first subject of what the leader's process is about (worker/breadcrumb.h), as far as it says
 * so: an untrusted number, 0 where it is about nothing. Any thread.
 */
uint64_t worker_leaders_subject(const struct worker *worker);

/* What one with this leader has compiled may be bad: the next process begins without. */
void worker_drop_shaders(struct worker *worker);

/* Whether nothing has been compiled yet, here or at an earlier mount whose shaders came along. */
bool worker_is_cold(const struct worker *worker);

/* The running process, 0: none. For tests, and what tells about the program. */
pid_t worker_process(const struct worker *worker);

/* The compiled shaders that processes share. For tests. */
struct shader_disk_cache;
const struct shader_disk_cache *worker_shader_cache(const struct worker *worker);

/* How often a process was started. */
uint64_t worker_starts(const struct worker *worker);

#endif
