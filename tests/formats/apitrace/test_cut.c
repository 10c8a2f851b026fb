/* SPDX-License-Identifier: MIT */
/*
 * Cuts, frame.trace: each must be as long as its size said, and be a trace without problems whose
 * calls are printed as those of the original trace, with none missing except those that may be.
 * Cuts captures, traces of all versions, and random traces, whose calls overlap and define things
 * in calls that are left out. By hand, GPUDUMPFS_CUT_FRAMES=all tests all frames of captures, and
 * GPUDUMPFS_CUT_SEEDS sets the number of random traces.
 */
#include "config.h"

#include "formats/apitrace/cut/files.h"
#include "formats/apitrace/views/views.h"
#include "tests/formats/apitrace/written.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4, SEEDS = 20, PATH_ROOM = 64 };

static bool all_frames(void)
{
    const char *frames = getenv("GPUDUMPFS_CUT_FRAMES");

    return frames != NULL && strcmp(frames, "all") == 0;
}

static uint64_t told_size(const struct apitrace_opened *opened, const char *path)
{
    struct tree_attributes attributes;
    uint64_t inode;

    assert_int_equal(tree_find(opened->tree, path, true, &inode), 0);
    assert_int_equal(tree_stat(opened->tree, inode, NULL, &attributes), 0);
    return attributes.size;
}

/*
 * Reads a frame's cut, which must be as long as its size said before it was built. The caller frees
 * the result.
 */
static char *read_cut(const struct apitrace_opened *opened, uint64_t frame, size_t *size)
{
    char path[PATH_ROOM], *bytes;
    uint64_t told;

    snprintf(path, sizeof(path), "by-frame/%06llu/frame.trace", (unsigned long long)frame);
    told = told_size(opened, path);
    bytes = walk_read(opened->tree, path, size);
    if (*size != told)
        fail_msg("%s has %zu bytes, %llu were told", path, *size, (unsigned long long)told);
    return bytes;
}

/* The texts of calls, without their numbers */

struct reading {
    const struct apitrace_index *index;
    struct apitrace_printer printer;
    struct apitrace_walk walk;
    struct text text;
};

static void begin_reading(struct reading *reading, const struct apitrace_opened *opened)
{
    *reading = (struct reading){.index = apitrace_opened_index(opened), .text = TEXT_INIT};
    apitrace_printer_init(&reading->printer, reading->index, NULL);
    apitrace_walk_init(&reading->walk, &reading->index->calls);
}

static void end_reading(struct reading *reading)
{
    apitrace_printer_clear(&reading->printer);
    text_clear(&reading->text);
}

static const struct apitrace_record *listed(struct reading *reading, uint64_t order)
{
    return apitrace_walk_to(&reading->walk, apitrace_index_listed(reading->index, order));
}

