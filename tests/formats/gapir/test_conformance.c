/* SPDX-License-Identifier: MIT */
/*
 * The GAPIR part of the conformance set (tests/conformance/README): numbers and texts of
 * instructions, shortest encodings, ids of functions, outcomes of programs, and a payload with what
 * a mount shows of it
 */
#include "config.h"

#include "tests/formats/gapir/machine.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "base/bytes.h"
#include "examples/gapir_build.h"
#include "formats/format.h"
#include "formats/gapir/decode/gl_names.h"
#include "formats/gapir/decode/names.h"
#include "formats/gapir/views/views.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 256, STEPS = 3000 };

/* Parses words in hexadecimal, separated by blanks. */
static size_t take_words(const struct conformance *table, const char *list, uint32_t *words)
{
    size_t count = 0;
    char *copy = strdup(list), *rest = copy, *word;

    assert_non_null(copy);
    while ((word = strsep(&rest, " ")) != NULL)
        if (*word != '\0') {
            assert_true(count < WORDS_MAX);
            words[count++] = (uint32_t)conformance_number(table, word, 16);
        }
    free(copy);
    return count;
}

static void expect_text(const struct conformance *table, const struct text *found,
                        const char *wanted, const char *what)
{
    if (found->length != strlen(wanted) || memcmp(found->bytes, wanted, found->length) != 0)
        conformance_fail(table, "%s: \"%.*s\", not \"%s\"", what, (int)found->length, found->bytes,
                         wanted);
}

static enum gapir_dialect dialect_named(const struct conformance *table, const char *name)
{
    for (unsigned n = 0; n < GAPIR_DIALECTS; n++)
        if (strcmp(gapir_dialect_name(n), name) == 0)
            return n;
    conformance_fail(table, "no dialect %s", name);
}

static void check_instruction(const struct conformance *table, char *const *fields)
{
    uint32_t words[WORDS_MAX];
    uint8_t bytes[4 * WORDS_MAX];
    size_t count = take_words(table, fields[2], words);
    struct gapir_code code = {bytes, (uint32_t)count, dialect_named(table, fields[0])};
    struct gapir_instruction instruction;
    struct text text = TEXT_INIT;

    bytes_put_words(bytes, words, count);
    gapir_decode(&code, 0, &instruction);
    gapir_write_instruction(&code, &instruction, &text);
    expect_text(table, &text, fields[3], fields[2]);
    if (instruction.length != conformance_number(table, fields[1], 10))
        conformance_fail(table, "%s: %u words", fields[3], instruction.length);
    text_clear(&text);
}

static void check_number(const struct conformance *table, char *const *fields)
{
    uint32_t number = (uint32_t)conformance_number(table, fields[1], 10);
    bool opcode = strcmp(fields[0], "opcode") == 0;
    const char *name = opcode ? gapir_opcode_table[gapir_opcode_map[GAPIR_AGI][number & 63]].name
                              : gapir_type_name(number);

    if (name == NULL || strcmp(name, fields[2]) != 0)
        conformance_fail(table, "%s %u is %s, not %s", fields[0], number, name, fields[2]);
    if (!opcode && gapir_type_size(number, 8) != conformance_number(table, fields[3], 10))
        conformance_fail(table, "%s has %u bytes", name, gapir_type_size(number, 8));
}

static void test_instructions(void **state)
{
    struct conformance table;
    char *fields[4];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "gapir-instructions.tsv");
    for (; conformance_row(&table, fields, 4); rows++)
        if (strcmp(fields[0], "opcode") == 0 || strcmp(fields[0], "type") == 0)
            check_number(&table, fields);
        else
            check_instruction(&table, fields);
    assert_int_equal(rows, 98);
    conformance_close(&table);
}

static void test_shortest_encodings(void **state)
{
    struct conformance table;
    char *fields[3];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "gapir-values.tsv");
    for (; conformance_row(&table, fields, 3); rows++) {
        uint64_t value = conformance_number(&table, fields[1], 16);
        uint32_t words[GAPIR_ENCODE_MAX];
        struct text text = TEXT_INIT;
        unsigned type = 0;
        size_t count;

        while (type < GAPIR_TYPES && strcmp(gapir_type_name(type), fields[0]) != 0)
            type++;
        if (type == GAPIR_TYPES)
            conformance_fail(&table, "no type %s", fields[0]);
        count = gapir_encode_push(type, value, words);
        for (size_t n = 0; n < count; n++)
            text_printf(&text, "%s%08x", n > 0 ? " " : "", words[n]);
        expect_text(&table, &text, fields[2], fields[1]);
        text_clear(&text);
    }
    assert_int_equal(rows, 50);
    conformance_close(&table);
}

