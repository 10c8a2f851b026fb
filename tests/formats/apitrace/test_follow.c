/* SPDX-License-Identifier: MIT */
/*
 * Compares a trace that comes through a pipe with the complete trace, and with the trace cut off
 * after what is shown: whatever is shown at any moment must be what these show.
 */
#include "config.h"

#include "examples/apitrace_writer.h"
#include "tests/formats/apitrace/framed.h"
#include "tests/formats/apitrace/open.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/piped.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST = 16 }; /* bytes that are needed to recognize the format */

static char *folder;

static int set_up(void **state)
{
    (void)state;
    folder = support_folder();
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    support_remove(&folder);
    return 0;
}

/* Opens a stream with its first bytes. A stream that is shorter ends before it is opened. */
static void open_stream(struct piped *stream, const uint8_t *bytes, size_t size)
{
    piped_prepare(stream, NULL);
    piped_write(stream, bytes, size);
    if (size < FIRST) {
        close(stream->pipe);
        stream->pipe = -1;
    }
    piped_open_prepared(stream, folder);
    assert_string_equal(stream->dump.format->name, "apitrace");
}

/* Gives the index time to show what it must not show. */
static void wait_in_vain(void)
{
    for (int ms = 0; ms < 60; ms++)
        piped_nap();
}

static const char *const frame_files[] = {"info.txt",         "state.txt",         "calls.txt",
                                          "calls-raw.txt",    "calls-verbose.txt", "packets.tsv",
                                          "calls-oneline.txt"};

static const char *const root_files[] = {"frames.tsv", "packets.tsv", "errors.tsv", "markers.tsv"};

static void compare_frame(const struct piped *stream, struct tree *whole, uint64_t frame)
{
    char path[64];

    for (size_t i = 0; i < COUNT_OF(frame_files); i++) {
        snprintf(path, sizeof(path), "by-frame/%06u/%s", (unsigned)frame, frame_files[i]);
        piped_compare(stream, whole, path, false);
    }
}

static void compare_so_far(const struct piped *stream, struct tree *whole, uint64_t *compared)
{
    for (size_t i = 0; i < COUNT_OF(root_files); i++)
        piped_compare(stream, whole, root_files[i], true);
    for (; *compared < piped_frames(stream); ++*compared)
        compare_frame(stream, whole, *compared);
}

/*
 * Compares everything after the end: all names, inodes, sizes and bytes, except what describes the
 * stream itself.
 */
static void compare_all(const struct piped *stream, struct tree *whole)
{
    static const char *const unread[] = {".png",
                                         "metadata.txt",
                                         "metadata.json",
                                         "README.txt",
                                         "near-frames.tsv",
                                         "draw-ids.bin",
                                         "depth.bin",
                                         NULL}; /* pictures are those of the frames' calls */
    static const struct walk_params params = {.max_entries = 40, .unread = unread};
    static const char *const more[] = {"problems.txt",        "blobs.tsv",
                                       "shaders.tsv",         "textures.tsv",
                                       "threads.tsv",         "signatures/functions.txt",
                                       "signatures/enums.txt"};
    struct walk_result got, expected;
    struct dump *dump = tree_dump(stream->tree);

    assert_int_equal(tree_dump(whole)->ops->settle(tree_dump(whole), NULL), 0);
    assert_int_equal(piped_frames(stream), tree_dump(whole)->ops->frames(tree_dump(whole)));
    for (size_t i = 0; i < COUNT_OF(root_files); i++)
        piped_compare(stream, whole, root_files[i], false);
    for (size_t i = 0; i < COUNT_OF(more); i++)
        piped_compare(stream, whole, more[i], false);
    for (uint64_t frame = 0; frame < piped_frames(stream); frame++)
        compare_frame(stream, whole, frame);
    assert_int_equal(dump->ops->packets(dump), tree_dump(whole)->ops->packets(tree_dump(whole)));
    walk_tree(stream->tree, &params, &got);
    walk_tree(whole, &params, &expected);
    assert_int_equal(got.directories, expected.directories);
    assert_int_equal(got.files, expected.files);
    assert_int_equal(got.links, expected.links);
    assert_int_equal(got.digest, expected.digest);
}

