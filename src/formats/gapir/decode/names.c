/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/names.h"

#include <string.h>

enum { IDS = 0x10000 };

const struct gapir_function *gapir_table_find(const struct gapir_table *table, unsigned id)
{
    const struct gapir_function *function;

    if (id < table->positions)
        function = &gapir_functions[table->first + id];
    else if (id >= IDS - table->builtins && id < IDS)
        function = &gapir_functions[table->first + table->positions + id - (IDS - table->builtins)];
    else
        return NULL;
    return function->callable ? function : NULL;
}

uint32_t gapir_table_index(const struct gapir_table *table, const struct gapir_function *function)
{
    return (uint32_t)(function - gapir_functions) - table->first;
}

uint32_t gapir_table_size(const struct gapir_table *table)
{
    return table->positions + table->builtins;
}

unsigned gapir_table_id(const struct gapir_table *table, const struct gapir_function *function)
{
    uint32_t index = gapir_table_index(table, function);

    return index < table->positions ? index : IDS - table->builtins + index - table->positions;
}

const struct gapir_table *gapir_table_named(const char *release)
{
    for (size_t n = 0; n < gapir_table_count; n++)
        if (strcmp(gapir_tables[n].release, release) == 0)
            return &gapir_tables[n];
    return NULL;
}

const char *gapir_function_name(const struct gapir_function *function)
{
    return gapir_strings + function->name;
}

const char *gapir_function_result_ctype(const struct gapir_function *function)
{
    return gapir_strings + function->result_ctype;
}

const struct gapir_argument *gapir_function_argument(const struct gapir_function *function,
                                                     unsigned n)
{
    return &gapir_arguments[gapir_argument_lists[function->arguments + n]];
}

const char *gapir_argument_name(const struct gapir_argument *argument)
{
    return gapir_strings + argument->name;
}

const char *gapir_argument_ctype(const struct gapir_argument *argument)
{
    return gapir_strings + argument->ctype;
}
