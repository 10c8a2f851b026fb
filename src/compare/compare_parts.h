/* SPDX-License-Identifier: MIT */
/*
 * What the files of a comparison's tree share: its pass (compare_dump.c), the pairs of frames that
 * differ (compare_pairs.c), and the reports on them (compare_reports.c). Any thread; results are
 * those of struct rule.
 */
#ifndef GPUDUMPFS_COMPARE_COMPARE_PARTS_H
#define GPUDUMPFS_COMPARE_COMPARE_PARTS_H

#include "cache/index_task.h"
#include "compare/comparison.h"
#include "tree/inode.h"
#include "tree/names.h"

/* What the pass makes known, in this order. */
enum compare_known { KNOWN_PAIRS, KNOWN_SUMMARY };

/* The stages of the pass. */
enum compare_stage { STAGE_COUNT, STAGE_READ, STAGE_ALIGN, STAGE_SEARCH };

enum {
    ID_SUMMARY_TXT = RULE_FORMAT_FIRST,
    ID_SUMMARY_JSON,
    ID_DIFFERING_TSV,
    ID_DIFFERING,
    ID_PAIR,
    ID_INFO_TXT,
    ID_INFO_JSON,
    ID_COMMANDS_DIFF,
    ID_FIRST_DRAW,
    ID_A_PNG,
    ID_B_PNG,
    ID_DIFFERENCE_PNG,
    ID_A,
    ID_B,
};

struct compare_dump {
    struct dump base;
    struct comparison comparison;
    struct index_task pass;
    /* Used by the pass alone, except for its result `summary`. */
    enum compare_stage stage;
    unsigned side;
    uint64_t frame;
    json_t *summary;
};

static inline struct compare_dump *compare_of(struct dump *dump)
{
    return (struct compare_dump *)dump;
}

/* Waits until the pass knows `what`. Returns 0 or -errno. */
int compare_dump_wait(struct dump *dump, enum compare_known what, const struct cancel *cancel);

/*
 * compare_pairs.c: pairs of frames, by their numbers. All functions return -EAGAIN before the pass
 * knows the pairs, and -ENOENT if there is no such pair, or no such file of the pair.
 */
extern const struct rule_family compare_pair_family;
int compare_pair_find(struct dump *dump, uint64_t number, const struct align_pair **pair);
/* Returns the dump of the first (0) or the second (1) tree. */
struct dump *compare_pair_dump(struct dump *dump, unsigned side);
int compare_pair_has_a(struct dump *dump, uint64_t number);
int compare_pair_has_b(struct dump *dump, uint64_t number);
int compare_pair_has_a_png(struct dump *dump, uint64_t number);
int compare_pair_has_b_png(struct dump *dump, uint64_t number);
int compare_pair_has_difference(struct dump *dump, uint64_t number);
int compare_pair_size_difference(struct dump *dump, uint64_t number, uint64_t *size);
int compare_pair_make_a(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);
int compare_pair_make_b(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);
int compare_pair_make_a_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out);
int compare_pair_make_b_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out);
int compare_pair_make_difference(struct dump *dump, uint64_t number, const struct cancel *cancel,
                                 struct blob **out);

/* compare_reports.c: texts about the complete comparison, and about a pair. */
extern const struct dump_listing compare_report_differing;
int compare_report_has_commands(struct dump *dump, uint64_t number);
int compare_report_has_draws(struct dump *dump, uint64_t number);
int compare_report_summary(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);
int compare_report_summary_json(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out);
int compare_report_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);
int compare_report_info_json(struct dump *dump, uint64_t number, const struct cancel *cancel,
                             struct blob **out);
int compare_report_commands(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out);
int compare_report_draw(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out);

#endif
