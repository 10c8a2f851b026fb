/* SPDX-License-Identifier: MIT */
/*
 * Indexes that are kept between openings: what is read must equal a fresh index, to the last file.
 * An index that is damaged, forged or of another trace must be rejected, and then everything must
 * be as without it. No index is kept of a trace with a defect. The process may be killed at any
 * system call while it keeps the index.
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/faults.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/apitrace/index/kept_index.h"
#include "source/disk_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    HEAD = 48,
    HASH = 16,
    LARGE_BYTES = (4 << 20) + 4096,
    FRAMES = 40,
    FRAMES_MANY = 5000, /* whose kept index is longer than what is written at a time */
    WRITTEN = 128 * 1024,
    FRAME_MAX = 512, /* bytes of a frame's script */
};

static struct {
    char *folder, *trace, *cache;
} world;

/*
 * Returns a script of frames of two threads, with blobs, errors, markers, shaders, and calls that
 * return late.
 */
static char *make_script(unsigned frames, const char *last)
{
    char *script = malloc(frames * FRAME_MAX + LARGE_BYTES + 4096), *end = script;

    end += sprintf(end, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1\n"
                        "@2 glFinish() ...\n"
                        "glViewport(x=0, y=0, width=40, height=30)\n"
                        "glShaderSource(shader=1, count=1, string={\"");
    memset(end, 'x', LARGE_BYTES);
    end += LARGE_BYTES;
    end += sprintf(end, "\"}, length=null)\n");
    for (unsigned n = 0; n < frames; n++) {
        end += sprintf(end,
                       "glPushDebugGroup(source=33354, id=%u, length=1, message=\"f\")\n"
                       "glBufferData(target=34962, size=4, data=[00 01 02 %02x], usage=35044)\n"
                       "@1 glFlush()\nglClear(mask=%u)\n",
                       n, n % 256, n * 256);
        if (n % 6 == 1)
            end += sprintf(end, "glGetError() = 1280\n@3 glGetError() = 0\n");
        end += sprintf(end, "glPopDebugGroup()\nglXSwapBuffers(dpy=0x1, drawable=5)\n");
    }
    sprintf(end, "%s\n", last);
    return script;
}

static void write_trace_of(unsigned frames, const char *last)
{
    char *script = make_script(frames, last);

    apitrace_script(world.trace, script);
    free(script);
    usleep(120000); /* lets the clock of file times tick */
}

static void write_trace(const char *last)
{
    write_trace_of(FRAMES, last);
}

