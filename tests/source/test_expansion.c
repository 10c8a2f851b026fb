/* SPDX-License-Identifier: MIT */
/*
 * Dumps in containers that are complete, cut off or damaged, and the spool into which they are
 * expanded.
 */
#include "config.h"

#include "tests/source/source_play.h"

#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static void test_expanded(void **state)
{
    static const size_t sizes[] = {0, 1, 1000, 1500000};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers) * COUNT_OF(sizes); i++) {
        struct bytes plain = source_play_sample(sizes[i / COUNT_OF(source_play_containers)]);
        struct bytes packed =
            source_play_containers[i % COUNT_OF(source_play_containers)].pack(plain);

        source_play_open(packed.data, packed.size);
        assert_int_equal(opened.source->container,
                         source_play_containers[i % COUNT_OF(source_play_containers)].container);
        assert_string_equal(source_container_name(opened.source->container),
                            source_play_containers[i % COUNT_OF(source_play_containers)].name);
        source_play_assert(plain, plain.size);
        assert_int_equal(problems_count(opened.problems), 0);
        assert_int_equal(source_play_names(), 1); /* the spool has no name */
        free(plain.data);
        free(packed.data);
    }
    assert_string_equal(source_container_name(SOURCE_PLAIN), "plain");
}

static void test_raw_containers_stay_as_they_are(void **state)
{
    (void)state;
    opened.params.raw = true;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(1000);
        struct bytes packed = source_play_containers[i].pack(plain);

        source_play_open(packed.data, packed.size);
        assert_int_equal(opened.source->container, SOURCE_PLAIN);
        assert_int_equal(opened.source->size, packed.size);
        assert_memory_equal(opened.source->data, packed.data, packed.size);
        free(plain.data);
        free(packed.data);
    }
}

/* Returns `a`, then `size` bytes of `middle`, then `b`. */
static struct bytes join(struct bytes a, const char *middle, size_t size, struct bytes b)
{
    struct bytes joined = {malloc(a.size + size + b.size + 1), a.size + size + b.size};

    memcpy(joined.data, a.data, a.size);
    memcpy(joined.data + a.size, middle, size);
    memcpy(joined.data + a.size + size, b.data, b.size);
    return joined;
}

static void test_several_streams(void **state)
{
    static const char zeros[8], skippable[] = "\x5F\x2A\x4D\x18\3\0\0\0xyz";

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        bool zstd = source_play_containers[i].container == SOURCE_ZSTD;
        struct bytes plain = source_play_sample(400000), none = {(uint8_t *)"", 0};
        struct bytes first = source_play_containers[i].pack((struct bytes){plain.data, 150000});
        struct bytes second =
            source_play_containers[i].pack((struct bytes){plain.data + 150000, 250000});
        struct bytes joined = join(first, zstd ? skippable : zeros, zstd ? 11 : 8, second);

        source_play_open(joined.data, joined.size);
        source_play_assert(plain, plain.size);
        assert_int_equal(problems_count(opened.problems), 0);
        free(joined.data);

        joined = join(first, zstd ? skippable : zeros, zstd ? 11 : 8, none);
        source_play_open(joined.data, joined.size);
        source_play_assert(plain, 150000);
        assert_int_equal(problems_count(opened.problems), 0);
        free(joined.data);

        joined = join(first, "garbage", 7, second);
        source_play_open(joined.data, joined.size);
        source_play_assert(plain, 150000);
        assert_int_equal(problems_count(opened.problems), 1);
        assert_true(source_play_says("warning"));
        free(joined.data);
        free(first.data);
        free(second.data);
        free(plain.data);
    }
}

static void test_skippable_frame_first(void **state)
{
    struct bytes plain = source_play_sample(1000), none = {(uint8_t *)"", 0};
    struct bytes packed = source_play_zstd(plain);
    struct bytes joined = join(none, "\x50\x2A\x4D\x18\4\0\0\0abcd", 12, packed);

    (void)state;
    source_play_open(joined.data, joined.size);
    assert_int_equal(opened.source->container, SOURCE_ZSTD);
    source_play_assert(plain, plain.size);
    joined.data[5] = 0xFF; /* a frame longer than the file */
    source_play_open(joined.data, joined.size);
    assert_int_equal(opened.source->container, SOURCE_PLAIN);
    free(joined.data);
    free(packed.data);
    free(plain.data);
}

