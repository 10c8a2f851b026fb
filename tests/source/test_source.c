/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "source/source.h"
#include "source/spool.h"

#include "tests/support/support.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

static char *folder, *path;
static struct problems *problems;
static struct source *source;
static struct source_params params;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    path = support_path(folder, "dump");
    params = (struct source_params){.max_expand = 1 << 30, .spool_dir = folder};
    return problems_create(&problems);
}

static int tear_down(void **state)
{
    (void)state;
    source_close(&source);
    problems_destroy(&problems);
    free(path);
    support_remove(&folder);
    return 0;
}

/* A sample that compresses, but not to nothing. */
static struct bytes make_sample(size_t size)
{
    struct bytes sample = {malloc(size + 1), size};
    uint64_t random = 99;

    for (size_t i = 0; i < size; i++)
        sample.data[i] = (uint8_t)(support_random(&random) % 23 * (i / 5000 + 1));
    return sample;
}

static struct bytes pack_zstd(struct bytes plain)
{
    struct bytes packed = {malloc(ZSTD_compressBound(plain.size)), 0};
    ZSTD_CCtx *context = ZSTD_createCCtx();

    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    packed.size = ZSTD_compress2(context, packed.data, ZSTD_compressBound(plain.size), plain.data,
                                 plain.size);
    assert_false(ZSTD_isError(packed.size));
    ZSTD_freeCCtx(context);
    return packed;
}

static struct bytes pack_xz(struct bytes plain)
{
    size_t room = lzma_stream_buffer_bound(plain.size);
    struct bytes packed = {malloc(room), 0};

    assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL, plain.data, plain.size,
                                             packed.data, &packed.size, room),
                     LZMA_OK);
    return packed;
}

static struct bytes pack_gzip(struct bytes plain)
{
    struct bytes packed = {malloc(plain.size + 1000), 0};
    z_stream stream = {0};

    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    stream.next_in = plain.data;
    stream.avail_in = (uInt)plain.size;
    stream.next_out = packed.data;
    stream.avail_out = (uInt)plain.size + 1000;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed.size = stream.total_out;
    deflateEnd(&stream);
    return packed;
}

static const struct {
    struct bytes (*pack)(struct bytes plain);
    enum source_container container;
    const char *name;
} containers[] = {
    {pack_zstd, SOURCE_ZSTD, "zstd"},
    {pack_xz, SOURCE_XZ, "xz"},
    {pack_gzip, SOURCE_GZIP, "gzip"},
};

static void open_bytes(const void *data, size_t size)
{
    source_close(&source);
    problems_destroy(&problems);
    assert_int_equal(problems_create(&problems), 0);
    support_write(path, data, size);
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    assert_int_equal(source->file_size, size);
}

static bool problem_says(const char *part)
{
    struct text text = TEXT_INIT;
    bool found;

    problems_write(problems, &text);
    text_add_char(&text, '\0');
    found = strstr(text.bytes, part) != NULL;
    if (!found)
        print_message("problems: %s\n", text.bytes);
    text_clear(&text);
    return found;
}

static void assert_contents(struct bytes plain, size_t size)
{
    assert_int_equal(source->size, size);
    assert_true(size <= plain.size);
    if (size > 0)
        assert_memory_equal(source->data, plain.data, size);
}

static void test_empty_file(void **state)
{
    (void)state;
    open_bytes("", 0);
    assert_null(source->data);
    assert_int_equal(source->size, 0);
    assert_int_equal(source->container, SOURCE_PLAIN);
    assert_false(source->is_folder);
    source_close(&source);
    assert_null(source);
    source_close(&source);
}

