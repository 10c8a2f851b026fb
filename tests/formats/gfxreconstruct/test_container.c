/* SPDX-License-Identifier: MIT */
/* Headers, blocks and their expansion: complete, cut off and hostile */
#include "config.h"

#include "formats/gfxreconstruct/container.h"

#include "tests/formats/gfxreconstruct/bytes.h"
#include "tests/support/support.h"

#include <errno.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static void test_header_of_nothing(void **state)
{
    struct gfxreconstruct_header header;

    (void)state;
    assert_int_equal(gfxreconstruct_header_read(NULL, 0, &header), -EPROTO);
    assert_int_equal(gfxreconstruct_header_read((const uint8_t *)"GFX", 3, &header), -EPROTO);
    assert_int_equal(gfxreconstruct_header_read((const uint8_t *)"GFXR\0\0\0", 7, &header),
                     -ENODATA);
}

static void test_header_with_options(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_header header;

    (void)state;
    text_add(&bytes, "GFXR");
    add(&bytes, 0, 4);
    add(&bytes, 1, 4);
    add(&bytes, 2, 4);
    add(&bytes, 9, 8);
    add(&bytes, 1, 4);
    add(&bytes, GFXR_ZSTD, 4);
    assert_int_equal(gfxreconstruct_header_read(data_of(&bytes), bytes.length, &header), 0);
    assert_int_equal(header.minor, 1);
    assert_int_equal(header.compression, GFXR_ZSTD);
    assert_int_equal(header.size, 32);
    /* Cut off within the second option. */
    assert_int_equal(gfxreconstruct_header_read(data_of(&bytes), 28, &header), 0);
    assert_int_equal(header.readable, 1);
    assert_int_equal(header.compression, GFXR_NONE);
    assert_int_equal(header.size, 28);
    text_clear(&bytes);
}

/* A hole provides as many options as a header may declare, at no cost. */
static void test_header_with_too_many_options(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_header header;

    (void)state;
    text_add(&bytes, "GFXR");
    add(&bytes, 0, 8);
    add(&bytes, GFXR_OPTIONS_MAX + 1, 4);
    for (unsigned i = 0; i < GFXR_OPTIONS_MAX; i++)
        add(&bytes, 9, 8);
    add(&bytes, GFXR_OPTION_COMPRESSION, 4);
    add(&bytes, GFXR_ZSTD, 4);
    assert_int_equal(gfxreconstruct_header_read(data_of(&bytes), bytes.length, &header), 0);
    assert_int_equal(header.readable, GFXR_OPTIONS_MAX + 1);
    assert_int_equal(header.size, bytes.length);
    assert_int_equal(header.compression, GFXR_NONE);
    text_clear(&bytes);
}

static void test_block_of_too_few_bytes(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_block block;

    (void)state;
    assert_false(gfxreconstruct_block_read(NULL, 0, 0, &block));
    add(&bytes, 12, 8);
    add(&bytes, GFXR_BLOCK_FRAME, 4);
    assert_false(gfxreconstruct_block_read(data_of(&bytes), 11, 0, &block));
    assert_false(gfxreconstruct_block_read(data_of(&bytes), 12, 1, &block));
    add(&bytes, GFXR_MARKER_END, 4);
    add(&bytes, 5, 8);
    assert_true(gfxreconstruct_block_read(data_of(&bytes), bytes.length - 1, 0, &block));
    assert_false(block.whole);
    assert_int_equal(block.there, 11);
    assert_true(gfxreconstruct_block_read(data_of(&bytes), bytes.length, 0, &block));
    assert_true(block.whole);
    assert_int_equal(block.number, 5);
    text_clear(&bytes);
}

static void test_block_of_a_hostile_size(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_block block;

    (void)state;
    add(&bytes, UINT64_MAX, 8);
    add(&bytes, GFXR_BLOCK_ANNOTATION, 4);
    add(&bytes, 2, 4);
    add(&bytes, UINT32_MAX, 4);
    add(&bytes, UINT64_MAX, 8);
    assert_true(gfxreconstruct_block_read(data_of(&bytes), bytes.length, 0, &block));
    assert_false(block.whole);
    assert_int_equal(block.there, 16);
    assert_null(block.data.data);
    text_clear(&bytes);
}

