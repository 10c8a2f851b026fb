/* SPDX-License-Identifier: MIT */
/*
 * Compares our layouts with those of the live allocator and of the library's own replayer: every
 * total, list, order of blocks, range, user data and usage, as text. Where the replayer reads lines
 * wrongly (vma.md 6.3), its faults are first put into the recording, so that its dumps can be
 * compared as well.
 */
#include "config.h"

#include "tests/formats/vma/play.h"
#include "tests/support/support.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PARAMETERS = 4 }; /* columns before the parameters */

/* Splits a line into columns, in place. */
static unsigned split(char *line, char **columns, unsigned max)
{
    unsigned count = 0;

    for (; count < max; count++) {
        columns[count] = strsep(&line, ",");
        if (columns[count] == NULL)
            break;
    }
    return count;
}

static void join(struct text *out, char *const *columns, unsigned first, unsigned last)
{
    for (unsigned i = first; i < last; i++) {
        if (i > 0)
            text_add_char(out, ',');
        text_add(out, columns[i]);
    }
}

/* Writes a line as the replayer reads it (vma.md 6.3). */
static void imitate_line(const char *line, struct text *out)
{
    enum { COLUMNS = 32 };
    char *copy = strdup(line), *columns[COLUMNS], flags[16];
    unsigned count = split(copy, columns, COLUMNS);
    bool refused = strstr(line, "(nil)") != NULL;
    const char *function = count >= PARAMETERS ? columns[3] : "";

    refused |= strcmp(function, "vmaCreatePool") == 0 && count == PARAMETERS + 6;
    if (count < PARAMETERS) {
        text_add(out, line);
    } else if (refused) {
        join(out, columns, 0, 3);
        text_add(out, ",refused");
    } else if (strcmp(function, "vmaAllocateMemoryForBuffer") == 0 ||
               strcmp(function, "vmaAllocateMemoryForImage") == 0) {
        /* Goes through vmaAllocateMemory, with the preference for dedicated memory as a flag. */
        unsigned long value = strtoul(columns[9], NULL, 10);

        if (strcmp(columns[7], "1") == 0 || strcmp(columns[8], "1") == 0)
            value |= 1;
        snprintf(flags, sizeof(flags), "%lu", value);
        join(out, columns, 0, 3);
        text_add(out, ",vmaAllocateMemory");
        join(out, columns, 4, 7);
        columns[9] = flags;
        join(out, columns, 9, count);
    } else if (strcmp(function, "vmaSetPoolName") == 0) {
        join(out, columns, 0, count < 6 ? count : 6);
    } else {
        text_add(out, line);
    }
    free(copy);
}

static void imitate(struct vma_play *play, enum vma_play_macros macros)
{
    struct text out = TEXT_INIT;
    char *lines = malloc(play->size + 1), *rest = lines, *line;

    assert_non_null(lines);
    memcpy(lines, play->bytes, play->size);
    lines[play->size] = '\0';
    while ((line = strsep(&rest, "\n")) != NULL) {
        imitate_line(line, &out);
        if (rest != NULL)
            text_add_char(&out, '\n');
    }
    free(lines);
    assert_int_equal(text_status(&out), 0);
    vma_play_close(play);
    vma_play_open(play, (uint8_t *)out.bytes, out.length, macros);
}

/* Makes a dump comparable */

static char *terminated(const char *bytes, size_t length)
{
    char *copy = malloc(length + 1);

    assert_non_null(copy);
    memcpy(copy, bytes, length);
    copy[length] = '\0';
    return copy;
}

