/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/encode.h"

#include "formats/psx/assembly/encoding.h"

#include <errno.h>
#include <string.h>

/*
 * Commands whose operands are at fixed places, as tables: a field is a key, and the bits of the
 * words that its parts are in. Polygons, lines and rectangles are in encode_shape.c.
 */

enum field_type {
    FIELD_END,
    FIELD_NUMBER,  /* A */
    FIELD_PAIR,    /* A,B */
    FIELD_CHOICE,  /* one of several words */
    FIELD_COLOUR,  /* RRGGBB, in the first word */
    FIELD_PAGE,    /* the number of a texture page, whose highest bit is at another place */
    FIELD_WORD,    /* the complete first word */
    FIELD_DERIVED, /* follows from other operands: ignored */
};

struct place {
    uint8_t word, shift, bits;
};

struct field {
    enum field_type type;
    const char *key;
    bool optional; /* 0 if it is missing */
    uint8_t unit;  /* values are multiples of it; 0 means 1 */
    struct {
        int32_t min, max;
        struct place at;
    } part[2];
    const struct psx_choice *choices; /* the last entry's text is NULL */
};

#define PLACE(word, from, to)                                                                      \
    {                                                                                              \
        .type = FIELD_PAIR, .key = (word), .part = { from, to }                                    \
    }
#define PART(min, max, word, shift, bits)                                                          \
    {                                                                                              \
        (min), (max),                                                                              \
        {                                                                                          \
            (word), (shift), (bits)                                                                \
        }                                                                                          \
    }
#define BIT(name, shift)                                                                           \
    {                                                                                              \
        .type = FIELD_NUMBER, .key = (name), .optional = true, .part = { PART(0, 1, 0, shift, 1) } \
    }
#define POSITION(key, word) PLACE(key, PART(0, 1023, word, 0, 16), PART(0, 1023, word, 16, 16))
#define EXTENT(word)        PLACE("size", PART(1, 1024, word, 0, 16), PART(1, 512, word, 16, 16))
#define DERIVED(name)                                                                              \
    {                                                                                              \
        .type = FIELD_DERIVED, .key = (name)                                                       \
    }
#define END                                                                                        \
    {                                                                                              \
        .type = FIELD_END                                                                          \
    }

const struct psx_choice psx_page_depths[] = {{"4", 0}, {"8", 1}, {"15", 2}, {NULL, 0}};
static const struct psx_choice columns[] = {
    {"256", 0}, {"320", 1}, {"512", 2}, {"640", 3}, {"368", PSX_MODE_368}, {NULL, 0}};
static const struct psx_choice lines[] = {{"240", 0}, {"480", PSX_MODE_480}, {NULL, 0}};
static const struct psx_choice videos[] = {{"NTSC", 0}, {"PAL", PSX_MODE_PAL}, {NULL, 0}};
static const struct psx_choice mode_depths[] = {{"15", 0}, {"24", PSX_MODE_24}, {NULL, 0}};
static const struct psx_choice display_on[] = {{"0", 1}, {"1", 0}, {NULL, 0}};

static const struct field no_fields[] = {END};
static const struct field fill_fields[] = {
    POSITION("to", 1),
    PLACE("size", PART(0, 1024, 2, 0, 16), PART(0, 511, 2, 16, 16)),
    {.type = FIELD_COLOUR, .key = "rgb"},
    DERIVED("cull"),
    END};
static const struct field copy_fields[] = {POSITION("from", 1), POSITION("to", 2), EXTENT(3), END};
static const struct field upload_fields[] = {POSITION("to", 1), EXTENT(2), DERIVED("words"), END};
static const struct field read_fields[] = {POSITION("from", 1), EXTENT(2), DERIVED("words"), END};
static const struct field unknown_fields[] = {{.type = FIELD_WORD, .key = "word"}, END};

