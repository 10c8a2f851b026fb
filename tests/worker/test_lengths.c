/* SPDX-License-Identifier: MIT */
/* Checks what lengths.tsv says of pointers against the rules that have to check them. */
#include "config.h"

#include "glworker/gl/gl.h"
#include "glworker/gl/rules.h"

#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Returns the rule of a function; NULL if the function is only called. */
static retrace_rule *rule_of(const struct retrace_function *function)
{
    const struct retrace_rule_row *row = retrace_rule_find(function->name);

    return row == NULL ? NULL : row->rule;
}

static void check_parameter(const struct retrace_function *function,
                            const struct retrace_parameter *parameter)
{
    bool holds = parameter->way == RETRACE_VALUE || parameter->length != RETRACE_LENGTH_UNKNOWN;

    if (parameter->length == RETRACE_LENGTH_RULE)
        holds = rule_of(function) != NULL && rule_of(function) != retrace_leave_out;
    if (parameter->length == RETRACE_LENGTH_LEFT)
        /* The rule of functions that are left out, or one that leaves calls out. */
        holds = rule_of(function) != NULL;
    if (parameter->length == RETRACE_LENGTH_COUNTED)
        holds = parameter->divisor > 0 && parameter->counted <= function->count;
    /*
     * Elements that are read up to a zero, or are few, are followed by zeros: bytes are not
     * counted.
     */
    if (parameter->length == RETRACE_LENGTH_FEW && parameter->way == RETRACE_IN)
        holds = 16 * retrace_type_size(parameter->type) <= RETRACE_PAD;
    if (!holds)
        fail_msg("%s, argument %zu", function->name, (size_t)(parameter - function->parameters));
}

static void each_pointer_has_what_its_row_says(void **state)
{
    (void)state;
    assert_true(retrace_function_count > 3000);
    for (size_t n = 0; n < retrace_function_count; n++)
        for (unsigned i = 0; i < retrace_functions[n].count; i++)
            check_parameter(&retrace_functions[n], &retrace_functions[n].parameters[i]);
}

static void the_named_ones_are_counted(void **state)
{
    static const struct {
        const char *name;
        unsigned argument, counted;
    } expected[] = {{"glNamedBufferData", 2, 1},
                    {"glNamedBufferDataEXT", 2, 1},
                    {"glNamedBufferSubData", 3, 2},
                    {"glNamedBufferSubDataEXT", 3, 2},
                    {"glCompressedTextureSubImage1D", 6, 5},
                    {"glCompressedTextureSubImage2D", 8, 7},
                    {"glCompressedTextureSubImage3D", 10, 9}};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(expected); n++) {
        const struct retrace_function *function = retrace_function_find(expected[n].name);
        const struct retrace_parameter *parameter;

        assert_non_null(function);
        parameter = &function->parameters[expected[n].argument];
        assert_int_equal(parameter->length, RETRACE_LENGTH_COUNTED);
        assert_int_equal(parameter->counted, expected[n].counted + 1);
        assert_int_equal(parameter->factor, 1);
        assert_int_equal(parameter->divisor, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pointer_has_what_its_row_says),
        cmocka_unit_test(the_named_ones_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
