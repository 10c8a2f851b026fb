/* SPDX-License-Identifier: MIT */
#include "formats/vma/index/recording.h"

#include "tests/formats/vma/play.h"
#include "tests/support/support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAD "Vulkan Memory Allocator,Calls recording\n"

struct opened {
    struct vma_recording recording;
    struct problems *problems;
    struct text lines; /* problems.txt */
    int status;
    const char *message;
};

static void open_text(struct opened *opened, const char *text, int64_t calls_per_frame)
{
    const struct vma_recording_params params = {.calls_per_frame = calls_per_frame,
                                                .max_memory = 1 << 20};
    struct vma_diagnostics diagnostics = {0};

    *opened = (struct opened){.lines = TEXT_INIT};
    assert_int_equal(problems_create(&opened->problems), 0);
    diagnostics.problems = opened->problems;
    opened->status = vma_recording_open((const uint8_t *)text, strlen(text), &params, &diagnostics,
                                        &opened->message, &opened->recording);
    problems_write(opened->problems, &opened->lines);
    text_add_char(&opened->lines, '\0');
}

static void close_opened(struct opened *opened)
{
    if (opened->status == 0)
        vma_recording_close(&opened->recording);
    problems_destroy(&opened->problems);
    text_clear(&opened->lines);
}

static bool complains(const struct opened *opened, const char *what)
{
    return strstr(opened->lines.bytes, what) != NULL;
}

