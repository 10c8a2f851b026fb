/* SPDX-License-Identifier: MIT */
/*
 * Bytes that arrive while they are read: the array is the same however the bytes are divided, and
 * no thread waits without end.
 */
#include "config.h"

#include "source/growing_source.h"

#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

enum { MAX = 1 << 20, WAIT_MS = 10000 };

static char *folder;
static struct problems *problems;
static struct growing_source *growth;
static int writer;
static atomic_bool lost;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    writer = -1;
    atomic_store(&lost, false);
    return problems_create(&problems);
}

static int tear_down(void **state)
{
    (void)state;
    growing_source_destroy(&growth);
    if (writer >= 0)
        close(writer);
    problems_destroy(&problems);
    support_remove(&folder);
    return 0;
}

static void open_pipe(uint64_t max)
{
    const struct growing_source_params params = {
        .max = max, .spool_dir = folder, .problems = problems, .lost = &lost};
    int ends[2];

    assert_int_equal(pipe(ends), 0);
    writer = ends[1];
    assert_int_equal(growing_source_create(ends[0], &params, &growth), 0);
}

static void feed(const void *bytes, size_t size)
{
    assert_int_equal(write(writer, bytes, size), (ssize_t)size);
}

static void shut(void)
{
    close(writer);
    writer = -1;
}

static void wait_for(uint64_t size)
{
    for (int ms = 0; growing_source_size(growth) < size && ms < WAIT_MS; ms += 10)
        growing_source_wait(growth, growing_source_size(growth), 10);
    assert_int_equal(growing_source_size(growth), size);
}

static void wait_for_end(void)
{
    for (int ms = 0; !growing_source_has_ended(growth) && ms < WAIT_MS; ms += 10)
        growing_source_wait(growth, UINT64_MAX, 10);
    assert_true(growing_source_has_ended(growth));
}

