/* SPDX-License-Identifier: MIT */
/* contact-sheet.png and timeline.png: a dump at a glance. Functions of struct rule; any thread. */
#ifndef GPUDUMPFS_TREE_OVERVIEW_H
#define GPUDUMPFS_TREE_OVERVIEW_H

#include "tree/rule.h"

/* The most frames that the sheet shows, evenly distributed. */
enum { CONTACT_SHEET_FRAMES = 48 };

/* contact_sheet_exists(): there is one if the dump does not grow, and a frame has a picture. */
int contact_sheet_exists(struct dump *dump, uint64_t key);
int contact_sheet_size(struct dump *dump, uint64_t key, uint64_t *size);
int contact_sheet_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

/*
 * timeline.png: the columns of frames.tsv that dump_ops.tables.timeline names, over all frames,
 * below some pictures. It exists if the dump does not grow, and has a frame.
 */
int timeline_exists(struct dump *dump, uint64_t key);
int timeline_size(struct dump *dump, uint64_t key, uint64_t *size);
int timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out);

#endif
