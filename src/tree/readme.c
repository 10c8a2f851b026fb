/* SPDX-License-Identifier: MIT */
#include "tree/internal.h"
#include "tree/names.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum { LINE_WIDTH = 78, PATH_WIDTH = 36 };

/*
 * Returns how much must stay on one line: up to a blank or line feed; 'key: value' in quotes as a
 * whole.
 */
static size_t unbroken_length(const char *words)
{
    const char *quote = *words == '\'' ? strchr(words + 1, '\'') : NULL;
    size_t quoted = quote != NULL ? (size_t)(quote - words) + 1 : 0;

    return quoted + strcspn(words + quoted, " \n");
}

/*
 * Appends a paragraph in lines of LINE_WIDTH, broken at blanks and line feeds; the lines after the
 * first are indented.
 */
static void add_wrapped(struct text *text, const char *words, size_t column, size_t indent)
{
    bool first = true;

    while (*words != '\0') {
        size_t length = unbroken_length(words);

        if (!first && column + 1 + length > LINE_WIDTH) {
            text_add_char(text, '\n');
            for (column = 0; column < indent; column++)
                text_add_char(text, ' ');
        } else if (!first) {
            text_add_char(text, ' ');
            column++;
        }
        text_add_bytes(text, words, length);
        column += length;
        first = false;
        words += length;
        words += strspn(words, " \n");
    }
    text_add_char(text, '\n');
}

void readme_add_path(struct text *text, const struct tree *tree, const struct rule *rule)
{
    if (rule->id == RULE_ROOT)
        return;
    readme_add_path(text, tree, tree->rules.by_id[rule->parent]);
    text_add(text, rule->name);
    if (rule->kind == RULE_DIRECTORY)
        text_add_char(text, '/');
}

static void add_rule(struct text *text, const struct tree *tree, const struct rule *rule)
{
    struct text path = TEXT_INIT;
    size_t column = 0;

    readme_add_path(&path, tree, rule);
    column = path.length;
    text_add_text(text, &path);
    if (column + 2 > PATH_WIDTH) {
        text_add_char(text, '\n');
        column = 0;
    }
    for (; column < PATH_WIDTH; column++)
        text_add_char(text, ' ');
    add_wrapped(text, rule->help, column, PATH_WIDTH);
    text_clear(&path);
}

bool readme_is_absent(const struct tree *tree, const struct rule *rule)
{
    struct tree_dependency unused = {0};

    return (rule->alike || (rule->family == NULL && rule->parent == RULE_ROOT)) &&
           tree_present(tree, rule, 0, &unused) == -ENOENT;
}

/*
 * Appends the rules in the order of the tables, each directory before its contents; .gpudumpfs/
 * comes last.
 */
static void add_rules(struct text *text, const struct tree *tree, const struct rule *directory)
{
    const struct rule_set *rules = &tree->rules;
    unsigned id = directory->id;

    for (unsigned i = rules->first[id]; i < rules->first[id + 1]; i++) {
        const struct rule *rule = rules->children[i];

        if (rule->id == RULE_ABOUT || readme_is_absent(tree, rule))
            continue;
        if (rule->help != NULL)
            add_rule(text, tree, rule);
        if (rule->kind == RULE_DIRECTORY)
            add_rules(text, tree, rule);
    }
}

/* Appends `000000 to 000119`, or a single number. */
static void add_range(struct text *text, uint64_t count, unsigned digits)
{
    text_add_padded(text, 0, digits);
    if (count <= 1)
        return;
    text_add(text, " to ");
    text_add_padded(text, count - 1, digits);
}

static void add_counts(struct text *text, const struct dump *dump)
{
    uint64_t packets = dump->ops->packets(dump), frames = dump->ops->frames(dump);

    text_printf(text, "It has %" PRIu64 " packet%s", packets, packets == 1 ? "" : "s");
    if (packets > 0) {
        text_add(text, ", ");
        add_range(text, packets, tree_packet_digits(dump));
    }
    text_printf(text, ",\nand %" PRIu64 " frame%s", frames, frames == 1 ? "" : "s");
    if (frames > 0) {
        text_add(text, ", ");
        add_range(text, frames, tree_frame_digits(dump));
    }
    text_add(text, ".\n");
}

/* Returns whether the pictures are numbered as ffmpeg expects, without gaps from 0 on. */
static bool is_film(struct dump *dump, uint64_t frames)
{
    uint64_t first = 0, second = 0;

    return frames > 1 && dump_has_pictures(dump) && names_next_picture(dump, 0, 0, &first) == 0 &&
           first == 0 && names_next_picture(dump, 0, 1, &second) == 0 && second == 1;
}

/* Appends command lines that work in this mount. */
static void add_examples(struct text *text, struct dump *dump)
{
    uint64_t frames = dump->ops->frames(dump);

    text_add(text, "\nTry:\n\n    cat metadata.txt problems.txt\n    column -t frames.tsv\n");
    if (frames == 0)
        return;
    text_add(text, "    less by-frame/");
    text_add_padded(text, frames / 2, tree_frame_digits(dump));
    text_add(text, "/commands.txt\n");
    if (is_film(dump, frames))
        text_printf(text, "    ffmpeg -framerate 60 -i frames/%%0%ud.png /tmp/frames.mp4\n",
                    tree_frame_digits(dump));
}

/* Everything that the text depends on is made known, so that the text is always the same. */
int readme_know_names(struct dump *dump, const struct cancel *cancel)
{
    const struct rule_set *rules = &dump->tree->rules;
    uint64_t picture = 0;
    int status = 0;

    if (dump->ops->frames(dump) == DUMP_NOT_KNOWN)
        status = dump->ops->settle(dump, cancel);
    for (unsigned i = rules->first[RULE_ROOT]; i < rules->first[RULE_ROOT + 1]; i++) {
        const struct rule *rule = rules->children[i];

        if (status == 0 && rule->exists != NULL && rule->exists(dump, 0) == -EAGAIN)
            status = dump->ops->readiness.prepare(dump, RULE_ROOT, 0, cancel);
    }
    if (status == 0 && dump_has_pictures(dump) &&
        names_next_picture(dump, 0, 0, &picture) == -EAGAIN)
        status = dump->ops->readiness.prepare(dump, RULE_FRAMES, 0, cancel);
    return status;
}

int readme_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    struct text text = TEXT_INIT;
    const char *name = source_name(dump->source);
    int status = readme_know_names(dump, cancel);

    (void)key;
    if (status < 0)
        return status;
    if (!dump->ops->made_of_others) {
        text_add(&text, "This is ");
        text_add_escaped(&text, name, strlen(name));
        text_add(&text, ", mounted by gpudumpfs: a GPU dump as a directory tree.\n\n");
    }
    if (dump->ops->introduction != NULL) {
        add_wrapped(&text, dump->ops->introduction, 0, 0);
        text_add_char(&text, '\n');
    }
    if (!dump->ops->made_of_others) {
        add_counts(&text, dump);
        text_add_char(&text, '\n');
    }
    text_add(&text, "Files:\n\n");
    add_rules(&text, dump->tree, dump->tree->rules.by_id[RULE_ROOT]);
    add_rules(&text, dump->tree, dump->tree->rules.by_id[RULE_ABOUT]);
    text_add(&text,
             "\nNumbers count from zero. Sizes are exact. Contents are produced once, when they\n"
             "are read, and are always the same. The mount is read-only.\n");
    if (!dump->ops->made_of_others)
        add_examples(&text, dump);
    return common_finish(&text, 0, out);
}
