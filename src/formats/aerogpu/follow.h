/*
 * Follows a trace that grows (follow.md 7.3): adds records to the index as they are whole, and
 * shows a frame with its Present, as long as all records stand in frames from their BeginFrame
 * to their Present, one behind the other. How a trace that is not like this is divided tells
 * its table of contents, and so nothing more of it is shown before its end. Then the
 * index is made anew, of all. One thread follows, any may ask.
 */
#ifndef GPUDUMPFS_AEROGPU_FOLLOW_H
#define GPUDUMPFS_AEROGPU_FOLLOW_H

#include "formats/aerogpu/dump.h"

struct growth;

/* What header and meta JSON tell is waited for. 0, -EPROTO: no header; -ENOMEM, -EINTR. */
int aerogpu_live_open(struct growth *growth, const struct cancel *cancel,
                      struct aerogpu_header *header);

/* Begins with dump->index, which is what is shown. 0 or -ENOMEM. */
int aerogpu_live_create(struct aerogpu_dump *dump, const struct aerogpu_header *header);
void aerogpu_live_destroy(struct aerogpu_live **live);

/* Goes on: struct pass_work's `advance`, of a dump. */
int aerogpu_live_advance(void *dump, const struct cancel *cancel, struct pass_position *position);

/* Of what is shown, or of all once that is there. */
const struct aerogpu_index *aerogpu_live_index(const struct aerogpu_live *live);
const struct aerogpu_scan *aerogpu_live_scan(const struct aerogpu_live *live);
bool aerogpu_live_is_whole(const struct aerogpu_live *live);

/* Whether more may be shown later. */
bool aerogpu_live_grows(const struct aerogpu_live *live);

/* Copies for who adds up: what their arrays hold does not go beyond the counts. */
void aerogpu_live_totals(struct aerogpu_live *live, struct aerogpu_index *index,
                         struct aerogpu_scan *scan);

#endif