static void test_cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(300000);
        struct bytes packed = source_play_containers[i].pack(plain);
        size_t max = 0;

        for (size_t cut = 12; cut < packed.size; cut += packed.size / 40 + 1) {
            source_play_open(packed.data, cut);
            assert_int_equal(opened.source->container, source_play_containers[i].container);
            source_play_assert(plain, opened.source->size);
            assert_true(opened.source->size >= max);
            max = opened.source->size;
            assert_int_equal(problems_count(opened.problems), 1);
            assert_true(source_play_says("error"));
            assert_true(source_play_says("cut off"));
        }
        assert_true(max > 250000);
        free(plain.data);
        free(packed.data);
    }
}

static void test_damaged_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes plain = source_play_sample(100000);
        struct bytes packed = source_play_containers[i].pack(plain);
        unsigned noticed = 0, tried = 0;

        for (size_t at = 10; at < packed.size; at += packed.size / 60 + 1, tried++) {
            packed.data[at] ^= 0x55;
            source_play_open(packed.data, packed.size);
            noticed += problems_count(opened.problems) > 0;
            packed.data[at] ^= 0x55;
        }
        assert_int_equal(noticed, tried); /* all three containers have checksums */
        free(plain.data);
        free(packed.data);
    }
}

/* A raw block is followed by a block of an unknown type: the bytes of the first block are there. */
static void test_wrong_block_behind_another(void **state)
{
    static const uint8_t head[] = {0x28, 0xB5, 0x2F, 0xFD, 0xA0, 2000 & 0xFF, 2000 >> 8, 0, 0};
    static const uint8_t first[] = {0x40, 0x1F, 0}, second[] = {0x47, 0x1F, 0}; /* 1000 bytes */
    struct bytes plain = source_play_sample(1000);
    uint8_t packed[sizeof(head) + sizeof(first) + 1000 + sizeof(second) + 1000] = {0}, *at = packed;

    (void)state;
    at = mempcpy(at, head, sizeof(head));
    at = mempcpy(at, first, sizeof(first));
    at = mempcpy(at, plain.data, plain.size);
    memcpy(at, second, sizeof(second));
    source_play_open(packed, sizeof(packed));
    assert_int_equal(opened.source->container, SOURCE_ZSTD);
    source_play_assert(plain, plain.size);
    assert_int_equal(problems_count(opened.problems), 1);
    assert_true(source_play_says("is damaged"));
    free(plain.data);
}

/*
 * All bytes that the decoder produced before it found the error are shown, even if one call
 * produced them.
 */
static void test_wrong_check_sum(void **state)
{
    static const size_t sizes[] = {1000, 300000, 1500000};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        struct bytes plain = source_play_sample(sizes[i]);
        struct bytes packed = source_play_zstd(plain);

        packed.data[packed.size - 1] ^= 0x55;
        source_play_open(packed.data, packed.size);
        assert_int_equal(opened.source->container, SOURCE_ZSTD);
        source_play_assert(plain, plain.size);
        assert_int_equal(problems_count(opened.problems), 1);
        assert_true(source_play_says("is damaged"));
        free(plain.data);
        free(packed.data);
    }
}

/*
 * If a checksum is wrong, all bytes are there, but may be wrong from the beginning of their stream
 * on.
 */
static void test_a_wrong_checksum_tells_of_all_before_it(void **state)
{
    static const size_t from_end[SOURCE_PLAY_CONTAINERS] = {1, 1, 8};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes before = source_play_sample(1000), plain = source_play_sample(400000);
        struct bytes first = source_play_containers[i].pack(before);
        struct bytes second = source_play_containers[i].pack(plain);
        struct bytes joined = join(first, "", 0, second);

        second.data[second.size - from_end[i]] ^= 1;
        joined.data[joined.size - from_end[i]] ^= 1;
        source_play_open(second.data, second.size);
        source_play_assert(plain, plain.size);
        assert_true(
            source_play_says("may be wrong from byte 0 on; the dump could be read up to here"));
        source_play_open(joined.data, joined.size);
        assert_int_equal(opened.source->size, before.size + plain.size);
        assert_true(source_play_says("may be wrong from byte 1000 on"));
        free(joined.data);
        free(second.data);
        free(first.data);
        free(plain.data);
        free(before.data);
    }
}

/*
 * The disk does not return a part of the spool: here the spool is cut off, which only root can do.
 */
static void test_spool_is_lost(void **state)
{
    struct bytes plain = source_play_sample(400000);
    struct bytes packed = source_play_zstd(plain);
    char name[80];
    int fd;

    (void)state;
    source_play_open(packed.data, packed.size);
    snprintf(name, sizeof(name), "/proc/self/map_files/%lx-%lx", (unsigned long)opened.source->data,
             (unsigned long)opened.source->data + (400000 + 4095) / 4096 * 4096);
    fd = open(name, O_RDWR);
    free(packed.data);
    free(plain.data);
    if (fd < 0)
        support_skip("mapped files cannot be opened");
    assert_int_equal(ftruncate(fd, 0), 0);
    close(fd);
    assert_int_equal(source_check(opened.source), SOURCE_INTACT);
    assert_int_equal(opened.source->data[300000], 0);
    assert_int_equal(source_check(opened.source), SOURCE_UNREADABLE);
}