static int make_world(void **state)
{
    char *home;

    (void)state;
    world.folder = support_folder();
    world.trace = support_path(world.folder, "large.trace");
    home = support_path(world.folder, "cache");
    world.cache = support_path(home, "gpudumpfs");
    assert_int_equal(mkdir(home, 0700), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    free(home);
    return 0;
}

static int end_world(void **state)
{
    (void)state;
    free(world.trace);
    free(world.cache);
    support_remove(&world.folder);
    return 0;
}

static struct apitrace_index *index_of(const struct apitrace_opened *opened)
{
    return &apitrace_dump_of(tree_dump(opened->tree))->index;
}

static void open_keeping(const char *path, struct apitrace_opened *opened)
{
    struct source_params source = {0};

    *opened = (struct apitrace_opened){0};
    assert_int_equal(format_options_init(&opened->options), 0);
    assert_int_equal(format_open(path, &opened->options, &source, &opened->message, &opened->dump),
                     0);
    assert_int_equal(format_tree(&opened->dump, 0, &opened->tree), 0);
}

/*
 * Opens the trace, reads all of it, and closes it, which keeps the index. Returns whether the index
 * had been kept before.
 */
static bool was_kept(void)
{
    struct apitrace_opened opened;
    bool kept;

    open_keeping(world.trace, &opened);
    kept = index_of(&opened)->kept;
    assert_false(kept && apitrace_is_early(tree_dump(opened.tree)));
    (void)apitrace_opened_index(&opened);
    apitrace_close(&opened);
    return kept;
}

/* Returns the bytes that are kept of an index, to be freed with free(). */
static uint8_t *bytes_of(struct apitrace_index *index, size_t *size)
{
    struct kept_writer writer;
    struct stat stat;
    uint8_t *bytes;
    int file;

    kept_writer_begin(&writer, KEPT_FILE_MAX);
    assert_int_equal(apitrace_kept_index_write(index, &writer), 0);
    file = kept_writer_take(&writer);
    assert_true(file >= 0);
    assert_int_equal(fstat(file, &stat), 0);
    *size = (size_t)stat.st_size;
    bytes = malloc(*size);
    assert_int_equal(pread(file, bytes, *size, 0), *size);
    close(file);
    return bytes;
}

#define SAME(member) assert_true(a->member == b->member)
#define SAME_ROWS(rows, count)                                                                     \
    do {                                                                                           \
        SAME(count);                                                                               \
        assert_memory_equal(a->rows, b->rows, a->count * sizeof(*a->rows));                        \
    } while (0)

static void expect_same_frame(const struct apitrace_frame_record *a,
                              const struct apitrace_frame_record *b)
{
    SAME(first), SAME(end), SAME(bytes), SAME(min_number), SAME(max_number);
    SAME(hidden), SAME(draws), SAME(function);
}

static void expect_same_blob(const struct apitrace_blob *a, const struct apitrace_blob *b)
{
    SAME(position), SAME(size), SAME(number), SAME(argument), SAME(ordinal);
}

/* Checks that the index that was read is the one that the pass made. */
static void expect_same_index(const struct apitrace_index *a, const struct apitrace_index *b)
{
    SAME(end), SAME(listed), SAME(finished_frames), SAME(api);
    SAME(hidden), SAME(fake), SAME(incomplete);
    SAME(calls.count), SAME(calls.late_count);
    SAME(definitions.count), SAME(definitions.functions.count), SAME(definitions.odd_names);
    SAME(frame_count), SAME(blob_count);
    for (uint64_t n = 0; n < a->frame_count; n++)
        expect_same_frame(&a->frames[n], &b->frames[n]);
    for (uint64_t n = 0; n < a->blob_count; n++)
        expect_same_blob(&a->blobs[n], &b->blobs[n]);
    SAME_ROWS(runs, run_count);
    SAME_ROWS(threads, thread_count);
    for (unsigned n = 0; n < APITRACE_NOTES; n++)
        SAME_ROWS(notes[n].numbers, notes[n].count);
    assert_memory_equal(a->function_calls, b->function_calls,
                        a->definitions.functions.count * sizeof(*a->function_calls));
}

/* Opens the trace fresh and with the kept index, and compares the indexes and files. */
static void expect_the_same(const char *path)
{
    static const struct walk_params params = {.max_entries = 3};
    struct apitrace_opened fresh, kept;
    struct walk_result expected, found;
    uint8_t *first, *second;
    size_t first_size, second_size;

    open_keeping(path, &kept);
    (void)apitrace_opened_index(&kept);
    apitrace_close(&kept);
    apitrace_open(path, &fresh);
    open_keeping(path, &kept);
    assert_false(index_of(&fresh)->kept);
    assert_true(index_of(&kept)->kept);
    (void)apitrace_opened_index(&fresh);
    expect_same_index(index_of(&fresh), index_of(&kept));
    first = bytes_of(index_of(&fresh), &first_size);
    second = bytes_of(index_of(&kept), &second_size);
    assert_int_equal(first_size, second_size);
    assert_memory_equal(first, second, first_size);
    walk_tree(fresh.tree, &params, &expected);
    walk_tree(kept.tree, &params, &found);
    assert_memory_equal(&expected, &found, sizeof(found));
    free(first);
    free(second);
    apitrace_close(&fresh);
    apitrace_close(&kept);
}

static void the_same_comes_back(void **state)
{
    (void)state;
    support_empty_folder(world.cache);
    write_trace("glFlush()");
    expect_the_same(world.trace);
    write_trace("@4 glFinish() ...");
    expect_the_same(world.trace);
}

/* The same with a real trace, copied so that its file is ours. */
static void the_same_comes_back_of_a_game(void **state)
{
    char *game = support_corpus("apitrace/real/neverball.trace");
    char *copy = support_path(world.folder, "game.trace");
    uint8_t *bytes;
    size_t size;

    (void)state;
    bytes = support_read(game, &size);
    support_write(copy, bytes, size);
    usleep(120000);
    expect_the_same(copy);
    free(bytes);
    free(copy);
    free(game);
}

/* Reads as much of a file as is possible, if it exists. */
static void look_at(struct tree *tree, const char *path)
{
    struct tree_file *file = NULL;
    uint64_t inode, offset = 0;
    struct tree_window window = {.length = 1};

    if (tree_find(tree, path, true, &inode) != 0 || tree_open(tree, inode, &file) != 0)
        return;
    while (window.length > 0 && tree_read(file, offset, 64 * 1024, NULL, &window) == 0) {
        offset += window.length;
        blob_unref(&window.blob);
    }
    tree_close(&file);
}

static void look_around(struct tree *tree)
{
    static const char *const paths[] = {"metadata.txt",
                                        "packets.tsv",
                                        "frames.tsv",
                                        "blobs.tsv",
                                        "shaders.tsv",
                                        "threads.tsv",
                                        "errors.txt",
                                        "markers.txt",
                                        "by-frame/000000/calls.txt",
                                        "by-frame/000009/calls.txt",
                                        "by-frame/000039/packets.tsv",
                                        "frames/000003.png"};

    for (size_t n = 0; n < COUNT_OF(paths); n++)
        look_at(tree, paths[n]);
}

static void sign(uint8_t *bytes, size_t size)
{
    struct sha256 hash;

    sha256_init(&hash);
    sha256_add(&hash, bytes + HEAD, size - HEAD);
    sha256_finish(&hash, bytes + HASH);
}

/* Opens the trace with these bytes as its kept index. Returns whether they were accepted. */
static bool is_taken(const char *path, const uint8_t *bytes, size_t size)
{
    struct apitrace_opened opened;
    bool kept;

    support_write(path, bytes, size);
    open_keeping(world.trace, &opened);
    kept = index_of(&opened)->kept;
    if (kept)
        look_around(opened.tree);
    apitrace_close(&opened); /* keeps nothing, since not all was read */
    return kept;
}

/*
 * Writes the trace and keeps its index. Sets `path` to the kept file and returns the file's bytes,
 * to be freed with free().
 */
static uint8_t *make_kept(char *path, size_t room, size_t *size)
{
    support_empty_folder(world.cache);
    write_trace("glFlush()");
    assert_false(was_kept());
    assert_true(was_kept());
    assert_int_equal(support_count_files(world.cache, path, room), 1);
    return support_read(path, size);
}

static void damage_is_no_index(void **state)
{
    uint64_t random = 5;
    char path[4096];
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);

    (void)state;
    for (size_t at = 0; at < size; at += 1 + support_random(&random) % (size / 25)) {
        uint8_t bit = (uint8_t)(1 << support_random(&random) % 8);

        bytes[at] ^= bit;
        assert_false(is_taken(path, bytes, size));
        bytes[at] ^= bit;
        assert_false(is_taken(path, bytes, at)); /* as if killed while writing */
    }
    assert_true(is_taken(path, bytes, size));
    free(bytes);
}

