/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "worker/internal.h"

#include "base/clock.h"
#include "base/memory_limit.h"

#include <errno.h>
#include <string.h>

/* Milliseconds to abandon a call that gives way: the process is needed after it. */
enum { GIVES_WAY_MS = 1000 };

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
        worker_end_process(worker);
        return;
    }
    launch_withdraw(&worker->process.launch, worker->process.serial);
    status = drop_reply(worker, &wait, &received);
    if (status == -ETIMEDOUT)
        worker_end_process(worker);
    else if (status < 0)
        worker_channel_failed(worker, status, &reply);
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
        worker_end_process(worker); /* the next reply would begin with the rest of this one */
    else if (request->kind != MESSAGE_HELLO) /* a starting process serves the next caller */
        withdraw(worker);
    return status == -ETIME ? worker_exhausted(worker) : status;
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
        worker_end_process(worker); /* it would take the next message for the rest of this one */
        return status;
    }
    if (status < 0 && status != -EINTR)
        return worker_channel_failed(worker, status == -ETIME ? -ETIMEDOUT : status, reply);
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
    return status < 0 ? worker_channel_failed(worker, status, reply) : 0;
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

int worker_exchange(struct worker *worker, const struct worker_request *request,
                    const struct message_wait *wait, struct worker_reply *reply)
{
    const struct message_header header = {
        .kind = request->kind, .serial = ++worker->process.serial, .size = size_of(request)};
    struct message_header answer;
    struct blob *payload = NULL;
    int status;

    if (header.size > WORKER_PAYLOAD_MAX)
        return -EFBIG;
    worker_allow_memory(worker);
    status = send_request(worker, request, &header, wait, reply);
    if (status == 0)
        status = receive_reply(worker, request, &header, wait, &answer, &payload, reply);
    if (status == 0)
        status = take_verdict(answer.status, &payload, reply);
    blob_unref(&payload);
    return status;
}

int worker_settle(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    const struct message_wait wait = {.deadline = worker->process.owed_deadline, .cancel = cancel};
    uint64_t received;
    int status = drop_reply(worker, &wait, &received);

    if (status == -EINTR) {
        if (received > 0)
            worker_end_process(worker);
        return status;
    }
    /* This is not a failure of this call, which gets a new process. */
    if (status < 0)
        worker_channel_failed(worker, status, reply);
    return 0;
}

int worker_greet(struct worker *worker, const struct cancel *cancel, struct worker_reply *reply)
{
    const struct message_wait wait = {.deadline = clock_ms() + worker->settings.time_limit_ms,
                                      .cancel = cancel};
    const struct worker_request hello = {.kind = MESSAGE_HELLO};

    return worker_exchange(worker, &hello, &wait, reply);
}
