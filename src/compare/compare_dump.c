/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare_dump.h"

#include "compare/compare_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_MAX = 1 << 20,  /* frames of a dump; the keys of more would take too much memory */
    FRAMES_OF_A_STEP = 16, /* frames read in one step of the pass */
};

/* The pass. */

static void tell_failed(void *context, const struct compare_side *side, uint64_t frame,
                        const char *what, int status)
{
    struct compare_dump *compare = context;
    const char *name = side == &compare->comparison.sides[0] ? COMPARE_A : COMPARE_B;

    problems_add(compare->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                 "%s: frame %" PRIu64 ": %s: %s", name, frame, what, strerror(-status));
}

static int count_frames(struct compare_dump *compare)
{
    int status = 0;

    for (unsigned i = 0; status == 0 && i < 2; i++) {
        struct compare_side *side = &compare->comparison.sides[i];

        if (side->keys != NULL)
            continue;
        status = compare_count_frames(side, FRAMES_MAX);
        if (status == -EFBIG)
            problems_add(compare->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                         "%s has %zu frames, but at most %u can be compared",
                         i == 0 ? COMPARE_A : COMPARE_B, side->count, (unsigned)FRAMES_MAX);
    }
    return status;
}

/* Reads some frames. What cannot be read is reported, and the other frames are compared. */
static int read_frames(struct compare_dump *compare, const struct cancel *cancel)
{
    struct comparison *comparison = &compare->comparison;
    unsigned read = 0;

    while (compare->side < 2 && read < FRAMES_OF_A_STEP) {
        struct compare_side *side = &comparison->sides[compare->side];
        int status;

        if (compare->frame == side->count) {
            compare->side++;
            compare->frame = 0;
            continue;
        }
        if (cancel_requested(cancel))
            return -EINTR;
        status = compare_read_frame(side, compare->frame, &comparison->listener, cancel);
        if (status == -EINTR || status == -ENOMEM || dump_has_changed(&compare->base))
            return status == -EINTR || status == -ENOMEM ? status : -EIO;
        comparison->unread = comparison->unread || status != 0;
        compare->frame++;
        read++;
    }
    return 0;
}

/*
 * Searches for differences as gpudump diff does; if something cannot be read again, the results so
 * far are kept.
 */
static int search(struct compare_dump *compare, const struct cancel *cancel)
{
    struct comparison *comparison = &compare->comparison;
    json_t *found = comparison_begin_found(comparison);
    int status;

    if (found == NULL)
        return -ENOMEM;
    comparison_count_frames(comparison, found);
    status = comparison_search(comparison, cancel, found);
    if (status == -EINTR || status == -ENOMEM) {
        json_decref(found);
        return status;
    }
    if (status != 0)
        problems_add(compare->base.problems, PROBLEM_ERROR, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                     "summary.txt and summary.json are incomplete: %s", strerror(-status));
    comparison_end_found(comparison, status != 0 || comparison->unread, found);
    compare->summary = found;
    return 0;
}

static int take_stage(struct compare_dump *compare, const struct cancel *cancel)
{
    switch (compare->stage) {
    case STAGE_COUNT:
        return count_frames(compare);
    case STAGE_READ:
        return read_frames(compare, cancel);
    case STAGE_ALIGN:
        return comparison_align(&compare->comparison, cancel);
    case STAGE_SEARCH:
        return search(compare, cancel);
    }
    return 0;
}

static int advance(void *context, const struct cancel *cancel, struct index_task_position *position)
{
    struct compare_dump *compare = context;
    int status = take_stage(compare, cancel);

    if (status != 0)
        return status;
    position->known = compare->stage >= STAGE_ALIGN ? KNOWN_PAIRS + 1 : 0;
    position->ended = compare->stage == STAGE_SEARCH;
    if (position->ended)
        position->known = KNOWN_SUMMARY + 1;
    if (compare->stage != STAGE_SEARCH && (compare->stage != STAGE_READ || compare->side == 2))
        compare->stage++;
    return 0;
}

int compare_dump_wait(struct dump *dump, enum compare_known what, const struct cancel *cancel)
{
    return index_task_wait(&compare_of(dump)->pass, what, cancel);
}

static void start(struct dump *dump)
{
    (void)index_task_start(&compare_of(dump)->pass, NULL, NULL);
}

/* Joining the pass also ends what it waits for in the two trees: the mount goes away. */
static void close_dump(struct dump **dump)
{
    struct compare_dump *compare = compare_of(*dump);

    *dump = NULL;
    cancel_raise(&compare->base.cancel);
    index_task_join(&compare->pass);
    index_task_destroy(&compare->pass);
    comparison_clear(&compare->comparison);
    json_decref(compare->summary);
    free(compare);
}

static int prepare(struct dump *dump, unsigned rule, uint64_t key, const struct cancel *cancel)
{
    (void)rule, (void)key;
    return compare_dump_wait(dump, KNOWN_PAIRS, cancel);
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    return index_task_wait_all(&compare_of(dump)->pass, cancel);
}

#define OWN(what, own_id, in, pattern)                                                             \
    .kind = RULE_##what, .id = ID_##own_id, .parent = (in), .name = pattern

