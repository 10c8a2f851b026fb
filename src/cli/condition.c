/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "cli/condition.h"

#include "base/array.h"
#include "base/string.h"
#include "cli/gpudump.h"
#include "image/fingerprint.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct judge {
    struct tree *tree;
    const struct condition *condition;
    uint64_t frame;
    bool has_picture; /* `pixels` has the picture of `picture_frame`, for all conditions of one
                         frame */
    uint64_t picture_frame;
    struct pixels pixels;
    bool holds; /* this condition holds */
    /* What the condition requires, and what the dump has; for the result. */
    struct text expected, found;
    struct text error; /* why the condition cannot be judged */
};

/* Parsing. */

static bool is_hex(const char *text, size_t digits)
{
    return strlen(text) == digits && strspn(text, "0123456789abcdefABCDEF") == digits;
}

static void lower(char *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] - 'A' + 'a' : text[i]);
    out[length] = '\0';
}

static bool parse_pixel(struct condition *condition, const char *value)
{
    uint8_t rgb[3];

    if (!pixels_parse(value, &condition->x, &condition->y, rgb))
        return false;
    snprintf(condition->colour, sizeof(condition->colour), "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
    return true;
}

static bool parse_image(struct condition *condition, const char *value)
{
    (void)condition;
    return *value != '\0';
}

static bool parse_hash(struct condition *condition, const char *value)
{
    if (!is_hex(value, SHA256_DIGITS))
        return false;
    lower(condition->value, value, SHA256_DIGITS);
    return true;
}

static bool parse_draws(struct condition *condition, const char *value)
{
    size_t length = strspn(value, "<=>");

    if (length == 0 || length > 2 || (length == 2 && (*value == '=' || value[1] != '=')))
        return false;
    memcpy(condition->relation, value, length);
    value += length;
    return string_take_number(&value, 10, &condition->number) && *value == '\0';
}

static bool parse_nothing(struct condition *condition, const char *value)
{
    (void)condition, (void)value;
    return true;
}

/* These return 0, or -errno of what could not be read; -EINVAL: the reason is in `error`. */

static int unjudged(struct judge *judge, const char *why)
{
    text_add(&judge->error, why);
    return -EINVAL;
}

static int read_picture(struct judge *judge)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    if (judge->has_picture && judge->picture_frame == judge->frame)
        return 0;
    judge->has_picture = false;
    pixels_clear(&judge->pixels);
    status = contents_find_frame(judge->tree, "frames/", judge->frame, ".png", path, &inode);
    if (status == -ENOENT)
        return unjudged(judge, "the frame has no picture");
    if (status == 0)
        status = pixels_read(judge->tree, inode, NULL, &judge->pixels);
    judge->has_picture = status == 0;
    judge->picture_frame = judge->frame;
    return status;
}

static int judge_pixel(struct judge *judge)
{
    const struct condition *condition = judge->condition;
    char colour[PIXELS_COLOUR];
    int status = read_picture(judge);

    if (status != 0)
        return status;
    pixels_colour(&judge->pixels, condition->x, condition->y, colour);
    judge->holds = strcmp(colour, condition->colour) == 0;
    text_add(&judge->expected, condition->colour);
    text_add(&judge->found, colour);
    if (pixels_at(&judge->pixels, condition->x, condition->y) == NULL)
        text_printf(&judge->found, ", since the picture is %" PRIu32 "x%" PRIu32,
                    judge->pixels.width, judge->pixels.height);
    return 0;
}

static void tell_difference(struct judge *judge, const struct pixels *image)
{
    struct pixels_difference difference;
    char expected[PIXELS_COLOUR], found[PIXELS_COLOUR];

    if (image->width != judge->pixels.width || image->height != judge->pixels.height) {
        text_printf(&judge->expected, "%" PRIu32 "x%" PRIu32, image->width, image->height);
        text_printf(&judge->found, "%" PRIu32 "x%" PRIu32, judge->pixels.width,
                    judge->pixels.height);
        return;
    }
    pixels_compare(image, &judge->pixels, &difference);
    text_add(&judge->expected, "the same pixels");
    judge->holds = difference.count == 0;
    if (judge->holds) {
        text_add(&judge->found, "the same pixels");
        return;
    }
    pixels_colour(image, difference.x, difference.y, expected);
    pixels_colour(&judge->pixels, difference.x, difference.y, found);
    text_printf(&judge->found,
                "%" PRIu64 " different pixels, the first at %" PRIu32 ",%" PRIu32
                ": %s instead of %s",
                difference.count, difference.x, difference.y, found, expected);
}

