/* SPDX-License-Identifier: MIT */
/* Rows of the corpus's gapir/cases.tsv about bytes: words, payloads, archives, constants */
#include "config.h"

#include "tests/formats/gapir/cases.h"

#include "tests/support/support.h"

#include "examples/gapir_build.h"
#include "formats/gapir/container/archive.h"
#include "formats/gapir/container/payload.h"
#include "formats/gapir/views/views.h"
#include "tests/formats/gapir/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 1000000 };

/*
 * Returns the bits of a value in `push Uint32 0xaaaaa`, `push Float -1.5`, …, as the exporter's
 * assembler takes it.
 */
static uint64_t value_bits(enum gapir_type type, const char *value)
{
    uint64_t bits = 0;

    if (type == GAPIR_FLOAT) {
        float number = strtof(value, NULL);
        memcpy(&bits, &number, sizeof(number));
    } else if (type == GAPIR_DOUBLE) {
        double number = strtod(value, NULL);
        memcpy(&bits, &number, sizeof(number));
    } else if (value[0] == '-') {
        bits = (uint64_t)strtoll(value, NULL, 0);
    } else {
        bits = strtoull(value, NULL, 0);
    }
    return bits;
}

static enum gapir_type pointer_named(const char *name)
{
    return strcmp(name, "constant") == 0   ? GAPIR_CONSTANT_POINTER
           : strcmp(name, "volatile") == 0 ? GAPIR_VOLATILE_POINTER
                                           : GAPIR_ABSOLUTE_POINTER;
}

static size_t assemble(const char *text, uint32_t *out)
{
    char type[32], where[32], value[32];
    unsigned push, api, function;
    int number;
    size_t words;

    if (sscanf(text, "call push=%u api=%u fn=%x", &push, &api, &function) == 3) {
        out[0] = gapir_encode_call(api, function, push != 0);
        return 1;
    }
    if (sscanf(text, "push %31s %31s", type, value) == 2)
        return gapir_encode_push(cases_type(type), value_bits(cases_type(type), value), out);
    if (sscanf(text, "load %31s from %31s %i", type, where, &number) == 3)
        return gapir_encode_load(cases_type(type), pointer_named(where), (uint32_t)number, out);
    if (sscanf(text, "store to volatile %i", &number) == 1)
        return gapir_encode_store((uint32_t)number, out);
    if (sscanf(text, "resource %u -> %31s %i", &push, where, &number) == 3) {
        words = gapir_encode_push(pointer_named(where), (uint32_t)number, out);
        out[words] = gapir_encode(GAPIR_RESOURCE, push);
        return words + 1;
    }
    if (sscanf(text, "post %31s %i size %x", where, &number, &push) == 3) {
        words = gapir_encode_push(pointer_named(where), (uint32_t)number, out);
        words += gapir_encode_push(GAPIR_UINT32, push, out + words);
        out[words] = gapir_encode(GAPIR_POST, 0);
        return words + 1;
    }
    for (unsigned opcode = 0; opcode < GAPIR_INVALID; opcode++)
        if (sscanf(text, "%31s %i", type, &number) == 2 &&
            strcasecmp(type, gapir_opcode_table[opcode].name) == 0) {
            out[0] = gapir_encode(opcode, (uint32_t)number);
            return 1;
        }
    fail_msg("cannot assemble %s", text);
    return 0;
}

static void check_enc(const struct case_row *row, struct text *wrong)
{
    struct text text = TEXT_INIT;
    uint32_t words[16];
    size_t count = assemble(row->program, words);

    for (size_t n = 0; n < count; n++)
        text_printf(&text, "%08x ", words[n]);
    text_add(&text, "; bytes ");
    for (size_t n = 0; n < count; n++)
        for (unsigned shift = 0; shift < 32; shift += 8)
            text_printf(&text, "%02x", words[n] >> shift & 255);
    cases_want_text(&text, row->expect, wrong);
    text_clear(&text);
}

static void test_enc(void **state)
{
    (void)state;
    cases_check("enc", 60, check_enc);
}

/* Converts the words of a row to bytes in the order of a file. */
static struct gapir_code code_of(const char *program, uint8_t **bytes)
{
    size_t size;

    *bytes = machine_hex(program, strlen(program), &size);
    for (size_t n = 0; n < size; n += 4) {
        uint8_t *w = *bytes + n;
        uint8_t turned[4] = {w[3], w[2], w[1], w[0]};
        memcpy(w, turned, 4);
    }
    return (struct gapir_code){*bytes, (uint32_t)(size / 4), GAPIR_AGI};
}

