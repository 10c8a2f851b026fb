#include "formats/apitrace/views/signatures.h"

#include "formats/apitrace/views/rows.h"

#include <inttypes.h>

enum { PIECE_DEFINITIONS = 64 };

static void add_name(struct text *text, const struct apitrace_name *name)
{
    text_add_escaped(text, name->bytes, name->shown);
}

static void add_names(struct text *text, const struct apitrace_name *names, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        if (n > 0)
            text_add(text, ", ");
        add_name(text, &names[n]);
    }
}

static void add_function(const struct apitrace_index *index, const void *definition,
                         struct text *text)
{
    const struct apitrace_function *function = definition;
    char letters[9];

    add_name(text, &function->name);
    text_add_char(text, '(');
    add_names(text, function->arguments, function->argument_count);
    text_printf(text, ") id=%" PRIu64 " class=%s calls=%" PRIu64 "\n", function->id,
                apitrace_class_letters(function->classes, letters),
                index->function_calls[function->number]);
}

static void add_enum(const struct apitrace_index *index, const void *definition, struct text *text)
{
    const struct apitrace_enum *enumeration = definition;

    (void)index;
    for (uint32_t n = 0; n < enumeration->count; n++) {
        text_printf(text, "%" PRIu64 " ", enumeration->id);
        add_name(text, &enumeration->constants[n].name);
        text_printf(text, " = %" PRId64 "\n", enumeration->constants[n].value);
    }
}

static void add_bitmask(const struct apitrace_index *index, const void *definition,
                        struct text *text)
{
    const struct apitrace_bitmask *bitmask = definition;

    (void)index;
    for (uint32_t n = 0; n < bitmask->count; n++) {
        text_printf(text, "%" PRIu64 " ", bitmask->id);
        add_name(text, &bitmask->constants[n].name);
        text_printf(text, " = 0x%" PRIx64 "\n", (uint64_t)bitmask->constants[n].value);
    }
}

static void add_struct(const struct apitrace_index *index, const void *definition,
                       struct text *text)
{
    const struct apitrace_struct *structure = definition;

    (void)index;
    text_printf(text, "%" PRIu64 " ", structure->id);
    add_name(text, &structure->name);
    text_add(text, " {");
    add_names(text, structure->members, structure->member_count);
    text_add(text, "}\n");
}

static int add_piece(struct dump *dump, const struct apitrace_space *space, uint64_t piece,
                     void (*add)(const struct apitrace_index *index, const void *definition,
                                 struct text *text),
                     struct text *text)
{
    uint64_t first = piece * PIECE_DEFINITIONS;

    for (uint64_t n = first; n < space->count && n < first + PIECE_DEFINITIONS; n++)
        add(apitrace_index_of(dump), space->list[n], text);
    return 0;
}

#define LISTING(space, one)                                                                        \
    static int space##_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,        \
                              uint64_t *pieces)                                                    \
    {                                                                                              \
        (void)key, (void)cancel;                                                                   \
        return apitrace_count_pieces(apitrace_index_of(dump)->definitions.space.count,             \
                                     PIECE_DEFINITIONS, pieces);                                   \
    }                                                                                              \
    static int space##_piece(struct dump *dump, uint64_t key, uint64_t piece,                      \
                             const struct cancel *cancel, struct text *text)                       \
    {                                                                                              \
        (void)key, (void)cancel;                                                                   \
        return add_piece(dump, &apitrace_index_of(dump)->definitions.space, piece, one, text);     \
    }                                                                                              \
    const struct dump_listing apitrace_##space##_listing = {.pieces = space##_pieces,              \
                                                            .piece = space##_piece}

LISTING(functions, add_function);
LISTING(enums, add_enum);
LISTING(bitmasks, add_bitmask);
LISTING(structs, add_struct);
