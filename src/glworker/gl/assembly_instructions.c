/* SPDX-License-Identifier: MIT */
/*
 * Translates instructions of ARB vertex programs to GLSL statements. Operands become variables a, b
 * and c of a block, so that each operand is evaluated once.
 */
#include "config.h"

#include "glworker/gl/assembly_lexer.h"
#include "glworker/gl/assembly_parser.h"

#include <stdio.h>
#include <string.h>

/* According to the specification. ARL and SWZ are missing because they have other operands. */
static const struct instruction {
    const char *word;
    unsigned operands;
    const char *expression; /* of type vec4 */
} instructions[] = {
    {"ABS", 1, "abs(a)"},
    {"ADD", 2, "a + b"},
    {"DP3", 2, "vec4(dot(a.xyz, b.xyz))"},
    {"DP4", 2, "vec4(dot(a, b))"},
    {"DPH", 2, "vec4(dph(vec4(a.xyz * b.xyz, b.w)))"},
    {"DST", 2, "vec4(1.0, a.y * b.y, a.z, b.w)"},
    {"EX2", 1, "vec4(exp2(a.x))"},
    {"EXP", 1, "vec4(exp2(floor(a.x)), a.x - floor(a.x), exp2(a.x), 1.0)"},
    {"FLR", 1, "floor(a)"},
    {"FRC", 1, "fract(a)"},
    {"LG2", 1, "vec4(log2(a.x))"},
    {"LIT", 1,
     "vec4(1.0, max(a.x, 0.0), "
     "a.x > 0.0 ? pow(max(a.y, 0.0), clamp(a.w, -128.0, 128.0)) : 0.0, 1.0)"},
    {"LOG", 1,
     "vec4(floor(log2(abs(a.x))), abs(a.x) * exp2(-floor(log2(abs(a.x)))), log2(abs(a.x)), 1.0)"},
    {"MAD", 3, "a * b + c"},
    {"MAX", 2, "max(a, b)"},
    {"MIN", 2, "min(a, b)"},
    {"MOV", 1, "a"},
    {"MUL", 2, "a * b"},
    {"POW", 2, "vec4(pow(a.x, b.x))"},
    {"RCP", 1, "vec4(1.0 / a.x)"},
    {"RSQ", 1, "vec4(inversesqrt(abs(a.x)))"},
    {"SGE", 2, "vec4(greaterThanEqual(a, b))"},
    {"SLT", 2, "vec4(lessThan(a, b))"},
    {"SUB", 2, "a - b"},
    {"XPD", 2, "vec4(a.yzx * b.zxy - a.zxy * b.yzx, 0.0)"},
};

/* Components. */

static bool is_component(char c)
{
    return c != '\0' && strchr("xyzw", c) != NULL;
}

/* Parses `.x` or `.xyzw`, if there is one. Returns false if something else follows the point. */
static bool take_swizzle(struct retrace_parser *parser, struct text *text)
{
    struct retrace_token token;

    if (!retrace_token_take(&parser->at, "."))
        return true;
    token = retrace_token_next(&parser->at);
    if (token.length != 1 && token.length != 4)
        return false;
    text_add_char(text, '.');
    for (size_t n = 0; n < 4; n++) {
        const char c = token.begin[token.length == 1 ? 0 : n];

        if (!is_component(c))
            return false;
        text_add_char(text, c);
    }
    return true;
}

/*
 * Parses `.xz`, with the components in order; without a mask all four are written. `mask` begins
 * with a point.
 */
static bool take_mask(struct retrace_parser *parser, char mask[6])
{
    struct retrace_token token;
    const char *from = "xyzw";

    memcpy(mask, ".xyzw", 6);
    if (!retrace_token_take(&parser->at, "."))
        return true;
    token = retrace_token_next(&parser->at);
    if (token.length == 0 || token.length > 4)
        return false;
    for (size_t n = 0; n < token.length; n++) {
        const char *found = is_component(token.begin[n]) ? strchr(from, token.begin[n]) : NULL;

        if (found == NULL)
            return false;
        from = found + 1;
        mask[1 + n] = token.begin[n];
    }
    mask[1 + token.length] = '\0';
    return true;
}

/* Elements of arrays. */

/* Declares an array for a parameter array that contains state, and copies the elements to it. */
static void add_array(struct retrace_parser *parser, struct retrace_variable *variable)
{
    struct text *text = &parser->declarations;

    if (variable->is_copied)
        return;
    variable->is_copied = true;
    text_printf(text, "vec4 array%u[%u];\n", (unsigned)variable->first, (unsigned)variable->count);
    for (uint32_t n = 0; n < variable->count && text_status(text) == 0; n++) {
        text_printf(text, "array%u[%u] = ", (unsigned)variable->first, (unsigned)n);
        retrace_add_element(parser, variable->first + n, text);
        text_add(text, ";\n");
    }
}

