/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "compare/compare_dump.h"

#include "cache/index_task.h"
#include "compare/comparison.h"
#include "tree/inode.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_MAX = 1 << 20,  /* of a dump: more would take too much memory for their keys */
    FRAMES_OF_A_STEP = 16, /* of the pass */
    PAIR_BITS = 28,
    PAIR_DIGITS = 6,
    ROWS_OF_A_PIECE = 8, /* each looks at two frames */
    PART_DETAILS = 1,    /* of info.json's item in the cache */
};

/* What the pass makes known, in its order. */
enum { KNOWN_PAIRS, KNOWN_SUMMARY };

enum stage { STAGE_COUNT, STAGE_READ, STAGE_ALIGN, STAGE_SEARCH };

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
    /* The pass's own, and what it leaves. */
    enum stage stage;
    unsigned side;
    uint64_t frame;
    json_t *summary;
};

static struct compare_dump *compare_of(struct dump *dump)
{
    return (struct compare_dump *)dump;
}

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
                         "%s has %zu frames: no more than %u are compared",
                         i == 0 ? COMPARE_A : COMPARE_B, side->count, (unsigned)FRAMES_MAX);
    }
    return status;
}

/* What cannot be read is told, and the others are compared. */
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

/* As gpudump diff has it; what cannot be looked at again leaves the rest as it is. */
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
                     "summary.txt and summary.json are not complete: %s", strerror(-status));
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

static int wait_for(struct dump *dump, uint64_t what, const struct cancel *cancel)
{
    return index_task_wait(&compare_of(dump)->pass, what, cancel);
}

static void start(struct dump *dump)
{
    (void)index_task_start(&compare_of(dump)->pass, NULL, NULL);
}

/* What the pass waits for in the two trees ends, too: the mount goes away. */
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
    return wait_for(dump, KNOWN_PAIRS, cancel);
}

static int settle(struct dump *dump, const struct cancel *cancel)
{
    return index_task_wait_all(&compare_of(dump)->pass, cancel);
}

/* Pairs that differ, by their numbers. */

static int find_pair(struct dump *dump, uint64_t number, const struct align_pair **pair)
{
    struct compare_dump *compare = compare_of(dump);
    const struct comparison *comparison = &compare->comparison;

    if (!index_task_knows(&compare->pass, KNOWN_PAIRS))
        return -EAGAIN;
    if (number >= comparison->differing_count)
        return -ENOENT;
    *pair = &comparison->pairs[comparison->differing[number]];
    return 0;
}

static int next_pair(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *number)
{
    const struct align_pair *pair;

    (void)parent_key;
    *number = from;
    return find_pair(dump, from, &pair);
}

static int name_pair(struct dump *dump, uint64_t parent_key, uint64_t number, char *name)
{
    const struct align_pair *pair;
    int status = find_pair(dump, number, &pair);

    (void)parent_key;
    if (status != 0)
        return status;
    snprintf(name, RULE_NAME_MAX + 1, "%0*" PRIu64,
             (int)names_digits(compare_of(dump)->comparison.differing_count, PAIR_DIGITS), number);
    return 0;
}

static const struct rule_family pair_family = {PAIR_BITS, next_pair, name_pair, NULL};

/* Their frames in the two trees: links. */

static struct dump *side_dump(struct dump *dump, unsigned side)
{
    return tree_dump(compare_of(dump)->comparison.sides[side].tree);
}

/* -ENOENT: the other dump alone has a frame there. */
static int find_frame(struct dump *dump, uint64_t number, unsigned side, uint64_t *frame)
{
    const struct align_pair *pair = NULL;
    int status = find_pair(dump, number, &pair);

    if (status != 0)
        return status;
    *frame = side == 0 ? pair->a : pair->b;
    return *frame != ALIGN_NONE ? 0 : -ENOENT;
}

static int has_frame(struct dump *dump, uint64_t number, unsigned side)
{
    uint64_t frame = 0;

    return find_frame(dump, number, side, &frame);
}