static const struct field *const gp0_fields[] = {
    [GP0_NOP] = no_fields,    [GP0_CLEAR_CACHE] = no_fields,  [GP0_FILL] = fill_fields,
    [GP0_IRQ] = no_fields,    [GP0_COPY] = copy_fields,       [GP0_UPLOAD] = upload_fields,
    [GP0_READ] = read_fields, [GP0_UNKNOWN] = unknown_fields,
};

static const struct field texpage_fields[] = {
    {.type = FIELD_PAGE,
     .key = "page",
     .part = {PART(0, PSX_PAGE_MAX, 0, 0, 5), PART(0, 1, 0, 11, 1)}},
    {.type = FIELD_CHOICE,
     .key = "depth",
     .part = {PART(0, 0, 0, 7, 2)},
     .choices = psx_page_depths},
    {.type = FIELD_NUMBER, .key = "blend", .optional = true, .part = {PART(0, 3, 0, 5, 2)}},
    BIT("dither", 9),
    BIT("todisplay", 10),
    {.type = FIELD_PAIR,
     .key = "flip",
     .optional = true,
     .part = {PART(0, 1, 0, 12, 1), PART(0, 1, 0, 13, 1)}},
    BIT("texture-disable", 11),
    END};
static const struct field window_fields[] = {
    {.type = FIELD_PAIR,
     .key = "mask",
     .unit = 8,
     .part = {PART(0, 248, 0, 0, 5), PART(0, 248, 0, 5, 5)}},
    {.type = FIELD_PAIR,
     .key = "offset",
     .unit = 8,
     .part = {PART(0, 248, 0, 10, 5), PART(0, 248, 0, 15, 5)}},
    END};
static const struct field area_fields[] = {
    PLACE("at", PART(0, 1023, 0, 0, 10), PART(0, 1023, 0, 10, 10)), END};
static const struct field offset_fields[] = {
    PLACE("by", PART(-1024, 1023, 0, 0, 11), PART(-1024, 1023, 0, 11, 11)), END};
static const struct field mask_fields[] = {BIT("set", 0), BIT("check", 1), END};

enum { ENVIRONMENT_FIRST = 0xE1 };

static const struct field *const environment_fields[] = {
    texpage_fields, window_fields, area_fields, area_fields, offset_fields, mask_fields,
};

static const struct field display_fields[] = {
    {.type = FIELD_CHOICE, .key = "on", .part = {PART(0, 0, 0, 0, 1)}, .choices = display_on}, END};
static const struct field dma_fields[] = {
    {.type = FIELD_NUMBER, .key = "dir", .part = {PART(0, 3, 0, 0, 2)}}, END};
static const struct field x_fields[] = {
    {.type = FIELD_NUMBER, .key = "x1", .part = {PART(0, 4095, 0, 0, 12)}},
    {.type = FIELD_NUMBER, .key = "x2", .part = {PART(0, 4095, 0, 12, 12)}},
    END};
static const struct field y_fields[] = {
    {.type = FIELD_NUMBER, .key = "y1", .part = {PART(0, 1023, 0, 0, 10)}},
    {.type = FIELD_NUMBER, .key = "y2", .part = {PART(0, 1023, 0, 10, 10)}},
    END};
#define MODE(name, list)                                                                           \
    {                                                                                              \
        .type = FIELD_CHOICE, .key = (name), .part = {PART(0, 0, 0, 0, 8)}, .choices = (list)      \
    }
static const struct field mode_fields[] = {MODE("hres", columns), MODE("vres", lines),
                                           MODE("video", videos), MODE("depth", mode_depths),
                                           BIT("interlace", 5),   END};
static const struct field allow_fields[] = {
    {.type = FIELD_NUMBER, .key = "on", .part = {PART(0, 1, 0, 0, 1)}}, END};
static const struct field info_fields[] = {
    {.type = FIELD_NUMBER, .key = "index", .part = {PART(0, 15, 0, 0, 4)}}, END};

enum { GP1_INFO_FIRST = 0x10, GP1_COMMANDS = 0x40 };

/* For 00 to 09. */
static const struct field *const gp1_fields[] = {
    no_fields,   no_fields, no_fields, display_fields, dma_fields,
    area_fields, x_fields,  y_fields,  mode_fields,    allow_fields,
};

