/* SPDX-License-Identifier: MIT */
#include "tree/pages.h"

#include "config.h"

#include "page/page.h"
#include "tree/internal.h"
#include "tree/names.h"
#include "tree/scripts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The pages, as they are embedded in the program. */

static int borrow(const struct page_file *file, struct blob **out)
{
    return blob_borrow((const uint8_t *)file->bytes, file->size, out);
}

int pages_make_root(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return borrow(&page_root, out);
}

int pages_make_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return borrow(&page_frame, out);
}

int pages_make_script(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return borrow(&page_script, out);
}

int pages_make_style(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out)
{
    (void)dump, (void)key, (void)cancel;
    return borrow(&page_style, out);
}

/* dump.js. */

static void add_string(struct text *text, const char *string)
{
    scripts_add_string(text, string, strlen(string));
}

static void add_member(struct text *text, const char *name, const char *value)
{
    text_printf(text, ",\n\"%s\":", name);
    if (value != NULL)
        add_string(text, value);
    else
        text_add(text, "null");
}

/*
 * Appends each name below a directory as `["by-frame/NNNNNN/info.txt","help"]`, with a third
 * element 1 if the file may take long.
 */
static void add_names(struct text *text, const struct tree *tree, const struct rule *directory,
                      bool *first)
{
    const struct rule_set *rules = &tree->rules;

    for (unsigned i = rules->first[directory->id]; i < rules->first[directory->id + 1]; i++) {
        const struct rule *rule = rules->children[i];
        struct text path = TEXT_INIT;

        if (readme_is_absent(tree, rule))
            continue;
        readme_add_path(&path, tree, rule);
        text_add(text, *first ? "\n[" : ",\n[");
        *first = false;
        scripts_add_string(text, path.bytes, path.length);
        text_add_char(text, ',');
        add_string(text, rule->help != NULL ? rule->help : "");
        text_add(text, rule->slow ? ",1]" : "]");
        text_clear(&path);
        if (rule->kind == RULE_DIRECTORY)
            add_names(text, tree, rule, first);
    }
}

/*
 * Appends the size of the first picture, so that a page knows its proportions before any is made.
 */
static void add_shape(struct text *text, struct dump *dump)
{
    struct dump_frame frame = {0};
    uint64_t number = 0;

    if (!dump_has_pictures(dump) || names_next_picture(dump, 0, 0, &number) != 0 ||
        dump->ops->frame(dump, number, &frame) != 0)
        return;
    text_printf(text, ",\n\"width\":%" PRIu32 ",\n\"height\":%" PRIu32, frame.width, frame.height);
}

static void add_counts(struct text *text, struct dump *dump)
{
    text_printf(text,
                ",\n\"packets\":%" PRIu64 ",\n\"packetDigits\":%u,\n\"frames\":%" PRIu64
                ",\n\"frameDigits\":%u,\n\"grows\":%s",
                dump->ops->packets(dump), tree_packet_digits(dump), dump->ops->frames(dump),
                tree_frame_digits(dump), tree_grows(dump->tree) ? "true" : "false");
}

int pages_make_dump(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct text text = TEXT_INIT;
    bool first = true;
    int status = readme_know_names(dump, cancel);

    (void)key;
    if (status < 0)
        return status;
    text_add(&text, "gpudumpfsDump({\n\"program\":\"" PACKAGE_STRING "\"");
    add_member(&text, "format", dump->format);
    add_member(&text, "source", source_name(dump->source));
    add_member(&text, "game", dump_game(dump));
    add_member(&text, "introduction", dump->ops->introduction);
    add_counts(&text, dump);
    add_shape(&text, dump);
    text_add(&text, ",\n\"names\":[");
    add_names(&text, dump->tree, dump->tree->rules.by_id[RULE_ROOT], &first);
    text_add(&text, "]});\n");
    return common_finish(&text, 0, out);
}

uint64_t pages_dump_version(struct dump *dump, uint64_t key)
{
    (void)key;
    return dump->follow != NULL ? dump->follow->moment : 0;
}
