/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/decode/command_stream.h"

#include "base/bytes.h"

#include "tests/support/support.h"

#include <string.h>

/* Writes a stream's header, for `size` bytes in all. */
static void begin(uint8_t *bytes, uint32_t size)
{
    memset(bytes, 0, size);
    bytes_put_le32(bytes, AEROGPU_STREAM_MAGIC);
    bytes_put_le32(bytes + 4, 0x00010004);
    bytes_put_le32(bytes + 8, size);
}

static enum aerogpu_error_kind refusal(const uint8_t *bytes, uint64_t size)
{
    struct aerogpu_stream stream;

    return aerogpu_stream_open(&stream, bytes, size) ? AEROGPU_OK : stream.error.kind;
}

static void test_nothing(void **state)
{
    struct aerogpu_command command;
    struct aerogpu_error error;

    (void)state;
    assert_int_equal(refusal(NULL, 0), AEROGPU_BUFFER_TOO_SMALL);
    assert_int_equal(refusal((const uint8_t *)"ACMD", 4), AEROGPU_BUFFER_TOO_SMALL);
    assert_false(aerogpu_dwords_read(NULL, 0, &command, &error));
    assert_int_equal(error.kind, AEROGPU_BUFFER_TOO_SMALL);
}

static void test_headers(void **state)
{
    uint8_t bytes[64];

    (void)state;
    begin(bytes, 24);
    assert_int_equal(refusal(bytes, 24), AEROGPU_OK);
    assert_int_equal(refusal(bytes, 64), AEROGPU_OK);
    assert_int_equal(refusal(bytes, 23), AEROGPU_BUFFER_TOO_SMALL);
    bytes_put_le32(bytes + 8, 20);
    assert_int_equal(refusal(bytes, 64), AEROGPU_BAD_SIZE_BYTES);
    bytes_put_le32(bytes + 8, 26);
    assert_int_equal(refusal(bytes, 64), AEROGPU_SIZE_NOT_ALIGNED);
    bytes_put_le32(bytes + 8, 68);
    assert_int_equal(refusal(bytes, 64), AEROGPU_BUFFER_TOO_SMALL);
    begin(bytes, 24);
    bytes_put_le32(bytes + 4, 0x00010063);
    assert_int_equal(refusal(bytes, 24), AEROGPU_OK);
    bytes_put_le32(bytes + 4, 0x00020000);
    assert_int_equal(refusal(bytes, 24), AEROGPU_ABI);
    bytes[0] = 'B';
    assert_int_equal(refusal(bytes, 24), AEROGPU_BAD_MAGIC);
}

/* Walks over one packet after the header. Returns the error with which the walk ends. */
static enum aerogpu_error_kind walk_one(uint32_t opcode, uint32_t size, uint32_t total,
                                        struct aerogpu_command *command)
{
    static uint8_t bytes[256];
    struct aerogpu_stream stream;

    begin(bytes, total);
    if (total >= 32) {
        bytes_put_le32(bytes + 24, opcode);
        bytes_put_le32(bytes + 28, size);
    }
    assert_true(aerogpu_stream_open(&stream, bytes, total));
    while (aerogpu_stream_next(&stream, command))
        assert_ptr_equal(command->bytes, bytes + 24);
    return stream.error.kind;
}

static void test_framing(void **state)
{
    struct aerogpu_command command = {0};

    (void)state;
    assert_int_equal(walk_one(AEROGPU_NOP, 8, 32, &command), AEROGPU_OK);
    assert_string_equal(command.type->name, "Nop");
    assert_int_equal(walk_one(AEROGPU_NOP, 8, 28, &command), AEROGPU_BUFFER_TOO_SMALL);
    assert_int_equal(walk_one(AEROGPU_NOP, 4, 32, &command), AEROGPU_BAD_SIZE_BYTES);
    assert_int_equal(walk_one(AEROGPU_NOP, 10, 64, &command), AEROGPU_SIZE_NOT_ALIGNED);
    assert_int_equal(walk_one(AEROGPU_NOP, 12, 32, &command), AEROGPU_PACKET_OVERRUNS_STREAM);
    assert_int_equal(walk_one(AEROGPU_NOP, 0xFFFFFFFC, 32, &command),
                     AEROGPU_PACKET_OVERRUNS_STREAM);
    assert_int_equal(walk_one(0xDEAD, 8, 32, &command), AEROGPU_OK);
    assert_null(command.type);
    assert_int_equal(command.opcode, 0xDEAD);
}

