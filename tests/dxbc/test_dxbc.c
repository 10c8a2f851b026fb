/* SPDX-License-Identifier: MIT */
#include "dxbc/dxbc.h"

#include "tests/support/support.h"
#include "tests/worker/scene.h"

#include "formats/aerogpu/decode/layout.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Converts the words of a shader to little-endian bytes, in place. */
static const uint8_t *little_endian(uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        words[i] = htole32(words[i]);
    return (const uint8_t *)words;
}

static void test_nothing(void **state)
{
    static const uint8_t zeros[64];
    struct blob *blob = NULL;
    struct dxbc dxbc;

    (void)state;
    assert_int_equal(dxbc_classify(NULL, 0), DXBC_SHADER_BAD);
    for (size_t size = 0; size < sizeof(zeros); size++) {
        assert_int_equal(dxbc_classify(zeros, size), DXBC_SHADER_BAD);
        assert_false(dxbc_open(zeros, size, &dxbc));
        assert_int_equal(dxbc_genuine(zeros, size, &blob), -EINVAL);
        assert_int_equal(dxbc_d3d9_genuine(zeros, size, &blob), -EINVAL);
    }
    assert_null(blob);
}

static void test_d3d9_is_known_by_its_version(void **state)
{
    (void)state;
    assert_int_equal(dxbc_classify((const uint8_t *)"\0\2\xFE\xFF", 4), DXBC_SHADER_D3D9);
    assert_int_equal(dxbc_classify((const uint8_t *)"\0\3\xFF\xFF", 4), DXBC_SHADER_D3D9);
    assert_int_equal(dxbc_classify((const uint8_t *)"\0\3\xFD\xFF", 4), DXBC_SHADER_BAD);
}

/* A constant, dcl_position v0 and mov oPos, v0, with parameters that lack bit 31. */
static void test_d3d9_parameters(void **state)
{
    uint32_t words[] = {
        0xFFFE0200, 0x05000051, 0x200F0000, 0x3F800000, 0, 0, 0x40000000, /* def c0 */
        0x0200001F, 0x00000000, 0x100F0000,                               /* dcl */
        0x02000001, 0x400F0000, 0x10E40000, 0x0000FFFF,                   /* mov, end */
    };
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    struct blob *blob;

    (void)state;
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(words), &blob), 0);
    assert_int_equal(bytes_le32(blob->data + 8), 0xA00F0000);
    assert_int_equal(bytes_le32(blob->data + 12), 0x3F800000);
    assert_int_equal(bytes_le32(blob->data + 24), 0x40000000);
    assert_int_equal(bytes_le32(blob->data + 32), 0x80000000);
    assert_int_equal(bytes_le32(blob->data + 48), 0x90E40000);
    assert_int_equal(bytes_le32(blob->data + 52), 0x0000FFFF);
    blob_unref(&blob);
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(words) - 4, &blob), -EINVAL);
}

/* A vertex shader that addresses constants relatively gets a table of constants if it has none. */
static void test_d3d9_constant_table(void **state)
{
    uint32_t words[] = {
        0xFFFE0200, 0x0001FFFE, 0x12345678,                     /* a comment */
        0x03000001, 0x400F0000, 0x20E42003, 0x30000000, 0xFFFF, /* mov oPos, c[a0.x + 3] */
    };
    uint32_t fixed[] = {
        0xFFFE0200, 0x0001FFFE, 0x12345678, 0x02000001, 0x400F0000, 0x20E40003, 0xFFFF, /* c3 */
    };
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    const size_t table = 19 * 4;
    struct blob *blob = NULL, *again = NULL;

    (void)state;
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(words), &blob), 0);
    assert_int_equal(blob->size, sizeof(words) + table);
    assert_int_equal(bytes_le32(blob->data), 0xFFFE0200);
    assert_int_equal(bytes_le32(blob->data + 4), 0x0012FFFE);
    assert_memory_equal(blob->data + 8, "CTAB", 4);
    assert_int_equal(bytes_le32(blob->data + 20), 0xFFFE0200);
    assert_int_equal(bytes_le32(blob->data + 4 + table), 0x0001FFFE);
    assert_int_equal(bytes_le32(blob->data + 20 + table), 0xA0E42003);
    assert_int_equal(dxbc_d3d9_genuine(blob->data, blob->size, &again), 0);
    assert_int_equal(again->size, blob->size);
    assert_memory_equal(again->data, blob->data, blob->size);
    blob_unref(&again);
    blob_unref(&blob);
    bytes = little_endian(fixed, COUNT_OF(fixed));
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(fixed), &blob), 0);
    assert_int_equal(blob->size, sizeof(fixed));
    blob_unref(&blob);
}

/* An instruction that continues after the last token is invalid: parsers would read on there. */
static void test_d3d9_cut_instructions(void **state)
{
    uint32_t words[] = {0xFFFE0200, 0xFFFF0051, 0xFFFFFFFF, 0x0000FFFF};
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    struct blob *blob = NULL;

    (void)state;
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(words), &blob), -EINVAL);
    assert_null(blob);
}