/* Reads these bytes into an index of which nothing was read. Returns 0 or -errno. */
static int read_bytes(struct apitrace_index *index, const uint8_t *bytes, size_t size)
{
    struct kept_reader reader;
    int status, file = memfd_create("kept", MFD_CLOEXEC);

    assert_int_equal(pwrite(file, bytes, size, 0), size);
    status = kept_reader_begin_file(&reader, file);
    if (status == 0)
        return apitrace_kept_index_read(index, &reader);
    kept_reader_end(&reader);
    return status;
}

static void lack_of_memory_is_no_damage(void **state)
{
    char path[4096];
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);
    static const struct source_params source = {0};
    struct apitrace_opened opened;
    int n;

    (void)state;
    support_empty_folder(world.cache);
    open_keeping(world.trace, &opened);
    index_of(&opened)->params.source_params = &source; /* those of the opening are gone */
    assert_int_equal(apitrace_index_forget(index_of(&opened)), 0);
    for (n = 0; n == 0 || support_allocation_failed(); n++) {
        int status;

        support_fail_allocation(n);
        status = read_bytes(index_of(&opened), bytes, size);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
    }
    support_fail_allocation(-1);
    assert_true(n > 10);
    apitrace_close(&opened);
    free(bytes);
}

/*
 * Reads a kept file of one number, while call n fails in this way. Returns 0 or -errno, and whether
 * there was such a call.
 */
