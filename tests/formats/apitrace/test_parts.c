/* SPDX-License-Identifier: MIT */
/* Parts of the apitrace reader by themselves: Snappy, numbers, classes, roles, records, maps */
#include "config.h"

#include "tests/support/support.h"

#include "formats/apitrace/collections.h"
#include "formats/apitrace/container/container.h"
#include "formats/apitrace/decode/gl_calls.h"
#include "formats/apitrace/decode/literals.h"
#include "formats/apitrace/index/calls.h"
#include "formats/apitrace/views/print.h"
#include "formats/apitrace/views/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Snappy. */

static void expect_snappy(const char *block, size_t size, const char *wanted, bool whole)
{
    uint8_t out[256];
    bool found = !whole;
    size_t length = apitrace_snappy_expand((const uint8_t *)block, size, out, sizeof(out), &found);

    assert_int_equal(found, whole);
    assert_int_equal(length, strlen(wanted));
    assert_memory_equal(out, wanted, length);
}

static void snappy_blocks_expand(void **state)
{
    (void)state;
    expect_snappy("", 0, "", false);
    expect_snappy("\0", 1, "", true);
    expect_snappy("\3\10abc", 5, "abc", true);
    expect_snappy("\3\10ab", 4, "ab", false);        /* cut off in a literal */
    expect_snappy("\4\10abc", 5, "abc", false);      /* less than stated */
    expect_snappy("\2\10abc", 5, "ab", false);       /* more than stated */
    expect_snappy("\7\0a\11\1", 5, "aaaaaaa", true); /* a copy of one byte, seven in all */
    expect_snappy("\7\0a\11", 4, "a", false);        /* cut off in a copy */
    expect_snappy("\5\0a\1\2", 5, "a", false);       /* from before the start */
    expect_snappy("\5\0a\1\0", 5, "a", false);       /* from distance 0 */
    expect_snappy("\11\14abcd\22\4\0", 9, "abcdabcda", true);
    expect_snappy("\10\14abcd\17\4\0\0\0", 11, "abcdabcd", true);
    expect_snappy("\4\360\3abcd", 7, "abcd", true); /* a length of its own byte */
    expect_snappy("\4\360", 2, "", false);
}

/* Compares every kind of copy with copying byte by byte. */
static void snappy_copies_overlap(void **state)
{
    (void)state;
    for (unsigned offset = 1; offset <= 40; offset++)
        for (unsigned length = 1; length <= 64; length++) {
            uint8_t block[80], wanted[256], out[256];
            size_t size = 0;
            bool whole;

            block[size++] = (uint8_t)(40 + length);
            block[size++] = (40 - 1) << 2;
            for (unsigned n = 0; n < 40; n++)
                wanted[n] = block[size++] = (uint8_t)(n * 7 + 1);
            block[size++] = (uint8_t)((length - 1) << 2 | 2);
            block[size++] = (uint8_t)offset;
            block[size++] = 0;
            for (unsigned n = 0; n < length; n++)
                wanted[40 + n] = wanted[40 + n - offset];
            assert_int_equal(apitrace_snappy_expand(block, size, out, sizeof(out), &whole),
                             40 + length);
            assert_true(whole);
            assert_memory_equal(out, wanted, 40 + length);
        }
}

enum { ELEMENTS = 60, BLOCK_MAX = ELEMENTS * 80, RAW_MAX = ELEMENTS * 300 };

static void put_copy(uint8_t *block, size_t *size, size_t offset, size_t length)
{
    if (offset < 2048 && length >= 4 && length < 12) {
        block[(*size)++] = (uint8_t)(offset >> 8 << 5 | (length - 4) << 2 | 1);
        block[(*size)++] = (uint8_t)offset;
        return;
    }
    block[(*size)++] = (uint8_t)((length - 1) << 2 | (offset % 5 == 0 ? 3 : 2));
    block[(*size)++] = (uint8_t)offset;
    block[(*size)++] = (uint8_t)(offset >> 8);
    if (offset % 5 == 0)
        block[(*size)++] = 0;
    if (offset % 5 == 0)
        block[(*size)++] = 0;
}