static const char *text_of(struct reading *reading, uint64_t number)
{
    text_clear(&reading->text);
    assert_int_equal(
        apitrace_print_call(&reading->printer, number, APITRACE_PRINT_LINES, &reading->text), 0);
    text_add_char(&reading->text, '\0');
    assert_int_equal(text_status(&reading->text), 0);
    return reading->text.bytes + strspn(reading->text.bytes, "0123456789");
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/*
 * Returns whether a cut may lack the call, since the player does not need it: queries; and, in
 * frames before the cut, draws and ends of frames.
 */
static bool may_be_missing(const char *name, bool before)
{
    static const char *const questions[] = {"glGet", "glIs", "glAre",  "glXGet",   "glXQ",
                                            "glXIs", "eglG", "eglQ",   "wglGet",   "wglD",
                                            "CGLG",  "glDe", "glObje", "glBuffer", "glValid"},
                             *const in_frames[] = {"glClear", "glDraw",        "glMultiDraw",
                                                   "glRect",  "eglSwapBuffer", "glXSwapBuffer",
                                                   "wglSwap", "CGLFlush",      "glFrameTerminat"};

    for (size_t n = 0; n < COUNT_OF(questions); n++)
        if (begins(name, questions[n]))
            return true;
    for (size_t n = 0; n < COUNT_OF(in_frames); n++)
        if (begins(name, in_frames[n]))
            return before;
    return false;
}

static void compare_call(struct reading *from, uint64_t number, struct reading *cut, uint64_t order,
                         const char *name)
{
    const struct apitrace_record *record;
    const char *wanted;

    if (order >= cut->index->listed)
        fail_msg("%s: its cut has %llu calls, not call %llu", name, (unsigned long long)order,
                 (unsigned long long)number);
    record = listed(cut, order);
    wanted = text_of(from, number);
    assert_int_equal(record->thread, apitrace_index_at(from->index, number).thread);
    if (strcmp(text_of(cut, record->number), wanted) != 0)
        fail_msg("%s: call %llu is call %llu of the cut, but for%sand%s", name,
                 (unsigned long long)number, (unsigned long long)record->number, wanted,
                 text_of(cut, record->number));
}

/* Checks that the cut has all calls that it should have, in their order, and no others. */
static void compare_calls(const struct apitrace_opened *of, const struct apitrace_cut *plan,
                          const struct apitrace_opened *cut, const char *name)
{
    struct reading from, to;
    uint64_t found = 0;

    begin_reading(&from, of);
    begin_reading(&to, cut);
    for (uint64_t order = 0; order < plan->end; order++) {
        const struct apitrace_record record = *listed(&from, order);
        const char *function = apitrace_index_name(from.index, &record);

        if (apitrace_cut_keeps(plan, &record))
            compare_call(&from, record.number, &to, found++, name);
        else if (!may_be_missing(function, apitrace_index_frame(from.index, order) < plan->first))
            fail_msg("%s: call %llu, %s, is missing", name, (unsigned long long)record.number,
                     function);
    }
    assert_int_equal(to.index->listed, found);
    end_reading(&from);
    end_reading(&to);
}

/* Counts the properties, except the one that contains a window's size. */
static uint64_t count_properties(const struct apitrace_index *index)
{
    uint64_t count = 0;

    for (uint64_t n = 0; n < index->property_count; n++)
        count += strcmp(index->properties[n].name.bytes, APITRACE_WINDOW_PROPERTY) != 0;
    return count;
}

/* Checks that version and properties are those of the trace. */
static void compare_headers(const struct apitrace_index *of, const struct apitrace_index *cut)
{
    assert_int_equal(of->version, cut->version);
    assert_int_equal(of->semantic_version, cut->semantic_version);
    assert_int_equal(count_properties(of), count_properties(cut));
}

static void expect_frames(const struct apitrace_opened *cut, const struct apitrace_cut *plan,
                          const char *name)
{
    const struct apitrace_index *index = apitrace_opened_index(cut);

    if (index->api != APITRACE_D3D && plan->cuts->index->api != APITRACE_D3D &&
        index->frame_count != plan->last - plan->first + 1)
        fail_msg("%s: the cut has %llu frames", name, (unsigned long long)index->frame_count);
}

/* Compares a cut of frames `first` to `last` with the trace. */
static void compare(const struct apitrace_opened *of, uint64_t first, uint64_t last,
                    const void *bytes, size_t size, const char *name)
{
    const struct apitrace_cuts *cuts;
    struct apitrace_opened cut;
    struct apitrace_cut plan;

    assert_int_equal(apitrace_dump_cuts(tree_dump(of->tree), NULL, &cuts), 0);
    apitrace_cut_init(&plan, cuts, first, last);
    apitrace_open_bytes(bytes, size, &cut);
    compare_headers(apitrace_opened_index(of), apitrace_opened_index(&cut));
    compare_calls(of, &plan, &cut, name);
    expect_frames(&cut, &plan, name);
    written_expect_clean(&cut);
    apitrace_close(&cut);
}

static void compare_frame(const struct apitrace_opened *of, uint64_t frame, const char *name)
{
    size_t size;
    char *bytes = read_cut(of, frame, &size);

    compare(of, frame, frame, bytes, size, name);
    free(bytes);
}

/* Traces of the corpus */

static void cut_trace(const char *path)
{
    struct apitrace_opened opened;
    uint64_t frames, step = 1;

    if (apitrace_try(path, &opened) == 0) {
        frames = apitrace_opened_index(&opened)->frame_count;
        if (frames > SAMPLES && !all_frames())
            step = (frames - 2) / (SAMPLES - 1);
        for (uint64_t frame = 0; frame < frames; frame += step)
            compare_frame(&opened, frame, path);
        if (frames > 0)
            compare_frame(&opened, frames - 1, path);
    }
    apitrace_close(&opened);
}

static unsigned cut_folder(const char *name)
{
    char *folder = support_corpus(name);
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort);
    unsigned traces = 0;

    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        char *path = support_path(folder, entries[n]->d_name);

        if (strchr(entries[n]->d_name, '.') > entries[n]->d_name) {
            cut_trace(path);
            traces++;
        }
        free(path);
        free(entries[n]);
    }
    free(entries);
    free(folder);
    return traces;
}

