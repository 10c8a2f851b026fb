/* SPDX-License-Identifier: MIT */
/*
 * The main loop: messages of the daemon, each of which a backend's handler answers. The process's
 * main thread alone.
 */
#ifndef GPUDUMPFS_GLWORKER_CORE_SERVE_H
#define GPUDUMPFS_GLWORKER_CORE_SERVE_H

#include "worker/message.h"
#include "worker/worker.h"

#include <stdbool.h>
#include <stdint.h>

/* What a handler answers with. */
struct serve_answer {
    struct message_writer body;
    struct blob *bulk;          /* stands behind the body: a picture; or NULL */
    char reason[WORKER_REASON]; /* when the handler fails: a sentence */
};

/* 0, or a negative errno that the daemon gets with the reason. */
typedef int serve_handler(struct message_reader *request, struct serve_answer *answer);

struct serve_kind {
    uint16_t kind;
    serve_handler *handle;
};

/*
 * Has one message handled, by tables whose last row has no handler; NULL ends their list. 0, or a
 * negative errno with a reason in `answer`, which the caller frees.
 */
int serve_one(const struct serve_kind *const *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer);
void serve_answer_free(struct serve_answer *answer);

/*
 * Serves the kinds until the other end closes, which is 0, or speaks no protocol of ours. The
 * first message is an empty HELLO; what comes behind it is looked at once the process is confined
 * for good (graphics_start()).
 */
int serve(int socket, const struct serve_kind *const *kinds);

/*
 * A backend begins its session: ends the one that there is, of whatever backend, and notes how
 * this one is ended. What was ended already may be ended again.
 */
void serve_begin_session(void (*end)(void));

/* The payload of the message that is being handled, for a handler that keeps it. */
struct blob *serve_payload(void);

/* Fills in the reason of a failing handler, and returns `status`. */
int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Whether nothing waits for the message at hand any more: a handler that may take long asks
 * between two pieces of its work, and leaves off. What it answers is dropped.
 */
bool serve_is_withdrawn(void);

#endif
