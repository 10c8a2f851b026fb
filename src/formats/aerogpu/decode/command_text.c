/* SPDX-License-Identifier: MIT */
/*
 * One walk over a command's fields makes entries of keys and values. A line prints them in their
 * order; JSON sorts them by key.
 */
#include "formats/aerogpu/decode/command_stream.h"

#include "base/array.h"
#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PREFIX_MAX = 16, MARKER_MAX = 80, ITEMS_SHOWN = 256, KEY_MAX = 48, FLOAT_SIZE = 64 };

struct entry {
    char key[KEY_MAX];
    size_t begin, end; /* of the value, in `values` of the list */
};

struct entries {
    const struct aerogpu_command *command;
    bool json;
    struct text values;
    struct entry *list;
    size_t count, capacity;
    bool short_of_memory;
};

/* Begins an entry: the text that is then added to `values` is its value. */
static struct text *add_key(struct entries *entries, const char *key)
{
    struct entry *entry = NULL;

    if (ARRAY_GROW(entries->list, entries->count, entries->capacity) != 0) {
        entries->short_of_memory = true;
        return &entries->values;
    }
    if (entries->count > 0)
        entries->list[entries->count - 1].end = entries->values.length;
    entry = &entries->list[entries->count++];
    strncpy(entry->key, key, KEY_MAX - 1);
    entry->key[KEY_MAX - 1] = '\0';
    entry->begin = entries->values.length;
    return &entries->values;
}

static struct text *add_key_suffix(struct entries *entries, const char *key, const char *suffix)
{
    char whole[KEY_MAX];
    size_t length = strlen(key);

    if (length > KEY_MAX - 1)
        length = KEY_MAX - 1;
    memcpy(whole, key, length);
    strncpy(whole + length, suffix, KEY_MAX - length);
    whole[KEY_MAX - 1] = '\0';
    return add_key(entries, whole);
}

static void add_string(struct entries *entries, struct text *value, const char *string)
{
    text_printf(value, entries->json ? "\"%s\"" : "%s", string);
}

/* Writes the shortest digits that read back as the same number, as JSON writers print doubles. */
static void write_json_float(float number, struct text *value)
{
    char digits[FLOAT_SIZE];
    char *exponent = NULL;

    if (!isfinite(number)) {
        text_add(value, "null");
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof(digits), "%.*g", precision, (double)number);
        if (strtod(digits, NULL) == (double)number)
            break;
    }
    exponent = strchr(digits, 'e');
    if (exponent == NULL) {
        text_add(value, digits);
        if (strchr(digits, '.') == NULL)
            text_add(value, ".0");
        return;
    }
    if (fabs((double)number) < 1e16 && fabs((double)number) >= 1) {
        text_printf(value, "%.1f", (double)number);
        return;
    }
    *exponent = '\0';
    text_printf(value, "%se%d", digits, atoi(exponent + 1));
}

static void write_float(const struct entries *entries, float number, struct text *value)
{
    if (entries->json)
        write_json_float(number, value);
    else if (isnan(number))
        text_add(value, "NaN");
    else
        text_printf(value, "%.3f", (double)number);
}

static void write_colour(const struct entries *entries, uint32_t offset, struct text *value)
{
    text_add(value, "[");
    for (uint32_t i = 0; i < 4; i++) {
        if (i > 0)
            text_add(value, ",");
        write_float(entries, aerogpu_f32(entries->command, offset + 4 * i), value);
    }
    text_add(value, "]");
}

static void write_prefix(const uint8_t *bytes, uint32_t length, struct text *value)
{
    for (uint32_t i = 0; i < length && i < PREFIX_MAX; i++)
        text_printf(value, "%02x", bytes[i]);
    if (length > PREFIX_MAX)
        text_add(value, "..");
}

static void add_prefix(struct entries *entries, const char *key, const char *suffix)
{
    struct text *value = add_key_suffix(entries, key, suffix);

    if (entries->json)
        text_add_char(value, '"');
    write_prefix(entries->command->tail, entries->command->tail_length, value);
    if (entries->json)
        text_add_char(value, '"');
}

