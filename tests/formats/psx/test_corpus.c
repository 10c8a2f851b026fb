/* SPDX-License-Identifier: MIT */
/*
 * Compares the replay core with everything that is known of the hardware and of the emulators
 * (psx-gpu.md 14, psx-dump.md 6), with no tolerance anywhere.
 */

#include "config.h"

#include "tests/formats/psx/play.h"
#include "tests/support/support.h"

#include <png.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 256 };

/* The lines of a text file, without those that begin with '#' */
struct lines {
    char *text, *next;
};

static struct lines lines_open(const char *name)
{
    char *path = support_corpus(name);
    size_t size;
    char *text = (char *)support_read(path, &size);

    free(path);
    text[size] = '\0';
    return (struct lines){text, text};
}

static char *lines_next(struct lines *lines)
{
    char *line;

    do
        line = strsep(&lines->next, "\n");
    while (line != NULL && (line[0] == '#' || line[0] == '\0'));
    return line;
}

static void lines_close(struct lines *lines)
{
    free(lines->text);
}

/* Plays corpus file `name`, which is a plain dump or a compressed one. */
static void play(const char *name, void (*after)(void *, const struct psx_play *), void *context,
                 struct psx_gpu **gpu)
{
    char *path = support_corpus(name);
    size_t length = strlen(name), size;
    bool zst = length > 4 && strcmp(name + length - 4, ".zst") == 0;
    uint8_t *dump = zst ? support_read_zst(path, &size) : support_read(path, &size);

    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, gpu), 0);
    psx_play(dump, size, PSX_FIELD_AUTO, *gpu, after, context);
    free(dump);
    free(path);
}

static void format_name(char *out, const char *case_name, const char *file)
{
    assert_in_range(snprintf(out, LINE_MAX_BYTES, "psx/%s/%s", case_name, file), 1,
                    LINE_MAX_BYTES - 1);
}

/* The probes of one dump, in the order of their packets */
struct probes {
    const char *case_name;
    struct lines lines;
    char *line; /* the next probe; NULL at the end */
    unsigned met, failed;
};

static void check_pixel(struct probes *probes, const struct psx_play *play)
{
    unsigned packet, x, y;
    char expected[8];

    while (probes->line != NULL) {
        assert_int_equal(sscanf(probes->line, "%u %u %u %7s", &packet, &x, &y, expected), 4);
        if (packet != play->number)
            return;

        bool must_differ = expected[0] == '!';
        unsigned value = (unsigned)strtoul(expected + must_differ, NULL, 16);
        uint16_t pixel = play->gpu->vram[(y & 511) * PSX_VRAM_WIDTH + (x & 1023)];

        if ((pixel == value) != must_differ) {
            probes->met++;
        } else {
            probes->failed++;
            print_error("psx/%s: %s: VRAM holds %04x\n", probes->case_name, probes->line, pixel);
        }
        probes->line = lines_next(&probes->lines);
    }
}

static void after_pixels(void *context, const struct psx_play *play)
{
    check_pixel(context, play);
}

static void after_status(void *context, const struct psx_play *play)
{
    struct probes *probes = context;
    unsigned packet, mask, expected;

    while (probes->line != NULL) {
        assert_int_equal(sscanf(probes->line, "%u %x %x", &packet, &mask, &expected), 3);
        if (packet != play->number)
            return;
        if ((psx_gpu_status(play->gpu) & mask) == expected)
            probes->met++;
        else
            probes->failed++;
        probes->line = lines_next(&probes->lines);
    }
}

/* Plays a case with its probes. Returns the number of probes, all of which were correct. */
static unsigned run_probes(const char *case_name, const char *file,
                           void (*after)(void *, const struct psx_play *))
{
    struct probes probes = {.case_name = case_name};
    char name[LINE_MAX_BYTES];
    struct psx_gpu *gpu;

    format_name(name, case_name, file);
    probes.lines = lines_open(name);
    probes.line = lines_next(&probes.lines);
    format_name(name, case_name, "dump.psxgpu");
    play(name, after, &probes, &gpu);
    psx_gpu_destroy(&gpu);
    if (probes.line != NULL || probes.failed > 0)
        fail_msg("psx/%s: %u probes failed, next %s", case_name, probes.failed,
                 probes.line != NULL ? probes.line : "none");
    lines_close(&probes.lines);
    return probes.met;
}

