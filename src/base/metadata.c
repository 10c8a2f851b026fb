/* SPDX-License-Identifier: MIT */
#include "base/metadata.h"

#include "base/array.h"
#include "base/utf8.h"

#include <errno.h>
#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum value_kind { VALUE_BYTES, VALUE_JSON, VALUE_NUMBER, VALUE_BOOL, VALUE_NONE, VALUE_LIST };

struct metadata_value {
    char *key;
    char *bytes; /* VALUE_BYTES, VALUE_JSON: the bytes as given, unescaped */
    size_t size;
    uint64_t number; /* VALUE_NUMBER, VALUE_BOOL */
    enum value_kind kind;
};

struct metadata {
    struct metadata_value *values;
    size_t count, room;
    int status; /* 0 or the first negative errno */
};

int metadata_create(struct metadata **out)
{
    struct metadata *metadata = calloc(1, sizeof(*metadata));

    if (metadata == NULL)
        return -ENOMEM;
    *out = metadata;
    return 0;
}

void metadata_destroy(struct metadata **metadata)
{
    struct metadata *destroyed = *metadata;

    *metadata = NULL;
    if (destroyed == NULL)
        return;
    for (size_t i = 0; i < destroyed->count; i++) {
        free(destroyed->values[i].key);
        free(destroyed->values[i].bytes);
    }
    free(destroyed->values);
    free(destroyed);
}

/* Adds a value, and takes over value.bytes even if this fails. */
static void add_value(struct metadata *metadata, const char *key, struct metadata_value value)
{
    if (ARRAY_GROW(metadata->values, metadata->count, metadata->room) != 0)
        goto out_of_memory;
    value.key = strdup(key);
    if (value.key == NULL)
        goto out_of_memory;
    metadata->values[metadata->count++] = value;
    return;

out_of_memory:
    metadata->status = -ENOMEM;
    free(value.bytes);
}

void metadata_add(struct metadata *metadata, const char *key, const char *format, ...)
{
    struct text text = TEXT_INIT;
    va_list arguments;

    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    metadata_add_text(metadata, key, &text);
    text_clear(&text);
}

static void add_copy(struct metadata *metadata, const char *key, enum value_kind kind,
                     const void *bytes, size_t size)
{
    char *copy = malloc(size + 1);

    if (copy == NULL) {
        metadata->status = -ENOMEM;
        return;
    }
    if (size > 0)
        memcpy(copy, bytes, size);
    add_value(metadata, key, (struct metadata_value){.kind = kind, .bytes = copy, .size = size});
}

void metadata_add_bytes(struct metadata *metadata, const char *key, const void *bytes, size_t size)
{
    add_copy(metadata, key, VALUE_BYTES, bytes, size);
}

void metadata_add_json_string(struct metadata *metadata, const char *key,
                              const struct json_text *string)
{
    uint8_t *bytes = malloc(string->length + 1);

    if (bytes != NULL)
        metadata_add_bytes(metadata, key, bytes, json_reader_text_bytes(string, bytes));
    else
        metadata_fail(metadata, -ENOMEM);
    free(bytes);
}

void metadata_add_json(struct metadata *metadata, const char *key, const char *value)
{
    add_copy(metadata, key, VALUE_JSON, value, strlen(value));
}

void metadata_add_real(struct metadata *metadata, const char *key, double value, unsigned decimals)
{
    char digits[DBL_MAX_10_EXP + 32];

    snprintf(digits, sizeof(digits), "%.*f", (int)(decimals < 20 ? decimals : 20), value);
    metadata_add_json(metadata, key, digits);
}

void metadata_add_text(struct metadata *metadata, const char *key, const struct text *value)
{
    if (value->status == 0)
        metadata_add_bytes(metadata, key, value->bytes, value->length);
    else
        metadata_fail(metadata, value->status);
}

void metadata_fail(struct metadata *metadata, int status)
{
    if (metadata->status == 0)
        metadata->status = status;
}

void metadata_add_u64(struct metadata *metadata, const char *key, uint64_t value)
{
    add_value(metadata, key, (struct metadata_value){.kind = VALUE_NUMBER, .number = value});
}

void metadata_add_bool(struct metadata *metadata, const char *key, bool value)
{
    add_value(metadata, key, (struct metadata_value){.kind = VALUE_BOOL, .number = value});
}

void metadata_add_none(struct metadata *metadata, const char *key)
{
    add_value(metadata, key, (struct metadata_value){.kind = VALUE_NONE});
}

void metadata_add_list(struct metadata *metadata, const char *key)
{
    add_value(metadata, key, (struct metadata_value){.kind = VALUE_LIST});
}

/* The values of one key, in the order of adding. */
struct group {
    size_t first, count; /* in `sorted` */
    bool is_list;
};

/* All keys, in the order of their first values. */
struct groups {
    const struct metadata_value **sorted; /* by key, then in the order of adding */
    struct group *groups;
    size_t count;
};

static int compare_values(const void *left, const void *right)
{
    const struct metadata_value *a = *(const struct metadata_value *const *)left;
    const struct metadata_value *b = *(const struct metadata_value *const *)right;
    int order = strcmp(a->key, b->key);

    return order != 0 ? order : (a > b) - (a < b);
}

static struct group find_group(const struct groups *groups, size_t first, size_t end)
{
    struct group group = {.first = first};

    for (size_t i = first; i < end; i++) {
        if (strcmp(groups->sorted[i]->key, groups->sorted[first]->key) != 0)
            break;
        group.is_list = group.is_list || groups->sorted[i]->kind == VALUE_LIST;
        group.count++;
    }
    group.is_list = group.is_list || group.count > 1;
    return group;
}

static void groups_clear(struct groups *groups)
{
    free(groups->sorted);
    free(groups->groups);
}