static void test_plain_file(void **state)
{
    struct stat status;
    char *real;

    (void)state;
    open_bytes("plain contents", 14);
    assert_memory_equal(source->data, "plain contents", 14);
    assert_int_equal(source->size, 14);
    assert_int_equal(source->container, SOURCE_PLAIN);
    assert_int_equal(problems_count(problems), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_memory_equal(&source->mtime, &status.st_mtim, sizeof(source->mtime));
    real = realpath(path, NULL);
    assert_string_equal(source->path, real);
    assert_string_equal(source_basename(source), "dump");
    free(real);
}

static void test_short_files_are_plain(void **state)
{
    static const uint8_t beginnings[][8] = {{0x28, 0xB5, 0x2F, 0xFD},
                                            {0xFD, '7', 'z', 'X', 'Z', 0},
                                            {0x1F, 0x8B, 8},
                                            {0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0}};
    static const size_t lengths[] = {3, 5, 2, 8};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(beginnings); i++)
        for (size_t length = 1; length <= lengths[i]; length++) {
            open_bytes(beginnings[i], length);
            assert_int_equal(source->container, SOURCE_PLAIN);
            assert_int_equal(source->size, length);
        }
}

/* What another program cuts off reads as zeros, and the process lives. */
static void test_shortened_while_open(void **state)
{
    enum { PAGES = 16, PAGE = 4096 };
    static uint8_t bytes[PAGES * PAGE];

    (void)state;
    memset(bytes, 0x5A, sizeof(bytes));
    open_bytes(bytes, sizeof(bytes));
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_int_equal(truncate(path, 3 * PAGE), 0);
    assert_int_equal(source->data[3 * PAGE - 1], 0x5A);
    assert_int_equal(source_state(source), SOURCE_INTACT);
    for (size_t i = 3 * PAGE; i < sizeof(bytes); i += 512)
        assert_int_equal(source->data[i], 0);
    assert_int_not_equal(source_state(source), SOURCE_INTACT);
    assert_int_equal(source_check(source), SOURCE_SHORTENED);
    assert_int_equal(source_state(source), SOURCE_SHORTENED);
}

static void test_folder_and_siblings(void **state)
{
    static const char *const bad[] = {"", ".", "..", "a/b", "/dump", "dump/"};
    struct source *sibling = NULL;
    char *other = support_path(folder, "other");

    (void)state;
    support_write(path, "dump", 4);
    support_write(other, "other", 5);
    assert_int_equal(source_open(folder, &params, problems, &source), 0);
    assert_true(source->is_folder);
    assert_null(source->data);
    assert_int_equal(source_open_sibling(source, "other", &params, problems, &sibling), 0);
    assert_memory_equal(sibling->data, "other", 5);
    source_close(&source);
    assert_int_equal(source_open_sibling(sibling, "dump", &params, problems, &source), 0);
    assert_memory_equal(source->data, "dump", 4);
    source_close(&sibling);
    assert_int_equal(source_open_sibling(source, "none", &params, problems, &sibling), -ENOENT);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        assert_int_equal(source_open_sibling(source, bad[i], &params, problems, &sibling), -EINVAL);
    assert_null(sibling);
    free(other);
}

/* By a descriptor of what the name was; what lies beside it is no link, whatever it was. */
static void test_opened_file(void **state)
{
    char *moved = support_path(folder, "moved"), *link = support_path(folder, "link");
    struct source_file file = {.no_links = true};
    struct source *sibling = NULL;

    (void)state;
    support_write(path, "first", 5);
    file.fd = open(path, O_RDONLY);
    file.folder = open(folder, O_RDONLY | O_DIRECTORY);
    assert_true(file.fd >= 0 && file.folder >= 0);
    assert_int_equal(rename(path, moved), 0);
    support_write(path, "second", 6);
    assert_int_equal(symlink("moved", link), 0);
    params.file = &file;
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    assert_int_equal(source->size, 5);
    assert_memory_equal(source->data, "first", 5);
    assert_string_equal(source->path, path);
    params.file = NULL;
    close(file.fd);
    assert_int_equal(source_open_sibling(source, "link", &params, problems, &sibling), -ELOOP);
    assert_null(sibling);
    assert_int_equal(source_open_sibling(source, "dump", &params, problems, &sibling), 0);
    assert_memory_equal(sibling->data, "second", 6);
    source_close(&source);
    assert_int_equal(source_open_sibling(sibling, "link", &params, problems, &source), -ELOOP);
    source_close(&sibling);
    close(file.folder);
    free(moved);
    free(link);
}

static void test_what_cannot_be_opened(void **state)
{
    (void)state;
    assert_int_equal(source_open(path, &params, problems, &source), -ENOENT);
    assert_null(source);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(source_open(path, &params, problems, &source), -EINVAL);
    assert_int_equal(source_open("/dev/null", &params, problems, &source), -EINVAL);
    assert_null(source);
}