static void test_function_ids(void **state)
{
    struct conformance table;
    char *fields[5];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "gapir-functions.tsv");
    for (; conformance_row(&table, fields, 5); rows++) {
        const struct gapir_table *names = gapir_table_named(fields[0]);
        unsigned id = (unsigned)conformance_number(&table, fields[2], 16);
        const struct gapir_function *function = names != NULL ? gapir_table_find(names, id) : NULL;

        if (function == NULL || names->api != conformance_number(&table, fields[1], 10))
            conformance_fail(&table, "%s has no %s", fields[0], fields[2]);
        if (strcmp(gapir_function_name(function), fields[3]) != 0)
            conformance_fail(&table, "%s of %s is %s, not %s", fields[2], fields[0],
                             gapir_function_name(function), fields[3]);
        if (function->count != conformance_number(&table, fields[4], 10))
            conformance_fail(&table, "%s of %s has %u arguments", fields[3], fields[0],
                             function->count);
    }
    assert_int_equal(rows, 86);
    conformance_close(&table);
}

static void test_programs(void **state)
{
    struct conformance table;
    char *fields[4];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "gapir-programs.tsv");
    for (; conformance_row(&table, fields, 4); rows++) {
        struct machine machine;
        struct text outcome = TEXT_INIT;

        machine_init(&machine, fields[1]);
        machine_run(&machine, fields[2], STEPS);
        machine_outcome(&machine, &outcome);
        expect_text(&table, &outcome, fields[3], fields[0]);
        text_clear(&outcome);
        machine_clear(&machine);
    }
    assert_int_equal(rows, 135);
    conformance_close(&table);
}

/* A payload of gapir-replay.txt, built up to the first requested file */
struct replaying {
    struct conformance table;
    struct build build;
    char *folder;
    struct options options;
    struct format_dump dump;
    struct tree *tree;
    unsigned files;
};

/* Takes a line that says what the payload contains. Returns false if it is not such a line. */
static bool take_part(struct replaying *replaying, const char *verb, const char *rest)
{
    const struct conformance *table = &replaying->table;

    if (strcmp(verb, "stack") == 0) {
        replaying->build.stack_size = (uint32_t)conformance_number(table, rest, 10);
    } else if (strcmp(verb, "volatile") == 0) {
        replaying->build.volatile_size = (uint32_t)conformance_number(table, rest, 10);
    } else if (strcmp(verb, "constants") == 0) {
        size_t size;
        uint8_t *bytes = machine_hex(rest, strlen(rest), &size);

        build_constant(&replaying->build, bytes, size);
        free(bytes);
    } else if (strcmp(verb, "words") == 0) {
        uint32_t words[WORDS_MAX];
        size_t count = take_words(table, rest, words);

        for (size_t n = 0; n < count; n++)
            build_word(&replaying->build, words[n]);
    } else {
        return false;
    }
    return true;
}

static void open_replay(struct replaying *replaying)
{
    const struct source_params source = {0};
    struct text message = TEXT_INIT;

    replaying->folder = support_folder();
    assert_int_equal(build_write(&replaying->build, replaying->folder), 0);
    build_clear(&replaying->build);
    assert_int_equal(format_options_init(&replaying->options), 0);
    assert_int_equal(
        format_open(replaying->folder, &replaying->options, &source, &message, &replaying->dump),
        0);
    assert_string_equal(replaying->dump.format->name, "gapir");
    assert_int_equal(format_tree(&replaying->dump, 2, &replaying->tree), 0);
    text_clear(&message);
}

static void check_lines(struct replaying *replaying, const char *name, unsigned count)
{
    size_t size;
    char *found = walk_read(replaying->tree, name, &size), *rest = found, *line;

    for (unsigned n = 0; n < count; n++) {
        const char *wanted = conformance_next(&replaying->table);

        line = strsep(&rest, "\n");
        if (wanted == NULL || wanted[0] != '|')
            conformance_fail(&replaying->table, "%s: not %u lines", name, count);
        if (line == NULL || strcmp(line, wanted + 1) != 0)
            conformance_fail(&replaying->table, "%s line %u: \"%s\", not \"%s\"", name, n + 1, line,
                             wanted + 1);
    }
    if (rest == NULL || *rest != '\0')
        conformance_fail(&replaying->table, "%s has more: %s", name, rest);
    free(found);
}