static void add_name(struct entries *entries, const char *key, const char *suffix, const char *name)
{
    if (name != NULL)
        add_string(entries, add_key_suffix(entries, key, suffix), name);
}

static void add_number(struct entries *entries, const char *key, uint32_t number, bool hexadecimal)
{
    struct text *value = add_key(entries, key);

    if (hexadecimal && !entries->json)
        text_printf(value, "0x%08" PRIX32, number);
    else
        text_add_u64(value, number);
}

static void add_stage_ex(struct entries *entries, const char *key, uint32_t number)
{
    const struct aerogpu_command *command = entries->command;
    const char *name = aerogpu_name(AEROGPU_NAMES_STAGE_EX, number);
    uint32_t stage_offset = command->opcode == AEROGPU_CREATE_SHADER_DXBC
                                ? (uint32_t)AEROGPU_AT_CREATE_SHADER_DXBC_STAGE
                                : AEROGPU_PACKET_HEADER;
    bool means = command->abi_minor >= AEROGPU_STAGE_EX_MINOR &&
                 (command->opcode == AEROGPU_DISPATCH ||
                  aerogpu_u32(command, stage_offset) == AEROGPU_COMPUTE);

    if (number == 0)
        return;
    if (!means) {
        add_number(entries, "reserved0", number, true);
        return;
    }
    add_number(entries, key, number, false);
    add_string(entries, add_key_suffix(entries, key, "_name"), name != NULL ? name : "Unknown");
}

static void add_targets(struct entries *entries, const char *key, uint32_t offset)
{
    uint32_t count = aerogpu_u32(entries->command, AEROGPU_AT_SET_RENDER_TARGETS_COUNT);
    struct text *value = NULL;

    if (entries->json && count == 0)
        return;
    value = add_key(entries, key);
    text_add(value, "[");
    for (uint32_t i = 0; i < count && i < AEROGPU_MAX_TARGETS; i++) {
        text_add(value, i == 0 ? "" : entries->json ? "," : ", ");
        text_add_u64(value, aerogpu_u32(entries->command, offset + 4 * i));
    }
    text_add(value, "]");
}

/* Writes one character of a quoted string. */
static void write_character(const uint8_t *bytes, size_t length, uint32_t point, bool json,
                            struct text *value)
{
    if (length == 0)
        text_add(value, "\xEF\xBF\xBD");
    else if (point == '\n')
        text_add(value, json ? "\\\\n" : "\\n");
    else if (json && (point == '"' || point == '\\'))
        text_printf(value, "\\%c", (char)point);
    else if (utf8_printable(point))
        text_add_bytes(value, (const char *)bytes, length);
    else
        text_printf(value, "\\u%04" PRIx32, point <= 0xFFFF ? point : 0xFFFD);
}

static void add_marker(struct entries *entries, const char *key)
{
    const struct aerogpu_command *command = entries->command;
    const uint8_t *bytes = command->bytes + AEROGPU_PACKET_HEADER;
    size_t length = command->size - AEROGPU_PACKET_HEADER;
    struct text *value = add_key(entries, key);

    while (length > 0 && bytes[length - 1] == 0)
        length--;
    text_add(value, "\"");
    for (int i = 0; i < MARKER_MAX && length > 0; i++) {
        uint32_t point = 0;
        size_t taken = utf8_decode(bytes, length, &point);

        write_character(bytes, taken, point, entries->json, value);
        taken = taken == 0 ? 1 : taken;
        bytes += taken;
        length -= taken;
    }
    text_add(value, "\"");
}

/*
 * Adds the items of the tail: for "vb buffer stride_bytes …", vb0_buffer=1 vb0_stride_bytes=24 …
 * for each item; and more=7 for the items that are not shown.
 */