static int judge_image(struct judge *judge)
{
    struct pixels image = {0};
    int status = pixels_load(judge->condition->value, &image);

    if (status != 0) {
        text_printf(&judge->error, "the image cannot be read: %s",
                    status == -EIO ? "not a PNG" : strerror(-status));
        return -EINVAL;
    }
    status = read_picture(judge);
    if (status == 0)
        tell_difference(judge, &image);
    pixels_clear(&image);
    return status;
}

static int judge_hash(struct judge *judge)
{
    struct picture_pixels pixels = {.colour = PICTURE_RGB};
    uint8_t digest[SHA256_SIZE];
    char found[SHA256_DIGITS + 1];
    int status = read_picture(judge);

    if (status != 0)
        return status;
    pixels.width = judge->pixels.width;
    pixels.height = judge->pixels.height;
    pixels.bytes = judge->pixels.rgb;
    fingerprint_sha256(&pixels, digest);
    sha256_digits(digest, found);
    judge->holds = strcmp(found, judge->condition->value) == 0;
    text_add(&judge->expected, judge->condition->value);
    text_add(&judge->found, found);
    return 0;
}

static bool relation_holds(uint64_t draws, const char *relation, uint64_t number)
{
    switch (*relation) {
    case '<':
        return draws < number || (relation[1] == '=' && draws == number);
    case '>':
        return draws > number || (relation[1] == '=' && draws == number);
    default:
        return draws == number;
    }
}

/* Finds the value of `key: ` at the beginning of a line. */
static bool find_number(const struct text *text, const char *key, uint64_t *out)
{
    const char *at = text->bytes, *end = text->bytes + text->length;
    size_t length = strlen(key);

    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        const char *number = at + length;

        if (line_end == NULL)
            return false;
        if ((size_t)(line_end - at) > length && memcmp(at, key, length) == 0)
            return string_take_number(&number, 10, out) && number == line_end;
        at = line_end + 1;
    }
    return false;
}

static int judge_draws(struct judge *judge)
{
    const struct condition *condition = judge->condition;
    struct text info = TEXT_INIT;
    char path[CONTENTS_PATH];
    uint64_t inode = 0, draws = 0;
    int status =
        contents_find_frame(judge->tree, "by-frame/", judge->frame, "/info.txt", path, &inode);

    if (status == 0)
        status = contents_read(judge->tree, inode, NULL, &info);
    if (status == 0 && !find_number(&info, "draws: ", &draws))
        status = unjudged(judge, "draws are not counted in this format");
    if (status == 0) {
        judge->holds = relation_holds(draws, condition->relation, condition->number);
        text_printf(&judge->found, "%" PRIu64, draws);
        text_add(&judge->expected, condition->value);
    }
    text_clear(&info);
    return status;
}

/* Notes are no defects. */
static bool is_note(const char *line, size_t length)
{
    size_t skipped = text_skip_fields(line, length, 3);

    return length - skipped >= 5 && memcmp(line + skipped, "note:", 5) == 0;
}

static int judge_problems(struct judge *judge)
{
    struct text problems = TEXT_INIT;
    struct text_diff_lines lines = {0};
    const struct text_diff_line *first = NULL;
    uint64_t inode = 0, count = 0;
    int status = tree_find(judge->tree, "problems.txt", true, &inode);

    if (status == 0)
        status = contents_read(judge->tree, inode, NULL, &problems);
    if (status == 0)
        status = text_diff_split(problems.bytes, problems.length, NULL, &lines);
    for (size_t i = 0; status == 0 && i < lines.count; i++)
        if (!is_note(lines.list[i].bytes, lines.list[i].length) && count++ == 0)
            first = &lines.list[i];
    judge->holds = first == NULL;
    text_add(&judge->expected, "none");
    if (first == NULL)
        text_add(&judge->found, "none");
    else {
        text_printf(&judge->found, "%" PRIu64 ", the first: ", count);
        text_add_bytes(&judge->found, first->bytes, first->length);
    }
    text_diff_clear(&lines);
    text_clear(&problems);
    return status;
}