/* Returns metadata.txt without the lines that differ for a pipe, to be freed with free(). */
static char *metadata_of(struct tree *tree)
{
    static const char *const own[] = {"source: ", "size: ", "blobs: ", "container: "};
    size_t size;
    char *text = walk_read(tree, "metadata.txt", &size);

    for (size_t i = 0; i < COUNT_OF(own); i++) {
        char *line = strstr(text, own[i]);

        if (line != NULL && (line == text || line[-1] == '\n')) {
            char *end = strchr(line, '\n') + 1;

            memmove(line, end, strlen(end) + 1);
        }
    }
    return text;
}

static void compare_metadata(const struct piped *stream, struct tree *whole)
{
    char *got = metadata_of(stream->tree), *expected = metadata_of(whole);

    assert_string_equal(got, expected);
    free(got);
    free(expected);
}

/* Returns how many bytes are needed to recognize the format; more if the trace is compressed. */
static size_t first_of(const struct framed *trace)
{
    size_t first = FIRST;

    if (trace->data[0] > 6 && trace->data[0] != 'a')
        first = trace->size < 2048 ? trace->size : trace->size / 3;
    return first < trace->size ? first : trace->size;
}

/*
 * Feeds the trace in pieces of up to `max` bytes, and compares each frame as soon as it is shown.
 */
static void feed(const struct framed *trace, size_t max)
{
    struct apitrace_opened whole;
    struct piped stream;
    uint64_t random = 7, compared = 0;
    size_t at = first_of(trace);

    apitrace_open_bytes(trace->data, trace->size, &whole);
    open_stream(&stream, trace->data, at);
    while (at < trace->size) {
        size_t piece = 1 + support_random(&random) % max;

        piece = piece < trace->size - at ? piece : trace->size - at;
        piped_write(&stream, trace->data + at, piece);
        at += piece;
        piped_nap();
        compare_so_far(&stream, whole.tree, &compared);
    }
    piped_end(&stream);
    compare_all(&stream, whole.tree);
    compare_metadata(&stream, whole.tree);
    piped_close(&stream);
    apitrace_close(&whole);
}

static struct framed (*const containers[])(const struct framed *raw, size_t max) = {
    framed_bare, framed_snappy, framed_gzip, framed_zstd, framed_seekable};

/*
 * Writes two threads, of which one is in a call for long; blobs, errors, markers, and things that
 * are replaced.
 */
static void write_trace(const char *path, unsigned frames)
{
    struct text script = TEXT_INIT;

    text_add(&script, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1\n"
                      "glViewport(x=0, y=0, width=64, height=48)\n"
                      "glGetString(name=7937) = \"machine\"\n");
    for (unsigned n = 0; n < frames; n++) {
        text_printf(&script, "glClear(mask=%u)\n", n);
        if (n % 3 == 0)
            text_printf(&script,
                        "glBufferData(target=34962, size=4, data=[00 01 02 %02x], "
                        "usage=35044)\n",
                        n % 256);
        if (n % 4 == 0)
            text_add(&script, "glGetError() = 1280\n");
        if (n % 5 == 0)
            text_add(&script, "@1 glXMakeCurrent(dpy=0x1, drawable=6, ctx=0x3) = 1\n");
        if (n % 7 == 2)
            text_printf(&script, "@1 glFunction%u(a=%u) ...\n", n, n);
        text_printf(&script, "glXSwapBuffers(dpy=0x1, drawable=5)\n");
    }
    text_add(&script, "glFinish()\n");
    text_add_char(&script, '\0');
    apitrace_script(path, script.bytes);
    text_clear(&script);
}

