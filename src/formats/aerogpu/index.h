/* SPDX-License-Identifier: MIT */
/*
 * What listing a trace needs, made once at open by hopping over the records'
 * headers: where each record is and which frame it belongs to, frames, blobs by
 * id, submissions (aerogpu.md 2.6, 4.1). Read-only afterwards, any thread. The index of a
 * trace that grows (follow.c) gets longer, and what is in it stays as it is.
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
    uint32_t length; /* of its payload, cut where it must end */
    uint32_t frame;  /* AEROGPU_NONE: in none, so not executed */
};

struct aerogpu_frame {
    struct aerogpu_toc_entry entry; /* of a rebuilt frame: what it would be */
    uint32_t first, end;            /* its records, [first, end) */
    uint32_t first_submission, submissions_end;
    bool present; /* a Present record is there */
};

/* Blobs in the order of id, then of execution; those in no frame come last. */
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
    uint64_t meta_length;         /* bytes of it that the file holds */
    bool rebuilt;                 /* frames are not the table's */
    struct aerogpu_place *places; /* of records */
    _Atomic uint32_t records;
    struct aerogpu_frame *frames;
    _Atomic uint32_t frame_count;
    struct aerogpu_blob_place *blobs;
    uint32_t blob_count;
    uint64_t last_blob_id;
    uint32_t *submissions; /* records of type 5, and Packet records with a stream */
    _Atomic uint32_t submission_count;
    uint32_t types[6]; /* records of each type, 0: unknown */
    /* Of a trace that grows: finds blobs, which stand in the order of records then; else NULL. */
    struct aerogpu_blob_map *map;
};

/* For how many there is room in the arrays. */
struct aerogpu_capacity {
    size_t places, blobs, submissions;
};

enum { AEROGPU_RECORD_COST = 64 }; /* bytes of index that a record takes at most */

/* Adds a record, in no frame. 0 or -ENOMEM. */
int aerogpu_index_add(struct aerogpu_index *index, struct aerogpu_capacity *capacity,
                      const struct aerogpu_record *record);

/* The first word of a record's payload, which names a frame in marks; 0: there is none. */
uint32_t aerogpu_index_word(const struct aerogpu_index *index, uint32_t record);

/* Tells what the reference would stumble over in a record, and notes it as the verdict. */
void aerogpu_index_check(struct aerogpu_index *index, uint32_t number, struct problems *problems);

/*
 * Never refuses a file whose header is known; what is wrong is added to problems.
 * `max_memory` bounds the index: what is beyond is left out, with a problem.
 * 0, -ENOMEM, -EINTR.
 */
int aerogpu_index_open(const uint8_t *data, uint64_t size, uint64_t max_memory,
                       struct problems *problems, const struct cancel *cancel,
                       struct aerogpu_index *out);
void aerogpu_index_close(struct aerogpu_index *index);

/* Record `number` < records, as far as it goes. */
void aerogpu_index_record(const struct aerogpu_index *index, uint32_t number,
                          struct aerogpu_record *out);

/* The blob that this id names for record `user` when it is executed; false: none. */
bool aerogpu_index_blob(const struct aerogpu_index *index, uint64_t id, uint32_t user,
                        struct aerogpu_blob *out, uint32_t *record);

/* The place among `blobs` of a blob record. */
uint32_t aerogpu_index_blob_of(const struct aerogpu_index *index, uint64_t id, uint32_t record);

/* The submission that is made of this record, or the first after it. */
uint32_t aerogpu_index_submission(const struct aerogpu_index *index, uint32_t record);

/*
 * The submission that is made of this very record, or AEROGPU_NONE. It was told when the trace was
 * indexed, whereas a record's type may be another one by now: source/source.h.
 */
uint32_t aerogpu_index_submission_at(const struct aerogpu_index *index, uint32_t record);

/* Whether a Packet record holds a command stream: aerogpu.md 3.3. */
bool aerogpu_packet_is_stream(const struct aerogpu_record *record);

/* The packet that a Packet record without a stream holds: aerogpu_packet_read(). */
bool aerogpu_index_packet(const struct aerogpu_index *index, const struct aerogpu_record *record,
                          struct aerogpu_command *command, struct aerogpu_error *error);

/*
 * The command stream of submission `number`, slack included. The reference's name
 * of what is wrong ("MissingBlob", "WrongBlobKind", "RecordOutOfBounds"), or NULL.
 */
const char *aerogpu_index_stream(const struct aerogpu_index *index, uint32_t number,
                                 const uint8_t **bytes, uint64_t *size);

/*
 * follow.c: blobs of a trace that grows, by id: which record made the one that an id names
 * somewhere. The blobs of one id are a chain with shortcuts (a skew binary list), so that an id
 * that is defined again a million times is found as soon. One thread adds, any thread may find.
 */

struct aerogpu_blob_map;

/* For at most so many blobs. 0 or -ENOMEM. */
int aerogpu_blob_map_create(uint32_t max, struct aerogpu_blob_map **out);
void aerogpu_blob_map_destroy(struct aerogpu_blob_map **map);

/* A blob record; they come in ascending order. 0 or -ENOMEM. */
int aerogpu_blob_map_add(struct aerogpu_blob_map *map, uint64_t id, uint32_t record);

/* The last record before `user` that makes a blob of this id; false: there is none. */
bool aerogpu_blob_map_find(struct aerogpu_blob_map *map, uint64_t id, uint32_t user,
                           uint32_t *record);

/*
 * lint.c: what the reference reader never looks at, and deserves a note
 * (aerogpu.md 2.7): flags, reserved fields, order, slack; and what is wrong with
 * allocation tables. Any thread.
 */

/* The container: header, meta JSON, table, records, blobs' ids. */
void aerogpu_lint_container(const struct aerogpu_index *index, struct problems *problems);

/* The allocation tables that were looked at, a bit for each record: many submissions share one. */
struct aerogpu_tables_seen {
    uint8_t *bits;
    size_t bytes;
};

void aerogpu_tables_seen_clear(struct aerogpu_tables_seen *seen);

/* A submission's header, and its allocation table if that is new. 0 or -ENOMEM. */
int aerogpu_lint_submission(const struct aerogpu_index *index, uint32_t number,
                            struct aerogpu_tables_seen *seen, struct problems *problems);

#endif
