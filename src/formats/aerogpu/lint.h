/*
 * What the reference reader never looks at, and deserves a note
 * (aerogpu.md 2.7): flags, reserved fields, order, slack; and what is wrong with
 * allocation tables. Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_LINT_H
#define GPUDUMPFS_AEROGPU_LINT_H

#include "formats/aerogpu/index.h"

/* The container: header, meta JSON, table, records, blobs' ids. */
void aerogpu_lint_container(const struct aerogpu_index *index, struct problems *problems);

/* A submission's header, and its allocation table. */
void aerogpu_lint_submission(const struct aerogpu_index *index, uint32_t number,
                             struct problems *problems);

#endif
