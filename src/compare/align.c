/* SPDX-License-Identifier: MIT */
/*
 * Aligns the frames of two dumps in four steps. Each step pairs frames within the gaps that the
 * pairs found so far leave, so that pairs never cross:
 *
 *     1. frames with equal commands and equal pictures
 *     2. frames with equal commands
 *     3. frames with equal pictures
 *     4. all others, by their likeness
 *
 * Steps 1 to 3 give each frame a key (key_function), and pair as many frames with equal keys as
 * keep their order: those that the shortest edit from one list of keys to the other leaves alone
 * (text_diff_mark()). Step 4 finds the pairs with the greatest sum of likenesses, with a table over
 * all pairs of frames of a gap. A gap that is too large for the table is paired frame by frame.
 */
#include "config.h"

#include "compare/align.h"

#include "base/hash.h"
#include "compare/text_diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS_MAX = 1 << 20 }; /* maximum number of cells of a table of likenesses */

struct alignment {
    const struct align_key *a, *b;
    size_t a_count, b_count;
    uint64_t *of_a; /* for each frame of a, the paired frame of b, or ALIGN_NONE */
    const struct cancel *cancel;
};

/* Frames of both dumps between two pairs, which are not paired yet. */
struct gap {
    size_t a, a_end, b, b_end;
};

void align_key_init(struct align_key *key)
{
    *key = (struct align_key){0};
    memset(key->sketch, 0xFF, sizeof(key->sketch));
}

void align_key_add_line(struct align_key *key, uint64_t hash)
{
    key->commands = hash_fold(key->commands ^ hash, hash_secret[1]) + 1;
    for (unsigned i = 0; i < ALIGN_SKETCH; i++) {
        uint32_t value = (uint32_t)hash_u64(hash + i);

        if (value < key->sketch[i])
            key->sketch[i] = value;
    }
}

bool align_same_commands(const struct align_key *a, const struct align_key *b)
{
    return a->commands == b->commands;
}

bool align_same_picture(const struct align_key *a, const struct align_key *b)
{
    return a->picture == b->picture;
}

/* Returns what the frames that a step pairs must have in common; 0: the frame is not paired. */
typedef uint64_t key_function(const struct align_key *key);

static uint64_t key_of_all(const struct align_key *key)
{
    return hash_fold(key->commands ^ hash_secret[0], hash_secret[1]) ^ key->picture;
}

static uint64_t key_of_commands(const struct align_key *key)
{
    return key->commands;
}

static uint64_t key_of_picture(const struct align_key *key)
{
    return key->picture;
}

/* The keys of a range of frames. `kept` leaves out the keys that the other range does not have. */
struct keys {
    uint64_t *list;     /* in the order of the range, then sorted */
    uint64_t *kept;     /* the keys that the other range has, too; in the order of the range */
    size_t *frames;     /* the frames of these keys */
    size_t count, left; /* count: keys in `list`; left: keys in `kept` */
    struct text_diff_lines lines; /* `kept` as lines of eight bytes */
};

static int compare_keys(const void *a, const void *b)
{
    uint64_t first, second;

    memcpy(&first, a, sizeof(first));
    memcpy(&second, b, sizeof(second));
    return first < second ? -1 : first > second;
}

static int make_keys(struct keys *keys, const struct align_key *list, size_t begin, size_t end,
                     key_function *key_of)
{
    keys->count = end - begin;
    keys->list = calloc(keys->count + 1, sizeof(*keys->list));
    keys->kept = calloc(keys->count + 1, sizeof(*keys->kept));
    keys->frames = calloc(keys->count + 1, sizeof(*keys->frames));
    keys->lines.list = calloc(keys->count + 1, sizeof(*keys->lines.list));
    if (keys->list == NULL || keys->kept == NULL || keys->frames == NULL ||
        keys->lines.list == NULL)
        return -ENOMEM;
    for (size_t i = 0; i < keys->count; i++)
        keys->list[i] = key_of(&list[begin + i]);
    qsort(keys->list, keys->count, sizeof(*keys->list), compare_keys);
    return 0;
}

