/* SPDX-License-Identifier: MIT */
#include "formats/vma/decode/decode.h"

#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct vma_slice slice(const char *text)
{
    return (struct vma_slice){(const uint8_t *)text, (const uint8_t *)text + strlen(text)};
}

static struct vma_call read(const char *line)
{
    struct vma_call call;

    vma_call_read(slice(line), true, &call);
    return call;
}

static void test_every_function_is_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < VMA_FUNCTIONS; i++) {
        char name[64];

        assert_int_equal(strlen(vma_functions[i].name), vma_functions[i].length);
        assert_int_equal(vma_function_find(slice(vma_functions[i].name)), i);
        /* Neither a longer name nor one with a changed character is found. */
        strcpy(name, vma_functions[i].name);
        strcat(name, "x");
        assert_int_equal(vma_function_find(slice(name)), VMA_FUNCTIONS);
        for (size_t j = 0; j < strlen(vma_functions[i].name); j++) {
            strcpy(name, vma_functions[i].name);
            name[j] ^= 1;
            assert_int_equal(vma_function_find(slice(name)), VMA_FUNCTIONS);
        }
    }
    assert_int_equal(vma_function_find(slice("")), VMA_FUNCTIONS);
    assert_int_equal(vma_function_find(slice("vmaDefragment")), VMA_FUNCTIONS);
}

static void test_head(void **state)
{
    struct vma_call call = read("12552,0.017,7,vmaDestroyImage,000001D85B8B1A80");

    (void)state;
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    assert_int_equal(call.head.function, VMA_DESTROY_IMAGE);
    assert_int_equal(call.head.thread, 12552);
    assert_int_equal(call.head.milliseconds, 17);
    assert_int_equal(call.head.frame_index, 7);
    assert_int_equal(call.value[VMA_ALLOCATION], 0x1D85B8B1A80);
}

static void test_damaged_heads_leave_the_call(void **state)
{
    struct vma_call call = read("x4000,,9x,vmaDestroyImage,1D");

    (void)state;
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    assert_false(call.head.thread_good);
    assert_false(call.head.time_good);
    assert_false(call.head.frame_good);
    assert_int_equal(call.value[VMA_ALLOCATION], 0x1D);
    call = read(",0,,vmaCreateAllocator"); /* empty numbers are 0 */
    assert_true(call.head.thread_good);
    assert_true(call.head.frame_good);
    assert_int_equal(call.head.frame_index, 0);
}