static void add_items(struct entries *entries, const char *pattern)
{
    const struct aerogpu_command *command = entries->command;
    uint32_t count = command->tail_length / command->tail_stride;
    size_t prefix = strcspn(pattern, " ");
    char key[KEY_MAX];

    for (uint32_t i = 0; i < count && i < ITEMS_SHOWN; i++) {
        const uint8_t *item = command->tail + (size_t)i * command->tail_stride;
        const char *member = pattern + prefix;

        if (*member == '\0') {
            snprintf(key, sizeof(key), "%s%" PRIu32, pattern, i);
            add_number(entries, key, bytes_le32(item), false);
        }
        for (; *member != '\0'; item += 4) {
            int length = (int)strcspn(++member, " ");

            snprintf(key, sizeof(key), "%.*s%" PRIu32 "_%.*s", (int)prefix, pattern, i, length,
                     member);
            add_number(entries, key, bytes_le32(item), false);
            member += length;
        }
    }
    if (count > ITEMS_SHOWN)
        add_number(entries, "more", count - ITEMS_SHOWN, false);
}

static void add_flags(struct entries *entries, const char *key, enum aerogpu_names names,
                      uint32_t flags)
{
    struct text *value = NULL;

    add_number(entries, key, flags, true);
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *name = (flags & bit) != 0 ? aerogpu_name(names, bit) : NULL;

        if (name == NULL)
            continue;
        if (value != NULL) {
            text_add(value, "|");
        } else {
            value = add_key_suffix(entries, key, "_names");
            text_add(value, entries->json ? "\"" : "");
        }
        text_add(value, name);
    }
    if (value != NULL && entries->json)
        text_add(value, "\"");
}

static void add_wide(struct entries *entries, const char *key, uint64_t number)
{
    text_printf(add_key(entries, key), entries->json ? "\"%" PRIu64 "\"" : "%" PRIu64, number);
}

static void add_shader(struct entries *entries, const struct aerogpu_field *field, const char *key)
{
    struct aerogpu_shaders shaders;
    bool extended = entries->command->size >= AEROGPU_AT_BIND_SHADERS_DS + 4;

    aerogpu_bind_shaders(entries->command, &shaders);
    if (field->kind == AEROGPU_KIND_GEOMETRY)
        add_number(entries, key, shaders.gs, false);
    else if (extended || entries->json)
        add_number(entries, key,
                   field->offset == AEROGPU_AT_BIND_SHADERS_HS ? shaders.hs : shaders.ds, false);
}

/* Adds a field of one of the kinds that are a u32. */
static void add_word(struct entries *entries, const struct aerogpu_field *field, const char *key)
{
    uint32_t word = aerogpu_u32(entries->command, field->offset);
    enum aerogpu_names names = (enum aerogpu_names)field->names;

    switch ((enum aerogpu_kind)field->kind) {
    case AEROGPU_KIND_SIGNED:
        text_add_i64(add_key(entries, key), (int32_t)word);
        break;
    case AEROGPU_KIND_FLAGS:
        add_flags(entries, key, names, word);
        break;
    case AEROGPU_KIND_NAME:
        add_name(entries, key, "_name", aerogpu_name(names, word));
        break;
    case AEROGPU_KIND_FOUR_TIMES:
        if (word <= UINT32_MAX / 4)
            add_number(entries, key, word * 4, false);
        break;
    case AEROGPU_KIND_RESERVED:
        if (word != 0)
            add_number(entries, key, word, true);
        break;
    case AEROGPU_KIND_STAGE_EX:
        add_stage_ex(entries, key, word);
        break;
    default:
        add_number(entries, key, word, field->kind == AEROGPU_KIND_HEX);
        if (names != AEROGPU_NAMES_NONE)
            add_name(entries, key, "_name", aerogpu_name(names, word));
        break;
    }
}

