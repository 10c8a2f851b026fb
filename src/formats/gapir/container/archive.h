/* SPDX-License-Identifier: MIT */
/*
 * resources.index and resources.data: the blobs that RESOURCE loads, found by
 * id (gapir.md 2.3). The same pair of files is gapir's on-disk cache, so records
 * that nothing uses are no defect. Immutable after gapir_archive_open().
 */
#ifndef GPUDUMPFS_GAPIR_CONTAINER_ARCHIVE_H
#define GPUDUMPFS_GAPIR_CONTAINER_ARCHIVE_H

#include "base/problems.h"
#include "formats/gapir/container/payload.h"

#include <stdint.h>

enum {
    GAPIR_RECORDS_MAX = 1 << 21, /* that are read */
    GAPIR_ID_MAX = 4096,         /* bytes of an id: a hole makes longer ones for nothing */
};

struct gapir_record {
    uint64_t id; /* where its bytes begin in the index … */
    uint32_t id_size;
    uint32_t size;   /* of the resource */
    uint64_t offset; /* in resources.data */
};

struct gapir_archive {
    const uint8_t *index;         /* borrowed */
    struct gapir_record *records; /* sorted by id, each id once */
    uint64_t count;
    const uint8_t *data; /* borrowed; data_size bytes of resources.data */
    uint64_t data_size;
};

/*
 * Reads an index; both files may be empty, and outlive the archive. Bytes behind
 * the last whole record, what follows a longer id, and records beyond the cap, are reported
 * at their offset.
 * 0 or -ENOMEM.
 */
int gapir_archive_open(const uint8_t *index, uint64_t index_size, const uint8_t *data,
                       uint64_t data_size, struct problems *problems, struct gapir_archive *out);
void gapir_archive_clear(struct gapir_archive *archive);

/* NULL when there is no record of this id. */
const struct gapir_record *gapir_archive_find(const struct gapir_archive *archive,
                                              const uint8_t *id, uint64_t size);

enum gapir_resource_status {
    GAPIR_RESOURCE_OK,
    GAPIR_RESOURCE_MISSING,
    GAPIR_RESOURCE_SIZE_MISMATCH, /* the record's size is not the payload's */
    GAPIR_RESOURCE_OUT_OF_RANGE,  /* beyond the end of resources.data */
};

const char *gapir_resource_status_name(enum gapir_resource_status status);

/* A resource of the payload's list, as RESOURCE finds it. */
struct gapir_resource {
    struct gapir_slice id;
    uint32_t size;       /* as the payload has it */
    const uint8_t *data; /* size bytes; NULL unless the status is OK */
    uint64_t offset;     /* in resources.data, unless MISSING */
    enum gapir_resource_status status;
};

/* Looks up every resource of a payload: resource_count entries, to be freed. 0 or -ENOMEM. */
int gapir_archive_resolve(const struct gapir_archive *archive, const struct gapir_payload *payload,
                          struct gapir_resource **out);

#endif