static void test_verdicts(void **state)
{
    static const struct {
        const char *line;
        enum vma_verdict verdict;
    } cases[] = {
        {"", VMA_CALL_BLANK},
        {",,", VMA_CALL_SHORT},
        {"1,0.0,0", VMA_CALL_SHORT},
        {",,,", VMA_CALL_UNKNOWN},
        {"1,0.0,0,vmbCreateImage,1", VMA_CALL_UNKNOWN},
        {"1,0.0,0,vmaCreateAllocator", VMA_CALL_GOOD},
        {"1,0.0,0,vmaCreateAllocator,", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaDestroyPool", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaDestroyPool,", VMA_CALL_GOOD}, /* an empty column is null */
        {"1,0.0,0,vmaDestroyPool,1,2", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaDestroyPool,x", VMA_CALL_INVALID},
        {"1,0.0,0,vmaFlushAllocation,A,0,18446744073709551615", VMA_CALL_GOOD},
        {"1,0.0,0,vmaFlushAllocation,A,0,18446744073709551616", VMA_CALL_INVALID},
        {"1,0.0,0,vmaFlushAllocation,A,0", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaCreateBuffer,0,64,1,0,0,1,0,0,0,0,A", VMA_CALL_GOOD}, /* text may lack */
        {"1,0.0,0,vmaCreateBuffer,0,64,1,0,0,1,0,0,0,0", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaCreateBuffer,0,64,1,0,0,1,0,0,0,0,A,a,b,c", VMA_CALL_GOOD},
        {"1,0.0,0,vmaCreateBuffer,0,64,4294967296,0,0,1,0,0,0,0,A,", VMA_CALL_INVALID},
        {"1,0.0,0,vmaAllocateMemoryForBuffer,64,4,1,1,0,0,1,0,0,0,0,A,", VMA_CALL_GOOD},
        {"1,0.0,0,vmaAllocateMemoryForBuffer,64,4,1,2,0,0,1,0,0,0,0,A,", VMA_CALL_INVALID},
        {"1,0.0,0,vmaAllocateMemoryForBuffer,64,4,1,,0,0,1,0,0,0,0,A,", VMA_CALL_INVALID},
        {"1,0.0,0,vmaAllocateMemoryForBuffer,64,4,1,01,0,0,1,0,0,0,0,A,", VMA_CALL_INVALID},
        {"1,0.0,0,vmaCreatePool,0,0,0,0,0,2,A", VMA_CALL_GOOD},
        {"1,0.0,0,vmaCreatePool,0,0,0,0,0,A", VMA_CALL_GOOD}, /* builds of the last day */
        {"1,0.0,0,vmaCreatePool,0,0,0,0,A", VMA_CALL_MISCOUNT},
        {"1,0.0,0,vmaFreeMemoryPages,A B  C", VMA_CALL_GOOD},
        {"1,0.0,0,vmaFreeMemoryPages,A G", VMA_CALL_INVALID},
        {"1,0.0,0,vmaDefragmentationBegin,0,,,1,1,0,0,0,A", VMA_CALL_GOOD},
        {"1,0.0,0,vmaSetPoolName,A", VMA_CALL_GOOD},
        {"1,0.0,0,vmaSetPoolName,A,b,c", VMA_CALL_GOOD},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct vma_call call = read(cases[i].line);

        if (call.verdict != cases[i].verdict)
            fail_msg("%s: %d", cases[i].line, call.verdict);
        /* Every rejected verdict has a message. */
        assert_int_equal(vma_verdict_message(call.verdict) == NULL, call.verdict == VMA_CALL_GOOD);
    }
}

static void test_columns_land_where_they_belong(void **state)
{
    struct vma_call call = read("1,0.0,0,vmaCreateImage,16,1,37,128,64,2,3,6,4,1,7,0,8,36,2,1,2,3,"
                                "00000000000000AA,00000000000000BB,a, b");
    static const struct {
        enum vma_slot slot;
        uint64_t value;
    } slots[] = {{VMA_RESOURCE_FLAGS, 16}, {VMA_IMAGE_TYPE, 1},     {VMA_FORMAT, 37},
                 {VMA_WIDTH, 128},         {VMA_HEIGHT, 64},        {VMA_DEPTH, 2},
                 {VMA_MIP_LEVELS, 3},      {VMA_ARRAY_LAYERS, 6},   {VMA_SAMPLES, 4},
                 {VMA_TILING, 1},          {VMA_RESOURCE_USAGE, 7}, {VMA_SHARING, 0},
                 {VMA_LAYOUT, 8},          {VMA_FLAGS, 36},         {VMA_USAGE, 2},
                 {VMA_REQUIRED, 1},        {VMA_PREFERRED, 2},      {VMA_TYPE_BITS, 3},
                 {VMA_POOL, 0xAA},         {VMA_ALLOCATION, 0xBB}};

    (void)state;
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    for (size_t i = 0; i < COUNT_OF(slots); i++)
        assert_int_equal(call.value[slots[i].slot], slots[i].value);
    assert_true(vma_slice_is(call.text, "a, b"));
}

static void test_late_pools_have_no_frame_count(void **state)
{
    struct vma_call call = read("1,0.0,0,vmaCreatePool,2,4,64,1,2,3,AB");

    (void)state;
    assert_int_equal(call.value[VMA_FRAMES_IN_USE], 3);
    assert_int_equal(call.value[VMA_POOL], 0xAB);
    call = read("1,0.0,0,vmaCreatePool,2,4,64,1,2,AB");
    assert_true(call.late_pool);
    assert_int_equal(call.value[VMA_FRAMES_IN_USE], 0);
    assert_int_equal(call.value[VMA_MAX_BLOCKS], 2);
    assert_int_equal(call.value[VMA_POOL], 0xAB);
}

static void test_text_pointer(void **state)
{
    uint64_t pointer = 1;
    bool surplus = true;

    (void)state;
    assert_true(vma_call_text_pointer(slice("00AB"), &pointer, &surplus));
    assert_int_equal(pointer, 0xAB);
    assert_false(surplus);
    assert_true(vma_call_text_pointer(slice("AB,99"), &pointer, &surplus));
    assert_true(surplus);
    assert_false(vma_call_text_pointer(slice("a name"), &pointer, &surplus));
    assert_true(vma_call_text_pointer(slice(""), &pointer, &surplus));
    assert_int_equal(pointer, 0);
}

/* User data may be as long as the file, but is cut when shown. */
static void test_long_texts_are_cut(void **state)
{
    static const char head[] = "1,0.0,0,vmaSetAllocationUserData,A,";
    const size_t length = sizeof(head) - 1 + VMA_TEXT_MAX;
    char *line = malloc(length + 1);
    struct vma_slice text;
    struct vma_call call;

    (void)state;
    assert_non_null(line);
    memset(line, 'x', length + 1);
    memcpy(line, head, sizeof(head) - 1);
    text = (struct vma_slice){(const uint8_t *)line, (const uint8_t *)line + length};
    vma_call_read(text, true, &call);
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    assert_int_equal(vma_slice_length(call.text), VMA_TEXT_MAX);
    assert_true(vma_call_is_flawless(&call));
    text.end++;
    vma_call_read(text, true, &call);
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    assert_int_equal(vma_slice_length(call.text), VMA_TEXT_MAX);
    assert_false(vma_call_is_flawless(&call));
    free(line);
}

static void test_cut_lines(void **state)
{
    struct vma_call call;

    (void)state;
    vma_call_read(slice("1,0.0,0,vmaDestroyAllocator"), false, &call);
    assert_int_equal(call.verdict, VMA_CALL_GOOD);
    vma_call_read(slice("1,0.0,0,vmaDestroyAlloc"), false, &call);
    assert_int_equal(call.verdict, VMA_CALL_CUT);
    vma_call_read(slice("1,0."), false, &call);
    assert_int_equal(call.verdict, VMA_CALL_CUT);
}

/* Writes a column of up to nine characters, mostly of those in heads and numbers. */
static size_t put_random(char *at, uint32_t *random)
{
    static const char characters[] = "0123456789012345678901234567890123456789.. -x,";
    size_t length;

    *random = *random * 1664525 + 1013904223;
    length = (*random >> 16) % 10;
    for (size_t i = 0; i < length; i++) {
        *random = *random * 1664525 + 1013904223;
        at[i] = characters[(*random >> 16) % (sizeof(characters) - 1)];
    }
    return length;
}

static void assert_same_head(const struct vma_call_head *a, const struct vma_call_head *b)
{
    assert_int_equal(a->verdict, b->verdict);
    assert_int_equal(a->function, b->function);
    assert_int_equal(a->thread_good, b->thread_good);
    assert_int_equal(a->time_good, b->time_good);
    assert_int_equal(a->frame_good, b->frame_good);
    assert_int_equal(a->thread, b->thread);
    assert_int_equal(a->frame_index, b->frame_index);
    assert_int_equal(a->milliseconds, b->milliseconds);
}

/*
 * A blank before the first column does not change the result, but makes the slow code read all
 * columns.
 */
static void test_heads_are_read_alike_both_ways(void **state)
{
    uint32_t random = 1;
    unsigned usual = 0;

    (void)state;
    for (int i = 0; i < 200000; i++) {
        char line[100] = " 1";
        struct vma_call_head quick, slow;
        size_t length = 2;

        for (int column = 0; column < 3; column++) {
            length += put_random(line + length, &random);
            if (column == 1 && random % 2 == 0)
                length += (size_t)sprintf(line + length, ".%03u", random >> 20 & 511);
            line[length++] = ',';
        }
        strcpy(line + length, random >> 16 & 1 ? "vmaFreeMemory,1D" : "vmaUnmap");
        vma_call_read_head(slice(line + 1), &quick);
        vma_call_read_head(slice(line), &slow);
        assert_same_head(&quick, &slow);
        usual += quick.thread_good && quick.time_good && quick.frame_good;
    }
    assert_in_range(usual, 1000, 199000);
}

/* Nor does a 0 before a digit change the result. */
static void test_columns_of_one_digit_are_read_as_others(void **state)
{
    (void)state;
    for (unsigned digit = 0; digit <= 9; digit++) {
        char line[200];
        struct vma_call one, two;

        sprintf(line, "1,0.000,0,vmaCreateBuffer,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,%u,", digit, digit,
                digit, digit, digit, digit, digit, digit, digit, digit, digit);
        one = read(line);
        sprintf(line, "1,0.000,0,vmaCreateBuffer,0%u,0%u,0%u,0%u,0%u,0%u,0%u,0%u,0%u,0%u,0%u,",
                digit, digit, digit, digit, digit, digit, digit, digit, digit, digit, digit);
        two = read(line);
        assert_int_equal(one.verdict, VMA_CALL_GOOD);
        assert_int_equal(two.verdict, VMA_CALL_GOOD);
        for (unsigned i = 0; i < vma_functions[VMA_CREATE_BUFFER].parameter_count - 1u; i++) {
            enum vma_slot slot = vma_functions[VMA_CREATE_BUFFER].parameters[i].slot;

            assert_int_equal(one.value[slot], digit);
            assert_int_equal(two.value[slot], digit);
        }
        sprintf(line, "1,0.000,0,vmaAllocateMemoryForImage,1,1,1,%u,0,0,0,0,0,0,0,0,", digit);
        assert_int_equal(read(line).verdict, digit <= 1 ? VMA_CALL_GOOD : VMA_CALL_INVALID);
    }
}

/* Checks what is reported about a line of calls. */
static void assert_told(const char *text, const char *expected)
{
    struct vma_line line = {.text = slice(text), .ended = true};
    struct vma_diagnostics diagnostics = {0};
    struct text told = TEXT_INIT;
    struct vma_call call = read(text);

    diagnostics.text = &told;
    vma_call_judge(&call, &line, 0, &diagnostics);
    text_add_char(&told, '\0');
    assert_string_equal(told.bytes, expected);
    text_clear(&told);
}

/*
 * VMA writes no minus signs. A number with a minus is read as the replayer reads it, and reported.
 */
static void test_negative_numbers(void **state)
{
    (void)state;
    assert_told("1,0.0,0,vmaCreateBuffer,0,64,-1,0,0,1,0,0,0,,AB,",
                "problem: Negative parameter for vmaCreateBuffer (bufferCreateInfo.usage), treated "
                "as 4294967295.\n");
    assert_told("1,0.0,0,vmaFlushAllocation,AB,0, -1",
                "problem: Negative parameter for vmaFlushAllocation (size), treated as "
                "18446744073709551615.\n");
    assert_told("1,0.0,0,vmaFlushAllocation,AB,-2,-1",
                "problem: Negative parameter for vmaFlushAllocation (offset), treated as "
                "18446744073709551614.\n");
    assert_told("-1,0.0,-2,vmaMapMemory,AB",
                "problem: Negative thread ID, treated as 4294967295.\n"
                "problem: Negative frame index, treated as 4294967294.\n");
    assert_told("1,0.0,0,vmaFlushAllocation,AB,+1,-0", "");
    assert_told("1,0.0,0,vmaCreateBuffer,0,64,16,0,0,1,0,0,0,,AB,-1", "");
    assert_told("1,0.0,0,vmaFlushAllocation,AB,-1,x",
                "problem: Invalid parameters for vmaFlushAllocation (size).\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_function_is_found),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_damaged_heads_leave_the_call),
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_columns_land_where_they_belong),
        cmocka_unit_test(test_late_pools_have_no_frame_count),
        cmocka_unit_test(test_text_pointer),
        cmocka_unit_test(test_long_texts_are_cut),
        cmocka_unit_test(test_cut_lines),
        cmocka_unit_test(test_heads_are_read_alike_both_ways),
        cmocka_unit_test(test_columns_of_one_digit_are_read_as_others),
        cmocka_unit_test(test_negative_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