static const struct rule rules[] = {
    {OWN(FILE, SUMMARY_TXT, RULE_ROOT, "summary.txt"), .make = compare_report_summary, .slow = true,
     .help = "where the two dumps differ, as `gpudump diff` prints it; empty if they are equal"},
    {OWN(FILE, SUMMARY_JSON, RULE_ROOT, "summary.json"), .make = compare_report_summary_json,
     .slow = true, .help = "the same for programs, as `gpudump diff --json` prints it"},
    {OWN(FILE, DIFFERING_TSV, RULE_ROOT, "differing.tsv"), .listing = &compare_report_differing,
     .slow = true, .help = "one pair of frames that differ per line"},
    {OWN(DIRECTORY, DIFFERING, RULE_ROOT, "differing")},
    {OWN(DIRECTORY, PAIR, ID_DIFFERING, "NNNNNN"), .family = &compare_pair_family,
     .help = "a pair of aligned frames that differ, or a frame that only one dump has"},
    {OWN(FILE, INFO_TXT, ID_PAIR, "info.txt"), .make = compare_report_info, .slow = true,
     .help = "the frames of the pair, and how they differ"},
    {OWN(FILE, INFO_JSON, ID_PAIR, "info.json"), .make = compare_report_info_json, .slow = true,
     .help = "the same for programs"},
    {OWN(FILE, COMMANDS_DIFF, ID_PAIR, "commands.diff"), .make = compare_report_commands,
     .exists = compare_report_has_commands, .slow = true,
     .help = "a unified diff of their commands"},
    {OWN(FILE, FIRST_DRAW, ID_PAIR, "first-draw.txt"), .make = compare_report_draw,
     .exists = compare_report_has_draws, .slow = true,
     .help = "numbers of the first draw that differs, or that samples something that differs"},
    {OWN(LINK, A_PNG, ID_PAIR, COMPARE_A ".png"), .make = compare_pair_make_a_png,
     .exists = compare_pair_has_a_png, .help = "the picture in the first dump"},
    {OWN(LINK, B_PNG, ID_PAIR, COMPARE_B ".png"), .make = compare_pair_make_b_png,
     .exists = compare_pair_has_b_png, .help = "the picture in the second"},
    {OWN(FILE, DIFFERENCE_PNG, ID_PAIR, "difference.png"), .size = compare_pair_size_difference,
     .make = compare_pair_make_difference, .exists = compare_pair_has_difference,
     .work = CACHE_RENDER, .slow = true,
     .help = "where they differ: equal pixels are dimmed, others magenta"},
    {OWN(LINK, A, ID_PAIR, COMPARE_A), .make = compare_pair_make_a, .exists = compare_pair_has_a,
     .help = "everything about the frame in the first dump"},
    {OWN(LINK, B, ID_PAIR, COMPARE_B), .make = compare_pair_make_b, .exists = compare_pair_has_b,
     .help = "everything about the frame in the second"},
};

static uint64_t count_none(const struct dump *dump)
{
    (void)dump;
    return 0;
}

static int find_no_packet(struct dump *dump, uint64_t number, struct dump_packet *out)
{
    (void)dump, (void)number, (void)out;
    return -ENOENT;
}

static int find_no_frame(struct dump *dump, uint64_t number, struct dump_frame *out)
{
    (void)dump, (void)number, (void)out;
    return -ENOENT;
}

static const struct dump_ops ops = {
    .made_of_others = true,
    .packets = count_none,
    .frames = count_none,
    .packet = find_no_packet,
    .frame = find_no_frame,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .readiness = {.prepare = prepare},
    .introduction =
        "This is a comparison of two GPU dumps, mounted by gpudumpfs. a/ and b/ contain the "
        "complete trees of the two dumps; the files beside them describe the differences. Frames "
        "are aligned by their contents, so a frame that only one dump has is recognised. Begin "
        "with summary.txt and differing.tsv; problems.txt lists everything that could not be "
        "compared. The differences are known after all frames of both dumps have been compared; a/ "
        "and b/ can be used at once.\n",
};

static struct compare_dump *create(const struct compare_dump_params *params)
{
    struct compare_dump *compare = calloc(1, sizeof(*compare));
    const struct dump *a = tree_dump(params->trees[0]), *b = tree_dump(params->trees[1]);

    if (compare == NULL)
        return NULL;
    compare->base = (struct dump){.ops = &ops,
                                  .format = "comparison",
                                  .source = a->source,
                                  .beside = {b->source},
                                  .options = params->options,
                                  .problems = params->problems};
    cancel_init(&compare->base.cancel, NULL);
    for (unsigned i = 0; i < 2; i++)
        compare->comparison.sides[i] =
            (struct compare_side){.tree = params->trees[i], .path = params->paths[i]};
    compare->comparison.listener =
        (struct compare_listener){.failed = tell_failed, .context = compare};
    return compare;
}

int compare_dump_create(const struct compare_dump_params *params, unsigned threads,
                        struct tree **out)
{
    struct compare_dump *compare = create(params);
    const struct index_task_work work = {
        .advance = advance, .context = compare, .cancel = &compare->base.cancel};
    struct tree_params tree = {
        .rules = rules, .rule_count = sizeof(rules) / sizeof(rules[0]), .threads = threads};
    struct dump *dump;
    int status;

    if (compare == NULL)
        return -ENOMEM;
    dump = &compare->base;
    index_task_init(&compare->pass, &work);
    tree.dump = dump;
    status = tree_create(&tree, out);
    if (status != 0)
        close_dump(&dump);
    return status;
}
