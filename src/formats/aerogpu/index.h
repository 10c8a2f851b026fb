/* SPDX-License-Identifier: MIT */
/*
 * What listing a trace needs. It is made once when the trace is opened, by going from one record's
 * header to the next: the position and frame of each record, the frames, the blobs by id, and the
 * submissions (aerogpu.md 2.6, 4.1). It is read-only afterwards; any thread may use it. The index
 * of a trace that grows (follow.c) gets longer, but its existing elements do not change.
 */
#ifndef GPUDUMPFS_AEROGPU_INDEX_H
#define GPUDUMPFS_AEROGPU_INDEX_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/aerogpu/container.h"
#include "formats/aerogpu/decode/command_stream.h"

#include <stdbool.h>
#include <stdint.h>

#define AEROGPU_NONE UINT32_MAX

struct aerogpu_place {
    uint64_t offset; /* of the record's header */
    uint32_t length; /* of the record's payload, cut where the payload must end */
    uint32_t frame;  /* AEROGPU_NONE: in no frame, so the record is not executed */
};

struct aerogpu_frame {
    struct aerogpu_toc_entry entry; /* of a rebuilt frame, what it would be */
    uint32_t first, end;            /* the frame's records, [first, end) */
    uint32_t first_submission, submissions_end;
    bool present; /* the frame has a Present record */
};

/* Blobs are ordered by id, then by execution. Of one id, those in no frame come last. */
struct aerogpu_blob_place {
    uint64_t id;
    uint32_t frame, record;
};

struct aerogpu_index {
    const uint8_t *data;
    uint64_t size;
    struct aerogpu_header header;
    struct aerogpu_toc toc;
    struct aerogpu_verdict verdict;
    uint64_t meta_length;         /* bytes of the meta JSON that the file holds */
    bool rebuilt;                 /* frames were rebuilt, not taken from the table */
    struct aerogpu_place *places; /* of the records */
    _Atomic uint32_t records;
    struct aerogpu_frame *frames;
    _Atomic uint32_t frame_count;
    struct aerogpu_blob_place *blobs;
    uint32_t blob_count;
    uint64_t last_blob_id;
    uint32_t *submissions; /* records of type 5, and Packet records with a stream */
    _Atomic uint32_t submission_count;
    uint32_t types[6]; /* number of records of each type; [0] counts unknown types */
    /*
     * Finds the blobs of a trace that grows, whose `blobs` are in the order of records. Otherwise
     * NULL.
     */
    struct aerogpu_blob_map *map;
};

/* The number of elements for which the arrays have room. */
struct aerogpu_capacity {
    size_t places, blobs, submissions;
};

enum { AEROGPU_RECORD_COST = 64 }; /* maximum size in bytes of a record's part of the index */

/* Adds a record that is in no frame. Returns 0 or -ENOMEM. */
int aerogpu_index_add(struct aerogpu_index *index, struct aerogpu_capacity *capacity,
                      const struct aerogpu_record *record);

/*
 * Returns the first word of a record's payload, which is the frame_index in marks, or 0 if there is
 * none.
 */
uint32_t aerogpu_index_word(const struct aerogpu_index *index, uint32_t record);

/*
 * Reports what the reference reader would refuse in a record. Stores this as the index's verdict if
 * it is the first defect and the record is in a frame.
 */
void aerogpu_index_check(struct aerogpu_index *index, uint32_t number, struct problems *problems);

/*
 * Makes the index of a file whose header is known. Such a file is never refused: its defects are
 * added to `problems`. Records for which the index would exceed `max_memory` bytes are left out,
 * with a problem. Returns 0, -ENOMEM or -EINTR; on failure there is nothing to close.
 */
int aerogpu_index_open(const uint8_t *data, uint64_t size, uint64_t max_memory,
                       struct problems *problems, const struct cancel *cancel,
                       struct aerogpu_index *out);
