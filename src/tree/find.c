/* SPDX-License-Identifier: MIT */
#include "tree/find.h"

#include "tree/frame_pixels.h"
#include "tree/names.h"
#include "tree/search.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BITS_DIGITS = SEARCH_BITS / 4, POLLS = 1 << 12 };

/* Common to frames and textures. */

static const struct rule *rule_of_frames(const struct dump *dump)
{
    return dump->tree->rules.by_id[RULE_FRAME_PNG];
}

static const struct rule *rule_of_textures(const struct dump *dump)
{
    return dump->tree->rules.by_id[dump->ops->textures.rule];
}

static bool parse(struct dump *dump, uint64_t parent_key, const char *name, uint64_t *ordinal)
{
    char bits[BITS_DIGITS + 1] = {0};

    (void)dump, (void)parent_key;
    if (strspn(name, "0123456789abcdef") != SHA256_DIGITS || name[SHA256_DIGITS] != '\0')
        return false;
    memcpy(bits, name, BITS_DIGITS);
    *ordinal = strtoull(bits, NULL, 16);
    return true;
}

/* An unlisted family only has to say whether `from` itself exists. */
static int next_of(struct picture_search *search, uint64_t from, uint64_t *ordinal)
{
    struct search_picture picture;

    *ordinal = from;
    return search_find(search, from, &picture);
}

static int name_of(struct picture_search *search, uint64_t ordinal, char *name)
{
    struct search_picture picture;
    int status = search_find(search, ordinal, &picture);

    if (status == 0)
        sha256_digits(picture.sha256, name);
    return status;
}

/* The target is relative to find/KIND/HASH/. */
static int make_first(struct picture_search *search, struct dump *dump, const struct rule *rule,
                      uint64_t key, struct blob **out)
{
    struct search_picture picture;
    struct text text = TEXT_INIT;
    int status = search_find(search, key, &picture);

    if (status < 0)
        return status;
    text_add(&text, "../../../");
    names_add_path(dump->tree, rule, picture.key, &text);
    return common_finish(&text, 0, out);
}

static void add_row(struct dump *dump, const struct rule *rule, uint64_t frame, uint64_t key,
                    struct text *text)
{
    if (frame == DUMP_NO_FRAME)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame);
    text_add_char(text, '\t');
    names_add_path(dump->tree, rule, key, text);
    text_add_char(text, '\n');
}

static int make_where(struct picture_search *search, struct dump *dump, const struct rule *rule,
                      uint64_t (*frame_of)(struct dump *dump, uint64_t key), uint64_t key,
                      const struct cancel *cancel, struct blob **out)
{
    struct search_picture picture, first = {0};
    struct text text = TEXT_INIT;
    uint32_t rows = 0;
    int status = search_for_all(search, cancel);

    text_add(&text, "frame\tpicture\n");
    if (status == 0)
        status = search_find(search, key, &first);
    for (picture = first; status == 0;) {
        if (memcmp(picture.sha256, first.sha256, SHA256_SIZE) == 0)
            add_row(dump, rule, frame_of(dump, picture.key), picture.key, &text);
        if (picture.next == 0)
            break;
        status = search_get(search, picture.next, &picture);
        if (++rows % POLLS == 0 && cancel_requested(cancel))
            status = -EINTR;
    }
    return common_finish(&text, status, out);
}

/* Frames. */

static int next_frame(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)parent_key;
    return next_of(dump->tree->frames, from, ordinal);
}

static int name_frame(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    return name_of(dump->tree->frames, ordinal, name);
}

const struct rule_family find_frame_family = {SEARCH_BITS, next_frame, name_frame, parse};

int find_prepare_frame(struct dump *dump, uint64_t key, const struct cancel *cancel)
{
    return search_for_bits(dump->tree->frames, key, cancel);
}

int find_make_first_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    (void)cancel;
    return make_first(dump->tree->frames, dump, rule_of_frames(dump), key, out);
}

/* The key of a frame's picture is its number. */
static uint64_t frame_itself(struct dump *dump, uint64_t key)
{
    (void)dump;
    return key;
}

