/*
 * Direct3D 9's tokens. From shader model 2 on an instruction has its length;
 * before, it goes on for as long as tokens have bit 31.
 */
#include "base/bytes.h"
#include "formats/aerogpu/decode/disassemble.h"

#include <inttypes.h>
#include <string.h>

enum {
    OP_DCL = 31,
    OP_DEFB = 47,
    OP_DEFI = 48,
    OP_DEF = 81,
    OP_PHASE = 0xFFFD,
    OP_COMMENT = 0xFFFE,
    OP_END = 0xFFFF,
    TYPE_RASTER_OUT = 4,
    TYPE_ADDRESS = 3,
    TYPE_OUTPUT = 6,
    TYPE_MISC = 17,
};

/* clang-format off */
static const char *const opcodes[] = {
    "nop", "mov", "add", "sub", "mad", "mul", "rcp", "rsq", "dp3", "dp4", "min", "max", "slt",
    "sge", "exp", "log", "lit", "dst", "lrp", "frc", "m4x4", "m4x3", "m3x4", "m3x3", "m3x2",
    "call", "callnz", "loop", "ret", "endloop", "label", "dcl", "pow", "crs", "sgn", "abs", "nrm",
    "sincos", "rep", "endrep", "if", "ifc", "else", "endif", "break", "breakc", "mova", "defb",
    "defi", NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
    NULL, "texcoord", "texkill", "tex", "texbem", "texbeml", "texreg2ar", "texreg2gb",
    "texm3x2pad", "texm3x2tex", "texm3x3pad", "texm3x3tex", NULL, "texm3x3spec", "texm3x3vspec",
    "expp", "logp", "cnd", "def", "texreg2rgb", "texdp3tex", "texm3x2depth", "texdp3", "texm3x3",
    "texdepth", "cmp", "bem", "dp2add", "dsx", "dsy", "texldd", "setp", "texldl", "breakp",
};

static const char *const types[] = {
    "r", "v", "c", "a", "o", "oD", "oT", "i", "oC", "oDepth", "s", "c", "c", "c", "b", "aL", "h",
    "misc", "l", "p",
};

static const char *const usages[] = {
    "position", "blendweight", "blendindices", "normal", "psize", "texcoord", "tangent",
    "binormal", "tessfactor", "positiont", "color", "fog", "depth", "sample",
};

static const char *const samplers[] = {"", "", "2d", "cube", "volume"};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

struct shader {
    bool pixel;
    uint32_t major;
};

static uint32_t type_of(uint32_t token)
{
    return (token >> 28 & 7) | (token >> 8 & 0x18);
}

static void write_register(const struct shader *shader, uint32_t token, struct text *text)
{
    static const char *const raster[] = {"oPos", "oFog", "oPts"};
    static const char *const misc[] = {"vPos", "vFace"};
    uint32_t type = type_of(token), number = token & 0x7FF;

    if (type == TYPE_RASTER_OUT && number < COUNT(raster))
        text_add(text, raster[number]);
    else if (type == TYPE_MISC && number < COUNT(misc))
        text_add(text, misc[number]);
    else if (type == TYPE_ADDRESS && shader->pixel)
        text_printf(text, "t%" PRIu32, number);
    else if (type == TYPE_OUTPUT && shader->major >= 3)
        text_printf(text, "o%" PRIu32, number);
    else if (type < COUNT(types))
        text_printf(text, "%s%" PRIu32, types[type], number);
    else
        text_printf(text, "reg%" PRIu32 "_%" PRIu32, type, number);
}

static void write_mask(uint32_t token, struct text *text)
{
    if ((token >> 16 & 15) == 15)
        return;
    text_add_char(text, '.');
    for (int c = 0; c < 4; c++)
        if ((token >> (16 + c) & 1) != 0)
            text_add_char(text, "xyzw"[c]);
}

static void write_swizzle(uint32_t token, struct text *text)
{
    if ((token >> 16 & 0xFF) == 0xE4)
        return;
    text_add_char(text, '.');
    for (int c = 0; c < 4; c++)
        text_add_char(text, "xyzw"[token >> (16 + 2 * c) & 3]);
}

/* Source modifiers: a word before, one behind. */
static const char *const before[] = {"", "-", "", "-", "",  "-",  "1-",
                                     "", "-", "", "",  "|", "-|", "!"};
static const char *const behind[] = {"",    "",    "_bias", "_bias", "_bx2", "_bx2", "",
                                     "_x2", "_x2", "_dz",   "_dw",   "|",    "|",    ""};

static void write_source(const struct shader *shader, uint32_t token, struct text *text)
{
    uint32_t modifier = token >> 24 & 15;

    text_add(text, modifier < COUNT(before) ? before[modifier] : "");
    write_register(shader, token, text);
    text_add(text, modifier < COUNT(behind) ? behind[modifier] : "");
    write_swizzle(token, text);
}

static void write_result_modifiers(uint32_t token, struct text *text)
{
    text_add(text, (token >> 20 & 1) != 0 ? "_sat" : "");
    text_add(text, (token >> 21 & 1) != 0 ? "_pp" : "");
    text_add(text, (token >> 22 & 1) != 0 ? "_centroid" : "");
}

