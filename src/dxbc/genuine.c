/* SPDX-License-Identifier: MIT */
/*
 * The dialect has instruction numbers and operand tokens of its own (aerogpu.md 5). Instructions
 * are rewritten one by one. Declarations are left out, and generated from the signatures and from
 * what operands refer to.
 */
#include "dxbc/dxbc.h"

#include "base/bytes.h"
#include "base/text.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

/* Operand types, the same in both encodings. */
enum {
    OPERAND_TEMP,
    OPERAND_INPUT,
    OPERAND_OUTPUT,
    OPERAND_IMMEDIATE = 4,
    OPERAND_SAMPLER = 6,
    OPERAND_RESOURCE = 7,
    OPERAND_CONSTANTS = 8,
};

enum { DECLARATIONS = 0x100, SLOTS = 128, NOT_ZERO = 1 << 18, POSITION = 1, FLOAT = 3 };

static const struct opcode {
    uint16_t dialect, genuine;
    bool tests; /* whether the instruction tests its operand for not being zero */
} opcodes[] = {
    {0x01, 0x36, false}, {0x02, 0x00, false}, {0x04, 0x32, false}, {0x05, 0x38, false},
    {0x06, 0x81, false}, {0x07, 0x44, false}, {0x08, 0x10, false}, {0x09, 0x11, false},
    {0x0A, 0x33, false}, {0x0B, 0x34, false}, {0x0C, 0x31, false}, {0x0D, 0x1D, false},
    {0x0E, 0x18, false}, {0x0F, 0x39, false}, {0x18, 0x1B, false}, {0x19, 0x1C, false},
    {0x1A, 0x2B, false}, {0x1B, 0x56, false}, {0x1C, 0x37, false}, {0x1D, 0x1E, false},
    {0x23, 0x57, false}, {0x24, 0x3B, false}, {0x25, 0x29, false}, {0x26, 0x2A, false},
    {0x28, 0x1F, true},  {0x29, 0x12, false}, {0x2A, 0x15, false}, {0x3A, 0x0D, true},
    {0x3E, 0x3E, false}, {0x45, 0x45, false}, {0x46, 0x48, false}, {0x4B, 0x3D, false},
    {0x4C, 0x2D, false}, {0x71, 0x01, false}, {0x72, 0x3C, false}, {0x73, 0x55, false},
};

/* A shader that is transcoded, and what its operands refer to. */
struct transcoder {
    const struct dxbc *dxbc;
    struct text code;          /* instructions */
    uint32_t temps;            /* one more than the highest number */
    uint32_t constants[SLOTS]; /* of each buffer: one more than the highest vector, or 0 */
    bool samplers[SLOTS], resources[SLOTS];
    bool model5; /* uses instructions that shader model 4 does not have */
};

static uint32_t token_at(const struct transcoder *transcoder, uint32_t at)
{
    return bytes_le32(transcoder->dxbc->code.data + (size_t)4 * at);
}

/* Records what an operand refers to. Returns false if a number is implausibly large. */
static bool note_reference(struct transcoder *transcoder, uint32_t type, const uint32_t index[3])
{
    switch (type) {
    case OPERAND_TEMP:
        if (index[0] >= 4096)
            return false;
        if (transcoder->temps <= index[0])
            transcoder->temps = index[0] + 1;
        return true;
    case OPERAND_SAMPLER:
        return index[0] < SLOTS && (transcoder->samplers[index[0]] = true);
    case OPERAND_RESOURCE:
        return index[0] < SLOTS && (transcoder->resources[index[0]] = true);
    case OPERAND_CONSTANTS:
        if (index[0] >= SLOTS || index[1] >= 4096)
            return false;
        if (transcoder->constants[index[0]] <= index[1])
            transcoder->constants[index[0]] = index[1] + 1;
        return true;
    default:
        return index[0] < 4096;
    }
}

static uint32_t genuine_operand(uint32_t token, uint32_t type)
{
    switch (type) {
    case OPERAND_RESOURCE:
        return 0x00107E46;
    case OPERAND_SAMPLER:
        return 0x00106000;
    case OPERAND_IMMEDIATE:
        return (token & 3) == 1 ? 0x00004001 : 0x00004E46;
    default:
        return (token & 0x30000F) | (token >> 12 & 0xFF) << 4 | type << 12;
    }
}

