#include "formats/apitrace/decode/value.h"

static void read_enum(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                      struct apitrace_value *value)
{
    value->enumeration = apitrace_read_enum(reader, definitions);
    if (value->enumeration == NULL)
        return;
    value->number = (uint64_t)(value->enumeration->single ? value->enumeration->constants->value
                                                          : apitrace_read_signed(reader));
}

static void read_other(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                       struct apitrace_value *value)
{
    uint64_t place = apitrace_reader_position(reader) - 1;
    uint64_t bits;

    switch (value->type) {
    case APITRACE_DOUBLE:
        bits = apitrace_read_le64(reader);
        memcpy(&value->real, &bits, sizeof(bits));
        break;
    case APITRACE_STRING:
    case APITRACE_BLOB: /* whether the bytes are there is found when they are read */
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_ARRAY:
    case APITRACE_WSTRING:
        value->number = apitrace_read_count(reader, 1);
        break;
    case APITRACE_BITMASK:
        value->bitmask = apitrace_read_bitmask(reader, definitions);
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_STRUCT:
        value->structure = apitrace_read_struct(reader, definitions);
        value->number = value->structure != NULL ? value->structure->member_count : 0;
        break;
    case APITRACE_REPR:
        value->number = 2;
        break;
    default:
        apitrace_reader_fault(reader, place, "unknown type %u", value->type);
    }
}

void apitrace_read_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         struct apitrace_value *value)
{
    uint32_t bits;

    value->type = apitrace_read_byte(reader);
    value->number = 0;
    switch (value->type) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        break;
    case APITRACE_FLOAT:
        bits = apitrace_read_le32(reader);
        memcpy(&value->single, &bits, sizeof(bits));
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        value->number = apitrace_read_number(reader);
        break;
    case APITRACE_ENUM:
        read_enum(reader, definitions, value);
        break;
    default:
        read_other(reader, definitions, value);
    }
    if (reader->status != 0)
        value->type = APITRACE_NULL;
}

/* What is still to come on each level. */
struct skipping {
    uint64_t left[APITRACE_NESTING_MAX + 1];
    unsigned depth;
    unsigned human; /* the level whose last but one value is a human's side; 0: none */
};

/* Floats are the majority of all values, and of all long arrays. */
static void skip_floats(struct apitrace_reader *reader, uint64_t *left)
{
    while (*left > 0 && reader->end - reader->at >= 5 && *reader->at == APITRACE_FLOAT) {
        reader->at += 5;
        --*left;
    }
}

static void descend(struct apitrace_reader *reader, struct skipping *skipping, uint64_t count)
{
    if (skipping->depth == APITRACE_NESTING_MAX) {
        apitrace_reader_fault(reader, apitrace_reader_position(reader),
                              "values are nested too deeply");
        return;
    }
    skipping->left[++skipping->depth] = count;
}

static void skip_deep(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                      apitrace_blob_met *met, void *context)
{
    struct skipping skipping;
    struct apitrace_value value;

    skipping.left[0] = 1;
    skipping.depth = skipping.human = 0;
    while (reader->status == 0) {
        uint64_t *left = &skipping.left[skipping.depth];

        skip_floats(reader, left);
        if (*left == 0) {
            if (skipping.depth-- == 0)
                return;
            continue;
        }
        --*left;
        if (skipping.human == skipping.depth + 1 && *left == 0)
            skipping.human = 0; /* the machine's side begins */
        apitrace_read_value(reader, definitions, &value);
        switch (value.type) {
        case APITRACE_STRING:
            apitrace_skip_bytes(reader, value.number);
            break;
        case APITRACE_BLOB:
            if (met != NULL && skipping.human == 0 && reader->status == 0)
                met(context, apitrace_reader_position(reader), value.number);
            apitrace_skip_bytes(reader, value.number);
            break;
        case APITRACE_WSTRING:
            for (uint64_t n = 0; n < value.number && reader->status == 0; n++)
                apitrace_read_number(reader);
            break;
        case APITRACE_ARRAY:
        case APITRACE_STRUCT:
            descend(reader, &skipping, value.number);
            break;
        case APITRACE_REPR:
            descend(reader, &skipping, value.number);
            if (skipping.human == 0)
                skipping.human = skipping.depth + 1;
            break;
        default:
            break;
        }
    }
}

/* Most values are one scalar. */
void apitrace_skip_value(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                         apitrace_blob_met *met, void *context)
{
    struct apitrace_value value;

    switch (reader->at < reader->end ? *reader->at : APITRACE_TYPES) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        reader->at++;
        break;
    case APITRACE_ENUM:
        apitrace_read_value(reader, definitions, &value);
        break;
    case APITRACE_NEGATIVE:
    case APITRACE_POSITIVE:
    case APITRACE_OPAQUE:
        reader->at++;
        apitrace_read_number(reader);
        break;
    case APITRACE_FLOAT:
        reader->at++;
        apitrace_read_le32(reader);
        break;
    default:
        skip_deep(reader, definitions, met, context);
    }
}

void apitrace_skip_rest(struct apitrace_reader *reader, struct apitrace_definitions *definitions,
                        const struct apitrace_value *value)
{
    switch (value->type) {
    case APITRACE_STRING:
    case APITRACE_BLOB:
        apitrace_skip_bytes(reader, value->number);
        break;
    case APITRACE_WSTRING:
        for (uint64_t n = 0; n < value->number && reader->status == 0; n++)
            apitrace_read_number(reader);
        break;
    case APITRACE_ARRAY:
    case APITRACE_STRUCT:
    case APITRACE_REPR:
        for (uint64_t n = 0; n < value->number && reader->status == 0; n++)
            apitrace_skip_value(reader, definitions, NULL, NULL);
        break;
    default:
        break;
    }
}

bool apitrace_value_integer(const struct apitrace_value *value, int64_t *integer)
{
    switch (value->type) {
    case APITRACE_NULL:
    case APITRACE_FALSE:
    case APITRACE_TRUE:
        *integer = value->type == APITRACE_TRUE;
        return true;
    case APITRACE_NEGATIVE:
        *integer = (int64_t)(0 - value->number);
        return true;
    case APITRACE_POSITIVE:
    case APITRACE_ENUM:
    case APITRACE_BITMASK:
    case APITRACE_OPAQUE:
        *integer = (int64_t)value->number;
        return true;
    default:
        return false;
    }
}

bool apitrace_value_real(const struct apitrace_value *value, double *real)
{
    int64_t integer = 0;

    if (value->type == APITRACE_FLOAT)
        *real = value->single;
    else if (value->type == APITRACE_DOUBLE)
        *real = value->real;
    else if (apitrace_value_integer(value, &integer))
        *real = (double)integer;
    else
        return false;
    return true;
}
