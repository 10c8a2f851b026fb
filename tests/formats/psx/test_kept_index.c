/* SPDX-License-Identifier: MIT */
/*
 * Indexes that are kept between openings: what is read must be what was written, to the byte, and a
 * dump opened with a kept index must show what it shows without. An index that is damaged, forged
 * or of another dump must be rejected; a dump that changed has none.
 */
#include "config.h"

#include "tests/bench/load.h"
#include "tests/support/support.h"

#include "formats/format.h"
#include "formats/psx/dump.h"
#include "formats/psx/index/indexing.h"
#include "formats/psx/index/kept_index.h"
#include "source/disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 48, VSYNCS = 120 };

static const struct psx_packet_index_limits limits = {1 << 20, 1 << 20};

static struct {
    char *folder, *dump, *cache;
} world;

/* A dump opened as programs do, or its index alone */
struct opened {
    struct options options;
    struct format_dump dump;
};

static void open_as(struct opened *opened, enum options_keep keep)
{
    static const struct source_params params = {.max_expand = UINT64_MAX};
    struct text message = TEXT_INIT;

    assert_int_equal(format_options_init(&opened->options), 0);
    opened->options.index_cache = keep;
    assert_int_equal(format_open(world.dump, &opened->options, &params, &message, &opened->dump),
                     0);
    text_clear(&message);
}

static struct psx_index *index_of(struct opened *opened)
{
    return &psx_dump_of(opened->dump.dump)->index;
}

static void close_opened(struct opened *opened)
{
    format_close(&opened->dump);
    options_clear(&opened->options);
}

/*
 * Opens the dump, builds all of the index, and closes the dump, which keeps the index. Returns
 * whether the index had been kept before.
 */
static bool was_kept(void)
{
    struct opened opened;
    bool kept;

    open_as(&opened, OPTIONS_KEEP);
    kept = index_of(&opened)->kept;
    assert_int_equal(psx_index_wait_all(index_of(&opened), NULL), 0);
    close_opened(&opened);
    return kept;
}

/* Waits until the clock of file times has ticked. */
static void let_times_pass(void)
{
    usleep(120000);
}

static int make_world(void **state)
{
    FILE *file;
    char *home;

    (void)state;
    world.folder = support_folder();
    world.dump = support_path(world.folder, "dump.psxgpu");
    home = support_path(world.folder, "cache");
    world.cache = support_path(home, "gpudumpfs");
    assert_int_equal(mkdir(home, 0700), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    free(home);
    file = fopen(world.dump, "w");
    assert_non_null(file);
    assert_int_equal(load_write("typical", VSYNCS, file), 0);
    assert_int_equal(fclose(file), 0);
    psx_kept_index_from = 1;
    let_times_pass();
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    free(world.dump);
    free(world.cache);
    support_remove(&world.folder);
    return 0;
}

/* Returns the bytes that are kept of an index, to be freed with free(). */
static uint8_t *bytes_of(const struct psx_index *index, size_t *size)
{
    struct kept_writer writer;
    struct stat stat;
    uint8_t *bytes;
    int file;

    kept_writer_begin(&writer, KEPT_FILE_MAX);
    psx_kept_index_write(index, &writer);
    file = kept_writer_take(&writer);
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &stat), 0);
    *size = (size_t)stat.st_size;
    bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(pread(file, bytes, *size, 0), *size);
    close(file);
    return bytes;
}

static int allocation = -1; /* the one that fails while read_bytes() reads; negative: none */

/*
 * Reads these bytes as the index of the dump. With `is_signed`, their hash is made correct first.
 * Returns 0 or -errno.
 */