/*
 * Transcodes the operand at *at, of an instruction that ends at `end`, and advances *at. Returns 0
 * or -EINVAL.
 */
static int transcode_operand(struct transcoder *transcoder, uint32_t *at, uint32_t end)
{
    uint32_t token = token_at(transcoder, (*at)++), type = token >> 4 & 0xFF;
    uint32_t dimensions = token >> 20 & 3, index[3] = {0};
    uint32_t numbers = type == OPERAND_IMMEDIATE ? ((token & 3) == 1 ? 1 : 4) : dimensions;

    /* No known trace has relative addressing or extended tokens. */
    if (token >> 22 != 0 || type == 3 || type == 5 || type > OPERAND_CONSTANTS ||
        numbers > end - *at)
        return -EINVAL;
    text_add_le32(&transcoder->code, genuine_operand(token, type));
    for (uint32_t i = 0; i < numbers; i++, ++*at) {
        text_add_le32(&transcoder->code, token_at(transcoder, *at));
        if (type != OPERAND_IMMEDIATE)
            index[i] = token_at(transcoder, *at);
    }
    if (type == OPERAND_IMMEDIATE)
        return 0;
    if (dimensions != (type == OPERAND_CONSTANTS ? 2u : 1u))
        return -EINVAL;
    return note_reference(transcoder, type, index) ? 0 : -EINVAL;
}

static const struct opcode *find_opcode(uint32_t number)
{
    for (size_t i = 0; i < sizeof(opcodes) / sizeof(opcodes[0]); i++)
        if (opcodes[i].dialect == number)
            return &opcodes[i];
    return NULL;
}

static int transcode_instruction(struct transcoder *transcoder, uint32_t at, uint32_t length)
{
    const struct opcode *opcode = find_opcode(token_at(transcoder, at) & 0x7FF);
    size_t head = transcoder->code.length, tokens;
    uint32_t end = at + length, token;
    int status = 0;

    if (opcode == NULL)
        return -EINVAL;
    transcoder->model5 = transcoder->model5 || opcode->genuine == 0x81;
    text_add_le32(&transcoder->code, 0);
    for (at++; at < end && status == 0;)
        status = transcode_operand(transcoder, &at, end);
    if (status == 0)
        status = text_status(&transcoder->code);
    if (status < 0)
        return status;
    tokens = (transcoder->code.length - head) / 4;
    if (tokens > 127)
        return -EINVAL;
    token = opcode->genuine | (opcode->tests ? NOT_ZERO : 0) | (uint32_t)tokens << 24;
    bytes_put_le32((uint8_t *)transcoder->code.bytes + head, token);
    return 0;
}

static int transcode_code(struct transcoder *transcoder)
{
    int status = 0;

    for (uint32_t at = 2; at < transcoder->dxbc->tokens && status == 0;) {
        uint32_t token = token_at(transcoder, at), length = token >> 11 & 0x1FFF;

        if ((token & 0x7FF) < DECLARATIONS)
            status = transcode_instruction(transcoder, at, length);
        at += length;
    }
    return status;
}

/* Returns the system value of a parameter. The dialect expresses it only by the name. */
static uint32_t system_value(const struct dxbc_parameter *parameter)
{
    static const struct {
        const char *name;
        uint32_t value;
    } values[] = {{"SV_POSITION", POSITION},
                  {"SV_VERTEXID", 6},
                  {"SV_PRIMITIVEID", 7},
                  {"SV_INSTANCEID", 8},
                  {"SV_ISFRONTFACE", 9}};

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
        if (strlen(values[i].name) == parameter->name_length &&
            strncasecmp(values[i].name, parameter->name, parameter->name_length) == 0)
            return values[i].value;
    return parameter->system_value;
}

static void declare_input(const struct transcoder *transcoder, struct text *text,
                          const struct dxbc_parameter *parameter)
{
    bool pixel = transcoder->dxbc->program == DXBC_PS;
    uint32_t value = system_value(parameter), mask = pixel ? parameter->mask : 15;

    if (pixel && value == POSITION)
        text_add_le32(text, 0x04002064);
    else if (value != 0)
        text_add_le32(text, pixel ? 0x04000863 : 0x04000060);
    else if (pixel)
        text_add_le32(text, parameter->component_type == 0 || parameter->component_type == FLOAT
                                ? 0x03001062
                                : 0x03000862);
    else
        text_add_le32(text, 0x0300005F);
    /* A generated value, such as SV_VertexID, has one component. */
    text_add_le32(text, 0x00101002 | (value != 0 && value != POSITION ? 1 : mask) << 4);
    text_add_le32(text, parameter->location);
    if (value != 0)
        text_add_le32(text, value);
}

