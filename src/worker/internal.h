/* SPDX-License-Identifier: MIT */
/*
 * What only the files of the daemon's end of a worker share. They are:
 *
 *     worker_create.c    the worker's creation and end, and settings that change
 *     worker_tenure.c    the thread that has acquired it: what it may use, and has used
 *     worker_process.c   starting and ending the process
 *     worker_exchange.c  one request and its reply, and callers that leave in between
 *     worker_call.c      a call: a process if there is none, a request, the time that it may take
 *
 * How the process is kept alive, and when it is given up:
 *
 * If a caller withdraws its call, the process is told so (worker/breadcrumb.h) and abandons the
 * call; its reply is received and dropped. So a reader that is killed does not cost the next one a
 * start of the process. A process that does not respond, within a library, is ended. One that is
 * still starting goes on: the next call receives its reply to HELLO, within the time limit of the
 * first. Until then that reply is owed (enum worker_process_state).
 *
 * The state in a process that was ended for being idle is lost, as it is when a process has died:
 * the next call that needs it returns -ESTALE.
 *
 * The compiled shaders of a process are handed on to the next process, unless it failed: what it
 * had written by then may be what made it fail.
 *
 * For the thread that has acquired the worker; worker_end_process() is also for the idle watch
 * while nobody has.
 */
#ifndef GPUDUMPFS_WORKER_INTERNAL_H
#define GPUDUMPFS_WORKER_INTERNAL_H

#include "base/memory_limit.h"
#include "worker/compiled_shaders.h"
#include "worker/idle_watch.h"
#include "worker/launch.h"
#include "worker/message.h"
#include "worker/worker.h"

/*
 * What this end knows of the process. All changes:
 *
 *     NONE to NEW     worker_launch()
 *     NEW to OWES     HELLO was sent, the one message that a new process takes
 *     READY to OWES   a request was sent
 *     OWES to READY   the reply was received, and given to the caller or dropped
 *     any to NONE     worker_end_process(), for a reason of our own; keeps the compiled shaders
 *     any to NONE     worker_channel_failed(); discards them unless a third party killed it
 *
 * NEW does not outlast the call that starts the process. The other states stay from one call to the
 * next, and from one holder to the next.
 */
enum worker_process_state {
    PROCESS_NONE,
    PROCESS_NEW,   /* it must be greeted */
    PROCESS_READY, /* it takes a request */
    PROCESS_OWES,  /* its reply must be received before it takes a request */
};

struct worker_process {
    enum worker_process_state state;
    struct launch launch;  /* unless the state is NONE; pid 0 then */
    uint64_t generation;   /* number of starts: that of this process, or of the last one */
    uint32_t serial;       /* of the last message */
    uint64_t max_held;     /* bytes that it may hold, or the last one might; 0: no limit */
    uint64_t owed_max;     /* state OWES: largest size of the reply, in bytes */
    int64_t owed_deadline; /* state OWES: time of clock_ms() at which the reply must be there */
};

/*
 * How processes run. Constant from worker_create() on, but for `program` and the two last members.
 */
struct worker_settings {
    char *program; /* NULL: found at the first start */
    unsigned time_limit_ms, withdraw_ms;
    uint64_t memory_limit;
    bool vulkan;       /* they load a Vulkan driver */
    bool compile_only; /* they compile ahead for a leader */
    bool fast_compile; /* worker_set_fast_compile(): of this process, or the next one */
    bool one_thread;   /* worker_set_one_thread(): likewise */
};

/*
 * What the holder may use and has used: the thread that has acquired the worker, from
 * worker_acquire() to worker_release(). begin_tenure() resets all of it.
 */
struct worker_tenure {
    const struct cancel *gives_way; /* given to worker_acquire_late(); NULL: none */
    unsigned greedy;                /* processes that have held too much memory */
    /* Milliseconds that calls have taken from the first one on in which a process failed. */
    uint64_t lost_ms;
    /* Processor time, in milliseconds. */
    uint64_t max_ms;     /* limit; 0: none */
    uint64_t charged_ms; /* charged to the holder's budget */
    uint64_t ended_ms;   /* used by processes that have ended */
    int64_t before_ms;   /* used by the current process before the tenure */
};

struct worker {
    struct cancellable_mutex turn; /* of the threads that make calls */
    struct idle_watch idle;        /* ends the process while no call needs it */
    struct memory_holder memory;   /* reports what memory the process holds */
    /* The holder owns the following members; while there is none, the idle watch. */
    struct worker_settings settings;
    struct worker_process process;
    struct worker_tenure tenure;
    struct compiled_shaders shaders; /* of all processes */
    /* A mapping of our own of the breadcrumb of the leader; NULL: there is no leader. */
    const struct breadcrumb *leaders;
};

static inline bool worker_has_process(const struct worker *worker)
{
    return worker->process.state != PROCESS_NONE;
}

/* worker_tenure.c */

/* Returns 0 if the holder may make a call, -EINTR, or -ETIMEDOUT with a reason. */
int worker_check_tenure(struct worker *worker, struct worker_reply *reply);

/* Handles a holder without processor time: nothing that the process did is to blame. */
int worker_exhausted(struct worker *worker);

/*
 * Counts the time since `begun` (clock_ms()), if a process has failed in this call or an earlier
 * one.
 */
void worker_count_lost(struct worker *worker, int64_t begun, const struct worker_reply *reply);

/* Counts the processor time of a process before it ends. */
void worker_count_process(struct worker *worker);

/* worker_process.c */

/*
 * Without a process: launches one. Returns 0 in the state NEW, or a negative errno with a reason in
 * the state NONE.
 */
int worker_launch(struct worker *worker, struct worker_reply *reply);

/*
 * Ends the process, if there is one, for a reason of our own: what it has compiled is still good.
 */
void worker_end_process(struct worker *worker);

/* Ends the process after a failure of the channel; returns the status of the call. */
int worker_channel_failed(struct worker *worker, int status, struct worker_reply *reply);

/*
 * Sets how much memory the process may hold; a process that compiles ahead leaves half to its
 * leader.
 */
void worker_allow_memory(struct worker *worker);

/* worker_exchange.c */

/*
 * In the state READY, or NEW for HELLO: sends one request and receives its reply. If there is a
 * reply, returns its status in the state READY.
 */
int worker_exchange(struct worker *worker, const struct worker_request *request,
                    const struct message_wait *wait, struct worker_reply *reply);

/*
 * In the state NEW: checks that the process has our version. If the caller leaves meanwhile, the
 * process is left alone, as in any call: each message header has the version.
 */
int worker_greet(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply);

/*
 * In the state OWES: drops the reply that an earlier caller did not wait for. Returns 0 if the
 * process is READY, or is gone.
 */
int worker_settle(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply);

#endif
