/* SPDX-License-Identifier: MIT */
/*
 * Polygons, lines, polylines and rectangles: what determines their first byte and the number of
 * their words.
 */
#include "formats/psx/assembly/encode.h"
#include "formats/psx/assembly/encoding.h"

#include <stdbool.h>

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
    int semi, raw; /* -1 if not given */
};

enum { NOT_TOLD = -1 };

/*
 * Takes A,B/A,B… as words, with A in the lower half, or the lower byte. Numbers are from `min` to
 * `max`, and there are at most `room` pairs.
 */
static int take_pairs(struct psx_encoding *encoding, const char *key, int64_t min, int64_t max,
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
            return psx_scan_fail(operands->scan, pair.at, "%s= has more than %u pairs", key, room);
        if (!psx_token_cut(&pair, ',', &x))
            return psx_scan_fail(operands->scan, x.at, "%s= must be pairs, A,B/A,B", key);
        if ((status = psx_operand_number(operands, operand, &x, min, max, &a)) != 0 ||
            (status = psx_operand_number(operands, operand, &pair, min, max, &b)) != 0)
            return status;
        words[*count] = ((uint32_t)a & mask) | ((uint32_t)b & mask) << shift;
    }
    return 0;
}

static int take_colours(struct psx_encoding *encoding, struct shape *shape)
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
            return psx_scan_fail(operands->scan, part.at, "rgb= has more colours than %u", wanted);
        if ((status = psx_encoding_hex(operands, &part, 6, &rgb)) != 0)
            return status;
        shape->colour[shape->colours] = psx_swap_rgb(rgb);
    }
    if (shape->colours == wanted)
        return 0;
    return psx_scan_fail(operands->scan, operand->value.at, "rgb= has fewer colours than %u",
                         wanted);
}

static int check_count(const struct psx_encoding *encoding, const char *key, unsigned count,
                       unsigned wanted)
{
    if (count == wanted)
        return 0;
    return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                         "%.*s needs %u pair(s) in %s=, not %u",
                         PSX_TOKEN(&encoding->operands.name), wanted, key, count);
}

static int take_vertices(struct psx_encoding *encoding, struct shape *shape)
{
    const bool polyline = shape->kind == GP0_POLYLINE;
    unsigned wanted = shape->kind == GP0_RECTANGLE ? 1 : 2;
    int status = take_pairs(encoding, "v", -1024, 1023, 16, PSX_POLYLINE_LISTED, shape->position,
                            &shape->vertices);

    if (shape->kind == GP0_POLYGON)
        wanted = shape->op & GP0_QUAD ? 4 : 3;
    if (status == 0 && polyline && shape->vertices < 2)
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "a polyline needs at least two vertices");
    if (status == 0 && !polyline)
        status = check_count(encoding, "v", shape->vertices, wanted);
    return status;
}

static int take_flag(struct psx_encoding *encoding, const char *key, int *flag)
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

/* Takes the texture page that a polygon has in its own words. */
static int take_page(struct psx_encoding *encoding, struct shape *shape)
{
    const struct psx_operand *page, *depth;
    uint32_t bits = 0;
    int64_t number = 0;
    int status;

    if ((status = psx_operands_need(&encoding->operands, "page", &page)) != 0 ||
        (status = psx_operand_number(&encoding->operands, page, &page->value, 0, PSX_PAGE_MAX,
                                     &number)) != 0 ||
        (status = psx_operands_need(&encoding->operands, "depth", &depth)) != 0 ||
        (status = psx_encoding_choice(&encoding->operands, depth, psx_page_depths, &bits)) != 0)
        return status;
    shape->page |= (uint32_t)(number & 0x1F) | (uint32_t)(number >> 5) << 11 | bits << 7;
    return 0;
}

