/* SPDX-License-Identifier: MIT */
/*
 * The container of AeroGPU traces (aerogpu.md 2): header, records, submissions, table of contents
 * and footer, and the verdict of the reference reader on them. Reads bytes in memory and trusts no
 * number in them. Pure functions; any thread may call them.
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

/* Returns whether a file begins as a trace does. */
bool aerogpu_magic_is(const uint8_t *data, uint64_t size);

/* Reads the fields of the header. Returns false if the file is shorter, or is not a trace. */
bool aerogpu_header_read(const uint8_t *data, uint64_t size, struct aerogpu_header *out);

/* Returns whether records can be found: the header has 32 bytes and is of version 1 or 2. */
bool aerogpu_header_known(const struct aerogpu_header *header);

/* The reasons for which the reference reader refuses a trace, in its order of checks. */
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
    uint64_t offset; /* offset of what is refused */
    uint32_t value;  /* the number that is written after the verdict's name */
};

/* Appends "ok", or for example "UnsupportedTocVersion(9) at 0x000002DC". */
void aerogpu_verdict_write(const struct aerogpu_verdict *verdict, struct text *text);

/* The table of contents as far as it can be found. */
struct aerogpu_toc {
    uint64_t offset;  /* of the table's header; 0: not found */
    uint64_t length;  /* as given by the footer */
    uint32_t count;   /* entries that are within the file */
    uint64_t claimed; /* offset of the table as given by the footer, whatever is there */
    bool usable;      /* the reference reader would accept the table */
    bool footer;      /* the file has a footer */
};

struct aerogpu_toc_entry {
    uint32_t frame_index, flags;
    uint64_t start, present, end; /* absolute offsets; present is 0 if there is none */
};

/*
 * Checks header, meta JSON, footer and table of contents in the order of the reference reader.
 * Fills `toc` with what can be read of the table, whatever the verdict.
 */
void aerogpu_trace_check(const uint8_t *data, uint64_t size, struct aerogpu_toc *toc,
                         struct aerogpu_verdict *verdict);

/*
 * Returns the offset at which records end at the latest. This is where the footer places the table
 * of contents, even if there is no table; but the footer's own offset if that place is impossible
 * or a table follows it, and the end of the file if there is no footer.
 */
uint64_t aerogpu_records_end(const uint8_t *data, uint64_t size, const struct aerogpu_toc *toc);

/* Reads entry `index`, which must be less than toc->count. */
void aerogpu_toc_entry(const uint8_t *data, const struct aerogpu_toc *toc, uint32_t index,
                       struct aerogpu_toc_entry *out);

/* Returns "ok", or the reference reader's name of the entry's defect. */
const char *aerogpu_toc_entry_verdict(const uint8_t *data, const struct aerogpu_toc *toc,
                                      const struct aerogpu_toc_entry *entry);

struct aerogpu_record {
    uint64_t offset; /* of the record's header */
    uint8_t type, flags;
    uint16_t reserved;
    uint32_t length;        /* of the payload, as far as it is present */
    uint32_t claimed;       /* length of the payload as given by the header */
    const uint8_t *payload; /* NULL if the payload is empty */
};

/*
 * Reads the record at `offset`. A payload that extends beyond `end` is cut there. Returns false if
 * there is not even a complete header.
 */
bool aerogpu_record_read(const uint8_t *data, uint64_t offset, uint64_t end,
                         struct aerogpu_record *out);

/* Returns "beginframe", "present", "packet", "blob", "submission" or "unknown". */
const char *aerogpu_record_name(uint8_t type);

struct aerogpu_blob {
    uint64_t id;
    uint32_t kind, reserved;
    const uint8_t *data; /* `size` bytes */
    uint32_t size;
};

/* Returns false if the payload is shorter than the header of 16 bytes. */
bool aerogpu_blob_read(const struct aerogpu_record *record, struct aerogpu_blob *out);

struct aerogpu_submission {
    uint32_t record_version, header_size, flags, context, engine, reserved;
    uint64_t fence, stream_blob, allocs_blob;
    uint32_t range_count, reserved2;
    uint32_t ranges; /* number of ranges that the payload holds */
    const uint8_t *range_bytes;
    bool complete; /* the reference reader would accept the submission */
};

/* Returns false if the payload has less than 56 bytes. */
bool aerogpu_submission_read(const struct aerogpu_record *record, struct aerogpu_submission *out);

struct aerogpu_range {
    uint32_t alloc_id, flags;
    uint64_t gpa, size, blob;
};

/* Reads range `index`, which must be less than submission->ranges. */
void aerogpu_range_read(const struct aerogpu_submission *submission, uint32_t index,
                        struct aerogpu_range *out);

/* Determines the verdict of the reference reader on one record when it decodes the payload. */
void aerogpu_record_check(const struct aerogpu_record *record, uint32_t container_version,
                          struct aerogpu_verdict *verdict);

/* An allocation table (aerogpu.md 3.5). */
struct aerogpu_allocs {
    const uint8_t *bytes;
    uint32_t magic, abi_version, size, count, stride, reserved;
    uint32_t entries;   /* number of entries that can be read */
    const char *defect; /* the reference reader's name of the defect; NULL if there is none */
};

struct aerogpu_alloc {
    uint32_t id, flags;
    uint64_t gpa, size, reserved;
};

/* Opens a table, which borrows `bytes`. out->defect says what is wrong with it, or is NULL. */
void aerogpu_allocs_open(const uint8_t *bytes, uint64_t size, struct aerogpu_allocs *out);

/* Reads entry `index`, which must be less than allocs->entries. */
void aerogpu_allocs_entry(const struct aerogpu_allocs *allocs, uint32_t index,
                          struct aerogpu_alloc *out);

enum { AEROGPU_META_MAX = 1 << 20 }; /* maximum size in bytes of a meta JSON that is read */

/*
 * Parses the meta JSON, `length` bytes after the header of `data`. The caller passes *out to
 * json_decref(). Returns 0, -EINVAL with `error` set, or -ENOMEM.
 */
int aerogpu_meta_parse(const uint8_t *data, uint64_t length, struct json_t **out,
                       struct json_error_t *error);

#endif
