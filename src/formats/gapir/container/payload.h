/* SPDX-License-Identifier: MIT */
/*
 * payload.bin, one protobuf message without magic or length (gapir.md 2.2). The walk over it checks
 * the bounds of every field. Constants and opcodes remain slices of the mapped file; protobuf-c
 * unpacks ResourceInfo messages. From a damaged payload everything before the damage is read, and
 * the available part of the field that the end of the file cuts off. Any thread.
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
    uint64_t offset;     /* of the field's tag */
    uint64_t value;      /* of a varint or a fixed-size number */
    uint64_t data, size; /* wire type 2: offset of the bytes, and how many are present */
    /* wire type 2: how many bytes the message announces; more than `size` if it is truncated */
    uint64_t claimed;
};

enum gapir_walk {
    GAPIR_WALK_FIELD,
    GAPIR_WALK_END,
    /* for a truncated bytes field, `field` describes the part that is present */
    GAPIR_WALK_TRUNCATED,
    GAPIR_WALK_VARINT, /* a varint of more than ten bytes */
    GAPIR_WALK_WIRE,   /* an unknown wire type, or field number 0 */
};

/* Reads the field at *offset and advances *offset past it. */
enum gapir_walk gapir_payload_walk(const uint8_t *data, uint64_t size, uint64_t *offset,
                                   struct gapir_field *field);

struct gapir_slice {
    const uint8_t *data; /* NULL when size is 0 */
    uint64_t size;
    uint64_t offset; /* in payload.bin */
};

/* A ResourceInfo. RESOURCE refers to it by its index in the list. */
struct gapir_resource_info {
    struct gapir_slice id; /* opaque bytes, usually a SHA-1 in hexadecimal */
    uint32_t size;
};

enum { GAPIR_RESOURCES_MAX = 1 << 20 };

struct gapir_payload {
    uint32_t stack_size;    /* slots */
    uint32_t volatile_size; /* bytes */
    struct gapir_slice constants;
    struct gapir_slice opcodes; /* complete words only */
    uint32_t trailing_bytes;    /* bytes after the last complete word */
    struct gapir_resource_info *resources;
    uint32_t resource_count;
    bool damaged; /* the message is not well-formed protobuf */
};

/*
 * Reads a payload. `data` must outlive *out. Defects are reported to `problems`, which may be NULL.
 * Returns 0, -ENOMEM or -EINTR. Call gapir_payload_clear() on *out even if this fails.
 */
int gapir_payload_read(const uint8_t *data, uint64_t size, struct problems *problems,
                       const struct cancel *cancel, struct gapir_payload *out);
void gapir_payload_clear(struct gapir_payload *payload);

/*
 * Returns whether bytes can be a payload: a well-formed message of the five known fields only, with
 * an opcodes field of complete words that begins with instructions. Returns false for an empty
 * file, although it is a legal payload.
 */
bool gapir_payload_probe(const uint8_t *data, uint64_t size);

/*
 * Returns whether bytes can be a payload that is cut off within a bytes field: at least two known
 * fields precede it, in ascending order.
 */
bool gapir_payload_probe_part(const uint8_t *data, uint64_t size);

/* Returns whether the first byte can begin a payload. Returns true if there are no bytes. */
bool gapir_payload_begins(const uint8_t *data, uint64_t size);

#endif