static const struct {
    const char *option, *form; /* how a value is written; NULL: it takes none */
    bool (*parse)(struct condition *condition, const char *value);
    int (*judge)(struct judge *judge);
} kinds[] = {
    [CONDITION_PIXEL] = {"pixel", "X,Y=#rrggbb", parse_pixel, judge_pixel},
    [CONDITION_IMAGE] = {"image", "a file", parse_image, judge_image},
    [CONDITION_HASH] = {"hash", "64 hexadecimal digits", parse_hash, judge_hash},
    [CONDITION_DRAWS] = {"draws", "<N, <=N, =N, >=N or >N", parse_draws, judge_draws},
    [CONDITION_PROBLEMS] = {"no-problems", NULL, parse_nothing, judge_problems},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

static int find_kind(const char *option)
{
    for (int i = 0; i < KINDS; i++)
        if (strcmp(kinds[i].option, option) == 0)
            return i;
    return -ENOENT;
}

int condition_takes_value(const char *option)
{
    int kind = find_kind(option);

    if (strcmp(option, "frame") == 0)
        return true;
    return kind < 0 ? kind : kinds[kind].form != NULL;
}

char *condition_path(const char *folder, const char *path)
{
    bool as_it_is = folder == NULL || *path == '/';
    char *joined = NULL;

    if (asprintf(&joined, "%s%s", as_it_is ? "" : folder, path) < 0)
        return NULL;
    return joined;
}

static int refuse(struct text *message, const char *option, const char *value, const char *form)
{
    text_printf(message, "--%s %s: not %s", option, value, form);
    return -EINVAL;
}

int condition_end(const struct condition_list *conditions, struct text *message)
{
    if (!conditions->ends_in_frame)
        return 0;
    text_printf(message, "--frame %" PRIu64 ": no condition follows it", conditions->frame);
    return -EINVAL;
}

static int set_frame(struct condition_list *conditions, const char *value, struct text *message)
{
    const char *at = value;
    int status = condition_end(conditions, message);

    if (status != 0)
        return status;
    conditions->has_frame = string_take_number(&at, 10, &conditions->frame) && *at == '\0';
    conditions->ends_in_frame = conditions->has_frame;
    return conditions->has_frame ? 0 : refuse(message, "frame", value, "a frame number");
}

int condition_add(struct condition_list *conditions, const char *option, const char *value,
                  struct text *message)
{
    int kind = find_kind(option);
    struct condition *added;

    if (strcmp(option, "frame") == 0)
        return set_frame(conditions, value, message);
    if (ARRAY_GROW(conditions->list, conditions->count, conditions->room) != 0)
        return -ENOMEM;
    added = &conditions->list[conditions->count];
    *added = (struct condition){.kind = (enum condition_kind)kind,
                                .has_frame = conditions->has_frame,
                                .frame = conditions->frame};
    added->value = condition_path(kind == CONDITION_IMAGE ? conditions->folder : NULL,
                                  value != NULL ? value : "");
    if (added->value == NULL)
        return -ENOMEM;
    conditions->count++;
    conditions->ends_in_frame = false;
    return kinds[kind].parse(added, value) ? 0 : refuse(message, option, value, kinds[kind].form);
}

void condition_clear(struct condition_list *conditions)
{
    for (size_t i = 0; i < conditions->count; i++)
        free(conditions->list[i].value);
    free(conditions->list);
    *conditions = (struct condition_list){0};
}

json_t *condition_string(const char *bytes, size_t length)
{
    struct text text = TEXT_INIT;
    json_t *string = NULL;

    text_add_visible(&text, bytes, length);
    if (text_status(&text) == 0)
        string = json_stringn(text.length > 0 ? text.bytes : "", text.length);
    text_clear(&text);
    return string;
}

/* Frames. */

static bool keep_last(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                      uint64_t next_cursor)
{
    uint64_t *last = context;

    (void)next_cursor;
    if (kind == RULE_DIRECTORY && *name != '.')
        *last = inode;
    return true;
}

/* Finds the last picture, or if no frame has one the last frame. */
static int find_last(struct tree *tree, uint64_t *inode)
{
    uint64_t folder = 0, cursor = 0;
    int status = tree_find(tree, "latest.png", true, inode);

    if (status != -ENOENT)
        return status;
    *inode = 0;
    status = tree_find(tree, "by-frame", true, &folder);
    if (status == 0)
        status = tree_list(tree, folder, &cursor, keep_last, inode);
    return status == 0 && *inode == 0 ? -ENOENT : status;
}

static int find_last_frame(struct tree *tree, uint64_t *frame)
{
    struct tree_xattrs xattrs;
    const char *value = NULL;
    uint64_t inode = 0;
    int status = find_last(tree, &inode);

    if (status == 0)
        status = tree_xattrs(tree, inode, &xattrs);
    if (status == 0)
        value = tree_xattrs_find(&xattrs, "frame");
    if (status == 0 && value == NULL)
        status = -ENOENT;
    if (status == 0)
        *frame = strtoull(value, NULL, 10);
    return status;
}

static int choose_frame(struct judge *judge)
{
    char path[CONTENTS_PATH];
    uint64_t inode = 0;
    int status;

    judge->frame = judge->condition->frame;
    if (!judge->condition->has_frame) {
        status = find_last_frame(judge->tree, &judge->frame);
        return status == -ENOENT ? unjudged(judge, "the dump has no frame") : status;
    }
    status = contents_find_frame(judge->tree, "by-frame/", judge->frame, "", path, &inode);
    return status == -ENOENT ? unjudged(judge, "there is no such frame") : status;
}

/* Results. */

static void set_text(json_t *result, const char *key, const struct text *text)
{
    json_object_set_new(result, key, condition_string(text->bytes, text->length));
}

static json_t *describe(const struct judge *judge, int status)
{
    const struct condition *condition = judge->condition;
    const struct text *expected = &judge->expected, *found = &judge->found;
    json_t *result = json_pack("{s:s}", "condition", kinds[condition->kind].option);
    size_t subject = condition->kind == CONDITION_PIXEL ? strcspn(condition->value, "=")
                                                        : strlen(condition->value);

    if (condition->kind != CONDITION_PROBLEMS)
        json_object_set_new(result, "frame", json_integer((json_int_t)judge->frame));
    json_object_set_new(result, "value",
                        condition_string(condition->value, strlen(condition->value)));
    if (condition->kind <= CONDITION_IMAGE)
        json_object_set_new(result, "subject", condition_string(condition->value, subject));
    json_object_set_new(result, "holds", status != 0 ? json_null() : json_boolean(judge->holds));
    if (status == 0) {
        set_text(result, "expected", expected);
        set_text(result, "found", found);
    } else if (judge->error.length > 0) {
        set_text(result, "error", &judge->error);
    } else {
        json_object_set_new(result, "error", json_string(strerror(-status)));
    }
    return result;
}

static int judge_one(struct judge *judge, const struct condition *condition, json_t *results)
{
    int status = 0;

    judge->condition = condition;
    judge->frame = condition->frame;
    judge->holds = false;
    text_reset(&judge->expected);
    text_reset(&judge->found);
    text_reset(&judge->error);
    if (condition->kind != CONDITION_PROBLEMS || condition->has_frame)
        status = choose_frame(judge);
    if (status == 0)
        status = kinds[condition->kind].judge(judge);
    if (status == 0)
        status = text_status(&judge->expected) != 0 ? text_status(&judge->expected)
                                                    : text_status(&judge->found);
    return json_array_append_new(results, describe(judge, status)) == 0 ? 0 : -ENOMEM;
}

int condition_judge(const struct condition_list *conditions, struct tree *tree, json_t *results)
{
    struct judge judge = {.tree = tree};
    int status = 0;

    for (int problems = 0; problems < 2; problems++)
        for (size_t i = 0; status == 0 && i < conditions->count; i++)
            if ((conditions->list[i].kind == CONDITION_PROBLEMS) == (problems == 1))
                status = judge_one(&judge, &conditions->list[i], results);
    pixels_clear(&judge.pixels);
    text_clear(&judge.expected);
    text_clear(&judge.found);
    text_clear(&judge.error);
    return status;
}