/* Counts the pixels whose upper five bits differ from a reference image. */
static unsigned count_differences(const struct psx_gpu *gpu, const char *case_name)
{
    char name[LINE_MAX_BYTES];
    png_image image = {.version = PNG_IMAGE_VERSION};
    unsigned differences = 0;

    format_name(name, case_name, "vram.png");

    char *path = support_corpus(name);

    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    assert_int_equal(image.width, PSX_VRAM_WIDTH);
    assert_int_equal(image.height, PSX_VRAM_HEIGHT);

    uint8_t *rgb = malloc(PNG_IMAGE_SIZE(image));

    assert_non_null(rgb);
    assert_true(png_image_finish_read(&image, NULL, rgb, 0, NULL));
    for (size_t i = 0; i < (size_t)PSX_VRAM_WIDTH * PSX_VRAM_HEIGHT; i++)
        for (unsigned c = 0; c < 3; c++)
            if ((gpu->vram[i] >> 5 * c & 31) != rgb[3 * i + c] >> 3) {
                differences++;
                break;
            }
    free(rgb);
    free(path);
    return differences;
}

static void run_image(const char *case_name)
{
    char name[LINE_MAX_BYTES];
    struct psx_gpu *gpu;

    format_name(name, case_name, "dump.psxgpu");
    play(name, NULL, NULL, &gpu);

    unsigned differences = count_differences(gpu, case_name);

    psx_gpu_destroy(&gpu);
    if (differences > 0)
        fail_msg("psx/%s: %u pixels differ", case_name, differences);
}

static void run_consensus(const char *case_name)
{
    char name[LINE_MAX_BYTES];
    struct psx_gpu *gpu;

    format_name(name, case_name, "vram.crc32");

    struct lines lines = lines_open(name);
    uint32_t expected = (uint32_t)strtoul(lines_next(&lines), NULL, 16);

    lines_close(&lines);
    format_name(name, case_name, "dump.psxgpu");
    play(name, NULL, NULL, &gpu);

    uint32_t crc = psx_play_crc32(gpu);

    psx_gpu_destroy(&gpu);
    if (crc != expected)
        fail_msg("psx/%s: VRAM is %08x, not %08x", case_name, crc, expected);
}

/* Runs every row of INDEX.tsv of one kind. Returns the number of rows, and adds up their probes. */
static unsigned run_kind(const char *kind, unsigned *probes)
{
    struct lines lines = lines_open("psx/INDEX.tsv");
    unsigned rows = 0;
    char *line;

    *probes = 0;
    while ((line = lines_next(&lines)) != NULL) {
        char case_name[128], count[16], row_kind[32];

        assert_int_equal(sscanf(line, "%127s %15s %*s %*s %31s", case_name, count, row_kind), 3);
        if (strcmp(row_kind, kind) != 0)
            continue;
        rows++;
        if (strcmp(kind, "image") == 0)
            run_image(case_name);
        else if (strcmp(kind, "emulator-consensus") == 0)
            run_consensus(case_name);
        else if (strcmp(case_name, "ps1-tests/gp0-e1") == 0)
            *probes += run_probes(case_name, "expect_gpustat.tsv", after_status);
        else
            *probes += run_probes(case_name, "expect.tsv", after_pixels);
    }
    lines_close(&lines);
    return rows;
}

static void test_hardware_probes(void **state)
{
    unsigned probes;

    (void)state;
    assert_int_equal(run_kind("case", &probes), 322);
    assert_int_equal(probes, 1009);
}

static void test_hardware_probes_in_sequence(void **state)
{
    unsigned probes;

    (void)state;
    assert_int_equal(run_kind("sequence", &probes), 22);
    assert_int_equal(probes, 1011);
}

static void test_mask_and_status_probes(void **state)
{
    unsigned probes;

    (void)state;
    assert_int_equal(run_kind("probe", &probes), 2);
    assert_int_equal(probes, 5 + 10);
}

static void test_reference_images(void **state)
{
    unsigned probes;

    (void)state;
    assert_int_equal(run_kind("image", &probes), 11);
}

static void test_consensus_of_renderers(void **state)
{
    unsigned probes;

    (void)state;
    assert_int_equal(run_kind("emulator-consensus", &probes), 18);
}

/* The rows of vram.tsv of one recording */
struct snapshots {
    char dump[64];
    struct lines lines;
    char *line; /* the next row */
    unsigned met, failed;
};

/* Returns whether the next row is of this recording, and if so its `vsync` and `crc`. */
static bool next_snapshot(const struct snapshots *snapshots, unsigned *vsync, unsigned *crc)
{
    char dump[64];

    if (snapshots->line == NULL)
        return false;
    assert_int_equal(sscanf(snapshots->line, "%63s %u %x", dump, vsync, crc), 3);
    return strcmp(dump, snapshots->dump) == 0;
}