static void test_probe(void **state)
{
    static const struct {
        const char *text;
        bool known;
    } cases[] = {
        {"", false},
        {"V", false},
        {"Vulkan Memory Allocator,Calls recording", true},
        {HEAD, true},
        {"Vulkan Memory Allocator,Calls recording\r\n", true},
        {"\xEF\xBB\xBFVulkan Memory Allocator,Calls recording\n", true},
        {"Vulkan Memory Allocator,Calls recording x\n", false},
        {"Vulkan Memory Allocator,Calls recordin\n", false},
        {" Vulkan Memory Allocator,Calls recording\n", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(vma_recording_probe((const uint8_t *)cases[i].text, strlen(cases[i].text)),
                         cases[i].known);
}

static void test_headers(void **state)
{
    static const struct {
        const char *text;
        int status;
    } cases[] = {
        {"", -EPROTO},           {HEAD, -EPROTO},           {HEAD "\n", -EPROTO},
        {HEAD "1\n", -EPROTO},   {HEAD "1,5,0\n", -EPROTO}, {HEAD "2,0\n", -EPROTO},
        {HEAD "x,y\n", -EPROTO}, {HEAD "1,0", 0},           {HEAD "1,5\n", 0},
        {HEAD "1,8 \r\n", 0},    {HEAD "1,9\n", 0},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct opened opened;

        open_text(&opened, cases[i].text, -1);
        assert_int_equal(opened.status, cases[i].status);
        if (opened.status == 0)
            assert_int_equal(opened.recording.frame_count, 0);
        else
            assert_non_null(opened.message);
        close_opened(&opened);
    }
}

/* A refused major version is reported as such, and no version that is read is named. */
static void test_versions_that_are_not_known(void **state)
{
    struct opened opened;

    (void)state;
    open_text(&opened, HEAD "2,0\n", -1);
    assert_string_equal(opened.message,
                        "unknown version: only versions 1,x are read, of which 1,8 is the latest "
                        "known");
    close_opened(&opened);
    open_text(&opened, HEAD "1,9\nConfig,Begin\nConfig,End\n", -1);
    assert_int_equal(opened.status, 0);
    assert_true(complains(&opened, "warning: Line 2: A version newer than 1,8: what it added"));
    close_opened(&opened);
}

/* Each function in files of all versions: reported once in those that do not have it. */
static void test_functions_newer_than_the_version(void **state)
{
    static const struct {
        uint32_t since;
        const char *functions;
    } brought[] = {
        {0, "vmaCreateAllocator vmaDestroyAllocator vmaCreatePool vmaDestroyPool "
            "vmaSetAllocationUserData vmaCreateBuffer vmaCreateImage vmaDestroyBuffer "
            "vmaDestroyImage"},
        {1, "vmaFreeMemory"},
        {2, "vmaCreateLostAllocation vmaAllocateMemory vmaAllocateMemoryForBuffer "
            "vmaAllocateMemoryForImage vmaMapMemory vmaUnmapMemory vmaTouchAllocation "
            "vmaGetAllocationInfo vmaFlushAllocation vmaInvalidateAllocation "
            "vmaMakePoolAllocationsLost"},
        {4, "vmaResizeAllocation"},
        {5, "vmaAllocateMemoryPages vmaFreeMemoryPages vmaDefragmentationBegin "
            "vmaDefragmentationEnd"},
        {7, "vmaSetPoolName"},
    };
    unsigned functions = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(brought); i++) {
        const char *name = brought[i].functions;

        for (int length = 0; *name != '\0'; name += length + (name[length] == ' ')) {
            length = (int)strcspn(name, " ");
            functions++;
            for (uint32_t minor = 0; minor <= 9; minor++) {
                char text[400], wanted[200];
                struct opened opened;

                snprintf(text, sizeof(text),
                         HEAD "1,%u\nConfig,Begin\nConfig,End\n1,0.0,0,%.*s\n1,0.0,0,%.*s,1\n",
                         minor, length, name, length, name);
                snprintf(wanted, sizeof(wanted),
                         "note: Line 5: %.*s was added in version 1,%u, but the recording is of "
                         "version 1,%u.",
                         length, name, brought[i].since, minor);
                open_text(&opened, text, -1);
                assert_int_equal(opened.status, 0);
                assert_int_equal(complains(&opened, wanted), minor < brought[i].since);
                assert_int_equal(problems_count(opened.problems),
                                 (minor < brought[i].since) + (minor > 8));
                close_opened(&opened);
            }
        }
    }
    assert_int_equal(functions, VMA_FUNCTIONS);
}

/* One line for all of them, at the first */
static void test_carriage_returns(void **state)
{
    struct opened opened;

    (void)state;
    open_text(&opened, HEAD "1,2\r\n1,0.0,0,vmaCreateAllocator\r\n\r\n", -1);
    assert_true(complains(&opened, "note: Line 2: The line ends with CR LF"));
    assert_int_equal(problems_count(opened.problems), 1);
    assert_int_equal(opened.recording.counts.functions[VMA_CREATE_ALLOCATOR], 1);
    close_opened(&opened);
    open_text(&opened, HEAD "1,2\n1,0.0,0,vmaCreateAllocator\n", -1);
    assert_int_equal(problems_count(opened.problems), 0);
    close_opened(&opened);
}

/* A negative number in the configuration counts modulo 2^32 or 2^64, and is reported. */
static void test_negative_configuration(void **state)
{
    struct opened opened;

    (void)state;
    open_text(&opened,
              HEAD "1,3\nConfig,Begin\nPhysicalDevice,deviceID,-1\n"
                   "PhysicalDeviceMemory,HeapCount,1\nPhysicalDeviceMemory,Heap,0,flags,-2\n"
                   "Macro,VMA_DEBUG_MARGIN,-16\nConfig,End\n",
              -1);
    assert_int_equal(opened.recording.configuration.device.id, UINT32_MAX);
    assert_true(complains(&opened, "warning: Line 4: Configuration value is negative"));
    assert_true(complains(&opened, "warning: Line 6: Configuration value is negative"));
    assert_true(complains(&opened, "warning: Line 7: Configuration value is negative"));
    close_opened(&opened);
}

static void test_no_section_is_a_default_device(void **state)
{
    struct opened opened;
    const struct vma_device *device = &opened.recording.configuration.device;

    (void)state;
    open_text(&opened, HEAD "1,2\n1,0.0,0,vmaCreateAllocator\n", -1);
    assert_false(opened.recording.configuration.present);
    assert_int_equal(device->heap_count, 3);
    assert_int_equal(device->heaps[0].size, 8304721920);
    assert_int_equal(device->types[3].flags, 14);
    assert_int_equal(opened.recording.first_call, 2);
    assert_int_equal(opened.recording.frame_count, 1);
    assert_int_equal(problems_count(opened.problems), 0);
    close_opened(&opened);
    open_text(&opened, HEAD "1,3\n1,0.0,0,vmaCreateAllocator\n", -1);
    assert_true(complains(&opened, "Config,Begin is missing"));
    assert_int_equal(opened.recording.first_call, 2);
    close_opened(&opened);
}

static void test_section(void **state)
{
    struct opened opened;
    const struct vma_configuration *configuration = &opened.recording.configuration;

    (void)state;
    open_text(&opened,
              HEAD "1,8\nConfig,Begin \nVulkanApiVersion,1,2\n"
                   "PhysicalDevice,deviceName,A, B \"C\"\nPhysicalDevice,vendorID,4098\n"
                   "PhysicalDevice,vendorID,4318\nPhysicalDevice,colour,1\n"
                   "PhysicalDeviceMemory,HeapCount,17\nPhysicalDeviceMemory,Heap,0,size,x\n"
                   "PhysicalDeviceMemory,Heap,15,size,99\nPhysicalDeviceMemory,Heap,16,size,1\n"
                   "PhysicalDeviceMemory,TypeCount,2\nPhysicalDeviceMemory,Type,1,heapIndex,16\n"
                   "Extension,VK_EXT_memory_budget,1\nMacro,VMA_MIN_ALIGNMENT,16\n"
                   "Macro,VMA_DEBUG_MARGIN\nPhysicalDeviceLimits,bufferImageGranularity,3\n"
                   "Config,End \t\n1,0.0,0,vmaCreateAllocator\n",
              -1);
    assert_int_equal(opened.status, 0);
    assert_true(configuration->present);
    assert_int_equal(configuration->api_minor, 2);
    assert_true(vma_slice_is(configuration->device.name, "A, B \"C\""));
    assert_int_equal(configuration->device.vendor, 4318); /* the last wins */
    assert_int_equal(configuration->device.heap_count, 16);
    assert_int_equal(configuration->device.heaps[15].size, 99);
    assert_int_equal(configuration->device.types[0].heap, 0);
    assert_int_equal(configuration->device.types[1].heap, VMA_NO_HEAP);
    assert_true(configuration->extensions[VMA_MEMORY_BUDGET]);
    assert_int_equal(configuration->macros.alignment, 16);
    assert_int_equal(configuration->macros.margin, 0);
    assert_int_equal(vma_configuration_granularity(&configuration->device, &configuration->macros),
                     4);
    assert_true(complains(&opened, "Line 7: Repeated configuration key"));
    assert_true(complains(&opened, "Line 8: Unknown configuration key"));
    assert_true(complains(&opened, "Line 9: More than 16 heaps"));
    assert_true(complains(&opened, "Line 10: Configuration value is not a number"));
    assert_true(complains(&opened, "Line 12: Index beyond the number"));
    assert_true(complains(&opened, "Memory type 1 is dropped"));
    assert_true(complains(&opened, "Line 17: Configuration key without a value"));
    assert_true(complains(&opened, "power of two"));
    assert_true(complains(&opened, "note: Line 19: Blanks after Config,End"));
    close_opened(&opened);
}

static void test_a_long_name_of_the_device_is_cut(void **state)
{
    struct text text = TEXT_INIT;
    struct opened opened;

    (void)state;
    text_add(&text, HEAD "1,8\nConfig,Begin\nPhysicalDevice,deviceName,");
    for (unsigned i = 0; i <= VMA_TEXT_MAX; i++)
        text_add_char(&text, 'x');
    text_add(&text, "\nConfig,End\n1,0.0,0,vmaCreateAllocator\n");
    text_add_char(&text, '\0');
    open_text(&opened, text.bytes, -1);
    assert_int_equal(opened.status, 0);
    assert_int_equal(vma_slice_length(opened.recording.configuration.device.name), VMA_TEXT_MAX);
    assert_true(complains(&opened, "Line 4: The device's name is truncated"));
    close_opened(&opened);
    text_clear(&text);
}

static void test_section_without_an_end(void **state)
{
    struct opened opened;

    (void)state;
    open_text(&opened,
              HEAD "1,5\nConfig,Begin\nPhysicalDevice,vendorID,1\n1,0.0,0,vmaCreateAllocator\n",
              -1);
    assert_int_equal(opened.recording.first_call, 4);
    assert_int_equal(opened.recording.frame_count, 1);
    assert_true(complains(&opened, "no Config,End"));
    close_opened(&opened);
    open_text(&opened, HEAD "1,5\nConfig,Begin\nPhysicalDevice,vendorID,1", -1);
    assert_int_equal(opened.status, 0);
    assert_int_equal(opened.recording.packets, 4);
    assert_int_equal(opened.recording.frame_count, 0);
    assert_true(complains(&opened, "no Config,End"));
    close_opened(&opened);
}

/*
 * Opens a recording of these calls. Returns the first packet and the index of each frame, separated
 * by blanks.
 */
static char *frames_of(const char *const *calls, size_t count, int64_t calls_per_frame,
                       struct opened *opened)
{
    struct text text = TEXT_INIT, frames = TEXT_INIT;

    text_add(&text, HEAD "1,0\n");
    for (size_t i = 0; i < count; i++)
        text_printf(&text, "%s\n", calls[i]);
    text_add_char(&text, '\0');
    open_text(opened, text.bytes, calls_per_frame);
    assert_int_equal(opened->status, 0);
    for (uint32_t i = 0; i < opened->recording.frame_count; i++)
        text_printf(&frames, "%s%u:%u", i > 0 ? " " : "", opened->recording.frames[i].first - 2,
                    opened->recording.frames[i].index);
    text_add_char(&frames, '\0');
    /* The recording borrows the bytes, but only numbers of it are used from here on. */
    text_clear(&text);
    return frames.bytes;
}

#define FRAMES(opened, ...)                                                                        \
    frames_of((const char *const[]){__VA_ARGS__}, COUNT_OF(((const char *const[]){__VA_ARGS__})),  \
              -1, opened)

#define CALL(thread, index) #thread ",1.5," #index ",vmaGetAllocationInfo,1"
#define MAKE(index)         "1,1.5," #index ",vmaAllocateMemory,64,1,1,0,0,0,0,0,0,1,"

static void expect_frames(char *frames, const char *expected)
{
    assert_string_equal(frames, expected);
    free(frames);
}

static void test_frames_by_index(void **state)
{
    struct opened opened;

    (void)state;
    expect_frames(FRAMES(&opened, CALL(1, 0), CALL(1, 0), CALL(1, 1), CALL(1, 5)), "0:0 2:1 3:5");
    assert_true(opened.recording.by_index);
    close_opened(&opened);
    /* Across the wrap */
    expect_frames(FRAMES(&opened, CALL(1, 4294967294), CALL(1, 4294967295), CALL(1, 0)),
                  "0:4294967294 1:4294967295 2:0");
    assert_int_equal(opened.recording.counts.set_back, 0);
    close_opened(&opened);
    /* Set back by the thread that was ahead. */
    expect_frames(FRAMES(&opened, CALL(1, 4), CALL(1, 5), CALL(1, 4)), "0:4 1:5 2:4");
    assert_int_equal(opened.recording.counts.set_back, 1);
    close_opened(&opened);
    /* Late lines of another thread, any number of them. */
    expect_frames(FRAMES(&opened, CALL(1, 4), CALL(2, 4), CALL(1, 5), CALL(2, 4), CALL(2, 4),
                         CALL(2, 5), CALL(2, 4)),
                  "0:4 2:5 6:4");
    assert_int_equal(opened.recording.counts.late_lines, 2);
    assert_int_equal(opened.recording.counts.threads, 2);
    close_opened(&opened);
    /* Too far behind to be late. */
    expect_frames(FRAMES(&opened, CALL(1, 17), CALL(2, 0)), "0:17 1:0");
    close_opened(&opened);
    expect_frames(FRAMES(&opened, CALL(1, 17), CALL(2, 1)), "0:17");
    close_opened(&opened);
}

static void test_damaged_lines_belong_to_frames(void **state)
{
    struct opened opened;

    (void)state;
    expect_frames(FRAMES(&opened, "", "x", CALL(1, 3), "", "1,1.0,x,vmaGetAllocationInfo,1",
                         "1,1.0,4,nothing"),
                  "2:3 5:4");
    assert_int_equal(vma_recording_frame_of(&opened.recording, 3), VMA_NO_FRAME);
    assert_int_equal(vma_recording_frame_of(&opened.recording, 5), 0);
    assert_int_equal(vma_recording_frame_last(&opened.recording, 0), 6);
    assert_int_equal(vma_recording_frame_last(&opened.recording, 1), 7);
    close_opened(&opened);
}

static void test_pseudo_frames(void **state)
{
    struct opened opened;

    (void)state;
    expect_frames(FRAMES(&opened, CALL(1, 0), MAKE(0), MAKE(0), CALL(1, 0)), "0:0 2:0 3:0");
    assert_false(opened.recording.by_index);
    assert_int_equal(opened.recording.calls_per_frame, 1);
    close_opened(&opened);
    expect_frames(FRAMES(&opened, MAKE(7), MAKE(7)), "0:7 1:7"); /* none after the last mark */
    close_opened(&opened);
    expect_frames(FRAMES(&opened, MAKE(7), MAKE(8)), "0:7 1:8");
    assert_true(opened.recording.by_index);
    close_opened(&opened);
    expect_frames(frames_of((const char *const[]){MAKE(0), MAKE(0), MAKE(0)}, 3, 2, &opened),
                  "0:0 2:0");
    close_opened(&opened);
    expect_frames(frames_of((const char *const[]){MAKE(0), MAKE(0), MAKE(0)}, 3, 0, &opened),
                  "0:0");
    close_opened(&opened);
}

/* The smallest power of two that gives at most 1000 marks */
static void test_pseudo_frames_are_not_too_many(void **state)
{
    static const struct {
        unsigned calls, per_frame, frames;
    } cases[] = {{1000, 1, 1000}, {1001, 2, 501}, {2001, 2, 1001}, {2002, 4, 501}, {5000, 8, 625}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const char **calls = calloc(cases[i].calls, sizeof(*calls));
        struct opened opened;

        assert_non_null(calls);
        for (unsigned j = 0; j < cases[i].calls; j++)
            calls[j] = MAKE(0);
        free(frames_of(calls, cases[i].calls, -1, &opened));
        assert_int_equal(opened.recording.calls_per_frame, cases[i].per_frame);
        assert_int_equal(opened.recording.frame_count, cases[i].frames);
        close_opened(&opened);
        free(calls);
    }
}

static void test_pools_alive_at_one_time(void **state)
{
    static const char *const calls[] = {
        "1,1,0,vmaCreatePool,0,0,0,0,0,0,A",
        "1,1,0,vmaCreatePool,0,0,0,0,0,0,B",
        "1,1,0,vmaCreatePool,0,0,0,0,0,0,B",
        "1,1,0,vmaDestroyPool,A",
        "1,1,0,vmaCreatePool,0,0,0,0,0,0,C",
        "1,1,0,vmaCreatePool,0,0,0,0,0,0,0",
        "1,1,0,vmaDestroyPool,Z",
    };
    struct opened opened;

    (void)state;
    free(frames_of(calls, COUNT_OF(calls), -1, &opened));
    assert_int_equal(opened.recording.counts.max_pools, 3); /* the first B stays, unnamed */
    close_opened(&opened);
}

/* Every line of every recording is found again, one after another and by number. */
static void test_lines_cover_the_file(void **state)
{
    char **names = vma_play_names();

    (void)state;
    for (size_t i = 0; names[i] != NULL; i++) {
        struct vma_play play;
        struct vma_line line, next;
        uint64_t offset = 0;

        vma_play_corpus(&play, names[i], VMA_PLAY_RECORDED);
        for (uint32_t packet = 0; packet < play.recording.packets; packet++) {
            vma_recording_line(&play.recording, packet, &line);
            assert_int_equal(line.offset, offset);
            if (packet > 0) {
                vma_recording_next(&play.recording, &next);
                assert_int_equal(next.offset, offset);
            }
            next = line;
            offset += line.bytes;
        }
        assert_int_equal(offset, play.size);
        vma_play_close(&play);
        free(names[i]);
    }
    free(names);
}

/* What INDEX says of the recordings: lines, frames by index, threads */
static void test_index_of_the_corpus(void **state)
{
    char *path = support_corpus("vma/recordings/INDEX");
    size_t size = 0, checked = 0;
    char *text = (char *)support_read(path, &size), *rest = text, *line;
    char name[128] = "";

    (void)state;
    text[size] = '\0';
    free(path);
    while ((line = strsep(&rest, "\n")) != NULL) {
        unsigned lines = 0, frames = 0, threads = 0;
        char *figures = strstr(line, "lines: ");

        if (line[0] != ' ' && strstr(line, ".csv") != NULL) {
            snprintf(name, sizeof(name), "%.*s", (int)(strstr(line, ".csv") - line), line);
        } else if (figures != NULL && sscanf(figures, "lines: %u frames: %u threads: %u", &lines,
                                             &frames, &threads) == 3) {
            struct vma_play play;

            vma_play_corpus(&play, name, VMA_PLAY_RECORDED);
            assert_int_equal(play.recording.packets, lines);
            if (play.recording.by_index)
                assert_int_equal(play.recording.frame_count, frames);
            assert_int_equal(play.recording.counts.threads, threads);
            vma_play_close(&play);
            checked++;
        }
    }
    assert_true(checked > 20);
    free(text);
}

static void test_allocations_that_fail(void **state)
{
    static const char text[] = HEAD "1,0\n" CALL(1, 0) "\n" MAKE(1) "\n" MAKE(2) "\n";
    const struct vma_recording_params params = {.calls_per_frame = -1, .max_memory = 1 << 20};

    (void)state;
    for (int n = 0; n == 0 || support_allocation_failed(); n++) {
        struct vma_diagnostics diagnostics = {0};
        struct vma_recording recording;
        const char *message;
        int status;

        support_fail_allocation(n);
        status = vma_recording_open((const uint8_t *)text, sizeof(text) - 1, &params, &diagnostics,
                                    &message, &recording);
        assert_int_equal(status, support_allocation_failed() ? -ENOMEM : 0);
        if (status == 0)
            vma_recording_close(&recording);
    }
    support_fail_allocation(-1);
}

/* A hole makes a line long at no cost. */
static void test_the_end_of_a_long_line_is_looked_for_in_parts(void **state)
{
    enum { SIZE = 256 << 20 };
    static const char head[] = HEAD "1,8\n";
    struct cancel cancel;
    struct vma_recording_params params = {.max_memory = 1 << 20, .cancel = &cancel};
    struct vma_diagnostics diagnostics = {.problems = NULL};
    struct vma_recording recording;
    const char *message = NULL;
    char *text = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    (void)state;
    assert_true(text != MAP_FAILED);
    memcpy(text, head, sizeof(head) - 1);
    cancel_init(&cancel, NULL);
    assert_int_equal(vma_recording_open((const uint8_t *)text, SIZE, &params, &diagnostics,
                                        &message, &recording),
                     0);
    assert_int_equal(recording.packets, 3);
    assert_int_equal(recording.size, SIZE);
    vma_recording_close(&recording);
    cancel_raise(&cancel);
    assert_int_equal(vma_recording_open((const uint8_t *)text, SIZE, &params, &diagnostics,
                                        &message, &recording),
                     -EINTR);
    for (size_t at = SIZE / 16; at < SIZE; at += SIZE / 16) /* shorter lines, but many */
        text[at] = '\n';
    assert_int_equal(vma_recording_open((const uint8_t *)text, SIZE, &params, &diagnostics,
                                        &message, &recording),
                     -EINTR);
    munmap(text, SIZE);
}

/* The same in a recording that grows, when nothing is known after the hole yet */
static void test_a_hole_of_a_recording_that_grows(void **state)
{
    enum { SIZE = 256 << 20 };
    static const char head[] = HEAD "1,2\n1,0.000,0,vmaCreateAllocator\n";
    char *folder = support_folder(), *path = support_path(folder, "growing");
    struct growing_source_params source = {.path = path, .max = SIZE, .spool_dir = folder};
    struct vma_recording_params params = {.max_memory = 1 << 20};
    struct vma_diagnostics diagnostics = {.problems = NULL};
    struct vma_recording recording;
    struct cancel cancel;
    const char *message = NULL;
    int file;

    (void)state;
    support_write(path, head, sizeof(head) - 1);
    file = open(path, O_RDONLY | O_CLOEXEC);
    assert_in_range(file, 0, INT_MAX);
    assert_int_equal(growing_source_create(file, &source, &params.growth), 0);
    assert_int_equal(growing_source_fill(params.growth, sizeof(head) - 1, -1, NULL), 0);
    assert_int_equal(vma_recording_open(growing_source_data(params.growth), sizeof(head) - 1,
                                        &params, &diagnostics, &message, &recording),
                     0);
    assert_int_equal(truncate(path, SIZE), 0);
    assert_int_equal(growing_source_fill(params.growth, SIZE, -1, NULL), 0);
    cancel_init(&cancel, NULL);
    assert_int_equal(vma_recording_follow(&recording, &cancel), 0);
    vma_recording_close(&recording);
    assert_int_equal(vma_recording_open(growing_source_data(params.growth), sizeof(head) - 1,
                                        &params, &diagnostics, &message, &recording),
                     0);
    cancel_raise(&cancel);
    assert_int_equal(vma_recording_follow(&recording, &cancel), -EINTR);
    cancel_init(&cancel, NULL);
    assert_int_equal(vma_recording_follow(&recording, &cancel), 0);
    vma_recording_close(&recording);
    growing_source_destroy(&params.growth);
    support_remove(&folder);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_versions_that_are_not_known),
        cmocka_unit_test(test_functions_newer_than_the_version),
        cmocka_unit_test(test_carriage_returns),
        cmocka_unit_test(test_negative_configuration),
        cmocka_unit_test(test_no_section_is_a_default_device),
        cmocka_unit_test(test_section),
        cmocka_unit_test(test_a_long_name_of_the_device_is_cut),
        cmocka_unit_test(test_section_without_an_end),
        cmocka_unit_test(test_frames_by_index),
        cmocka_unit_test(test_damaged_lines_belong_to_frames),
        cmocka_unit_test(test_pseudo_frames),
        cmocka_unit_test(test_pseudo_frames_are_not_too_many),
        cmocka_unit_test(test_pools_alive_at_one_time),
        cmocka_unit_test(test_lines_cover_the_file),
        cmocka_unit_test(test_index_of_the_corpus),
        cmocka_unit_test(test_allocations_that_fail),
        cmocka_unit_test(test_the_end_of_a_long_line_is_looked_for_in_parts),
        cmocka_unit_test(test_a_hole_of_a_recording_that_grows),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