static size_t count_names(void)
{
    DIR *listing = opendir(folder);
    size_t names = 0;

    while (readdir(listing) != NULL)
        names++;
    closedir(listing);
    return names - 2;
}

static void test_expanded(void **state)
{
    static const size_t sizes[] = {0, 1, 1000, 1500000};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers) * COUNT_OF(sizes); i++) {
        struct bytes plain = make_sample(sizes[i / COUNT_OF(containers)]);
        struct bytes packed = containers[i % COUNT_OF(containers)].pack(plain);

        open_bytes(packed.data, packed.size);
        assert_int_equal(source->container, containers[i % COUNT_OF(containers)].container);
        assert_string_equal(source_container_name(source->container),
                            containers[i % COUNT_OF(containers)].name);
        assert_contents(plain, plain.size);
        assert_int_equal(problems_count(problems), 0);
        assert_int_equal(count_names(), 1); /* the spool has no name */
        free(plain.data);
        free(packed.data);
    }
    assert_string_equal(source_container_name(SOURCE_PLAIN), "plain");
}

static void test_raw_containers_stay_as_they_are(void **state)
{
    (void)state;
    params.raw = true;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes plain = make_sample(1000);
        struct bytes packed = containers[i].pack(plain);

        open_bytes(packed.data, packed.size);
        assert_int_equal(source->container, SOURCE_PLAIN);
        assert_int_equal(source->size, packed.size);
        assert_memory_equal(source->data, packed.data, packed.size);
        free(plain.data);
        free(packed.data);
    }
}

/* `a`, then `size` bytes of `middle`, then `b`. */
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
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        bool zstd = containers[i].container == SOURCE_ZSTD;
        struct bytes plain = make_sample(400000), none = {(uint8_t *)"", 0};
        struct bytes first = containers[i].pack((struct bytes){plain.data, 150000});
        struct bytes second = containers[i].pack((struct bytes){plain.data + 150000, 250000});
        struct bytes joined = join(first, zstd ? skippable : zeros, zstd ? 11 : 8, second);

        open_bytes(joined.data, joined.size);
        assert_contents(plain, plain.size);
        assert_int_equal(problems_count(problems), 0);
        free(joined.data);

        joined = join(first, zstd ? skippable : zeros, zstd ? 11 : 8, none);
        open_bytes(joined.data, joined.size);
        assert_contents(plain, 150000);
        assert_int_equal(problems_count(problems), 0);
        free(joined.data);

        joined = join(first, "garbage", 7, second);
        open_bytes(joined.data, joined.size);
        assert_contents(plain, 150000);
        assert_int_equal(problems_count(problems), 1);
        assert_true(problem_says("warning"));
        free(joined.data);
        free(first.data);
        free(second.data);
        free(plain.data);
    }
}

static void test_skippable_frame_first(void **state)
{
    struct bytes plain = make_sample(1000), none = {(uint8_t *)"", 0};
    struct bytes packed = pack_zstd(plain);
    struct bytes joined = join(none, "\x50\x2A\x4D\x18\4\0\0\0abcd", 12, packed);

    (void)state;
    open_bytes(joined.data, joined.size);
    assert_int_equal(source->container, SOURCE_ZSTD);
    assert_contents(plain, plain.size);
    joined.data[5] = 0xFF; /* a frame longer than the file */
    open_bytes(joined.data, joined.size);
    assert_int_equal(source->container, SOURCE_PLAIN);
    free(joined.data);
    free(packed.data);
    free(plain.data);
}

static void test_cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes plain = make_sample(300000);
        struct bytes packed = containers[i].pack(plain);
        size_t max = 0;

        for (size_t cut = 12; cut < packed.size; cut += packed.size / 40 + 1) {
            open_bytes(packed.data, cut);
            assert_int_equal(source->container, containers[i].container);
            assert_contents(plain, source->size);
            assert_true(source->size >= max);
            max = source->size;
            assert_int_equal(problems_count(problems), 1);
            assert_true(problem_says("error"));
            assert_true(problem_says("cut off"));
        }
        assert_true(max > 250000);
        free(plain.data);
        free(packed.data);
    }
}