static void test_nothing(void **state)
{
    (void)state;
    open_pipe(MAX);
    assert_int_equal(growing_source_fill(growth, 1, 0, NULL), 0);
    assert_int_equal(growing_source_size(growth), 0);
    assert_false(growing_source_has_ended(growth));
    shut();
    assert_int_equal(growing_source_fill(growth, 1, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 0);
    assert_true(growing_source_has_ended(growth));
    growing_source_destroy(&growth);
    growing_source_destroy(&growth);
}

static void test_a_few_bytes(void **state)
{
    (void)state;
    open_pipe(MAX);
    feed("abc", 3);
    shut();
    assert_int_equal(growing_source_fill(growth, 16, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 3);
    assert_memory_equal(growing_source_data(growth), "abc", 3);
    assert_int_equal(growing_source_container(growth), SOURCE_PLAIN);
}

static void test_a_cancel_ends_the_wait(void **state)
{
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    open_pipe(MAX);
    assert_int_equal(growing_source_fill(growth, 1, -1, &cancel), -EINTR);
}

static void test_pieces_are_one_array(void **state)
{
    uint8_t bytes[100000];
    const uint8_t *data;
    uint64_t random = 5;
    size_t at = 16;

    (void)state;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)support_random(&random);
    open_pipe(MAX);
    feed(bytes, at);
    assert_int_equal(growing_source_fill(growth, at, -1, NULL), 0);
    data = growing_source_data(growth);
    assert_int_equal(growing_source_start(growth), 0);
    while (at < sizeof(bytes)) {
        size_t piece = 1 + support_random(&random) % 9000;

        piece = piece < sizeof(bytes) - at ? piece : sizeof(bytes) - at;
        feed(bytes + at, piece);
        at += piece;
        wait_for(at);
        assert_ptr_equal(growing_source_data(growth), data);
        assert_memory_equal(data, bytes, at);
    }
    shut();
    wait_for_end();
    assert_int_equal(growing_source_size(growth), sizeof(bytes));
    assert_int_equal(problems_count(problems), 0);
}

/* Packs a text as a member of a gzip stream. Returns its size. */
static size_t pack(const char *text, uint8_t *out, size_t room)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)text,
                       .avail_in = (uInt)strlen(text),
                       .next_out = out,
                       .avail_out = (uInt)room};

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static void test_members_of_a_container_byte_by_byte(void **state)
{
    uint8_t packed[256];
    size_t size = pack("one and ", packed, sizeof(packed));

    (void)state;
    size += pack("another", packed + size, sizeof(packed) - size);
    open_pipe(MAX);
    for (size_t i = 0; i < size; i++) {
        feed(packed + i, 1);
        assert_int_equal(growing_source_fill(growth, UINT64_MAX, 2, NULL), 0);
    }
    shut();
    assert_int_equal(growing_source_fill(growth, UINT64_MAX, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 15);
    assert_memory_equal(growing_source_data(growth), "one and another", 15);
    assert_int_equal(growing_source_container(growth), SOURCE_GZIP);
    assert_int_equal(problems_count(problems), 0);
}

static void test_damaged_containers_are_told(void **state)
{
    uint8_t packed[256];
    size_t size = pack("something to be packed", packed, sizeof(packed));

    (void)state;
    for (size_t cut = 9; cut < size; cut++) {
        open_pipe(MAX);
        feed(packed, cut);
        shut();
        assert_int_equal(growing_source_fill(growth, UINT64_MAX, -1, NULL), 0);
        assert_true(growing_source_has_ended(growth));
        assert_true(problems_any(problems, PROBLEM_ERROR));
        growing_source_destroy(&growth);
    }
    open_pipe(MAX);
    feed(packed, size);
    feed("garbage behind", 14);
    shut();
    assert_int_equal(growing_source_fill(growth, UINT64_MAX, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 22);
    assert_true(growing_source_has_ended(growth));
}

static void test_a_wrong_checksum_tells_of_all_before_it(void **state)
{
    static const char doubt[] =
        "the expanded data may be wrong from byte 22 on; the dump could be read";
    struct text text = TEXT_INIT;
    uint8_t packed[512];
    size_t size = pack("something to be packed", packed, sizeof(packed));

    (void)state;
    memcpy(packed + size, packed, size);
    packed[2 * size - 8] ^= 1;
    open_pipe(MAX);
    feed(packed, 2 * size);
    shut();
    assert_int_equal(growing_source_fill(growth, UINT64_MAX, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 44);
    problems_write(problems, &text);
    text_add_char(&text, '\0');
    assert_non_null(strstr(text.bytes, doubt));
    text_clear(&text);
}

static void test_the_cap_ends_it(void **state)
{
    uint8_t bytes[5000] = {1};

    (void)state;
    open_pipe(4096);
    feed(bytes, 4096);
    assert_int_equal(growing_source_fill(growth, 4096, -1, NULL), 0);
    assert_int_equal(growing_source_start(growth), 0);
    assert_false(growing_source_has_ended(growth));
    feed(bytes, 100);
    wait_for_end();
    assert_int_equal(growing_source_size(growth), 4096);
    assert_true(problems_any(problems, PROBLEM_ERROR));
}

/*
 * Until the reader has passed the bytes that came, the source takes no more than the lag and what
 * fits into the pipe.
 */
static void test_a_writer_waits_for_the_reader(void **state)
{
    size_t size = 4 << 20, fed = 0;
    uint8_t *bytes = calloc(1, size);
    const struct timespec pause = {.tv_nsec = 20000000};
    int quiet = 0;

    (void)state;
    open_pipe((uint64_t)1 << 30);
    feed("0123456789abcdef", 16);
    assert_int_equal(growing_source_fill(growth, 16, -1, NULL), 0);
    assert_int_equal(growing_source_start(growth), 0);
    assert_int_equal(fcntl(writer, F_SETFL, O_NONBLOCK), 0);
    while (quiet < 20 && fed < (size_t)GROWING_SOURCE_LAG * 2) {
        ssize_t written = write(writer, bytes, size);

        quiet = written > 0 ? 0 : quiet + 1;
        fed += written > 0 ? (size_t)written : 0;
        if (written <= 0)
            nanosleep(&pause, NULL);
    }
    assert_in_range(fed, GROWING_SOURCE_LAG, (size_t)GROWING_SOURCE_LAG + (4 << 20));
    growing_source_pass(growth, growing_source_size(growth));
    wait_for(16 + fed); /* the bytes in the pipe are taken now */
    free(bytes);
}

static void test_a_file_grows_where_it_is(void **state)
{
    char *path = support_path(folder, "growing");
    const struct growing_source_params params = {
        .path = path, .max = MAX, .spool_dir = folder, .problems = problems, .lost = &lost};

    (void)state;
    support_write(path, "0123456789", 10);
    assert_int_equal(growing_source_create(open(path, O_RDONLY | O_CLOEXEC), &params, &growth), 0);
    assert_int_equal(growing_source_fill(growth, 10, -1, NULL), 0);
    assert_int_equal(growing_source_start(growth), 0);
    writer = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    feed("abc", 3);
    wait_for(13);
    assert_memory_equal(growing_source_data(growth), "0123456789abc", 13);
    assert_int_equal(ftruncate(writer, 5), 0);
    wait_for_end();
    assert_true(atomic_load(&lost));
    assert_int_equal(growing_source_size(growth), 13);
    free(path);
}

static void test_no_place_for_the_spool(void **state)
{
    const struct growing_source_params params = {
        .max = MAX, .spool_dir = "/nowhere/at/all", .problems = problems, .lost = &lost};
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    writer = ends[1];
    feed("0123456789", 10);
    assert_int_equal(growing_source_create(ends[0], &params, &growth), 0);
    assert_int_equal(growing_source_fill(growth, 10, -1, NULL), -ENOENT);
    assert_true(problems_any(problems, PROBLEM_ERROR));
}

/* With little address space fewer bytes are read, and a problem reports that there are more. */
static void test_address_space_is_limited(void **state)
{
    const uint64_t mib = 1 << 20;
    char *path = support_path(folder, "long");
    const struct growing_source_params params = {
        .path = path, .max = 8192 * mib, .spool_dir = folder, .problems = problems, .lost = &lost};

    (void)state;
    support_write(path, "x", 1);
    assert_int_equal(truncate(path, (off_t)(40 * mib)), 0);
    support_limit_space(64 * mib);
    assert_int_equal(growing_source_create(open(path, O_RDONLY | O_CLOEXEC), &params, &growth), 0);
    assert_int_equal(growing_source_fill(growth, UINT64_MAX, -1, NULL), 0);
    support_limit_space(0);
    assert_true(growing_source_has_ended(growth));
    assert_true(growing_source_size(growth) >= 16 * mib);
    assert_true(growing_source_size(growth) <= 32 * mib);
    assert_int_equal(growing_source_data(growth)[0], 'x');
    assert_int_equal(growing_source_data(growth)[growing_source_size(growth) - 1], 0);
    assert_true(problems_any(problems, PROBLEM_ERROR));
    free(path);
}

/* The default cap is larger than the address space on a 32-bit machine. */
static void test_the_cap_may_be_beyond_the_address_space(void **state)
{
    char *path = support_path(folder, "small");
    const struct growing_source_params params = {
        .path = path, .max = 8ULL << 30, .spool_dir = folder, .problems = problems, .lost = &lost};

    (void)state;
    support_write(path, "0123456789", 10);
    assert_int_equal(growing_source_create(open(path, O_RDONLY | O_CLOEXEC), &params, &growth), 0);
    assert_int_equal(growing_source_fill(growth, 10, -1, NULL), 0);
    assert_int_equal(growing_source_size(growth), 10);
    assert_memory_equal(growing_source_data(growth), "0123456789", 10);
    free(path);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        const struct growing_source_params params = {
            .max = MAX, .spool_dir = folder, .problems = problems, .lost = &lost};
        uint8_t packed[64];
        size_t size = pack("packed", packed, sizeof(packed));
        int ends[2], status;

        assert_int_equal(pipe(ends), 0);
        writer = ends[1];
        feed(packed, size);
        shut();
        support_fail_allocation(n);
        status = growing_source_create(ends[0], &params, &growth);
        if (status == 0)
            status = growing_source_fill(growth, UINT64_MAX, -1, NULL);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        growing_source_destroy(&growth);
    }
    support_fail_allocation(-1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_few_bytes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cancel_ends_the_wait, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pieces_are_one_array, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_members_of_a_container_byte_by_byte, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_containers_are_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_wrong_checksum_tells_of_all_before_it, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_the_cap_ends_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_writer_waits_for_the_reader, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_file_grows_where_it_is, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_place_for_the_spool, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_address_space_is_limited, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_cap_may_be_beyond_the_address_space, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_memory_runs_out, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
