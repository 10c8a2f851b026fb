/* SPDX-License-Identifier: MIT */
/*
 * The daemon's end of a worker. How its process is kept alive, and when it is given up:
 *
 * If a caller withdraws its call, the process is told so (worker/breadcrumb.h) and abandons the
 * call; its reply is received and dropped. So a reader that is killed does not cost the next one a
 * start of the process. A process that does not respond, within a library, is ended. One that is
 * still starting goes on: the next call receives its reply to HELLO, within the time limit of the
 * first. Until then that reply is owed (enum process_state).
 *
 * The state in a process that was ended for being idle is lost, as it is when a process has died:
 * the next call that needs it returns -ESTALE.
 *
 * The compiled shaders of a process are handed on to the next process, unless it failed: what it
 * had written by then may be what made it fail.
 */
#include "config.h"

#include "worker/worker.h"

#include "base/budget.h"
#include "base/clock.h"
#include "base/memory_limit.h"
#include "base/transient_failures.h"
#include "worker/compiled_shaders.h"
#include "worker/idle_watch.h"
#include "worker/launch.h"
#include "worker/message.h"
#include "worker/worker_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define MILLISECOND 1000000 /* in nanoseconds */

enum {
    /* Bytes of a database of shaders. A smaller one has only its header, and a shader or two. */
    COLD_BYTES = 4096,
    /* Number of time limits that the calls of one holder may take, once a process has failed. */
    FAILURES = 3,
    SMALL_SHARE = 4, /* a process had the memory limit to itself if others held at most 1/4 of it */
    /* Milliseconds to abandon a call that gives way: the process is needed after it. */
    GIVES_WAY_MS = 1000,
};

/*
 * What this end knows of the process. All changes:
 *
 *     NONE to NEW     start() has launched it
 *     NEW to OWES     HELLO was sent, the one message that a new process takes
 *     READY to OWES   a request was sent
 *     OWES to READY   the reply was received, and given to the caller or dropped
 *     any to NONE     end_process(), for a reason of our own, which keeps the compiled shaders
 *     any to NONE     end_failed_process(), which discards them unless a third party killed it
 *
 * NEW does not outlast the call that starts the process. The other states stay from one call to the
 * next, and from one holder to the next.
 */
enum process_state {
    PROCESS_NONE,
    PROCESS_NEW,   /* it must be greeted */
    PROCESS_READY, /* it takes a request */
    PROCESS_OWES,  /* its reply must be received before it takes a request */
};