static int has_picture(struct dump *dump, uint64_t number, unsigned side)
{
    struct dump *own = side_dump(dump, side);
    uint64_t frame = 0;
    int status = find_frame(dump, number, side, &frame);

    if (status == 0 && own->ops->frame_picture == NULL)
        status = -ENOENT;
    return status == 0 ? names_has_picture(own, frame) : status;
}

static int a_exists(struct dump *dump, uint64_t number)
{
    return has_frame(dump, number, 0);
}

static int b_exists(struct dump *dump, uint64_t number)
{
    return has_frame(dump, number, 1);
}

static int a_png_exists(struct dump *dump, uint64_t number)
{
    return has_picture(dump, number, 0);
}

static int b_png_exists(struct dump *dump, uint64_t number)
{
    return has_picture(dump, number, 1);
}

static int make_link(struct dump *dump, uint64_t number, unsigned side, const char *folder,
                     const char *suffix, struct blob **out)
{
    struct text text = TEXT_INIT;
    char name[RULE_NAME_MAX + 1];
    uint64_t frame = 0;
    int status = find_frame(dump, number, side, &frame);

    if (status == 0)
        status = names_frame(side_dump(dump, side), frame, suffix, name);
    if (status != 0)
        return status;
    text_printf(&text, "../../%s/%s/%s", side == 0 ? COMPARE_A : COMPARE_B, folder, name);
    status = text_blob(&text, out);
    text_clear(&text);
    return status;
}

static int make_a(struct dump *dump, uint64_t number, const struct cancel *cancel,
                  struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 0, "by-frame", "", out);
}

static int make_b(struct dump *dump, uint64_t number, const struct cancel *cancel,
                  struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 1, "by-frame", "", out);
}

static int make_a_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 0, "frames", ".png", out);
}

static int make_b_png(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct blob **out)
{
    (void)cancel;
    return make_link(dump, number, 1, "frames", ".png", out);
}

/* The picture of where theirs differ. */

static int difference_exists(struct dump *dump, uint64_t number)
{
    const struct align_pair *pair = NULL;
    int status = find_pair(dump, number, &pair);

    if (status == 0 && !comparison_pictures_differ(&compare_of(dump)->comparison, pair))
        status = -ENOENT;
    if (status == 0)
        status = a_png_exists(dump, number);
    return status == 0 ? b_png_exists(dump, number) : status;
}

static int difference_size(struct dump *dump, uint64_t number, uint64_t *size)
{
    struct dump_picture picture = {.header = {.colour = PICTURE_RGB}}, own;
    int status = difference_exists(dump, number);

    for (unsigned i = 0; status == 0 && i < 2; i++) {
        uint64_t frame = 0;

        status = find_frame(dump, number, i, &frame);
        if (status == 0)
            status = dump_picture_header(side_dump(dump, i), frame, &own);
        if (status == 0 && own.header.width > picture.header.width)
            picture.header.width = own.header.width;
        if (status == 0 && own.header.height > picture.header.height)
            picture.header.height = own.header.height;
    }
    return status == 0 ? dump_picture_size(dump, &picture, size) : status;
}

static int make_difference(struct dump *dump, uint64_t number, const struct cancel *cancel,
                           struct blob **out)
{
    const struct compare_side *sides = compare_of(dump)->comparison.sides;
    const struct align_pair *pair = NULL;
    struct pixels a = {0}, b = {0};
    int status = difference_exists(dump, number);

    if (status == 0)
        status = find_pair(dump, number, &pair);
    if (status == 0)
        status = compare_read_picture(sides[0].tree, pair->a, cancel, &a);
    if (status == 0)
        status = compare_read_picture(sides[1].tree, pair->b, cancel, &b);
    if (status == 0)
        status = pixels_draw_difference(&a, &b, dump->options->png, cancel, out);
    pixels_clear(&a);
    pixels_clear(&b);
    return status;
}

/* What differs. */

static int write_json(const json_t *found, struct text *text)
{
    char *printed = json_dumps(found, JSON_INDENT(2));

    if (printed == NULL)
        return -ENOMEM;
    text_add(text, printed);
    text_add_char(text, '\n');
    free(printed);
    return 0;
}