static void every_frame_is_the_whole_traces(void **state)
{
    char *path = support_path(folder, "written.trace");
    struct framed raw;

    (void)state;
    write_trace(path, 40);
    raw = framed_stream_of(path);
    for (size_t n = 0; n < COUNT_OF(containers); n++) {
        struct framed fine = containers[n](&raw, 50), coarse = containers[n](&raw, 4000);

        feed(&fine, 64);
        feed(&coarse, 700);
        feed(&coarse, coarse.size);
        framed_clear(&fine);
        framed_clear(&coarse);
    }
    framed_clear(&raw);
    free(path);
}

static void the_corpus_too(void **state)
{
    static const char *const names[] = {
        "synth/v0_basic.trace",     "synth/v0_oldthread.trace",
        "synth/v3_oldthread.trace", "synth/v5_basic.trace",
        "synth/v6_alltypes.trace",  "synth/v6_alltypes_chunk7.trace",
        "synth/v6_backtrace.trace", "synth/v6_threads_incomplete.trace",
        "real/eglinfo.trace",       "real/glxdemo.trace",
        "real/es2tri.trace",        "real/glxheads.trace",
        "real/glxgears.trace"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char name[128];
        char *path;
        struct framed raw;

        snprintf(name, sizeof(name), "apitrace/%s", names[i]);
        path = support_corpus(name);
        raw = framed_stream_of(path);
        for (size_t n = 0; n < COUNT_OF(containers); n++) {
            struct framed trace = containers[n](&raw, raw.size / 20 + 1);

            feed(&trace, trace.size / 12 + 1);
            framed_clear(&trace);
        }
        framed_clear(&raw);
        free(path);
    }
}

/*
 * Files of the corpus unchanged: Brotli among them, and some that are cut off, damaged or hostile
 */
static void files_of_the_corpus_come_as_they_are(void **state)
{
    static const char *const names[] = {"containers/glxgears-b.trace",
                                        "containers/es2gears-b.trace",
                                        "containers/glxgears-z.trace",
                                        "synth/v6_alltypes_gzip.trace",
                                        "synth/bad_detail.trace",
                                        "synth/bad_event.trace",
                                        "synth/bad_type.trace",
                                        "synth/hostile_argno.trace",
                                        "synth/hostile_array.trace",
                                        "synth/hostile_nesting.trace",
                                        "synth/hostile_sigid.trace",
                                        "synth/v6_sem3.trace",
                                        "synth/v6_trunc_chunk_body.trace",
                                        "synth/v6_trunc_chunk_len.trace",
                                        "synth/v6_trunc_enter_blob.trace",
                                        "synth/v6_trunc_enter_sig.trace",
                                        "synth/v6_trunc_leave.trace",
                                        "synth/at_zero_chunk.trace"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char name[128];
        struct framed trace;
        char *path;

        snprintf(name, sizeof(name), "apitrace/%s", names[i]);
        path = support_corpus(name);
        trace.data = support_read(path, &trace.size);
        feed(&trace, trace.size / 20 + 1);
        framed_clear(&trace);
        free(path);
    }
}

/* A stream cut off anywhere ends like the trace cut off there. */
static void a_cut_stream_ends_as_a_cut_trace(void **state)
{
    char *path = support_path(folder, "written.trace");
    struct framed raw;

    (void)state;
    write_trace(path, 8);
    raw = framed_stream_of(path);
    for (size_t n = 0; n < 2; n++) {
        struct framed trace = containers[n](&raw, 60);
        size_t size = trace.size;

        for (size_t cut = 1; cut < 150; cut += n == 0 ? 3 : 7) {
            trace.size = size - cut;
            feed(&trace, 400);
        }
        framed_clear(&trace);
    }
    framed_clear(&raw);
    free(path);
}

/* Feeds the trace with the byte at `at` changed. */
static void feed_damaged(const struct framed *trace, size_t at, uint8_t byte)
{
    uint8_t before = trace->data[at];

    trace->data[at] = byte;
    feed(trace, 400);
    trace->data[at] = before;
}

