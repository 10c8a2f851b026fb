/* SPDX-License-Identifier: MIT */
/*
 * The state of the translator of ARB vertex programs (assembly_shader.h) while it reads a text:
 * names, declarations, and the parts of the shader. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_PARSER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_PARSER_H

#include "glworker/gl/assembly_bindings.h"
#include "glworker/gl/assembly_lexer.h"

/* What a name stands for. */
enum retrace_variable_kind {
    RETRACE_VARIABLE_ATTRIBUTE,
    RETRACE_VARIABLE_PARAMETER, /* `count` elements */
    RETRACE_VARIABLE_TEMPORARY,
    RETRACE_VARIABLE_ADDRESS,
    RETRACE_VARIABLE_RESULT
};
struct retrace_variable {
    uint8_t kind;
    bool is_array;
    /* an array that contains state, which the shader copies to an array of its own */
    bool is_copied;
    uint32_t first, count; /* in `parameters`; of a result, `first` is its number */
    char attribute[RETRACE_ATTRIBUTE_ROOM];
};

enum { RETRACE_VARIABLES_MAX = 4096 };

/* A name of a variable; several names may belong to one variable. */
struct retrace_alias {
    struct retrace_token name;
    uint32_t variable;
};

struct retrace_parser {
    const char *at;
    const char *why;
    struct retrace_assembly_shader *shader;
    struct retrace_variable *variables;
    struct retrace_alias *aliases;
    uint32_t variable_count, alias_count;
    bool is_invariant;        /* the position is computed as by fixed functions */
    struct text declarations; /* at the beginning of main() */
    struct text body;
};

/* Returns NULL if no variable has this name. */
struct retrace_variable *retrace_variable_find(const struct retrace_parser *parser,
                                               struct retrace_token name);

/*
 * Parses a declaration without its semicolon, and sets *is_one to whether there is one. Returns
 * false on an error.
 */
bool retrace_parse_declaration(struct retrace_parser *parser, bool *is_one);
/* Parses an instruction without its semicolon. Returns false on an error. */
bool retrace_parse_instruction(struct retrace_parser *parser);

/* Appends an element of `parameters` as a GLSL expression. */
void retrace_add_element(const struct retrace_parser *parser, uint32_t element, struct text *text);
/*
 * Stores a parameter in `parameters`, and sets *place to its index. Returns false if there is no
 * room.
 */
bool retrace_keep_parameter(struct retrace_parser *parser, const struct retrace_register *parameter,
                            uint32_t *place);
/* Parses `vertex.…`, and writes a GLSL expression. */
bool retrace_parse_attribute(struct retrace_parser *parser,
                             char expression[RETRACE_ATTRIBUTE_ROOM]);

#endif
