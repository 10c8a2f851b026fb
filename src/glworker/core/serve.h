/* SPDX-License-Identifier: MIT */
/*
 * The main loop: receives the daemon's messages, each of which a backend's handler answers. Only
 * for the process's main thread.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_SERVE_H
#define GPUDUMPFS_GLWORKER_CORE_SERVE_H

#include "worker/message.h"
#include "worker/worker.h"

#include <stdbool.h>
#include <stdint.h>

/* The answer of a handler. */
struct serve_answer {
    struct message_writer body;
    struct blob *bulk;          /* sent after the body: a picture; or NULL */
    char reason[WORKER_REASON]; /* a sentence, if the handler fails */
};

/* Handles one message. Returns 0, or -errno, which the daemon gets together with the reason. */
typedef int serve_handler(struct message_reader *request, struct serve_answer *answer);

struct serve_kind {
    uint16_t kind;
    serve_handler *handle;
};

/*
 * Handles one message with the handler of its kind. `kinds` is a list of tables, ended by NULL; the
 * last row of each table has no handler. Returns 0, or -errno with a reason in `answer`:
 * -EOPNOTSUPP if there is no such kind. The caller frees the answer even if this fails. `payload`
 * stays the caller's.
 */
int serve_one(const struct serve_kind *const *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer);
void serve_answer_free(struct serve_answer *answer);

/*
 * Serves the kinds until the other end closes the socket, and then returns 0. Returns -errno if the
 * socket fails, the other end does not speak this protocol (-EPROTO), or the process cannot be
 * confined for good (confine_finish()). The first message is an empty HELLO; later messages are
 * read only once the driver is loaded and the process is confined for good.
 */
int serve(int socket, const struct serve_kind *const *kinds);

/*
 * Begins a backend's session: ends the previous session, of whatever backend, and remembers `end`
 * as the function that ends this one. `end` is called even if the session has already ended, and
 * must allow for that.
 */
void serve_begin_session(void (*end)(void));

/*
 * Returns the payload of the message that is being handled, for a handler that keeps it by a
 * reference of its own.
 */
struct blob *serve_payload(void);

/* Stores the reason why a handler fails, and returns `status`. */
int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Returns whether no request waits for the current message any more. A handler that may take long
 * calls this between two parts of its work and, if it is true, stops early; its answer is then
 * discarded.
 */
bool serve_is_withdrawn(void);

#endif
