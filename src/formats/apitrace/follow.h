/*
 * A trace that grows (follow.md 7.2): a thread of its own indexes it, and shows its frames as soon
 * as it is known what their pictures are of. Called while the dump is opened, then by the tree.
 */
#ifndef GPUDUMPFS_APITRACE_FOLLOW_H
#define GPUDUMPFS_APITRACE_FOLLOW_H

#include "formats/apitrace/dump.h"

void apitrace_follow_init(struct apitrace_dump *dump);

/* Opens the index of a source that grows; completes `params`. As apitrace_index_open(). */
int apitrace_follow_open(struct apitrace_dump *dump, struct apitrace_index_params *params);

/* struct dump_ops' functions. */
void apitrace_follow_start(struct dump *dump);
uint64_t apitrace_follow_growth(const struct dump *dump, bool *ended);
double apitrace_follow_frame_seconds(const struct dump *dump, uint64_t frame);

#endif