static void test_damaged_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes plain = make_sample(100000);
        struct bytes packed = containers[i].pack(plain);
        unsigned noticed = 0, tried = 0;

        for (size_t at = 10; at < packed.size; at += packed.size / 60 + 1, tried++) {
            packed.data[at] ^= 0x55;
            open_bytes(packed.data, packed.size);
            noticed += problems_count(problems) > 0;
            packed.data[at] ^= 0x55;
        }
        assert_int_equal(noticed, tried); /* all three have check sums */
        free(plain.data);
        free(packed.data);
    }
}

static void test_expansion_is_capped(void **state)
{
    struct bytes plain = make_sample(700000);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes packed = containers[i].pack(plain);

        params.max_expand = 699999;
        open_bytes(packed.data, packed.size);
        assert_contents(plain, 699999);
        assert_true(problem_says("error"));
        assert_true(problem_says("max-expand"));
        params.max_expand = 1;
        open_bytes(packed.data, packed.size);
        assert_contents(plain, 1);
        params.max_expand = 700000;
        open_bytes(packed.data, packed.size);
        assert_contents(plain, 700000);
        assert_int_equal(problems_count(problems), 0);
        params.max_expand = 0; /* the default */
        open_bytes(packed.data, packed.size);
        assert_contents(plain, 700000);
        free(packed.data);
    }
    free(plain.data);
}

/* So many zeros, which give hundreds of times their size in any container. */
static struct bytes pack_zeros(size_t i, size_t size)
{
    struct bytes zeros = {calloc(1, size), size}, packed = containers[i].pack(zeros);

    free(zeros.data);
    return packed;
}

static void test_ratio_is_capped(void **state)
{
    enum { MORE = 70 << 20, LESS = 60 << 20 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes more = pack_zeros(i, MORE), less = pack_zeros(i, LESS);

        params.max_ratio = 100;
        open_bytes(more.data, more.size);
        assert_int_equal(source->size, SPOOL_RATIO_FROM);
        assert_true(problem_says("error"));
        assert_true(problem_says("max-ratio"));
        open_bytes(less.data, less.size);
        assert_int_equal(source->size, LESS);
        assert_int_equal(problems_count(problems), 0);
        params.max_ratio = (unsigned)(MORE / more.size + 1);
        open_bytes(more.data, more.size);
        assert_int_equal(source->size, MORE);
        params.max_ratio = 0; /* any */
        open_bytes(more.data, more.size);
        assert_int_equal(source->size, MORE);
        assert_int_equal(problems_count(problems), 0);
        free(more.data);
        free(less.data);
    }
}

/* They cost time and give nothing. */
static void test_empty_streams_are_capped(void **state)
{
    enum { FEW = 4000, MANY = 4200 };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes plain = make_sample(1000), packed = containers[i].pack(plain);
        struct bytes none = containers[i].pack((struct bytes){(uint8_t *)"", 0});
        uint8_t *file = malloc(2 * packed.size + MANY * none.size), *at = file;

        memcpy(at, packed.data, packed.size);
        at += packed.size;
        for (int n = 0; n < MANY; n++, at += none.size)
            memcpy(at, none.data, none.size);
        memcpy(at, packed.data, packed.size);
        open_bytes(file, (size_t)(at - file) + packed.size);
        assert_int_equal(source->size, 1000);
        assert_true(problem_says("empty streams"));

        at -= (MANY - FEW) * none.size;
        memcpy(at, packed.data, packed.size);
        open_bytes(file, (size_t)(at - file) + packed.size);
        assert_int_equal(source->size, 2000);
        assert_int_equal(problems_count(problems), 0);
        free(file);
        free(none.data);
        free(packed.data);
        free(plain.data);
    }
}

