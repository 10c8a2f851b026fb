/* SPDX-License-Identifier: MIT */
/*
 * Cuts show what the frames do that they are cut from, to the pixel. Some frames of each
 * capture; GPUDUMPFS_CUT_FRAMES=all compares all of them, by hand.
 */
#include "config.h"

#include "tests/formats/apitrace/pictures.h"
#include "tests/formats/apitrace/script.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 3, PATH_ROOM = 64 };

static bool has_picture(const struct apitrace_opened *opened, uint64_t frame)
{
    const struct apitrace_presentation *presentation;

    assert_int_equal(apitrace_dump_presentation(tree_dump(opened->tree), NULL, &presentation), 0);
    return presentation->frames[frame].drawable != APITRACE_NO_DRAWABLE;
}

/* How many pixels of a frame differ from those of the first frame of a cut. */
static unsigned count_differing(const struct apitrace_opened *of, uint64_t frame,
                                const struct apitrace_opened *cut, uint64_t cut_frame,
                                const char *name)
{
    unsigned width, height, cut_width, cut_height, differing = 0;
    char path[PATH_ROOM], cut_path[PATH_ROOM];
    uint8_t *pixels, *cut_pixels;

    snprintf(path, sizeof(path), "frames/%06llu.png", (unsigned long long)frame);
    snprintf(cut_path, sizeof(cut_path), "frames/%06llu.png", (unsigned long long)cut_frame);
    pixels = apitrace_pixels(of, path, &width, &height);
    cut_pixels = apitrace_pixels(cut, cut_path, &cut_width, &cut_height);
    if (width != cut_width || height != cut_height)
        fail_msg("%s: the cut of frame %llu has %ux%u pixels, the frame %ux%u", name,
                 (unsigned long long)frame, cut_width, cut_height, width, height);
    for (size_t n = 0; n < (size_t)width * height; n++)
        differing += memcmp(pixels + 4 * n, cut_pixels + 4 * n, 4) != 0;
    free(pixels);
    free(cut_pixels);
    return differing;
}

static void compare_frame(const struct apitrace_opened *of, uint64_t frame, const char *name)
{
    struct apitrace_opened cut;
    char path[PATH_ROOM], *bytes;
    unsigned differing;
    size_t size;

    snprintf(path, sizeof(path), "by-frame/%06llu/frame.trace", (unsigned long long)frame);
    bytes = walk_read(of->tree, path, &size);
    apitrace_open_bytes(bytes, size, &cut);
    differing = count_differing(of, frame, &cut, 0, name);
    if (differing > 0)
        fail_msg("%s: %u pixels of the cut of frame %llu differ", name, differing,
                 (unsigned long long)frame);
    apitrace_close(&cut);
    free(bytes);
}

/* So many of its frames were compared. */
static unsigned compare_trace(const char *path, bool all)
{
    struct apitrace_opened opened;
    uint64_t frames, step;
    unsigned compared = 0;

    apitrace_open(path, &opened);
    frames = apitrace_opened_index(&opened)->frame_count;
    step = all || frames <= SAMPLES ? 1 : (frames - 1) / (SAMPLES - 1);
    for (uint64_t frame = 0; frame < frames; frame += step)
        if (has_picture(&opened, frame)) {
            compare_frame(&opened, frame, path);
            compared++;
        }
    apitrace_close(&opened);
    return compared;
}

static void pictures_of_cuts_are_those_of_frames(void **state)
{
    const char *frames = getenv("GPUDUMPFS_CUT_FRAMES");
    bool all = frames != NULL && strcmp(frames, "all") == 0;
    char *folder = support_corpus("apitrace/real");
    unsigned traces = 0, compared = 0;
    struct dirent **entries;
    int count;

    (void)state;
    apitrace_need_graphics();
    count = scandir(folder, &entries, NULL, alphasort);
    assert_true(count > 0);
    for (int n = 0; n < count; n++) {
        char *path = support_path(folder, entries[n]->d_name);
        unsigned some = strstr(entries[n]->d_name, ".trace") != NULL ? compare_trace(path, all) : 0;

        traces += some > 0;
        compared += some;
        free(path);
        free(entries[n]);
    }
    print_message("%u frames of %u captures\n", compared, traces);
    assert_true(traces >= 15 && compared >= 2 * traces);
    free(entries);
    free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_of_cuts_are_those_of_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
