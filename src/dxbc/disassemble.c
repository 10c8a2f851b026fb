/* SPDX-License-Identifier: MIT */
#include "dxbc/dxbc.h"

#include "base/bytes.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum {
    CUSTOM_DATA = 0x35,
    FIRST_DECLARATION = 88,
    LAST_DECLARATION = 106,
    FIRST_DECLARATION_5 = 143,
    LAST_DECLARATION_5 = 162,
    INSTANCE_COUNT = 206,
    DEEPEST = 4, /* how deeply registers that index registers may be nested */
};

/* clang-format off */
static const char *const opcodes[] = {
    "add", "and", "break", "breakc", "call", "callc", "case", "continue", "continuec", "cut",
    "default", "deriv_rtx", "deriv_rty", "discard", "div", "dp2", "dp3", "dp4", "else", "emit",
    "emit_then_cut", "endif", "endloop", "endswitch", "eq", "exp", "frc", "ftoi", "ftou", "ge",
    "iadd", "if", "ieq", "ige", "ilt", "imad", "imax", "imin", "imul", "ine",
    "ineg", "ishl", "ishr", "itof", "label", "ld", "ld_ms", "log", "loop", "lt",
    "mad", "min", "max", "customdata", "mov", "movc", "mul", "ne", "nop", "not",
    "or", "resinfo", "ret", "retc", "round_ne", "round_ni", "round_pi", "round_z", "rsq", "sample",
    "sample_c", "sample_c_lz", "sample_l", "sample_d", "sample_b", "sqrt", "switch", "sincos",
    "udiv", "ult", "uge", "umul", "umad", "umax", "umin", "ushr", "utof", "xor",
    "dcl_resource", "dcl_constantbuffer", "dcl_sampler", "dcl_index_range",
    "dcl_outputtopology", "dcl_inputprimitive", "dcl_maxout", "dcl_input", "dcl_input_sgv",
    "dcl_input_siv", "dcl_input_ps", "dcl_input_ps_sgv", "dcl_input_ps_siv", "dcl_output",
    "dcl_output_sgv", "dcl_output_siv", "dcl_temps", "dcl_indexable_temp", "dcl_global_flags",
    NULL, "lod", "gather4", "sample_pos", "sample_info", NULL, "hs_decls",
    "hs_control_point_phase", "hs_fork_phase", "hs_join_phase", "emit_stream", "cut_stream",
    "emit_then_cut_stream", "interface_call", "bufinfo", "deriv_rtx_coarse", "deriv_rtx_fine",
    "deriv_rty_coarse", "deriv_rty_fine", "gather4_c", "gather4_po", "gather4_po_c", "rcp",
    "f32tof16", "f16tof32", "uaddc", "usubb", "countbits", "firstbit_hi", "firstbit_lo",
    "firstbit_shi", "ubfe", "ibfe", "bfi", "bfrev", "swapc", "dcl_stream", "dcl_function_body",
    "dcl_function_table", "dcl_interface", "dcl_input_control_point_count",
    "dcl_output_control_point_count", "dcl_tess_domain", "dcl_tess_partitioning",
    "dcl_tess_output_primitive", "dcl_hs_max_tessfactor", "dcl_hs_fork_phase_instance_count",
    "dcl_hs_join_phase_instance_count", "dcl_thread_group", "dcl_uav_typed", "dcl_uav_raw",
    "dcl_uav_structured", "dcl_tgsm_raw", "dcl_tgsm_structured", "dcl_resource_raw",
    "dcl_resource_structured", "ld_uav_typed", "store_uav_typed", "ld_raw", "store_raw",
    "ld_structured", "store_structured", "atomic_and", "atomic_or", "atomic_xor",
    "atomic_cmp_store", "atomic_iadd", "atomic_imax", "atomic_imin", "atomic_umax", "atomic_umin",
    "imm_atomic_alloc", "imm_atomic_consume", "imm_atomic_iadd", "imm_atomic_and",
    "imm_atomic_or", "imm_atomic_xor", "imm_atomic_exch", "imm_atomic_cmp_exch",
    "imm_atomic_imax", "imm_atomic_imin", "imm_atomic_umax", "imm_atomic_umin", "sync", "dadd",
    "dmax", "dmin", "dmul", "deq", "dge", "dlt", "dne", "dmov", "dmovc", "dtof", "ftod",
    "eval_snapped", "eval_sample_index", "eval_centroid", "dcl_gs_instance_count",
};