static void add_field(struct entries *entries, const struct aerogpu_field *field, const char *key)
{
    const struct aerogpu_command *command = entries->command;
    uint32_t offset = field->offset;

    switch ((enum aerogpu_kind)field->kind) {
    case AEROGPU_KIND_WIDE:
        add_wide(entries, key, aerogpu_u64(command, offset));
        break;
    case AEROGPU_KIND_BYTE:
        text_printf(add_key(entries, key), entries->json ? "%u" : "0x%02X",
                    (unsigned)command->bytes[offset]);
        break;
    case AEROGPU_KIND_FLOAT:
        write_float(entries, aerogpu_f32(command, offset), add_key(entries, key));
        break;
    case AEROGPU_KIND_CLEAR_COLOUR:
        if (!entries->json &&
            (aerogpu_u32(command, AEROGPU_AT_CLEAR_FLAGS) & AEROGPU_CLEAR_COLOUR) == 0)
            break;
        write_colour(entries, offset, add_key(entries, key));
        break;
    case AEROGPU_KIND_COLOUR:
        write_colour(entries, offset, add_key(entries, key));
        break;
    case AEROGPU_KIND_POINT:
    case AEROGPU_KIND_EXTENT:
        text_printf(add_key(entries, key),
                    field->kind == AEROGPU_KIND_POINT ? "%" PRIu32 ",%" PRIu32
                                                      : "%" PRIu32 "x%" PRIu32,
                    aerogpu_u32(command, offset), aerogpu_u32(command, offset + 4));
        break;
    case AEROGPU_KIND_GEOMETRY:
    case AEROGPU_KIND_EXTENDED:
        add_shader(entries, field, key);
        break;
    case AEROGPU_KIND_TARGETS:
        add_targets(entries, key, offset);
        break;
    case AEROGPU_KIND_MARKER:
        add_marker(entries, key);
        break;
    case AEROGPU_KIND_DATA:
        text_add_u64(add_key_suffix(entries, key, "_len"), command->tail_length);
        add_prefix(entries, key, "_prefix");
        break;
    case AEROGPU_KIND_DATA_LENGTH:
        text_add_u64(add_key(entries, key), command->tail_length);
        break;
    case AEROGPU_KIND_DATA_PREFIX:
        add_prefix(entries, key, "");
        break;
    case AEROGPU_KIND_PAYLOAD_LENGTH:
        text_add_u64(add_key(entries, key), command->size - AEROGPU_PACKET_HEADER);
        break;
    case AEROGPU_KIND_ITEMS:
        add_items(entries, key);
        break;
    default:
        add_word(entries, field, key);
        break;
    }
}

static uint32_t field_bytes(const struct aerogpu_field *field)
{
    switch ((enum aerogpu_kind)field->kind) {
    case AEROGPU_KIND_WIDE:
    case AEROGPU_KIND_POINT:
    case AEROGPU_KIND_EXTENT:
        return 8;
    case AEROGPU_KIND_COLOUR:
    case AEROGPU_KIND_CLEAR_COLOUR:
        return 16;
    case AEROGPU_KIND_TARGETS:
        return 4 * AEROGPU_MAX_TARGETS;
    case AEROGPU_KIND_BYTE:
        return 1;
    default:
        return 4;
    }
}

static bool is_tail(const struct aerogpu_field *field)
{
    return field->kind == AEROGPU_KIND_DATA || field->kind == AEROGPU_KIND_DATA_LENGTH ||
           field->kind == AEROGPU_KIND_DATA_PREFIX || field->kind == AEROGPU_KIND_ITEMS;
}

/*
 * Returns whether a field is present. JSON shows the fields that a command that is too short has.
 */
static bool is_there(const struct entries *entries, const struct aerogpu_field *field)
{
    if (entries->command->error == AEROGPU_OK)
        return true;
    return !is_tail(field) && entries->command->type->opcode != AEROGPU_BIND_SHADERS &&
           field->offset + field_bytes(field) <= entries->command->size;
}

static void add_decode_error(struct entries *entries)
{
    const struct aerogpu_command *command = entries->command;
    struct text *value = add_key(entries, "decode_error");

    text_add(value, entries->json ? "\"" : "");
    text_add(value, aerogpu_error_name(command->error));
    if (command->error == AEROGPU_PAYLOAD_SIZE_MISMATCH && entries->json)
        text_printf(value, " { expected: %" PRIu64 ", found: %" PRIu32 " }",
                    command->needed - AEROGPU_PACKET_HEADER, command->size - AEROGPU_PACKET_HEADER);
    text_add(value, entries->json ? "\"" : "");
}