static int finish(struct text *text, int status, struct blob **out)
{
    if (status == 0)
        status = text_blob(text, out);
    text_clear(text);
    return status;
}

static int make_summary_json(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = wait_for(dump, KNOWN_SUMMARY, cancel);

    (void)key;
    if (status == 0)
        status = write_json(compare_of(dump)->summary, &text);
    return finish(&text, status, out);
}

static int make_summary_text(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             struct blob **out)
{
    struct compare_dump *compare = compare_of(dump);
    struct text text = TEXT_INIT;
    int status = wait_for(dump, KNOWN_SUMMARY, cancel);

    (void)key;
    if (status == 0 && comparison_differs(&compare->comparison, compare->summary))
        compare_write(compare->summary, &text);
    return finish(&text, status, out);
}

static int make_details(void *context, struct cache_key key, const struct cancel *cancel,
                        struct blob **out)
{
    struct dump *dump = context;
    uint64_t number = inode_key(key.item);
    const struct align_pair *pair = NULL;
    struct text text = TEXT_INIT;
    json_t *found = json_pack("{s:i,s:I}", "version", COMPARE_VERSION, "pair", (json_int_t)number);
    int status = found == NULL ? -ENOMEM : find_pair(dump, number, &pair);

    if (status == 0)
        status = comparison_search_pair(&compare_of(dump)->comparison, pair, cancel, found);
    if (status == 0)
        status = write_json(found, &text);
    json_decref(found);
    return finish(&text, status, out);
}

/* What differs in a pair, found once for all files that tell it. */
static int get_details(struct dump *dump, uint64_t number, const struct cancel *cancel,
                       struct blob **out)
{
    static const struct cache_maker maker = {
        .work = CACHE_TEXT, .make = make_details, .slow = true};
    struct cache_key key = {.item = inode_pack(ID_INFO_JSON, number), .part = PART_DETAILS};
    int status = wait_for(dump, KNOWN_PAIRS, cancel);

    return status == 0 ? cache_get(dump->cache, key, &maker, dump, cancel, out) : status;
}

static int load_details(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        json_t **out)
{
    struct blob *blob = NULL;
    int status = get_details(dump, number, cancel, &blob);

    *out = NULL;
    if (status != 0)
        return status;
    *out = json_loadb((const char *)blob->data, blob->size, 0, NULL);
    blob_unref(&blob);
    return *out != NULL ? 0 : -ENOMEM;
}

static int make_info_json(struct dump *dump, uint64_t number, const struct cancel *cancel,
                          struct blob **out)
{
    return get_details(dump, number, cancel, out);
}

/* The first dump's if it has one, the second's if not; NULL: neither has. */
static const json_t *one_of(const json_t *object, const char *key)
{
    const json_t *two = json_object_get(object, key);

    for (unsigned i = 0; i < 2; i++)
        if (json_is_integer(json_array_get(two, i)))
            return json_array_get(two, i);
    return NULL;
}

static void add_frame(struct text *text, const char *key, uint64_t frame)
{
    if (frame != ALIGN_NONE)
        text_field(text, key, "%" PRIu64, frame);
    else
        text_field(text, key, "-");
}

static const char *describe_pair(const struct comparison *comparison, const struct align_pair *pair)
{
    bool commands = comparison_commands_differ(comparison, pair);
    bool pictures = comparison_pictures_differ(comparison, pair);

    if (comparison_is_one_sided(pair))
        return pair->a == ALIGN_NONE ? "only in " COMPARE_B : "only in " COMPARE_A;
    return commands && pictures ? "commands, picture" : commands ? "commands" : "picture";
}

static int make_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                     struct blob **out)
{
    const struct comparison *comparison = &compare_of(dump)->comparison;
    const struct align_pair *pair = NULL;
    struct text text = TEXT_INIT;
    json_t *found = NULL;
    int status = load_details(dump, number, cancel, &found);

    if (status == 0)
        status = find_pair(dump, number, &pair);
    if (status == 0) {
        text_field(&text, "pair", "%" PRIu64, number);
        add_frame(&text, "frame_a", pair->a);
        add_frame(&text, "frame_b", pair->b);
        text_field(&text, "differs", "%s", describe_pair(comparison, pair));
        compare_write_found(found, &text);
    }
    json_decref(found);
    return finish(&text, status, out);
}

