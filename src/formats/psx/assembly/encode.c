/* SPDX-License-Identifier: MIT */
#include "formats/psx/assembly/encode.h"

#include <errno.h>
#include <string.h>

/*
 * Commands whose operands stand at fixed places, as tables: a field is a key and the bits of which
 * words its parts are. What polygons, lines and rectangles have is further down.
 */

enum field_type {
    FIELD_END,
    FIELD_NUMBER,  /* A */
    FIELD_PAIR,    /* A,B */
    FIELD_CHOICE,  /* one of some words */
    FIELD_COLOUR,  /* RRGGBB, in the first word */
    FIELD_PAGE,    /* the number of a texture page, whose highest bit stands apart */
    FIELD_WORD,    /* all of the first word */
    FIELD_DERIVED, /* follows from other operands: read over */
};

struct place {
    uint8_t word, shift, bits;
};

struct choice {
    const char *text;
    uint32_t bits;
};

struct field {
    enum field_type type;
    const char *key;
    bool optional; /* 0 without it */
    uint8_t unit;  /* values are multiples of it; 0: of 1 */
    struct {
        int32_t min, max;
        struct place at;
    } part[2];
    const struct choice *choices; /* the last one's text is NULL */
};

enum { PAGE_MAX = 63 };

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

static const struct choice page_depths[] = {{"4", 0}, {"8", 1}, {"15", 2}, {NULL, 0}};
static const struct choice columns[] = {
    {"256", 0}, {"320", 1}, {"512", 2}, {"640", 3}, {"368", PSX_MODE_368}, {NULL, 0}};
static const struct choice lines[] = {{"240", 0}, {"480", PSX_MODE_480}, {NULL, 0}};
static const struct choice videos[] = {{"NTSC", 0}, {"PAL", PSX_MODE_PAL}, {NULL, 0}};
static const struct choice mode_depths[] = {{"15", 0}, {"24", PSX_MODE_24}, {NULL, 0}};
static const struct choice display_on[] = {{"0", 1}, {"1", 0}, {NULL, 0}};

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
    {.type = FIELD_PAGE, .key = "page", .part = {PART(0, PAGE_MAX, 0, 0, 5), PART(0, 1, 0, 11, 1)}},
    {.type = FIELD_CHOICE, .key = "depth", .part = {PART(0, 0, 0, 7, 2)}, .choices = page_depths},
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

enum { GP1_INFO_FIRST = 0x10, GP1_INFO_LAST = 0x1F, GP1_COMMANDS = 0x40 };

/* Of 00 to 09. */
static const struct field *const gp1_fields[] = {
    no_fields,   no_fields, no_fields, display_fields, dma_fields,
    area_fields, x_fields,  y_fields,  mode_fields,    allow_fields,
};

/* A statement that is being encoded. */
struct encoding {
    struct psx_operands operands;
    struct psx_encoded *out;
    bool strict; /* a first byte that is given must not contradict the operands */
    int given;   /* that byte, or PSX_OP_TOLD */
    size_t given_at;
};

static void put(struct psx_encoded *out, const struct place *place, int64_t value)
{
    out->words[place->word] |= ((uint32_t)value & ((UINT32_C(1) << place->bits) - 1))
                               << place->shift;
}

/* RRGGBB; the word holds R in its low byte. */
static uint32_t swap_rgb(uint32_t rgb)
{
    return rgb >> 16 | (rgb & 0xFF00) | (rgb & 0xFF) << 16;
}

static int take_hex(const struct psx_operands *operands, const struct psx_token *token,
                    unsigned digits, uint32_t *value)
{
    if (psx_token_hex(token, digits, value))
        return 0;
    return psx_scan_fail(operands->scan, token->at, "'%.*s' is not of %u hexadecimal digits",
                         PSX_TOKEN(token), digits);
}

