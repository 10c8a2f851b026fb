/* SPDX-License-Identifier: MIT */
/*
 * The messages between daemon and worker (worker.md 2): a header of MESSAGE_HEADER bytes, then
 * the payload, all little-endian. Readers never go beyond what they were given; they and the
 * writers are pure functions. Whole messages go over a socket, of which one thread at a time has
 * an end, with a time limit and a cancel flag where the daemon waits, without where the worker
 * does.
 */
#ifndef GPUDUMPFS_WORKER_MESSAGE_H
#define GPUDUMPFS_WORKER_MESSAGE_H

#include "base/blob.h"
#include "base/cancel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

enum {
    MESSAGE_VERSION = 1, /* of all that follows; both ends must be equal */
    MESSAGE_HEADER = 24,
};
#define MESSAGE_MAGIC UINT32_C(0x57445047) /* "GPDW" */

/*
 * Kinds of messages: those below MESSAGE_BACKENDS are common; each backend has 16 of the others
 * for itself, which its format declares (worker.md 2 lists the ranges).
 */
enum message_kind {
    MESSAGE_HELLO = 1,
    MESSAGE_TRANSLATE, /* worker/shader_translation.h */
    MESSAGE_BACKENDS = 16,
    MESSAGE_KINDS = 64
};

struct message_header {
    uint16_t kind;   /* a reply repeats the request's */
    uint32_t serial; /* a reply repeats the request's */
    int32_t status;  /* of a reply: 0 or a negative errno, then the payload is its reason */
    uint64_t size;   /* of the payload */
};

/* A piece of a payload; the pieces are sent one behind the other. */
struct message_part {
    const void *data;
    size_t size;
};

void message_write_header(const struct message_header *header, uint8_t bytes[MESSAGE_HEADER]);

/* 0, or -EPROTO: not a header of ours, or one of another version. */
int message_read_header(const uint8_t bytes[MESSAGE_HEADER], struct message_header *out);

/* Reads one field after the other; what is beyond the end reads as 0 and sets `bad`. */
struct message_reader {
    const uint8_t *next;
    size_t left;
    bool bad;
};

void message_reader_init(struct message_reader *reader, const void *bytes, size_t size);
uint32_t message_read_u32(struct message_reader *reader);
uint64_t message_read_u64(struct message_reader *reader);
/* A run of `size` bytes, within the message; NULL and `bad` when it has not so many. */
const uint8_t *message_read_bytes(struct message_reader *reader, uint64_t size);
/* The same as a blob, the caller's. 0, -EPROTO when it has not so many, or -ENOMEM. */
int message_read_blob(struct message_reader *reader, uint64_t size, struct blob **out);
/* Whether all was read, and nothing beyond it. */
bool message_read_all(const struct message_reader *reader);

/*
 * How many bytes from the first on are printable ASCII, tabs and line feeds: texts of the worker
 * go to files as they are, and what terminals act upon must not be in them.
 */
size_t message_plain_bytes(const uint8_t *bytes, size_t size);

/* Grows as it is written; a failed allocation sets `bad`, and what follows is dropped. */
struct message_writer {
    uint8_t *bytes;
    size_t size, room;
    bool bad;
};

void message_write_u32(struct message_writer *writer, uint32_t value);
void message_write_u64(struct message_writer *writer, uint64_t value);
void message_write_bytes(struct message_writer *writer, const void *bytes, size_t size);
/* Puts a number in the place of one written at `offset`. */
void message_patch_u32(struct message_writer *writer, size_t offset, uint32_t value);
void message_writer_free(struct message_writer *writer);

/* How long to wait. */
struct message_wait {
    int64_t deadline; /* of clock_ms(); INT64_MAX: none */
    const struct cancel *cancel;
    bool limited;      /* the wait also ends when this clock … */
    clockid_t clock;   /* … (a process' processor time) … */
    int64_t clock_end; /* … has come to so many milliseconds */
    /*
     * The deadline is for a process that has the processors to itself: one that gets less of them,
     * but some, has more time, until the clock has come to so many milliseconds.
     */
    int64_t clock_due;
};

/* Both: 0, -EINTR, -ETIMEDOUT, -ETIME (the other clock), or -EPIPE when the other end is gone, and
 * errors of sockets. */

/*
 * *sent: bytes that went out, also of a failure. -EINTR comes before the first byte, or where the
 * other end does not take the rest in a second.
 */
int message_send(int fd, const struct message_header *header, const struct message_part *parts,
                 size_t count, const struct message_wait *wait, uint64_t *sent);

/*
 * The next message. *received: bytes of it that came, also of a failure: behind some of them the
 * socket is of no more use. -EINTR comes before the first byte, or where the rest does not come in
 * a second. Also -EPROTO for what is no message or has more than `max` bytes of payload, and
 * -ENOMEM. The caller owns *payload.
 */
int message_receive(int fd, uint64_t max, const struct message_wait *wait,
                    struct message_header *header, struct blob **payload, uint64_t *received);

#endif