/* Writes a block of random elements and what it expands to. Returns the size of the block. */
static size_t write_block(uint64_t *random, uint8_t *block, uint8_t *wanted, size_t *length)
{
    size_t size = 3;

    *length = 0;
    for (unsigned n = 0; n < ELEMENTS; n++) {
        uint64_t chance = support_random(random);
        size_t some = chance % 3 == 0 ? 1 + (chance >> 8) % 64 : 1 + (chance >> 8) % 12;

        if (*length == 0 || chance & 16) {
            some = some > 60 ? 60 : some;
            block[size++] = (uint8_t)((some - 1) << 2);
            for (size_t byte = 0; byte < some; byte++)
                wanted[(*length)++] = block[size++] = (uint8_t)support_random(random);
        } else {
            size_t max = chance & 32 ? 24 : *length;
            size_t offset = 1 + (chance >> 32) % (max < *length ? max : *length);

            put_copy(block, &size, offset, some);
            for (; some > 0; some--, ++*length)
                wanted[*length] = wanted[*length - offset];
        }
    }
    for (unsigned n = 0; n < 3; n++)
        block[n] = (uint8_t)((*length >> 7 * n & 0x7F) | (n < 2 ? 0x80 : 0));
    return size;
}

/*
 * Expands into memory that ends with the last byte, from a block that does the same, and from a
 * block that is cut off anywhere.
 */
static void long_snappy_blocks_expand(void **state)
{
    uint64_t random = 3;

    (void)state;
    for (unsigned n = 0; n < 300; n++) {
        uint8_t room[BLOCK_MAX], wanted[RAW_MAX];
        size_t length, size = write_block(&random, room, wanted, &length);
        size_t cut = support_random(&random) % size, few = support_random(&random) % length;
        uint8_t *block = test_malloc(size), *out = test_malloc(length);
        bool whole;

        memcpy(block, room, size);
        assert_int_equal(apitrace_snappy_expand(block, size, out, length, &whole), length);
        assert_true(whole);
        assert_memory_equal(out, wanted, length);
        memset(out, 0, length);
        assert_int_equal(apitrace_snappy_expand(block, size, out, few, &whole), few);
        assert_memory_equal(out, wanted, few);
        few = apitrace_snappy_expand(block, cut, out, length, &whole);
        assert_in_range(few, 0, length);
        assert_memory_equal(out, wanted, few);
        /* A copy from before the beginning, in the middle of the block. */
        block[size / 2] = 0xFE;
        block[size / 2 + 1] = block[size / 2 + 2] = 0xFF;
        assert_in_range(apitrace_snappy_expand(block, size, out, length, &whole), 0, length);
        test_free(block);
        test_free(out);
    }
}

/* Numbers */

static void expect_float(float value)
{
    char fast[APITRACE_DECIMAL_MAX], plain[APITRACE_DECIMAL_MAX];
    size_t length = apitrace_decimal_float(fast, value);

    if (length != apitrace_decimal_plain_float(plain, value) || memcmp(fast, plain, length) != 0)
        fail_msg("%a is printed as %.*s", (double)value, (int)length, fast);
}

static void expect_double(double value)
{
    char fast[APITRACE_DECIMAL_MAX], plain[APITRACE_DECIMAL_MAX];
    size_t length = apitrace_decimal_double(fast, value);

    if (length != apitrace_decimal_plain_double(plain, value) || memcmp(fast, plain, length) != 0)
        fail_msg("%a is printed as %.*s", value, (int)length, fast);
}

static void floats_print_as_printf_prints_them(void **state)
{
    uint64_t random = 1;

    (void)state;
    expect_float(NAN);
    expect_float(-NAN);
    expect_float(INFINITY);
    expect_float(-0.0F);
    for (double power = 1e-22; power < 1e24; power *= 10)
        for (int n = -5; n <= 5; n++) {
            expect_float((float)(power * (1 + n * 1e-7)));
            expect_double(power * (1 + n * 1.2e-16));
            expect_double(-power * (1 + n * 1e-12));
        }
    for (int n = 0; n < 200000; n++) {
        uint64_t bits = support_random(&random);
        uint32_t near = (uint32_t)bits & 0x807FFFFF, far = (uint32_t)(bits >> 32);
        uint64_t wide = (bits & UINT64_C(0x800FFFFFFFFFFFFF)) | (960 + (bits >> 52) % 130) << 52;
        float single;
        double real;

        memcpy(&single, &far, sizeof(single));
        expect_float(single);
        near |= (100 + far % 60) << 23;
        memcpy(&single, &near, sizeof(single));
        expect_float(single);
        expect_float((float)((int)(far % 20000000) - 10000000) / (near & 1 ? 8.0F : 1000.0F));
        memcpy(&real, &bits, sizeof(real));
        expect_double(real);
        memcpy(&real, &wide, sizeof(real));
        expect_double(real);
    }
}

