/* SPDX-License-Identifier: MIT */
/*
 * Frames of a large trace that are shown before all of it has been read: they must be the same as
 * afterwards, and nothing else may be shown before.
 */
#include "config.h"

#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEGIN                                                                                      \
    "glXCreateContext(dpy=0x1, vis=null, shareList=null, direct=1) = 0xC\n"                        \
    "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0xC) = 1\n"
#define VIEWPORT(height) "glViewport(x=0, y=0, width=40, height=" #height ")\n"
#define CLEAR            "glClear(mask=17664)\n"
#define DRAW             "glDrawArrays(mode=4, first=0, count=3)\n"
#define SWAP             "glXSwapBuffers(dpy=0x1, drawable=5)\n"
#define LARGE            "(large)\n" /* replaced by one call that makes the trace large */

enum { LARGE_BYTES = 5 << 20, FRAMES_MAX = 16 };

static char *folder, *path;
static struct apitrace_opened opened;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    path = support_path(folder, "large.trace");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(path);
    support_remove(&folder);
    return 0;
}

/* Writes the script as a trace, with a long string in place of LARGE. */
static void write_trace(const char *script)
{
    const char head[] = "glShaderSource(shader=1, count=1, string={\"",
               tail[] = "\"}, length=null)\n";
    const char *place = strstr(script, LARGE);
    char *all = malloc(strlen(script) + sizeof(head) + sizeof(tail) + LARGE_BYTES), *end = all;

    assert_non_null(place);
    end = mempcpy(end, script, (size_t)(place - script));
    end = mempcpy(end, head, sizeof(head) - 1);
    memset(end, 'x', LARGE_BYTES);
    end = mempcpy(end + LARGE_BYTES, tail, sizeof(tail) - 1);
    strcpy(end, place + strlen(LARGE));
    apitrace_script(path, all);
    free(all);
}

static bool is_early(void)
{
    return apitrace_is_early(tree_dump(opened.tree));
}

static void read_all(void)
{
    char *text;
    size_t size;

    text = walk_read(opened.tree, "metadata.txt", &size);
    free(text);
    assert_false(is_early());
}

/* Returns the size of a frame's picture by one of its names, or -errno. */
static int64_t size_at(const char *name)
{
    struct tree_attributes attributes;
    uint64_t inode;
    int status = tree_find(opened.tree, name, true, &inode);

    if (status == 0)
        status = tree_stat(opened.tree, inode, NULL, &attributes);
    return status == 0 ? (int64_t)attributes.size : status;
}

static int64_t size_of(unsigned frame)
{
    char name[64];

    snprintf(name, sizeof(name), "frames/%06u.png", frame);
    return size_at(name);
}

static int64_t size_of_image(unsigned frame)
{
    char name[64];

    snprintf(name, sizeof(name), "by-frame/%06u/image.png", frame);
    return size_at(name);
}

/*
 * Determines the number of frames and the sizes of their pictures after all has been read. Returns
 * the number.
 */
static unsigned sizes_at_the_end(int64_t sizes[FRAMES_MAX])
{
    unsigned count = 0;

    apitrace_open(path, &opened);
    read_all();
    for (; count < FRAMES_MAX; count++)
        if ((sizes[count] = size_of(count)) < 0)
            break;
    assert_int_equal(sizes[count], -ENOENT);
    apitrace_close(&opened);
    return count;
}

static bool has_read_much(void)
{
    return apitrace_index_of(tree_dump(opened.tree))->end > LARGE_BYTES;
}

/*
 * Requests each frame first of all. The first `before` frames must be there before the large call
 * is read, and the first `early` before all is read.
 */
static void expect_early(unsigned before, unsigned early)
{
    int64_t sizes[FRAMES_MAX];
    unsigned count = sizes_at_the_end(sizes);

    assert_true(early <= count);
    for (unsigned frame = 0; frame <= count; frame++) {
        apitrace_open(path, &opened);
        assert_true(is_early());
        assert_int_equal(size_of(frame), sizes[frame]);
        assert_int_equal(size_of_image(frame), sizes[frame]);
        assert_int_equal(has_read_much(), frame >= before);
        assert_int_equal(is_early(), frame < early);
        read_all();
        assert_int_equal(size_of(frame), sizes[frame]);
        apitrace_close(&opened);
    }
}

static void frames_before_much_are_shown_before_it(void **state)
{
    (void)state;
    write_trace(BEGIN VIEWPORT(30) CLEAR SWAP CLEAR SWAP VIEWPORT(50)
                    CLEAR SWAP LARGE CLEAR SWAP DRAW);
    expect_early(3, 4);
}

/* The first size of a drawable comes in frame 2, and applies to the frames before as well. */
static void frames_wait_for_their_sizes(void **state)
{
    (void)state;
    write_trace(BEGIN CLEAR SWAP CLEAR SWAP VIEWPORT(50) CLEAR SWAP LARGE VIEWPORT(60) CLEAR SWAP);
    expect_early(3, 4);
    write_trace(BEGIN CLEAR SWAP CLEAR SWAP LARGE VIEWPORT(60) CLEAR SWAP);
    expect_early(0, 3);
}

/* A later call may tell which API an implicit context has. */
static void implicit_contexts_wait_for_all(void **state)
{
    (void)state;
    write_trace(VIEWPORT(30) CLEAR DRAW SWAP CLEAR DRAW SWAP LARGE CLEAR SWAP);
    expect_early(0, 0);
}

static void calls_that_return_late_are_those_of_later_frames(void **state)
{
    (void)state;
    write_trace(BEGIN VIEWPORT(30) "@1 glFinish() ...\n" CLEAR SWAP CLEAR SWAP LARGE CLEAR SWAP);
    expect_early(2, 3);
}