/* What cannot be expanded in the time is left for later, or given up. */
static void test_time_is_capped(void **state)
{
    enum { SIZE = 200 << 20 };

    (void)state;
    params.max_wait_ms = 1;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes packed = pack_zeros(i, SIZE);
        uint64_t before;

        support_write(path, packed.data, packed.size);
        params.unfinished = false;
        assert_int_equal(source_open(path, &params, problems, &source), -EAGAIN);
        assert_null(source);
        params.unfinished = true;
        open_bytes(packed.data, packed.size);
        assert_non_null(source->expansion);
        assert_int_equal(source->container, containers[i].container);
        before = source->size;
        assert_true(before < SIZE);
        assert_true(before == 0 || source->data[before - 1] == 0);
        assert_int_equal(source_complete(source, NULL), 0);
        assert_null(source->expansion);
        assert_int_equal(source->size, SIZE);
        assert_int_equal(source->data[SIZE - 1], 0);
        assert_int_equal(problems_count(problems), 0);
        free(packed.data);
    }
}

static void test_unfinished_is_cancelled_or_closed(void **state)
{
    struct bytes packed = pack_zeros(0, 200 << 20);
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    cancel_raise(&cancel);
    params.max_wait_ms = 1;
    params.unfinished = true;
    open_bytes(packed.data, packed.size);
    source_close(&source);
    open_bytes(packed.data, packed.size);
    assert_int_equal(source_complete(source, &cancel), -EINTR);
    source_close(&source);
    open_bytes(packed.data, packed.size);
    support_write(path, "something else", 14);
    assert_int_equal(source_complete(source, NULL), -EBUSY);
    free(packed.data);
}

static void test_budget_is_shared(void **state)
{
    struct bytes plain = {calloc(1, 700000), 700000};
    struct spool_budget budget = {.max = 1000000};
    struct source *other = NULL;

    (void)state;
    params.budget = &budget;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes packed = containers[i].pack(plain);

        open_bytes(packed.data, packed.size);
        assert_int_equal(budget.used, 700000);
        assert_int_equal(source_open(path, &params, problems, &other), -ENOSPC);
        assert_null(other);
        assert_true(problem_says("max-expand"));
        assert_int_equal(budget.used, 700000);
        source_close(&source);
        assert_int_equal(budget.used, 0);
        assert_int_equal(source_open(path, &params, problems, &other), 0);
        source_close(&other);
        free(packed.data);
    }
    free(plain.data);
}

/* What grows less than sixteenfold is had, however much others have; what grows more leaves some.
 */
static void test_budget_is_fair(void **state)
{
    struct bytes plain = make_sample(700000), zeros = {calloc(1, 700000), 700000};
    struct spool_budget budget = {.max = 740000};

    (void)state;
    params.budget = &budget;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes packed = containers[i].pack(plain), bomb = containers[i].pack(zeros);

        atomic_store(&budget.used, 740000);
        open_bytes(packed.data, packed.size);
        assert_contents(plain, plain.size);
        source_close(&source);
        assert_int_equal(budget.used, 740000);
        atomic_store(&budget.used, 0);
        support_write(path, bomb.data, bomb.size);
        assert_int_equal(source_open(path, &params, problems, &source), 0); /* cut off */
        assert_int_equal(budget.used, 740000 - 740000 / 16);
        assert_true(problem_says("max-expand"));
        source_close(&source);
        assert_int_equal(budget.used, 0);
        free(packed.data);
        free(bomb.data);
    }
    free(plain.data);
    free(zeros.data);
}

/* What the disk does not give back of the spool: here it was cut off, which only root can do. */
static void test_spool_is_lost(void **state)
{
    struct bytes plain = make_sample(400000);
    struct bytes packed = pack_zstd(plain);
    char name[80];
    int fd;

    (void)state;
    open_bytes(packed.data, packed.size);
    snprintf(name, sizeof(name), "/proc/self/map_files/%lx-%lx", (unsigned long)source->data,
             (unsigned long)source->data + (400000 + 4095) / 4096 * 4096);
    fd = open(name, O_RDWR);
    free(packed.data);
    free(plain.data);
    if (fd < 0)
        support_skip("mapped files cannot be opened");
    assert_int_equal(ftruncate(fd, 0), 0);
    close(fd);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_int_equal(source->data[300000], 0);
    assert_int_equal(source_check(source), SOURCE_UNREADABLE);
}

