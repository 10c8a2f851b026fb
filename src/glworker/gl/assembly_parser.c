/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly_parser.h"

#include "glworker/gl/assembly_lexer.h"

#include <stdlib.h>
#include <string.h>

/* Names. */

struct retrace_variable *retrace_variable_find(const struct retrace_parser *parser,
                                               struct retrace_token name)
{
    for (uint32_t n = 0; n < parser->alias_count; n++) {
        const struct retrace_token *known = &parser->aliases[n].name;

        if (known->length == name.length && memcmp(known->begin, name.begin, name.length) == 0)
            return &parser->variables[parser->aliases[n].variable];
    }
    return NULL;
}

static bool is_name(struct retrace_token token)
{
    const char first = token.length > 0 ? token.begin[0] : '0';

    return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' ||
           first == '$';
}

/* Gives a variable a name that is not used yet. */
static bool add_name(struct retrace_parser *parser, struct retrace_token name, uint32_t variable)
{
    if (!is_name(name) || retrace_variable_find(parser, name) != NULL)
        return false;
    if (parser->alias_count == RETRACE_VARIABLES_MAX) {
        parser->why = "its ARB program has too many names";
        return false;
    }
    parser->aliases[parser->alias_count++] = (struct retrace_alias){name, variable};
    return true;
}

static bool add_variable(struct retrace_parser *parser, struct retrace_token name,
                         const struct retrace_variable *variable)
{
    if (!add_name(parser, name, parser->variable_count)) /* every variable has a name */
        return false;
    parser->variables[parser->variable_count++] = *variable;
    return true;
}

/* Parameters. */

enum { PARAMETERS_MAX = 4096, PARAMETERS_STEP = 64 };

/* Appends without sharing, so that elements of an array follow each other. */
static bool append_parameter(struct retrace_parser *parser,
                             const struct retrace_register *parameter)
{
    struct retrace_assembly_shader *shader = parser->shader;

    if (shader->parameter_count == PARAMETERS_MAX) {
        parser->why = "its ARB program has too many parameters";
        return false;
    }
    if (shader->parameter_count % PARAMETERS_STEP == 0) {
        void *more = realloc(shader->parameters, sizeof(*shader->parameters) *
                                                     (shader->parameter_count + PARAMETERS_STEP));

        if (more == NULL) {
            parser->why = "out of memory for its shader";
            return false;
        }
        shader->parameters = more;
    }
    shader->parameters[shader->parameter_count++] = *parameter;
    return true;
}

static bool is_same(const struct retrace_register *a, const struct retrace_register *b)
{
    return a->kind == b->kind && a->number == b->number && a->row == b->row &&
           a->change == b->change && memcmp(a->constant, b->constant, sizeof(a->constant)) == 0 &&
           strcmp(a->state, b->state) == 0;
}

bool retrace_keep_parameter(struct retrace_parser *parser, const struct retrace_register *parameter,
                            uint32_t *place)
{
    for (*place = 0; *place < parser->shader->parameter_count; ++*place)
        if (is_same(&parser->shader->parameters[*place], parameter))
            return true;
    return append_parameter(parser, parameter);
}

void retrace_add_element(const struct retrace_parser *parser, uint32_t element, struct text *text)
{
    if (!retrace_add_parameter(&parser->shader->parameters[element], text))
        text_printf(text, "parameters[%u]", (unsigned)element);
}

/* Declarations. */

/* Parses `OPTION name`. */
static bool parse_option(struct retrace_parser *parser)
{
    const struct retrace_token name = retrace_token_next(&parser->at);

    if (retrace_token_is(name, "ARB_position_invariant")) {
        parser->is_invariant = true;
        return true;
    }
    if (retrace_token_is(name, "ARB_precision_hint_fastest") ||
        retrace_token_is(name, "ARB_precision_hint_nicest"))
        return true;
    parser->why = "its ARB program has an unknown option";
    return false;
}

bool retrace_parse_attribute(struct retrace_parser *parser, char expression[RETRACE_ATTRIBUTE_ROOM])
{
    unsigned generic;

    if (!retrace_token_take(&parser->at, "vertex") ||
        !retrace_take_attribute(&parser->at, expression, &generic, &parser->why))
        return false;
    parser->shader->generics |= generic > 0 ? 1U << generic : 0;
    return true;
}