static const char *const registers[] = {
    "r", "v", "o", "x", "l", "d", "s", "t", "cb", "icb", "label", "vPrim", "oDepth", "null",
    "rasterizer", "oMask", "m", "fb", "ft", "fp", "fi", "fo", "vOutputControlPointID",
    "vForkInstanceID", "vJoinInstanceID", "vicp", "vocp", "vpc", "vDomain", "this", "u", "g",
    "vThreadID", "vThreadGroupID", "vThreadIDInGroup", "vCoverage", "vThreadIDInGroupFlattened",
    "vGSInstanceID", "oDepthGE", "oDepthLE", "vCycleCounter",
};

static const char *const profiles[] = {"ps", "vs", "gs", "hs", "ds", "cs"};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Tokens of one instruction. Tokens beyond its end read as 0. */
struct tokens {
    const uint8_t *bytes;
    uint32_t next, end; /* dwords */
};

static uint32_t take(struct tokens *tokens)
{
    return tokens->next < tokens->end ? bytes_le32(tokens->bytes + (size_t)4 * tokens->next++) : 0;
}

static bool is_left(const struct tokens *tokens)
{
    return tokens->next < tokens->end;
}

static float as_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static void write_immediate(struct tokens *tokens, uint32_t token, struct text *text)
{
    uint32_t count = (token & 3) == 2 ? 4 : 1;

    text_add(text, "l(");
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = take(tokens), exponent = bits >> 23 & 0xFF;

        text_add(text, i > 0 ? ", " : "");
        if (bits == 0 || (exponent > 64 && exponent < 192))
            text_printf(text, "%.9g", (double)as_float(bits));
        else
            text_printf(text, "0x%08" PRIX32, bits);
    }
    text_add(text, ")");
}

/* Writes doubles, whose low dword comes first: as many as fit in one register, or one. */
static void write_wide_immediate(struct tokens *tokens, uint32_t token, struct text *text)
{
    uint32_t count = (token & 3) == 2 ? 2 : 1;

    text_add(text, "d(");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t bits = take(tokens);
        double value;

        bits |= (uint64_t)take(tokens) << 32;
        memcpy(&value, &bits, sizeof(value));
        text_printf(text, i > 0 ? ", %.17g" : "%.17g", value);
    }
    text_add(text, ")");
}

static void write_components(uint32_t token, struct text *text)
{
    static const char names[] = "xyzw";
    uint32_t mode = token >> 2 & 3;

    if ((token & 3) != 2)
        return;
    if (mode == 0 && (token >> 4 & 15) == 0)
        return;
    text_add_char(text, '.');
    for (uint32_t i = 0; i < 4; i++) {
        if (mode == 0 && (token >> (4 + i) & 1) != 0)
            text_add_char(text, names[i]);
        else if (mode == 1 || (mode == 2 && i == 0))
            text_add_char(text, names[token >> (4 + 2 * i) & 3]);
    }
}

static void write_operand(struct tokens *tokens, unsigned depth, struct text *text);

/* [3], [r0.x], [r0.x + 3] */
static void write_index(struct tokens *tokens, uint32_t representation, bool first, unsigned depth,
                        struct text *text)
{
    uint64_t number = 0;
    bool relative = representation >= 2;

    if (representation == 0 || representation == 3)
        number = take(tokens);
    if (representation == 1 || representation == 4) {
        number = (uint64_t)take(tokens) << 32;
        number |= take(tokens);
    }
    if (first && !relative) {
        text_printf(text, "%" PRIu64, number);
        return;
    }
    text_add_char(text, '[');
    if (relative)
        write_operand(tokens, depth + 1, text);
    if (!relative || representation > 2)
        text_printf(text, relative ? " + %" PRIu64 : "%" PRIu64, number);
    text_add_char(text, ']');
}