static int put_numbers(struct encoding *encoding, const struct field *field,
                       const struct psx_operand *operand)
{
    struct psx_token rest = operand->value, part;
    unsigned parts = field->type == FIELD_PAIR ? 2 : 1, unit = field->unit > 0 ? field->unit : 1;
    int64_t value;
    int status;

    for (unsigned i = 0; i < parts; i++) {
        bool more = psx_token_cut(&rest, ',', &part);

        if (more != (i + 1 < parts))
            return psx_scan_fail(encoding->operands.scan, operand->value.at, "%s= is %s",
                                 field->key, parts == 2 ? "two numbers, A,B" : "one number");
        status = psx_operand_number(&encoding->operands, operand, &part, field->part[i].min,
                                    field->part[i].max, &value);
        if (status != 0)
            return status;
        if (value % (int64_t)unit != 0)
            return psx_scan_fail(encoding->operands.scan, part.at, "%s=: %lld is no multiple of %u",
                                 field->key, (long long)value, unit);
        put(encoding->out, &field->part[i].at, value / (int64_t)unit);
        if (field->type == FIELD_PAGE)
            put(encoding->out, &field->part[1].at, value >> 5);
    }
    return 0;
}

static int take_choice(const struct psx_operands *operands, const struct psx_operand *operand,
                       const struct choice *choices, uint32_t *bits)
{
    for (; choices->text != NULL; choices++)
        if (psx_token_is(&operand->value, choices->text)) {
            *bits = choices->bits;
            return 0;
        }
    return psx_scan_fail(operands->scan, operand->value.at, "%.*s= cannot be '%.*s'",
                         PSX_TOKEN(&operand->key), PSX_TOKEN(&operand->value));
}

static int put_field(struct encoding *encoding, const struct field *field)
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
        status = take_choice(&encoding->operands, operand, field->choices, &bits);
        put(encoding->out, &field->part[0].at, bits);
        return status;
    case FIELD_COLOUR:
        status = take_hex(&encoding->operands, &operand->value, 6, &bits);
        encoding->out->words[0] |= swap_rgb(bits);
        return status;
    case FIELD_WORD:
        return take_hex(&encoding->operands, &operand->value, 8, &encoding->out->words[0]);
    case FIELD_DERIVED:
        return 0;
    default:
        return put_numbers(encoding, field, operand);
    }
}

static int put_fields(struct encoding *encoding, const struct field *field)
{
    int status = 0;

    for (; status == 0 && field->type != FIELD_END; field++)
        status = put_field(encoding, field);
    return status;
}

/*
 * The first byte: the operands', or the given one, which may differ from it in the bits of
 * `free` alone.
 */
static int choose_op(struct encoding *encoding, uint8_t told, uint8_t free, uint8_t *op)
{
    encoding->out->op = told;
    *op = encoding->given == PSX_OP_TOLD ? told : (uint8_t)encoding->given;
    if (!encoding->strict || ((*op ^ told) & ~free) == 0)
        return 0;
    return psx_scan_fail(encoding->operands.scan, encoding->given_at,
                         "the byte %02X is not what the operands say, which is %02X", *op, told);
}

/* Polygons, lines, polylines and rectangles. */

struct shape {
    uint8_t op;
    enum psx_gp0_kind kind;
    bool textured, gouraud;
    unsigned vertices, colours;
    uint32_t position[PSX_POLYLINE_LISTED]; /* as words */
    uint32_t colour[PSX_POLYLINE_LISTED];
    uint32_t texel[4];
    uint32_t clut, page; /* the upper halves of texels 0 and 1 */
    int64_t width, height;
    int semi, raw; /* -1: not told */
};

enum { NOT_TOLD = -1 };