/* Parses `ATTRIB name = vertex.…`. */
static bool parse_attribute(struct retrace_parser *parser)
{
    const struct retrace_token name = retrace_token_next(&parser->at);
    struct retrace_variable variable = {.kind = RETRACE_VARIABLE_ATTRIBUTE};

    return retrace_token_take(&parser->at, "=") &&
           retrace_parse_attribute(parser, variable.attribute) &&
           add_variable(parser, name, &variable);
}

/* Parses `OUTPUT name = result.…`. */
static bool parse_output(struct retrace_parser *parser)
{
    const struct retrace_token name = retrace_token_next(&parser->at);
    struct retrace_variable variable = {.kind = RETRACE_VARIABLE_RESULT};

    if (!retrace_token_take(&parser->at, "=") || !retrace_token_take(&parser->at, "result") ||
        !retrace_take_result(&parser->at, &variable.first))
        return false;
    return add_variable(parser, name, &variable);
}

/* Parses all elements of a binding. */
static bool parse_elements(struct retrace_parser *parser, struct retrace_variable *variable)
{
    struct retrace_register first;
    unsigned count;

    if (!retrace_take_parameter(&parser->at, &first, &count, &parser->why) ||
        (count > 1 && !variable->is_array))
        return false;
    for (unsigned n = 0; n < count; n++) {
        const struct retrace_register next = retrace_next_parameter(&first, n);

        if (!append_parameter(parser, &next))
            return false;
    }
    variable->count += count;
    return true;
}

/* Parses `PARAM name = binding` or `PARAM name[4] = { binding, binding }`. */
static bool parse_parameter(struct retrace_parser *parser)
{
    const struct retrace_token name = retrace_token_next(&parser->at);
    struct retrace_variable variable = {.kind = RETRACE_VARIABLE_PARAMETER,
                                        .first = parser->shader->parameter_count};
    uint32_t wanted;
    bool is_sized = false;

    variable.is_array = retrace_token_take(&parser->at, "[");
    if (variable.is_array) {
        is_sized = retrace_token_take_number(&parser->at, &wanted);
        if (!retrace_token_take(&parser->at, "]"))
            return false;
    }
    if (!retrace_token_take(&parser->at, "=") ||
        (variable.is_array && !retrace_token_take(&parser->at, "{")))
        return false;
    do
        if (!parse_elements(parser, &variable))
            return false;
    while (variable.is_array && retrace_token_take(&parser->at, ","));
    if (variable.is_array && !retrace_token_take(&parser->at, "}"))
        return false;
    return (!is_sized || wanted == variable.count) && add_variable(parser, name, &variable);
}

/* Parses `TEMP a, b` or `ADDRESS a`. */
static bool parse_names(struct retrace_parser *parser, enum retrace_variable_kind kind)
{
    do {
        const struct retrace_variable variable = {.kind = (uint8_t)kind,
                                                  .first = parser->variable_count};
        const struct retrace_token name = retrace_token_next(&parser->at);

        text_printf(&parser->declarations,
                    kind == RETRACE_VARIABLE_ADDRESS ? "int address%u = 0;\n"
                                                     : "vec4 temporary%u = vec4(0.0);\n",
                    (unsigned)parser->variable_count);
        if (!add_variable(parser, name, &variable))
            return false;
    } while (retrace_token_take(&parser->at, ","));
    return true;
}

/* Parses `ALIAS name = other`. */
static bool parse_alias(struct retrace_parser *parser)
{
    const struct retrace_token name = retrace_token_next(&parser->at);
    const struct retrace_variable *other;

    if (!retrace_token_take(&parser->at, "="))
        return false;
    other = retrace_variable_find(parser, retrace_token_next(&parser->at));
    return other != NULL && add_name(parser, name, (uint32_t)(other - parser->variables));
}

bool retrace_parse_declaration(struct retrace_parser *parser, bool *is_one)
{
    const char *begin = parser->at;
    const struct retrace_token word = retrace_token_next(&parser->at);

    *is_one = true;
    if (retrace_token_is(word, "OPTION"))
        return parse_option(parser);
    if (retrace_token_is(word, "ATTRIB"))
        return parse_attribute(parser);
    if (retrace_token_is(word, "PARAM"))
        return parse_parameter(parser);
    if (retrace_token_is(word, "TEMP"))
        return parse_names(parser, RETRACE_VARIABLE_TEMPORARY);
    if (retrace_token_is(word, "ADDRESS"))
        return parse_names(parser, RETRACE_VARIABLE_ADDRESS);
    if (retrace_token_is(word, "OUTPUT"))
        return parse_output(parser);
    if (retrace_token_is(word, "ALIAS"))
        return parse_alias(parser);
    *is_one = false;
    parser->at = begin;
    return true;
}