static void cuts_of_captures_have_their_calls(void **state)
{
    (void)state;
    assert_true(cut_folder("apitrace/real") >= 18);
}

static void cuts_of_all_versions_have_their_calls(void **state)
{
    (void)state;
    assert_true(cut_folder("apitrace/synth") >= 32);
    assert_true(cut_folder("apitrace/containers") >= 5);
}

/* Random traces */

static const struct trace_constant constants[] = {{"ZERO", 0}, {"ONE", 1}, {"MINUS", -3}};
static const struct trace_function functions[] = {
    {10, "glClear", 1, {"mask"}},
    {11, "glDrawArrays", 3, {"mode", "first", "count"}},
    {12, "glEnable", 1, {"cap"}},
    {13, "glGetError", 0, {NULL}},
    {14, "glXSwapBuffers", 2, {"dpy", "drawable"}},
    {15, "glUniform4fv", 3, {"location", "count", "value"}},
    {16, "glBindFramebuffer", 2, {"target", "framebuffer"}},
    {17, "glNewList", 2, {"list", "mode"}},
    {18, "glEndList", 0, {NULL}},
    {19, "glGetIntegerv", 2, {"pname", "params"}},
    {20, "glBeginTransformFeedback", 1, {"mode"}},
    {21, "glEndTransformFeedback", 0, {NULL}},
    {22, "glViewport", 4, {"x", "y", "width", "height"}},
};
static const struct trace_function create = {8,
                                             "glXCreateContext",
                                             4,
                                             {"dpy", "vis", "share", "d"}},
                                   make_current = {9, "glXMakeCurrent", 3, {"dpy", "d", "ctx"}};

static uint64_t seed;

static unsigned below(unsigned limit)
{
    return (unsigned)(support_random(&seed) >> 16) % limit;
}

/*
 * Writes a value of one of many enums, so that for some cut most are defined in calls that are left
 * out.
 */
static void random_names(struct trace_writer *writer)
{
    const struct trace_names names = {40 + below(30), COUNT_OF(constants), constants};

    if (below(2) == 0)
        trace_enum(writer, &names, constants[below(COUNT_OF(constants))].value);
    else
        trace_bitmask(writer, &names, below(4));
}

static void random_value(struct trace_writer *writer)
{
    static const char bytes[300] = "bytes";
    const struct trace_struct structure = {40 + below(30), "pair", 2, {"first", "second"}};

    switch (below(7)) {
    case 0:
        trace_uint(writer, below(1000000));
        break;
    case 1:
        trace_blob(writer, bytes, below(sizeof(bytes)));
        break;
    case 2:
        trace_structure(writer, &structure);
        random_names(writer);
        random_names(writer);
        break;
    case 3:
        trace_array(writer, 2);
        random_names(writer);
        trace_float(writer, 1.5F);
        break;
    case 4:
        trace_string(writer, "a\nstring");
        break;
    default:
        random_names(writer);
    }
}

static void random_arguments(struct trace_writer *writer, const struct trace_function *function)
{
    for (unsigned n = 0; n < function->count; n++) {
        trace_argument(writer, n);
        if (strcmp(function->name, "glXSwapBuffers") == 0)
            trace_uint(writer, 5);
        else if (strcmp(function->name, "glBindFramebuffer") == 0)
            trace_uint(writer, n == 0 ? 0x8D40 : below(2));
        else if (strcmp(function->name, "glViewport") == 0)
            trace_uint(writer, n < 2 ? 0 : 16);
        else if (strcmp(function->name, "glClear") == 0)
            trace_uint(writer, 0x4000);
        else
            random_value(writer);
    }
    if (below(4) == 0)
        trace_backtrace(writer, 40 + below(30), "module", "function", 7);
}