static int commands_exist(struct dump *dump, uint64_t number)
{
    const struct align_pair *pair = NULL;
    int status = find_pair(dump, number, &pair);

    if (status == 0 && !comparison_commands_differ(&compare_of(dump)->comparison, pair))
        status = -ENOENT;
    return status;
}

static int both_exist(struct dump *dump, uint64_t number)
{
    int status = a_exists(dump, number);

    return status == 0 ? b_exists(dump, number) : status;
}

static int add_commands_name(struct dump *dump, unsigned side, uint64_t frame, const char *mark,
                             struct text *text)
{
    char name[RULE_NAME_MAX + 1];
    int status = names_frame(side_dump(dump, side), frame, "", name);

    if (status == 0)
        text_printf(text, "%s %s/by-frame/%s/commands.txt\n", mark,
                    side == 0 ? COMPARE_A : COMPARE_B, name);
    return status;
}

static int make_commands_diff(struct dump *dump, uint64_t number, const struct cancel *cancel,
                              struct blob **out)
{
    const struct comparison *comparison = &compare_of(dump)->comparison;
    const struct align_pair *pair = NULL;
    struct text text = TEXT_INIT;
    int status = commands_exist(dump, number);

    if (status == 0)
        status = find_pair(dump, number, &pair);
    if (status == 0)
        status = add_commands_name(dump, 0, pair->a, "---", &text);
    if (status == 0)
        status = add_commands_name(dump, 1, pair->b, "+++", &text);
    if (status == 0)
        status = compare_write_commands(comparison->sides, pair, cancel, &text);
    return finish(&text, status, out);
}

static void add_draw_number(struct text *text, const char *key, const json_t *draws, unsigned side)
{
    const json_t *number = json_array_get(draws, side);

    if (json_is_integer(number))
        text_field(text, key, "%" JSON_INTEGER_FORMAT, json_integer_value(number));
    else
        text_field(text, key, "-");
}

static int make_first_draw(struct dump *dump, uint64_t number, const struct cancel *cancel,
                           struct blob **out)
{
    struct text text = TEXT_INIT;
    json_t *found = NULL;
    int status = load_details(dump, number, cancel, &found);

    if (status == 0) {
        const json_t *draw = json_object_get(found, "draw");
        const char *why = json_string_value(json_object_get(draw, "why"));

        add_draw_number(&text, COMPARE_A, json_object_get(draw, "draws"), 0);
        add_draw_number(&text, COMPARE_B, json_object_get(draw, "draws"), 1);
        text_field(&text, "why", "%s", why != NULL ? why : "-");
    }
    json_decref(found);
    return finish(&text, status, out);
}

/* differing.tsv. */

static int count_rows(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    int status = wait_for(dump, KNOWN_PAIRS, cancel);

    (void)key;
    *rows = compare_of(dump)->comparison.differing_count;
    return status;
}

static void add_number(struct text *text, const json_t *number)
{
    text_cell_or_none(text, json_is_integer(number), (uint64_t)json_integer_value(number));
}

static void add_details(struct text *text, const json_t *found)
{
    const json_t *picture = json_object_get(found, "picture");
    const json_t *texture = json_array_get(json_object_get(found, "textures"), 0);
    const char *name = json_string_value(json_object_get(texture, "texture"));

    add_number(text, one_of(json_object_get(found, "command"), "lines"));
    add_number(text, one_of(json_object_get(found, "draw"), "draws"));
    text_cell_word(text, name != NULL ? name : "-");
    add_number(text, json_object_get(picture, "pixels"));
    add_number(text, json_object_get(picture, "max_difference"));
}

/* What differs in a pair may be beyond telling, which its info.txt says: the row tells the frames.
 */
static int add_row(struct dump *dump, uint64_t number, const struct cancel *cancel,
                   struct text *text)
{
    const struct align_pair *pair = NULL;
    json_t *found = NULL;
    int status = load_details(dump, number, cancel, &found);