static void put(struct psx_encoded *out, const struct place *place, int64_t value)
{
    out->words[place->word] |= ((uint32_t)value & ((UINT32_C(1) << place->bits) - 1))
                               << place->shift;
}

int psx_encoding_hex(const struct psx_operands *operands, const struct psx_token *token,
                     unsigned digits, uint32_t *value)
{
    if (psx_token_hex(token, digits, value))
        return 0;
    return psx_scan_fail(operands->scan, token->at,
                         "'%.*s' is not a number of %u hexadecimal digits", PSX_TOKEN(token),
                         digits);
}

static int put_numbers(struct psx_encoding *encoding, const struct field *field,
                       const struct psx_operand *operand)
{
    struct psx_token rest = operand->value, part;
    unsigned parts = field->type == FIELD_PAIR ? 2 : 1, unit = field->unit > 0 ? field->unit : 1;
    int64_t value;
    int status;

    for (unsigned i = 0; i < parts; i++) {
        bool more = psx_token_cut(&rest, ',', &part);

        if (more != (i + 1 < parts))
            return psx_scan_fail(encoding->operands.scan, operand->value.at, "%s= must be %s",
                                 field->key, parts == 2 ? "two numbers, A,B" : "one number");
        status = psx_operand_number(&encoding->operands, operand, &part, field->part[i].min,
                                    field->part[i].max, &value);
        if (status != 0)
            return status;
        if (value % (int64_t)unit != 0)
            return psx_scan_fail(encoding->operands.scan, part.at,
                                 "%s=: %lld is not a multiple of %u", field->key, (long long)value,
                                 unit);
        put(encoding->out, &field->part[i].at, value / (int64_t)unit);
        if (field->type == FIELD_PAGE)
            put(encoding->out, &field->part[1].at, value >> 5);
    }
    return 0;
}

int psx_encoding_choice(const struct psx_operands *operands, const struct psx_operand *operand,
                        const struct psx_choice *choices, uint32_t *bits)
{
    for (; choices->text != NULL; choices++)
        if (psx_token_is(&operand->value, choices->text)) {
            *bits = choices->bits;
            return 0;
        }
    return psx_scan_fail(operands->scan, operand->value.at, "%.*s= cannot be '%.*s'",
                         PSX_TOKEN(&operand->key), PSX_TOKEN(&operand->value));
}

static int put_field(struct psx_encoding *encoding, const struct field *field)
{
    const struct psx_operand *operand = NULL;
    uint32_t bits = 0;
    int status = 0;

    if (field->optional || field->type == FIELD_DERIVED)
        operand = psx_operands_take(&encoding->operands, field->key);
    else
        status = psx_operands_need(&encoding->operands, field->key, &operand);
    if (status != 0 || operand == NULL)
        return status;
    switch (field->type) {
    case FIELD_CHOICE:
        status = psx_encoding_choice(&encoding->operands, operand, field->choices, &bits);
        put(encoding->out, &field->part[0].at, bits);
        return status;
    case FIELD_COLOUR:
        status = psx_encoding_hex(&encoding->operands, &operand->value, 6, &bits);
        encoding->out->words[0] |= psx_swap_rgb(bits);
        return status;
    case FIELD_WORD:
        return psx_encoding_hex(&encoding->operands, &operand->value, 8, &encoding->out->words[0]);
    case FIELD_DERIVED:
        return 0;
    default:
        return put_numbers(encoding, field, operand);
    }
}

static int put_fields(struct psx_encoding *encoding, const struct field *field)
{
    int status = 0;

    for (; status == 0 && field->type != FIELD_END; field++)
        status = put_field(encoding, field);
    return status;
}

uint8_t psx_encoding_op(struct psx_encoding *encoding, uint8_t told)
{
    encoding->out->op = told;
    return encoding->given == PSX_OP_TOLD ? told : (uint8_t)encoding->given;
}

/* What any command may have: bits without a name, and where packets cut the command. */

