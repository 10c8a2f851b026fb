/* SPDX-License-Identifier: MIT */
/*
 * The daemon's end of gpudumpfs-glworker, the only program that loads graphics drivers and shader
 * compilers (worker.md). The first call starts the process; it is ended after it has been idle for
 * a while. If it dies, runs out of time or breaks the protocol, only the current call fails, and
 * the next call starts a new process.
 *
 * Any thread may call these functions. worker_acquire() puts the calls of one worker in order.
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
    WORKER_TIME_LIMIT = 10000, /* milliseconds for one call */
    WORKER_IDLE = 30000,       /* milliseconds until an idle process is ended */
    WORKER_WITHDRAW = 60,      /* milliseconds to abandon a call that its caller has left */
    WORKER_REASON = 400,       /* bytes of a sentence, including its NUL */
};

/* Largest request or reply, in bytes. */
#define WORKER_PAYLOAD_MAX (UINT64_C(1) << 30)

struct source;

struct worker_params {
    const char *program;    /* path, borrowed; NULL: worker_program() */
    unsigned time_limit_ms; /* for one call; 0: WORKER_TIME_LIMIT */
    /* Milliseconds; 0: $GPUDUMPFS_WORKER_IDLE_MS, which is for tests, or else WORKER_IDLE. */
    unsigned idle_ms;
    unsigned withdraw_ms;  /* 0: WORKER_WITHDRAW; other values are for tests */
    uint64_t memory_limit; /* address space of the process in bytes; 0: LAUNCH_MEMORY */
    /*
     * The dump whose compiled shaders are kept for its next mount, borrowed. Its bytes are read at
     * the first start of a process (shader_disk_cache_path()). NULL: the shaders are lost with the
     * worker.
     */
    const struct source *kept_for;
    bool vulkan;                /* the process loads a Vulkan driver, and no OpenGL driver */
    struct cache *const *cache; /* pays for compiled shaders; none if this or *cache is NULL */
    /*
     * The worker, already acquired, that this one compiles shaders for. This worker's process draws
     * no pixels, shares the leader's shader files, and stays until this worker is destroyed. NULL:
     * none.
     */
    const struct worker *leader;
};

struct worker;

/*
 * Creates a worker without starting its process. Returns 0 or a negative errno; -ENODATA if the
 * leader has no process that shaders can be shared with.
 */
int worker_create(const struct worker_params *params, struct worker **out);

/* Kills the process, if there is one, and waits for its end. No call may be in progress. */
void worker_destroy(struct worker **destroyed);

/*
 * Gives the calling thread sole use of the worker until worker_release(). Other threads wait, and
 * the process is not ended for being idle. Returns 0, or -EINTR if `cancel` is raised first.
 */
int worker_acquire(struct worker *worker, const struct cancel *cancel);
/*
 * Does the same for work that is not urgent: threads that wait in an earlier rank go first
 * (worker_acquire() uses the first rank). As soon as another such thread comes, `gives_way` is
 * raised, and the caller must release the worker soon. `gives_way` may be NULL.
 */
int worker_acquire_late(struct worker *worker, enum cancellable_mutex_rank rank,
                        const struct cancel *cancel, struct cancel *gives_way);

/* Ends what worker_acquire() or worker_acquire_late() has begun. */
void worker_release(struct worker *worker);

struct worker_request {
    uint16_t kind;                    /* enum message_kind (worker/message.h) */
    const struct message_part *parts; /* borrowed */
    size_t part_count;
    uint64_t max_reply; /* largest reply in bytes; a longer one breaks the protocol */
    /* Generation of the process that must answer, since it has state of earlier calls; 0: any. */
    uint64_t generation;
    unsigned time_limit_ms; /* 0: the worker's */
};

struct worker_reply {
    struct blob *payload;         /* owned by the caller; NULL unless the call returned 0 */
    uint64_t generation;          /* of the process that answered or failed; 0: none ran */
    bool died;                    /* that process is gone */
    bool killed;                  /* a third party killed it: nothing that it did is to blame */
    unsigned greedy;              /* if it ended for holding too much memory: how many have since
                                     worker_acquire(), with this one; else 0 */
    struct breadcrumb breadcrumb; /* of a process that died: what it was doing */
    char reason[WORKER_REASON];   /* why the call failed, as a sentence; else empty */
};