/* What a block contains is known when all of it has arrived, or when the stream has ended. */
static void a_damaged_chunk_ends_as_in_a_file(void **state)
{
    char *path = support_path(folder, "written.trace");
    struct framed raw, trace;
    size_t chunk = 2;

    (void)state;
    write_trace(path, 40);
    raw = framed_stream_of(path);
    trace = framed_snappy(&raw, 400);
    while (chunk < trace.size / 2)
        chunk += 4 + trace.data[chunk] + 256U * trace.data[chunk + 1];
    feed_damaged(&trace, chunk + 3, 1);  /* states to take 16 MB */
    feed_damaged(&trace, chunk + 6, 63); /* states to expand to 1 MB */
    feed_damaged(&trace, chunk + 8, 20); /* what follows that many bytes is not a block */
    framed_clear(&trace);
    framed_clear(&raw);
    free(path);
}

/*
 * A frame in a bare stream ends with an event: after each shown frame, compares with the trace cut
 * off there.
 */
static void it_shows_what_the_cut_trace_shows(void **state)
{
    char *path = support_path(folder, "written.trace");
    struct apitrace_opened whole;
    struct piped stream;
    struct framed raw;
    uint64_t frames;

    (void)state;
    apitrace_script(path, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1\n"
                          "glViewport(x=0, y=0, width=64, height=48)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glGetError() = 1280\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glGetString(name=7937) = \"machine\"\n"
                          "@3 glNewName(a=1)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glFinish()\n");
    raw = framed_stream_of(path);
    apitrace_open(path, &whole);
    frames = apitrace_opened_index(&whole)->finished_frames;
    open_stream(&stream, raw.data, FIRST);
    for (uint64_t n = 0, at = FIRST; n < frames; n++) {
        const struct apitrace_index *index = apitrace_opened_index(&whole);
        uint64_t last = apitrace_index_listed(index, index->frames[n].end - 1);
        struct apitrace_record record = apitrace_index_at(index, last);
        uint64_t end = record.leave + record.leave_bytes;
        struct apitrace_opened cut;

        piped_write(&stream, raw.data + at, (size_t)(end - 1 - at));
        wait_in_vain();
        assert_int_equal(piped_frames(&stream), n);
        piped_write(&stream, raw.data + end - 1, 1);
        at = end;
        piped_wait_for_frames(&stream, n + 1);
        apitrace_open_bytes(raw.data, (size_t)end, &cut);
        for (size_t i = 0; i < COUNT_OF(root_files); i++)
            piped_compare(&stream, cut.tree, root_files[i], false);
        for (uint64_t frame = 0; frame <= n; frame++)
            compare_frame(&stream, cut.tree, frame);
        compare_metadata(&stream, cut.tree);
        piped_compare(&stream, cut.tree, "problems.txt", false);
        apitrace_close(&cut);
    }
    assert_false(piped_has(&stream, "by-frame/000003"));
    assert_false(piped_has(&stream, "blobs.tsv"));
    assert_false(piped_has(&stream, "by-frame/000000/summary.txt"));
    assert_false(piped_has(&stream, "signatures"));
    piped_end(&stream); /* in the middle of an event */
    assert_true(piped_has(&stream, "by-frame/000000/summary.txt"));
    assert_true(piped_has(&stream, "signatures/functions.txt"));
    piped_close(&stream);
    apitrace_close(&whole);
    framed_clear(&raw);
    free(path);
}

static const struct trace_function waits = {1, "glWait", 1, {"a"}},
                                   swaps = {2, "glXSwapBuffers", 0, {NULL}};

static void leave(struct trace_writer *writer, uint64_t call)
{
    trace_leave(writer, call);
    trace_end(writer);
}