static int read_bytes(uint8_t *bytes, size_t size, bool is_signed, const struct psx_index *of)
{
    struct problems *problems = NULL;
    struct psx_index index = {.data = of->data, .magic = of->magic};
    struct kept_reader reader;
    struct sha256 hash;
    int status, file = memfd_create("kept", MFD_CLOEXEC);

    if (is_signed) {
        sha256_init(&hash);
        sha256_add(&hash, bytes + HEAD, size - HEAD);
        sha256_finish(&hash, bytes + 16);
    }
    assert_int_equal(problems_create(&problems), 0);
    assert_int_equal(pwrite(file, bytes, size, 0), size);
    index.size = of->size;
    index.defects.problems = problems;
    support_fail_allocation(allocation);
    status = kept_reader_begin_file(&reader, file);
    if (status == 0)
        status = psx_kept_index_read(&index, &limits, &reader);
    else
        kept_reader_end(&reader);
    support_fail_allocation(-1);
    if (status != 0) {
        assert_null(index.frames);
        assert_null(index.checkpoints.words);
        assert_int_equal(index.size, of->size);
        assert_int_equal(problems_count(problems), 0);
    } else {
        struct psx_index *read = &index;
        size_t again_size;
        uint8_t *again = bytes_of(read, &again_size);

        assert_int_equal(again_size, size);
        assert_memory_equal(again, bytes, size);
        free(again);
    }
    psx_index_close(&index);
    problems_destroy(&problems);
    return status;
}

static void test_the_same_comes_back(void **state)
{
    struct opened made, kept;
    size_t made_size, kept_size;
    uint8_t *first, *second;

    (void)state;
    support_empty_folder(world.cache);
    assert_false(was_kept());
    open_as(&made, OPTIONS_DROP);
    open_as(&kept, OPTIONS_KEEP);
    assert_false(index_of(&made)->kept);
    assert_true(index_of(&kept)->kept);
    assert_int_equal(psx_index_wait_all(index_of(&made), NULL), 0);
    first = bytes_of(index_of(&made), &made_size);
    second = bytes_of(index_of(&kept), &kept_size);
    assert_int_equal(made_size, kept_size);
    assert_memory_equal(first, second, made_size);
    assert_int_equal(read_bytes(first, made_size, false, index_of(&made)), 0);
    free(first);
    free(second);
    close_opened(&made);
    close_opened(&kept);
}

static void test_damage_is_no_index(void **state)
{
    struct opened opened;
    uint8_t *bytes;
    uint64_t random = 3;
    size_t size;

    (void)state;
    open_as(&opened, OPTIONS_DROP);
    assert_int_equal(psx_index_wait_all(index_of(&opened), NULL), 0);
    bytes = bytes_of(index_of(&opened), &size);
    for (size_t at = 0; at < size; at += at < 400 ? 1 : 1 + support_random(&random) % (size / 60)) {
        uint8_t bit = (uint8_t)(1 << support_random(&random) % 8);

        bytes[at] ^= bit;
        assert_int_equal(read_bytes(bytes, size, false, index_of(&opened)), -EBADMSG);
        bytes[at] ^= bit;
        assert_int_equal(read_bytes(bytes, at, false, index_of(&opened)), -EBADMSG);
    }
    assert_int_equal(read_bytes(bytes, size, false, index_of(&opened)), 0);
    free(bytes);
    close_opened(&opened);
}

/*
 * Forged values with a correct hash: each value is checked, and those that are accepted could be
 * those of a dump.
 */
static void test_forged_values_are_refused_or_harmless(void **state)
{
    static const uint8_t values[] = {0xFF, 0x80, 0x00, 0x01};
    struct opened opened;
    unsigned refused = 0, taken = 0;
    uint64_t random = 4;
    uint8_t *bytes;
    size_t size;

    (void)state;
    open_as(&opened, OPTIONS_DROP);
    assert_int_equal(psx_index_wait_all(index_of(&opened), NULL), 0);
    bytes = bytes_of(index_of(&opened), &size);
    for (size_t at = HEAD; at < size; at += 1 + support_random(&random) % (size / 300)) {
        uint8_t was = bytes[at];

        bytes[at] = values[support_random(&random) % COUNT_OF(values)];
        *(read_bytes(bytes, size, true, index_of(&opened)) == 0 ? &taken : &refused) += 1;
        bytes[at] = was;
    }
    assert_true(refused > 20 && taken > 20);
    free(bytes);
    close_opened(&opened);
}