static void declare_output(const struct transcoder *transcoder, struct text *text,
                           const struct dxbc_parameter *parameter)
{
    bool position = transcoder->dxbc->program == DXBC_VS && system_value(parameter) == POSITION;

    text_add_le32(text, position ? 0x04000067 : 0x03000065);
    text_add_le32(text, 0x00102002 | (uint32_t)parameter->mask << 4);
    text_add_le32(text, parameter->location);
    if (position)
        text_add_le32(text, POSITION);
}

static void declare_resources(const struct transcoder *transcoder, struct text *text)
{
    for (uint32_t i = 0; i < SLOTS; i++)
        if (transcoder->constants[i] != 0) {
            text_add_le32(text, 0x04000059);
            text_add_le32(text, 0x00208E46);
            text_add_le32(text, i);
            text_add_le32(text, transcoder->constants[i]);
        }
    for (uint32_t i = 0; i < SLOTS; i++)
        if (transcoder->samplers[i]) {
            text_add_le32(text, 0x0300005A);
            text_add_le32(text, 0x00106000);
            text_add_le32(text, i);
        }
    for (uint32_t i = 0; i < SLOTS; i++)
        if (transcoder->resources[i]) {
            text_add_le32(text, 0x04001858);
            text_add_le32(text, 0x00107000);
            text_add_le32(text, i);
            text_add_le32(text, 0x5555);
        }
}

/* Appends the code chunk's data: version, length, declarations, instructions. */
static void assemble_code(const struct transcoder *transcoder, struct text *text)
{
    struct dxbc_parameter parameter;
    struct text body = TEXT_INIT;

    declare_resources(transcoder, &body);
    for (uint32_t i = 0; dxbc_signature_at(&transcoder->dxbc->inputs, i, &parameter); i++)
        declare_input(transcoder, &body, &parameter);
    for (uint32_t i = 0; dxbc_signature_at(&transcoder->dxbc->outputs, i, &parameter); i++)
        declare_output(transcoder, &body, &parameter);
    if (transcoder->temps != 0) {
        text_add_le32(&body, 0x02000068);
        text_add_le32(&body, transcoder->temps);
    }
    text_add_bytes(&body, transcoder->code.bytes, transcoder->code.length);
    if (text_status(&body) < 0)
        text_fail(text, text_status(&body));
    text_add_le32(text, (uint32_t)transcoder->dxbc->program << 16 |
                            (transcoder->model5 ? 0x50 : transcoder->dxbc->version & 0xFF));
    text_add_le32(text, (uint32_t)(body.length / 4 + 2));
    text_add_bytes(text, body.bytes, body.length);
    text_clear(&body);
}

static void assemble_signature(const struct transcoder *transcoder,
                               const struct dxbc_chunk *signature, bool input, struct text *text)
{
    struct dxbc_parameter parameter;
    bool vertex_input = input && transcoder->dxbc->program == DXBC_VS;
    struct text names = TEXT_INIT;
    uint32_t count = 0, i;

    while (dxbc_signature_at(signature, count, &parameter))
        count++;
    text_add_le32(text, count);
    text_add_le32(text, 8);
    for (i = 0; i < count; i++) {
        uint32_t value, mask;

        dxbc_signature_at(signature, i, &parameter);
        value = input || transcoder->dxbc->program == DXBC_VS ? system_value(&parameter)
                                                              : parameter.system_value;
        /* All four are read: components that a vertex lacks are filled in, w with 1. */
        mask = !vertex_input ? parameter.mask : value != 0 ? 1 : 15;
        text_add_le32(text, 8 + 24 * count + (uint32_t)names.length);
        text_add_le32(text, parameter.semantic_index);
        text_add_le32(text, value);
        text_add_le32(text, parameter.component_type == 0 ? FLOAT : parameter.component_type);
        text_add_le32(text, parameter.location);
        text_add_le32(text, mask | (!input ? 0 : vertex_input ? mask : parameter.used) << 8);
        text_add_bytes(&names, parameter.name, parameter.name_length);
        text_add_char(&names, '\0');
    }
    while (names.length % 4 != 0)
        text_add_char(&names, '\0');
    if (text_status(&names) < 0)
        text_fail(text, text_status(&names));
    text_add_bytes(text, names.bytes, names.length);
    text_clear(&names);
}