struct process {
    enum process_state state;
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
struct settings {
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
struct tenure {
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
    struct settings settings;
    struct process process;
    struct tenure tenure;
    struct compiled_shaders shaders; /* of all processes */
    /* A mapping of our own of the breadcrumb of the leader; NULL: there is no leader. */
    const struct breadcrumb *leaders;
};

static bool has_process(const struct worker *worker)
{
    return worker->process.state != PROCESS_NONE;
}

/* Returns the processor time that the process has used for the holder. */
static uint64_t process_ms(const struct worker *worker, clockid_t *clock)
{
    int64_t now = 0;

    if (has_process(worker) && clock_getcpuclockid(worker->process.launch.pid, clock) == 0)
        now = clock_read(*clock) / 1000000;
    return now > worker->tenure.before_ms ? (uint64_t)(now - worker->tenure.before_ms) : 0;
}

uint64_t worker_processor_ms(const struct worker *worker)
{
    clockid_t clock;

    return worker->tenure.ended_ms + process_ms(worker, &clock);
}

/* Charges the calling thread's budget for time that it was not charged for yet. */
static void charge_time(struct worker *worker, bool all)
{
    uint64_t spent = worker_processor_ms(worker);

    if (worker->tenure.max_ms != 0)
        budget_charge_helper((spent - worker->tenure.charged_ms) * MILLISECOND, all);
    worker->tenure.charged_ms = spent;
}

/* Counts the time of a process before it ends. */
static void count_process(struct worker *worker)
{
    clockid_t clock;

    memory_limit_watch(&worker->memory, NULL, 0);
    worker->tenure.ended_ms += process_ms(worker, &clock);
    worker->tenure.before_ms = 0;
}

static void begin_tenure(struct worker *worker, const struct cancel *gives_way)
{
    clockid_t clock;

    worker->tenure = (struct tenure){
        .gives_way = gives_way, .max_ms = (budget_helper_time() + MILLISECOND - 1) / MILLISECOND};
    worker->tenure.before_ms = (int64_t)process_ms(worker, &clock);
}

/*
 * Ends the process, if there is one, for a reason of our own: what it has compiled is still good.
 */
static void end_process(struct worker *worker)
{
    struct breadcrumb breadcrumb;
    char reason[WORKER_REASON] = "";

    count_process(worker);
    if (has_process(worker))
        launch_end(&worker->process.launch, true, &breadcrumb, reason, sizeof(reason));
    worker->process.state = PROCESS_NONE;
}

static void end_idle_process(void *context)
{
    end_process(context);
}

static void relieve(void *context, uint64_t bytes)
{
    struct worker *worker = context;

    (void)bytes;
    idle_watch_press(&worker->idle);
}

static unsigned idle_time(const struct worker_params *params)
{
    const char *told = getenv("GPUDUMPFS_WORKER_IDLE_MS");
    unsigned long time = told != NULL ? strtoul(told, NULL, 10) : 0;

    if (params->idle_ms != 0)
        return params->idle_ms;
    return time > 0 && time <= INT_MAX ? (unsigned)time : WORKER_IDLE;
}

static int follow(struct worker *worker, const struct worker *leader)
{
    int status = shader_disk_cache_share(&leader->shaders.database, &worker->shaders.database);

    worker->settings.compile_only = true;
    worker->settings.fast_compile = leader->settings.fast_compile;
    worker->leaders = launch_view(&leader->process.launch);
    if (status == 0 && (worker->leaders == NULL || worker->shaders.database.files[0] < 0))
        status = -ENODATA;
    return status;
}

int worker_create(const struct worker_params *params, struct worker **out)
{
    struct worker *worker = calloc(1, sizeof(*worker));
    int status = 0;

    if (worker == NULL)
        return -ENOMEM;
    if (params->program != NULL && (worker->settings.program = strdup(params->program)) == NULL) {
        free(worker);
        return -ENOMEM;
    }
    worker->settings.time_limit_ms =
        params->time_limit_ms != 0 ? params->time_limit_ms : WORKER_TIME_LIMIT;
    worker->settings.withdraw_ms = params->withdraw_ms != 0 ? params->withdraw_ms : WORKER_WITHDRAW;
    worker->settings.memory_limit = params->memory_limit;
    worker->settings.vulkan = params->vulkan;
    compiled_shaders_init(&worker->shaders, params->kept_for, params->cache);
    cancellable_mutex_init(&worker->turn);
    idle_watch_init(&worker->idle, idle_time(params), end_idle_process, worker);
    worker->memory = (struct memory_holder){.relieve = relieve, .context = worker};
    memory_limit_join(&worker->memory);
    *out = worker;
    if (params->leader != NULL)
        status = follow(worker, params->leader);
    if (status < 0)
        worker_destroy(out);
    return status;
}

/* The shaders of a process that failed may be what made it fail. */
void worker_drop_shaders(struct worker *worker)
{
    compiled_shaders_drop(&worker->shaders);
}

uint64_t worker_leaders_subject(const struct worker *worker)
{
    if (worker->leaders == NULL)
        return 0;
    return __atomic_load_n(&worker->leaders->subjects[0], __ATOMIC_RELAXED);
}

bool worker_is_cold(const struct worker *worker)
{
    return shader_disk_cache_stored(&worker->shaders.database) < COLD_BYTES;
}

void worker_destroy(struct worker **destroyed)
{
    struct worker *worker = *destroyed;

    if (worker == NULL)
        return;
    memory_limit_leave(&worker->memory);
    idle_watch_destroy(&worker->idle);
    end_process(worker);
    compiled_shaders_end(&worker->shaders);
    cancellable_mutex_destroy(&worker->turn);
    if (worker->leaders != NULL)
        munmap((void *)worker->leaders, sizeof(*worker->leaders));
    free(worker->settings.program);
    free(worker);
    *destroyed = NULL;
}

static int hold(struct worker *worker, int status, const struct cancel *gives_way)
{
    if (status == 0) {
        idle_watch_hold(&worker->idle);
        begin_tenure(worker, gives_way);
    }
    return status;
}

int worker_acquire(struct worker *worker, const struct cancel *cancel)
{
    return hold(worker, cancellable_mutex_lock(&worker->turn, cancel), NULL);
}

int worker_acquire_late(struct worker *worker, enum cancellable_mutex_rank rank,
                        const struct cancel *cancel, struct cancel *gives_way)
{
    return hold(worker, cancellable_mutex_lock_late(&worker->turn, rank, cancel, gives_way),
                gives_way);
}

void worker_release(struct worker *worker)
{
    charge_time(worker, false);
    idle_watch_release(&worker->idle);
    cancellable_mutex_unlock(&worker->turn);
}

pid_t worker_process(const struct worker *worker)
{
    return worker->process.launch.pid;
}

const struct shader_disk_cache *worker_shader_cache(const struct worker *worker)
{
    return &worker->shaders.database;
}

uint64_t worker_starts(const struct worker *worker)
{
    return worker->process.generation;
}

/*
 * Ends a process that has failed: it is dead by itself, or is `killed` here for the reason `why`.
 * Unless a third party killed it, what it was doing is to blame, and its shaders are discarded.
 */
static void end_failed_process(struct worker *worker, bool killed, const char *why,
                               struct worker_reply *reply)
{
    snprintf(reply->reason, sizeof(reply->reason), "%s", why);
    count_process(worker);
    reply->killed = launch_end(&worker->process.launch, killed, &reply->breadcrumb, reply->reason,
                               sizeof(reply->reason));
    worker->process.state = PROCESS_NONE;
    reply->died = true;
    if (reply->killed)
        transient_failures_add();
    if (reply->breadcrumb.greedy != 0) {
        reply->greedy = ++worker->tenure.greedy;
        snprintf(reply->reason, sizeof(reply->reason),
                 "the graphics worker would hold more than %llu MiB of memory (-o max-resident)",
                 (unsigned long long)(worker->process.max_held >> 20));
    }
    if (!reply->killed)
        worker_drop_shaders(worker);
}

/* Ends the process after a failure of the channel; returns the status of the call. */
static int channel_failed(struct worker *worker, int status, struct worker_reply *reply)
{
    char why[80];

    switch (status) {
    case -EPIPE:
        end_failed_process(worker, false, "the graphics worker died", reply);
        return -EIO;
    case -EPROTO:
        end_failed_process(worker, true, "the graphics worker violated the protocol", reply);
        return -EIO;
    case -ETIMEDOUT:
        end_failed_process(worker, true, "the graphics worker ran out of time", reply);
        return status;
    default:
        snprintf(why, sizeof(why), "no communication with the graphics worker: %s",
                 strerror(-status));
        end_failed_process(worker, true, why, reply);
        return status;
    }
}

/*
 * In the state OWES: receives and drops the reply, which no caller waits for. The process is then
 * READY; if this fails, the state is as before.
 */
static int drop_reply(struct worker *worker, const struct message_wait *wait, uint64_t *received)
{
    struct message_header answer;
    struct blob *payload = NULL;
    int status = message_receive(worker->process.launch.socket, worker->process.owed_max, wait,
                                 &answer, &payload, received);

    blob_unref(&payload);
    if (status == 0)
        worker->process.state = PROCESS_READY;
    return status;
}

/*
 * In the state OWES: makes the process abandon the call of a caller that has left, and ends it if
 * it does not, so that it does not work for a reader that is gone. The process has done nothing
 * wrong: what it has compiled is good. Afterwards it is READY, or there is none.
 */
static void withdraw(struct worker *worker)
{
    const bool gives_way =
        worker->tenure.gives_way != NULL &&
        atomic_load_explicit(&worker->tenure.gives_way->raised, memory_order_relaxed);
    const unsigned limit = gives_way ? (unsigned)GIVES_WAY_MS : worker->settings.withdraw_ms;
    const struct message_wait wait = {.deadline = clock_ms() + limit};
    struct worker_reply reply;
    uint64_t received;
    int status;

    /* The process has no state for a next caller, or there is no memory to keep it. */
    if (worker->settings.compile_only || memory_limit_is_passed()) {
        end_process(worker);
        return;
    }
    launch_withdraw(&worker->process.launch, worker->process.serial);
    status = drop_reply(worker, &wait, &received);
    if (status == -ETIMEDOUT)
        end_process(worker);
    else if (status < 0)
        channel_failed(worker, status, &reply);
}

/* Handles a holder without processor time: nothing that the process did is to blame. */
static int exhausted(struct worker *worker)
{
    charge_time(worker, true);
    return -EINTR;
}

/*
 * Returns the number of bytes that a sound process can hold at most: above its limit a process
 * ends.
 */
static uint64_t plausible_memory(const struct worker *worker)
{
    const uint64_t space =
        worker->settings.memory_limit != 0 ? worker->settings.memory_limit : LAUNCH_MEMORY;

    return worker->process.max_held != 0 && worker->process.max_held < space
               ? worker->process.max_held
               : space;
}

/*
 * Sets how much memory the process may hold; a process that compiles ahead leaves half to its
 * leader.
 */
static void allow_memory(struct worker *worker)
{
    struct breadcrumb *breadcrumb = worker->process.launch.breadcrumb;
    uint64_t told = __atomic_load_n(&breadcrumb->held, __ATOMIC_RELAXED);
    uint64_t max = plausible_memory(worker);

    worker->process.max_held = memory_limit_of_worker(told < max ? told : max);
    if (worker->settings.compile_only)
        worker->process.max_held = (worker->process.max_held + 1) / 2;
    __atomic_store_n(&breadcrumb->max_held, worker->process.max_held, __ATOMIC_RELAXED);
    memory_limit_watch(&worker->memory, &breadcrumb->held, plausible_memory(worker));
}

/*
 * Returns whether a process may answer a request with this status. Statuses that describe the
 * channel, or a caller that has left, may only be found at this end: here they would be acted upon
 * as if they had been.
 */
static bool is_verdict(int32_t status)
{
    static const int ours[] = {-EINTR, -EAGAIN, -ESTALE, -ETIMEDOUT, -ETIME, -EPIPE};
    const int32_t last = -4095; /* the last errno of the kernel */

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        if (status == ours[i])
            return false;
    return status >= last && status <= 0;
}

static bool is_reply(const struct message_header *answer, const struct message_header *request,
                     const struct blob *payload)
{
    return answer->serial == request->serial && answer->kind == request->kind &&
           is_verdict(answer->status) && (answer->status == 0 || payload->size < WORKER_REASON);
}

static uint64_t size_of(const struct worker_request *request)
{
    uint64_t size = 0;

    for (size_t i = 0; i < request->part_count; i++)
        size += request->parts[i].size;
    return size;
}

static uint64_t max_reply_of(const struct worker_request *request)
{
    return request->max_reply > WORKER_REASON ? request->max_reply : WORKER_REASON;
}

/*
 * In the state OWES: handles a caller that has left, or has no processor time, after `received`
 * bytes of the reply.
 */
static int give_up(struct worker *worker, const struct worker_request *request, uint64_t received,
                   int status)
{
    if (received > 0)
        end_process(worker); /* the next reply would begin with the rest of this one */
    else if (request->kind != MESSAGE_HELLO) /* a starting process serves the next caller */
        withdraw(worker);
    return status == -ETIME ? exhausted(worker) : status;
}

/*
 * In the state READY, or NEW for HELLO: sends the request. Returns 0 in the state OWES. An error
 * ends the call, and leaves any state.
 */
static int send_request(struct worker *worker, const struct worker_request *request,
                        const struct message_header *header, const struct message_wait *wait,
                        struct worker_reply *reply)
{
    /*
     * HELLO is sent even for a caller that has left: a process takes nothing else before it, and a
     * next caller would not send it.
     */
    const struct message_wait in_any_case = {.deadline = wait->deadline};
    const struct message_wait *sending = request->kind == MESSAGE_HELLO ? &in_any_case : wait;
    uint64_t sent;
    int status = message_send(worker->process.launch.socket, header, request->parts,
                              request->part_count, sending, &sent);