static void write_current(struct trace_writer *writer, unsigned thread)
{
    uint64_t call = trace_enter(writer, thread, &make_current);

    written_uint(writer, 0, 1);
    written_uint(writer, 1, 5 + thread);
    written_uint(writer, 2, 12 + thread);
    trace_end(writer);
    trace_leave(writer, call);
    trace_result(writer);
    trace_uint(writer, 1);
    trace_end(writer);
}

/* Writes calls of three threads, each of which has at most one call open; some never return. */
static void write_random(struct trace_writer *writer)
{
    enum { THREADS = 3, CALLS = 400, NONE = -1 };
    int64_t open[THREADS] = {NONE, NONE, NONE};

    trace_call_end(writer, trace_enter(writer, 0, &create));
    for (unsigned thread = 0; thread < THREADS; thread++)
        write_current(writer, thread);
    for (unsigned n = 0; n < CALLS; n++) {
        unsigned thread = below(THREADS);

        if (open[thread] == NONE) {
            const struct trace_function *function = &functions[below(COUNT_OF(functions))];

            open[thread] = (int64_t)trace_enter(writer, thread, function);
            random_arguments(writer, function);
            trace_end(writer);
        }
        if (below(3) > 0) {
            trace_leave(writer, (uint64_t)open[thread]);
            if (below(3) == 0) {
                trace_result(writer);
                random_value(writer);
            }
            trace_end(writer);
            open[thread] = NONE;
        } else if (below(60) == 0) {
            open[thread] = NONE;
        }
    }
}

static int sink(void *context, const void *bytes, size_t size)
{
    text_add_bytes(context, bytes, size);
    return 0;
}

static void compare_range(const struct apitrace_opened *of, uint64_t first, uint64_t last)
{
    struct dump *dump = tree_dump(of->tree);
    struct text bytes = TEXT_INIT;

    assert_int_equal(dump->ops->cut(dump, first, last, NULL, sink, &bytes), 0);
    compare(of, first, last, bytes.bytes, bytes.length, "a range");
    text_clear(&bytes);
}

static void cuts_of_random_traces_have_their_calls(void **state)
{
    const char *wanted = getenv("GPUDUMPFS_CUT_SEEDS");
    unsigned seeds = wanted != NULL ? (unsigned)atoi(wanted) : (unsigned)SEEDS, skipped = 0;

    (void)state;
    for (unsigned n = 0; n < seeds; n++) {
        const struct trace_params params = {.version = n % 3 + 4, .chunk = n % 5 * 1000};
        const struct apitrace_cuts *cuts;
        struct apitrace_opened opened;
        uint64_t frames;
        char name[32];

        seed = n + 1;
        snprintf(name, sizeof(name), "seed %u", n + 1);
        written_open(&params, write_random, &opened);
        frames = apitrace_opened_index(&opened)->frame_count;
        for (uint64_t frame = 0; frame < frames; frame++)
            compare_frame(&opened, frame, name);
        compare_range(&opened, frames / 3, frames - 1);
        compare_range(&opened, 0, frames / 2);
        assert_int_equal(apitrace_dump_cuts(tree_dump(opened.tree), NULL, &cuts), 0);
        for (uint64_t word = 0; word * 64 < apitrace_opened_index(&opened)->calls.count; word++)
            skipped += cuts->skipped[word] != 0;
        apitrace_close(&opened);
    }
    assert_true(skipped > seeds); /* draws are left out as well */
}

/* Many bytes, and pieces in any order */

static void write_large(struct trace_writer *writer)
{
    enum { BYTES = 700000, CALLS = 9 };
    uint8_t *bytes = malloc(BYTES);

    for (unsigned n = 0; n < CALLS; n++) {
        uint64_t call = trace_enter(writer, 0, &written_plain);

        for (unsigned i = 0; i < BYTES; i++)
            bytes[i] = (uint8_t)(i * (n + 3) / 7);
        trace_argument(writer, 0);
        trace_blob(writer, bytes, BYTES - n);
        trace_call_end(writer, call);
    }
    trace_call_end(writer, trace_enter(writer, 0, &written_swap));
    free(bytes);
}

