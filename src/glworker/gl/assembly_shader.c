/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/assembly_shader.h"

#include "glworker/gl/assembly_parser.h"

#include <stdlib.h>
#include <string.h>

enum {
    TEXT_MAX = 1 << 18, /* bytes of a program's text */
    SHADER_MAX = 1 << 24
};

static const char prelude[] =
    "#version 130\n"
    "#define attenuation(n) vec4(gl_LightSource[n].constantAttenuation, "
    "gl_LightSource[n].linearAttenuation, gl_LightSource[n].quadraticAttenuation, "
    "gl_LightSource[n].spotExponent)\n"
    "#define spot(n) vec4(gl_LightSource[n].spotDirection, gl_LightSource[n].spotCosCutoff)\n"
    "#define point_size() vec4(gl_Point.size, gl_Point.sizeMin, gl_Point.sizeMax, "
    "gl_Point.fadeThresholdSize)\n"
    "#define point_attenuation() vec4(gl_Point.distanceConstantAttenuation, "
    "gl_Point.distanceLinearAttenuation, gl_Point.distanceQuadraticAttenuation, 1.0)\n"
    "float dph(vec4 p) { vec2 s = p.xz + p.yw; return s.x + s.y; }\n";

/* Complete texts. */

static bool parse_statements(struct retrace_parser *parser)
{
    static const char not_read[] = "the text of its ARB program cannot be parsed";

    while (!retrace_token_take(&parser->at, "END")) {
        bool is_declaration;

        parser->why = NULL;
        if (!retrace_parse_declaration(parser, &is_declaration) ||
            (!is_declaration && !retrace_parse_instruction(parser)) ||
            !retrace_token_take(&parser->at, ";")) {
            parser->why = parser->why != NULL ? parser->why : not_read;
            return false;
        }
    }
    return true;
}

static void add_globals(const struct retrace_assembly_shader *shader, struct text *text)
{
    text_add(text, prelude);
    if (shader->parameter_count > 0)
        text_printf(text, "uniform vec4 parameters[%u];\n", shader->parameter_count);
    for (unsigned n = 1; n < RETRACE_GENERIC_MAX; n++)
        if (shader->generics >> n & 1)
            text_printf(text, "in vec4 attribute%u;\n", n);
    for (unsigned n = 1; n < RETRACE_RESULTS; n++)
        if (shader->results >> n & 1)
            text_printf(text, "out %s result%u;\n", retrace_result_is_single(n) ? "float" : "vec4",
                        n);
}

static void add_main(const struct retrace_parser *parser, struct text *text)
{
    const uint64_t results = parser->shader->results;

    text_add(text, "void main()\n{\n");
    for (unsigned n = 0; n < RETRACE_RESULTS; n++)
        if (results >> n & 1)
            text_printf(text, "vec4 written%u = vec4(0.0);\n", n);
    text_add_text(text, &parser->declarations);
    text_add_text(text, &parser->body);
    for (unsigned n = 1; n < RETRACE_RESULTS; n++)
        if (results >> n & 1)
            text_printf(text, "result%u = written%u%s;\n", n, n,
                        retrace_result_is_single(n) ? ".x" : "");
    text_add(text, parser->is_invariant ? "gl_Position = ftransform();\n}\n"
                   : results & 1        ? "gl_Position = written0;\n}\n"
                                        : "gl_Position = vec4(0.0);\n}\n");
    text_add_char(text, '\0');
}

static bool translate(struct retrace_parser *parser)
{
    struct text *source = &parser->shader->source;

    parser->why = "the text of its ARB program is too long";
    if (strlen(parser->at) > TEXT_MAX)
        return false;
    parser->why = "its ARB program is not a vertex program";
    if (strncmp(parser->at, "!!ARBvp1.0", 10) != 0)
        return false;
    parser->at += 10;
    parser->variables = calloc(RETRACE_VARIABLES_MAX, sizeof(*parser->variables));
    parser->aliases = calloc(RETRACE_VARIABLES_MAX, sizeof(*parser->aliases));
    parser->why = "out of memory for its shader";
    if (parser->variables == NULL || parser->aliases == NULL || !parse_statements(parser))
        return false;
    add_globals(parser->shader, source);
    add_main(parser, source);
    parser->why = "the text of its ARB program is too long";
    return text_status(source) == 0;
}

bool retrace_assembly_translate(const char *text, struct retrace_assembly_shader *out,
                                const char **why)
{
    const struct text limited = {.limit = SHADER_MAX};
    struct retrace_parser parser = {
        .at = text, .shader = out, .declarations = limited, .body = limited};
    bool is_translated;

    *out = (struct retrace_assembly_shader){.source = limited};
    is_translated = translate(&parser);
    *why = parser.why;
    text_clear(&parser.declarations);
    text_clear(&parser.body);
    free(parser.variables);
    free(parser.aliases);
    if (!is_translated)
        retrace_assembly_shader_clear(out);
    return is_translated;
}

void retrace_assembly_shader_clear(struct retrace_assembly_shader *shader)
{
    text_clear(&shader->source);
    free(shader->parameters);
    *shader = (struct retrace_assembly_shader){.parameter_count = 0};
}