static void expect_u64(uint64_t value, const char *decimal, const char *hex)
{
    char room[APITRACE_DECIMAL_MAX];

    assert_int_equal(apitrace_decimal_u64(room, value), strlen(decimal));
    assert_memory_equal(room, decimal, strlen(decimal));
    assert_int_equal(apitrace_decimal_hex(room, value), strlen(hex));
    assert_memory_equal(room, hex, strlen(hex));
}

static void integers_print(void **state)
{
    (void)state;
    expect_u64(0, "0", "0");
    expect_u64(9, "9", "9");
    expect_u64(10, "10", "a");
    expect_u64(255, "255", "ff");
    expect_u64(10000000, "10000000", "989680");
    expect_u64(UINT64_MAX, "18446744073709551615", "ffffffffffffffff");
}

/* Names */

static void expect_class(const char *name, const char *wanted)
{
    char letters[9];
    unsigned classes;

    assert_int_equal(apitrace_classify(name, &classes), 0);
    apitrace_class_letters(classes, letters);
    if (strcmp(letters, wanted) != 0)
        fail_msg("%s is of class %s", name, letters);
}

static void classes_come_from_patterns_then_the_table(void **state)
{

    (void)state;
    assert_int_equal(apitrace_classes_prepare(), 0);
    expect_class("", "-");
    expect_class("glClear", "R");
    expect_class("glClearBufferfv", "-");
    expect_class("glEnd", "R");
    expect_class("glBegin", "-");
    expect_class("glDrawArrays", "R");
    expect_class("glMultiDrawElementsIndirectCountARB", "R");
    expect_class("glBindFramebufferEXT", "T");
    expect_class("glGetIntegerv", "N");
    expect_class("glXSwapBuffers", "ET");
    expect_class("glGetString", "VN");
    expect_class("CGLFlushDrawable", "E");
    expect_class("wglSwapMultipleBuffers", "ET");
    expect_class("IDXGISwapChain1::Present1", "E");
    expect_class("ID3D11DeviceContext::DrawIndexed", "R");
    expect_class("ID3D10Device::CheckFormatSupport", "VN");
}

static void the_table_of_calls_is_sorted(void **state)
{
    size_t with_class = 0;

    (void)state;
    for (size_t n = 0; n < apitrace_gl_call_count; n++) {
        const struct apitrace_gl_call *row = &apitrace_gl_calls[n];

        assert_true(n == 0 || strcmp(row[-1].name, row->name) < 0);
        with_class += (row->classes & 0xFF) != 0;
    }
    assert_int_equal(with_class, 421);
}

static void apis_are_told_by_names(void **state)
{
    (void)state;
    assert_int_equal(apitrace_api_of("glXMakeCurrent"), APITRACE_GLX);
    assert_int_equal(apitrace_api_of("wglMakeCurrent"), APITRACE_GLX);
    assert_int_equal(apitrace_api_of("eglInitialize"), APITRACE_EGL);
    assert_int_equal(apitrace_api_of("Direct3DCreate9"), APITRACE_D3D);
    assert_int_equal(apitrace_api_of("glClear"), APITRACE_UNKNOWN);
    assert_int_equal(apitrace_api_of("memcpy"), APITRACE_UNKNOWN);
}

static void state_rows_are_found(void **state)
{
    (void)state;
    assert_null(apitrace_gl_state_find("", 2));
    assert_null(apitrace_gl_state_find("glFlush", 2));
    assert_string_equal(apitrace_gl_state_find("glViewport", 2)->state, "viewport");
    assert_ptr_equal(apitrace_gl_state_find("glBindFramebufferEXT", 2),
                     apitrace_gl_state_find("glBindFramebuffer", 2));
    assert_null(apitrace_gl_state_find("glBindFramebufferNV", 2));
    assert_int_equal(apitrace_gl_state_find("glEnable", 2)->shape, APITRACE_STATE_ON);
    assert_int_equal(apitrace_gl_state_find("glDisable", 2)->shape, APITRACE_STATE_OFF);
}