/* A def without parameters, and the tokens after it, stay unchanged; the end must follow. */
static void test_d3d9_without_parameters(void **state)
{
    uint32_t words[] = {0xFFFE0200, 0x00000051, 0x00000001, 0x0000FFFF};
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    struct blob *blob;

    (void)state;
    assert_int_equal(dxbc_d3d9_genuine(bytes, sizeof(words), &blob), 0);
    assert_memory_equal(blob->data, bytes, sizeof(words));
    blob_unref(&blob);
    assert_int_equal(dxbc_d3d9_genuine(bytes, 8, &blob), -EINVAL);
}

/*
 * The checksum is MD5, except for the position of the length: for one block, two blocks, and a rest
 * of more than 55 bytes.
 */
static void test_checksums(void **state)
{
    static const struct {
        size_t size;
        uint32_t crc;
    } sums[] = {{20, 0xA5895C06},      {52, 0x52C27BD4},      {20 + 55, 0x946E6F1C},
                {20 + 56, 0x20F21EDA}, {20 + 64, 0xF4920DB9}, {20 + 130, 0xB1805BB7}};
    uint8_t bytes[256], sum[16];

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 7);
    for (size_t i = 0; i < COUNT_OF(sums); i++) {
        dxbc_checksum(bytes, sums[i].size, sum);
        assert_int_equal(support_crc32(sum, sizeof(sum)), sums[i].crc);
    }
}

/* Calls `look` with each container in a trace. Returns the number of containers. */
static unsigned each_shader(const char *name, void (*look)(const uint8_t *, size_t))
{
    char *path = support_corpus(name);
    size_t size;
    uint8_t *bytes = support_read(path, &size);
    unsigned count = 0;

    for (size_t i = 0; i + 32 <= size; i++)
        if (memcmp(bytes + i, "DXBC", 4) == 0 && bytes_le32(bytes + i + 24) <= size - i) {
            look(bytes + i, bytes_le32(bytes + i + 24));
            count++;
        }
    free(bytes);
    free(path);
    return count;
}

/* A shader of the dialect that only has a declaration, which is left out, is not a shader. */
static void test_no_instruction_is_no_shader(void **state)
{
    uint32_t words[] = {0x43425844, 0,          0,  0,          0, 1,      60, 1,
                        36,         0x52444853, 16, 0x00010040, 4, 0x1100, 0};
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    struct blob *blob;

    (void)state;
    assert_int_equal(dxbc_classify(bytes, sizeof(words)), DXBC_SHADER_DIALECT);
    assert_int_equal(dxbc_genuine(bytes, sizeof(words), &blob), -EINVAL);
    assert_null(blob);
}

static void look_at_dialect(const uint8_t *bytes, size_t size)
{
    struct dxbc_parameter parameter;
    struct dxbc dxbc;
    struct blob *genuine, *again;
    uint8_t sum[16];
    unsigned positions = 0;

    assert_int_equal(dxbc_classify(bytes, size), DXBC_SHADER_DIALECT);
    assert_int_equal(dxbc_genuine(bytes, size, &genuine), 0);
    assert_int_equal(dxbc_classify(genuine->data, genuine->size), DXBC_SHADER_GENUINE);
    dxbc_checksum(genuine->data, genuine->size, sum);
    assert_memory_equal(genuine->data + 4, sum, 16);
    assert_true(dxbc_open(genuine->data, genuine->size, &dxbc));
    for (uint32_t i = 0; dxbc_signature_at(&dxbc.outputs, i, &parameter); i++)
        if (parameter.hash == dxbc_semantic_hash("SV_Position")) {
            assert_int_equal(parameter.system_value, 1);
            assert_int_equal(parameter.component_type, 3);
            positions++;
        }
    assert_int_equal(positions, dxbc.program == DXBC_VS);
    /* genuine code stays unchanged; only its checksum is corrected */
    memset(genuine->data + 4, 0, 16);
    assert_int_equal(dxbc_genuine(genuine->data, genuine->size, &again), 0);
    memcpy(genuine->data + 4, sum, 16);
    assert_int_equal(again->size, genuine->size);
    assert_memory_equal(again->data, genuine->data, genuine->size);
    blob_unref(&again);
    blob_unref(&genuine);
}

static void test_dialect_becomes_genuine(void **state)
{
    (void)state;
    assert_int_equal(
        each_shader("aerogpu/aerogpu_cmd_texture_ld_b5g6r5.aerogputrace", look_at_dialect), 2);
    assert_int_equal(each_shader("aerogpu/aerogpu_cmd_scissor_test.aerogputrace", look_at_dialect),
                     2);
    assert_int_equal(each_shader("aerogpu/aerogpu_cmd_textured_rgba8_sampler_triangle.aerogputrace",
                                 look_at_dialect),
                     2);
}

/* Numbers of damaged containers that were still accepted as shaders, and that were not. */
struct damaged {
    unsigned accepted, refused;
};

