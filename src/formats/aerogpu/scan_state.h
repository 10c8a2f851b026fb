/* SPDX-License-Identifier: MIT */
/*
 * The state of a scan that is being made, and what its parts have in common: scan_streams.c walks
 * the commands of each submission, and scan_frames.c executes the frames on the state machine. Only
 * the thread that makes the scan may use it.
 */
#ifndef GPUDUMPFS_AEROGPU_SCAN_STATE_H
#define GPUDUMPFS_AEROGPU_SCAN_STATE_H

#include "base/cancel.h"
#include "base/problems.h"
#include "formats/aerogpu/index.h"
#include "formats/aerogpu/scan.h"

enum { AEROGPU_SCAN_CANCEL_EVERY = 4096, AEROGPU_REPORTED_MAX = 64 };

/* Values that were reported. Each is reported once, however often it occurs. */
struct aerogpu_reported {
    uint32_t values[AEROGPU_REPORTED_MAX];
    unsigned count;
};

struct aerogpu_scanning {
    const struct aerogpu_index *index;
    struct aerogpu_scan *scan;
    struct problems *problems;
    const struct cancel *cancel;
    struct aerogpu_player player;
    struct aerogpu_tables_seen tables_seen;
    uint64_t left; /* bytes that arrays may still take */
    size_t checkpoint_capacity, draw_capacity, present_capacity, life_capacity, bound_capacity;
    struct aerogpu_reported unknown[2]; /* opcodes, in streams and alone in packets */
    struct aerogpu_reported versions;   /* versions of streams that differ from the header's */
    bool reported_reserved;             /* reserved fields of a stream's header */
    bool reported_bare;                 /* a packet of A3A0 without a stream */
    uint64_t walked;                    /* bytes of streams in frames, as the player counts them */
    uint64_t unplayed;                  /* the same for streams that are in no frame */
    uint32_t frame;                     /* the frame that is played */
};

/*
 * Makes room for one more element of an array whose memory counts against max_memory. Returns 0,
 * -ENOMEM, or -EFBIG if max_memory would be exceeded.
 */
int aerogpu_scan_grow(struct aerogpu_scanning *scanning, void *array, size_t *capacity,
                      size_t count, size_t size);

/* Returns the offset in the file of bytes of the trace. */
uint64_t aerogpu_scan_offset(const struct aerogpu_scanning *scanning, const uint8_t *bytes);

/*
 * Returns whether the value is new. Records at most AEROGPU_REPORTED_MAX values; further ones are
 * never new.
 */
bool aerogpu_scan_reports(struct aerogpu_reported *reported, uint32_t value);

/* Reports an opcode that is not known, which is in a stream, or alone in its record. */
void aerogpu_scan_unknown(struct aerogpu_scanning *scanning, const struct aerogpu_command *command,
                          uint32_t record, bool alone);

/*
 * scan_streams.c: counts the commands of a submission, and reports the defects of its stream and
 * memory. `played` tells whether it is in a frame. Returns 0, -ENOMEM, -EINTR or -EFBIG.
 */
int aerogpu_scan_submission(struct aerogpu_scanning *scanning, uint32_t number, bool played);

/* scan_frames.c: what the player calls; its context is the struct aerogpu_scanning. */
extern const struct aerogpu_effects aerogpu_scan_effects;

/* Begins the frame that the player is at, if there is one. */
void aerogpu_scan_begin_frame(struct aerogpu_scanning *scanning);

/*
 * Plays until `last`, which is AEROGPU_STEP_FRAME or AEROGPU_STEP_DONE. Returns 0, -ENOMEM, -EINTR
 * or -EFBIG.
 */
int aerogpu_scan_play(struct aerogpu_scanning *scanning, enum aerogpu_step last);

#endif