/* A frame with one raw block that asks for a window of 2^log bytes. */
static void open_window(unsigned log)
{
    uint8_t frame[] = {0x28, 0xB5, 0x2F, 0xFD, 0x00, 0, 3 << 3 | 1, 0, 0, 'a', 'b', 'c'};

    frame[5] = (uint8_t)((log - 10) << 3);
    open_bytes(frame, sizeof(frame));
    assert_int_equal(source->container, SOURCE_ZSTD);
}

static void test_window_is_capped(void **state)
{
    (void)state;
    open_window(27);
    assert_int_equal(source->size, 3);
    assert_int_equal(problems_count(problems), 0);
    open_window(28);
    assert_int_equal(source->size, 0);
    assert_true(problem_says("error"));
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
    struct bytes plain = make_sample(3000000);
    struct bytes packed = pack_gzip(plain);
    struct progress progress = {0};
    struct cancel cancel;

    (void)state;
    cancel_init(&cancel, NULL);
    params.progress = note_progress;
    params.progress_context = &progress;
    open_bytes(packed.data, packed.size);
    assert_true(progress.calls > 3);
    assert_int_equal(progress.done, packed.size);
    assert_int_equal(progress.total, packed.size);
    source_close(&source);

    progress = (struct progress){.cancel = &cancel};
    params.cancel = &cancel;
    assert_int_equal(source_open(path, &params, problems, &source), -EINTR);
    assert_int_equal(progress.calls, 3);
    assert_null(source);
    free(plain.data);
    free(packed.data);
}

static void test_no_spool_folder(void **state)
{
    struct bytes plain = make_sample(1000);
    struct bytes packed = pack_xz(plain);

    (void)state;
    support_write(path, packed.data, packed.size);
    params.spool_dir = "/nonexistent/spool";
    assert_int_equal(source_open(path, &params, problems, &source), -ENOENT);
    assert_null(source);
    assert_true(problem_says("/nonexistent/spool"));
    free(plain.data);
    free(packed.data);
}

/* A limit on the size of files stands for a full disk. */
static void test_spool_is_full(void **state)
{
    struct bytes plain = make_sample(2000000);
    struct bytes packed = pack_zstd(plain);
    struct rlimit before, limit;

    (void)state;
    support_write(path, packed.data, packed.size);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = 1000000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    assert_int_equal(source_open(path, &params, problems, &source), -EFBIG);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_null(source);
    assert_true(problem_says("cannot expand into"));
    assert_int_equal(count_names(), 1);
    free(plain.data);
    free(packed.data);
}

static void test_no_memory(void **state)
{
    struct bytes plain = make_sample(1000);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(containers); i++) {
        struct bytes packed = containers[i].pack(plain);

        support_write(path, packed.data, packed.size);
        for (int n = 0; n == 0 || support_allocation_failed(); n++) {
            int status;

            support_fail_allocation(n);
            status = source_open(path, &params, problems, &source);
            assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
            source_close(&source);
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
    assert_int_equal(source_open(recording, &params, problems, &source), 0);
    assert_int_equal(source->container, SOURCE_ZSTD);
    assert_int_equal(source->size, size);
    assert_memory_equal(source->data, bytes, size);
    assert_int_equal(problems_count(problems), 0);
    free(bytes);
    free(recording);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_empty_file),
        TEST(test_plain_file),
        TEST(test_short_files_are_plain),
        TEST(test_shortened_while_open),
        TEST(test_folder_and_siblings),
        TEST(test_opened_file),
        TEST(test_what_cannot_be_opened),
        TEST(test_expanded),
        TEST(test_raw_containers_stay_as_they_are),
        TEST(test_several_streams),
        TEST(test_skippable_frame_first),
        TEST(test_cut_off_anywhere),
        TEST(test_damaged_anywhere),
        TEST(test_expansion_is_capped),
        TEST(test_ratio_is_capped),
        TEST(test_empty_streams_are_capped),
        TEST(test_time_is_capped),
        TEST(test_unfinished_is_cancelled_or_closed),
        TEST(test_budget_is_shared),
        TEST(test_budget_is_fair),
        TEST(test_spool_is_lost),
        TEST(test_window_is_capped),
        TEST(test_progress_and_cancel),
        TEST(test_no_spool_folder),
        TEST(test_spool_is_full),
        TEST(test_no_memory),
        TEST(test_recording_of_the_corpus),
    };

    return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