static void after_vsync(void *context, const struct psx_play *play)
{
    struct snapshots *snapshots = context;
    unsigned vsync, crc;

    if (play->packet.type != PSX_PACKET_VSYNC || !next_snapshot(snapshots, &vsync, &crc) ||
        vsync + 1 != play->vsyncs)
        return;
    if (psx_play_crc32(play->gpu) == crc) {
        snapshots->met++;
    } else {
        snapshots->failed++;
        print_error("psx/real/%s: VRAM differs at VSync %u\n", snapshots->dump, vsync);
    }
    snapshots->line = lines_next(&snapshots->lines);
}

static void test_recordings(void **state)
{
    struct snapshots snapshots = {.lines = lines_open("psx/real/vram.tsv")};
    unsigned vsync, crc;

    (void)state;
    lines_next(&snapshots.lines); /* the header */
    snapshots.line = lines_next(&snapshots.lines);
    while (snapshots.line != NULL) {
        char name[LINE_MAX_BYTES];
        struct psx_gpu *gpu;

        assert_int_equal(sscanf(snapshots.line, "%63s", snapshots.dump), 1);
        assert_true(snprintf(name, sizeof(name), "psx/real/%s.psxgpu.zst", snapshots.dump) > 0);
        play(name, after_vsync, &snapshots, &gpu);
        psx_gpu_destroy(&gpu);
        if (next_snapshot(&snapshots, &vsync, &crc))
            fail_msg("psx/real/%s ended before VSync %u", snapshots.dump, vsync);
    }
    lines_close(&snapshots.lines);
    assert_int_equal(snapshots.failed, 0);
    assert_int_equal(snapshots.met, 241);
}

/*
 * Writes a generated load with the corpus's tool. Returns false if the tool or python3 is missing.
 */
static bool generate_load(const char *preset, const char *path)
{
    char *corpus = support_corpus("psx");
    char *tool = support_path(corpus, "../../tools/mkpsxdump.py");
    const char *arguments[] = {"python3", tool, path, "--preset", preset, NULL};
    int status = -1;
    pid_t child;

    if (access(tool, R_OK) == 0 &&
        posix_spawnp(&child, "python3", NULL, NULL, (char **)arguments, environ) == 0)
        waitpid(child, &status, 0);
    free(tool);
    free(corpus);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Returns the checksum that loads.tsv has for a preset. */
static uint32_t sum_of_load(const char *preset)
{
    struct lines lines = lines_open("psx/loads.tsv");
    unsigned sum = 0;
    char *line;

    while ((line = lines_next(&lines)) != NULL)
        if (strncmp(line, preset, strlen(preset)) == 0 && line[strlen(preset)] == '\t')
            assert_int_equal(sscanf(line, "%*s %*[^\t] %*s %x", &sum), 1);
    lines_close(&lines);
    return sum;
}

static void check_load(const char *preset, uint32_t expected)
{
    char *folder = support_folder();
    char *path = support_path(folder, "load.psxgpu");
    bool generated = generate_load(preset, path);
    uint32_t crc = 0;

    if (generated) {
        size_t size;
        uint8_t *dump = support_read(path, &size);
        struct psx_gpu *gpu;

        assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
        psx_play(dump, size, PSX_FIELD_AUTO, gpu, NULL, NULL);
        crc = psx_play_crc32(gpu);
        psx_gpu_destroy(&gpu);
        free(dump);
    }
    free(path);
    support_remove(&folder);
    if (!generated)
        support_skip("no tools/mkpsxdump.py beside the corpus, or no python3");
    assert_int_equal(crc, expected);
}

static void test_generated_load(void **state)
{
    (void)state;
    check_load("small", sum_of_load("small"));
}

/* Wild coordinates, masks, windows, textures read from what is drawn; must end as on beetle. */
static void test_generated_feedback(void **state)
{
    enum { OF_BEETLE = 0xBE55FB54 };

    (void)state;
    check_load("edge", OF_BEETLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hardware_probes),
        cmocka_unit_test(test_hardware_probes_in_sequence),
        cmocka_unit_test(test_mask_and_status_probes),
        cmocka_unit_test(test_reference_images),
        cmocka_unit_test(test_consensus_of_renderers),
        cmocka_unit_test(test_recordings),
        cmocka_unit_test(test_generated_load),
        cmocka_unit_test(test_generated_feedback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