/* Damages every byte, and tries every length: any result must be a container. */
static void damage(const uint8_t *bytes, size_t size, struct damaged *counts)
{
    uint8_t *copy = malloc(size);
    struct dxbc dxbc;
    struct blob *blob;

    assert_non_null(copy);
    for (size_t i = 0; i < 2 * size; i++) {
        size_t length = i < size ? size : i - size;

        memcpy(copy, bytes, size);
        if (i < size)
            copy[i] ^= (uint8_t)(1 + i * 37);
        if (dxbc_genuine(copy, length, &blob) == 0) {
            assert_true(dxbc_open(blob->data, blob->size, &dxbc));
            blob_unref(&blob);
            counts->accepted++;
        } else {
            counts->refused++;
        }
    }
    free(copy);
}

/*
 * Damage to the checksum alone is repaired, so at least the damage to its 16 bytes leaves a shader.
 * No shorter length leaves a shader, nor does a changed magic.
 */
static void expect_damage(const uint8_t *bytes, size_t size, enum dxbc_shader_kind kind)
{
    struct damaged counts = {0};

    assert_int_equal(dxbc_classify(bytes, size), kind);
    damage(bytes, size, &counts);
    assert_int_equal(counts.accepted + counts.refused, 2 * size);
    assert_in_range(counts.accepted, 16, size - 4);
    assert_in_range(counts.refused, size + 4, 2 * size - 16);
}

static void look_at_damage(const uint8_t *bytes, size_t size)
{
    expect_damage(bytes, size, DXBC_SHADER_DIALECT);
}

static void test_damage(void **state)
{
    (void)state;
    assert_int_equal(each_shader("aerogpu/aerogpu_cmd_textured_rgba8_sampler_triangle.aerogputrace",
                                 look_at_damage),
                     2);
}

/*
 * The same for shaders that are created here: a genuine one, and one with two instructions of the
 * dialect.
 */
static void test_damage_of_made_shaders(void **state)
{
    enum {
        DIALECT_MOV = 0x01 | 5 << 11,
        DIALECT_RET = 0x3E | 1 << 11,
        OUTPUT = 2 | 2 << 4 | 0xF << 12 | 1 << 20,
        INPUT = 2 | 1 << 2 | 1 << 4 | 0xE4 << 12 | 1 << 20,
    };
    static const uint32_t tokens[] = {DIALECT_MOV, OUTPUT, 0, INPUT, 0, DIALECT_RET};
    static const struct scene_parameter in = {"POSITION", 0, 0, 3, 0, 15},
                                        out = {"SV_Position", 0, 1, 3, 0, 15};
    struct blob *dialect = scene_assemble(DXBC_VS, 0x40, &in, 1, &out, 1, tokens, COUNT_OF(tokens));
    struct blob *genuine = scene_pass_vertex();

    (void)state;
    look_at_dialect(dialect->data, dialect->size);
    expect_damage(dialect->data, dialect->size, DXBC_SHADER_DIALECT);
    expect_damage(genuine->data, genuine->size, DXBC_SHADER_GENUINE);
    blob_unref(&dialect);
    blob_unref(&genuine);
}

/* Doubles are two dwords each, the low one first. */
static void test_immediates_of_64_bits(void **state)
{
    static const char wanted[] = "vs_5_0\n"
                                 "dadd r0.xyzw, d(1, -2.5), r1.xyzw\n"
                                 "dmov r0.xy, d(0.10000000000000001)\n";
    uint32_t words[] = {
        0x00010050, 18,                                             /* version, length */
        0x0A0000BF, 0x001000F2, 0,                                  /* dadd */
        0x00005002, 0,          0x3FF00000, 0,          0xC0040000, /* d(...) */
        0x00100E46, 1,                                              /* r1 */
        0x060000C7, 0x00100032, 0,          0x00005001, 0x9999999A, 0x3FB99999, /* dmov */
    };
    const uint8_t *bytes = little_endian(words, COUNT_OF(words));
    struct text text = TEXT_INIT;

    (void)state;
    dxbc_disassemble_code(bytes, COUNT_OF(words), &text);
    text_add_char(&text, '\0');
    assert_int_equal(text_status(&text), 0);
    assert_string_equal(text.bytes, wanted);
    text_clear(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_d3d9_is_known_by_its_version),
        cmocka_unit_test(test_d3d9_parameters),
        cmocka_unit_test(test_d3d9_constant_table),
        cmocka_unit_test(test_d3d9_cut_instructions),
        cmocka_unit_test(test_d3d9_without_parameters),
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_no_instruction_is_no_shader),
        cmocka_unit_test(test_dialect_becomes_genuine),
        cmocka_unit_test(test_damage),
        cmocka_unit_test(test_damage_of_made_shaders),
        cmocka_unit_test(test_immediates_of_64_bits),
    };

    return cmocka_run_group_tests_name("aerogpu_dxbc", tests, NULL, NULL);
}
