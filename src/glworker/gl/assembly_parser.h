/* SPDX-License-Identifier: MIT */
/*
 * What the translator of ARB vertex programs (assembly_shader.h) knows of a text while it reads it:
 * names, declarations, and what the shader is put together of. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_ASSEMBLY_PARSER_H
#define GPUDUMPFS_GLWORKER_GL_ASSEMBLY_PARSER_H

#include "glworker/gl/assembly_bindings.h"
#include "glworker/gl/assembly_lexer.h"

/* What names stand for. */
enum retrace_variable_kind {
    RETRACE_VARIABLE_ATTRIBUTE,
    RETRACE_VARIABLE_PARAMETER, /* of so many elements */
    RETRACE_VARIABLE_TEMPORARY,
    RETRACE_VARIABLE_ADDRESS,
    RETRACE_VARIABLE_RESULT
};
struct retrace_variable {
    uint8_t kind;
    bool is_array;
    bool is_copied;        /* an array with state, which the shader has as one of its own */
    uint32_t first, count; /* parameters; of a result `first` is which one */
    char attribute[RETRACE_ATTRIBUTE_ROOM];
};

enum { RETRACE_VARIABLES_MAX = 4096 };

/* Several of them are one variable's. */
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
    bool is_invariant;        /* the position is that of fixed functions */
    struct text declarations; /* at the beginning of main() */
    struct text body;
};

/* NULL: there is none of the name. */
struct retrace_variable *retrace_variable_find(const struct retrace_parser *parser,
                                               struct retrace_token name);

/* Whether what comes next is a declaration; if so it is taken but for its semicolon, or false. */
bool retrace_parse_declaration(struct retrace_parser *parser, bool *is_one);
/* What comes next is an instruction, and is taken but for its semicolon; else false. */
bool retrace_parse_instruction(struct retrace_parser *parser);

/* One of `parameters` as an expression. */
void retrace_add_element(const struct retrace_parser *parser, uint32_t element, struct text *text);
/* The place of a parameter in `parameters`. False: there is no room. */
bool retrace_keep_parameter(struct retrace_parser *parser, const struct retrace_register *parameter,
                            uint32_t *place);
/* `vertex.…`, as an expression. */
bool retrace_parse_attribute(struct retrace_parser *parser,
                             char expression[RETRACE_ATTRIBUTE_ROOM]);

#endif
