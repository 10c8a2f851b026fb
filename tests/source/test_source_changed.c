/* SPDX-License-Identifier: MIT */
/*
 * Files that are written after they were opened: a source reports this, however the files are
 * written, and a tree returns none of the new bytes. What leaves the bytes unchanged is not a
 * change.
 */
#include "config.h"

#include "formats/format.h"
#include "source/filewatch.h"
#include "source/source.h"

#include "tests/support/support.h"
#include "tests/support/tree_play.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

enum { SIZE = 20000, MANY = 300 };

static char *folder, *path, *other;
static struct problems *problems;
static struct source *source;
static struct source_params params;
static uint8_t bytes[SIZE];

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    path = support_path(folder, "dump");
    other = support_path(folder, "other");
    memset(bytes, 'a', sizeof(bytes));
    params = (struct source_params){.max_expand = 1 << 30, .spool_dir = folder};
    return problems_create(&problems);
}

static int tear_down(void **state)
{
    (void)state;
    source_close(&source);
    problems_destroy(&problems);
    free(path);
    free(other);
    support_remove(&folder);
    return 0;
}

static void open_source(void)
{
    source_close(&source);
    support_write(path, bytes, SIZE);
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    assert_int_equal(source_check(source), SOURCE_INTACT);
}

static void write_at(const char *data, size_t size, off_t at)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);

    assert_true(file >= 0);
    assert_int_equal(pwrite(file, data, size, at), size);
    close(file);
}

/* Ways to change the bytes. */

static void write_one(void)
{
    write_at("b", 1, SIZE / 2);
}

static void write_the_same(void)
{
    write_at("a", 1, 0);
}

static void append(void)
{
    write_at("b", 1, SIZE);
}

static void restore_time(void (*change)(void))
{
    struct stat before;

    assert_int_equal(stat(path, &before), 0);
    change();
    assert_int_equal(
        utimensat(AT_FDCWD, path, (struct timespec[]){before.st_atim, before.st_mtim}, 0), 0);
}

static void write_and_restore_time(void)
{
    restore_time(write_one);
}

static void cut_and_lengthen(void)
{
    assert_int_equal(truncate(path, 10), 0);
    assert_int_equal(truncate(path, SIZE), 0);
}

static void cut_and_restore_all(void)
{
    restore_time(cut_and_lengthen);
}

static void cut(void)
{
    assert_int_equal(truncate(path, SIZE - 1), 0);
}

static void empty(void)
{
    support_write(path, "", 0);
}

static void copy_over(void)
{
    char *new = malloc(SIZE);

    memset(new, 'b', SIZE);
    support_write(path, new, SIZE);
    free(new);
}

static void write_through_another_name(void)
{
    int file;

    assert_int_equal(link(path, other), 0);
    file = open(other, O_WRONLY | O_CLOEXEC);
    assert_int_equal(write(file, "b", 1), 1);
    close(file);
    unlink(other);
}

static void write_after_a_rename(void)
{
    int file = open(path, O_WRONLY | O_CLOEXEC);

    support_write(other, "new", 3);
    assert_int_equal(rename(other, path), 0);
    assert_int_equal(write(file, "b", 1), 1);
    close(file);
}

static const struct {
    void (*change)(void);
    enum source_state state;
} changes[] = {
    {write_one, SOURCE_WRITTEN},
    {write_the_same, SOURCE_WRITTEN},
    {append, SOURCE_WRITTEN},
    {write_and_restore_time, SOURCE_WRITTEN},
    {cut_and_restore_all, SOURCE_WRITTEN},
    {cut, SOURCE_SHORTENED},
    {empty, SOURCE_SHORTENED},
    {copy_over, SOURCE_WRITTEN},
    {write_through_another_name, SOURCE_WRITTEN},
    {write_after_a_rename, SOURCE_WRITTEN},
};

static void every_change_is_seen_and_stays(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        open_source();
        changes[i].change();
        assert_int_equal(source_state(source), SOURCE_INTACT); /* not checked yet */
        assert_int_equal(source_check(source), changes[i].state);
        copy_over();
        assert_int_equal(source_check(source), changes[i].state);
        assert_int_equal(source_state(source), changes[i].state);
    }
}

/*
 * Opening waits until the clock has advanced (source/filewatch.h); otherwise the first write to a
 * file that was written a moment ago might leave its time unchanged.
 */
static void a_write_at_once_has_another_time(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        struct stat before, after;

        open_source();
        before = source->status;
        write_one();
        assert_int_equal(stat(path, &after), 0);
        assert_false(before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
                     before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
    }
}