/* A,B/A,B… as words: A in the lower half, or byte. `max` of them. */
static int take_pairs(struct encoding *encoding, const char *key, int64_t min, int64_t max,
                      unsigned shift, unsigned room, uint32_t *words, unsigned *count)
{
    const struct psx_operands *operands = &encoding->operands;
    const struct psx_operand *operand;
    const uint32_t mask = (UINT32_C(1) << shift) - 1;
    int status = psx_operands_need(&encoding->operands, key, &operand);
    struct psx_token rest, pair, x;
    int64_t a, b;

    if (status != 0)
        return status;
    rest = operand->value;
    *count = 0;
    for (bool more = true; more; (*count)++) {
        more = psx_token_cut(&rest, '/', &pair);
        if (*count == room)
            return psx_scan_fail(operands->scan, pair.at, "%s= has more than %u", key, room);
        if (!psx_token_cut(&pair, ',', &x))
            return psx_scan_fail(operands->scan, x.at, "%s= is pairs, A,B/A,B", key);
        if ((status = psx_operand_number(operands, operand, &x, min, max, &a)) != 0 ||
            (status = psx_operand_number(operands, operand, &pair, min, max, &b)) != 0)
            return status;
        words[*count] = ((uint32_t)a & mask) | ((uint32_t)b & mask) << shift;
    }
    return 0;
}

static int take_colours(struct encoding *encoding, struct shape *shape)
{
    const struct psx_operands *operands = &encoding->operands;
    const struct psx_operand *operand;
    int status = psx_operands_need(&encoding->operands, "rgb", &operand);
    unsigned wanted = shape->gouraud ? shape->vertices : 1;
    struct psx_token rest, part;
    uint32_t rgb;

    if (status != 0)
        return status;
    rest = operand->value;
    for (bool more = true; more; shape->colours++) {
        more = psx_token_cut(&rest, '/', &part);
        if (shape->colours == wanted)
            return psx_scan_fail(operands->scan, part.at, "rgb= has more than %u", wanted);
        if ((status = take_hex(operands, &part, 6, &rgb)) != 0)
            return status;
        shape->colour[shape->colours] = swap_rgb(rgb);
    }
    if (shape->colours == wanted)
        return 0;
    return psx_scan_fail(operands->scan, operand->value.at, "rgb= has fewer than %u", wanted);
}

static int check_count(const struct encoding *encoding, const char *key, unsigned count,
                       unsigned wanted)
{
    if (count == wanted)
        return 0;
    return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                         "%.*s has %u of %s=, not %u", PSX_TOKEN(&encoding->operands.name), wanted,
                         key, count);
}

static int take_vertices(struct encoding *encoding, struct shape *shape)
{
    const bool polyline = shape->kind == GP0_POLYLINE;
    unsigned wanted = shape->kind == GP0_RECTANGLE ? 1 : 2;
    int status = take_pairs(encoding, "v", -1024, 1023, 16, PSX_POLYLINE_LISTED, shape->position,
                            &shape->vertices);

    if (shape->kind == GP0_POLYGON)
        wanted = shape->op & GP0_QUAD ? 4 : 3;
    if (status == 0 && polyline && shape->vertices < 2)
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "a polyline has at least two vertices");
    if (status == 0 && !polyline)
        status = check_count(encoding, "v", shape->vertices, wanted);
    return status;
}

static int take_flag(struct encoding *encoding, const char *key, int *flag)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, key);
    int64_t value;
    int status;

    *flag = NOT_TOLD;
    if (operand == NULL)
        return 0;
    status = psx_operand_number(&encoding->operands, operand, &operand->value, 0, 1, &value);
    if (status == 0)
        *flag = (int)value;
    return status;
}

/* The texture page in a polygon's own words. */
static int take_page(struct encoding *encoding, struct shape *shape)
{
    const struct psx_operand *page, *depth;
    uint32_t bits = 0;
    int64_t number = 0;
    int status;

    if ((status = psx_operands_need(&encoding->operands, "page", &page)) != 0 ||
        (status = psx_operand_number(&encoding->operands, page, &page->value, 0, PAGE_MAX,
                                     &number)) != 0 ||
        (status = psx_operands_need(&encoding->operands, "depth", &depth)) != 0 ||
        (status = take_choice(&encoding->operands, depth, page_depths, &bits)) != 0)
        return status;
    shape->page |= (uint32_t)(number & 0x1F) | (uint32_t)(number >> 5) << 11 | bits << 7;
    return 0;
}

