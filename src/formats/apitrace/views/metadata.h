/* The texts of a trace's mount in the form `key: value` (apitrace.md 4). */
#ifndef GPUDUMPFS_APITRACE_VIEWS_METADATA_H
#define GPUDUMPFS_APITRACE_VIEWS_METADATA_H

#include "formats/apitrace/dump.h"

/* struct dump_ops' functions. */
int apitrace_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);
int apitrace_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct text *text);
int apitrace_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                         struct text *text);

/* struct rule's `make`: what a frame did, counted. Key: the frame. */
int apitrace_summary_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out);

#endif