    if (status == -EINTR && sent == 0)
        return status;
    if (status == -EINTR && sent < MESSAGE_HEADER + header->size) {
        end_process(worker); /* it would take the next message for the rest of this one */
        return status;
    }
    if (status < 0 && status != -EINTR)
        return channel_failed(worker, status == -ETIME ? -ETIMEDOUT : status, reply);
    worker->process.state = PROCESS_OWES;
    worker->process.owed_max = max_reply_of(request);
    worker->process.owed_deadline = wait->deadline;
    return status == 0 ? 0 : give_up(worker, request, 0, status);
}

/*
 * In the state OWES: returns 0 in the state READY, with a reply to that request. The caller drops
 * `payload` even if this fails.
 */
static int receive_reply(struct worker *worker, const struct worker_request *request,
                         const struct message_header *header, const struct message_wait *wait,
                         struct message_header *answer, struct blob **payload,
                         struct worker_reply *reply)
{
    uint64_t received = 0;
    int status = message_receive(worker->process.launch.socket, max_reply_of(request), wait, answer,
                                 payload, &received);

    if (status == -ETIME || status == -EINTR)
        return give_up(worker, request, received, status);
    if (status == 0) {
        worker->process.state = PROCESS_READY;
        status = is_reply(answer, header, *payload) ? 0 : -EPROTO;
    }
    return status < 0 ? channel_failed(worker, status, reply) : 0;
}

/* Takes the reply: hands its payload to the caller, or copies the reason of a failure. */
static int take_verdict(int status, struct blob **payload, struct worker_reply *reply)
{
    if (status == 0) {
        reply->payload = *payload;
        *payload = NULL;
    } else {
        memcpy(reply->reason, (*payload)->data, (*payload)->size);
        reply->reason[(*payload)->size] = '\0';
    }
    return status;
}

/*
 * In the state READY, or NEW for HELLO: sends one request and receives its reply. If there is a
 * reply, returns its status in the state READY.
 */
static int converse(struct worker *worker, const struct worker_request *request,
                    const struct message_wait *wait, struct worker_reply *reply)
{
    const struct message_header header = {
        .kind = request->kind, .serial = ++worker->process.serial, .size = size_of(request)};
    struct message_header answer;
    struct blob *payload = NULL;
    int status;

    if (header.size > WORKER_PAYLOAD_MAX)
        return -EFBIG;
    allow_memory(worker);
    status = send_request(worker, request, &header, wait, reply);
    if (status == 0)
        status = receive_reply(worker, request, &header, wait, &answer, &payload, reply);
    if (status == 0)
        status = take_verdict(answer.status, &payload, reply);
    blob_unref(&payload);
    return status;
}

/*
 * In the state OWES: drops the reply that an earlier caller did not wait for. Returns 0 if the
 * process is READY, or is gone.
 */
static int settle(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    const struct message_wait wait = {.deadline = worker->process.owed_deadline, .cancel = cancel};
    uint64_t received;
    int status = drop_reply(worker, &wait, &received);

    if (status == -EINTR) {
        if (received > 0)
            end_process(worker);
        return status;
    }
    /* This is not a failure of this call, which gets a new process. */
    if (status < 0)
        channel_failed(worker, status, reply);
    return 0;
}

void worker_set_fast_compile(struct worker *worker, bool fast_compile)
{
    if (worker->settings.fast_compile != fast_compile)
        end_process(worker);
    worker->settings.fast_compile = fast_compile;
}

void worker_set_one_thread(struct worker *worker, bool one_thread)
{
    if (worker->settings.one_thread != one_thread)
        end_process(worker);
    worker->settings.one_thread = one_thread;
}

/*
 * In the state NEW: checks that the process has our version. If the caller leaves meanwhile, the
 * process is left alone, as in any call: each message header has the version.
 */
static int greet(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    const struct message_wait wait = {.deadline = clock_ms() + worker->settings.time_limit_ms,
                                      .cancel = cancel};
    const struct worker_request hello = {.kind = MESSAGE_HELLO};

    return converse(worker, &hello, &wait, reply);
}

/*
 * Collects what the next process must know. Without files for shaders it compiles without a cache.
 */
static struct launch_params prepare_launch(struct worker *worker)
{
    struct launch_params params = {.program = worker->settings.program,
                                   .memory_limit = worker->settings.memory_limit,
                                   .fast_compile = worker->settings.fast_compile,
                                   .compile_only = worker->settings.compile_only,
                                   .one_thread = worker->settings.one_thread,
                                   .vulkan = worker->settings.vulkan};

