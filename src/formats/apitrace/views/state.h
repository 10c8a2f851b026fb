/*
 * The state of GL at the end of a frame, followed from the calls alone: for each thing
 * that a program sets, the call that set it last, whose text then tells the value. No
 * driver takes part, so what was never set is not there, and a call that raised an error
 * counts as if it had worked. A follower that stands at one frame goes on to a later
 * one. One thread a follower.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_STATE_H
#define GPUDUMPFS_APITRACE_VIEWS_STATE_H

#include "base/text.h"
#include "formats/apitrace/dump.h"

/* 0 or -ENOMEM. */
int apitrace_follower_create(const struct apitrace_index *index, struct apitrace_follower **out);
void apitrace_follower_destroy(struct apitrace_follower **follower);

/* Up to which place in the listing it has come. */
uint64_t apitrace_follower_place(const struct apitrace_follower *follower);

/* Goes on to a place in the listing that is not before. 0, -EINTR, -ENOMEM, -EIO. */
int apitrace_follower_go(struct apitrace_follower *follower, uint64_t order,
                         const struct cancel *cancel);

/* Appends the state, `key: value` lines. The same. */
int apitrace_follower_write(const struct apitrace_follower *follower, const struct cancel *cancel,
                            struct text *text);

/* Whether a function sets what is followed: its place in a table, or -1. */
int apitrace_state_row(const char *name);

/* struct dump_ops' function: the state at a frame's end. */
int apitrace_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text);

#endif
