/* SPDX-License-Identifier: MIT */
/* SPIR-V modules that capture gl_Position: their words, and words that are no module. */
#include "config.h"

#include "glworker/gl/spirv_capture.h"

#include "tests/formats/apitrace/modules.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

enum {
    VERTEX_STAGE = 0,
    GEOMETRY_STAGE = 3,
    HEADER = 5,
    RESULT = MODULE_RESULT,
    PER_VERTEX = MODULE_PER_VERTEX
};

/*
 * Captures the position of a copy that ends exactly where the module does, so that a sanitizer
 * detects reads beyond the end.
 */
static uint32_t *capture(const struct module *module, uint32_t stage, const char *entry,
                         size_t *made, const char **why)
{
    const size_t size = module->count * sizeof(uint32_t);
    uint32_t *words = malloc(size > 0 ? size : 1), *found;

    assert_non_null(words);
    memcpy(words, module->words, size);
    found = spirv_capture_position(words, module->count, stage, entry, made, why);
    assert_true((found != NULL) == (*why == NULL));
    if (found != NULL)
        assert_true(*made <= module->count + SPIRV_CAPTURE_ADDED);
    free(words);
    return found;
}

static void expect_why(const struct module *module, uint32_t stage, const char *entry,
                       const char *wanted)
{
    const char *why;
    size_t made;

    assert_null(capture(module, stage, entry, &made, &why));
    assert_string_equal(why, wanted);
}

static void what_is_no_module_says_so(void **state)
{
    struct module module = {.count = 0};

    (void)state;
    expect_why(&module, VERTEX_STAGE, "main", "it is not SPIR-V");
    module_vertex(&module, 0);
    expect_why(&module, GEOMETRY_STAGE, "main", "its SPIR-V has no such entry point");
    expect_why(&module, VERTEX_STAGE, "mai", "its SPIR-V has no such entry point");
    expect_why(&module, VERTEX_STAGE, "main2", "its SPIR-V has no such entry point");
    expect_why(&module, VERTEX_STAGE, "", "its SPIR-V has no such entry point");
    module.count--;
    module.words[module.count - 1] = 2U << 16;
    expect_why(&module, VERTEX_STAGE, "main", "its SPIR-V is damaged");
    module.words[module.count - 1] = 0;
    expect_why(&module, VERTEX_STAGE, "main", "its SPIR-V is damaged");
    module.words[3] = UINT32_MAX;
    expect_why(&module, VERTEX_STAGE, "main", "its SPIR-V has too many ids");
    module.words[0] = 0x03022307;
    expect_why(&module, VERTEX_STAGE, "main", "it is not SPIR-V");
    module_vertex(&module, MODULE_NOWHERE);
    expect_why(&module, VERTEX_STAGE, "main", "its SPIR-V does not write gl_Position");
    module_vertex(&module, MODULE_BLOCK);
    module.words[3] = PER_VERTEX; /* which then exceeds the bound */
    expect_why(&module, VERTEX_STAGE, "main", "its SPIR-V does not write gl_Position");
}

/* Returns how many instructions there are with this opcode and these first operands. */
static unsigned count_of(const uint32_t *words, size_t count, uint32_t opcode,
                         const uint32_t *operands, size_t operand_count)
{
    unsigned found = 0;

    for (size_t at = HEADER; at < count; at += words[at] >> 16)
        found += (words[at] & 0xFFFF) == opcode && words[at] >> 16 > operand_count &&
                 memcmp(words + at + 1, operands, operand_count * sizeof(*operands)) == 0;
    return found;
}