static void test_fixed_part_is_required(void **state)
{
    struct aerogpu_command command = {0};

    (void)state;
    for (size_t i = 0; i < aerogpu_type_count; i++) {
        const struct aerogpu_packet_type *type = &aerogpu_types[i];

        if (type->dialect != AEROGPU_A3A0 || type->min_size == 8)
            continue;
        walk_one(type->opcode, type->min_size - 4u, 24u + type->min_size - 4u, &command);
        assert_int_equal(command.error, AEROGPU_PAYLOAD_SIZE_MISMATCH);
        assert_int_equal(command.needed, type->min_size);
        walk_one(type->opcode, type->min_size, 24u + type->min_size, &command);
        assert_ptr_equal(command.type, type);
        assert_int_equal(command.error, AEROGPU_OK);
    }
}

static void test_fields_lie_within_their_packets(void **state)
{
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < aerogpu_type_count; i++) {
        const struct aerogpu_field *fields = aerogpu_type_fields(&aerogpu_types[i], &count);

        assert_ptr_equal(aerogpu_type_find((enum aerogpu_dialect)aerogpu_types[i].dialect,
                                           aerogpu_types[i].opcode),
                         &aerogpu_types[i]);
        for (size_t f = 0; f < count; f++)
            if (aerogpu_types[i].opcode != AEROGPU_BIND_SHADERS)
                assert_true(fields[f].offset <= aerogpu_types[i].min_size);
    }
    assert_null(aerogpu_type_find(AEROGPU_A3A0, 2));
    assert_null(aerogpu_type_find(AEROGPU_APPENDIX_A, 11));
    assert_int_equal(AEROGPU_AT_CREATE_BUFFER_SIZE, 16);
}

/* Checks a packet of 64 bytes whose count is at `at`. */
static void counted(uint8_t *bytes, uint32_t opcode, uint32_t at, uint32_t low, uint32_t high,
                    struct aerogpu_command *command)
{
    struct aerogpu_stream stream;

    begin(bytes, 24 + 64);
    bytes_put_le32(bytes + 24, opcode);
    bytes_put_le32(bytes + 28, 64);
    bytes_put_le32(bytes + 24 + at, low);
    if (high != 0)
        bytes_put_le32(bytes + 24 + at + 4, high);
    assert_true(aerogpu_stream_open(&stream, bytes, 24 + 64));
    assert_true(aerogpu_stream_next(&stream, command));
}

static void test_tails(void **state)
{
    struct aerogpu_command command;
    uint8_t bytes[24 + 64];

    (void)state;
    counted(bytes, AEROGPU_UPLOAD_RESOURCE, 24, 31, 0, &command);
    assert_int_equal(command.error, AEROGPU_OK);
    assert_ptr_equal(command.tail, bytes + 24 + 32);
    assert_int_equal(command.tail_length, 31);
    counted(bytes, AEROGPU_UPLOAD_RESOURCE, 24, 33, 0, &command);
    assert_int_equal(command.error, AEROGPU_PAYLOAD_SIZE_MISMATCH);
    counted(bytes, AEROGPU_UPLOAD_RESOURCE, 24, 0xFFFFFFFF, 0xFFFFFFFF, &command);
    assert_int_equal(command.error, AEROGPU_COUNT_OVERFLOW);
    assert_null(command.tail);
    counted(bytes, AEROGPU_SET_VERTEX_BUFFERS, 12, 3, 0, &command);
    assert_int_equal(command.tail_length, 48);
    assert_int_equal(command.tail_stride, 16);
    counted(bytes, AEROGPU_SET_VERTEX_BUFFERS, 12, 0xFFFFFFFF, 0, &command);
    assert_int_equal(command.error, AEROGPU_PAYLOAD_SIZE_MISMATCH);
    counted(bytes, AEROGPU_SET_SHADER_CONSTANTS_B, 16, 2, 0, &command);
    assert_int_equal(command.tail_stride, 16);
    counted(bytes, AEROGPU_SET_SHADER_CONSTANTS_B, 16, 10, 0, &command);
    assert_int_equal(command.tail_stride, 4);
    assert_int_equal(command.tail_length, 40);
    counted(bytes, AEROGPU_SET_SHADER_CONSTANTS_B, 16, 11, 0, &command);
    assert_int_equal(command.error, AEROGPU_PAYLOAD_SIZE_MISMATCH);
}