/* The row for 4-byte pointers is a program that runs with them, but not with 8. */
static void check_pointer_size(const struct case_row *row, struct text *wrong)
{
    for (unsigned size = 4; size <= 8; size += 4) {
        struct machine machine;
        struct text result = TEXT_INIT;
        machine_init(&machine, "stack=512 vol=40 res0=strings:737472696e677300 res1=of:6f6600 "
                               "res2=array:617272617900 fn=15:0019:ret:Uint32:2a:ptr+Int32");
        machine.program.pointer_size = (uint8_t)size;
        machine_run(&machine, row->program, STEPS);
        machine_result(&machine, &result);
        cases_want_text(&result, size == 4 ? "ok" : "err:range@18", wrong);
        text_clear(&result);
        machine_clear(&machine);
    }
}

static void check_dis(const struct case_row *row, struct text *wrong)
{
    struct gapir_instruction instruction;
    struct text text = TEXT_INIT;
    uint8_t *bytes;

    if (strstr(row->params, "ptrsize=4") != NULL) {
        check_pointer_size(row, wrong);
        return;
    }
    struct gapir_code code = code_of(row->program, &bytes);
    gapir_decode(&code, 0, &instruction);
    gapir_write_instruction(&code, &instruction, &text);
    text_printf(&text, " ; words %u", instruction.length);
    cases_want_text(&text, row->expect, wrong);
    text_clear(&text);
    free(bytes);
}

static void test_dis(void **state)
{
    (void)state;
    cases_check("dis", 25, check_dis);
}

static void check_dialect(const struct case_row *row, struct text *wrong)
{
    struct gapir_instruction instruction;
    enum gapir_dialect dialect = strstr(row->name, "1.7") != NULL   ? GAPIR_GAPID17DEV
                                 : strstr(row->name, "1.6") != NULL ? GAPIR_GAPID16
                                                                    : GAPIR_GAPID12;
    uint8_t *bytes;
    struct gapir_code code = code_of(row->program, &bytes);

    code.dialect = dialect;
    gapir_decode(&code, 0, &instruction);
    if (dialect == GAPIR_GAPID12) {
        if (instruction.opcode != GAPIR_INVALID)
            text_add(wrong, "not invalid");
    } else if (instruction.opcode != GAPIR_NOTIFICATION ||
               gapir_notification_operands(dialect) != (dialect == GAPIR_GAPID16 ? 2 : 3)) {
        text_add(wrong, "no NOTIFICATION with its operands");
    }
    free(bytes);
}

static void test_dialect(void **state)
{
    (void)state;
    cases_check("dialect", 3, check_dialect);
}

static void write_payload(const struct gapir_payload *payload, struct text *text)
{
    text_printf(text, "stack=%u; vol=%u; const=", payload->stack_size, payload->volatile_size);
    for (uint64_t n = 0; n < payload->constants.size; n++)
        text_printf(text, "%02x", payload->constants.data[n]);
    text_add(text, "; res=");
    for (uint32_t n = 0; n < payload->resource_count; n++)
        text_printf(text, "%s%.*s:%u", n != 0 ? "," : "", (int)payload->resources[n].id.size,
                    payload->resources[n].id.data, payload->resources[n].size);
    text_add(text, "; words=");
    for (uint64_t n = 0; n < payload->opcodes.size; n += 4)
        text_printf(text, "%s%08x", n != 0 ? " " : "", bytes_le32(payload->opcodes.data + n));
}

/* Checks that each expected clause `key=value` is in the output. */
static void want_clauses(const struct text *text, char *expect, struct text *wrong)
{
    char *clause;

    while ((clause = strsep(&expect, ";")) != NULL) {
        clause += strspn(clause, " ");
        if (strstr(clause, " ignored") != NULL)
            continue;
        if (memmem(text->bytes, text->length, clause, strlen(clause)) == NULL)
            text_printf(wrong, "no %s in %.*s ", clause, (int)text->length, text->bytes);
    }
}