/*
 * Starts the process unless it runs, as a first call would do, for a caller that has something else
 * to do in the meantime. Returns 0, or an error of worker_call(); the reason is dropped, since
 * worker_call() tries again and gives it. The caller has acquired the worker.
 */
int worker_start(struct worker *worker, const struct cancel *cancel);

/*
 * Sends the request and waits for the reply. The caller has acquired the worker. Returns 0, or
 *
 *     -ESTALE     the process `generation` is gone; nothing was sent
 *     -EINTR      `cancel` was raised, or the calling thread's budget has used up the processor
 *                 time that it had for a helper at worker_acquire() (base/budget.h). Nothing is
 *                 remembered as bad. The request may or may not have been carried out, so the
 *                 caller must rebuild any state that it had in the worker
 *     -ETIMEDOUT  the time limit passed; the process is dead. A process that gets only a part of a
 *                 busy machine's processors has more time, if its processor time is limited. Or
 *                 the calls after worker_acquire(), from the first one in which a process died on,
 *                 have taken three time limits together
 *     -EIO        the process died, or broke the protocol
 *     -ENOENT     there is no such program; other errors of starting it are returned as well
 *     others      the status of the worker's reply; the process lives on
 */
int worker_call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply);

/*
 * Ends the calling thread's budget, because its request needs more memory than a process may hold
 * (worker_reply.greedy). If the process had most of the limit to itself, the budget remembers the
 * failure as lasting. Returns -ENOMEM. The caller has acquired the worker.
 */
int worker_give_up_for_memory(const struct worker *worker);

/* Returns the processor time, in milliseconds, that processes have used since worker_acquire(). */
uint64_t worker_processor_ms(const struct worker *worker);

/*
 * Sets whether shaders are compiled fast, without the driver's optimisations: this halves the time
 * of compiling, for code that takes up to twice as long and draws the same pixels. Ends a process
 * that runs with the other setting. The caller has acquired the worker.
 *
 * Without fast compilation, frame 76 of neverball's trace takes 1.5 times as long (1.4 s instead of
 * 0.9), its frame 40 1.7 times, its first frame 1.1 times, and glmark2's frame 60 1.4 times;
 * processor time grows likewise. boing, which compiles little, takes 1.01 times as long. These are
 * medians of 5 interleaved runs on two idle processors, with nothing kept from an earlier mount.
 */
void worker_set_fast_compile(struct worker *worker, bool fast_compile);

/*
 * Sets whether the drawing thread fills pixels itself, rather than other threads beside it. Those
 * are woken for each read-back, which takes some 40 microseconds of processor time. The pixels are
 * the same. Ends a process that runs with the other setting. The caller has acquired the worker.
 */
void worker_set_one_thread(struct worker *worker, bool one_thread);

/*
 * Returns the first subject of the leader's breadcrumb (worker/breadcrumb.h): an untrusted number,
 * 0 if the leader's process names nothing. Returns 0 without a leader, too. Any thread.
 */
uint64_t worker_leaders_subject(const struct worker *worker);

/*
 * Discards the compiled shaders, here and on disk, because a worker with this leader may have left
 * bad ones. The next process starts without them.
 */
void worker_drop_shaders(struct worker *worker);

/*
 * Returns whether next to nothing has been compiled yet, here or in an earlier mount whose shaders
 * were loaded.
 */
bool worker_is_cold(const struct worker *worker);

/* Returns the running process, or 0 if there is none. For tests and diagnostics. */
pid_t worker_process(const struct worker *worker);

/* Returns the compiled shaders that processes share. For tests. */
struct shader_disk_cache;
const struct shader_disk_cache *worker_shader_cache(const struct worker *worker);

/* Returns the number of processes started. */
uint64_t worker_starts(const struct worker *worker);

#endif
