/*
 * The worker's main loop and what each kind of message is done by. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_SERVE_H
#define GPUDUMPFS_GLWORKER_SERVE_H

#include "worker/message.h"
#include "worker/worker.h"

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
 * Has one message handled. 0, or a negative errno with a reason in `answer`, which the
 * caller frees.
 */
int serve_one(const struct serve_kind *kinds, uint16_t kind, struct blob *payload,
              struct serve_answer *answer);
void serve_answer_free(struct serve_answer *answer);

/*
 * Serves the kinds (the last has no handler) until the other end closes, which is
 * 0, or speaks no protocol of ours.
 */
int serve(int socket, const struct serve_kind *kinds);

/* The payload of the message that is being handled, for who wants to keep it. */
struct blob *serve_payload(void);

/* Fills in the reason of a failing handler, and returns `status`. */
int serve_refuse(struct serve_answer *answer, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