/* Writes frames, between which the other thread is in a call that returns, or never does. */
static struct framed write_waiting(bool returns)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = support_path(folder, "waiting.trace");
    struct trace_writer *writer;
    struct framed raw;
    uint64_t call, waiting = 0;

    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    for (unsigned n = 0; n < 3; n++) {
        call = trace_enter(writer, 0, &swaps);
        trace_call_end(writer, call);
        if (n == 0) {
            waiting = trace_enter(writer, 1, &waits);
            trace_argument(writer, 0);
            trace_blob(writer, "blob", 4);
            trace_end(writer);
        }
    }
    if (returns)
        leave(writer, waiting);
    call = trace_enter(writer, 0, &swaps);
    trace_call_end(writer, call);
    assert_int_equal(trace_writer_close(&writer), 0);
    raw.data = support_read(path, &raw.size);
    free(path);
    return raw;
}

/*
 * Frames do not wait for another thread's call; but its packet waits for its return, and so does
 * packets.tsv.
 */
static void a_call_that_takes_long_holds_its_row_alone(void **state)
{
    struct framed raw = write_waiting(true);
    struct apitrace_opened whole;
    struct piped stream;
    size_t length, tail = 10; /* bytes of the last swap and of the leave event before it */
    char *text;

    (void)state;
    apitrace_open_bytes(raw.data, raw.size, &whole);
    open_stream(&stream, raw.data, raw.size - tail);
    piped_wait_for_frames(&stream, 3);
    compare_frame(&stream, whole.tree, 2);
    text = walk_read(stream.tree, "packets.tsv", &length);
    assert_null(strstr(text, "glWait"));
    assert_non_null(strstr(text, "\n0\t"));
    assert_null(strstr(text, "\n2\t"));
    free(text);
    assert_true(piped_has(&stream, "packets/00000/00000002-glXSwapBuffers.bin"));
    assert_true(piped_has(&stream, "by-frame/000001/packets/00000002-glXSwapBuffers.txt"));
    assert_false(piped_has(&stream, "packets/00000/00000001-glWait.bin"));
    piped_write(&stream, raw.data + raw.size - tail, tail);
    piped_wait_for_frames(&stream, 4);
    assert_true(piped_has(&stream, "packets/00000/00000001-glWait.bin"));
    piped_compare(&stream, whole.tree, "packets.tsv", false);
    compare_frame(&stream, whole.tree, 3);
    piped_end(&stream);
    compare_all(&stream, whole.tree);
    piped_close(&stream);
    apitrace_close(&whole);
    framed_clear(&raw);
    raw = write_waiting(false);
    feed(&raw, 5);
    framed_clear(&raw);
}

/* More calls are open than the window of the pass holds, so that their records leave it. */
static void many_calls_may_be_open(void **state)
{
    const struct trace_params params = {.version = 6, .bare = true};
    char *path = support_path(folder, "open.trace");
    struct trace_writer *writer;
    struct framed raw;

    (void)state;
    assert_int_equal(trace_writer_open(path, &params, &writer), 0);
    for (unsigned n = 0; n < 9000; n++) {
        const struct trace_function *function = n % 100 == 99 ? &swaps : &waits;
        uint64_t call = trace_enter(writer, n % 3, function);

        trace_end(writer);
        if (n % 5 != 0)
            leave(writer, call);
        if (n % 50 == 49 && n > 5000)
            leave(writer, (n - 5000) / 5 * 5);
    }
    assert_int_equal(trace_writer_close(&writer), 0);
    raw.data = support_read(path, &raw.size);
    feed(&raw, raw.size / 9);
    framed_clear(&raw);
    free(path);
}