/*
 * The first frames can be shown early; later ones need to know what can be skipped, which is only
 * known at the end.
 */
static void frames_that_are_not_the_first_wait_for_all(void **state)
{
    (void)state;
    write_trace(BEGIN VIEWPORT(30)
                    CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP CLEAR SWAP LARGE DRAW);
    expect_early(4, 4);
}

/* A call of another thread is open while more of a frame is read than fits into a step. */
static void long_frames_are_read_in_steps(void **state)
{
    enum { CALLS = 20000 };
    static const char begin[] = BEGIN VIEWPORT(30) CLEAR SWAP "@1 glFinish() ...\n",
                      flush[] = "glFlush()\n", end[] = CLEAR SWAP LARGE CLEAR SWAP;
    char *script = malloc(sizeof(begin) + CALLS * sizeof(flush) + sizeof(end)), *at = script;

    (void)state;
    at = mempcpy(at, begin, sizeof(begin) - 1);
    for (unsigned n = 0; n < CALLS; n++)
        at = mempcpy(at, flush, sizeof(flush) - 1);
    memcpy(at, end, sizeof(end));
    write_trace(script);
    free(script);
    expect_early(2, 3);
}

/* Compares each path when it is requested first with the same path after all has been read. */
static void all_else_waits(void **state)
{
    static const char *const paths[] = {"README.txt",
                                        "metadata.json",
                                        "problems.txt",
                                        "frames.tsv",
                                        "packets.tsv",
                                        "shaders.tsv",
                                        "by-frame/000000/calls.txt",
                                        "by-frame/000000/info.txt",
                                        "by-frame/000000/packets.tsv",
                                        "by-frame/000001/summary.txt",
                                        "frames.tsv.0.js",
                                        "by-frame/000000/calls.txt.0.js"};

    (void)state;
    write_trace(BEGIN VIEWPORT(30) CLEAR SWAP CLEAR SWAP LARGE CLEAR SWAP "glGetError() = 1280\n");
    for (size_t n = 0; n < sizeof(paths) / sizeof(paths[0]); n++) {
        char *early, *whole;
        size_t early_size, whole_size;

        apitrace_open(path, &opened);
        early = walk_read(opened.tree, paths[n], &early_size);
        assert_false(is_early());
        apitrace_close(&opened);
        apitrace_open(path, &opened);
        read_all();
        whole = walk_read(opened.tree, paths[n], &whole_size);
        apitrace_close(&opened);
        assert_int_equal(early_size, whole_size);
        assert_memory_equal(early, whole, whole_size);
        free(early);
        free(whole);
    }
}

static bool count_entry(void *context, const char *name, uint64_t inode, enum rule_kind kind,
                        uint64_t next)
{
    unsigned *count = context;

    (void)inode, (void)kind, (void)next;
    *count += name[0] != '.';
    return true;
}

static unsigned list(const char *name)
{
    uint64_t inode, cursor = 0;
    unsigned count = 0;

    assert_int_equal(tree_find(opened.tree, name, true, &inode), 0);
    assert_int_equal(tree_list(opened.tree, inode, &cursor, count_entry, &count), 0);
    return count;
}

/* Listings are complete, even after a frame was shown early. */
static void listings_are_whole(void **state)
{
    static const char *const folders[] = {"frames", "by-frame"};

    (void)state;
    write_trace(BEGIN VIEWPORT(30) CLEAR SWAP CLEAR SWAP LARGE CLEAR SWAP);
    for (size_t n = 0; n < 2; n++) {
        apitrace_open(path, &opened);
        assert_true(size_of(0) > 0);
        assert_true(is_early());
        assert_int_equal(list(folders[n]), 3);
        assert_false(is_early());
        apitrace_close(&opened);
    }
}

/* What comes after a defect is not shown, and what comes before it is shown early. */
static void damage_behind_them_is_told(void **state)
{
    uint8_t *bytes;
    size_t size;
    char *problems;

    (void)state;
    write_trace(BEGIN VIEWPORT(30) CLEAR SWAP CLEAR SWAP LARGE CLEAR SWAP);
    bytes = support_read(path, &size);
    support_write(path, bytes, size - 1);
    free(bytes);
    apitrace_open(path, &opened);
    assert_true(size_of(1) > 0);
    assert_true(is_early());
    problems = apitrace_problems(&opened);
    assert_true(problems[0] != '\0');
    assert_false(is_early());
    free(problems);
    apitrace_close(&opened);
}

/* All is read at the opening, while arrays may still move. */
static void all_is_read_where_address_space_is_short(void **state)
{
    (void)state;
    write_trace(BEGIN VIEWPORT(30) CLEAR SWAP CLEAR SWAP LARGE CLEAR SWAP);
    support_limit_space(UINT64_C(1) << 30);
    apitrace_open(path, &opened);
    assert_false(is_early());
    assert_true(size_of(2) > 0);
    assert_int_equal(list("frames"), 3);
    apitrace_close(&opened);
    support_limit_space(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_before_much_are_shown_before_it),
        cmocka_unit_test(frames_wait_for_their_sizes),
        cmocka_unit_test(implicit_contexts_wait_for_all),
        cmocka_unit_test(calls_that_return_late_are_those_of_later_frames),
        cmocka_unit_test(frames_that_are_not_the_first_wait_for_all),
        cmocka_unit_test(long_frames_are_read_in_steps),
        cmocka_unit_test(all_else_waits),
        cmocka_unit_test(listings_are_whole),
        cmocka_unit_test(damage_behind_them_is_told),
        cmocka_unit_test(all_is_read_where_address_space_is_short),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