static int groups_make(const struct metadata *metadata, struct groups *groups)
{
    size_t count = metadata->count;

    groups->count = 0;
    groups->sorted = calloc(count + 1, sizeof(const struct metadata_value *));
    groups->groups = calloc(count + 1, sizeof(*groups->groups));
    if (groups->sorted == NULL || groups->groups == NULL) {
        groups_clear(groups);
        return -ENOMEM;
    }
    for (size_t i = 0; i < count; i++)
        groups->sorted[i] = &metadata->values[i];
    qsort(groups->sorted, count, sizeof(const struct metadata_value *), compare_values);
    /*
     * Stores each group at the index of its first value; the entries of the other values stay
     * empty.
     */
    for (size_t i = 0; i < count;) {
        struct group group = find_group(groups, i, count);

        groups->groups[groups->sorted[i] - metadata->values] = group;
        i += group.count;
    }
    for (size_t i = 0; i < count; i++)
        if (groups->groups[i].count > 0)
            groups->groups[groups->count++] = groups->groups[i];
    return 0;
}

static void write_text_value(const struct metadata_value *value, struct text *text)
{
    text_add(text, value->key);
    text_add(text, ": ");
    switch (value->kind) {
    case VALUE_BYTES:
    case VALUE_JSON:
        text_add_escaped(text, value->bytes, value->size);
        break;
    case VALUE_NUMBER:
        text_add_u64(text, value->number);
        break;
    case VALUE_BOOL:
        text_add(text, value->number != 0 ? "yes" : "no");
        break;
    case VALUE_NONE:
    case VALUE_LIST:
        text_add_char(text, '-');
        break;
    }
    text_add_char(text, '\n');
}

/* Writes the lines of a key together, so that both formats have the same order. */
static void write_text_group(const struct groups *groups, const struct group *group,
                             struct text *text)
{
    size_t written = 0;

    for (size_t i = group->first; i < group->first + group->count; i++) {
        if (groups->sorted[i]->kind == VALUE_LIST)
            continue;
        write_text_value(groups->sorted[i], text);
        written++;
    }
    if (written == 0)
        write_text_value(groups->sorted[group->first], text);
}

int metadata_write_text(const struct metadata *metadata, struct text *text)
{
    struct groups groups;
    int status = metadata->status < 0 ? metadata->status : groups_make(metadata, &groups);

    if (status < 0)
        return status;
    for (size_t i = 0; i < groups.count; i++)
        write_text_group(&groups, &groups.groups[i], text);
    groups_clear(&groups);
    return text_status(text);
}

/* Makes a JSON string: valid UTF-8 is kept, other bytes become \xNN. */
static json_t *make_json_string(const char *bytes, size_t size)
{
    const uint8_t *p = (const uint8_t *)bytes, *end = p + size;
    struct text text = TEXT_INIT;
    json_t *string = NULL;

    while (p < end) {
        uint32_t point;
        size_t taken = utf8_decode(p, (size_t)(end - p), &point);

        if (taken > 0) {
            text_add_bytes(&text, (const char *)p, taken);
            p += taken;
        } else {
            text_add(&text, "\\x");
            text_add_hex(&text, *p++, 2);
        }
    }
    if (text_status(&text) == 0)
        string = json_stringn(text.length > 0 ? text.bytes : "", text.length);
    text_clear(&text);
    return string;
}

/* Jansson calls this with complete characters: no chunk ends within one. */
static int append_json(const char *bytes, size_t size, void *context)
{
    text_add_json(context, bytes, size);
    return text_status(context);
}

static void write_json_string(const char *bytes, size_t size, struct text *text)
{
    json_t *string = make_json_string(bytes, size);

    if (string == NULL || json_dump_callback(string, append_json, text, JSON_ENCODE_ANY) < 0)
        text_fail(text, -ENOMEM);
    json_decref(string);
}

static void write_json_value(const struct metadata_value *value, struct text *text)
{
    switch (value->kind) {
    case VALUE_BYTES:
        write_json_string(value->bytes, value->size, text);
        break;
    case VALUE_JSON:
        text_add_json(text, value->bytes, value->size);
        break;
    case VALUE_NUMBER:
        text_add_u64(text, value->number);
        break;
    case VALUE_BOOL:
        text_add(text, value->number != 0 ? "true" : "false");
        break;
    case VALUE_NONE:
    case VALUE_LIST:
        text_add(text, "null");
        break;
    }
}

static void write_json_list(const struct groups *groups, const struct group *group,
                            struct text *text)
{
    const char *before = "\n    ";

    text_add_char(text, '[');
    for (size_t i = group->first; i < group->first + group->count; i++) {
        if (groups->sorted[i]->kind == VALUE_LIST)
            continue;
        text_add(text, before);
        write_json_value(groups->sorted[i], text);
        before = ",\n    ";
    }
    text_add(text, before[0] == ',' ? "\n  ]" : "]");
}

int metadata_write_json(const struct metadata *metadata, struct text *text)
{
    struct groups groups;
    int status = metadata->status < 0 ? metadata->status : groups_make(metadata, &groups);

    if (status < 0)
        return status;
    text_add_char(text, '{');
    for (size_t i = 0; i < groups.count; i++) {
        const struct group *group = &groups.groups[i];
        const struct metadata_value *first = groups.sorted[group->first];

        text_add(text, i > 0 ? ",\n  " : "\n  ");
        write_json_string(first->key, strlen(first->key), text);
        text_add(text, ": ");
        if (group->is_list)
            write_json_list(&groups, group, text);
        else
            write_json_value(first, text);
    }
    text_add(text, groups.count > 0 ? "\n}\n" : "}\n");
    groups_clear(&groups);
    return text_status(text);
}