/* A frame whose window has no size yet is shown when it gets one, or at the end. */
static void frames_wait_for_their_sizes(void **state)
{
    char *path = support_path(folder, "sizes.trace");
    struct framed raw;
    struct apitrace_opened whole;
    struct piped stream;
    size_t at;

    (void)state;
    apitrace_script(path, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n");
    raw = framed_stream_of(path);
    at = raw.size;
    feed(&raw, 9);
    framed_clear(&raw);
    apitrace_script(path, "glXMakeCurrent(dpy=0x1, drawable=5, ctx=0x2) = 1\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glViewport(x=0, y=0, width=64, height=48)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n"
                          "glViewport(x=0, y=0, width=99, height=48)\n"
                          "glXSwapBuffers(dpy=0x1, drawable=5)\n");
    raw = framed_stream_of(path);
    apitrace_open(path, &whole);
    open_stream(&stream, raw.data, at);
    wait_in_vain();
    assert_int_equal(piped_frames(&stream), 0);
    piped_write(&stream, raw.data + at, raw.size - at);
    piped_wait_for_frames(&stream, 4);
    piped_compare(&stream, whole.tree, "frames.tsv", false);
    piped_end(&stream);
    compare_all(&stream, whole.tree);
    piped_close(&stream);
    apitrace_close(&whole);
    feed(&raw, 9);
    framed_clear(&raw);
    free(path);
}

/* Whatever the bytes are, the stream ends like a file of the same bytes. */
static void damaged_streams_end_as_damaged_traces(void **state)
{
    char *path = support_path(folder, "written.trace");
    uint64_t random = 11;
    struct framed raw;

    (void)state;
    write_trace(path, 12);
    raw = framed_stream_of(path);
    for (unsigned n = 0; n < 120 / support_stride(); n++) {
        struct framed trace = containers[n % 2](&raw, 200);

        for (uint64_t changes = 1 + support_random(&random) % 3; changes > 0; changes--)
            trace.data[64 + support_random(&random) % (trace.size - 64)] ^=
                (uint8_t)(1 << support_random(&random) % 8);
        feed(&trace, 500);
        framed_clear(&trace);
    }
    framed_clear(&raw);
    free(path);
}

static void versions_that_are_not_known_are_refused(void **state)
{
    const struct source_params params = {.streams = true, .spool_dir = folder};
    char *path = support_corpus("apitrace/synth/v7_future.trace");
    struct piped stream;
    size_t size;
    uint8_t *bytes = support_read(path, &size);

    (void)state;
    piped_prepare(&stream, NULL);
    piped_write(&stream, bytes, size);
    assert_int_equal(format_open("-", &stream.options, &params, &stream.message, &stream.dump),
                     -EPROTO);
    assert_int_equal(dup2(stream.input, STDIN_FILENO), STDIN_FILENO);
    close(stream.input);
    assert_true(stream.message.length > 0);
    close(stream.pipe);
    format_close(&stream.dump);
    options_clear(&stream.options);
    text_clear(&stream.message);
    free(bytes);
    free(path);
}

/*
 * A count larger than everything that comes, in which the stream stops: nothing may hang or be
 * allocated.
 */
static void hostile_counts_wait_for_the_end(void **state)
{
    static const uint8_t head[] = {6, 6, 0,  0,    0,    0,    1,    'f',  1,    1,    'a',
                                   1, 0, 11, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F};
    struct framed raw = {0};
    struct apitrace_opened whole;
    struct piped stream;

    (void)state;
    framed_add(&raw, head, sizeof(head));
    apitrace_open_bytes(raw.data, raw.size, &whole);
    open_stream(&stream, raw.data, raw.size);
    wait_in_vain();
    assert_true(tree_grows(stream.tree));
    piped_end(&stream);
    compare_all(&stream, whole.tree);
    piped_close(&stream);
    apitrace_close(&whole);
    /* unmounting does not wait for the end either */
    open_stream(&stream, raw.data, raw.size);
    wait_in_vain();
    piped_close(&stream);
    framed_clear(&raw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_shows_what_the_cut_trace_shows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_frame_is_the_whole_traces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_call_that_takes_long_holds_its_row_alone, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(many_calls_may_be_open, set_up, tear_down),
        cmocka_unit_test_setup_teardown(frames_wait_for_their_sizes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_cut_stream_ends_as_a_cut_trace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_chunk_ends_as_in_a_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_streams_end_as_damaged_traces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(versions_that_are_not_known_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_counts_wait_for_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_corpus_too, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_of_the_corpus_come_as_they_are, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