struct progress {
    uint64_t done, total;
    unsigned calls;
    struct cancel *cancel;
};

static void note_progress(void *context, uint64_t done, uint64_t total)
{
    struct progress *progress = context;

    assert_true(done >= progress->done && done <= total);
    progress->done = done;
    progress->total = total;
    if (++progress->calls == 3 && progress->cancel != NULL)
        cancel_raise(progress->cancel);
}

static void test_progress_and_cancel(void **state)
{
    struct bytes plain = source_play_sample(3000000);
    struct bytes packed = source_play_gzip(plain);
    struct progress progress = {0};
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    opened.params.progress = note_progress;
    opened.params.progress_context = &progress;
    source_play_open(packed.data, packed.size);
    assert_true(progress.calls > 3);
    assert_int_equal(progress.done, packed.size);
    assert_int_equal(progress.total, packed.size);
    source_close(&opened.source);

    progress = (struct progress){.cancel = &cancel};
    opened.params.cancel = &cancel;
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                     -EINTR);
    assert_int_equal(progress.calls, 3);
    assert_null(opened.source);
    free(plain.data);
    free(packed.data);
}

static void test_no_spool_folder(void **state)
{
    struct bytes plain = source_play_sample(1000);
    struct bytes packed = source_play_xz(plain);

    (void)state;
    support_write(opened.path, packed.data, packed.size);
    opened.params.spool_dir = "/nonexistent/spool";
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                     -ENOENT);
    assert_null(opened.source);
    assert_true(source_play_says("/nonexistent/spool"));
    free(plain.data);
    free(packed.data);
}

/* A limit on the size of files has the effect of a full disk. */
static void test_spool_is_full(void **state)
{
    struct bytes plain = source_play_sample(2000000);
    struct bytes packed = source_play_zstd(plain);
    struct rlimit before, limit;

    (void)state;
    support_write(opened.path, packed.data, packed.size);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(source_open(opened.path, &opened.params, opened.problems, &opened.source),
                     -EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_null(opened.source);
    assert_true(source_play_says("cannot expand into"));
    assert_int_equal(source_play_names(), 1);
    free(plain.data);
    free(packed.data);
}

static void test_no_memory(void **state)
{
    struct bytes plain = source_play_sample(1000);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(source_play_containers); i++) {
        struct bytes packed = source_play_containers[i].pack(plain);

        support_write(opened.path, packed.data, packed.size);
        for (int n = 0; n == 0 || support_allocation_failed(); n++) {
            int status;

            support_fail_allocation(n);
            status = source_open(opened.path, &opened.params, opened.problems, &opened.source);
            assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
            source_close(&opened.source);
        }
        support_fail_allocation(-1);
        free(packed.data);
    }
    free(plain.data);
}

static void test_recording_of_the_corpus(void **state)
{
    char *recording = support_corpus("psx/real/tetris.psxgpu.zst");
    size_t size;
    uint8_t *bytes = support_read_zst(recording, &size);

    (void)state;
    assert_int_equal(source_open(recording, &opened.params, opened.problems, &opened.source), 0);
    assert_int_equal(opened.source->container, SOURCE_ZSTD);
    assert_int_equal(opened.source->size, size);
    assert_memory_equal(opened.source->data, bytes, size);
    assert_int_equal(problems_count(opened.problems), 0);
    free(bytes);
    free(recording);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, source_play_begin, source_play_end)
    const struct CMUnitTest tests[] = {
        TEST(test_expanded),
        TEST(test_raw_containers_stay_as_they_are),
        TEST(test_several_streams),
        TEST(test_skippable_frame_first),
        TEST(test_cut_off_anywhere),
        TEST(test_damaged_anywhere),
        TEST(test_wrong_block_behind_another),
        TEST(test_wrong_check_sum),
        TEST(test_a_wrong_checksum_tells_of_all_before_it),
        TEST(test_spool_is_lost),
        TEST(test_progress_and_cancel),
        TEST(test_no_spool_folder),
        TEST(test_spool_is_full),
        TEST(test_no_memory),
        TEST(test_recording_of_the_corpus),
    };

    return cmocka_run_group_tests_name("source_expansion", tests, NULL, NULL);
}
