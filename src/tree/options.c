/* SPDX-License-Identifier: MIT */
#include "tree/options.h"

#include "base/string.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KIB ((uint64_t)1 << 10)
#define MIB ((uint64_t)1 << 20)
#define GIB ((uint64_t)1 << 30)
#define TIB ((uint64_t)1 << 40)

/* The column where sentences begin in the help, and the width of its lines. */
enum { HELP_COLUMN = 32, HELP_WIDTH = 80 };

/*
 * Names from NAME_LONG letters on may have two slips in options_near(); no name is longer than
 * NAME_LONGEST.
 */
enum { NAME_LONG = 6, NAME_LONGEST = 63 };

/* The table of a format, and its values. */
struct option_set {
    const struct option_table *table;
    struct option_set *next;
    void *values;
};

/* Iterates over the rows of all tables, with the struct that has their values. */
struct each_option {
    const struct options *options;
    const struct option_set *set; /* NULL: the program's table, if there is one */
    size_t next;                  /* row of that table that comes next */
    bool ended;
};

static const struct option_table *each_table(const struct each_option *each)
{
    return each->set != NULL ? each->set->table : each->options->program;
}

static const struct option_rule *each_next(struct each_option *each, void **values)
{
    const struct option_table *table = each_table(each);

    while (!each->ended && (table == NULL || each->next == table->count)) {
        each->set = each->set != NULL ? each->set->next : each->options->own;
        each->next = 0;
        each->ended = each->set == NULL;
        table = each_table(each);
    }
    if (each->ended)
        return NULL;
    *values = each->set != NULL ? each->set->values : each->options->program_values;
    return &table->rules[each->next++];
}

static bool is_listed(const char *const *names, const char *name)
{
    while (names != NULL && *names != NULL && strcmp(*names, name) != 0)
        names++;
    return names != NULL && *names != NULL;
}

/*
 * Returns whether the row that each_next() returned last is left out, since it is for mounts only.
 */
static bool is_left_out(const struct each_option *each, const struct option_rule *rule)
{
    return each->options->no_mount && is_listed(each_table(each)->of_mounts, rule->name);
}

/* Returns whether that row is accepted, but has no effect without a mount. */
static bool is_idle(const struct each_option *each, const struct option_rule *rule)
{
    return each->options->no_mount && is_listed(each_table(each)->idle, rule->name);
}

static void *value_place(void *values, const struct option_rule *rule)
{
    return (char *)values + rule->offset;
}

static bool parse_number(const char *text, unsigned base, uint64_t *value)
{
    return string_take_number(&text, base, value) && *text == '\0';
}

static bool parse_size(const char *text, uint64_t *value)
{
    static const struct {
        char letters[3];
        uint64_t factor;
    } suffixes[] = {{"kK", KIB}, {"mM", MIB}, {"gG", GIB}, {"tT", TIB}};
    if (!string_take_number(&text, 10, value))
        return false;
    if (*text == '\0')
        return true;
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++)
        if (strchr(suffixes[i].letters, *text) != NULL && text[1] == '\0')
            return !__builtin_mul_overflow(*value, suffixes[i].factor, value);
    return false;
}

static bool parse_choice(const struct option_rule *rule, const char *text, uint64_t *value)
{
    for (*value = 0; rule->choices[*value] != NULL; ++*value)
        if (strcmp(rule->choices[*value], text) == 0)
            return true;
    return false;
}

/* Sets a value from text. Returns 0, -EINVAL or -ENOMEM. */
static int value_set(void *values, const struct option_rule *rule, const char *text)
{
    void *place = value_place(values, rule);
    uint64_t number = 0;
    bool good = false;
    char *copy;

    switch (rule->type) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return 0;
    case OPTION_TEXT:
        if (*text == '\0' || (rule->check != NULL && !rule->check(text)))
            return -EINVAL;
        copy = strdup(text);
        if (copy == NULL)
            return -ENOMEM;
        free(*(char **)place);
        *(char **)place = copy;
        return 0;
    case OPTION_CHOICE:
        if (!parse_choice(rule, text, &number))
            return -EINVAL;
        *(unsigned *)place = (unsigned)number;
        return 0;
    case OPTION_SIZE:
        good = parse_size(text, &number);
        break;
    case OPTION_COUNT:
        good = parse_number(text, 10, &number);
        break;
    case OPTION_OCTAL:
        good = parse_number(text, 8, &number);
        break;
    }
    if (!good || number < rule->min || number > rule->max)
        return -EINVAL;
    if (rule->type == OPTION_SIZE)
        *(uint64_t *)place = number;
    else
        *(unsigned *)place = (unsigned)number;
    return 0;
}

