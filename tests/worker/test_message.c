/* SPDX-License-Identifier: MIT */
#include "worker/message.h"

#include "base/clock.h"
#include "tests/support/support.h"

#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void test_empty(void **state)
{
    struct message_reader reader;

    (void)state;
    message_reader_init(&reader, NULL, 0);
    assert_true(message_read_all(&reader));
    assert_non_null(message_read_bytes(&(struct message_reader){.next = (const uint8_t *)""}, 0));
    assert_int_equal(message_read_u32(&reader), 0);
    assert_true(reader.bad);
    assert_false(message_read_all(&reader));
}

static void test_short(void **state)
{
    static const uint8_t bytes[11] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    struct message_reader reader;

    (void)state;
    message_reader_init(&reader, bytes, sizeof(bytes));
    assert_int_equal(message_read_u64(&reader), 0x0807060504030201);
    assert_int_equal(message_read_u32(&reader), 0);
    assert_true(reader.bad);
    /* After an error nothing more is read, although three bytes are left. */
    assert_null(message_read_bytes(&reader, 1));
    message_reader_init(&reader, bytes, sizeof(bytes));
    assert_null(message_read_bytes(&reader, UINT64_MAX));
    assert_true(reader.bad);
}

static void test_fields(void **state)
{
    struct message_writer writer = {.bytes = NULL};
    struct message_reader reader;

    (void)state;
    message_write_u32(&writer, 0xDEADBEEF);
    message_write_u64(&writer, 0x0123456789ABCDEF);
    message_write_bytes(&writer, NULL, 0);
    message_write_bytes(&writer, "xyz", 3);
    message_patch_u32(&writer, 0, 7);
    message_patch_u32(&writer, 12, 7); /* beyond the end: only three bytes are left */
    assert_false(writer.bad);
    message_reader_init(&reader, writer.bytes, writer.size);
    assert_int_equal(message_read_u32(&reader), 7);
    assert_int_equal(message_read_u64(&reader), 0x0123456789ABCDEF);
    assert_memory_equal(message_read_bytes(&reader, 3), "xyz", 3);
    assert_true(message_read_all(&reader));
    message_writer_free(&writer);
}

static void test_plain_bytes(void **state)
{
    static const struct {
        const char *text;
        size_t plain;
    } rows[] = {{"", 0},        {"a ~\n\tz", 6}, {"ab\rc", 2},
                {"\x1B[1m", 0}, {"a\x7F", 1},    {"\xC3\xBC", 0}};

    (void)state;
    for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
        assert_int_equal(message_plain_bytes((const uint8_t *)rows[n].text, strlen(rows[n].text)),
                         rows[n].plain);
    assert_int_equal(message_plain_bytes(NULL, 0), 0);
}

static void test_no_memory(void **state)
{
    struct message_writer writer = {.bytes = NULL};

    (void)state;
    support_fail_allocation(0);
    message_write_u32(&writer, 1);
    support_fail_allocation(-1);
    assert_true(writer.bad);
    message_write_u32(&writer, 1);
    assert_int_equal(writer.size, 0);
    message_writer_free(&writer);
}

static void test_header(void **state)
{
    const struct message_header header = {
        .kind = 0x1234, .serial = 0xFEDCBA98, .status = -5, .size = UINT64_C(1) << 40};
    struct message_header back;
    uint8_t bytes[MESSAGE_HEADER];

    (void)state;
    message_write_header(&header, bytes);
    assert_int_equal(message_read_header(bytes, &back), 0);
    assert_int_equal(back.kind, header.kind);
    assert_int_equal(back.serial, header.serial);
    assert_int_equal(back.status, -5);
    assert_int_equal(back.size, header.size);
    for (int i = 0; i < 6; i++) {
        bytes[i] ^= 1;
        assert_int_equal(message_read_header(bytes, &back), -EPROTO);
        bytes[i] ^= 1;
    }
}

static long peak_kib(void)
{
    struct rusage usage;

    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

/* Memory is allocated for bytes that arrive, not for bytes that are announced. */
static void test_announced_bytes_take_no_memory(void **state)
{
    const struct message_header header = {.kind = 1, .size = 512 << 20};
    struct message_wait wait = {.deadline = clock_ms() + 100};
    struct message_header back;
    struct blob *payload;
    uint8_t bytes[MESSAGE_HEADER + 100] = {0};
    uint64_t received;
    int pair[2];
    long before = peak_kib();

    (void)state;
    if (support_stride() > 1)
        support_skip("a sanitizer has an allocator of its own");
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    message_write_header(&header, bytes);
    assert_int_equal(write(pair[0], bytes, sizeof(bytes)), sizeof(bytes));
    assert_int_equal(message_receive(pair[1], header.size, &wait, &back, &payload, &received),
                     -ETIMEDOUT);
    assert_null(payload);
    assert_int_equal(received, sizeof(bytes));
    assert_true(peak_kib() - before < 64 << 10);
    close(pair[0]);
    close(pair[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_short),
        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_plain_bytes),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_header),
        cmocka_unit_test(test_announced_bytes_take_no_memory),
    };

    return cmocka_run_group_tests_name("worker_message", tests, NULL, NULL);
}