    if (compiled_shaders_begin(&worker->shaders, worker->settings.program)) {
        params.shaders = worker->shaders.database.files;
        params.folder = worker->shaders.folder;
    }
    return params;
}

/* Without a process: starts one. Returns 0 in the state READY. */
static int start(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    struct launch_params params;
    int status;

    if (worker->settings.program == NULL)
        worker->settings.program = worker_program();
    if (worker->settings.program == NULL) {
        snprintf(reply->reason, sizeof(reply->reason), "gpudumpfs-glworker is not installed");
        return -ENOENT;
    }
    params = prepare_launch(worker);
    status = launch_start(&params, &worker->process.launch);
    if (status < 0) {
        snprintf(reply->reason, sizeof(reply->reason), "%s cannot be started: %s",
                 worker->settings.program, strerror(-status));
        return status;
    }
    reply->generation = ++worker->process.generation;
    worker->process.state = PROCESS_NEW;
    if (!worker->settings.compile_only) /* it is needed until the worker is destroyed */
        idle_watch_start(&worker->idle);
    status = greet(worker, cancel, reply);
    blob_unref(&reply->payload);
    return status;
}

int worker_start(struct worker *worker, const struct cancel *cancel)
{
    struct worker_reply reply = {.generation = 0};
    int status;

    idle_watch_hold(&worker->idle);
    status = has_process(worker) ? 0 : start(worker, cancel, &reply);
    idle_watch_release(&worker->idle);
    return status;
}

static void limit_wait(const struct worker *worker, unsigned limit, struct message_wait *wait)
{
    const uint64_t ended = worker->tenure.ended_ms, max = worker->tenure.max_ms;

    if (max != 0 && clock_getcpuclockid(worker->process.launch.pid, &wait->clock) == 0) {
        wait->limited = true;
        wait->clock_due = clock_read(wait->clock) / 1000000 + (int64_t)limit * 3 / 4;
        wait->clock_end = worker->tenure.before_ms + (int64_t)(max > ended ? max - ended : 0);
    }
}

/* Returns 0 if the holder may make a call, -EINTR, or -ETIMEDOUT with a reason. */
static int check_holder(struct worker *worker, struct worker_reply *reply)
{
    if (worker->tenure.max_ms != 0 && worker_processor_ms(worker) >= worker->tenure.max_ms)
        return exhausted(worker);
    if (worker->tenure.lost_ms < (uint64_t)FAILURES * worker->settings.time_limit_ms)
        return 0;
    snprintf(reply->reason, sizeof(reply->reason),
             "graphics workers have failed for longer than %u time limits", (unsigned)FAILURES);
    return -ETIMEDOUT;
}

static void count_lost(struct worker *worker, int64_t begun, const struct worker_reply *reply)
{
    if (reply->died || worker->tenure.lost_ms > 0)
        worker->tenure.lost_ms += (uint64_t)(clock_ms() - begun) + 1;
}

int worker_give_up_for_memory(const struct worker *worker)
{
    const uint64_t limit = memory_limit();

    budget_end_helper_for_memory(worker->process.max_held >= limit - limit / SMALL_SHARE);
    return -ENOMEM;
}

static int call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply)
{
    unsigned limit =
        request->time_limit_ms != 0 ? request->time_limit_ms : worker->settings.time_limit_ms;
    struct message_wait wait = {.cancel = cancel};
    const int64_t begun = clock_ms();
    int status = check_holder(worker, reply);

    if (status < 0)
        return status;
    if (worker->process.state == PROCESS_OWES)
        status = settle(worker, cancel, reply);
    if (status < 0)
        return status;
    *reply = (struct worker_reply){.generation = worker->process.generation};
    if (request->generation != 0 &&
        (!has_process(worker) || request->generation != worker->process.generation))
        return -ESTALE;
    if (!has_process(worker))
        status = start(worker, cancel, reply);
    if (status < 0) {
        count_lost(worker, begun, reply);
        return status;
    }
    wait.deadline = clock_ms() + limit;
    limit_wait(worker, limit, &wait);
    status = converse(worker, request, &wait, reply);
    count_lost(worker, begun, reply);
    compiled_shaders_pay(&worker->shaders);
    return status;
}

int worker_call(struct worker *worker, const struct worker_request *request,
                const struct cancel *cancel, struct worker_reply *reply)
{
    int status;

    *reply = (struct worker_reply){.generation = 0};
    idle_watch_hold(&worker->idle);
    status = call(worker, request, cancel, reply);
    idle_watch_release(&worker->idle);
    if (status < 0 && reply->reason[0] == '\0' && status != -EINTR && status != -ESTALE)
        snprintf(reply->reason, sizeof(reply->reason), "the graphics worker failed: %s",
                 strerror(-status));
    return status;
}
