/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "formats/gapir/container/archive.h"

#include "base/bytes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_HEAD = 4, RECORD_TAIL = 12, RECORD_MIN = RECORD_HEAD + RECORD_TAIL };

/* Orders ids by length first: any total order will do. */
static int compare_ids(const uint8_t *a, uint64_t a_size, const uint8_t *b, uint64_t b_size)
{
    if (a_size != b_size)
        return a_size < b_size ? -1 : 1;
    return a_size != 0 ? memcmp(a, b, a_size) : 0;
}

static int compare_records(const void *left, const void *right, void *index)
{
    const struct gapir_record *a = left, *b = right;
    const uint8_t *bytes = index;
    int order = compare_ids(bytes + a->id, a->id_size, bytes + b->id, b->id_size);

    return order != 0 ? order : a->id < b->id ? -1 : 1; /* the first record of an id comes first */
}

/*
 * Reads the record at *offset and advances *offset past it. Returns false if the rest is too short
 * for a record, or the id is too long.
 */
static bool read_record(const uint8_t *index, uint64_t size, uint64_t *offset,
                        struct gapir_record *out)
{
    uint64_t left = size - *offset;

    if (left < RECORD_MIN)
        return false;
    uint32_t id_size = bytes_le32(index + *offset);
    if (id_size > left - RECORD_MIN || id_size > GAPIR_ID_MAX)
        return false;
    out->id = *offset + RECORD_HEAD;
    out->id_size = id_size;
    const uint8_t *tail = index + out->id + id_size;
    out->offset = bytes_le64(tail);
    out->size = bytes_le32(tail + 8);
    *offset += RECORD_MIN + (uint64_t)id_size;
    return true;
}

/* Returns why no record was read at an offset before the end. */
static const char *why_ended(const uint8_t *index, uint64_t size, uint64_t offset, uint64_t count)
{
    if (count == GAPIR_RECORDS_MAX)
        return "too many records";
    if (size - offset >= RECORD_MIN && bytes_le32(index + offset) <= size - offset - RECORD_MIN)
        return "an id is too long";
    return "an incomplete record";
}

static void drop_repeats(struct gapir_archive *archive)
{
    uint64_t kept = 0;

    for (uint64_t n = 0; n < archive->count; n++) {
        const struct gapir_record *record = &archive->records[n];
        const struct gapir_record *last = kept != 0 ? &archive->records[kept - 1] : NULL;
        if (last == NULL || compare_ids(archive->index + last->id, last->id_size,
                                        archive->index + record->id, record->id_size) != 0)
            archive->records[kept++] = *record;
    }
    archive->count = kept;
}

int gapir_archive_open(const uint8_t *index, uint64_t index_size, const uint8_t *data,
                       uint64_t data_size, struct problems *problems, struct gapir_archive *out)
{
    struct gapir_record record;
    uint64_t offset = 0, count = 0;

    *out = (struct gapir_archive){.index = index, .data = data, .data_size = data_size};
    while (count < GAPIR_RECORDS_MAX && read_record(index, index_size, &offset, &record))
        count++;
    if (offset != index_size && problems != NULL)
        problems_add(problems, PROBLEM_WARNING, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "resources.index: %s at offset %llu, the rest is ignored",
                     why_ended(index, index_size, offset, count), (unsigned long long)offset);
    if (count == 0)
        return 0;
    out->records = malloc(count * sizeof(*out->records));
    if (out->records == NULL)
        return -ENOMEM;
    for (offset = 0; out->count < count; out->count++)
        read_record(index, index_size, &offset, &out->records[out->count]);
    qsort_r(out->records, count, sizeof(*out->records), compare_records, (void *)index);
    drop_repeats(out);
    return 0;
}

void gapir_archive_clear(struct gapir_archive *archive)
{
    free(archive->records);
    *archive = (struct gapir_archive){0};
}

const struct gapir_record *gapir_archive_find(const struct gapir_archive *archive,
                                              const uint8_t *id, uint64_t size)
{
    uint64_t low = 0, high = archive->count;

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        const struct gapir_record *record = &archive->records[middle];
        int order = compare_ids(id, size, archive->index + record->id, record->id_size);
        if (order == 0)
            return record;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

const char *gapir_resource_status_name(enum gapir_resource_status status)
{
    static const char *const names[] = {"ok", "missing", "size-mismatch", "out-of-range"};

    return names[status];
}

static void resolve(const struct gapir_archive *archive, const struct gapir_resource_info *info,
                    struct gapir_resource *out)
{
    const struct gapir_record *record = gapir_archive_find(archive, info->id.data, info->id.size);

    *out = (struct gapir_resource){.id = info->id, .size = info->size};
    if (record == NULL) {
        out->status = GAPIR_RESOURCE_MISSING;
        return;
    }
    out->offset = record->offset;
    if (record->size != info->size)
        out->status = GAPIR_RESOURCE_SIZE_MISMATCH;
    else if (!bytes_inside(record->offset, record->size, archive->data_size))
        out->status = GAPIR_RESOURCE_OUT_OF_RANGE;
    else
        out->data = record->size != 0 ? archive->data + record->offset : (const uint8_t *)"";
}

int gapir_archive_resolve(const struct gapir_archive *archive, const struct gapir_payload *payload,
                          struct gapir_resource **out)
{
    *out = calloc(payload->resource_count != 0 ? payload->resource_count : 1, sizeof(**out));
    if (*out == NULL)
        return -ENOMEM;
    for (uint32_t n = 0; n < payload->resource_count; n++)
        resolve(archive, &payload->resources[n], &(*out)[n]);
    return 0;
}