static int take_texture(struct encoding *encoding, struct shape *shape)
{
    const struct psx_operand *clut;
    unsigned count = 0;
    int status = take_pairs(encoding, "uv", 0, 255, 8, 4, shape->texel, &count);

    if (status == 0)
        status = check_count(encoding, "uv", count, shape->vertices);
    if (status == 0)
        status = psx_operands_need(&encoding->operands, "clut", &clut);
    if (status == 0 && !psx_token_is(&clut->value, "none"))
        status = take_hex(&encoding->operands, &clut->value, 4, &shape->clut);
    if (status == 0 && shape->kind == GP0_POLYGON)
        return take_page(encoding, shape);
    (void)psx_operands_take(&encoding->operands, "page"); /* a rectangle's are texpage's */
    (void)psx_operands_take(&encoding->operands, "depth");
    return status;
}

/* With a page of its own a polygon keeps its blending, also where nothing shines through. */
static int take_blend(struct encoding *encoding, struct shape *shape)
{
    const struct psx_operand *blend = psx_operands_take(&encoding->operands, "blend");
    int64_t number = 0;
    int status = take_flag(encoding, "semi", &shape->semi);

    if (status == 0)
        status = take_flag(encoding, "raw", &shape->raw);
    if (status == 0 && shape->raw == 1 && !shape->textured)
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "raw= is for what has a texture");
    if (status != 0 || blend == NULL)
        return status;
    status = psx_operand_number(&encoding->operands, blend, &blend->value, 0, 3, &number);
    if (shape->kind == GP0_POLYGON && shape->textured)
        shape->page |= (uint32_t)number << 5;
    if (shape->semi == NOT_TOLD)
        shape->semi = 1;
    return status;
}

static int take_size(struct encoding *encoding, struct shape *shape)
{
    const struct psx_operand *size;
    struct psx_token width, height;
    int status = psx_operands_need(&encoding->operands, "size", &size);

    if (status != 0)
        return status;
    height = size->value;
    if (!psx_token_cut(&height, ',', &width))
        return psx_scan_fail(encoding->operands.scan, size->value.at, "size= is two numbers, A,B");
    status = psx_operand_number(&encoding->operands, size, &width, 0, 1023, &shape->width);
    if (status == 0)
        status = psx_operand_number(&encoding->operands, size, &height, 0, 511, &shape->height);
    return status;
}

enum { SIZE_BITS = 0x18, SIZE_1 = 0x08, SIZE_8 = 0x10, SIZE_16 = 0x18 };

/* Rectangles of these sizes have commands of their own. */
static uint8_t size_bits(const struct shape *shape)
{
    if (shape->width != shape->height)
        return 0;
    return shape->width == 1    ? SIZE_1
           : shape->width == 8  ? SIZE_8
           : shape->width == 16 ? SIZE_16
                                : 0;
}

static int choose_shape_op(struct encoding *encoding, struct shape *shape)
{
    uint8_t told = shape->op, free = 0, op;
    int status;

    told |= shape->semi == 1 ? GP0_SEMI : 0;
    told |= shape->raw == 1 ? GP0_RAW : 0;
    if (!shape->textured)
        free = GP0_RAW;
    if (shape->kind == GP0_LINE || shape->kind == GP0_POLYLINE)
        free |= GP0_TEXTURED;
    if (shape->kind == GP0_RECTANGLE) {
        told |= size_bits(shape);
        if (encoding->given != PSX_OP_TOLD && (encoding->given & SIZE_BITS) == 0)
            free |= SIZE_BITS; /* the size is told by a word */
    }
    status = choose_op(encoding, told, free, &op);
    shape->op = op;
    return status;
}