#define COUNT(words, count, opcode, ...)                                                           \
    count_of(words, count, opcode, (const uint32_t[]){__VA_ARGS__},                                \
             sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* Returns how many decorations of a kind there are, of any target. */
static unsigned count_decorations(const uint32_t *words, size_t count, uint32_t decoration)
{
    unsigned found = 0;

    for (size_t at = HEADER; at < count; at += words[at] >> 16)
        found += ((words[at] & 0xFFFF) == 71 && words[at + 2] == decoration) ||
                 ((words[at] & 0xFFFF) == 72 && words[at + 3] == decoration);
    return found;
}

static void expect_capture(const uint32_t *words, size_t count, unsigned flags)
{
    const bool block = flags & MODULE_BLOCK;

    assert_int_equal(words[HEADER] & 0xFFFF, 17); /* capabilities come first */
    assert_int_equal(COUNT(words, count, 17, 53), 1);
    assert_int_equal(COUNT(words, count, 16, 1, 11), 1);
    assert_int_equal(COUNT(words, count, 71, RESULT, 36, 0), 1);
    assert_int_equal(COUNT(words, count, 71, RESULT, 37, 16), 1);
    assert_int_equal(COUNT(words, count, 71, RESULT, 35, 0), !block);
    assert_int_equal(COUNT(words, count, 72, PER_VERTEX, 1, 35, 0), block);
    assert_int_equal(count_decorations(words, count, 36), 1);
    assert_int_equal(count_decorations(words, count, 37), 1);
    /* The uniform block's decoration stays. */
    assert_int_equal(count_decorations(words, count, 35), flags & MODULE_MATRIX ? 2 : 1);
}

/*
 * Copies a module without the instructions of a capture, so that everything else can be compared in
 * its order.
 */
static size_t drop_captures(const uint32_t *words, size_t count, uint32_t *out)
{
    size_t made = HEADER;

    memcpy(out, words, HEADER * sizeof(*out));
    for (size_t at = HEADER; at < count; at += words[at] >> 16) {
        const uint32_t opcode = words[at] & 0xFFFF, *operands = words + at + 1;

        if ((opcode == 17 && operands[0] == 53) || (opcode == 16 && operands[1] == 11) ||
            (opcode == 71 && operands[1] >= 35 && operands[1] <= 37) ||
            (opcode == 72 && operands[0] == PER_VERTEX && operands[2] == 35))
            continue;
        memcpy(out + made, words + at, (words[at] >> 16) * sizeof(*out));
        made += words[at] >> 16;
    }
    return made;
}

static void position_is_all_that_is_captured(void **state)
{
    (void)state;
    for (unsigned flags = 0; flags < MODULE_NOWHERE; flags++) {
        uint32_t before[512], after[512 + SPIRV_CAPTURE_ADDED], *words, *again;
        struct module module;
        size_t made, made_again;
        const char *why;

        module_vertex(&module, flags);
        words = capture(&module, VERTEX_STAGE, "main", &made, &why);
        assert_non_null(words);
        expect_capture(words, made, flags);
        assert_int_equal(drop_captures(words, made, after),
                         drop_captures(module.words, module.count, before));
        assert_memory_equal(after, before, drop_captures(words, made, after) * sizeof(*after));
        /* Capturing again changes nothing. */
        again = spirv_capture_position(words, made, VERTEX_STAGE, "main", &made_again, &why);
        assert_int_equal(made_again, made);
        assert_memory_equal(again, words, made * sizeof(*words));
        free(again);
        free(words);
    }
}

/* Inputs that are positions are not taken for outputs. */
static void geometry_captures_what_it_gives(void **state)
{
    struct module module;
    uint32_t *words;
    const char *why;
    size_t made;

    (void)state;
    module_geometry(&module);
    words = capture(&module, GEOMETRY_STAGE, "main", &made, &why);
    assert_non_null(words);
    assert_int_equal(COUNT(words, made, 71, RESULT, 36, 0), 1);
    assert_int_equal(COUNT(words, made, 72, PER_VERTEX, 0, 35, 0), 1);
    assert_int_equal(count_decorations(words, made, 35), 1);
    free(words);
}

/* Two entry points, each with its own output; the second one is requested. */
static void entry_points_have_their_own_outputs(void **state)
{
    static const uint32_t second[] = {5U << 16 | 15, 0, 90, 0x72656874, 0}; /* "ther" */
    enum { AT = 10, FIRST = 7, SECOND = 5 /* words of each */ };
    struct module module;
    uint32_t *words;
    const char *why;
    size_t made;

    (void)state;
    module_vertex(&module, 0);
    /* After the capability and the memory model. */
    assert_int_equal(module.words[AT], FIRST << 16 | 15);
    memmove(module.words + AT + FIRST + SECOND, module.words + AT + FIRST,
            (module.count - AT - FIRST) * sizeof(uint32_t));
    memcpy(module.words + AT + FIRST, second, sizeof(second));
    module.count += SECOND;
    expect_why(&module, VERTEX_STAGE, "ther", "its SPIR-V does not write gl_Position");
    words = capture(&module, VERTEX_STAGE, "main", &made, &why);
    assert_non_null(words);
    assert_int_equal(COUNT(words, made, 16, 1, 11), 1);
    /* After both of them. */
    assert_int_equal(words[AT + 2 + FIRST + SECOND] & 0xFFFF, 16);
    free(words);
}

/* Returns whether an instruction, or the header, ends after `count` words. */
static bool ends_at(const struct module *module, unsigned count)
{
    unsigned at = 5;

    while (at < count)
        at += module->words[at] >> 16;
    return at == count;
}

/*
 * A module that is cut between instructions is still valid, as long as the definition of
 * gl_Position is complete.
 */
static void modules_that_are_cut_within_an_instruction_are_damaged(void **state)
{
    struct module whole, cut;
    unsigned damaged = 0;

    (void)state;
    module_vertex(&whole, MODULE_BLOCK | MODULE_CAPTURES | MODULE_MATRIX);
    for (unsigned count = 0; count < whole.count; count++) {
        uint32_t *words;
        const char *why;
        size_t made;

        cut = whole;
        cut.count = count;
        words = capture(&cut, VERTEX_STAGE, "main", &made, &why);
        if (!ends_at(&whole, count)) {
            assert_null(words);
            assert_string_equal(why, count < 5 ? "it is not SPIR-V" : "its SPIR-V is damaged");
            damaged++;
        }
        free(words);
    }
    assert_true(damaged > whole.count / 2);
}

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

/*
 * Whatever the words are, nothing beyond them is read or written, and the result is a module or a
 * reason.
 */
static void changed_modules_are_survived(void **state)
{
    static const uint32_t values[] = {0,          1,          2,       3,          0xFFFF,
                                      0xFFFF0000, 0xFFFFFFFF, 1 << 22, 0x0001003B, 0x00040047};
    uint32_t random = 22;

    (void)state;
    for (unsigned n = 0; n < 20000; n++) {
        struct module module;
        const char *why;
        size_t made;

        if (n % 2 == 0)
            module_vertex(&module, n / 2 % 32);
        else
            module_geometry(&module);
        for (unsigned changes = 1 + next_random(&random) % 4; changes > 0; changes--) {
            const uint32_t value = values[next_random(&random) % 10], kind = next_random(&random);
            uint32_t *word = &module.words[next_random(&random) % module.count];

            *word = kind % 3 == 0   ? value
                    : kind % 3 == 1 ? next_random(&random) % 100
                                    : *word ^ 1U << kind % 32;
        }
        free(capture(&module, n % 2 == 0 ? VERTEX_STAGE : GEOMETRY_STAGE, "main", &made, &why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_module_says_so),
        cmocka_unit_test(position_is_all_that_is_captured),
        cmocka_unit_test(geometry_captures_what_it_gives),
        cmocka_unit_test(entry_points_have_their_own_outputs),
        cmocka_unit_test(modules_that_are_cut_within_an_instruction_are_damaged),
        cmocka_unit_test(changed_modules_are_survived),
    };

    return cmocka_run_group_tests_name("spirv_capture", tests, NULL, NULL);
}
