/* SPDX-License-Identifier: MIT */
/*
 * Compares recordings of VMA calls that come through a pipe with the complete recordings: whatever
 * is shown at any moment must be what the complete recording shows.
 */
#include "config.h"

#include "tests/formats/vma/play.h"
#include "tests/support/piped.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number of lanes that a followed recording has by default */
#define LANES "vma-pool-lanes=8"

enum { PIPE_HOLDS = 32768 };

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

static const uint8_t *bytes_of(const struct text *text)
{
    return (const uint8_t *)text->bytes;
}

static const char preamble[] = "Vulkan Memory Allocator,Calls recording\n1,8\nConfig,Begin\n"
                               "PhysicalDevice,deviceType,2\n"
                               "PhysicalDeviceLimits,maxMemoryAllocationCount,4096\n"
                               "PhysicalDeviceLimits,bufferImageGranularity,1\n"
                               "PhysicalDeviceLimits,nonCoherentAtomSize,64\n"
                               "PhysicalDeviceMemory,HeapCount,2\n"
                               "PhysicalDeviceMemory,Heap,0,size,1073741824\n"
                               "PhysicalDeviceMemory,Heap,1,size,268435456\n"
                               "PhysicalDeviceMemory,TypeCount,2\n"
                               "PhysicalDeviceMemory,Type,0,heapIndex,0\n"
                               "PhysicalDeviceMemory,Type,0,propertyFlags,1\n"
                               "PhysicalDeviceMemory,Type,1,heapIndex,1\n"
                               "PhysicalDeviceMemory,Type,1,propertyFlags,6\n"
                               "Config,End\n"
                               "1,0.000,0,vmaCreateAllocator\n";

/*
 * Builds pools that come and go, more of them than there are lanes; leaks; late, bad and odd lines.
 */
static void build(struct text *text, unsigned frames)
{
    *text = (struct text)TEXT_INIT;
    text_add(text, preamble);
    for (unsigned frame = 0; frame < frames; frame++) {
        unsigned seconds = frame / 60, milliseconds = frame % 60 * 16;

#define LINE(thread, index, ...)                                                                   \
    do {                                                                                           \
        text_printf(text, "%d,%u.%03u,%u,", thread, seconds, milliseconds, index);                 \
        text_printf(text, __VA_ARGS__);                                                            \
        text_add_char(text, '\n');                                                                 \
    } while (0)
        LINE(1, frame, "vmaAllocateMemory,%u,1,3,0,0,0,0,0,0,%X,", 4096 + frame % 7 * 512,
             0x1000 + frame);
        LINE(1, frame, "vmaCreateBuffer,32,%u,%u,0,0,%u,0,0,0,0,%X,name, %u", 256 + frame, 0x80,
             frame % 4, 0x100000 + frame, frame);
        if (frame % 3 == 0)
            LINE(1, frame, "vmaCreatePool,0,0,1048576,0,0,0,%X", 0xA0000 + frame);
        if (frame % 9 == 8)
            LINE(1, frame, "vmaDestroyPool,%X", 0xA0000 + frame - 8);
        if (frame % 2 == 1)
            LINE(1, frame, "vmaFreeMemory,%X", 0x1000 + frame - 1);
        if (frame % 5 == 4)
            LINE(2, frame - 1, "vmaTouchAllocation,%X", 0x100000 + frame);
        if (frame % 11 == 5)
            LINE(1, frame, "vmaFreeMemory,%X", 0x777);
        if (frame % 13 == 6)
            text_add(text, "\nnonsense,here\n1,x,y,vmaFreeMemory\n1,0.5,,vmaNothing,1\r\n");
    }
    text_printf(text, "1,99.5,3,vmaFreeMemory,1000\n1,99.6,3,vmaDestroyAlloc");
    assert_int_equal(text_status(text), 0);
}

static void compare_frame(const struct piped *stream, struct tree *whole, uint64_t frame)
{
    static const char *const names[] = {"info.txt",      "state.txt", "commands.txt",
                                        "packets.tsv",   "image.png", "stats.json",
                                        "detailed.json", "live.tsv",  "budget.txt"};
    char path[64];

    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof(path), "by-frame/%06u/%s", (unsigned)frame, names[i]);
        piped_compare(stream, whole, path, false);
    }
}