static void write_shape(const struct shape *shape, struct psx_encoded *out)
{
    unsigned count = 0;

    for (unsigned i = 0; i < shape->vertices; i++) {
        if (i == 0)
            out->words[count++] = (uint32_t)shape->op << 24 | shape->colour[0];
        else if (shape->gouraud)
            out->words[count++] = shape->colour[i];
        out->words[count++] = shape->position[i];
        if (!shape->textured)
            continue;
        out->words[count] = shape->texel[i];
        if (i < 2)
            out->words[count] |= (i == 0 ? shape->clut : shape->page) << 16;
        count++;
    }
    if (shape->kind == GP0_POLYLINE)
        out->words[count++] = GP0_POLYLINE_END;
    if (shape->kind == GP0_RECTANGLE && (shape->op & SIZE_BITS) == 0)
        out->words[count++] = (uint32_t)shape->width | (uint32_t)shape->height << 16;
    out->count = count;
}

static int encode_shape(struct encoding *encoding, uint8_t first)
{
    struct shape shape = {.op = first, .kind = psx_gp0_table[first].kind};
    int status;

    shape.textured =
        (shape.kind == GP0_POLYGON || shape.kind == GP0_RECTANGLE) && (first & GP0_TEXTURED);
    shape.gouraud = shape.kind != GP0_RECTANGLE && (first & GP0_GOURAUD);
    (void)psx_operands_take(&encoding->operands, "box");
    (void)psx_operands_take(&encoding->operands, "cull");
    if ((status = take_vertices(encoding, &shape)) != 0 ||
        (status = take_colours(encoding, &shape)) != 0 ||
        (shape.textured && (status = take_texture(encoding, &shape)) != 0) ||
        (shape.kind == GP0_RECTANGLE && (status = take_size(encoding, &shape)) != 0) ||
        (status = take_blend(encoding, &shape)) != 0 ||
        (status = choose_shape_op(encoding, &shape)) != 0)
        return status;
    write_shape(&shape, encoding->out);
    return 0;
}

/* What any command may have: bits without a name, and where packets cut it. */

static int take_place(const struct psx_operands *operands, const struct psx_operand *operand,
                      const struct psx_token *part, unsigned min, unsigned count, int64_t *place)
{
    if (count <= min)
        return psx_scan_fail(operands->scan, operand->key.at, "%.*s= has no place in one word",
                             PSX_TOKEN(&operand->key));
    return psx_operand_number(operands, operand, part, min, count - 1, place);
}

static int take_bits(struct encoding *encoding)
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
            return psx_scan_fail(encoding->operands.scan, word.at, "bits= is WORD:BITS/WORD:BITS");
        if ((status = take_place(&encoding->operands, operand, &word, 0, out->count, &place)) ==
                0 &&
            (status = take_hex(&encoding->operands, &part, 8, &bits)) == 0)
            out->words[place] ^= bits;
    }
    return status;
}

static int take_cuts(struct encoding *encoding)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, "cut");
    struct psx_encoded *out = encoding->out;
    struct psx_token rest, part;
    int64_t place = 0;
    int status = 0;

    if (operand == NULL)
        return 0;
    rest = operand->value;
    for (bool more = true; more && status == 0; out->cuts[out->cut_count++] = (uint16_t)place) {
        int64_t last = place;

        more = psx_token_cut(&rest, ',', &part);
        status = take_place(&encoding->operands, operand, &part, 1, out->count, &place);
        if (status == 0 && place <= last)
            return psx_scan_fail(encoding->operands.scan, part.at, "cut=: numbers must ascend");
    }
    return status;
}

static int take_op(struct encoding *encoding)
{
    const struct psx_operand *operand = psx_operands_take(&encoding->operands, "op");
    uint32_t op = 0;

    if (operand == NULL)
        return 0;
    if (encoding->given != PSX_OP_TOLD)
        return psx_scan_fail(encoding->operands.scan, operand->key.at,
                             "the byte is told before the name");
    encoding->given_at = operand->value.at;
    encoding->strict = true;
    if (!psx_token_hex(&operand->value, 2, &op))
        return psx_scan_fail(encoding->operands.scan, operand->value.at,
                             "op= is two hexadecimal digits");
    encoding->given = (int)op;
    return 0;
}