static void collect(struct entries *entries)
{
    const struct aerogpu_command *command = entries->command;
    size_t count = 0;
    const struct aerogpu_field *fields = aerogpu_type_fields(command->type, &count);

    if (command->error != AEROGPU_OK)
        add_decode_error(entries);
    for (size_t i = 0; i < count; i++) {
        const char *key = entries->json ? fields[i].json : fields[i].text;

        if (key != NULL && is_there(entries, &fields[i]))
            add_field(entries, &fields[i], key);
    }
    if (entries->count > 0)
        entries->list[entries->count - 1].end = entries->values.length;
}

static void finish(struct entries *entries, struct text *text)
{
    if (entries->short_of_memory || text_status(&entries->values) != 0)
        text_fail(text, -ENOMEM);
    text_clear(&entries->values);
    free(entries->list);
}

void aerogpu_describe_command(const struct aerogpu_command *command, struct text *text)
{
    struct entries entries = {.command = command};

    text_printf(text, "0x%08" PRIX32 " %s size_bytes=%" PRIu32 " opcode_id=0x%08" PRIX32,
                command->offset, command->type != NULL ? command->type->name : "Unknown",
                command->size, command->opcode);
    if (command->type == NULL || command->error != AEROGPU_OK)
        text_printf(text, " payload_len=%" PRIu32, command->size - AEROGPU_PACKET_HEADER);
    if (command->type != NULL && command->error != AEROGPU_OK)
        text_printf(text, " decode_error=%s", aerogpu_error_name(command->error));
    else if (command->type != NULL)
        collect(&entries);
    for (size_t i = 0; i < entries.count; i++) {
        const struct entry *entry = &entries.list[i];

        text_printf(text, " %s=", entry->key);
        text_add_bytes(text, entries.values.bytes + entry->begin, entry->end - entry->begin);
    }
    text_add(text, "\n");
    finish(&entries, text);
}

void aerogpu_describe_header(const struct aerogpu_stream *stream, struct text *text)
{
    text_printf(text,
                "header magic=0x%08" PRIX32 " abi=%" PRIu32 ".%" PRIu32 " size_bytes=%" PRIu32
                " flags=0x%08" PRIX32 " reserved0=0x%08" PRIX32 " reserved1=0x%08" PRIX32
                " file_len=%" PRIu64 "\n",
                stream->magic, stream->abi_version >> 16, stream->abi_version & 0xFFFF,
                stream->size, stream->flags, stream->reserved[0], stream->reserved[1],
                stream->available);
}

void aerogpu_describe_error(const struct aerogpu_error *error, struct text *text)
{
    if (error->kind == AEROGPU_OK)
        return;
    text_printf(text, "0x%08" PRIX32 " ERROR %s", error->offset, aerogpu_error_name(error->kind));
    if (error->kind == AEROGPU_PACKET_OVERRUNS_STREAM)
        text_printf(text, " packet_size_bytes=%" PRIu32 " stream_size_bytes=%" PRIu64, error->found,
                    error->expected);
    else if (error->kind == AEROGPU_BAD_MAGIC || error->kind == AEROGPU_ABI)
        text_printf(text, " found=0x%08" PRIX32, error->found);
    else
        text_printf(text, " found=%" PRIu32, error->found);
    text_add(text, "\n");
}

/* Writes the magic as four characters, with a dot for each that is not printable. */
static void write_fourcc(uint32_t magic, struct text *text)
{
    for (int i = 0; i < 4; i++) {
        char c = (char)(magic >> 8 * i);

        if (c == '"' || c == '\\')
            text_add_char(text, '\\');
        text_add_char(text, c >= ' ' && c <= '~' ? c : '.');
    }
}