static bool has_state(const struct retrace_parser *parser, const struct retrace_variable *variable)
{
    for (uint32_t n = 0; n < variable->count; n++) {
        const uint8_t kind = parser->shader->parameters[variable->first + n].kind;

        if (kind == RETRACE_BINDING_STATE || kind == RETRACE_BINDING_ROW)
            return true;
    }
    return false;
}

/*
 * Parses `address.x` with an optional offset. An index outside of the array is undefined by the
 * specification; here it is clamped.
 */
static bool parse_relative(struct retrace_parser *parser, struct retrace_variable *variable,
                           struct text *text)
{
    const struct retrace_variable *address =
        retrace_variable_find(parser, retrace_token_next(&parser->at));
    const unsigned last = (unsigned)variable->count - 1;
    uint32_t offset = 0;
    bool is_negative;

    if (address == NULL || address->kind != RETRACE_VARIABLE_ADDRESS ||
        !retrace_token_take_member(&parser->at, "x"))
        return false;
    is_negative = retrace_token_take(&parser->at, "-");
    if ((is_negative || retrace_token_take(&parser->at, "+")) &&
        !retrace_token_take_number(&parser->at, &offset))
        return false;
    if (has_state(parser, variable)) {
        add_array(parser, variable);
        text_printf(text, "array%u[", (unsigned)variable->first);
    } else {
        text_printf(text, "parameters[%u + ", (unsigned)variable->first);
    }
    text_printf(text, "clamp(address%u %c %u, 0, %u)]", (unsigned)address->first,
                is_negative ? '-' : '+', (unsigned)offset, last);
    return true;
}

static bool parse_element(struct retrace_parser *parser, struct retrace_variable *variable,
                          struct text *text)
{
    uint32_t index = 0;

    if (variable->is_array) {
        if (!retrace_token_take(&parser->at, "["))
            return false;
        if (!retrace_token_take_number(&parser->at, &index))
            return parse_relative(parser, variable, text) && retrace_token_take(&parser->at, "]");
        if (!retrace_token_take(&parser->at, "]") || index >= variable->count)
            return false;
    }
    retrace_add_element(parser, variable->first + index, text);
    return true;
}

/* Operands. */

static bool parse_variable(struct retrace_parser *parser, struct retrace_variable *variable,
                           struct text *text)
{
    switch (variable->kind) {
    case RETRACE_VARIABLE_ATTRIBUTE:
        text_add(text, variable->attribute);
        return true;
    case RETRACE_VARIABLE_TEMPORARY:
        text_printf(text, "temporary%u", (unsigned)variable->first);
        return true;
    case RETRACE_VARIABLE_PARAMETER:
        return parse_element(parser, variable, text);
    default:
        return false; /* results cannot be read */
    }
}

/* Parses a binding that has no name. */
static bool parse_binding(struct retrace_parser *parser, struct text *text)
{
    struct retrace_register parameter;
    const char *begin = parser->at;
    char attribute[RETRACE_ATTRIBUTE_ROOM];
    unsigned count;
    uint32_t place;

    if (retrace_token_is(retrace_token_next(&begin), "vertex")) {
        if (!retrace_parse_attribute(parser, attribute))
            return false;
        text_add(text, attribute);
        return true;
    }
    if (!retrace_take_parameter(&parser->at, &parameter, &count, &parser->why) || count != 1)
        return false;
    if (retrace_add_parameter(&parameter, text))
        return true;
    if (!retrace_keep_parameter(parser, &parameter, &place))
        return false;
    text_printf(text, "parameters[%u]", (unsigned)place);
    return true;
}

static bool parse_source(struct retrace_parser *parser, struct text *text)
{
    const char *behind = parser->at;
    struct retrace_variable *variable = retrace_variable_find(parser, retrace_token_next(&behind));

    if (variable == NULL)
        return parse_binding(parser, text);
    parser->at = behind;
    return parse_variable(parser, variable, text);
}

/* Parses an operand with an optional sign and swizzle. */
static bool parse_operand(struct retrace_parser *parser, struct text *text)
{
    const bool is_negative = retrace_token_take(&parser->at, "-");

    if (!is_negative)
        (void)retrace_token_take(&parser->at, "+");
    text_add(text, is_negative ? "-" : "");
    return parse_source(parser, text) && take_swizzle(parser, text);
}

/* Targets of instructions. */

enum { TARGET_ROOM = 24 };

/* Sets the target to the shader's variable for a result. */
static bool set_result(struct retrace_parser *parser, unsigned result, char target[TARGET_ROOM])
{
    if (result == RETRACE_RESULT_POSITION && parser->is_invariant)
        return false;
    parser->shader->results |= UINT64_C(1) << result;
    snprintf(target, TARGET_ROOM, "written%u", result);
    return true;
}

