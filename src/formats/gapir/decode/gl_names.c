/* SPDX-License-Identifier: MIT */
#include "formats/gapir/decode/gl_names.h"

#include <stdlib.h>
#include <string.h>

struct wanted {
    const char *function;
    unsigned argument;
};

static int compare_parameter(const void *key, const void *element)
{
    const struct wanted *wanted = key;
    const struct gapir_gl_parameter *parameter = element;
    int order = strcmp(wanted->function, parameter->function);

    return order != 0 ? order : (int)wanted->argument - (int)parameter->argument;
}

const struct gapir_gl_parameter *gapir_gl_parameter_find(const char *function, unsigned argument)
{
    const struct wanted wanted = {function, argument};

    return bsearch(&wanted, gapir_gl_parameters, gapir_gl_parameter_count,
                   sizeof(gapir_gl_parameters[0]), compare_parameter);
}

/* Returns the index of the first constant at or after a value of a group. */
static size_t first_of(unsigned group, uint64_t value)
{
    size_t low = 0, high = gapir_gl_constant_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct gapir_gl_constant *constant = &gapir_gl_constants[middle];

        if (constant->group < group || (constant->group == group && constant->value < value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const char *gapir_gl_constant_name(unsigned group, uint64_t value)
{
    size_t n = first_of(group, value);

    if (n < gapir_gl_constant_count && gapir_gl_constants[n].group == group &&
        gapir_gl_constants[n].value == value)
        return gapir_gl_constants[n].name;
    return group != 0 ? gapir_gl_constant_name(0, value) : NULL;
}

const char *gapir_gl_take_bits(unsigned group, uint64_t *bits)
{
    for (size_t n = first_of(group, 1);
         n < gapir_gl_constant_count && gapir_gl_constants[n].group == group; n++) {
        const uint32_t value = gapir_gl_constants[n].value;

        if (value != UINT32_MAX && (*bits & value) == value) {
            *bits &= ~(uint64_t)value;
            return gapir_gl_constants[n].name;
        }
    }
    return NULL;
}
