/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/layout.h"

#include "base/bytes.h"

#include "tests/support/support.h"

#include <string.h>

static void test_no_shapes(void **state)
{
    struct aerogpu_shape shape = {AEROGPU_R8G8B8A8, 16, 16, 5, 1, 0};
    static const struct aerogpu_shape bad[] = {
        {0, 16, 16, 1, 1, 0},
        {11, 16, 16, 1, 1, 0},
        {AEROGPU_R8G8B8A8, 0, 16, 1, 1, 0},
        {AEROGPU_R8G8B8A8, 16, 0, 1, 1, 0},
        {AEROGPU_R8G8B8A8, 16, 16, 0, 1, 0},
        {AEROGPU_R8G8B8A8, 16, 16, 6, 1, 0},
        {AEROGPU_R8G8B8A8, 16, 16, 1, 0, 0},
        {AEROGPU_R8G8B8A8, 16385, 16, 1, 1, 0},
        {AEROGPU_R8G8B8A8, 16, 16, 1, 1, 63},
        {AEROGPU_R8G8B8A8, 16, 16, 0xFFFFFFFF, 0xFFFFFFFF, 0},
    };

    (void)state;
    assert_true(aerogpu_shape_valid(&shape));
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_false(aerogpu_shape_valid(&bad[i]));
}

static void test_linear_layout(void **state)
{
    /* 10x6, three mips, two layers, mip 0 padded: 64*6, 5x3*4, 2x1*4. */
    const struct aerogpu_shape shape = {AEROGPU_R8G8B8A8, 10, 6, 3, 2, 64};
    struct aerogpu_subresource sub;
    uint32_t mip = 9, layer = 9;

    (void)state;
    assert_true(aerogpu_shape_valid(&shape));
    assert_int_equal(aerogpu_shape_size(&shape), 2 * (384 + 60 + 8));
    assert_true(aerogpu_subresource(&shape, 1, 1, &sub));
    assert_int_equal(sub.offset, 452 + 384);
    assert_int_equal(sub.width, 5);
    assert_int_equal(sub.pitch, 20);
    assert_true(aerogpu_subresource(&shape, 0, 0, &sub));
    assert_int_equal(sub.pitch, 64);
    assert_int_equal(sub.row_size, 40);
    assert_false(aerogpu_subresource(&shape, 3, 0, &sub));
    assert_false(aerogpu_subresource(&shape, 0, 2, &sub));
    assert_true(aerogpu_shape_locate(&shape, 452 + 384 + 60, &mip, &layer));
    assert_int_equal(mip, 2);
    assert_int_equal(layer, 1);
    assert_true(aerogpu_shape_locate(&shape, 0, &mip, &layer));
    assert_int_equal(mip, 0);
    assert_false(aerogpu_shape_locate(&shape, 904, &mip, &layer));
}

static void test_blocks(void **state)
{
    const struct aerogpu_shape shape = {AEROGPU_BC7, 9, 5, 4, 1, 0};
    struct aerogpu_subresource sub;

    (void)state;
    assert_true(aerogpu_shape_valid(&shape));
    assert_true(aerogpu_subresource(&shape, 0, 0, &sub));
    assert_int_equal(sub.size, 3 * 2 * 16);
    assert_true(aerogpu_subresource(&shape, 3, 0, &sub));
    assert_int_equal(sub.width, 1);
    assert_int_equal(sub.size, 16);
    assert_int_equal(sub.offset, 96 + 16 + 16);
}

static void test_no_layouts(void **state)
{
    struct aerogpu_layout layout;
    uint8_t bytes[64] = {0};

    (void)state;
    assert_false(aerogpu_layout_open(NULL, 0, &layout));
    assert_false(aerogpu_layout_open(bytes, 64, &layout));
    bytes_put_le32(bytes, AEROGPU_LAYOUT_MAGIC);
    bytes_put_le32(bytes + 4, 1);
    bytes_put_le32(bytes + 8, 1);
    assert_false(aerogpu_layout_open(bytes, 43, &layout));
    assert_true(aerogpu_layout_open(bytes, 44, &layout));
    bytes_put_le32(bytes + 4, 2);
    assert_false(aerogpu_layout_open(bytes, 44, &layout));
    bytes_put_le32(bytes + 4, 1);
    bytes_put_le32(bytes + 8, 0xFFFFFFFF);
    assert_false(aerogpu_layout_open(bytes, 64, &layout));
}

static void test_ilay(void **state)
{
    struct aerogpu_layout layout;
    struct aerogpu_element element;
    uint8_t bytes[16 + 2 * 28] = {0};

    (void)state;
    bytes_put_le32(bytes, AEROGPU_LAYOUT_MAGIC);
    bytes_put_le32(bytes + 4, 1);
    bytes_put_le32(bytes + 8, 2);
    bytes_put_le32(bytes + 16, 0x7808E88A);
    bytes_put_le32(bytes + 24, 6);
    bytes_put_le32(bytes + 44, 0xE7C308F8);
    bytes_put_le32(bytes + 52, 87);
    bytes_put_le32(bytes + 60, 0xFFFFFFFF);
    bytes_put_le32(bytes + 64, 1);
    assert_true(aerogpu_layout_open(bytes, sizeof(bytes), &layout));
    assert_true(aerogpu_layout_next(&layout, &element));
    assert_string_equal(aerogpu_semantic_name(element.semantic_hash), "POSITION");
    assert_int_equal(element.offset, 0);
    assert_false(element.instanced);
    assert_true(aerogpu_layout_next(&layout, &element));
    assert_string_equal(aerogpu_semantic_name(element.semantic_hash), "COLOR");
    assert_int_equal(element.offset, 12);
    assert_true(element.instanced);
    assert_false(aerogpu_layout_next(&layout, &element));
}

static void test_declaration(void **state)
{
    static const uint8_t bytes[] = {0, 0, 0,  0, 2,    0, 0, 0, 0,  0, 12, 0,
                                    4, 0, 10, 1, 0xFF, 0, 0, 0, 17, 0, 0,  0};
    struct aerogpu_layout layout;
    struct aerogpu_element element;

    (void)state;
    assert_false(aerogpu_layout_open(bytes, 16, &layout));
    assert_true(aerogpu_layout_open(bytes, sizeof(bytes), &layout));
    assert_int_equal(layout.count, 2);
    assert_true(aerogpu_layout_next(&layout, &element));
    assert_string_equal(aerogpu_attribute_find(element.format)->name, "R32G32B32_FLOAT");
    assert_true(aerogpu_layout_next(&layout, &element));
    assert_string_equal(aerogpu_semantic_name(element.semantic_hash), "COLOR");
    assert_int_equal(element.semantic_index, 1);
    assert_int_equal(element.offset, 12);
    assert_true(aerogpu_attribute_find(element.format)->bgra);
}

static void test_semantics(void **state)
{
    (void)state;
    assert_int_equal(dxbc_semantic_hash("position"), 0x7808E88A);
    assert_int_equal(dxbc_semantic_hash("SV_VertexID"), 0xBB638E06);
    assert_int_equal(dxbc_semantic_hash("BLENDINDICES"), 0x124DBC05);
    assert_null(aerogpu_semantic_name(0));
    assert_null(aerogpu_attribute_find(0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_shapes), cmocka_unit_test(test_linear_layout),
        cmocka_unit_test(test_blocks),    cmocka_unit_test(test_no_layouts),
        cmocka_unit_test(test_ilay),      cmocka_unit_test(test_declaration),
        cmocka_unit_test(test_semantics),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