static void flip_byte(off_t at)
{
    struct timespec times[2];
    struct stat before;
    int file = open(world.dump, O_RDWR | O_CLOEXEC);
    uint8_t byte;

    assert_true(file >= 0);
    assert_int_equal(fstat(file, &before), 0);
    assert_int_equal(pread(file, &byte, 1, at), 1);
    byte ^= 1;
    assert_int_equal(pwrite(file, &byte, 1, at), 1);
    times[0] = before.st_atim;
    times[1] = before.st_mtim;
    assert_int_equal(futimens(file, times), 0);
    close(file);
}

static void test_lack_of_memory_is_no_damage(void **state)
{
    struct opened opened;
    uint8_t *bytes;
    size_t size;

    (void)state;
    open_as(&opened, OPTIONS_DROP);
    assert_int_equal(psx_index_wait_all(index_of(&opened), NULL), 0);
    bytes = bytes_of(index_of(&opened), &size);
    for (allocation = 0; allocation == 0 || support_allocation_failed(); allocation++) {
        int status = read_bytes(bytes, size, false, index_of(&opened));

        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
    }
    assert_true(allocation > 10);
    allocation = -1;
    free(bytes);
    close_opened(&opened);
}

/* A change at any offset is noticed, even if size and modification time are the same as before. */
static void test_a_changed_dump_has_another(void **state)
{
    char path[4096];
    struct stat stat_of;

    (void)state;
    support_empty_folder(world.cache);
    assert_false(was_kept());
    assert_true(was_kept());
    assert_int_equal(stat(world.dump, &stat_of), 0);
    for (int i = 0; i < 2; i++) {
        flip_byte(stat_of.st_size / 3 + 1000); /* and back in the second round */
        let_times_pass();
        assert_false(was_kept());
        assert_true(was_kept());
    }
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 3);
}

/* A later change could have the same time stamp. */
static void test_just_written_is_not_settled(void **state)
{
    static const struct {
        struct timespec changed, now;
        bool settled;
    } rows[] = {
        {{100, 5}, {100, 5}, false},         {{100, 5}, {100, 40000000}, false},
        {{100, 5}, {100, 60000000}, true},   {{100, 999999999}, {101, 10000000}, false},
        {{100, 0}, {101, 900000000}, false}, {{100, 0}, {102, 100000000}, true},
        {{100, 5}, {99, 0}, false}, /* the clock was set back */
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(kept_is_settled(&rows[i].changed, &rows[i].now), rows[i].settled);
}

static void test_changed_while_open_is_not_kept(void **state)
{
    struct opened opened;
    char path[4096];

    (void)state;
    support_empty_folder(world.cache);
    open_as(&opened, OPTIONS_KEEP);
    assert_int_equal(psx_index_wait_all(index_of(&opened), NULL), 0);
    flip_byte(5000);
    let_times_pass();
    close_opened(&opened);
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 0);
    flip_byte(5000);
    let_times_pass();
}

static void test_options_have_their_own(void **state)
{
    struct opened opened;
    struct kept_key first, second;

    (void)state;
    open_as(&opened, OPTIONS_KEEP);
    psx_kept_index_key(opened.dump.source, &opened.options, &first);
    opened.options.max_memory /= 2;
    psx_kept_index_key(opened.dump.source, &opened.options, &second);
    assert_string_not_equal(first.digits, second.digits);
    close_opened(&opened);
}

/* The index made for a file is not found after the file changed, even if it changed back. */
static void test_times_have_their_own(void **state)
{
    struct opened opened;
    struct kept_key first, second;

    (void)state;
    open_as(&opened, OPTIONS_KEEP);
    psx_kept_index_key(opened.dump.source, &opened.options, &first);
    psx_kept_index_key(opened.dump.source, &opened.options, &second);
    assert_string_equal(first.digits, second.digits);
    close_opened(&opened);
    flip_byte(5000);
    flip_byte(5000);
    let_times_pass();
    open_as(&opened, OPTIONS_KEEP);
    psx_kept_index_key(opened.dump.source, &opened.options, &second);
    assert_string_not_equal(first.digits, second.digits);
    close_opened(&opened);
}