static void compare_tables(const struct piped *stream, struct tree *whole, bool beginning)
{
    static const char *const names[] = {"frames.tsv", "packets.tsv", "memory.tsv"};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        piped_compare(stream, whole, names[i], beginning);
}

/* Feeds pieces of up to `max` bytes, and compares each frame as soon as it is shown. */
static void feed(const uint8_t *bytes, size_t size, size_t first, size_t max)
{
    struct piped whole, stream;
    uint64_t random = 7, compared = 0;
    size_t at = first;

    piped_open_whole(&whole, folder, bytes, size, LANES);
    piped_open(&stream, folder, bytes, at, NULL);
    while (at < size) {
        size_t piece = 1 + support_random(&random) % max;

        piece = piece < size - at ? piece : size - at;
        piped_write(&stream, bytes + at, piece);
        at += piece;
        piped_nap();
        compare_tables(&stream, whole.tree, true);
        for (; compared < piped_frames(&stream); compared++)
            compare_frame(&stream, whole.tree, compared);
    }
    piped_end(&stream);
    for (uint64_t frame = 0; frame < piped_frames(&stream); frame++)
        compare_frame(&stream, whole.tree, frame);
    piped_compare_all(&stream, whole.tree);
    piped_close(&stream);
    piped_close(&whole);
}

static void test_every_frame_is_the_whole_recordings(void **state)
{
    struct text text;

    (void)state;
    build(&text, 12);
    feed(bytes_of(&text), text.length, strlen(preamble), 48);
    feed(bytes_of(&text), text.length, strlen(preamble), text.length);
    text_clear(&text);
}

static void compare_end(const uint8_t *bytes, size_t size, const char *option)
{
    static const char *const names[] = {"frames.tsv",      "packets.tsv", "memory.tsv",
                                        "allocations.tsv", "leaks.txt",   "stats.txt",
                                        "problems.txt",    "timeline.png"};
    size_t first = size < PIPE_HOLDS ? size : PIPE_HOLDS;
    struct piped whole, stream;

    piped_open_whole(&whole, folder, bytes, size, option == NULL ? LANES : option);
    piped_open(&stream, folder, bytes, first, option);
    piped_write(&stream, bytes + first, size - first);
    piped_end(&stream);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (piped_has(&whole, names[i]) || piped_has(&stream, names[i]))
            piped_compare(&stream, whole.tree, names[i], false);
    piped_close(&stream);
    piped_close(&whole);
}

/* Pieces of memory.tsv, groups of packets, columns of the timeline */
static void test_long_recordings(void **state)
{
    struct text text;

    (void)state;
    build(&text, 1400);
    compare_end(bytes_of(&text), text.length, NULL);
    text_clear(&text);
}

static void test_a_cut_stream_ends_as_a_cut_recording(void **state)
{
    struct text text;

    (void)state;
    build(&text, 10);
    for (size_t cut = strlen(preamble); cut <= text.length; cut += support_stride())
        compare_end(bytes_of(&text), cut, NULL);
    text_clear(&text);
}

/* Feeds changed bytes, line ends among them, in pieces: no frame may change afterwards. */
static void test_damaged_recordings(void **state)
{
    uint64_t random = 13;
    struct text text;

    (void)state;
    build(&text, 8);
    for (unsigned i = 0; i < 12 / support_stride(); i++) {
        size_t first = strlen(preamble);
        size_t at = first + support_random(&random) % (text.length - first);
        char before = text.bytes[at];

        text.bytes[at] = "\n,0129-x"[support_random(&random) % 8];
        feed(bytes_of(&text), text.length, first, 200);
        text.bytes[at] = before;
    }
    text_clear(&text);
}

