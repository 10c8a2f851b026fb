/* SPDX-License-Identifier: MIT */
/*
 * payload.bin, one protobuf message without magic or length (gapir.md 2.2). It
 * is walked with a bounds check for every field; constants and opcodes stay
 * slices of the mapped file, ResourceInfo messages are unpacked by protobuf-c.
 * A damaged payload gives what stands before the damage, and part of the field
 * that the end of the file cuts off. Any thread.
 */
#ifndef GPUDUMPFS_GAPIR_CONTAINER_PAYLOAD_H
#define GPUDUMPFS_GAPIR_CONTAINER_PAYLOAD_H

#include "base/cancel.h"
#include "base/problems.h"

#include <stdbool.h>
#include <stdint.h>

/* One field of a protobuf message. */
struct gapir_field {
    uint32_t number;
    uint8_t wire;        /* 0 varint, 1 fixed64, 2 bytes, 5 fixed32 */
    uint64_t offset;     /* of its tag */
    uint64_t value;      /* of a varint or a fixed number */
    uint64_t data, size; /* wire 2: where its bytes begin, and how many there are … */
    uint64_t claimed;    /* … and should be: more when the message ends too early */
};

enum gapir_walk {
    GAPIR_WALK_FIELD,
    GAPIR_WALK_END,
    GAPIR_WALK_TRUNCATED, /* of a bytes field that is cut off, `field` tells the rest */
    GAPIR_WALK_VARINT,    /* more than ten bytes long */
    GAPIR_WALK_WIRE,      /* a wire type that there is not, or field number 0 */
};

/* Reads the field at *offset and moves on behind it. */
enum gapir_walk gapir_payload_walk(const uint8_t *data, uint64_t size, uint64_t *offset,
                                   struct gapir_field *field);

struct gapir_slice {
    const uint8_t *data; /* NULL when size is 0 */
    uint64_t size;
    uint64_t offset; /* in payload.bin */
};

/* A ResourceInfo. Its index in the list is the operand of RESOURCE. */
struct gapir_resource_info {
    struct gapir_slice id; /* opaque bytes, mostly a SHA-1 in hexadecimal */
    uint32_t size;
};

enum { GAPIR_RESOURCES_MAX = 1 << 20 };

struct gapir_payload {
    uint32_t stack_size;    /* slots */
    uint32_t volatile_size; /* bytes */
    struct gapir_slice constants;
    struct gapir_slice opcodes; /* whole words */
    uint32_t trailing_bytes;    /* behind the last whole word */
    struct gapir_resource_info *resources;
    uint32_t resource_count;
    bool damaged; /* the message is no well-formed protobuf */
};

/*
 * Reads a payload from bytes that outlive it; defects go to `problems` (may be
 * NULL). 0, -ENOMEM, -EINTR. *out is to be cleared in any case.
 */
int gapir_payload_read(const uint8_t *data, uint64_t size, struct problems *problems,
                       const struct cancel *cancel, struct gapir_payload *out);
void gapir_payload_clear(struct gapir_payload *payload);

/*
 * Whether bytes can be a payload: well-formed, nothing but its five fields, whole
 * words, and instructions at the beginning. An empty file is one, and not counted.
 */
bool gapir_payload_probe(const uint8_t *data, uint64_t size);

/*
 * Whether bytes can be a payload up to the middle of a field of bytes: some known fields, in their
 * order, are before it.
 */
bool gapir_payload_probe_part(const uint8_t *data, uint64_t size);

/* Whether bytes begin as a payload does, whatever follows; no bytes at all do. */
bool gapir_payload_begins(const uint8_t *data, uint64_t size);

#endif
