/* SPDX-License-Identifier: MIT */
/*
 * The messages between daemon and worker (worker.md 2): a header of MESSAGE_HEADER bytes, then the
 * payload, all little-endian. Readers and writers are pure functions; readers never go beyond the
 * bytes they were given. Complete messages go over a socket. Each end is used by one thread at a
 * time. The daemon waits with a time limit and a cancel flag, the worker without either.
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
    MESSAGE_VERSION = 1, /* of this whole protocol; both ends must have the same */
    MESSAGE_HEADER = 24,
};
#define MESSAGE_MAGIC UINT32_C(0x57445047) /* "GPDW" */

/*
 * Kinds of messages. Those below MESSAGE_BACKENDS are common to all backends. Each backend has a
 * range of 16 of the others, which its format declares (worker.md 2 lists the ranges).
 */
enum message_kind {
    MESSAGE_HELLO = 1,
    MESSAGE_TRANSLATE, /* worker/shader_translation.h */
    MESSAGE_BACKENDS = 16,
    MESSAGE_KINDS = 64
};

struct message_header {
    uint16_t kind;   /* the same in a request and its reply */
    uint32_t serial; /* the same in a request and its reply */
    int32_t status;  /* of a reply: 0, or a negative errno with the reason as payload */
    uint64_t size;   /* bytes of payload */
};

/* A part of a payload; the parts are sent one after the other. */
struct message_part {
    const void *data;
    size_t size;
};

/* Writes a header as MESSAGE_HEADER bytes. */
void message_write_header(const struct message_header *header, uint8_t bytes[MESSAGE_HEADER]);

/* Reads a header. Returns 0, or -EPROTO for another magic number or another version. */
int message_read_header(const uint8_t bytes[MESSAGE_HEADER], struct message_header *out);

/*
 * A reader of the fields of a message, one after the other. Fields beyond the end read as 0 and set
 * `bad`.
 */
struct message_reader {
    const uint8_t *next;
    size_t left;
    bool bad;
};

/* Begins to read `size` bytes, which are borrowed. */
void message_reader_init(struct message_reader *reader, const void *bytes, size_t size);
uint32_t message_read_u32(struct message_reader *reader);
uint64_t message_read_u64(struct message_reader *reader);
/* Returns `size` bytes within the message; NULL, setting `bad`, if fewer are left. */
const uint8_t *message_read_bytes(struct message_reader *reader, uint64_t size);
/*
 * Copies `size` bytes to a blob that the caller owns. Returns 0, -EPROTO if fewer bytes are left,
 * or -ENOMEM.
 */
int message_read_blob(struct message_reader *reader, uint64_t size, struct blob **out);
/* Returns whether all bytes were read, and no read went beyond the end. */
bool message_read_all(const struct message_reader *reader);

/*
 * Returns how many leading bytes are printable ASCII, tabs or line feeds. Texts of the worker are
 * shown in files as they are, and must not have bytes that terminals act upon.
 */
size_t message_plain_bytes(const uint8_t *bytes, size_t size);

/*
 * A writer of a message, zeroed at first. It grows as needed. A failed allocation sets `bad`, and
 * all further fields are dropped.
 */
struct message_writer {
    uint8_t *bytes;
    size_t size, room;
    bool bad;
};

void message_write_u32(struct message_writer *writer, uint32_t value);
void message_write_u64(struct message_writer *writer, uint64_t value);
void message_write_bytes(struct message_writer *writer, const void *bytes, size_t size);
/* Overwrites the u32 at `offset`. */
void message_patch_u32(struct message_writer *writer, size_t offset, uint32_t value);
void message_writer_free(struct message_writer *writer);

/* How long to wait, and for what. */
struct message_wait {
    int64_t deadline; /* in milliseconds of clock_ms(); INT64_MAX: none */
    const struct cancel *cancel;
    /*
     * The wait also ends, with -ETIME, when `clock` reaches `clock_end`. The following fields are
     * used only then.
     */
    bool limited;
    clockid_t clock;   /* processor time of the process at the other end */
    int64_t clock_end; /* limit of that processor time, in milliseconds */
    /*
     * Extends the deadline, which assumes a process that has the processors to itself. A process
     * that gets a smaller, but notable, share of them has more time, until its processor time
     * reaches this number of milliseconds.
     */
    int64_t clock_due;
};

/*
 * message_send() and message_receive() return 0, -EINTR (cancelled), -ETIMEDOUT, -ETIME
 * (`clock_end` was reached), -EPIPE if the other end is gone, or another errno of the socket,
 * negated.
 */

/*
 * Sends a message. *sent is the number of bytes sent, even if this fails. Returns -EINTR only
 * before the first byte, or if the other end does not take the rest within a second.
 */
int message_send(int fd, const struct message_header *header, const struct message_part *parts,
                 size_t count, const struct message_wait *wait, uint64_t *sent);

/*
 * Receives the next message. *received is the number of bytes received, even if this fails; if a
 * failure comes after some of them, the socket is of no more use. Returns -EINTR only before the
 * first byte, or if the rest does not come within a second. Also returns -EPROTO for bytes that are
 * no message or announce more than `max` bytes of payload, and -ENOMEM. The caller owns *payload,
 * which is NULL on failure.
 */
int message_receive(int fd, uint64_t max, const struct message_wait *wait,
                    struct message_header *header, struct blob **payload, uint64_t *received);

#endif