void aerogpu_json_begin(const struct aerogpu_stream *stream, struct text *text)
{
    uint64_t slack = stream->available > stream->size ? stream->available - stream->size : 0;

    text_add(text, "{\n  \"header\": {\n");
    text_printf(text, "    \"abi_version_u32\": %" PRIu32 ",\n    \"flags\": %" PRIu32 ",\n",
                stream->abi_version, stream->flags);
    text_add(text, "    \"magic_fourcc\": \"");
    write_fourcc(stream->magic, text);
    text_printf(text,
                "\",\n    \"magic_u32\": %" PRIu32 ",\n    \"reserved0\": %" PRIu32
                ",\n    \"reserved1\": %" PRIu32 ",\n    \"size_bytes\": %" PRIu32 "\n  },\n",
                stream->magic, stream->reserved[0], stream->reserved[1], stream->size);
    text_printf(text,
                "  \"input_len_bytes\": %" PRIu64 ",\n  \"schema_version\": 1,\n"
                "  \"trailing_bytes\": %" PRIu64 ",\n  \"records\": [",
                stream->available, slack);
}

static int compare_keys(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;

    return strcmp(left->key, right->key);
}

void aerogpu_json_command(const struct aerogpu_command *command, struct text *text)
{
    struct entries entries = {.command = command, .json = true};

    if (command->type != NULL)
        collect(&entries);
    if (entries.count > 1)
        qsort(entries.list, entries.count, sizeof(*entries.list), compare_keys);
    text_printf(text, "%s\n    {\n      \"decoded\": {", command->number == 0 ? "" : ",");
    for (size_t i = 0; i < entries.count; i++) {
        const struct entry *entry = &entries.list[i];

        text_printf(text, "%s\n        \"%s\": ", i == 0 ? "" : ",", entry->key);
        text_add_bytes(text, entries.values.bytes + entry->begin, entry->end - entry->begin);
    }
    text_add(text, entries.count > 0 ? "\n      },\n" : "},\n");
    text_printf(text, "      \"offset\": %" PRIu32 ",\n      \"opcode\": ", command->offset);
    if (command->type != NULL)
        text_printf(text, "\"%s\"", command->type->name);
    else
        text_add(text, "null");
    text_printf(text,
                ",\n      \"opcode_u32\": %" PRIu32 ",\n      \"size_bytes\": %" PRIu32
                ",\n      \"type\": \"packet\"\n    }",
                command->opcode, command->size);
    finish(&entries, text);
}

void aerogpu_json_error(const struct aerogpu_error *error, struct text *text)
{
    if (error->kind == AEROGPU_OK)
        return;
    text_printf(text, "%s\n    {\n      \"error\": {\n",
                error->offset <= AEROGPU_STREAM_HEADER ? "" : ",");
    if (error->kind == AEROGPU_BAD_MAGIC || error->kind == AEROGPU_BAD_SIZE_BYTES ||
        error->kind == AEROGPU_SIZE_NOT_ALIGNED)
        text_printf(text, "        \"found\": %" PRIu32 ",\n", error->found);
    if (error->kind == AEROGPU_ABI)
        text_printf(text, "        \"details\": \"UnsupportedMajor { found: %" PRIu32 " }\",\n",
                    error->found >> 16);
    text_printf(text, "        \"kind\": \"%s\"", aerogpu_error_name(error->kind));
    if (error->kind == AEROGPU_PACKET_OVERRUNS_STREAM)
        text_printf(text,
                    ",\n        \"offset\": %" PRIu32 ",\n        \"packet_size_bytes\": %" PRIu32
                    ",\n        \"stream_size_bytes\": %" PRIu64,
                    error->offset, error->found, error->expected);
    text_printf(text,
                "\n      },\n      \"offset\": %" PRIu32 ",\n      \"type\": \"error\"\n    }",
                error->offset);
}

void aerogpu_json_end(struct text *text)
{
    text_add(text, "\n  ]\n}\n");
}

void aerogpu_format_write(struct text *text, uint32_t format)
{
    const char *name = aerogpu_name(AEROGPU_NAMES_FORMAT, format);

    if (name != NULL)
        text_add(text, name);
    else
        text_printf(text, "0x%" PRIX32, format);
}
