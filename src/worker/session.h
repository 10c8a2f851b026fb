/* SPDX-License-Identifier: MIT */
/*
 * What sessions of all formats have in common: a session is a state that calls have built
 * up in a process of the worker. It knows whether that process still has it, what the
 * process died of, which the next one is told to leave out, and why a call failed.
 * A session outlives its processes; its user builds up anew when it is told to.
 * All functions but session_init() are for the thread that has acquired the worker.
 */
#ifndef GPUDUMPFS_WORKER_SESSION_H
#define GPUDUMPFS_WORKER_SESSION_H

#include "base/problems.h"
#include "worker/message.h"
#include "worker/worker.h"

/* What is wrong with what is replayed, by where that stands. */
typedef void session_note(void *context, enum problem_severity severity, uint64_t place,
                          const char *text);

/* enum message_kind as a member of a set. */
#define SESSION_MAKES(message) (UINT64_C(1) << (message))

/* How the sessions of a format differ from others. Constant. */
struct session_kind {
    /*
     * The names of what a dead process was about; their count, 0 when it was nothing of ours.
     * NULL: calls, by their numbers.
     */
    unsigned (*suspects)(const struct breadcrumb *breadcrumb, uint64_t names[BREADCRUMB_SUBJECTS]);
    unsigned bad_max; /* names remembered, at most SESSION_BAD_MAX; more are not learned */
    uint64_t makes;   /* SESSION_MAKES() of what gives a result, and so proves the worker sound */
    bool cancel_ends; /* where a call that was cancelled leaves off is not known */
    bool wide_places; /* of notes: u64, not u32 */
    /* From one reset to the next, as the worker counts; 0: SESSION_NOTES_MAX of each reply. */
    unsigned notes_max;
};

enum { SESSION_BAD_MAX = 256, SESSION_NOTES_BYTES = 1 << 20, SESSION_NOTES_MAX = 1000 };

struct session {
    const struct session_kind *kind;
    struct worker *worker;
    session_note *note; /* may be NULL */
    void *context;
    uint64_t generation; /* of the process that has what was built up; 0: none */
    uint64_t bad[SESSION_BAD_MAX];
    uint32_t bad_count;
    uint32_t notes;             /* since the last reset */
    uint32_t kills;             /* by others, since something was made last */
    char reason[WORKER_REASON]; /* of the last failure, a sentence */
};

/* Starts nothing. `worker` outlives the session, which owns nothing. */
void session_init(struct session *session, const struct session_kind *kind, struct worker *worker,
                  session_note *note, void *context);

/* Before its first call: it knows as bad what another one of its kind does. */
void session_warn(struct session *session, const struct session *other);

bool session_is_bad(const struct session *session, uint64_t name);

/* The names to be left out, as a reset tells them. */
void session_write_bad(const struct session *session, struct message_writer *writer);

/*
 * worker_call(), with what its failure means for the session, and the sentence in `reason`.
 * In any process, which has what is built up from now on. 0, then *payload is the caller's, or
 *
 *     -ESTALE  what was built up is gone (no process, another one, or one that somebody
 *              else has just killed, three times on end at most)
 *     -EAGAIN  the process died of something, which is remembered as bad now
 *     -EIO     the process died, nobody knows of what; -ETIMEDOUT the same for time
 *     -ENOMEM  it would hold too much memory (worker_give_up_for_memory()), and nobody knows by
 * what others   as worker_call()
 */
int session_call(struct session *session, const struct worker_request *request,
                 const struct cancel *cancel, struct blob **payload);

/*
 * The same by the process that has what was built up, else -ESTALE. The request's payload is
 * `head`, which this frees in any case, then its parts. -ENOMEM: nothing was sent.
 */
int session_request(struct session *session, struct message_writer *head,
                    const struct worker_request *request, const struct cancel *cancel,
                    struct blob **payload);

/* session_request() by some numbers alone, for a reply of at most `max_reply` bytes. */
int session_request_numbers(struct session *session, uint16_t message, const uint32_t *numbers,
                            size_t count, uint64_t max_reply, const struct cancel *cancel,
                            struct blob **payload);

/*
 * Begins anew, whatever was there; starts a process if there is none. The reply is dropped.
 * `head` is the request's payload, freed here.
 */
int session_reset(struct session *session, uint16_t message, struct message_writer *head,
                  const struct cancel *cancel);

/*
 * `count` notes, which end the reply: place, u32 severity, u32 bytes, text. 0, or what
 * session_broken() says.
 */
int session_read_notes(struct session *session, struct message_reader *reader, uint32_t count);

/* Whether the rest of the reply is a picture of that size, each pixel with so many bytes. */
bool session_has_pixels(const struct message_reader *reader, uint32_t width, uint32_t height,
                        uint32_t pixel_bytes);

/* A reply does not have the shape of its kind: -EIO, and nothing that was built up is trusted. */
int session_broken(struct session *session);

#endif
