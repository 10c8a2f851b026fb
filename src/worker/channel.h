/*
 * One end of the socket between daemon and worker: whole messages, with a time
 * limit and a cancel flag where the daemon waits, without where the worker does.
 * One thread at a time.
 */
#ifndef GPUDUMPFS_WORKER_CHANNEL_H
#define GPUDUMPFS_WORKER_CHANNEL_H

#include "base/blob.h"
#include "base/cancel.h"
#include "worker/message.h"

/* How long to wait, and for whom. */
struct channel_wait {
    int64_t deadline; /* of channel_now(); INT64_MAX: none */
    const struct cancel *cancel;
};

/* Milliseconds of a clock that stands still for nobody but a sleeping machine. */
int64_t channel_now(void);

/* Both: 0, -EINTR, -ETIMEDOUT, or -EPIPE when the other end is gone, and errors of sockets. */

/* *sent: bytes that went out, also of a failure. */
int channel_send(int fd, const struct message_header *header, const struct message_part *parts,
                 size_t count, const struct channel_wait *wait, uint64_t *sent);

/*
 * The next message. -EINTR comes before its first byte or not at all. Also -EPROTO for what is no
 * message or has more than `most` bytes of payload, and -ENOMEM. The caller owns *payload.
 */
int channel_receive(int fd, uint64_t most, const struct channel_wait *wait,
                    struct message_header *header, struct blob **payload);

#endif