static void write_operand(struct tokens *tokens, unsigned depth, struct text *text)
{
    uint32_t token = take(tokens), type = token >> 12 & 0xFF, extended = token, modifier = 0;

    while (extended >> 31 != 0 && is_left(tokens)) {
        extended = take(tokens);
        if ((extended & 0x3F) == 1)
            modifier = extended >> 6 & 0xFF;
    }
    if (depth > DEEPEST) {
        text_add(text, "...");
        return;
    }
    text_add(text, modifier == 1 ? "-" : modifier == 2 ? "|" : modifier == 3 ? "-|" : "");
    if (type == 4) {
        write_immediate(tokens, token, text);
    } else if (type == 5) {
        write_wide_immediate(tokens, token, text);
    } else {
        if (type < COUNT(registers))
            text_add(text, registers[type]);
        else
            text_printf(text, "reg%" PRIu32 "_", type);
        for (uint32_t i = 0; i < (token >> 20 & 3); i++)
            write_index(tokens, token >> (22 + 3 * i) & 7, i == 0, depth, text);
        write_components(token, text);
    }
    text_add(text, modifier >= 2 ? "|" : "");
}

static bool is_declaration(uint32_t opcode)
{
    return (opcode >= FIRST_DECLARATION && opcode <= LAST_DECLARATION) ||
           (opcode >= FIRST_DECLARATION_5 && opcode <= LAST_DECLARATION_5) ||
           opcode == INSTANCE_COUNT;
}

/* Returns whether the opcode is a declaration that begins with a register. */
static bool declares_register(uint32_t opcode)
{
    return (opcode >= 88 && opcode <= 91) || (opcode >= 95 && opcode <= 103) || opcode == 143 ||
           (opcode >= 156 && opcode <= 162);
}

static void write_rest(struct tokens *tokens, struct text *text)
{
    while (is_left(tokens))
        text_printf(text, " 0x%" PRIX32, take(tokens));
}

static bool tests_zero(uint32_t opcode)
{
    return opcode == 3 || opcode == 5 || opcode == 8 || opcode == 13 || opcode == 31 ||
           opcode == 63;
}

static void write_instruction(struct tokens *tokens, struct text *text)
{
    uint32_t token = take(tokens), opcode = token & 0x7FF, extended = token;

    while (extended >> 31 != 0 && is_left(tokens))
        extended = take(tokens);
    if (opcode < COUNT(opcodes) && opcodes[opcode] != NULL)
        text_add(text, opcodes[opcode]);
    else
        text_printf(text, "op%" PRIu32, opcode);
    if (is_declaration(opcode)) {
        if (declares_register(opcode) && is_left(tokens)) {
            text_add_char(text, ' ');
            write_operand(tokens, 0, text);
        }
        write_rest(tokens, text);
        return;
    }
    text_add(text, (token >> 13 & 1) != 0 ? "_sat" : "");
    if (tests_zero(opcode))
        text_add(text, (token >> 18 & 1) != 0 ? "_nz" : "_z");
    for (bool first = true; is_left(tokens); first = false) {
        text_add(text, first ? " " : ", ");
        write_operand(tokens, 0, text);
    }
}

static uint32_t length_at(const uint8_t *code, uint32_t at, uint32_t dwords)
{
    uint32_t token = bytes_le32(code + (size_t)4 * at);

    if ((token & 0x7FF) == CUSTOM_DATA)
        return at + 1 < dwords ? bytes_le32(code + (size_t)4 * at + 4) : 0;
    return token >> 24 & 0x7F;
}

void dxbc_disassemble_code(const uint8_t *code, uint32_t dwords, struct text *text)
{
    uint32_t version = dwords > 0 ? bytes_le32(code) : 0, type = version >> 16;

    text_printf(text, "%s_%" PRIu32 "_%" PRIu32 "\n",
                type < COUNT(profiles) ? profiles[type] : "shader", version >> 4 & 15,
                version & 15);
    for (uint32_t at = 2; at < dwords;) {
        uint32_t length = length_at(code, at, dwords);
        struct tokens tokens = {.bytes = code, .next = at, .end = at + length};

        if (length == 0 || length > dwords - at) {
            text_printf(text, "; cut off at token %" PRIu32 "\n", at);
            return;
        }
        if ((bytes_le32(code + (size_t)4 * at) & 0x7FF) == CUSTOM_DATA)
            text_printf(text, "customdata %" PRIu32 " dwords", length);
        else
            write_instruction(&tokens, text);
        text_add_char(text, '\n');
        at += length;
    }
}

