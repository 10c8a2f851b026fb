/*
 * Follows a trace that grows (follow.md 7.3): adds records to the index as they are whole, and
 * shows a frame with its Present, as long as all records stand in frames from their BeginFrame
 * to their Present, one behind the other. A trace that is not like this is divided by its
 * table of contents, so nothing more of it is shown before its end. Then the index is made
 * anew, of all. One thread advances, any thread may read what is shown.
 */
#ifndef GPUDUMPFS_AEROGPU_FOLLOW_H
#define GPUDUMPFS_AEROGPU_FOLLOW_H

#include "cache/index_task.h"
#include "formats/aerogpu/scan.h"
#include "tree/dump.h"

struct aerogpu_follower;
struct growing_source;

/* Waits for the header and the meta JSON. 0, -EPROTO: no header; -ENOMEM, -EINTR. */
int aerogpu_follow_open(struct growing_source *growth, const struct cancel *cancel,
                        struct aerogpu_header *header);

/*
 * Follows the source of `dump`, whose options, problems and tree it uses; both it and the
 * limits are borrowed until the destruction. Shows no frame yet. 0 or -ENOMEM; on failure
 * `out` may be set, and is to be destroyed.
 */
int aerogpu_follow_create(struct dump *dump, const struct aerogpu_limits *limits,
                          const struct aerogpu_header *header, struct aerogpu_follower **out);
void aerogpu_follow_destroy(struct aerogpu_follower **follower);

/* Goes on, as struct index_task_work's `advance`. */
int aerogpu_follow_advance(struct aerogpu_follower *follower, const struct cancel *cancel,
                           struct index_task_position *position);

/* Of what is shown, or of all once that is there. */
const struct aerogpu_index *aerogpu_follow_index(const struct aerogpu_follower *follower);
const struct aerogpu_scan *aerogpu_follow_scan(const struct aerogpu_follower *follower);
bool aerogpu_follow_is_whole(const struct aerogpu_follower *follower);

/* Whether more may be shown later. */
bool aerogpu_follow_grows(const struct aerogpu_follower *follower);

/* Copies whose counts belong together, for sums; the arrays are shared, and hold as many. */
void aerogpu_follow_totals(struct aerogpu_follower *follower, struct aerogpu_index *index,
                           struct aerogpu_scan *scan);

#endif
