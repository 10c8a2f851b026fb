/* SPDX-License-Identifier: MIT */
#include "tree/scripts.h"

#include "base/string.h"
#include "base/utf8.h"
#include "tree/pieces.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Names and keys: the ordinal is the number of the piece below the id of the file's rule; the
 * directory's key is above the ordinal.
 */

enum { PIECE_BITS = 20, ORDINAL_BITS = PIECE_BITS + 8, NUMBER_DIGITS = 15 };

static const struct rule *rule_at(const struct dump *dump, uint64_t key)
{
    return dump->tree->rules.by_id[key >> PIECE_BITS & (RULES_MAX - 1)];
}

static uint64_t piece_of(uint64_t key)
{
    return key & ((1 << PIECE_BITS) - 1);
}

static bool is_table(const struct rule *rule)
{
    return string_ends(rule->name, ".tsv");
}

static bool is_text(const struct rule *rule)
{
    return rule->kind == RULE_FILE && rule->family == NULL &&
           (is_table(rule) || string_ends(rule->name, ".txt") || string_ends(rule->name, ".json"));
}

/* An unlisted family only has to say whether `from` itself exists. */
static int next_of(struct dump *dump, unsigned directory, uint64_t key, uint64_t from,
                   uint64_t *ordinal)
{
    const struct rule *rule = rule_at(dump, from);

    *ordinal = from;
    if (from >> ORDINAL_BITS != 0 || rule == NULL || rule->parent != directory || !is_text(rule))
        return -ENOENT;
    return rule->exists != NULL ? rule->exists(dump, key) : 0;
}

static int next_of_root(struct dump *dump, uint64_t key, uint64_t from, uint64_t *ordinal)
{
    return next_of(dump, RULE_ROOT, key, from, ordinal);
}

static int next_of_frame(struct dump *dump, uint64_t frame, uint64_t from, uint64_t *ordinal)
{
    return next_of(dump, RULE_FRAME, frame, from, ordinal);
}

static int write_name(struct dump *dump, uint64_t key, uint64_t ordinal, char *name)
{
    (void)key;
    snprintf(name, RULE_NAME_MAX + 1, "%s.%" PRIu64 ".js", rule_at(dump, ordinal)->name,
             piece_of(ordinal));
    return 0;
}

/* Returns the dot before the number, or NULL if the name is not one of a script. */
static const char *find_number(const char *name)
{
    const char *dot;

    if (!string_ends(name, ".js"))
        return NULL;
    dot = name + strlen(name) - strlen(".js");
    while (dot > name && dot[-1] >= '0' && dot[-1] <= '9')
        dot--;
    return dot > name && dot[-1] == '.' ? dot - 1 : NULL;
}

static bool parse_name(struct dump *dump, unsigned directory, const char *name, uint64_t *ordinal)
{
    const struct rule_set *rules = &dump->tree->rules;
    const char *dot = find_number(name);
    uint64_t piece = dot != NULL ? strtoull(dot + 1, NULL, 10) : 0;

    if (dot == NULL || piece >> PIECE_BITS != 0)
        return false;
    for (unsigned i = rules->first[directory]; i < rules->first[directory + 1]; i++) {
        const struct rule *rule = rules->children[i];

        if (!is_text(rule) || strncmp(rule->name, name, (size_t)(dot - name)) != 0 ||
            rule->name[dot - name] != '\0')
            continue;
        *ordinal = (uint64_t)rule->id << PIECE_BITS | piece;
        return true;
    }
    return false;
}

static bool parse_in_root(struct dump *dump, uint64_t key, const char *name, uint64_t *ordinal)
{
    (void)key;
    return parse_name(dump, RULE_ROOT, name, ordinal);
}

static bool parse_in_frame(struct dump *dump, uint64_t frame, const char *name, uint64_t *ordinal)
{
    (void)frame;
    return parse_name(dump, RULE_FRAME, name, ordinal);
}

const struct rule_family scripts_root_family = {ORDINAL_BITS, next_of_root, write_name,
                                                parse_in_root};
const struct rule_family scripts_frame_family = {ORDINAL_BITS, next_of_frame, write_name,
                                                 parse_in_frame};