/* An init-image block may declare any number of level sizes. */
static void test_levels_beyond_the_block(void **state)
{
    struct text bytes = TEXT_INIT;
    struct gfxreconstruct_block block;

    (void)state;
    add(&bytes, 52, 8);
    add(&bytes, GFXR_BLOCK_META, 4);
    add(&bytes, 0x10000 | GFXR_META_INIT_IMAGE, 4);
    add(&bytes, 1, 8);
    for (unsigned i = 0; i < 3; i++)
        add(&bytes, i, 8);
    add(&bytes, 1, 8);
    add(&bytes, UINT32_MAX, 8);
    assert_true(gfxreconstruct_block_read(data_of(&bytes), bytes.length, 0, &block));
    assert_false(block.whole);
    text_clear(&bytes);
}

enum { EXPANDED = 5000 };

static size_t compress_as(uint32_t compression, const uint8_t *from, uint8_t *to, size_t room)
{
    uLongf made = room;

    if (compression == GFXR_LZ4)
        return (size_t)LZ4_compress_default((const char *)from, (char *)to, EXPANDED, (int)room);
    if (compression == GFXR_ZSTD)
        return ZSTD_compress(to, room, from, EXPANDED, 3);
    assert_int_equal(compress(to, &made, from, EXPANDED), Z_OK);
    return made;
}

static void expect_expansion(uint32_t compression)
{
    uint8_t from[EXPANDED], to[2 * EXPANDED];
    struct gfxreconstruct_block block = {.whole = true, .compressed = true, .expanded = EXPANDED};
    struct blob *blob = NULL;

    for (unsigned i = 0; i < EXPANDED; i++)
        from[i] = (uint8_t)(i / 7);
    block.data.data = to;
    block.data.size = compress_as(compression, from, to, sizeof(to));
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), 0);
    assert_int_equal(blob->size, EXPANDED);
    assert_memory_equal(blob->data, from, EXPANDED);
    blob_unref(&blob);
    /* A block that states another length, is cut off, or cannot expand to that many bytes. */
    block.expanded = EXPANDED - 1;
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), -EIO);
    block.expanded = EXPANDED + 1;
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), -EIO);
    block.expanded = GFXR_EXPANDED_MAX;
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), -EIO);
    block.expanded = GFXR_EXPANDED_MAX + 1;
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), -EFBIG);
    block.expanded = EXPANDED;
    block.data.size /= 2;
    assert_int_equal(gfxreconstruct_block_expand(&block, compression, &blob), -EIO);
    assert_int_equal(gfxreconstruct_block_expand(&block, 7, &blob), -EOPNOTSUPP);
    assert_int_equal(gfxreconstruct_block_expand(&block, GFXR_NONE, &blob), -EOPNOTSUPP);
}

/* Sizes that bytes cannot expand to. */
static void test_implausible_sizes(void **state)
{
    /* The magic; one segment, a content size of 8 bytes; the size; an empty block. */
    static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0,
                                    0,    0,    0,    0,    0x40, 1, 0, 0};
    static const uint8_t unsized[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, 1, 0, 0};
    struct gfxreconstruct_block block = {.whole = true, .compressed = true, .expanded = 7};

    (void)state;
    block.data = (struct gfxreconstruct_slice){frame, sizeof(frame)};
    assert_false(gfxreconstruct_block_is_plausible(&block, GFXR_NONE));
    assert_false(gfxreconstruct_block_is_plausible(&block, 9));
    block.expanded = UINT64_C(1) << 62; /* as the frame states */
    assert_false(gfxreconstruct_block_is_plausible(&block, GFXR_ZSTD));
    block.data = (struct gfxreconstruct_slice){unsized, sizeof(unsized)};
    block.expanded = UINT64_MAX; /* what zstd.h calls a size that the frame does not state */
    assert_false(gfxreconstruct_block_is_plausible(&block, GFXR_ZSTD));
    block.data = (struct gfxreconstruct_slice){frame, 3}; /* not a frame */
    block.expanded = UINT64_MAX - 1;
    assert_false(gfxreconstruct_block_is_plausible(&block, GFXR_ZSTD));
}

static void test_expansion(void **state)
{
    (void)state;
    expect_expansion(GFXR_LZ4);
    expect_expansion(GFXR_ZLIB);
    expect_expansion(GFXR_ZSTD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_of_nothing),
        cmocka_unit_test(test_header_with_options),
        cmocka_unit_test(test_header_with_too_many_options),
        cmocka_unit_test(test_block_of_too_few_bytes),
        cmocka_unit_test(test_block_of_a_hostile_size),
        cmocka_unit_test(test_levels_beyond_the_block),
        cmocka_unit_test(test_expansion),
        cmocka_unit_test(test_implausible_sizes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