void aerogpu_index_close(struct aerogpu_index *index);

/* Reads record `number`, which must be less than `records`, as far as it is present. */
void aerogpu_index_record(const struct aerogpu_index *index, uint32_t number,
                          struct aerogpu_record *out);

/*
 * Finds the blob that `id` names for record `user` when this is executed. Returns false if there is
 * none.
 */
bool aerogpu_index_blob(const struct aerogpu_index *index, uint64_t id, uint32_t user,
                        struct aerogpu_blob *out, uint32_t *record);

/* Returns the index in `blobs` of the blob that `record` defines. */
uint32_t aerogpu_index_blob_of(const struct aerogpu_index *index, uint64_t id, uint32_t record);

/* Returns the submission that is made of this record, or else the first one after it. */
uint32_t aerogpu_index_submission(const struct aerogpu_index *index, uint32_t record);

/*
 * Returns the submission that is made of exactly this record, or AEROGPU_NONE. The answer was
 * determined when the trace was indexed: the type of the record in the file may have changed since
 * (source/source.h).
 */
uint32_t aerogpu_index_submission_at(const struct aerogpu_index *index, uint32_t record);

/* Returns whether a Packet record holds a command stream (aerogpu.md 3.3). */
bool aerogpu_packet_is_stream(const struct aerogpu_record *record);

/* Reads the packet of a Packet record without a stream, as aerogpu_packet_read(). */
bool aerogpu_index_packet(const struct aerogpu_index *index, const struct aerogpu_record *record,
                          struct aerogpu_command *command, struct aerogpu_error *error);

/*
 * Gets the command stream of submission `number`, slack included. Returns NULL, or the reference
 * reader's name of the defect ("MissingBlob", "WrongBlobKind", "RecordOutOfBounds").
 */
const char *aerogpu_index_stream(const struct aerogpu_index *index, uint32_t number,
                                 const uint8_t **bytes, uint64_t *size);

/*
 * follow.c: the blobs of a trace that grows, by id. Finds which record made the blob that an id
 * names at a given record. The blobs of one id form a chain with shortcuts (a skew-binary list), so
 * that lookups remain fast if an id is defined again a million times. One thread adds; any thread
 * may find.
 */

struct aerogpu_blob_map;

/* Creates a map for at most `max` blobs. Returns 0 or -ENOMEM. */
int aerogpu_blob_map_create(uint32_t max, struct aerogpu_blob_map **out);
void aerogpu_blob_map_destroy(struct aerogpu_blob_map **map);

/*
 * Adds a blob record. Records must be added in ascending order. Returns 0, or -ENOMEM, also if the
 * map is full.
 */
int aerogpu_blob_map_add(struct aerogpu_blob_map *map, uint64_t id, uint32_t record);

/*
 * Finds the last record before `user` that defines a blob of this id. Returns false if there is
 * none.
 */
bool aerogpu_blob_map_find(struct aerogpu_blob_map *map, uint64_t id, uint32_t user,
                           uint32_t *record);

/*
 * lint.c: notes what the reference reader never checks but is unusual (aerogpu.md 2.7): flags,
 * reserved fields, order, slack; and reports defects of allocation tables. Any thread may call it.
 */

/* Checks the container: header, meta JSON, table of contents, records, ids of blobs. */
void aerogpu_lint_container(const struct aerogpu_index *index, struct problems *problems);

/*
 * The allocation tables that were checked, one bit for each record: many submissions share a table.
 */
struct aerogpu_tables_seen {
    uint8_t *bits;
    size_t bytes;
};

void aerogpu_tables_seen_clear(struct aerogpu_tables_seen *seen);

/*
 * Checks a submission's header, and its allocation table if that was not checked before. Returns 0
 * or -ENOMEM.
 */
int aerogpu_lint_submission(const struct aerogpu_index *index, uint32_t number,
                            struct aerogpu_tables_seen *seen, struct problems *problems);

#endif