static int take_texture(struct psx_encoding *encoding, struct shape *shape)
{
    const struct psx_operand *clut;
    unsigned count = 0;
    int status = take_pairs(encoding, "uv", 0, 255, 8, 4, shape->texel, &count);

    if (status == 0)
        status = check_count(encoding, "uv", count, shape->vertices);
    if (status == 0)
        status = psx_operands_need(&encoding->operands, "clut", &clut);
    if (status == 0 && !psx_token_is(&clut->value, "none"))
        status = psx_encoding_hex(&encoding->operands, &clut->value, 4, &shape->clut);
    if (status == 0 && shape->kind == GP0_POLYGON)
        return take_page(encoding, shape);
    (void)psx_operands_take(&encoding->operands, "page"); /* those of a rectangle are texpage's */
    (void)psx_operands_take(&encoding->operands, "depth");
    return status;
}

/* A polygon with a page of its own keeps its blending even if it is not semi-transparent. */
static int take_blend(struct psx_encoding *encoding, struct shape *shape)
{
    const struct psx_operand *blend = psx_operands_take(&encoding->operands, "blend");
    int64_t number = 0;
    int status = take_flag(encoding, "semi", &shape->semi);

    if (status == 0)
        status = take_flag(encoding, "raw", &shape->raw);
    if (status == 0 && shape->raw == 1 && !shape->textured)
        return psx_scan_fail(encoding->operands.scan, encoding->operands.name.at,
                             "raw= is only allowed with a texture");
    if (status != 0 || blend == NULL)
        return status;
    status = psx_operand_number(&encoding->operands, blend, &blend->value, 0, 3, &number);
    if (shape->kind == GP0_POLYGON && shape->textured)
        shape->page |= (uint32_t)number << 5;
    if (shape->semi == NOT_TOLD)
        shape->semi = 1;
    return status;
}

static int take_size(struct psx_encoding *encoding, struct shape *shape)
{
    const struct psx_operand *size;
    struct psx_token width, height;
    int status = psx_operands_need(&encoding->operands, "size", &size);

    if (status != 0)
        return status;
    height = size->value;
    if (!psx_token_cut(&height, ',', &width))
        return psx_scan_fail(encoding->operands.scan, size->value.at,
                             "size= must be two numbers, A,B");
    status = psx_operand_number(&encoding->operands, size, &width, 0, 1023, &shape->width);
    if (status == 0)
        status = psx_operand_number(&encoding->operands, size, &height, 0, 511, &shape->height);
    return status;
}

enum { SIZE_BITS = 0x18, SIZE_1 = 0x08, SIZE_8 = 0x10, SIZE_16 = 0x18 };

/* Returns the bits for rectangles whose size has commands of its own. */
static uint8_t size_bits(const struct shape *shape)
{
    if (shape->width != shape->height)
        return 0;
    return shape->width == 1    ? SIZE_1
           : shape->width == 8  ? SIZE_8
           : shape->width == 16 ? SIZE_16
                                : 0;
}

/*
 * Checks that the first byte differs from what the operands determine only in the bits of
 * `may_differ`.
 */
static int check_op(const struct psx_encoding *encoding, uint8_t op, uint8_t told,
                    uint8_t may_differ)
{
    if (!encoding->strict || ((op ^ told) & ~may_differ) == 0)
        return 0;
    return psx_scan_fail(encoding->operands.scan, encoding->given_at,
                         "the byte %02X does not match the operands, which require %02X", op, told);
}

static int choose_op(struct psx_encoding *encoding, struct shape *shape)
{
    uint8_t told = shape->op, may_differ = 0;

    told |= shape->semi == 1 ? GP0_SEMI : 0;
    told |= shape->raw == 1 ? GP0_RAW : 0;
    if (!shape->textured)
        may_differ = GP0_RAW;
    if (shape->kind == GP0_LINE || shape->kind == GP0_POLYLINE)
        may_differ |= GP0_TEXTURED;
    if (shape->kind == GP0_RECTANGLE) {
        told |= size_bits(shape);
        if (encoding->given != PSX_OP_TOLD && (encoding->given & SIZE_BITS) == 0)
            may_differ |= SIZE_BITS; /* the size is in a word */
    }
    shape->op = psx_encoding_op(encoding, told);
    return check_op(encoding, shape->op, told, may_differ);
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

int psx_encode_shape(struct psx_encoding *encoding, uint8_t first)
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
        (status = take_blend(encoding, &shape)) != 0 || (status = choose_op(encoding, &shape)) != 0)
        return status;
    write_shape(&shape, encoding->out);
    return 0;
}