static void what_leaves_the_bytes_alone_is_no_change(void **state)
{
    char room[16];
    int file;

    (void)state;
    open_source();
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(link(path, other), 0);
    assert_int_equal(unlink(other), 0);
    file = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(read(file, room, sizeof(room)), sizeof(room));
    close(file);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_int_equal(rename(path, other), 0);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    support_write(path, "another", 7);
    write_at("and more", 8, 0);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_int_equal(unlink(other), 0);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_memory_equal(source->data, bytes, SIZE);
}

static void a_store_through_a_mapping_is_no_crash(void **state)
{
    int file;
    char *mapped;

    (void)state;
    open_source();
    file = open(path, O_RDWR | O_CLOEXEC);
    mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_ptr_not_equal(mapped, MAP_FAILED);
    mapped[7] = 'b';
    (void)source_check(source); /* detected if the file system reports it */
    munmap(mapped, SIZE);
    close(file);
}

/* All sources share one inotify descriptor; sources of one file share an inotify watch. */
static void sources_are_told_apart(void **state)
{
    struct source *again = NULL, *aside = NULL;

    (void)state;
    open_source();
    support_write(other, "other", 5);
    assert_int_equal(source_open(path, &params, problems, &again), 0);
    assert_int_equal(source_open(other, &params, problems, &aside), 0);
    source_close(&again);
    write_one();
    assert_int_equal(source_check(aside), SOURCE_INTACT);
    assert_int_equal(source_check(source), SOURCE_WRITTEN);
    assert_int_equal(source_open(path, &params, problems, &again), 0);
    assert_int_equal(source_check(again), SOURCE_INTACT);
    source_close(&source);
    assert_int_equal(source_check(again), SOURCE_INTACT);
    write_one();
    assert_int_equal(source_check(again), SOURCE_WRITTEN);
    assert_int_equal(source_check(aside), SOURCE_INTACT);
    source_close(&again);
    source_close(&aside);
}

static void many_sources_and_many_writes(void **state)
{
    struct source *many[MANY];

    (void)state;
    support_write(path, bytes, SIZE);
    for (int i = 0; i < MANY; i++)
        assert_int_equal(source_open(path, &params, problems, &many[i]), 0);
    for (int i = 0; i < 20000; i++) /* more events than the system keeps */
        write_at(i % 2 == 0 ? "b" : "c", 1, i % SIZE);
    for (int i = 0; i < MANY; i++) {
        assert_int_equal(source_check(many[i]), SOURCE_WRITTEN);
        source_close(&many[i]);
    }
}

/* If a file cannot be watched, as when too many are, its time shows the change. */
static void without_the_systems_help_the_time_tells(void **state)
{
    struct rlimit limit, low;
    int next = open("/dev/null", O_RDONLY | O_CLOEXEC);

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    close(next);
    support_write(path, bytes, SIZE);
    low = limit;
    low.rlim_cur = (rlim_t)next + 2; /* for the file, and the descriptor of it that is kept */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    assert_int_equal(chmod(path, 0600), 0);
    assert_int_equal(source_check(source), SOURCE_INTACT);
    write_one();
    assert_int_equal(source_check(source), SOURCE_WRITTEN);
}

static void write_packed(void)
{
    size_t room = ZSTD_compressBound(SIZE);
    uint8_t *packed = malloc(room);
    size_t size = ZSTD_compress(packed, room, bytes, SIZE, 1);

    assert_false(ZSTD_isError(size));
    support_write(path, packed, size);
    free(packed);
}

static void what_was_expanded_stays(void **state)
{
    (void)state;
    write_packed();
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    copy_over();
    empty();
    assert_int_equal(source_check(source), SOURCE_INTACT);
    assert_int_equal(source->size, SIZE);
    assert_memory_equal(source->data, bytes, SIZE);
}

static void write_meanwhile(void *context, uint64_t done, uint64_t total)
{
    (void)context, (void)done, (void)total;
    write_at("x", 1, 0);
}

static void what_is_written_while_it_is_expanded_is_refused(void **state)
{
    struct text told = TEXT_INIT;

    (void)state;
    write_packed();
    params.progress = write_meanwhile;
    assert_int_equal(source_open(path, &params, problems, &source), -EBUSY);
    assert_null(source);
    assert_true(problems_first_sentence(problems, &told));
    assert_int_not_equal(told.length, 0);
    text_clear(&told);
}

static void a_source_knows_its_file(void **state)
{
    struct stat status;

    (void)state;
    open_source();
    assert_int_equal(stat(path, &status), 0);
    assert_true(filewatch_is_same(&source->status, &status));
    write_and_restore_time();
    assert_int_equal(stat(path, &status), 0);
    assert_false(filewatch_is_same(&source->status, &status));
    write_packed();
    source_close(&source);
    assert_int_equal(source_open(path, &params, problems, &source), 0);
    assert_int_equal(stat(path, &status), 0);
    assert_true(filewatch_is_same(&source->status, &status));
    status.st_ino++;
    assert_false(filewatch_is_same(&source->status, &status));
}