/* The writer is gone before the recording is opened. */
static void test_a_stream_may_be_cut_in_its_configuration(void **state)
{
    (void)state;
    for (size_t cut = sizeof("Vulkan Memory Allocator,Calls recording\n1,8\n") - 1;
         cut < strlen(preamble); cut += support_stride()) {
        struct piped whole, stream;

        piped_open_whole(&whole, folder, (const uint8_t *)preamble, cut, LANES);
        piped_prepare(&stream, NULL);
        piped_write(&stream, (const uint8_t *)preamble, cut);
        close(stream.pipe);
        stream.pipe = -1;
        piped_open_prepared(&stream, folder);
        piped_end(&stream);
        piped_compare(&stream, whole.tree, "packets.tsv", false);
        piped_compare(&stream, whole.tree, "problems.txt", false);
        piped_compare(&stream, whole.tree, "after/00000/00000000.json", false);
        piped_close(&stream);
        piped_close(&whole);
    }
}

static void write_text(const struct piped *stream, const char *text)
{
    piped_write(stream, (const uint8_t *)text, strlen(text));
}

static void test_frames_come_with_the_next_ones_first_line(void **state)
{
    struct piped stream;
    char *text;
    size_t size;

    (void)state;
    piped_open(&stream, folder, (const uint8_t *)preamble, strlen(preamble), NULL);
    assert_false(piped_has(&stream, "latest.png"));
    assert_false(piped_has(&stream, "allocations.tsv"));
    assert_false(piped_has(&stream, "pools"));
    assert_false(piped_has(&stream, "packets/00000"));
    write_text(&stream, "1,0.1,0,vmaAllocateMemory,4096,1,3,0,0,0,0,0,0,1000,\n"
                        "1,0.2,1,vmaAllocateMemory,4096,1,3,0,0,0,0,0,0,2000,");
    for (int ms = 0; ms < 50; ms++)
        piped_nap();
    assert_int_equal(piped_frames(&stream), 0);
    write_text(&stream, "\n");
    piped_wait_for_frames(&stream, 1);
    assert_true(piped_has(&stream, "latest.png"));
    assert_true(piped_has(&stream, "by-frame/000000/after/00000017.png"));
    assert_true(piped_has(&stream, "packets/00000/00000017-vmaAllocateMemory.txt"));
    assert_true(piped_has(&stream, "after/00000/00000017.json"));
    assert_false(piped_has(&stream, "after/00000/00000018.json"));
    assert_false(piped_has(&stream, "frames/000001.png"));
    text = walk_read(stream.tree, "after/00000/00000017.json", &size);
    assert_non_null(strstr(text, "\"Allocations\": 1"));
    free(text);
    write_text(&stream, "1,0.3,2,vmaFreeMemory,1000\n");
    piped_wait_for_frames(&stream, 2);
    text = walk_read(stream.tree, "after/00000/00000018.json", &size);
    assert_non_null(strstr(text, "\"Allocations\": 2"));
    free(text);
    assert_false(piped_has(&stream, "allocations.tsv"));
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 3); /* the unfinished one */
    assert_true(piped_has(&stream, "allocations.tsv"));
    assert_true(piped_has(&stream, "timeline.png"));
    assert_false(piped_has(&stream, "pools"));
    piped_close(&stream);
}

/* Which groups there are depends on the complete recording. */
static void test_groups_of_calls_come_with_the_end(void **state)
{
    struct text text = TEXT_INIT;
    struct piped stream;

    (void)state;
    text_add(&text, preamble);
    for (unsigned i = 0; i < 2100; i++)
        text_printf(&text, "1,0.1,0,vmaAllocateMemory,4096,1,3,0,0,0,0,0,0,%X,\n", 0x1000 + i);
    piped_open(&stream, folder, bytes_of(&text), PIPE_HOLDS, NULL);
    piped_write(&stream, bytes_of(&text) + PIPE_HOLDS, text.length - PIPE_HOLDS);
    for (int ms = 0; ms < 50; ms++)
        piped_nap();
    assert_int_equal(piped_frames(&stream), 0);
    piped_end(&stream);
    assert_int_equal(piped_frames(&stream), 525);
    piped_close(&stream);
    compare_end(bytes_of(&text), text.length, NULL);
    compare_end(bytes_of(&text), text.length, "vma-calls-per-frame=7," LANES);
    compare_end(bytes_of(&text), text.length, "vma-calls-per-frame=0," LANES);
    text_clear(&text);
}

struct later {
    int pipe;
    const uint8_t *bytes;
    size_t size;
};