static void keep_common(struct keys *keys, const struct keys *other, const struct align_key *list,
                        size_t begin, key_function *key_of)
{
    for (size_t i = 0; i < keys->count; i++) {
        uint64_t key = key_of(&list[begin + i]);

        if (key == 0 || bsearch(&key, other->list, other->count, sizeof(key), compare_keys) == NULL)
            continue;
        keys->kept[keys->left] = key;
        keys->frames[keys->left] = begin + i;
        keys->lines.list[keys->left] =
            (struct text_diff_line){(const char *)&keys->kept[keys->left], sizeof(*keys->kept)};
        keys->left++;
    }
    keys->lines.count = keys->left;
}

static void clear_keys(struct keys *keys)
{
    free(keys->list);
    free(keys->kept);
    free(keys->frames);
    text_diff_clear(&keys->lines);
}

/* Pairs the keys without marks, which both lists have, in order. */
static void pair_unmarked(struct alignment *alignment, const struct keys *a, const struct keys *b,
                          const struct text_diff_marks *marks)
{
    size_t i = 0, k = 0;

    while (i < a->left && k < b->left) {
        if (marks->gone[i]) {
            i++;
        } else if (marks->come[k]) {
            k++;
        } else {
            alignment->of_a[a->frames[i]] = b->frames[k];
            i++;
            k++;
        }
    }
}

static int align_by_key(struct alignment *alignment, const struct gap *gap, key_function *key_of)
{
    struct keys a = {0}, b = {0};
    struct text_diff_marks marks = {0};
    int status = make_keys(&a, alignment->a, gap->a, gap->a_end, key_of);

    if (status == 0)
        status = make_keys(&b, alignment->b, gap->b, gap->b_end, key_of);
    if (status == 0) {
        keep_common(&a, &b, alignment->a, gap->a, key_of);
        keep_common(&b, &a, alignment->b, gap->b, key_of);
        status = text_diff_mark(&a.lines, &b.lines, alignment->cancel, &marks);
    }
    if (status == 0)
        pair_unmarked(alignment, &a, &b, &marks);
    text_diff_clear_marks(&marks);
    clear_keys(&a);
    clear_keys(&b);
    return status;
}

/*
 * Returns how much two frames are alike; never 0, so that frames which differ are paired as well.
 */
static uint32_t likeness(const struct align_key *a, const struct align_key *b)
{
    uint32_t equal = 0;

    for (unsigned i = 0; i < ALIGN_SKETCH; i++)
        equal += a->sketch[i] == b->sketch[i] && a->sketch[i] != UINT32_MAX;
    return 1 + 4 * equal;
}

/*
 * Fills a table: cell (i, k) is the greatest sum of likenesses that pairs of frames from i of `a`
 * and from k of `b` on can have. It has one row more than `a` has frames, and one column more than
 * `b` has; these are 0.
 */
static void fill_table(const struct alignment *alignment, const struct gap *gap, uint32_t *best)
{
    size_t width = gap->b_end - gap->b + 1;

    for (size_t i = gap->a_end - gap->a; i-- > 0;)
        for (size_t k = width - 1; k-- > 0;) {
            uint32_t *at = &best[i * width + k];
            uint32_t both =
                at[width + 1] + likeness(&alignment->a[gap->a + i], &alignment->b[gap->b + k]);

            *at = both;
            if (at[width] > *at)
                *at = at[width];
            if (at[1] > *at)
                *at = at[1];
        }
}