static int read_number(int file, enum faults_kind kind, int n, bool *reached)
{
    struct kept_reader reader;
    int copy_of = dup(file);
    uint64_t number = 0;

    assert_int_equal(lseek(file, 0, SEEK_SET), 0);
    faults_begin(kind, n);
    if (kept_reader_begin_file(&reader, copy_of) == 0)
        number = kept_read_number(&reader, 5);
    *reached = faults_end();
    assert_int_equal(number, reader.status == 0 ? 5 : 0);
    return kept_reader_end(&reader);
}

static void a_failing_disk_is_no_damage(void **state)
{
    static const enum faults_kind kinds[] = {FAULTS_BROKEN, FAULTS_FULL, FAULTS_SHORT};
    struct kept_writer writer;
    int file;

    (void)state;
    kept_writer_begin(&writer, 1 << 20);
    kept_write_number(&writer, 5);
    file = kept_writer_take(&writer);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        bool reached = true;

        for (int n = 0; reached; n++) {
            int status = read_number(file, kinds[i], n, &reached);

            assert_int_equal(status, reached ? faults_status() : 0);
        }
    }
    close(file);
}

/* The long string of the trace is not part of it. */
static void what_is_kept_is_little(void **state)
{
    char path[4096];
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);
    struct stat stat_of;

    (void)state;
    assert_true(size < 16 * 1024);
    assert_int_equal(stat(path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0600);
    free(bytes);
}

/*
 * Forged values with a correct hash: each value is checked, and those that are accepted could be
 * those of a trace.
 */
static void forged_values_are_refused_or_harmless(void **state)
{
    static const uint8_t values[] = {0xFF, 0x80, 0x00, 0x01, 0x7F};
    unsigned refused = 0, taken = 0;
    uint64_t random = 4;
    char path[4096];
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);

    (void)state;
    for (size_t at = HEAD; at < size; at += 1 + support_random(&random) % (size / 200)) {
        uint8_t was = bytes[at];

        bytes[at] = values[support_random(&random) % COUNT_OF(values)];
        sign(bytes, size);
        *(is_taken(path, bytes, size) ? &taken : &refused) += 1;
        bytes[at] = was;
    }
    assert_true(refused > 50 && taken > 10);
    free(bytes);
}

/* After an index was rejected everything is as without it, and an index is kept again. */
static void what_is_refused_leaves_no_trace(void **state)
{
    char path[4096];
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);

    (void)state;
    for (size_t at = HEAD; at < size; at += size / 8) {
        bytes[at] ^= 0x55;
        sign(bytes, size);
        if (!is_taken(path, bytes, size))
            expect_the_same(world.trace);
        bytes[at] ^= 0x55;
    }
    assert_true(was_kept());
    free(bytes);
}

/* Another trace of the same size and modification time has an index of its own. */
static void another_trace_has_another(void **state)
{
    char path[4096], other[4096];
    struct timespec times[2];
    struct stat before;
    size_t size;
    uint8_t *bytes = make_kept(path, sizeof(path), &size);

    (void)state;
    assert_int_equal(stat(world.trace, &before), 0);
    write_trace("glFlusx()");
    times[0] = before.st_atim;
    times[1] = before.st_mtim;
    assert_int_equal(utimensat(AT_FDCWD, world.trace, times, 0), 0);
    usleep(120000);
    assert_false(was_kept());
    assert_true(was_kept());
    assert_int_equal(support_count_files(world.cache, other, sizeof(other)), 2);
    free(bytes);
}

static void what_is_wrong_is_not_kept(void **state)
{
    uint8_t *bytes;
    char path[4096];
    size_t size;

    (void)state;
    support_empty_folder(world.cache);
    write_trace("glFlush()");
    bytes = support_read(world.trace, &size);
    support_write(world.trace, bytes, size - 1);
    usleep(120000);
    assert_false(was_kept());
    assert_false(was_kept());
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 0);
    free(bytes);
}

/* No index is kept if not all was read, or if the trace changed meanwhile. */
static void what_is_not_whole_is_not_kept(void **state)
{
    struct apitrace_opened opened;
    char path[4096];
    bool early;

    (void)state;
    support_empty_folder(world.cache);
    write_trace("glFlush()");
    open_keeping(world.trace, &opened);
    early = apitrace_is_early(tree_dump(opened.tree)); /* not if address space is short */
    apitrace_close(&opened);
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), early ? 0 : 1);
    support_empty_folder(world.cache);
    open_keeping(world.trace, &opened);
    (void)apitrace_opened_index(&opened);
    assert_int_equal(utimensat(AT_FDCWD, world.trace, NULL, 0), 0);
    usleep(120000);
    apitrace_close(&opened);
    assert_int_equal(support_count_files(world.cache, path, sizeof(path)), 0);
}