static void check_payload(const struct case_row *row, struct text *wrong)
{
    struct gapir_payload payload;
    struct text text = TEXT_INIT;
    uint32_t trailing = strstr(row->expect, "1 trailing byte") != NULL;
    size_t size = 0;
    uint8_t *bytes = NULL;

    if (strcmp(row->name, "CreateErrorGet") == 0)
        return; /* a payload that cannot be fetched concerns the source */
    if (strcmp(row->program, "-") != 0)
        bytes = machine_hex(row->program, strlen(row->program), &size);
    assert_int_equal(gapir_payload_read(bytes, size, NULL, NULL, &payload), 0);
    if (strcmp(row->expect, "parse error") == 0) {
        if (!payload.damaged)
            text_add(wrong, "not seen to be damaged");
    } else {
        write_payload(&payload, &text);
        want_clauses(&text, row->expect, wrong);
        if (payload.damaged || payload.trailing_bytes != trailing)
            text_add(wrong, "damaged, or trailing bytes");
    }
    gapir_payload_clear(&payload);
    text_clear(&text);
    free(bytes);
}

static void test_payload(void **state)
{
    (void)state;
    cases_check("payload", 7, check_payload);
}

/* SizeMismatch states a rule of its own; the other rows list an index. */
static void check_size_mismatch(struct text *wrong)
{
    static const uint8_t index[] = "\1\0\0\0A\0\0\0\0\0\0\0\0\4\0\0";
    struct gapir_archive archive;
    struct gapir_resource_info info = {.id = {(const uint8_t *)"A", 1, 0}, .size = 5};
    struct gapir_payload payload = {.resources = &info, .resource_count = 1};
    struct gapir_resource *resources;

    assert_int_equal(
        gapir_archive_open(index, sizeof(index), (const uint8_t *)"abcdefg", 7, NULL, &archive), 0);
    assert_int_equal(gapir_archive_resolve(&archive, &payload, &resources), 0);
    if (resources[0].status != GAPIR_RESOURCE_SIZE_MISMATCH || resources[0].data != NULL)
        text_add(wrong, "found in spite of its size");
    free(resources);
    gapir_archive_clear(&archive);
}

static void check_archive(const struct case_row *row, struct text *wrong)
{
    struct gapir_archive archive;
    char *rest = row->expect, *record;
    size_t size, found = 0;

    if (strcmp(row->program, "-") == 0) {
        check_size_mismatch(wrong);
        return;
    }
    uint8_t *index = machine_hex(row->program, strlen(row->program), &size);
    assert_int_equal(gapir_archive_open(index, size, NULL, 0, NULL, &archive), 0);
    while ((record = strsep(&rest, ",")) != NULL) {
        char id[64];
        unsigned long long offset;
        unsigned bytes;
        assert_int_equal(sscanf(record, " %63[^:]:%llu:%u", id, &offset, &bytes), 3);
        const struct gapir_record *entry =
            gapir_archive_find(&archive, (const uint8_t *)id, strlen(id));
        if (entry == NULL || entry->offset != offset || entry->size != bytes)
            text_printf(wrong, "no %s ", record);
        found++;
    }
    if (found != archive.count)
        text_printf(wrong, "%llu records ", (unsigned long long)archive.count);
    gapir_archive_clear(&archive);
    free(index);
}

static void test_archive(void **state)
{
    (void)state;
    cases_check("archive", 4, check_archive);
}

/* Constants as the exporter stores them: aligned, and equal ones only once. */
static void check_const(const struct case_row *row, struct text *wrong)
{
    struct build build = {0};
    struct text hex = TEXT_INIT;

    if (strcmp(row->name, "ConstantEncoderAlignment") == 0) {
        build_constant(&build, "\x34\x12\0\0", 4);
        build_constant(&build, "\xff\xff", 2);
        for (size_t n = 0; n < build.constants_size; n++)
            text_printf(&hex, "%02x", build.constants[n]);
        cases_want_text(&hex, row->expect, wrong);
    } else {
        uint32_t first = build_constant(&build, "\x34\x12\0\0\xff\xff", 6);
        build_constant(&build, "other", 5);
        if (build_constant(&build, "\x34\x12\0\0\xff\xff", 6) != first)
            text_add(wrong, "another address");
    }
    build_clear(&build);
    text_clear(&hex);
}

static void test_const(void **state)
{
    (void)state;
    cases_check("const", 2, check_const);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enc),     cmocka_unit_test(test_dis),
        cmocka_unit_test(test_dialect), cmocka_unit_test(test_payload),
        cmocka_unit_test(test_archive), cmocka_unit_test(test_const),
    };

    return cmocka_run_group_tests_name("gapir_encodings", tests, NULL, NULL);
}
