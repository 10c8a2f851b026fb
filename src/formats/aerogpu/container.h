/* SPDX-License-Identifier: MIT */
/*
 * The container of AeroGPU traces (aerogpu.md 2): header, records, submissions,
 * table of contents, footer, and what the reference reader would say of them. All
 * of it over bytes in memory, with no number trusted. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_CONTAINER_H
#define GPUDUMPFS_AEROGPU_CONTAINER_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;
struct json_error_t;

enum {
    AEROGPU_HEADER = 32,
    AEROGPU_FOOTER = 32,
    AEROGPU_RECORD_HEADER = 8,
    AEROGPU_BLOB_HEADER = 16,
    AEROGPU_TOC_HEADER = 16,
    AEROGPU_TOC_ENTRY = 32,
    AEROGPU_SUBMISSION_HEADER = 56,
    AEROGPU_RANGE = 32,
};

enum aerogpu_record_type {
    AEROGPU_RECORD_BEGIN = 1,
    AEROGPU_RECORD_PRESENT = 2,
    AEROGPU_RECORD_PACKET = 3,
    AEROGPU_RECORD_BLOB = 4,
    AEROGPU_RECORD_SUBMISSION = 5,
};

enum aerogpu_blob_kind {
    AEROGPU_BLOB_BUFFER = 1,
    AEROGPU_BLOB_TEXTURE = 2,
    AEROGPU_BLOB_DXBC = 3,
    AEROGPU_BLOB_WGSL = 4,
    AEROGPU_BLOB_GLSL = 5,
    AEROGPU_BLOB_STREAM = 0x100,
    AEROGPU_BLOB_ALLOCS = 0x101,
    AEROGPU_BLOB_MEMORY = 0x102,
};

struct aerogpu_header {
    uint32_t header_size, version, abi_version, flags, meta_length, reserved;
};

/* Whether a file begins as a trace does. */
bool aerogpu_magic_is(const uint8_t *data, uint64_t size);

/* The header's fields; false: the file is shorter, or no trace. */
bool aerogpu_header_read(const uint8_t *data, uint64_t size, struct aerogpu_header *out);

/* Whether records can be found: a header of 32 bytes, of version 1 or 2. */
bool aerogpu_header_known(const struct aerogpu_header *header);

/* What the reference reader would refuse a trace for, in its order of checks. */
enum aerogpu_verdict_kind {
    AEROGPU_VERDICT_OK,
    AEROGPU_VERDICT_INVALID_MAGIC,
    AEROGPU_VERDICT_HEADER_SIZE,
    AEROGPU_VERDICT_FOOTER_SIZE,
    AEROGPU_VERDICT_VERSION,
    AEROGPU_VERDICT_TOC_VERSION,
    AEROGPU_VERDICT_RECORD_OUT_OF_BOUNDS,
    AEROGPU_VERDICT_TOC_OUT_OF_BOUNDS,
    AEROGPU_VERDICT_UNEXPECTED_EOF,
    AEROGPU_VERDICT_UNKNOWN_RECORD,
    AEROGPU_VERDICT_UNKNOWN_BLOB,
    AEROGPU_VERDICT_MALFORMED_BLOB,
};

struct aerogpu_verdict {
    enum aerogpu_verdict_kind kind;
    uint64_t offset; /* of what is refused */
    uint32_t value;  /* the number that its name is followed by */
};

/* "ok", or "UnsupportedTocVersion(9) at 0x000002DC". */
void aerogpu_verdict_write(const struct aerogpu_verdict *verdict, struct text *text);

/* The table of contents, where it is to be found. */
struct aerogpu_toc {
    uint64_t offset;  /* of its header; 0: not found */
    uint64_t length;  /* as the footer says */
    uint32_t count;   /* of entries that lie in the file */
    uint64_t claimed; /* where the footer says that it is, whatever stands there */
    bool usable;      /* the reference reader would take it */
    bool footer;      /* a footer is there */
};

struct aerogpu_toc_entry {
    uint32_t frame_index, flags;
    uint64_t start, present, end; /* absolute; present 0: none */
};