void options_init(struct options *options)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    memset(options, 0, sizeof(*options));
    options->cache = 256 * MIB;
    options->max_memory = 2 * GIB;
    options->max_seconds = OPTIONS_BY_DUMP;
    options->max_text = OPTIONS_SIZE_BY_DUMP;
    options->max_resident = OPTIONS_SIZE_BY_DUMP;
    options->threads = processors < 1 ? 1 : processors > 256 ? 256 : (unsigned)processors;
}

void options_clear(struct options *options)
{
    struct each_option each = {.options = options};
    const struct option_rule *rule;
    void *values;

    while ((rule = each_next(&each, &values)) != NULL) {
        char **place = value_place(values, rule);

        if (rule->type != OPTION_TEXT)
            continue;
        free(*place);
        *place = NULL;
    }
    for (struct option_set *set = options->own; set != NULL; set = options->own) {
        options->own = set->next;
        free(set->values);
        free(set);
    }
}

int options_add(struct options *options, const struct option_table *table)
{
    struct option_set *set = calloc(1, sizeof(*set)), **end = &options->own;

    if (set != NULL)
        set->values = malloc(table->size);
    if (set == NULL || set->values == NULL) {
        free(set);
        return -ENOMEM;
    }
    set->table = table;
    memcpy(set->values, table->standard, table->size);
    while (*end != NULL)
        end = &(*end)->next;
    *end = set;
    return 0;
}

const void *options_values(const struct options *options, const struct option_table *table)
{
    for (const struct option_set *set = options->own; set != NULL; set = set->next)
        if (set->table == table)
            return set->values;
    return table->standard;
}

/* Appends a size as a user may give it. */
static void write_size(uint64_t size, struct text *text)
{
    static const char letters[] = "KMGT";
    size_t shifts = 0;

    while (size != 0 && size % KIB == 0 && letters[shifts] != '\0') {
        size /= KIB;
        shifts++;
    }
    text_add_u64(text, size);
    if (shifts > 0)
        text_add_char(text, letters[shifts - 1]);
}

static void explain_size(const struct option_rule *rule, struct text *message)
{
    bool endless = rule->max == UINT64_MAX;

    text_add(message, endless ? " (at least " : " (from ");
    write_size(rule->min, message);
    if (!endless) {
        text_add(message, " to ");
        write_size(rule->max, message);
    }
    text_add(message, ", in bytes or with K, M, G or T)");
}

static void explain_limits(const struct option_rule *rule, struct text *message)
{
    if (rule->type == OPTION_SIZE)
        explain_size(rule, message);
    else if (rule->type == OPTION_COUNT)
        text_printf(message, " (a whole number from %" PRIu64 " to %" PRIu64 ")", rule->min,
                    rule->max);
    else if (rule->type == OPTION_OCTAL)
        text_printf(message, " (octal digits, from %" PRIo64 " to %" PRIo64 ")", rule->min,
                    rule->max);
}

static void explain(const struct option_rule *rule, const char *value, struct text *message)
{
    text_printf(message, "option %s", rule->name);
    if (rule->argument == NULL) {
        text_add(message, " takes no value");
        return;
    }
    text_printf(message, "=%s: ", rule->argument);
    if (value == NULL) {
        text_add(message, "a value is missing");
        return;
    }
    text_printf(message, "not allowed: %s", value);
    explain_limits(rule, message);
}

int options_each_path(const struct options *options,
                      int (*take)(void *context, const char *path, bool output), void *context)
{
    struct each_option each = {.options = options};
    const struct option_rule *rule;
    int status = 0;
    void *values;

    while (status == 0 && (rule = each_next(&each, &values)) != NULL) {
        const struct option_table *table = each_table(&each);
        bool output = is_listed(table->outputs, rule->name);
        char *const *path = value_place(values, rule);

        if ((output || is_listed(table->folders, rule->name)) && *path != NULL)
            status = take(context, *path, output);
    }
    return status;
}

/* Finds the row of that name; `each` is after it then. */
static const struct option_rule *find_rule(const char *name, size_t length,
                                           struct each_option *each, void **values)
{
    const struct option_rule *rule;

    while ((rule = each_next(each, values)) != NULL)
        if (strlen(rule->name) == length && memcmp(rule->name, name, length) == 0)
            break;
    return rule;
}

int options_parse(struct options *options, const char *option, struct text *message)
{
    const char *equals = strchr(option, '=');
    size_t length = equals != NULL ? (size_t)(equals - option) : strlen(option);
    const char *value = equals != NULL ? equals + 1 : NULL;
    struct each_option each = {.options = options};
    void *values = NULL;
    const struct option_rule *rule = find_rule(option, length, &each, &values);
    int result = -EINVAL;

    if (rule == NULL)
        return 0;
    if (is_left_out(&each, rule)) {
        text_printf(message, "option %s is only for gpudumpfs: it concerns mounts", rule->name);
        return -EINVAL;
    }
    if ((rule->argument == NULL) == (value == NULL))
        result = value_set(values, rule, value);
    if (result == 0 && is_idle(&each, rule))
        text_printf(message, "option %s has no effect here: it concerns mounts", rule->name);
    if (result == 0)
        return 1;
    if (result == -EINVAL)
        explain(rule, value, message);
    return result;
}