static void expect_semantic(const char *name, unsigned arguments, unsigned wanted)
{
    assert_int_equal(apitrace_gl_call_find(name, arguments)->semantic, wanted);
}

static void semantics_are_found_with_and_without_suffixes(void **state)
{
    (void)state;
    expect_semantic("", 0, APITRACE_SEMANTIC_NONE);
    expect_semantic("glActiveTexture", 1, APITRACE_ACTIVE_TEXTURE);
    expect_semantic("glActiveTextureARB", 1, APITRACE_ACTIVE_TEXTURE);
    expect_semantic("glShaderSourceARB", 4, APITRACE_SHADER_SOURCE);
    expect_semantic("glGetBufferSubDataARB", 4, APITRACE_READBACK); /* has a class as well */
    expect_semantic("glGetError", 0, APITRACE_GET_ERROR);
    expect_semantic("glGetError", 1, APITRACE_SEMANTIC_NONE);
    expect_semantic("glXSwapBuffersEXT", 2, APITRACE_SEMANTIC_NONE);
    expect_semantic("memcpy", 3, APITRACE_MAPPED_WRITE);
    expect_semantic("glFlush", 0, APITRACE_SEMANTIC_NONE);
    assert_int_equal(apitrace_gl_call_find("eglMakeCurrent", 4)->arguments[2], 3);
    assert_int_equal(apitrace_gl_call_find("glXChooseVisual", 3)->arguments[1], APITRACE_RESULT);
}

/* Records */

static struct apitrace_record random_record(uint64_t number, uint64_t place, uint64_t *random)
{
    uint64_t bits = support_random(random);
    struct apitrace_record record = {.number = number,
                                     .enter = place,
                                     .enter_bytes = 3 + bits % 200,
                                     .leave = APITRACE_NO_LEAVE,
                                     .order = number + (bits >> 8) % 3,
                                     .function = (uint32_t)((bits >> 16) % 300),
                                     .thread = (bits >> 32) % 8 == 0 ? 1 : 0,
                                     .marks = (bits >> 36) % 16 == 0 ? APITRACE_FAKE : 0};

    if ((bits >> 40) % 8 == 0) {
        record.marks |= APITRACE_INCOMPLETE;
    } else {
        record.leave = record.enter + record.enter_bytes + ((bits >> 44) % 4 == 0 ? 1000 : 0);
        record.leave_bytes = 3 + (bits >> 48) % 50;
    }
    return record;
}

static void expect_record(const struct apitrace_record *found, const struct apitrace_record *wanted)
{
    assert_int_equal(found->number, wanted->number);
    assert_int_equal(found->enter, wanted->enter);
    assert_int_equal(found->enter_bytes, wanted->enter_bytes);
    assert_int_equal(found->leave, wanted->leave);
    assert_int_equal(found->leave_bytes, wanted->leave_bytes);
    assert_int_equal(found->order, wanted->order);
    assert_int_equal(found->function, wanted->function);
    assert_int_equal(found->thread, wanted->thread);
    assert_int_equal(found->marks, wanted->marks);
}

/* Records are read as they were written, in any order; every fifth is completed later. */
static void records_are_found(void **state)
{
    enum { CALLS = 1000 };
    struct apitrace_record *records = calloc(CALLS, sizeof(*records));
    struct apitrace_calls calls = {0};
    struct apitrace_walk walk;
    uint64_t random = 7, place = 100;

    (void)state;
    for (uint64_t n = 0; n < CALLS; n++) {
        bool late = n % 5 == 0;

        records[n] = random_record(n, place, &random);
        place += support_random(&random) % 300;
        assert_int_equal(apitrace_calls_add(&calls, &records[n], late), 0);
        if (late) {
            assert_true(apitrace_calls_is_open(&calls, n));
            apitrace_calls_close(&calls, &records[n]);
            assert_false(apitrace_calls_is_open(&calls, n));
        }
    }
    assert_int_equal(calls.late_open, 0);
    apitrace_walk_init(&walk, &calls);
    for (uint64_t n = 0; n < CALLS; n++)
        expect_record(apitrace_walk_to(&walk, n), &records[n]);
    for (int n = 0; n < CALLS; n++) {
        uint64_t number = support_random(&random) % CALLS;
        expect_record(apitrace_walk_to(&walk, number), &records[number]);
    }
    apitrace_calls_clear(&calls);
    free(records);
}

