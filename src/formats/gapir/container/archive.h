/* SPDX-License-Identifier: MIT */
/*
 * resources.index and resources.data: the blobs that RESOURCE loads, found by id (gapir.md 2.3).
 * gapir's on-disk cache consists of the same two files, so unused records are not a defect. An
 * archive is immutable after gapir_archive_open().
 */
#ifndef GPUDUMPFS_GAPIR_CONTAINER_ARCHIVE_H
#define GPUDUMPFS_GAPIR_CONTAINER_ARCHIVE_H

#include "base/problems.h"
#include "formats/gapir/container/payload.h"

#include <stdint.h>

enum {
    GAPIR_RECORDS_MAX = 1 << 21, /* maximum of records that are read */
    /* maximum length of an id, bytes; a hole in the file would otherwise give ids of any length */
    GAPIR_ID_MAX = 4096,
};

struct gapir_record {
    uint64_t id; /* offset of its bytes in the index */
    uint32_t id_size;
    uint32_t size;   /* of the resource, bytes */
    uint64_t offset; /* in resources.data */
};

struct gapir_archive {
    const uint8_t *index;         /* borrowed */
    struct gapir_record *records; /* sorted by id, without duplicates */
    uint64_t count;
    const uint8_t *data; /* borrowed; data_size bytes of resources.data */
    uint64_t data_size;
};

/*
 * Reads an index. `index` and `data` may be empty, and must outlive the archive. Reading stops at
 * an incomplete record, an id longer than GAPIR_ID_MAX, or after GAPIR_RECORDS_MAX records; if
 * bytes are left, a problem is reported that names the offset. Returns 0 or -ENOMEM.
 */
int gapir_archive_open(const uint8_t *index, uint64_t index_size, const uint8_t *data,
                       uint64_t data_size, struct problems *problems, struct gapir_archive *out);
void gapir_archive_clear(struct gapir_archive *archive);

/* Returns the record of an id, or NULL if there is none. */
const struct gapir_record *gapir_archive_find(const struct gapir_archive *archive,
                                              const uint8_t *id, uint64_t size);

enum gapir_resource_status {
    GAPIR_RESOURCE_OK,
    GAPIR_RESOURCE_MISSING,
    GAPIR_RESOURCE_SIZE_MISMATCH, /* the record and the payload disagree about the size */
    GAPIR_RESOURCE_OUT_OF_RANGE,  /* not within resources.data */
};

const char *gapir_resource_status_name(enum gapir_resource_status status);

/* An entry of the payload's list of resources, as RESOURCE finds it. */
struct gapir_resource {
    struct gapir_slice id;
    uint32_t size;       /* bytes, according to the payload */
    const uint8_t *data; /* `size` bytes, borrowed; NULL unless the status is OK */
    uint64_t offset;     /* in resources.data; not set if MISSING */
    enum gapir_resource_status status;
};

/*
 * Looks up every resource of a payload. Allocates an array of payload->resource_count entries in
 * *out, which the caller frees. Returns 0 or -ENOMEM.
 */
int gapir_archive_resolve(const struct gapir_archive *archive, const struct gapir_payload *payload,
                          struct gapir_resource **out);

#endif