/* Pairs frames along the way through the table that has the greatest sum. */
static void follow_table(struct alignment *alignment, const struct gap *gap, const uint32_t *best)
{
    size_t width = gap->b_end - gap->b + 1, i = 0, k = 0;

    while (gap->a + i < gap->a_end && gap->b + k < gap->b_end) {
        const uint32_t *at = &best[i * width + k];

        if (*at == at[width + 1] + likeness(&alignment->a[gap->a + i], &alignment->b[gap->b + k])) {
            alignment->of_a[gap->a + i] = gap->b + k;
            i++;
            k++;
        } else if (*at == at[width]) {
            i++;
        } else {
            k++;
        }
    }
}

static int align_by_likeness(struct alignment *alignment, const struct gap *gap,
                             key_function *key_of)
{
    size_t height = gap->a_end - gap->a + 1, width = gap->b_end - gap->b + 1;
    uint32_t *best;

    (void)key_of;
    if (height > CELLS_MAX / width) {
        for (size_t i = 0; gap->a + i < gap->a_end && gap->b + i < gap->b_end; i++)
            alignment->of_a[gap->a + i] = gap->b + i;
        return 0;
    }
    best = calloc(height * width, sizeof(*best));
    if (best == NULL)
        return -ENOMEM;
    fill_table(alignment, gap, best);
    follow_table(alignment, gap, best);
    free(best);
    return 0;
}

/*
 * Calls `align` for each gap with frames of both dumps; the pairs made in one gap do not change the
 * gaps after it.
 */
static int align_gaps(struct alignment *alignment,
                      int (*align)(struct alignment *alignment, const struct gap *gap,
                                   key_function *key_of),
                      key_function *key_of)
{
    struct gap gap = {0};
    int status = 0;

    for (size_t i = 0; status == 0 && i <= alignment->a_count; i++) {
        bool is_end = i == alignment->a_count;

        if (!is_end && alignment->of_a[i] == ALIGN_NONE)
            continue;
        gap.a_end = i;
        gap.b_end = is_end ? alignment->b_count : (size_t)alignment->of_a[i];
        if (gap.a < gap.a_end && gap.b < gap.b_end)
            status = cancel_requested(alignment->cancel) ? -EINTR : align(alignment, &gap, key_of);
        gap.a = gap.a_end + 1;
        gap.b = gap.b_end + 1;
    }
    return status;
}

static int write_pairs(const struct alignment *alignment, struct align_pair **out, size_t *count)
{
    struct align_pair *pairs = calloc(alignment->a_count + alignment->b_count + 1, sizeof(*pairs));
    uint64_t b = 0;

    if (pairs == NULL)
        return -ENOMEM;
    *count = 0;
    for (size_t i = 0; i <= alignment->a_count; i++) {
        bool is_end = i == alignment->a_count;
        uint64_t pair = is_end ? alignment->b_count : alignment->of_a[i];

        for (; pair != ALIGN_NONE && b < pair; b++)
            pairs[(*count)++] = (struct align_pair){ALIGN_NONE, b};
        if (is_end)
            break;
        pairs[(*count)++] = (struct align_pair){i, pair};
        b += pair != ALIGN_NONE;
    }
    *out = pairs;
    return 0;
}

int align_frames(const struct align_key *a, size_t a_count, const struct align_key *b,
                 size_t b_count, const struct cancel *cancel, struct align_pair **out,
                 size_t *count)
{
    struct alignment alignment = {a,     b, a_count, b_count, calloc(a_count + 1, sizeof(uint64_t)),
                                  cancel};
    int status = alignment.of_a == NULL ? -ENOMEM : 0;

    for (size_t i = 0; status == 0 && i < a_count; i++)
        alignment.of_a[i] = ALIGN_NONE;
    if (status == 0)
        status = align_gaps(&alignment, align_by_key, key_of_all);
    if (status == 0)
        status = align_gaps(&alignment, align_by_key, key_of_commands);
    if (status == 0)
        status = align_gaps(&alignment, align_by_key, key_of_picture);
    if (status == 0)
        status = align_gaps(&alignment, align_by_likeness, NULL);
    if (status == 0)
        status = write_pairs(&alignment, out, count);
    free(alignment.of_a);
    return status;
}