int find_make_frames(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    return make_where(dump->tree->frames, dump, rule_of_frames(dump), frame_itself, key, cancel,
                      out);
}

/* Textures. */

static int next_texture(struct dump *dump, uint64_t parent_key, uint64_t from, uint64_t *ordinal)
{
    (void)parent_key;
    return next_of(dump->tree->textures, from, ordinal);
}

static int name_texture(struct dump *dump, uint64_t parent_key, uint64_t ordinal, char *name)
{
    (void)parent_key;
    return name_of(dump->tree->textures, ordinal, name);
}

const struct rule_family find_texture_family = {SEARCH_BITS, next_texture, name_texture, parse};

int find_prepare_texture(struct dump *dump, uint64_t key, const struct cancel *cancel)
{
    return search_for_bits(dump->tree->textures, key, cancel);
}

int find_make_first_texture(struct dump *dump, uint64_t key, const struct cancel *cancel,
                            struct blob **out)
{
    (void)cancel;
    return make_first(dump->tree->textures, dump, rule_of_textures(dump), key, out);
}

static uint64_t frame_of_texture(struct dump *dump, uint64_t key)
{
    return dump->ops->textures.frame != NULL ? dump->ops->textures.frame(dump, key) : DUMP_NO_FRAME;
}

int find_make_textures(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    return make_where(dump->tree->textures, dump, rule_of_textures(dump), frame_of_texture, key,
                      cancel, out);
}

/* near-frames.tsv. */

static int count_near(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows)
{
    uint64_t frame = 0;
    int status = 0;

    (void)key;
    for (*rows = 0; (status = frame_pixels_next(dump, frame, cancel, &frame)) == 0; frame++)
        if (++*rows % POLLS == 0 && cancel_requested(cancel))
            return -EINTR;
    return status == -ENOENT ? 0 : status;
}

/* What is shown in place of a hash that could not be made; padded to the same length. */
static const char *const no_hash[] = {
    [SEARCH_FAILED] = "cannot-be-made",
    [SEARCH_LEFT_OFF] = "left-off-beyond-max-seconds",
};

static void add_hash(struct text *text, const struct search_picture *picture)
{
    char digits[SHA256_DIGITS + 1];

    memset(digits, '-', SHA256_DIGITS);
    digits[SHA256_DIGITS] = '\0';
    if (picture->outcome == SEARCH_SEEN)
        sha256_digits(picture->sha256, digits);
    else
        memcpy(digits, no_hash[picture->outcome], strlen(no_hash[picture->outcome]));
    text_add(text, digits);
}

static void add_near(struct dump *dump, const struct search_picture *picture, uint64_t near,
                     struct text *text)
{
    text_add_padded(text, picture->key, tree_frame_digits(dump));
    text_add_char(text, '\t');
    add_hash(text, picture);
    text_printf(text, "\t%016" PRIx64 "\t", picture->dhash);
    text_add_padded(text, near, tree_frame_digits(dump));
    text_printf(text, "\t%02u\n", picture->distance);
}

static int write_near(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                      const struct cancel *cancel, struct text *text)
{
    struct picture_search *search = dump->tree->frames;
    struct search_picture picture = {0}, near = {0};
    int status = search_for_place(search, (uint32_t)end - 1, cancel);

    (void)key;
    for (uint64_t at = first; at < end && status == 0; at++) {
        status = search_get(search, (uint32_t)at, &picture);
        if (status == 0)
            status = search_get(search, picture.near, &near);
        if (status == 0)
            add_near(dump, &picture, near.key, text);
    }
    return status == -ENOENT ? -EIO : status;
}

static int measure_near(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                        const struct cancel *cancel, struct text *text)
{
    const struct search_picture picture = {0};

    (void)key, (void)cancel;
    for (uint64_t at = first; at < end; at++)
        add_near(dump, &picture, 0, text);
    return 0;
}

enum { NEAR_ROWS = 256 };

const struct dump_listing find_near_frames = {.columns = "frame\tsha256\tdhash\tnear\tdistance",
                                              .count = count_near,
                                              .rows = write_near,
                                              .measure_rows = measure_near,
                                              .piece_rows = NEAR_ROWS};