static void what_does_not_know_its_file(void **state)
{
    struct stat status;
    struct filewatch *watch;

    (void)state;
    assert_int_equal(filewatch_create(-1, &status, &watch), -EBADF);
    assert_null(watch);
    filewatch_destroy(&watch);
}

/* Trees. */

static const char recording[] = "Vulkan Memory Allocator,Calls recording\n1,5\n"
                                "Config,Begin\nConfig,End\n"
                                "1,0.000,0,vmaCreateAllocator\n";

static struct options options;
static struct format_dump dump;
static struct tree *tree;

static void open_tree(void)
{
    struct text message = TEXT_INIT;

    support_write(path, recording, strlen(recording));
    assert_int_equal(format_options_init(&options), 0);
    assert_int_equal(format_open(path, &options, &params, &message, &dump), 0);
    assert_int_equal(format_tree(&dump, 0, &tree), 0);
    text_clear(&message);
}

static void close_tree(void)
{
    tree_destroy(&tree);
    format_close(&dump);
    options_clear(&options);
}

static const char packet[] = "/packets/00000/00000004-vmaCreateAllocator.bin";

/* This holds even for files that were open before, and for bytes that were read and cached. */
static void a_tree_gives_no_new_bytes(void **state)
{
    struct tree_attributes attributes;
    struct tree_window window;
    struct tree_file *file, *late;
    uint64_t inode, found, cursor = 0, names = 0;

    (void)state;
    open_tree();
    inode = play_find(tree, packet);
    play_expect_begins(tree, "/packets.tsv", "packet\t");
    file = play_open(tree, packet);
    assert_int_equal(tree_read(file, 0, 100, NULL, &window), 0);
    write_at("2,9.999,9,vmaDestroyAllocator\n", 30, (off_t)strlen(recording) - 29);
    assert_memory_equal(window.data, "1,0.000,0,vmaCreateAllocator\n", window.length);
    blob_unref(&window.blob);

    assert_int_equal(tree_read(file, 0, 100, NULL, &window), -EIO);
    assert_null(window.blob);
    assert_int_equal(tree_read(file, 1000, 100, NULL, &window), -EIO); /* after the end */
    tree_close(&file);
    assert_int_equal(tree_open(tree, inode, &late), -EIO);
    assert_null(late);
    assert_int_equal(tree_find(tree, "/packets.tsv", true, &found), -EIO);
    assert_int_equal(tree_find(tree, packet, true, &found), -EIO);
    assert_int_equal(tree_find(tree, "/packets/no such name/x", true, &found), -EIO);
    assert_int_equal(tree_find(tree, "/.gpudumpfs/version", true, &found), 0);
    assert_int_equal(tree_attributes(tree, inode, &attributes), -EIO);
    assert_int_equal(tree_stat(tree, inode, NULL, &attributes), -EIO);
    assert_int_equal(tree_lookup(tree, TREE_ROOT, "frames.tsv", &found), -EIO);
    assert_int_equal(tree_lookup(tree, TREE_ROOT, "no such name", &found), -EIO);

    assert_int_equal(tree_list(tree, TREE_ROOT, &cursor, play_count_entry, &names), 0);
    assert_true(names > 5);
    play_expect_begins(tree, "/.gpudumpfs/version", "gpudumpfs ");
    play_expect_begins(tree, "/.gpudumpfs/options.txt", "vma-calls-per-frame: ");
    play_expect_begins(tree, "/problems.txt",
                       "- packet - error: dump was written after it was opened");
    close_tree();
}

static void problems_txt_tells_before_anything_else_was_read(void **state)
{
    (void)state;
    open_tree();
    assert_int_equal(play_size(tree, "/problems.txt"), 0);
    assert_int_equal(truncate(path, 3), 0);
    play_expect_begins(tree, "/problems.txt",
                       "- packet - error: dump was shortened after it was opened");
    close_tree();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_does_not_know_its_file),
        TEST(every_change_is_seen_and_stays),
        TEST(a_write_at_once_has_another_time),
        TEST(what_leaves_the_bytes_alone_is_no_change),
        TEST(a_store_through_a_mapping_is_no_crash),
        TEST(sources_are_told_apart),
        TEST(many_sources_and_many_writes),
        TEST(without_the_systems_help_the_time_tells),
        TEST(what_was_expanded_stays),
        TEST(what_is_written_while_it_is_expanded_is_refused),
        TEST(a_source_knows_its_file),
        TEST(a_tree_gives_no_new_bytes),
        TEST(problems_txt_tells_before_anything_else_was_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
