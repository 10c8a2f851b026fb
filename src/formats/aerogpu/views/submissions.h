/*
 * submissions.tsv, and what stands in submissions/NNNNNN/. The key of a submission's
 * files is its number; of a command or memory range, the number above its own, by
 * SUBMISSION_BITS. As the members of struct rule.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_SUBMISSIONS_H
#define GPUDUMPFS_AEROGPU_VIEWS_SUBMISSIONS_H

#include "formats/aerogpu/views/commands.h"

extern const struct dump_listing aerogpu_submission_table, aerogpu_memory_table,
    aerogpu_alloc_listing, aerogpu_xref_listing;
extern const struct rule_family aerogpu_submission_family, aerogpu_frame_submission_family,
    aerogpu_memory_family;

int aerogpu_submission_info(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out);
int aerogpu_stream_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_stream_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_stream_exists(struct dump *dump, uint64_t key);
int aerogpu_allocs_exists(struct dump *dump, uint64_t key);
int aerogpu_allocs_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_allocs_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_memory_exists(struct dump *dump, uint64_t key);
int aerogpu_memory_size(struct dump *dump, uint64_t key, uint64_t *size);
int aerogpu_memory_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);
int aerogpu_frame_submission_link(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  struct blob **out);

#endif