static void test_dwords(void **state)
{
    struct aerogpu_command command;
    struct aerogpu_error error;
    uint8_t bytes[20] = {0};

    (void)state;
    bytes_put_le32(bytes, AEROGPU_A_CREATE_BUFFER);
    bytes_put_le32(bytes + 4, 5);
    bytes_put_le32(bytes + 12, 72);
    assert_true(aerogpu_dwords_read(bytes, 20, &command, &error));
    assert_string_equal(command.type->name, "CreateBuffer");
    assert_int_equal(aerogpu_u32(&command, AEROGPU_AT_A_CREATE_BUFFER_SIZE), 72);
    assert_false(aerogpu_dwords_read(bytes, 19, &command, &error));
    assert_int_equal(error.kind, AEROGPU_PACKET_OVERRUNS_STREAM);
    bytes_put_le32(bytes + 4, 0xFFFFFFFF);
    assert_false(aerogpu_dwords_read(bytes, 20, &command, &error));
    bytes_put_le32(bytes + 4, 4);
    assert_true(aerogpu_dwords_read(bytes, 20, &command, &error));
    assert_int_equal(command.error, AEROGPU_PAYLOAD_SIZE_MISMATCH);
    bytes_put_le32(bytes + 4, 1);
    assert_false(aerogpu_dwords_read(bytes, 20, &command, &error));
    assert_int_equal(error.kind, AEROGPU_BAD_SIZE_BYTES);
}

static void test_bind_shaders_has_two_forms(void **state)
{
    struct aerogpu_command command;
    struct aerogpu_shaders shaders;
    uint8_t bytes[40] = {0};

    (void)state;
    for (uint32_t i = 0; i < 7; i++)
        bytes_put_le32(bytes + 8 + 4 * i, 10 + i);
    command = (struct aerogpu_command){.bytes = bytes, .size = 24};
    aerogpu_bind_shaders(&command, &shaders);
    assert_int_equal(shaders.vs, 10);
    assert_int_equal(shaders.gs, 13);
    assert_int_equal(shaders.hs, 0);
    command.size = 36;
    aerogpu_bind_shaders(&command, &shaders);
    assert_int_equal(shaders.gs, 14);
    assert_int_equal(shaders.ds, 16);
}

static void test_stage_ex_needs_abi_1_3(void **state)
{
    struct aerogpu_command command = {.abi_minor = 2};
    enum dxbc_program program = DXBC_VS;

    (void)state;
    assert_true(aerogpu_program_of(&command, AEROGPU_COMPUTE, AEROGPU_EX_HULL, &program));
    assert_int_equal(program, DXBC_CS);
    command.abi_minor = 3;
    assert_true(aerogpu_program_of(&command, AEROGPU_COMPUTE, AEROGPU_EX_HULL, &program));
    assert_int_equal(program, DXBC_HS);
    assert_false(aerogpu_program_of(&command, AEROGPU_COMPUTE, AEROGPU_EX_VERTEX, &program));
    assert_false(aerogpu_program_of(&command, 4, 0, &program));
    assert_true(aerogpu_program_of(&command, AEROGPU_PIXEL, AEROGPU_EX_HULL, &program));
    assert_int_equal(program, DXBC_PS);
}

static void test_names(void **state)
{
    (void)state;
    assert_string_equal(aerogpu_name(AEROGPU_NAMES_FORMAT, AEROGPU_R8G8B8A8), "R8G8B8A8Unorm");
    assert_string_equal(aerogpu_name(AEROGPU_NAMES_TOPOLOGY, 64), "PatchList32");
    assert_null(aerogpu_name(AEROGPU_NAMES_TOPOLOGY, 7));
    assert_null(aerogpu_name(AEROGPU_NAMES_NONE, 0));
    for (int names = 0; names < AEROGPU_NAMES_COUNT; names++)
        assert_null(aerogpu_name((enum aerogpu_names)names, 0xABCDEF));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_framing),
        cmocka_unit_test(test_fixed_part_is_required),
        cmocka_unit_test(test_fields_lie_within_their_packets),
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_dwords),
        cmocka_unit_test(test_bind_shaders_has_two_forms),
        cmocka_unit_test(test_stage_ex_needs_abi_1_3),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