/* Values. */

static void add_character(struct text *text, uint32_t point, const char *bytes, size_t length)
{
    char room[UTF8_JSON_ROOM];

    if (point != '"' && point != '\\' && point != '<' && utf8_printable(point))
        text_add_bytes(text, bytes, length);
    else
        text_add_bytes(text, room, utf8_json_escape(point, room));
}

void scripts_add_string(struct text *text, const char *bytes, size_t length)
{
    const uint32_t replacement = 0xFFFD;

    text_add_char(text, '"');
    for (size_t at = 0; at < length;) {
        uint32_t point = 0;
        size_t taken = utf8_decode((const uint8_t *)bytes + at, length - at, &point);

        add_character(text, taken == 0 ? replacement : point,
                      taken == 0 ? "\xEF\xBF\xBD" : bytes + at, taken == 0 ? 3 : taken);
        at += taken == 0 ? 1 : taken;
    }
    text_add_char(text, '"');
}

/* Returns whether a script would print the number with the same digits. */
static bool is_number(const char *cell, size_t length)
{
    size_t sign = length > 1 && *cell == '-';

    for (size_t i = sign; i < length; i++)
        if (cell[i] < '0' || cell[i] > '9')
            return false;
    return length > sign && length - sign <= NUMBER_DIGITS &&
           (cell[sign] != '0' || (length == 1 && sign == 0));
}

static void add_cell(struct text *text, const char *cell, size_t length)
{
    if (length == 1 && *cell == '-')
        text_add(text, "null");
    else if (is_number(cell, length))
        text_add_bytes(text, cell, length);
    else
        scripts_add_string(text, cell, length);
}

static void add_row(struct text *text, const char *line, size_t length, bool names)
{
    const char *end = line + length;

    text_add_char(text, '[');
    for (bool first = true;; first = false) {
        const char *tab = memchr(line, '\t', (size_t)(end - line));
        size_t cell = (size_t)((tab != NULL ? tab : end) - line);

        text_add(text, first ? "" : ",");
        if (names)
            scripts_add_string(text, line, cell);
        else
            add_cell(text, line, cell);
        if (tab == NULL)
            break;
        line = tab + 1;
    }
    text_add_char(text, ']');
}

static void add_number(struct text *text, uint64_t number)
{
    if (number != DUMP_NOT_KNOWN)
        text_add_u64(text, number);
    else
        text_add(text, "null");
}

/* Contents. */

/* Takes the next line of a text; returns false at the end. */
static bool take_line(const struct text *from, size_t *at, const char **line, size_t *length)
{
    const char *end;

    if (*at >= from->length)
        return false;
    *line = from->bytes + *at;
    end = memchr(*line, '\n', from->length - *at);
    *length = end != NULL ? (size_t)(end - *line) : from->length - *at;
    *at += *length + 1;
    return true;
}

/* A text may be long enough to be cancelled on the way. */
static int add_lines(struct text *text, const struct text *from, size_t at,
                     const struct cancel *cancel, void (*add)(struct text *, const char *, size_t))
{
    const char *line = NULL;
    size_t length = 0;

    for (bool first = true; take_line(from, &at, &line, &length); first = false) {
        if (cancel_requested(cancel))
            return -EINTR;
        text_add(text, first ? "\n" : ",\n");
        add(text, line, length);
    }
    return 0;
}

static void add_cells(struct text *text, const char *line, size_t length)
{
    add_row(text, line, length, false);
}

static int write_table(struct text *text, const struct text *from, uint64_t piece,
                       const struct cancel *cancel)
{
    const char *line = NULL;
    size_t at = 0, length = 0;
    int status;

    if (piece == 0 && take_line(from, &at, &line, &length)) {
        text_add(text, "\"columns\":");
        add_row(text, line, length, true);
        text_add(text, ",\n");
    }
    text_add(text, "\"cells\":[");
    status = add_lines(text, from, at, cancel, add_cells);
    text_add_char(text, ']');
    return status;
}