/* The library drops bytes from 0x80 on. */
static void drop_high_bytes(char *text)
{
    char *to = text;

    for (; *text != '\0'; text++)
        if ((uint8_t)*text < 0x80)
            *to++ = *text;
    *to = '\0';
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The library lists dedicated allocations by address: sorts each list. */
static void sort_dedicated(char **lines, size_t count)
{
    static const char row[] = "      {\"Type\": ";

    for (size_t i = 0; i < count; i++) {
        size_t end = i;

        for (; end < count && strncmp(lines[end], row, sizeof(row) - 1) == 0; end++) {
            size_t length = strlen(lines[end]);

            if (length >= 2 && strcmp(lines[end] + length - 2, ", ") == 0)
                lines[end][length - 2] = '\0';
        }
        qsort(lines + i, end - i, sizeof(*lines), compare_lines);
        if (end > i)
            i = end;
    }
}

enum { WITHOUT_BUDGET = 1, OLD_ALGORITHM = 2 };

static size_t make_lines(char *text, unsigned how, char ***out)
{
    static const char old_name[] = "\"LinearAlgorithm\": true",
                      new_name[] = "\"Algorithm\": \"Linear\"";
    char **lines = NULL, *line, *rest = text;
    size_t count = 0, room = 0;
    unsigned skip = 0;

    drop_high_bytes(text);
    while ((line = strsep(&rest, "\n")) != NULL) {
        char *old = strstr(line, old_name);

        if ((how & WITHOUT_BUDGET) != 0 && strcmp(line, "    \"Budget\": {") == 0)
            skip = 6; /* this line, four members, the brace */
        if (skip > 0) {
            skip--;
            continue;
        }
        if ((how & OLD_ALGORITHM) != 0 && old != NULL) {
            size_t tail = strlen(old + sizeof(old_name) - 1);

            memmove(old + sizeof(new_name) - 1, old + sizeof(old_name) - 1, tail + 1);
            memcpy(old, new_name, sizeof(new_name) - 1);
        }
        if (count == room) {
            room = room == 0 ? 256 : room * 2;
            lines = realloc(lines, room * sizeof(*lines));
            assert_non_null(lines);
        }
        lines[count++] = line;
    }
    sort_dedicated(lines, count);
    *out = lines;
    return count;
}

/* Compares the current state with a dump of the library. */
static void compare(const struct vma_play *play, const char *path, unsigned how)
{
    struct text text = TEXT_INIT;
    size_t size = 0, expected_count, actual_count;
    uint8_t *bytes = support_read(path, &size);
    char *expected = terminated((char *)bytes, size), *actual;
    char **expected_lines, **actual_lines;

    vma_json_write(&play->replay.allocator, true, &text);
    actual = terminated(text.bytes, text.length);
    expected_count = make_lines(expected, how, &expected_lines);
    actual_count = make_lines(actual, how, &actual_lines);
    for (size_t i = 0; i < expected_count && i < actual_count; i++)
        if (strcmp(expected_lines[i], actual_lines[i]) != 0)
            fail_msg("%s line %zu:\n%s\ninstead of\n%s", path, i + 1, actual_lines[i],
                     expected_lines[i]);
    assert_int_equal(actual_count, expected_count);
    free(expected_lines);
    free(actual_lines);
    free(expected);
    free(actual);
    free(bytes);
    text_clear(&text);
}

static int is_dump(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');

    return dot != NULL && strcmp(dot, ".json") == 0;
}

/* Compares all dumps of one recording, in the order of lines. Returns their number. */
static unsigned compare_folder(const char *folder, const char *name, enum vma_play_macros macros,
                               bool imitated)
{
    char file[512];
    char *path;
    struct dirent **entries = NULL;
    struct vma_play play;
    int count;

    snprintf(file, sizeof(file), "vma/reference/%s/%s", folder, name);
    path = support_corpus(file);
    vma_play_corpus(&play, name, macros);
    if (imitated)
        imitate(&play, macros);
    count = scandir(path, &entries, is_dump, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        const char *line = strstr(entries[i]->d_name, "ine");
        uint32_t number = 0;

        assert_non_null(line);
        number = (uint32_t)strtoul(line + 3, NULL, 10);
        vma_play_until(&play, number);
        snprintf(file, sizeof(file), "%s/%s", path, entries[i]->d_name);
        compare(&play, file, 0);
        free(entries[i]);
    }
    free(entries);
    free(path);
    vma_play_close(&play);
    return (unsigned)count;
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static unsigned compare_folders(const char *folder, enum vma_play_macros macros)
{
    char name[256];
    char *path;
    struct dirent **entries = NULL;
    unsigned dumps = 0;
    int count;

    snprintf(name, sizeof(name), "vma/reference/%s", folder);
    path = support_corpus(name);
    count = scandir(path, &entries, is_visible, alphasort);
    assert_true(count > 0);
    for (int i = 0; i < count; i++) {
        dumps += compare_folder(folder, entries[i]->d_name, macros, true);
        free(entries[i]);
    }
    free(entries);
    free(path);
    return dumps;
}

static void test_replayer_dumps(void **state)
{
    (void)state;
    assert_int_equal(compare_folders("mock", VMA_PLAY_DEFAULT) +
                         compare_folders("mock_frames", VMA_PLAY_DEFAULT) +
                         compare_folders("mock_margin16", VMA_PLAY_RECORDED),
                     202);
}

/* Recordings that need no imitation must be equal without it. */
static void test_replayer_dumps_read_our_way(void **state)
{
    static const char *const names[] = {"seed_v1_5", "seed_v1_5_trimmed", "inexor_v1_8",
                                        "gen_v1_0",  "gen_v1_1",          "gen_lost_v1_5"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        compare_folder("mock", names[i], VMA_PLAY_DEFAULT, false);
    compare_folder("mock_margin16", "inexor_v1_8", VMA_PLAY_RECORDED, false);
}

/*
 * Finds the last packet of each frame of the recorder's programs; the teardown is not part of the
 * last frame.
 */
static void last_packets(const struct vma_play *play, uint32_t last_of_all, uint32_t *packets)
{
    for (uint32_t frame = 0; frame < play->recording.frame_count; frame++)
        packets[frame] = vma_recording_frame_last(&play->recording, frame) + 1;
    packets[play->recording.frame_count - 1] = last_of_all;
}

static void test_live_allocator(void **state)
{
    enum { FRAMES = 24 };
    static const struct {
        const char *recording, *prefix;
        uint32_t last;
        unsigned how;
    } programs[] = {
        {"recorder_v1_8", "rec23", 1139, 0},
        {"recorder_v1_5", "rec22", 1134, WITHOUT_BUDGET},
        {"recorder_v1_3", "rec21", 995, WITHOUT_BUDGET | OLD_ALGORITHM},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(programs); i++) {
        uint32_t packets[FRAMES];
        struct vma_play play;

        vma_play_corpus(&play, programs[i].recording, VMA_PLAY_RECORDED);
        assert_int_equal(play.recording.frame_count, FRAMES);
        last_packets(&play, programs[i].last, packets);
        for (unsigned frame = 0; frame < FRAMES; frame++) {
            char file[128];
            char *path;

            vma_play_until(&play, packets[frame]);
            snprintf(file, sizeof(file), "vma/reference/recorded/%s_frame%02u.json",
                     programs[i].prefix, frame);
            path = support_corpus(file);
            compare(&play, path, programs[i].how);
            free(path);
        }
        vma_play_close(&play);
    }
}

/* Another spelling of pointers gives the same recording. */
static void test_pointer_styles_give_one_layout(void **state)
{
    static const char *const pairs[][2] = {{"recorder_v1_3", "recorder_linuxptr_v1_3"},
                                           {"recorder_v1_5", "recorder_linuxptr_v1_5"},
                                           {"recorder_v1_8", "recorder_linuxptr_v1_8"}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        struct vma_play plays[2];
        struct text texts[2] = {TEXT_INIT, TEXT_INIT};

        for (unsigned j = 0; j < 2; j++)
            vma_play_corpus(&plays[j], pairs[i][j], VMA_PLAY_RECORDED);
        assert_int_equal(plays[0].recording.frame_count, plays[1].recording.frame_count);
        for (uint32_t frame = 0; frame < plays[0].recording.frame_count; frame++) {
            for (unsigned j = 0; j < 2; j++) {
                vma_play_until(&plays[j], vma_recording_frame_last(&plays[j].recording, frame) + 1);
                text_reset(&texts[j]);
                vma_json_write(&plays[j].replay.allocator, true, &texts[j]);
            }
            assert_int_equal(texts[0].length, texts[1].length);
            assert_memory_equal(texts[0].bytes, texts[1].bytes, texts[0].length);
        }
        for (unsigned j = 0; j < 2; j++) {
            text_clear(&texts[j]);
            vma_play_close(&plays[j]);
        }
    }
}

/* The offsets in the library's published sample dump of the seed's example (vma.md 3.3) */
static void test_seed_example(void **state)
{
    struct vma_play play;

    (void)state;
    vma_play_corpus(&play, "seed_v1_5", VMA_PLAY_RECORDED);
    vma_play_until(&play, 48);
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B1620), 0);
    assert_int_equal(vma_play_find(&play, 0x1D85B8B1620)->size, 65536);
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B1A80), 65536);
    assert_int_equal(vma_play_find(&play, 0x1D85B8B1A80)->size, 768);
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B16C0), 66304);
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B19E0), 0);
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B1DA0), 768);
    vma_play_until(&play, 51); /* the depth image, aligned to 64 KiB by rule R1 */
    assert_int_equal(vma_play_offset(&play, 0x1D85B8B1EE0), 131072);
    assert_int_equal(vma_play_find(&play, 0x1D85B8B1EE0)->size, 4063232);
    vma_play_close(&play);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seed_example),
        cmocka_unit_test(test_live_allocator),
        cmocka_unit_test(test_replayer_dumps_read_our_way),
        cmocka_unit_test(test_replayer_dumps),
        cmocka_unit_test(test_pointer_styles_give_one_layout),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