/*
 * Reads the trace to its end in a child process and keeps its index; kills the process at the given
 * call of keeping it. Returns whether the process was killed.
 */
static bool is_killed_at(int call)
{
    struct apitrace_opened opened;
    pid_t child = fork();
    int status;

    assert_true(child >= 0);
    if (child == 0) {
        open_keeping(world.trace, &opened);
        (void)apitrace_opened_index(&opened);
        faults_begin(FAULTS_KILLED, call);
        apitrace_close(&opened);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        assert_int_equal(WTERMSIG(status), SIGKILL);
    else
        assert_int_equal(status, 0);
    return WIFSIGNALED(status);
}

/*
 * Checks that the next opening uses the kept index if there is one in place, and gets a correct
 * index.
 */
static void expect_right_index(bool kept, const uint8_t *expected, size_t expected_size)
{
    struct apitrace_opened opened;
    uint8_t *found;
    size_t size;

    open_keeping(world.trace, &opened);
    assert_true(index_of(&opened)->kept == kept);
    (void)apitrace_opened_index(&opened);
    found = bytes_of(index_of(&opened), &size);
    assert_int_equal(size, expected_size);
    assert_memory_equal(found, expected, size);
    free(found);
    apitrace_close(&opened);
}

/*
 * Kills at each call of keeping the index in turn. A file with another name than the kept file is a
 * leftover of the kill.
 */
static void kills_amid_the_writing_leave_nothing_wrong(void **state)
{
    unsigned before = 0, amid = 0, after = 0;
    struct apitrace_opened fresh;
    uint8_t *expected;
    size_t size;

    (void)state;
    write_trace_of(FRAMES_MANY, "glFlush()");
    apitrace_open(world.trace, &fresh);
    (void)apitrace_opened_index(&fresh);
    expected = bytes_of(index_of(&fresh), &size);
    apitrace_close(&fresh);
    assert_true(size > 2 * WRITTEN);
    support_empty_folder(world.cache);
    for (int call = 0; is_killed_at(call); call++) {
        char path[4096];
        unsigned files = support_count_files(world.cache, path, sizeof(path));
        bool kept = files > 0 && strchr(strrchr(path, '/'), '.') == NULL;

        assert_true(files <= 1);
        *(files == 0 ? &before : kept ? &after : &amid) += 1;
        expect_right_index(kept, expected, size);
        expect_right_index(true, expected, size);
        support_empty_folder(world.cache);
    }
    assert_true(before > 0 && amid > 2 && after > 0);
    free(expected);
}

/* If there is no place for kept indexes, nothing is prepared for one. */
static void without_a_place_nothing_is_to_be_kept(void **state)
{
    char *home = strdup(getenv("XDG_CACHE_HOME"));
    struct apitrace_opened opened;

    (void)state;
    write_trace("glFlush()");
    assert_int_equal(setenv("XDG_CACHE_HOME", "/dev/null", 1), 0);
    open_keeping(world.trace, &opened);
    assert_false(index_of(&opened)->keeps);
    (void)apitrace_opened_index(&opened);
    apitrace_close(&opened);
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    open_keeping(world.trace, &opened);
    assert_true(index_of(&opened)->keeps);
    apitrace_close(&opened);
    free(home);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_comes_back),
        cmocka_unit_test(the_same_comes_back_of_a_game),
        cmocka_unit_test(damage_is_no_index),
        cmocka_unit_test(lack_of_memory_is_no_damage),
        cmocka_unit_test(a_failing_disk_is_no_damage),
        cmocka_unit_test(what_is_kept_is_little),
        cmocka_unit_test(forged_values_are_refused_or_harmless),
        cmocka_unit_test(what_is_refused_leaves_no_trace),
        cmocka_unit_test(another_trace_has_another),
        cmocka_unit_test(what_is_wrong_is_not_kept),
        cmocka_unit_test(what_is_not_whole_is_not_kept),
        cmocka_unit_test(kills_amid_the_writing_leave_nothing_wrong),
        cmocka_unit_test(without_a_place_nothing_is_to_be_kept),
    };

    return cmocka_run_group_tests_name("apitrace kept index", tests, make_world, end_world);
}