    if (status == -EINTR || status == -ENOMEM)
        return status;
    status = find_pair(dump, number, &pair);
    if (status == 0) {
        text_add_u64(text, number);
        text_cell_or_none(text, pair->a != ALIGN_NONE, pair->a);
        text_cell_or_none(text, pair->b != ALIGN_NONE, pair->b);
        add_details(text, found);
        text_add_char(text, '\n');
    }
    json_decref(found);
    return status;
}

static int write_rows(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    int status = 0;

    (void)key;
    for (uint64_t number = first; status == 0 && number < end; number++)
        status = add_row(dump, number, cancel, text);
    return status;
}

static const struct dump_listing differing_listing = {
    .columns = "pair\ta\tb\tcommand\tdraw\ttexture\tpixels\tmax_difference",
    .count = count_rows,
    .rows = write_rows,
    .piece_rows = ROWS_OF_A_PIECE};

#define OWN(what, own_id, in, pattern)                                                             \
    .kind = RULE_##what, .id = ID_##own_id, .parent = (in), .name = pattern

static const struct rule rules[] = {
    {OWN(FILE, SUMMARY_TXT, RULE_ROOT, "summary.txt"), .make = make_summary_text, .slow = true,
     .help = "where the two differ, as gpudump diff prints it; empty when nowhere"},
    {OWN(FILE, SUMMARY_JSON, RULE_ROOT, "summary.json"), .make = make_summary_json, .slow = true,
     .help = "the same for programs, as gpudump diff --json prints it"},
    {OWN(FILE, DIFFERING_TSV, RULE_ROOT, "differing.tsv"), .listing = &differing_listing,
     .slow = true, .help = "one pair of frames that differ a line"},
    {OWN(DIRECTORY, DIFFERING, RULE_ROOT, "differing")},
    {OWN(DIRECTORY, PAIR, ID_DIFFERING, "NNNNNN"), .family = &pair_family,
     .help = "two frames that go together and differ, or one that only one dump has"},
    {OWN(FILE, INFO_TXT, ID_PAIR, "info.txt"), .make = make_info, .slow = true,
     .help = "which frames, and what differs in them"},
    {OWN(FILE, INFO_JSON, ID_PAIR, "info.json"), .make = make_info_json, .slow = true,
     .help = "the same for programs"},
    {OWN(FILE, COMMANDS_DIFF, ID_PAIR, "commands.diff"), .make = make_commands_diff,
     .exists = commands_exist, .slow = true, .help = "their commands in unified form"},
    {OWN(FILE, FIRST_DRAW, ID_PAIR, "first-draw.txt"), .make = make_first_draw,
     .exists = both_exist, .slow = true,
     .help = "numbers of the first draw that differs, or samples what does"},
    {OWN(LINK, A_PNG, ID_PAIR, COMPARE_A ".png"), .make = make_a_png, .exists = a_png_exists,
     .help = "the picture in the first dump"},
    {OWN(LINK, B_PNG, ID_PAIR, COMPARE_B ".png"), .make = make_b_png, .exists = b_png_exists,
     .help = "the picture in the second"},
    {OWN(FILE, DIFFERENCE_PNG, ID_PAIR, "difference.png"), .size = difference_size,
     .make = make_difference, .exists = difference_exists, .work = CACHE_RENDER, .slow = true,
     .help = "where they differ: equal pixels are dimmed, others magenta"},
    {OWN(LINK, A, ID_PAIR, COMPARE_A), .make = make_a, .exists = a_exists,
     .help = "everything about the frame in the first dump"},
    {OWN(LINK, B, ID_PAIR, COMPARE_B), .make = make_b, .exists = b_exists,
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
    .prepare = prepare,
    .settle = settle,
    .start = start,
    .close = close_dump,
    .introduction =
        "This is a comparison of two GPU dumps, mounted by gpudumpfs: each has its whole tree in "
        "a/ or b/, and what differs stands beside these. Frames are aligned by what they hold, so "
        "that one which only one dump has is found. Begin with summary.txt and differing.tsv; "
        "problems.txt tells what could not be compared. What stands here is known once all frames "
        "of both were looked at; a/ and b/ do not wait for that.\n",
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