static void expect_piece(const struct apitrace_opened *opened, const char *bytes, size_t size,
                         uint64_t offset)
{
    size_t length = size - offset < RULE_PIECE ? (size_t)(size - offset) : (size_t)RULE_PIECE;
    struct blob *piece;

    assert_int_equal(
        apitrace_frame_cut_piece(tree_dump(opened->tree), 0, offset, length, NULL, &piece), 0);
    assert_int_equal(piece->size, length);
    assert_memory_equal(piece->data, bytes + offset, length);
    blob_unref(&piece);
}

static void pieces_come_in_any_order(void **state)
{
    const struct trace_params params = {.version = 6};
    struct apitrace_opened opened;
    char *bytes;
    size_t size;

    (void)state;
    written_open(&params, write_large, &opened);
    bytes = read_cut(&opened, 0, &size);
    assert_true(size > 6 * RULE_PIECE);
    compare(&opened, 0, 0, bytes, size, "large");
    for (uint64_t offset = size / RULE_PIECE * RULE_PIECE;; offset -= RULE_PIECE) {
        expect_piece(&opened, bytes, size, offset);
        if (offset == 0)
            break;
    }
    expect_piece(&opened, bytes, size, 2 * RULE_PIECE);
    expect_piece(&opened, bytes, size, 4 * RULE_PIECE);
    expect_piece(&opened, bytes, size, 3 * RULE_PIECE);
    free(bytes);
    apitrace_close(&opened);
}

static void sizes_of_files_follow_from_streams(void **state)
{
    static const uint64_t streams[] = {1,
                                       127,
                                       128,
                                       16384,
                                       APITRACE_CUT_BLOCK - 1,
                                       APITRACE_CUT_BLOCK,
                                       APITRACE_CUT_BLOCK + 1,
                                       3 * APITRACE_CUT_BLOCK};
    static const uint64_t sizes[] = {12,
                                     138,
                                     140,
                                     16384 + 13,
                                     APITRACE_CUT_BLOCK - 1 + 13,
                                     APITRACE_CUT_BLOCK + 13,
                                     APITRACE_CUT_BLOCK + 13 + 10,
                                     3 * (APITRACE_CUT_BLOCK + 11) + 2};

    (void)state;
    for (size_t n = 0; n < COUNT_OF(streams); n++)
        assert_int_equal(apitrace_cut_file_size(streams[n]), sizes[n]);
}

/* What is refused */

enum { MANY_OPEN = 70000 };

static void write_many_open(struct trace_writer *writer)
{
    for (unsigned n = 0; n < MANY_OPEN; n++) {
        trace_enter(writer, 0, &written_plain);
        trace_end(writer);
    }
    for (unsigned n = 0; n < MANY_OPEN; n++) {
        trace_leave(writer, n);
        trace_end(writer);
    }
}

static void too_many_open_calls_are_refused(void **state)
{
    const struct trace_params params = {.version = 6};
    struct apitrace_opened opened;
    struct blob *piece;
    uint64_t size;

    (void)state;
    written_open(&params, write_many_open, &opened);
    size = told_size(&opened, "by-frame/000000/frame.trace");
    assert_int_equal(
        apitrace_frame_cut_piece(tree_dump(opened.tree), 0, 0, (size_t)size, NULL, &piece), -EFBIG);
    assert_int_equal(tree_dump(opened.tree)
                         ->ops->cut(tree_dump(opened.tree), 0, 1, NULL, sink, &(struct text){0}),
                     -ENOENT);
    apitrace_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_of_captures_have_their_calls),
        cmocka_unit_test(cuts_of_all_versions_have_their_calls),
        cmocka_unit_test(cuts_of_random_traces_have_their_calls),
        cmocka_unit_test(pieces_come_in_any_order),
        cmocka_unit_test(sizes_of_files_follow_from_streams),
        cmocka_unit_test(too_many_open_calls_are_refused),
    };

    return cmocka_run_group_tests(tests, written_make_folder, written_remove_folder);
}
