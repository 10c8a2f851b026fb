#include "formats/vma/call.h"

#include "support.h"

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
        /* Neither a beginning of it nor more than it. */
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
        {"1,0.0,0,vmaCreatePool,0,0,0,0,0,A", VMA_CALL_GOOD}, /* the last day's builds */
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
        /* Refused ones have their sentence. */
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
        cmocka_unit_test(test_cut_lines),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