static int take_place(const struct psx_operands *operands, const struct psx_operand *operand,
                      const struct psx_token *part, unsigned min, unsigned count, int64_t *place)
{
    if (count <= min)
        return psx_scan_fail(operands->scan, operand->key.at,
                             "%.*s= is not possible: the command has only one word",
                             PSX_TOKEN(&operand->key));
    return psx_operand_number(operands, operand, part, min, count - 1, place);
}

static int take_bits(struct psx_encoding *encoding)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, "bits");
    struct psx_encoded *out = encoding->out;
    struct psx_token rest, part, word;
    uint32_t bits = 0;
    int64_t place = 0;
    int status = 0;

    if (operand == NULL)
        return 0;
    rest = operand->value;
    for (bool more = true; more && status == 0;) {
        more = psx_token_cut(&rest, '/', &part);
        if (!psx_token_cut(&part, ':', &word))
            return psx_scan_fail(encoding->operands.scan, word.at,
                                 "bits= must be WORD:BITS/WORD:BITS");
        if ((status = take_place(&encoding->operands, operand, &word, 0, out->count, &place)) ==
                0 &&
            (status = psx_encoding_hex(&encoding->operands, &part, 8, &bits)) == 0)
            out->words[place] ^= bits;
    }
    return status;
}

static int take_cuts(struct psx_encoding *encoding)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, "cut");
    struct psx_encoded *out = encoding->out;
    struct psx_token rest, part;
    int64_t place = 0;

    if (operand == NULL)
        return 0;
    rest = operand->value;
    for (bool more = true; more;) {
        int64_t last = place;
        int status;

        more = psx_token_cut(&rest, ',', &part);
        status = take_place(&encoding->operands, operand, &part, 1, out->count, &place);
        if (status != 0)
            return status;
        if (place <= last)
            return psx_scan_fail(encoding->operands.scan, part.at, "cut=: the numbers must ascend");
        out->cuts[out->cut_count++] = (uint16_t)place;
    }
    return 0;
}

static int take_op(struct psx_encoding *encoding)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, "op");
    uint32_t op = 0;

    if (operand == NULL)
        return 0;
    if (encoding->given != PSX_OP_TOLD)
        return psx_scan_fail(encoding->operands.scan, operand->key.at,
                             "op= is not allowed: the byte is given before the name");
    encoding->given_at = operand->value.at;
    encoding->strict = true;
    if (!psx_token_hex(&operand->value, 2, &op))
        return psx_scan_fail(encoding->operands.scan, operand->value.at,
                             "op= must be two hexadecimal digits");
    encoding->given = (int)op;
    return 0;
}

static int begin(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                 struct psx_encoding *encoding)
{
    int status = psx_operands_read(scan, name, &encoding->operands);

    encoding->given = op;
    encoding->strict = strict && op != PSX_OP_TOLD;
    encoding->given_at = name->at;
    encoding->out->count = encoding->out->cut_count = 0;
    return status == 0 ? take_op(encoding) : status;
}

static int finish(struct psx_encoding *encoding)
{
    int status = take_bits(encoding);

    return status == 0 ? psx_operands_end(&encoding->operands) : status;
}

/* Returns the lowest first byte with that name, or -1 if there is none. */
static int find_gp0(const struct psx_token *name)
{
    for (int op = 0; op < 256; op++)
        if (psx_token_is(name, psx_gp0_table[op].name))
            return op;
    return -1;
}

static int find_gp1(const struct psx_token *name)
{
    for (int op = 0; op < GP1_COMMANDS; op++)
        if (psx_gp1_table[op].name != NULL && psx_token_is(name, psx_gp1_table[op].name))
            return op;
    return -1;
}

static int tell_other_op(const struct psx_encoding *encoding)
{
    return psx_scan_fail(encoding->operands.scan, encoding->given_at, "the byte %02X is not %.*s",
                         (unsigned)encoding->given, PSX_TOKEN(&encoding->operands.name));
}