/* The limit for a large dump grows with its size, and a larger file is not kept. */
static void test_bounds_are_the_dumps(void **state)
{
    static const uint8_t bytes[1000];
    char *home = disk_cache_home(), *path = support_path(home, "none");
    struct kept_writer writer;
    int file = -1;

    (void)state;
    assert_int_equal(kept_file_max(5 << 20), KEPT_FILE_MAX);
    assert_int_equal(kept_file_max(UINT64_C(17) << 30), (UINT64_C(17) << 30) / 10);
    assert_true(disk_cache_room(path) >= DISK_CACHE_MAX);
    for (uint64_t max = 1100; max >= 1000; max -= 100) { /* with a header of 48 bytes */
        kept_writer_begin(&writer, max);
        kept_write(&writer, bytes, sizeof(bytes));
        file = kept_writer_take(&writer);
        assert_int_equal(file < 0 ? file : 0, max == 1100 ? 0 : -EFBIG);
        if (file >= 0)
            close(file);
    }
    free(path);
    free(home);
}

/* A kept file of the same name and bytes does not belong to a copy of the dump. */
static void test_a_copy_has_its_own(void **state)
{
    struct kept_key key = {.digits = ""};
    char *copy = support_path(world.folder, "copy.psxgpu"), *home = disk_cache_home();
    struct opened opened;
    uint8_t *bytes;
    size_t size;
    int file;

    (void)state;
    support_empty_folder(world.cache);
    assert_false(was_kept());
    open_as(&opened, OPTIONS_KEEP);
    psx_kept_index_key(opened.dump.source, &opened.options, &key);
    close_opened(&opened);
    file = open(world.dump, O_RDONLY | O_CLOEXEC);
    assert_int_equal(close(kept_file_open_here(home, key.digits, file)), 0);
    close(file);
    bytes = support_read(world.dump, &size);
    support_write(copy, bytes, size);
    file = open(copy, O_RDONLY | O_CLOEXEC);
    assert_int_equal(kept_file_open_here(home, key.digits, file), -ENOENT);
    assert_int_equal(kept_file_open_here(home, "../dump", file), -EINVAL);
    close(file);
    file = open(world.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(kept_file_open_here(home, key.digits, file), -EINVAL);
    close(file);
    free(bytes);
    free(home);
    free(copy);
}

/* A file that was damaged on disk is built and kept again. */
static void test_damaged_files_are_replaced(void **state)
{
    char path[4096];
    struct stat stat_of;

    (void)state;
    support_empty_folder(world.cache);
    assert_false(was_kept());
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 1);
    assert_int_equal(stat(path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0600);
    assert_int_equal(truncate(path, stat_of.st_size / 2), 0);
    assert_false(was_kept());
    assert_true(was_kept());
    assert_int_equal(chmod(path, 0644), 0); /* readable by others: not one that we wrote */
    assert_false(was_kept());
    assert_true(was_kept());
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_same_comes_back),
        cmocka_unit_test(test_damage_is_no_index),
        cmocka_unit_test(test_forged_values_are_refused_or_harmless),
        cmocka_unit_test(test_lack_of_memory_is_no_damage),
        cmocka_unit_test(test_a_changed_dump_has_another),
        cmocka_unit_test(test_just_written_is_not_settled),
        cmocka_unit_test(test_changed_while_open_is_not_kept),
        cmocka_unit_test(test_options_have_their_own),
        cmocka_unit_test(test_times_have_their_own),
        cmocka_unit_test(test_bounds_are_the_dumps),
        cmocka_unit_test(test_a_copy_has_its_own),
        cmocka_unit_test(test_damaged_files_are_replaced),
    };

    return cmocka_run_group_tests_name("psx kept index", tests, make_world, end_world);
}