static void write_declaration(const struct shader *shader, const uint8_t *p, uint32_t count,
                              struct text *text)
{
    uint32_t usage = bytes_le32(p), token = count > 1 ? bytes_le32(p + 4) : 0;

    if (type_of(token) == 10)
        text_printf(text, "_%s",
                    (usage >> 27 & 15) < COUNT(samplers) ? samplers[usage >> 27 & 15] : "unknown");
    else if ((usage & 31) < COUNT(usages))
        text_printf(text, "_%s%" PRIu32, usages[usage & 31], usage >> 16 & 15);
    write_result_modifiers(token, text);
    text_add_char(text, ' ');
    write_register(shader, token, text);
    write_mask(token, text);
}

static void write_definition(const struct shader *shader, uint32_t opcode, const uint8_t *p,
                             uint32_t count, struct text *text)
{
    text_add_char(text, ' ');
    write_register(shader, bytes_le32(p), text);
    for (uint32_t i = 1; i < count; i++) {
        uint32_t bits = bytes_le32(p + (size_t)4 * i);
        float value;

        memcpy(&value, &bits, sizeof(value));
        if (opcode == OP_DEF)
            text_printf(text, ", %.9g", (double)value);
        else
            text_printf(text, ", %" PRId32, (int32_t)bits);
    }
}

static bool has_no_result(uint32_t opcode)
{
    return (opcode >= 25 && opcode <= 30) || (opcode >= 38 && opcode <= 45) || opcode == 96;
}

/* The first operand is written to, the others are read; an indexed one has one more token. */
static void write_operands(const struct shader *shader, uint32_t opcode, const uint8_t *p,
                           uint32_t count, struct text *text)
{
    bool result = !has_no_result(opcode), indexed = false;

    if (result)
        write_result_modifiers(bytes_le32(p), text);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t token = bytes_le32(p + (size_t)4 * i);

        if (indexed) {
            text_add_char(text, '[');
            write_source(shader, token, text);
            text_add_char(text, ']');
            indexed = false;
            continue;
        }
        text_add(text, i == 0 ? " " : ", ");
        if (i == 0 && result) {
            write_register(shader, token, text);
            write_mask(token, text);
        } else {
            write_source(shader, token, text);
        }
        indexed = shader->major >= 2 && (token >> 13 & 1) != 0;
    }
}

static void write_instruction(const struct shader *shader, uint32_t token, const uint8_t *p,
                              uint32_t count, struct text *text)
{
    uint32_t opcode = token & 0xFFFF;

    if (opcode == OP_PHASE)
        text_add(text, "phase");
    else if (opcode < COUNT(opcodes) && opcodes[opcode] != NULL)
        text_add(text, opcodes[opcode]);
    else
        text_printf(text, "op%" PRIu32, opcode);
    if (count == 0)
        return;
    if (opcode == OP_DCL)
        write_declaration(shader, p, count, text);
    else if (opcode == OP_DEF || opcode == OP_DEFI || opcode == OP_DEFB)
        write_definition(shader, opcode, p, count, text);
    else
        write_operands(shader, opcode, p, count, text);
}

/* Tokens that belong to the instruction at `at`. */
static uint32_t count_operands(const struct shader *shader, const uint8_t *tokens, uint32_t at,
                               uint32_t dwords)
{
    uint32_t token = bytes_le32(tokens + (size_t)4 * at), count = 0;

    if ((token & 0xFFFF) == OP_COMMENT)
        return token >> 16 & 0x7FFF;
    if (shader->major >= 2)
        return token >> 24 & 15;
    if ((token & 0xFFFF) == OP_DEF)
        return 5;
    while (at + 1 + count < dwords && bytes_le32(tokens + (size_t)4 * (at + 1 + count)) >> 31 != 0)
        count++;
    return count;
}

void aerogpu_disassemble_d3d9(const uint8_t *tokens, uint32_t dwords, struct text *text)
{
    uint32_t version = dwords > 0 ? bytes_le32(tokens) : 0;
    const struct shader shader = {.pixel = version >> 16 == 0xFFFF, .major = version >> 8 & 0xFF};

    text_printf(text, "%s_%" PRIu32 "_%" PRIu32 "\n", shader.pixel ? "ps" : "vs", shader.major,
                version & 0xFF);
    for (uint32_t at = 1; at < dwords;) {
        uint32_t token = bytes_le32(tokens + (size_t)4 * at);
        uint32_t count = count_operands(&shader, tokens, at, dwords);

        if ((token & 0xFFFF) == OP_END)
            return;
        if (count > dwords - at - 1)
            break;
        if ((token & 0xFFFF) == OP_COMMENT)
            text_printf(text, "; comment, %" PRIu32 " dwords", count);
        else
            write_instruction(&shader, token, tokens + (size_t)4 * (at + 1), count, text);
        text_add_char(text, '\n');
        at += 1 + count;
    }
    text_add(text, "; cut off\n");
}