static int assemble(const struct transcoder *transcoder, struct blob **out)
{
    static const char fourccs[3][5] = {"ISGN", "OSGN", "SHDR"};
    const struct dxbc *dxbc = transcoder->dxbc;
    struct text chunks[3] = {TEXT_INIT, TEXT_INIT, TEXT_INIT}, whole = TEXT_INIT;
    uint32_t offset = 32 + 12, size = 32 + 12;
    int status;

    assemble_signature(transcoder, &dxbc->inputs, true, &chunks[0]);
    assemble_signature(transcoder, &dxbc->outputs, false, &chunks[1]);
    assemble_code(transcoder, &chunks[2]);
    for (int i = 0; i < 3; i++)
        size += 8 + (uint32_t)chunks[i].length;
    text_add_bytes(&whole, "DXBC", 4);
    for (int i = 0; i < 4; i++)
        text_add_le32(&whole, 0);
    text_add_le32(&whole, 1);
    text_add_le32(&whole, size);
    text_add_le32(&whole, 3);
    for (int i = 0; i < 3; i++) {
        text_add_le32(&whole, offset);
        offset += 8 + (uint32_t)chunks[i].length;
    }
    for (int i = 0; i < 3; i++) {
        text_add_bytes(&whole, i == 2 && transcoder->model5 ? "SHEX" : fourccs[i], 4);
        text_add_le32(&whole, (uint32_t)chunks[i].length);
        text_add_bytes(&whole, chunks[i].bytes, chunks[i].length);
        if (text_status(&chunks[i]) < 0)
            text_fail(&whole, text_status(&chunks[i]));
        text_clear(&chunks[i]);
    }
    status = text_blob(&whole, out);
    text_clear(&whole);
    return status;
}

/* Builds a container without a checksum. Returns 0, -ENOMEM, or -EINVAL for unknown tokens. */
static int transcode(const struct dxbc *dxbc, struct blob **out)
{
    struct transcoder transcoder = {.dxbc = dxbc};
    int status = -EINVAL;

    if (dxbc->program == DXBC_VS || dxbc->program == DXBC_PS)
        status = transcode_code(&transcoder);
    if (status == 0)
        status = assemble(&transcoder, out);
    text_clear(&transcoder.code);
    /* A shader of nothing but declarations, none of them used, has no instruction left. */
    if (status == 0 && dxbc_classify((*out)->data, (*out)->size) != DXBC_SHADER_GENUINE) {
        blob_unref(out);
        status = -EINVAL;
    }
    return status;
}

int dxbc_genuine(const uint8_t *bytes, size_t size, struct blob **out)
{
    struct dxbc dxbc;
    int status;

    switch (dxbc_classify(bytes, size)) {
    case DXBC_SHADER_GENUINE:
        dxbc_open(bytes, size, &dxbc);
        status = blob_create(dxbc.size, out);
        if (status == 0)
            memcpy((*out)->data, bytes, dxbc.size);
        break;
    case DXBC_SHADER_DIALECT:
        dxbc_open(bytes, size, &dxbc);
        status = transcode(&dxbc, out);
        break;
    default:
        return -EINVAL;
    }
    if (status == 0)
        dxbc_checksum((*out)->data, (*out)->size, (*out)->data + 4);
    return status;
}

/*
 * Gets the number of parameter tokens of the instruction at `at`, depending on the shader model.
 * Returns false if the stream is cut off in the instruction.
 */
static bool d3d9_length(const uint8_t *bytes, size_t words, size_t at, unsigned major,
                        size_t *length)
{
    uint32_t token = bytes_le32(bytes + 4 * at);

    *length = 0;
    if ((token & 0xFFFF) == 0xFFFE) /* a comment */
        *length = token >> 16 & 0x7FFF;
    else if (major >= 2)
        *length = token >> 24 & 15;
    else if ((token & 0xFFFF) == 81) /* def: a register and four floats */
        *length = 5;
    else
        while (at + 1 + *length < words && (bytes_le32(bytes + 4 * (at + 1 + *length)) >> 31) != 0)
            ++*length;
    return *length < words - at;
}