/*
 * Sets, replaces and removes pairs at random, and compares with an array; neighbouring keys are
 * different pairs.
 */
static void maps_hold_what_was_set(void **state)
{
    enum { SIDE = 16, STEPS = 20000 };
    const uint64_t high = UINT64_C(1) << 32; /* keys that differ in any bit are different */
    uint64_t wanted[SIDE][SIDE] = {{0}}, random = 5, count = 0;
    struct apitrace_map map = {0};

    (void)state;
    assert_int_equal(apitrace_map_count(&map), 0);
    assert_int_equal(apitrace_map_bytes(&map), 0);
    apitrace_map_remove(&map, 1, 2);
    for (uint64_t step = 1; step <= STEPS; step++) {
        uint64_t first = support_random(&random) % SIDE, second = support_random(&random) % SIDE;
        uint64_t *now = &wanted[first][second], value = UINT64_MAX;

        assert_int_equal(apitrace_map_get(&map, first * high, second, &value), *now != 0);
        assert_int_equal(value, *now != 0 ? *now : UINT64_MAX);
        assert_false(apitrace_map_get(&map, first * high, second + high, &value));
        count -= *now != 0;
        if (support_random(&random) % 3 == 0) {
            apitrace_map_remove(&map, first * high, second);
            *now = 0;
        } else {
            assert_int_equal(apitrace_map_set(&map, first * high, second, step), 0);
            *now = step;
            count++;
        }
        assert_int_equal(apitrace_map_count(&map), count);
        assert_true(apitrace_map_bytes(&map) >= 64 * count);
    }
    assert_true(count > 0);
    apitrace_map_clear(&map);
    assert_int_equal(apitrace_map_count(&map), 0);
    assert_false(apitrace_map_get(&map, 0, 0, &count));
}

static void guids_print(void **state)
{
    const struct apitrace_guid guid = {0x12345678, 0x9ABC, 0xDEF0, {1, 2, 3, 4, 5, 6, 7, 8}};
    char room[APITRACE_GUID_ROOM];

    (void)state;
    assert_null(apitrace_guid_name(&guid));
    for (size_t n = 0; n < apitrace_guid_count; n++)
        assert_string_equal(apitrace_guid_name(&apitrace_guid_rows[n].guid),
                            apitrace_guid_rows[n].name);
    assert_string_equal(apitrace_guid_format(&guid, room),
                        "uuid(12345678-9abc-def0-0102-030405060708)");
}

static void expect_place(const char *line, unsigned inside, size_t place, unsigned inside_after)
{
    assert_int_equal(apitrace_call_place(line, strlen(line), &inside), place);
    assert_int_equal(inside, inside_after);
}

static void numbers_of_calls_are_places_beside_strings(void **state)
{
    (void)state;
    expect_place("", 0, 0, 0);
    expect_place("12", 0, 0, 0);
    expect_place("12 glFlush()", 0, 3, 0);
    expect_place("// name = \"12 \"", 0, 0, 0);
    expect_place("7 f(a = \"x\\\\\", b = \"\\\"", 0, 2, 1);
    expect_place("8 apples", 1, 0, 1);
    expect_place("9 \\\" pears\") = 1", 1, 0, 0);
    expect_place("ends in a backslash\\", 1, 0, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(snappy_blocks_expand),
        cmocka_unit_test(snappy_copies_overlap),
        cmocka_unit_test(long_snappy_blocks_expand),
        cmocka_unit_test(floats_print_as_printf_prints_them),
        cmocka_unit_test(integers_print),
        cmocka_unit_test(classes_come_from_patterns_then_the_table),
        cmocka_unit_test(the_table_of_calls_is_sorted),
        cmocka_unit_test(apis_are_told_by_names),
        cmocka_unit_test(semantics_are_found_with_and_without_suffixes),
        cmocka_unit_test(state_rows_are_found),
        cmocka_unit_test(records_are_found),
        cmocka_unit_test(maps_hold_what_was_set),
        cmocka_unit_test(guids_print),
        cmocka_unit_test(numbers_of_calls_are_places_beside_strings),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