static unsigned smaller(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* Counts the letters left out, added, changed, or swapped with the next one between two names. */
static unsigned count_slips(const char *from, size_t from_length, const char *to)
{
    unsigned rows[3][NAME_LONGEST + 1], *before = rows[0], *last = rows[1], *row = rows[2];
    size_t to_length = strlen(to);

    if (to_length > NAME_LONGEST || from_length > NAME_LONGEST)
        return NAME_LONGEST;
    for (size_t j = 0; j <= to_length; j++)
        last[j] = (unsigned)j;
    for (size_t i = 1; i <= from_length; i++) {
        unsigned *spare = before;

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= to_length; j++) {
            row[j] =
                smaller(smaller(last[j], row[j - 1]) + 1, last[j - 1] + (from[i - 1] != to[j - 1]));
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                row[j] = smaller(row[j], before[j - 2] + 1);
        }
        before = last;
        last = row;
        row = spare;
    }
    return last[to_length];
}

const char *options_near(const struct options *options, const char *option)
{
    struct each_option each = {.options = options};
    size_t length = strcspn(option, "=");
    unsigned max = length < NAME_LONG ? 2 : 3;
    const struct option_rule *rule;
    const char *near = NULL;
    void *values;

    while ((rule = each_next(&each, &values)) != NULL) {
        unsigned slips = count_slips(option, length, rule->name);

        if (slips >= max || is_left_out(&each, rule) || is_idle(&each, rule))
            continue;
        max = slips;
        near = rule->name;
    }
    return near;
}

/*
 * Appends words in lines of HELP_WIDTH that begin at HELP_COLUMN; `column` is the current column.
 */
static void help_words(const char *words, size_t *column, struct text *text)
{
    for (size_t length; *words != '\0'; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        if (*column + 1 + length > HELP_WIDTH) {
            text_add_char(text, '\n');
            *column = 0;
        }
        for (; *column < HELP_COLUMN - 1; ++*column)
            text_add_char(text, ' ');
        text_add_char(text, ' ');
        text_add_bytes(text, words, length);
        *column += 1 + length;
    }
}

static void help_line(const struct option_rule *rule, struct text *text)
{
    size_t start = text->length, column;

    text_printf(text, "  -o %s", rule->name);
    if (rule->argument != NULL)
        text_printf(text, "=%s", rule->argument);
    column = text->length - start;
    if (column > HELP_COLUMN - 2) /* a long name has its own line */
        column = HELP_WIDTH;
    help_words(rule->help, &column, text);
    if (rule->argument != NULL) {
        struct text standard = TEXT_INIT;

        text_printf(&standard, "(%s)%c", rule->standard, '\0');
        if (text_status(&standard) == 0)
            help_words(standard.bytes, &column, text);
        text_clear(&standard);
    }
    text_add_char(text, '\n');
}

void options_help(const struct options *options, struct text *text)
{
    struct each_option each = {.options = options};
    const struct option_rule *rule;
    void *values;

    while ((rule = each_next(&each, &values)) != NULL)
        if (!is_left_out(&each, rule) && !is_idle(&each, rule))
            help_line(rule, text);
}

static void write_value(const struct option_rule *rule, const void *value, struct text *text)
{
    const char *string;
    uint64_t number;

    switch (rule->type) {
    case OPTION_FLAG:
        text_add(text, *(const bool *)value ? "on" : "off");
        break;
    case OPTION_TEXT:
        string = *(char *const *)value;
        if (string == NULL)
            text_add(text, rule->standard);
        else
            text_add_escaped(text, string, strlen(string));
        break;
    case OPTION_CHOICE:
        text_add(text, rule->choices[*(const unsigned *)value]);
        break;
    case OPTION_SIZE: /* beyond its limits: it was not given */
    case OPTION_COUNT:
        number = rule->type == OPTION_SIZE ? *(const uint64_t *)value : *(const unsigned *)value;
        if (number < rule->min || number > rule->max)
            text_add(text, rule->standard);
        else
            text_add_u64(text, number);
        break;
    case OPTION_OCTAL:
        text_printf(text, "%04o", *(const unsigned *)value);
        break;
    }
}

void options_write(const struct options *options, const struct option_table *own, struct text *text)
{
    struct each_option each = {.options = options};
    const struct option_rule *rule;
    void *values;

    while ((rule = each_next(&each, &values)) != NULL) {
        if (each.set != NULL && each.set->table != own)
            continue;
        text_printf(text, "%s: ", rule->name);
        write_value(rule, value_place(values, rule), text);
        text_add_char(text, '\n');
    }
}