static bool set_variable(struct retrace_parser *parser, const struct retrace_variable *variable,
                         char target[TARGET_ROOM])
{
    if (variable == NULL)
        return false;
    if (variable->kind == RETRACE_VARIABLE_RESULT)
        return set_result(parser, variable->first, target);
    snprintf(target, TARGET_ROOM, "temporary%u", (unsigned)variable->first);
    return variable->kind == RETRACE_VARIABLE_TEMPORARY;
}

static bool parse_target(struct retrace_parser *parser, char target[TARGET_ROOM], char mask[6])
{
    const struct retrace_token name = retrace_token_next(&parser->at);
    unsigned result;
    bool is_set;

    if (retrace_token_is(name, "result"))
        is_set = retrace_take_result(&parser->at, &result) && set_result(parser, result, target);
    else
        is_set = set_variable(parser, retrace_variable_find(parser, name), target);
    return is_set && take_mask(parser, mask);
}

/* Parses `ARL address.x, operand`. */
static bool parse_load(struct retrace_parser *parser)
{
    const struct retrace_variable *address =
        retrace_variable_find(parser, retrace_token_next(&parser->at));

    if (address == NULL || address->kind != RETRACE_VARIABLE_ADDRESS ||
        !retrace_token_take_member(&parser->at, "x") || !retrace_token_take(&parser->at, ","))
        return false;
    text_printf(&parser->body, "{ vec4 a = ");
    if (!parse_operand(parser, &parser->body))
        return false;
    text_printf(&parser->body, "; address%u = int(floor(a.x)); }\n", (unsigned)address->first);
    return true;
}

/* Parses `-x`, `0` or `1` of SWZ, and writes one component of a. */
static bool parse_component(struct retrace_parser *parser)
{
    const bool is_negative = retrace_token_take(&parser->at, "-");
    struct retrace_token token;

    if (!is_negative)
        (void)retrace_token_take(&parser->at, "+");
    token = retrace_token_next(&parser->at);
    if (token.length != 1)
        return false;
    text_add(&parser->body, is_negative ? "-" : "");
    if (*token.begin == '0' || *token.begin == '1')
        text_printf(&parser->body, "%c.0", *token.begin);
    else
        text_printf(&parser->body, "a.%c", *token.begin);
    return *token.begin == '0' || *token.begin == '1' || is_component(*token.begin);
}

/* Parses the operands of SWZ after its target, and completes the statement. */
static bool parse_swizzled(struct retrace_parser *parser, const char *target, const char *mask)
{
    text_add(&parser->body, "{ vec4 a = ");
    if (!retrace_token_take(&parser->at, ",") || !parse_source(parser, &parser->body))
        return false;
    text_printf(&parser->body, "; %s%s = vec4(", target, mask);
    for (unsigned n = 0; n < 4; n++) {
        if (!retrace_token_take(&parser->at, ","))
            return false;
        text_add(&parser->body, n > 0 ? ", " : "");
        if (!parse_component(parser))
            return false;
    }
    text_printf(&parser->body, ")%s; }\n", mask);
    return true;
}

static bool parse_operands(struct retrace_parser *parser, const struct instruction *instruction,
                           const char *target, const char *mask)
{
    text_add(&parser->body, "{ vec4 ");
    for (unsigned n = 0; n < instruction->operands; n++) {
        if (!retrace_token_take(&parser->at, ","))
            return false;
        text_printf(&parser->body, "%s%c = ", n > 0 ? ", " : "", "abc"[n]);
        if (!parse_operand(parser, &parser->body))
            return false;
    }
    text_printf(&parser->body, "; %s%s = (%s)%s; }\n", target, mask, instruction->expression, mask);
    return true;
}

static const struct instruction *find_instruction(struct retrace_token word)
{
    for (size_t n = 0; n < sizeof(instructions) / sizeof(instructions[0]); n++)
        if (retrace_token_is(word, instructions[n].word))
            return &instructions[n];
    return NULL;
}

bool retrace_parse_instruction(struct retrace_parser *parser)
{
    const struct retrace_token word = retrace_token_next(&parser->at);
    const struct instruction *instruction = find_instruction(word);
    const bool is_swizzle = retrace_token_is(word, "SWZ");
    char mask[6], target[TARGET_ROOM];

    if (retrace_token_is(word, "ARL"))
        return parse_load(parser);
    if ((!is_swizzle && instruction == NULL) || !parse_target(parser, target, mask))
        return false;
    return is_swizzle ? parse_swizzled(parser, target, mask)
                      : parse_operands(parser, instruction, target, mask);
}
