/* SPDX-License-Identifier: MIT */
/*
 * Reports on what differs, for the complete comparison and for each pair; what differs in a pair is
 * found once for all files about it.
 */
#include "config.h"

#include "compare/compare_parts.h"

#include "base/budget.h"
#include "compare/compare_dump.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

enum {
    ROWS_OF_A_PIECE = 8, /* each examines two frames */
    PART_DETAILS = 1,    /* part number of the details in the item of info.json */
};

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

int compare_report_summary_json(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                struct blob **out)
{
    struct text text = TEXT_INIT;
    int status = compare_dump_wait(dump, KNOWN_SUMMARY, cancel);

    (void)key;
    if (status == 0)
        status = write_json(compare_of(dump)->summary, &text);
    return finish(&text, status, out);
}

int compare_report_summary(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out)
{
    struct compare_dump *compare = compare_of(dump);
    struct text text = TEXT_INIT;
    int status = compare_dump_wait(dump, KNOWN_SUMMARY, cancel);

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
    int status = found == NULL ? -ENOMEM : compare_pair_find(dump, number, &pair);

    if (status == 0)
        status = comparison_search_pair(&compare_of(dump)->comparison, pair, cancel, found);
    if (status == 0)
        status = write_json(found, &text);
    json_decref(found);
    return finish(&text, status, out);
}

/* Gets what differs in a pair, which is found once for all files about it. */
static int get_details(struct dump *dump, uint64_t number, const struct cancel *cancel,
                       struct blob **out)
{
    static const struct cache_maker maker = {
        .work = CACHE_TEXT, .make = make_details, .slow = true};
    struct cache_key key = {.item = inode_pack(ID_INFO_JSON, number), .part = PART_DETAILS};
    int status = compare_dump_wait(dump, KNOWN_PAIRS, cancel);

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

int compare_report_info_json(struct dump *dump, uint64_t number, const struct cancel *cancel,
                             struct blob **out)
{
    return get_details(dump, number, cancel, out);
}

/*
 * Returns the value of the first dump if there is one, otherwise of the second; NULL if neither has
 * one.
 */
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

int compare_report_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                        struct blob **out)
{
    const struct comparison *comparison = &compare_of(dump)->comparison;
    const struct align_pair *pair = NULL;
    struct text text = TEXT_INIT;
    json_t *found = NULL;
    int status = load_details(dump, number, cancel, &found);

    if (status == 0)
        status = compare_pair_find(dump, number, &pair);
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

int compare_report_has_commands(struct dump *dump, uint64_t number)
{
    const struct align_pair *pair = NULL;
    int status = compare_pair_find(dump, number, &pair);

    if (status == 0 && !comparison_commands_differ(&compare_of(dump)->comparison, pair))
        status = -ENOENT;
    return status;
}

int compare_report_has_draws(struct dump *dump, uint64_t number)
{
    int status = compare_pair_has_a(dump, number);

    return status == 0 ? compare_pair_has_b(dump, number) : status;
}

static int add_commands_name(struct dump *dump, unsigned side, uint64_t frame, const char *mark,
                             struct text *text)
{
    char name[RULE_NAME_MAX + 1];
    int status = names_frame(compare_pair_dump(dump, side), frame, "", name);

    if (status == 0)
        text_printf(text, "%s %s/by-frame/%s/commands.txt\n", mark,
                    side == 0 ? COMPARE_A : COMPARE_B, name);
    return status;
}

int compare_report_commands(struct dump *dump, uint64_t number, const struct cancel *cancel,
                            struct blob **out)
{
    const struct comparison *comparison = &compare_of(dump)->comparison;
    const struct align_pair *pair = NULL;
    struct text text = TEXT_INIT;
    int status = compare_report_has_commands(dump, number);

    if (status == 0)
        status = compare_pair_find(dump, number, &pair);
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

int compare_report_draw(struct dump *dump, uint64_t number, const struct cancel *cancel,
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
    int status = compare_dump_wait(dump, KNOWN_PAIRS, cancel);

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

/*
 * If finding the details exceeds a limit, which info.txt of the pair reports, the row has only the
 * frames. The details have the limit of time that they would have by themselves, not that of the
 * table: one table covers hundreds of pairs.
 */
static int add_row(struct dump *dump, uint64_t number, const struct cancel *cancel,
                   struct text *text)
{
    const struct align_pair *pair = NULL;
    struct budget_pause pause;
    json_t *found = NULL;
    int status;

    budget_pause(&pause);
    status = load_details(dump, number, cancel, &found);
    budget_resume(&pause);
    if (status == -EINTR || status == -ENOMEM)
        return status;
    status = compare_pair_find(dump, number, &pair);
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

const struct dump_listing compare_report_differing = {
    .columns = "pair\ta\tb\tcommand\tdraw\ttexture\tpixels\tmax_difference",
    .count = count_rows,
    .rows = write_rows,
    .piece_rows = ROWS_OF_A_PIECE};