static void write_signature(const char *direction, const struct dxbc_chunk *signature,
                            struct text *text)
{
    struct dxbc_parameter parameter;

    for (uint32_t i = 0; i < dxbc_signature_count(signature); i++) {
        if (!dxbc_signature_at(signature, i, &parameter))
            continue;
        text_printf(text, "%s\t", direction);
        text_add_escaped(text, parameter.name, parameter.name_length);
        text_printf(text, "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t%" PRIu32 "\t",
                    parameter.semantic_index, parameter.location, parameter.system_value,
                    parameter.component_type);
        for (int c = 0; c < 4; c++)
            text_add_char(text, (parameter.mask >> c & 1) != 0 ? "xyzw"[c] : '-');
        text_add_char(text, '\t');
        for (int c = 0; c < 4; c++)
            text_add_char(text, (parameter.used >> c & 1) != 0 ? "xyzw"[c] : '-');
        text_add_char(text, '\n');
    }
}

void dxbc_signature_write(const uint8_t *bytes, size_t size, struct text *text)
{
    struct dxbc dxbc;

    text_add(text, "direction\tsemantic\tindex\tregister\tsystem_value\ttype\tmask\tused\n");
    if (!dxbc_open(bytes, size, &dxbc))
        return;
    write_signature("input", &dxbc.inputs, text);
    write_signature("output", &dxbc.outputs, text);
    write_signature("patch", &dxbc.patch, text);
}

static void disassemble_container(const uint8_t *bytes, size_t size, struct text *text)
{
    struct dxbc dxbc;

    if (dxbc_open(bytes, size, &dxbc))
        dxbc_disassemble_code(dxbc.code.data, dxbc.tokens, text);
}

int dxbc_disassemble(const uint8_t *bytes, size_t size, struct text *text)
{
    enum dxbc_shader_kind kind = dxbc_classify(bytes, size);
    struct blob *genuine = NULL;
    int status = 0;

    if (kind == DXBC_SHADER_D3D9) {
        dxbc_disassemble_d3d9(bytes, (uint32_t)(size / 4), text);
        return 0;
    }
    if (kind != DXBC_SHADER_DIALECT) {
        disassemble_container(bytes, size, text);
        return 0;
    }
    status = dxbc_genuine(bytes, size, &genuine);
    if (status == -EINVAL) {
        text_add(text, "; tokens of Aero's dialect that are not known\n");
        return 0;
    }
    if (status != 0)
        return status;
    text_add(text, "; transcoded from Aero's dialect\n");
    disassemble_container(genuine->data, genuine->size, text);
    blob_unref(&genuine);
    return 0;
}

/*
 * Direct3D 9's tokens. From shader model 2 on, an instruction has its length. In shader model 1, it
 * has the tokens that follow with bit 31 set.
 */

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
static const char *const d3d9_opcodes[] = {
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

/* Source modifiers: what is written before the register, and after it. */
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

/*
 * The first operand is the result, unless the opcode has none; the others are sources. An indexed
 * operand has one more token.
 */
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

static void write_d3d9_instruction(const struct shader *shader, uint32_t token, const uint8_t *p,
                                   uint32_t count, struct text *text)
{
    uint32_t opcode = token & 0xFFFF;

    if (opcode == OP_PHASE)
        text_add(text, "phase");
    else if (opcode < COUNT(d3d9_opcodes) && d3d9_opcodes[opcode] != NULL)
        text_add(text, d3d9_opcodes[opcode]);
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

/* Returns the number of tokens that follow the instruction token at `at` and belong to it. */
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

void dxbc_disassemble_d3d9(const uint8_t *tokens, uint32_t dwords, struct text *text)
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
            write_d3d9_instruction(&shader, token, tokens + (size_t)4 * (at + 1), count, text);
        text_add_char(text, '\n');
        at += 1 + count;
    }
    text_add(text, "; cut off\n");
}