/*
 * Checks header, meta, footer and table in the reference's order. `toc` is what can
 * be read of the table, whatever the verdict.
 */
void aerogpu_trace_check(const uint8_t *data, uint64_t size, struct aerogpu_toc *toc,
                         struct aerogpu_verdict *verdict);

/*
 * Where records end at the latest: where the footer says that the table is, even if no table
 * stands there, unless that is impossible or a table stands further on. Then at the footer,
 * and without one at the file's end.
 */
uint64_t aerogpu_records_end(const uint8_t *data, uint64_t size, const struct aerogpu_toc *toc);

/* Entry `index` < count. */
void aerogpu_toc_entry(const uint8_t *data, const struct aerogpu_toc *toc, uint32_t index,
                       struct aerogpu_toc_entry *out);

/* "ok", or the reference's name of what is wrong with that entry. */
const char *aerogpu_toc_entry_verdict(const uint8_t *data, const struct aerogpu_toc *toc,
                                      const struct aerogpu_toc_entry *entry);

struct aerogpu_record {
    uint64_t offset; /* of its header */
    uint8_t type, flags;
    uint16_t reserved;
    uint32_t length;        /* of the payload, as far as there is one */
    uint32_t claimed;       /* as the header says */
    const uint8_t *payload; /* NULL: empty */
};

/*
 * The record at `offset`, which ends at `end` at the latest. False: not even a
 * header; a payload that goes on beyond the end is cut there.
 */
bool aerogpu_record_read(const uint8_t *data, uint64_t offset, uint64_t end,
                         struct aerogpu_record *out);

/* "beginframe", "present", "packet", "blob", "submission", "unknown". */
const char *aerogpu_record_name(uint8_t type);

struct aerogpu_blob {
    uint64_t id;
    uint32_t kind, reserved;
    const uint8_t *data; /* size bytes */
    uint32_t size;
};

/* False: a payload without the header of 16 bytes. */
bool aerogpu_blob_read(const struct aerogpu_record *record, struct aerogpu_blob *out);

struct aerogpu_submission {
    uint32_t record_version, header_size, flags, context, engine, reserved;
    uint64_t fence, stream_blob, allocs_blob;
    uint32_t range_count, reserved2;
    uint32_t ranges; /* those that the payload holds */
    const uint8_t *range_bytes;
    bool complete; /* the reference would take it */
};

/* False: less than 56 bytes. */
bool aerogpu_submission_read(const struct aerogpu_record *record, struct aerogpu_submission *out);

struct aerogpu_range {
    uint32_t alloc_id, flags;
    uint64_t gpa, size, blob;
};

/* Range `index` < ranges. */
void aerogpu_range_read(const struct aerogpu_submission *submission, uint32_t index,
                        struct aerogpu_range *out);

/* The reference's verdict of one record, as its payload is decoded. */
void aerogpu_record_check(const struct aerogpu_record *record, uint32_t container_version,
                          struct aerogpu_verdict *verdict);

/* An allocation table: aerogpu.md 3.5. */
struct aerogpu_allocs {
    const uint8_t *bytes;
    uint32_t magic, abi_version, size, count, stride, reserved;
    uint32_t entries;   /* those that can be read */
    const char *defect; /* the reference's name of what is wrong; NULL: nothing */
};

struct aerogpu_alloc {
    uint32_t id, flags;
    uint64_t gpa, size, reserved;
};

void aerogpu_allocs_open(const uint8_t *bytes, uint64_t size, struct aerogpu_allocs *out);
void aerogpu_allocs_entry(const struct aerogpu_allocs *allocs, uint32_t index,
                          struct aerogpu_alloc *out);

enum { AEROGPU_META_MAX = 1 << 20 }; /* bytes of a meta JSON that is read */

/*
 * The meta JSON, `length` bytes behind the header of `data`: a value for json_decref().
 * 0, -EINVAL with `error`, or -ENOMEM.
 */
int aerogpu_meta_parse(const uint8_t *data, uint64_t length, struct json_t **out,
                       struct json_error_t *error);

#endif
