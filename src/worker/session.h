/* SPDX-License-Identifier: MIT */
/*
 * A session: state that calls of a replay have built up in a process of the worker. This is what
 * the sessions of all formats have in common. A session knows whether that process still has the
 * state, which calls killed earlier processes (the next process is told to leave these out), and
 * why a call failed.
 *
 * A session outlives its processes; its user must build the state up again when a call returns
 * -ESTALE or -EAGAIN. All functions except session_init() are for the thread that has acquired the
 * worker.
 */
#ifndef GPUDUMPFS_WORKER_SESSION_H
#define GPUDUMPFS_WORKER_SESSION_H

#include "base/problems.h"
#include "worker/message.h"
#include "worker/worker.h"

/* Receives a problem of what is replayed; `place` is its position there. */
typedef void session_note(void *context, enum problem_severity severity, uint64_t place,
                          const char *text);

/* The bit of an enum message_kind in a set. */
#define SESSION_MAKES(message) (UINT64_C(1) << (message))

/* How the sessions of one format differ from others. Constant. */
struct session_kind {
    /*
     * Stores the names of what a dead process was working on, and returns their number; 0 if that
     * was nothing of this format. NULL: the names are numbers of calls.
     */
    unsigned (*suspects)(const struct breadcrumb *breadcrumb, uint64_t names[BREADCRUMB_SUBJECTS]);
    unsigned bad_max; /* largest number of names remembered, at most SESSION_BAD_MAX */
    uint64_t makes;   /* SESSION_MAKES() of messages whose results prove the process sound */
    bool cancel_ends; /* a cancelled call leaves the state unknown: the session is lost */
    bool wide_places; /* places in notes are u64, not u32 */
    /*
     * Largest number of notes between two resets, as in the worker; 0: SESSION_NOTES_MAX for each
     * reply.
     */
    unsigned notes_max;
};

enum { SESSION_BAD_MAX = 256, SESSION_NOTES_BYTES = 1 << 20, SESSION_NOTES_MAX = 1000 };

struct session {
    const struct session_kind *kind;
    struct worker *worker;
    session_note *note; /* may be NULL */
    void *context;
    uint64_t generation; /* of the process that has the state; 0: none */
    uint64_t bad[SESSION_BAD_MAX];
    uint32_t bad_count;
    uint32_t notes;             /* since the last reset, if the kind limits them */
    uint32_t kills;             /* processes killed by third parties since the last result */
    char reason[WORKER_REASON]; /* why the last call failed, as a sentence */
};

/* Sets up a session; starts nothing. `worker` must outlive the session, which owns nothing. */
void session_init(struct session *session, const struct session_kind *kind, struct worker *worker,
                  session_note *note, void *context);

/*
 * Copies the names that another session of the same kind knows as bad. Call it before the first
 * call.
 */
void session_warn(struct session *session, const struct session *other);

/* Returns whether the name is one of what killed a process, and is to be left out. */
bool session_is_bad(const struct session *session, uint64_t name);

/* Writes the names to be left out, as a reset message has them. */
void session_write_bad(const struct session *session, struct message_writer *writer);

/*
 * Calls worker_call(), updates the session by the outcome, and stores the reason of a failure in
 * `reason`. Any process may answer, unless the request names one; on success the session's state is
 * in the process that did. Returns 0, and a *payload that the caller owns, or
 *
 *     -ESTALE  the state is gone: there is no process, or another one, or a third party has just
 *              killed it (at most three times in a row; more are -EIO)
 *     -EAGAIN  the process died; what it was working on is remembered as bad
 *     -EIO     the process died of an unknown cause; -ETIMEDOUT is the same for time
 *     -ENOMEM  the process would hold too much memory (worker_give_up_for_memory()), and no single
 *              cause is known
 *     others   as worker_call()
 */
int session_call(struct session *session, const struct worker_request *request,
                 const struct cancel *cancel, struct blob **payload);

/*
 * Does the same, but only in the process that has the session's state; returns -ESTALE if there is
 * none. The request's payload is `head`, followed by its parts. Frees `head` even if it fails.
 * Returns -ENOMEM if there is no memory to build the request; then nothing was sent.
 */
int session_request(struct session *session, struct message_writer *head,
                    const struct worker_request *request, const struct cancel *cancel,
                    struct blob **payload);

/* Calls session_request() with `count` numbers; the reply has at most `max_reply` bytes. */
int session_request_numbers(struct session *session, uint16_t message, const uint32_t *numbers,
                            size_t count, uint64_t max_reply, const struct cancel *cancel,
                            struct blob **payload);

/*
 * Starts a new state with a reset message, which discards the former state; starts a process if
 * there is none. Drops the reply. `head` is the request's payload, and is freed even if this fails.
 * Returns 0, or as session_call().
 */
int session_reset(struct session *session, uint16_t message, struct message_writer *head,
                  const struct cancel *cancel);

/*
 * Reads `count` notes, which must be the rest of the reply, and reports each one: place, u32
 * severity, u32 bytes, text. Returns 0, or the result of session_broken().
 */
int session_read_notes(struct session *session, struct message_reader *reader, uint32_t count);

/* Returns whether the rest of the reply is exactly a picture of the given size. */
bool session_has_pixels(const struct message_reader *reader, uint32_t width, uint32_t height,
                        uint32_t pixel_bytes);

/* Handles a reply that is malformed for its kind: gives up the session's state and returns -EIO. */
int session_broken(struct session *session);

#endif