static void add_numbers(struct text *text, const struct dump *dump, const struct text *from,
                        bool draws)
{
    const char *line = NULL;
    size_t at = 0, length = 0;

    text_add(text, draws ? ",\n\"draws\":[" : ",\n\"packets\":[");
    for (bool first = true; take_line(from, &at, &line, &length); first = false) {
        uint64_t packet, draw;

        dump_command_numbers(dump, line, length, &packet, &draw);
        text_add(text, first ? "" : ",");
        add_number(text, draws ? draw : packet);
    }
    text_add_char(text, ']');
}

static int write_text(struct text *text, const struct dump *dump, const struct rule *rule,
                      const struct text *from, const struct cancel *cancel)
{
    int status;

    text_add(text, "\"lines\":[");
    status = add_lines(text, from, 0, cancel, scripts_add_string);
    text_add_char(text, ']');
    if (rule->parent == RULE_FRAME && (rule->listing != NULL || rule->common_listing != NULL)) {
        add_numbers(text, dump, from, false);
        add_numbers(text, dump, from, true);
    }
    return status;
}

/* Reads a file that is made as a whole, as its only piece. */
static int read_whole(struct dump *dump, const struct rule *rule, uint64_t key,
                      const struct cancel *cancel, struct text *out)
{
    const struct tree_target target = {rule, key, inode_pack(rule->id, key)};
    struct blob *blob = NULL;
    int status = content_make(dump->tree, &target, cancel, &blob);

    if (status == 0 && blob->size > 0)
        text_add_bytes(out, (const char *)blob->data, blob->size);
    blob_unref(&blob);
    return status;
}

static int read_piece(struct dump *dump, const struct rule *rule, uint64_t key, uint64_t piece,
                      const struct cancel *cancel, struct text *out, struct pieces_extent *extent)
{
    if (pieces_has(dump->tree, rule))
        return pieces_write(dump->tree, inode_pack(rule->id, key), piece, cancel, out, extent);
    *extent = (struct pieces_extent){1, DUMP_NOT_KNOWN};
    return piece == 0 ? read_whole(dump, rule, key, cancel, out) : -ENOENT;
}

static int make(struct dump *dump, uint64_t key, uint64_t frame, const struct cancel *cancel,
                struct blob **out)
{
    const struct rule *rule = rule_at(dump, key);
    struct text from = TEXT_INIT, text = TEXT_INIT;
    struct pieces_extent extent = {0};
    int status = read_piece(dump, rule, key >> ORDINAL_BITS, piece_of(key), cancel, &from, &extent);

    if (status == 0) {
        text_add(&text, "gpudumpfsPiece({\"name\":");
        scripts_add_string(&text, rule->name, strlen(rule->name));
        text_add(&text, ",\"frame\":");
        add_number(&text, frame);
        text_printf(&text, ",\"piece\":%" PRIu64 ",\"pieces\":%" PRIu64 ",\"rows\":", piece_of(key),
                    extent.pieces);
        add_number(&text, extent.rows);
        text_add(&text, ",\n");
        status = is_table(rule) ? write_table(&text, &from, piece_of(key), cancel)
                                : write_text(&text, dump, rule, &from, cancel);
        text_add(&text, "});\n");
    }
    status = status == 0 ? text_status(&from) : status;
    text_clear(&from);
    return common_finish(&text, status, out);
}

int scripts_make(struct dump *dump, uint64_t key, const struct cancel *cancel, struct blob **out)
{
    return make(dump, key, DUMP_NO_FRAME, cancel, out);
}

int scripts_make_of_frame(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          struct blob **out)
{
    return make(dump, key, key >> ORDINAL_BITS, cancel, out);
}

uint64_t scripts_version(struct dump *dump, uint64_t key)
{
    const struct rule *rule = rule_at(dump, key);

    if (rule->version != NULL)
        return rule->version(dump, key >> ORDINAL_BITS);
    return dump->follow != NULL ? dump->follow->moment : 0;
}

uint64_t scripts_version_of_frame(struct dump *dump, uint64_t key)
{
    const struct rule *rule = rule_at(dump, key);

    return rule->version != NULL ? rule->version(dump, key >> ORDINAL_BITS) : 0;
}
