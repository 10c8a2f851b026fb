#include "core/metadata.h"

#include "core/utf8.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum value_kind { VALUE_BYTES, VALUE_NUMBER, VALUE_BOOL, VALUE_NONE };

struct metadata_value {
    char *key;
    char *bytes; /* VALUE_BYTES: as given, before any escaping */
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

/* Takes `bytes` over, also when it fails. */
static void add_value(struct metadata *metadata, const char *key, struct metadata_value value)
{
    struct metadata_value *values = metadata->values;

    if (metadata->count == metadata->room) {
        size_t room = metadata->room == 0 ? 32 : metadata->room * 2;

        values = reallocarray(metadata->values, room, sizeof(*values));
        if (values == NULL)
            goto out_of_memory;
        metadata->values = values;
        metadata->room = room;
    }
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

void metadata_add_bytes(struct metadata *metadata, const char *key, const void *bytes, size_t size)
{
    char *copy = malloc(size + 1);

    if (copy == NULL) {
        metadata->status = -ENOMEM;
        return;
    }
    if (size > 0)
        memcpy(copy, bytes, size);
    add_value(metadata, key,
              (struct metadata_value){.kind = VALUE_BYTES, .bytes = copy, .size = size});
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

static void write_text_value(const struct metadata_value *value, struct text *text)
{
    text_add(text, value->key);
    text_add(text, ": ");
    switch (value->kind) {
    case VALUE_BYTES:
        text_add_escaped(text, value->bytes, value->size);
        break;
    case VALUE_NUMBER:
        text_add_u64(text, value->number);
        break;
    case VALUE_BOOL:
        text_add(text, value->number != 0 ? "yes" : "no");
        break;
    case VALUE_NONE:
        text_add_char(text, '-');
        break;
    }
    text_add_char(text, '\n');
}

int metadata_write_text(const struct metadata *metadata, struct text *text)
{
    for (size_t i = 0; i < metadata->count; i++)
        write_text_value(&metadata->values[i], text);
    return metadata->status < 0 ? metadata->status : text_status(text);
}

/* A JSON string: what is UTF-8 stays, other bytes become \xNN. */
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

static json_t *make_json_value(const struct metadata_value *value)
{
    char digits[24];

    switch (value->kind) {
    case VALUE_BYTES:
        return make_json_string(value->bytes, value->size);
    case VALUE_NUMBER:
        if (value->number <= INT64_MAX)
            return json_integer((json_int_t)value->number);
        snprintf(digits, sizeof(digits), "%llu", (unsigned long long)value->number);
        return json_string(digits);
    case VALUE_BOOL:
        return json_boolean(value->number != 0);
    case VALUE_NONE:
        break;
    }
    return json_null();
}

/* Sets the key, or makes an array of its values when it is there already. */
static int add_json_value(json_t *object, const char *key, json_t *value)
{
    json_t *present = json_object_get(object, key);
    json_t *array;

    if (value == NULL || present == NULL)
        return json_object_set_new_nocheck(object, key, value);
    if (json_is_array(present))
        return json_array_append_new(present, value);
    array = json_array();
    if (array == NULL || json_array_append(array, present) < 0) {
        json_decref(array);
        json_decref(value);
        return -1;
    }
    if (json_array_append_new(array, value) < 0) {
        json_decref(array);
        return -1;
    }
    return json_object_set_new_nocheck(object, key, array);
}

static int append_json(const char *bytes, size_t size, void *context)
{
    text_add_bytes(context, bytes, size);
    return text_status(context);
}

int metadata_write_json(const struct metadata *metadata, struct text *text)
{
    int status = metadata->status;
    json_t *object = json_object();

    if (object == NULL)
        status = -ENOMEM;
    for (size_t i = 0; i < metadata->count && status == 0; i++) {
        const struct metadata_value *value = &metadata->values[i];

        if (add_json_value(object, value->key, make_json_value(value)) < 0)
            status = -ENOMEM;
    }
    if (status == 0 && json_dump_callback(object, append_json, text, JSON_INDENT(2)) < 0)
        status = text_status(text) < 0 ? text_status(text) : -ENOMEM;
    text_add_char(text, '\n');
    json_decref(object);
    return status < 0 ? status : text_status(text);
}