/*
 * Returns how many of an instruction's tokens are parameter tokens rather than raw numbers, in
 * shader models 2 and 3.
 */
static size_t d3d9_parameters(uint32_t token, size_t length)
{
    uint32_t opcode = token & 0xFFFF;

    if (opcode == 0xFFFE || length == 0)
        return 0;
    return opcode == 81 || opcode == 48 || opcode == 47 ? 1 : length; /* def, defi, defb */
}

/*
 * A comment with a table of constants: c, an array of all float registers. Offsets count from the
 * word after CTAB.
 */
static const uint32_t constant_table[] = {
    /* a comment of 18 words, and its kind, CTAB */
    0x0012FFFE,
    0x42415443,
    /* size of this header, creator, version, count, list of constants, flags, target */
    28,
    0,
    0,
    1,
    28,
    0,
    0,
    /* the constant: name, float registers from 0 on, their count, type, default */
    64,
    2,
    256,
    48,
    0,
    /* the type: vector of float, 1x4, 256 elements, no members; and the name */
    3 << 16 | 1,
    4 << 16 | 1,
    256,
    0,
    'c',
};
enum { TABLE_VERSION = 4 };

/* What instructions have that decides whether a table of constants is needed. */
struct constants_seen {
    bool table, relative;
};

static void look_for_constants(const uint8_t *instruction, size_t length, size_t parameters,
                               struct constants_seen *seen)
{
    enum { CONST = 2, RELATIVE = 1 << 13 };

    if (length > 0 && (bytes_le32(instruction) & 0xFFFF) == 0xFFFE)
        seen->table = seen->table || bytes_le32(instruction + 4) == constant_table[1];
    for (size_t i = 1; i <= parameters; i++) {
        uint32_t token = bytes_le32(instruction + 4 * i);
        uint32_t type = (token >> 28 & 7) | (token >> 8 & 0x18);

        if ((token & RELATIVE) != 0 && type == CONST)
            seen->relative = true;
    }
}

/*
 * Inserts the table after the version. Returns 0, and then *shader is the longer one, or -ENOMEM.
 */
static int add_table(struct blob **shader)
{
    const uint8_t *from = (*shader)->data;
    struct blob *longer = NULL;
    int status = blob_create((*shader)->size + sizeof(constant_table), &longer);

    if (status < 0)
        return status;
    memcpy(longer->data, from, 4);
    for (size_t i = 0; i < sizeof(constant_table) / 4; i++)
        bytes_put_le32(longer->data + 4 + 4 * i,
                       i == TABLE_VERSION ? bytes_le32(from) : constant_table[i]);
    memcpy(longer->data + 4 + sizeof(constant_table), from + 4, (*shader)->size - 4);
    blob_unref(shader);
    *shader = longer;
    return 0;
}

int dxbc_d3d9_genuine(const uint8_t *bytes, size_t size, struct blob **out)
{
    size_t words = size / 4, at = 1, length, parameters;
    unsigned major = size < 4 ? 0 : bytes[1];
    struct constants_seen seen = {false, false};
    int status;

    if (words < 2 || major < 1 || major > 3)
        return -EINVAL;
    status = blob_create(words * 4, out);
    if (status < 0)
        return status;
    memcpy((*out)->data, bytes, words * 4);
    while (at < words && bytes_le32(bytes + 4 * at) != 0x0000FFFF) {
        uint32_t token = bytes_le32(bytes + 4 * at);

        if (!d3d9_length(bytes, words, at, major, &length))
            break; /* it is cut off */
        parameters = d3d9_parameters(token, length);
        for (size_t i = 1; major >= 2 && i <= parameters; i++)
            (*out)->data[4 * (at + i) + 3] |= 0x80;
        look_for_constants(bytes + 4 * at, length, parameters, &seen);
        at += 1 + length;
    }
    status = at < words && bytes_le32(bytes + 4 * at) == 0x0000FFFF ? 0 : -EINVAL;
    if (status == 0 && bytes[2] == 0xFE && seen.relative && !seen.table)
        status = add_table(out);
    if (status < 0)
        blob_unref(out);
    return status;
}