static void check_bytes(struct replaying *replaying, const char *name, const char *digits)
{
    size_t size, wanted_size;
    uint8_t *wanted = machine_hex(digits, strlen(digits), &wanted_size);
    char *found = walk_read(replaying->tree, name, &size);

    if (size != wanted_size)
        conformance_fail(&replaying->table, "%s has %zu bytes", name, size);
    for (size_t n = 0; n < size; n++)
        if ((uint8_t)found[n] != wanted[n])
            conformance_fail(&replaying->table, "%s: byte %zu is %02x, not %02x", name, n,
                             (uint8_t)found[n], wanted[n]);
    free(found);
    free(wanted);
}

static void check_picture(struct replaying *replaying, const char *name, unsigned width,
                          unsigned height, const char *pixels)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    size_t size, wanted_size;
    uint8_t *wanted = machine_hex(pixels, strlen(pixels), &wanted_size), *found;
    char *bytes = walk_read(replaying->tree, name, &size);

    assert_true(png_image_begin_read_from_memory(&image, bytes, size));
    image.format = PNG_FORMAT_RGBA;
    if (image.width != width || image.height != height || wanted_size != PNG_IMAGE_SIZE(image))
        conformance_fail(&replaying->table, "%s is %ux%u", name, image.width, image.height);
    found = malloc(PNG_IMAGE_SIZE(image));
    assert_non_null(found);
    assert_true(png_image_finish_read(&image, NULL, found, 0, NULL));
    for (unsigned n = 0; n < width * height; n++)
        if (memcmp(found + 4 * (size_t)n, wanted + 4 * (size_t)n, 4) != 0)
            conformance_fail(&replaying->table, "%s: pixel %u,%u is %02x%02x%02x%02x", name,
                             n % width, n / width, found[4 * n], found[4 * n + 1], found[4 * n + 2],
                             found[4 * n + 3]);
    free(found);
    free(bytes);
    free(wanted);
}

static void check_file(struct replaying *replaying, const char *verb, char *rest)
{
    const char *name = strsep(&rest, " ");
    unsigned width, height;
    int at = 0;

    if (replaying->tree == NULL)
        open_replay(replaying);
    if (rest != NULL && strcmp(verb, "lines") == 0)
        check_lines(replaying, name, (unsigned)conformance_number(&replaying->table, rest, 10));
    else if (rest != NULL && strcmp(verb, "bytes") == 0)
        check_bytes(replaying, name, rest);
    else if (rest != NULL && strcmp(verb, "picture") == 0 &&
             sscanf(rest, "%u %u %n", &width, &height, &at) == 2 && at > 0)
        check_picture(replaying, name, width, height, rest + at);
    else
        conformance_fail(&replaying->table, "unknown: %s", verb);
    replaying->files++;
}

static void test_replay_through_the_tree(void **state)
{
    struct replaying replaying = {0};
    char *line;

    (void)state;
    if (gapir_gl_constant_count == 0)
        support_skip("no registry of OpenGL");
    conformance_open(&replaying.table, "gapir-replay.txt");
    while ((line = conformance_next(&replaying.table)) != NULL) {
        const char *verb = strsep(&line, " ");

        if (line == NULL)
            conformance_fail(&replaying.table, "nothing after %s", verb);
        if (!take_part(&replaying, verb, line))
            check_file(&replaying, verb, line);
    }
    assert_int_equal(replaying.files, 6);
    tree_destroy(&replaying.tree);
    format_close(&replaying.dump);
    options_clear(&replaying.options);
    support_remove(&replaying.folder);
    conformance_close(&replaying.table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions),
        cmocka_unit_test(test_shortest_encodings),
        cmocka_unit_test(test_function_ids),
        cmocka_unit_test(test_programs),
        cmocka_unit_test(test_replay_through_the_tree),
    };

    return cmocka_run_group_tests_name("conformance_gapir", tests, NULL, NULL);
}