/* Checks a command of one word, whose first byte is in that word. */
static int encode_unknown(struct psx_encoding *encoding, bool known)
{
    uint32_t word = encoding->out->words[0];

    encoding->out->op = (uint8_t)(word >> 24);
    if (known || (encoding->given != PSX_OP_TOLD && encoding->given != (int)(word >> 24)))
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "word=%08X is another command", (unsigned)word);
    return 0;
}

static int encode_fixed(struct psx_encoding *encoding, uint8_t first, const struct field *fields)
{
    struct psx_encoded *out = encoding->out;
    enum psx_gp0_kind kind = psx_gp0_table[first].kind;
    uint8_t op = psx_encoding_op(encoding, first);
    int status;

    out->count = psx_gp0_table[first].words;
    memset(out->words, 0, out->count * sizeof(out->words[0]));
    out->words[0] = kind == GP0_UNKNOWN ? 0 : (uint32_t)op << 24;
    status = put_fields(encoding, fields);
    if (status != 0)
        return status;
    /* 1024 is written as 1023, which the GPU rounds up to a multiple of 16. */
    if (kind == GP0_FILL && (out->words[2] & 0xFFFF) == 1024)
        out->words[2]--;
    if (kind == GP0_UNKNOWN)
        return encode_unknown(encoding, psx_gp0_table[out->words[0] >> 24].kind != GP0_UNKNOWN);
    return 0;
}

int psx_encode_gp0(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out)
{
    struct psx_encoding encoding = {.out = out};
    int first = find_gp0(name), status;
    enum psx_gp0_kind kind;

    if (first < 0)
        return psx_scan_fail(scan, name->at, "there is no command '%.*s' of port 0",
                             PSX_TOKEN(name));
    kind = psx_gp0_table[first].kind;
    if ((status = begin(scan, name, op, strict, &encoding)) != 0)
        return status;
    if (encoding.given != PSX_OP_TOLD &&
        strcmp(psx_gp0_table[encoding.given].name, psx_gp0_table[first].name) != 0)
        return tell_other_op(&encoding);
    if (kind == GP0_POLYGON || kind == GP0_LINE || kind == GP0_POLYLINE || kind == GP0_RECTANGLE)
        status = psx_encode_shape(&encoding, (uint8_t)first);
    else
        status =
            encode_fixed(&encoding, (uint8_t)first,
                         kind == GP0_ENVIRONMENT ? environment_fields[first - ENVIRONMENT_FIRST]
                                                 : gp0_fields[kind]);
    if (status == 0)
        status = take_cuts(&encoding);
    return status == 0 ? finish(&encoding) : status;
}

/* Returns whether the byte has a name. From 40h on, bytes are mirrors of the lower ones. */
static bool gp1_is_known(uint32_t op)
{
    return psx_gp1_table[op & (GP1_COMMANDS - 1)].name != NULL;
}

int psx_encode_gp1(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out)
{
    struct psx_encoding encoding = {.out = out};
    const bool unknown = psx_token_is(name, "unknown");
    int first = unknown ? 0 : find_gp1(name), status;
    const struct field *fields = unknown ? unknown_fields : info_fields;
    uint8_t byte;

    if (first < 0)
        return psx_scan_fail(scan, name->at, "there is no command '%.*s' of port 1",
                             PSX_TOKEN(name));
    if ((status = begin(scan, name, op, strict, &encoding)) != 0)
        return status;
    if (!unknown && first < GP1_INFO_FIRST)
        fields = gp1_fields[first];
    if (!unknown && encoding.given != PSX_OP_TOLD &&
        psx_gp1_table[encoding.given & (GP1_COMMANDS - 1)].name != psx_gp1_table[first].name)
        return tell_other_op(&encoding);
    byte = psx_encoding_op(&encoding, (uint8_t)first);
    out->count = 1;
    out->words[0] = unknown ? 0 : (uint32_t)byte << 24;
    status = put_fields(&encoding, fields);
    if (status == 0 && unknown)
        status = encode_unknown(&encoding, gp1_is_known(out->words[0] >> 24));
    return status == 0 ? finish(&encoding) : status;
}