static int begin(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                 struct encoding *encoding)
{
    int status = psx_operands_read(scan, name, &encoding->operands);

    encoding->given = op;
    encoding->strict = strict && op != PSX_OP_TOLD;
    encoding->given_at = name->at;
    encoding->out->count = encoding->out->cut_count = 0;
    return status == 0 ? take_op(encoding) : status;
}

static int finish(struct encoding *encoding)
{
    int status = take_bits(encoding);

    return status == 0 ? psx_operands_end(&encoding->operands) : status;
}

/* The first byte of that name; -1: there is none. */
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

static int tell_other_op(const struct encoding *encoding)
{
    return psx_scan_fail(encoding->operands.scan, encoding->given_at, "the byte %02X is not %.*s",
                         (unsigned)encoding->given, PSX_TOKEN(&encoding->operands.name));
}

/* A command of one word whose byte is told by that word. */
static int encode_unknown(struct encoding *encoding, bool known)
{
    uint32_t word = encoding->out->words[0];

    encoding->out->op = (uint8_t)(word >> 24);
    if (known || (encoding->given != PSX_OP_TOLD && encoding->given != (int)(word >> 24)))
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "word=%08X is another command", (unsigned)word);
    return 0;
}

static int encode_fixed(struct encoding *encoding, uint8_t first, const struct field *fields)
{
    struct psx_encoded *out = encoding->out;
    enum psx_gp0_kind kind = psx_gp0_table[first].kind;
    uint8_t op = first;
    int status = choose_op(encoding, first, 0xFF, &op);

    out->count = psx_gp0_table[first].words;
    memset(out->words, 0, out->count * sizeof(out->words[0]));
    out->words[0] = kind == GP0_UNKNOWN ? 0 : (uint32_t)op << 24;
    if (status == 0)
        status = put_fields(encoding, fields);
    if (status != 0)
        return status;
    if (kind == GP0_FILL && (out->words[2] & 0xFFFF) == 1024) /* a multiple of 16 is made of it */
        out->words[2]--;
    if (kind == GP0_UNKNOWN)
        return encode_unknown(encoding, psx_gp0_table[out->words[0] >> 24].kind != GP0_UNKNOWN);
    return 0;
}

int psx_encode_gp0(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out)
{
    struct encoding encoding = {.out = out};
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
        status = encode_shape(&encoding, (uint8_t)first);
    else
        status =
            encode_fixed(&encoding, (uint8_t)first,
                         kind == GP0_ENVIRONMENT ? environment_fields[first - ENVIRONMENT_FIRST]
                                                 : gp0_fields[kind]);
    if (status == 0)
        status = take_cuts(&encoding);
    return status == 0 ? finish(&encoding) : status;
}

/* What has no name, 40h and more apart: they are mirrors. */
static bool gp1_is_known(uint32_t op)
{
    return psx_gp1_table[op & (GP1_COMMANDS - 1)].name != NULL;
}

int psx_encode_gp1(struct psx_scan *scan, const struct psx_token *name, int op, bool strict,
                   struct psx_encoded *out)
{
    struct encoding encoding = {.out = out};
    const bool unknown = psx_token_is(name, "unknown");
    int first = unknown ? 0 : find_gp1(name), status;
    const struct field *fields = unknown ? unknown_fields : info_fields;
    uint8_t byte = 0;

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
    (void)choose_op(&encoding, (uint8_t)first, 0xFF, &byte);
    out->count = 1;
    out->words[0] = unknown ? 0 : (uint32_t)byte << 24;
    status = put_fields(&encoding, fields);
    if (status == 0 && unknown)
        status = encode_unknown(&encoding, gp1_is_known(out->words[0] >> 24));
    return status == 0 ? finish(&encoding) : status;
}