static void *write_later(void *context)
{
    const struct later *later = context;
    const struct piped stream = {.pipe = later->pipe};

    for (size_t at = 0; at < later->size; at++) {
        if (at % 64 == 0)
            piped_nap();
        piped_write(&stream, later->bytes + at, 1);
    }
    return NULL;
}

/* A recording that is opened before its configuration is complete waits for it. */
static void test_the_configuration_is_waited_for(void **state)
{
    struct piped whole, stream;
    struct later later;
    struct text text;
    pthread_t thread;

    (void)state;
    build(&text, 3);
    later = (struct later){.bytes = bytes_of(&text) + 45, .size = text.length - 45};
    piped_open_whole(&whole, folder, bytes_of(&text), text.length, LANES);
    piped_prepare(&stream, NULL);
    later.pipe = stream.pipe;
    piped_write(&stream, bytes_of(&text), 45);
    assert_int_equal(pthread_create(&thread, NULL, write_later, &later), 0);
    piped_open_prepared(&stream, folder);
    pthread_join(thread, NULL);
    piped_end(&stream);
    piped_compare_all(&stream, whole.tree);
    piped_close(&stream);
    piped_close(&whole);
    text_clear(&text);
}

/* A line without an end must not cost more than its length. */
static void test_lines_without_end(void **state)
{
    struct text text = TEXT_INIT;
    struct piped whole, stream;
    size_t at = strlen(preamble);

    (void)state;
    text_add(&text, preamble);
    for (unsigned i = 0; i < 7 << 20; i++) /* more than GROWING_SOURCE_LAG */
        text_add(&text, "0123456789,");
    piped_open_whole(&whole, folder, bytes_of(&text), text.length, LANES);
    piped_open(&stream, folder, bytes_of(&text), at, NULL);
    for (; at < text.length; at += 1000)
        piped_write(&stream, bytes_of(&text) + at,
                    text.length - at < 1000 ? text.length - at : 1000);
    assert_int_equal(piped_frames(&stream), 0);
    piped_end(&stream);
    piped_compare(&stream, whole.tree, "problems.txt", false);
    piped_compare(&stream, whole.tree, "frames.tsv", false);
    piped_close(&stream);
    piped_close(&whole);
    text_clear(&text);
}

static void test_a_limit_ends_the_recording(void **state)
{
    struct text text = TEXT_INIT;
    struct piped whole, stream;
    const char option[] = "max-memory=1M," LANES;

    (void)state;
    text_add(&text, preamble);
    text_add(&text, "1,0.0,0,vmaAllocateMemory,4096,1,3,0,0,0,0,0,0,1000,\n");
    for (unsigned i = 0; i < 40000; i++)
        text_printf(&text, "1,0.1,%u,vmaTouchAllocation,1000\n", i / 10);
    piped_open_whole(&whole, folder, bytes_of(&text), text.length, option);
    piped_open(&stream, folder, bytes_of(&text), strlen(preamble), option);
    piped_write(&stream, bytes_of(&text) + strlen(preamble), text.length - strlen(preamble));
    piped_end(&stream);
    piped_compare(&stream, whole.tree, "problems.txt", false);
    piped_compare(&stream, whole.tree, "frames.tsv", false);
    piped_compare(&stream, whole.tree, "memory.tsv", false);
    piped_close(&stream);
    piped_close(&whole);
    text_clear(&text);
}

static void test_recordings_too(void **state)
{
    char **names = vma_play_names();

    (void)state;
    for (size_t i = 0; names[i] != NULL; i++) {
        char file[256], *path;
        uint8_t *bytes;
        size_t size;

        snprintf(file, sizeof(file), "vma/recordings/%s.csv", names[i]);
        path = support_corpus(file);
        bytes = support_read(path, &size);
        compare_end(bytes, size < 60000 ? size : 60000, NULL);
        free(bytes);
        free(path);
        free(names[i]);
    }
    free(names);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_frames_come_with_the_next_ones_first_line, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_every_frame_is_the_whole_recordings, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_long_recordings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_cut_stream_ends_as_a_cut_recording, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_recordings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_stream_may_be_cut_in_its_configuration, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(test_groups_of_calls_come_with_the_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_the_configuration_is_waited_for, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_without_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_a_limit_ends_the_recording, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_recordings_too, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
