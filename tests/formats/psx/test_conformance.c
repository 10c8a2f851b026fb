/* SPDX-License-Identifier: MIT */
/*
 * Runs the PSX part of the conformance set (tests/conformance/README): pixels that were measured on
 * a console, images, and checksums of random streams. Runs it on the replay core with each of its
 * rasterizers, and on a second rasterizer, to report where the two differ.
 */
#include "config.h"

#include "tests/formats/psx/model.h"
#include "tests/formats/psx/play.h"
#include "tests/formats/psx/streams.h"
#include "tests/support/conformance.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"

#include "formats/psx/gpu/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WORDS_MAX = 1 << 17,
    BLOCKS_MAX = 32,
    NAME_ROOM = 32,
    SOURCE_ROOM = 160,
    PIXELS = MODEL_WIDTH * MODEL_HEIGHT,
};

/* Lines that cases share, as the table has them */
struct block {
    char name[NAME_ROOM];
    struct text lines;
};

/* A table of cases, and the current case */
struct probing {
    struct conformance table;
    const struct psx_raster_ops *ops;
    struct block blocks[BLOCKS_MAX];
    unsigned block_count;
    struct block *block; /* being read; NULL if none */
    char name[NAME_ROOM];
    char source[SOURCE_ROOM]; /* of the values; for messages */
    struct psx_gpu *gpu;
    struct psx_model *model;
    bool unmodelled; /* the case uses something that the model leaves out */
    unsigned cases, pixels, statuses, rows, covered, latched;
};

/* Returns the first difference between core and model, for messages, or "" if there is none. */
static const char *difference(const struct psx_gpu *gpu, const struct psx_model *model)
{
    static char text[96];
    const uint16_t *vram = psx_model_vram(model);

    text[0] = '\0';
    for (unsigned i = 0; i < PIXELS && text[0] == '\0'; i++)
        if (gpu->vram[i] != vram[i])
            snprintf(text, sizeof(text), "; pixel %u,%u is %04x, the model has %04x",
                     i % MODEL_WIDTH, i / MODEL_WIDTH, gpu->vram[i], vram[i]);
    return text;
}

static void end_case(struct probing *probing)
{
    const char *differs;

    if (probing->gpu == NULL)
        return;
    differs = probing->unmodelled ? "" : difference(probing->gpu, probing->model);
    if (*differs != '\0')
        conformance_fail(&probing->table, "end of case %s, %s%s", probing->name, probing->ops->name,
                         differs);
    psx_gpu_destroy(&probing->gpu);
    psx_model_destroy(&probing->model);
}

static void begin_case(struct probing *probing, const char *name)
{
    assert_in_range(strlen(name), 1, NAME_ROOM - 1);
    strcpy(probing->name, name);
    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &probing->gpu), 0);
    probing->gpu->ops = probing->ops;
    probing->model = psx_model_create(2);
    probing->unmodelled = false;
    probing->cases++;
}

/* Continues the case with another GPU at power-on. */
static void change_version(struct probing *probing, const char *line)
{
    static const enum psx_gpu_model models[] = {
        [1] = PSX_GPU_FIRST, [2] = PSX_GPU_SECOND, [3] = PSX_GPU_SECOND_2MIB};
    unsigned version = (unsigned)conformance_number(&probing->table, line, 10);

    assert_in_range(version, 1, COUNT_OF(models) - 1);
    psx_gpu_destroy(&probing->gpu);
    assert_int_equal(psx_gpu_create(models[version], &probing->gpu), 0);
    probing->gpu->ops = probing->ops;
    psx_model_destroy(&probing->model);
    probing->model = psx_model_create(version);
}

/* Appends an item `W`, `W*N` or `W+S*N` to the words. Returns the new number of words. */
static size_t put_item(const struct probing *probing, const char *item, uint32_t *words,
                       size_t count)
{
    char *end;
    uint32_t word = (uint32_t)strtoul(item, &end, 16), step = 0;
    unsigned long times = 1;

    if (*end == '+')
        step = (uint32_t)strtoul(end + 1, &end, 16);
    if (*end == '*')
        times = strtoul(end + 1, &end, 10);
    if (end == item || *end != '\0' || times == 0 || times > WORDS_MAX - count)
        conformance_fail(&probing->table, "case %s: no words: %s", probing->name, item);
    for (; times > 0; times--, word += step)
        words[count++] = word;
    return count;
}

/* Parses all words of a line; `( … )*N` repeats those in between N times. Returns their number. */
static size_t take_words(const struct probing *probing, char *line, uint32_t *words)
{
    size_t count = 0, open = 0;
    char *item;

    while ((item = strsep(&line, " ")) != NULL) {
        if (*item == '\0')
            continue;
        if (strcmp(item, "(") == 0) {
            open = count;
        } else if (*item == ')') {
            size_t length = count - open;
            unsigned long times = strtoul(item + strcspn(item, "0123456789"), NULL, 10);

            if (times == 0 || length * times > WORDS_MAX - open)
                conformance_fail(&probing->table, "case %s: no repetition", probing->name);
            for (; times > 1; times--, count += length)
                memcpy(words + count, words + open, length * sizeof(*words));
        } else {
            count = put_item(probing, item, words, count);
        }
    }
    return count;
}

static void send_words(struct probing *probing, char *line, bool control)
{
    static uint32_t words[WORDS_MAX];
    size_t count = take_words(probing, line, words);

    for (size_t i = 0; i < count; i++)
        if (control) {
            psx_gpu_gp1(probing->gpu, words[i]);
            psx_model_gp1(probing->model, words[i]);
        } else {
            psx_model_gp0(probing->model, words[i]);
        }
    if (!control)
        psx_play_gp0(probing->gpu, words, count);
}

static void check_pixel(struct probing *probing, const char *line)
{
    unsigned x, y, value;
    char wanted[8];
    bool other;

    if (sscanf(line, "%u %u %7s", &x, &y, wanted) != 3 || x >= MODEL_WIDTH || y >= MODEL_HEIGHT)
        conformance_fail(&probing->table, "case %s: no pixel: %s", probing->name, line);
    other = wanted[0] == '!';
    value = (unsigned)conformance_number(&probing->table, wanted + other, 16);
    if ((psx_play_pixel(probing->gpu, (int)x, (int)y) == value) == other)
        conformance_fail(&probing->table, "case %s, %s: pixel %u,%u is %04x, not %s%s",
                         probing->name, probing->ops->name, x, y,
                         psx_play_pixel(probing->gpu, (int)x, (int)y), wanted, probing->source);
    probing->pixels++;
}

static void check_status(struct probing *probing, const char *line)
{
    unsigned mask, value;

    if (sscanf(line, "%x %x", &mask, &value) != 2)
        conformance_fail(&probing->table, "case %s: no status: %s", probing->name, line);
    if ((psx_gpu_status(probing->gpu) & mask) != value)
        conformance_fail(&probing->table, "case %s: GPUSTAT is %08x, not %08x under %08x%s",
                         probing->name, psx_gpu_status(probing->gpu), value, mask, probing->source);
    probing->statuses++;
}

static void check_gpuread(struct probing *probing, const char *line)
{
    unsigned index, value, found;

    if (sscanf(line, "%x %x", &index, &value) != 2)
        conformance_fail(&probing->table, "case %s: no latch: %s", probing->name, line);
    psx_gpu_gp1(probing->gpu, 0x10000000 | index);
    found = probing->gpu->state.registers.gpuread;
    if (found != value)
        conformance_fail(&probing->table, "case %s: index %x of GP1(10) is %08x, not %08x%s",
                         probing->name, index, found, value, probing->source);
    probing->latched++;
}

/*
 * Counts the pixels of lines y0 to y1 that are not `back`, and finds the first and last column with
 * such a pixel.
 */
static unsigned covered(const struct psx_gpu *gpu, const int lines[2], unsigned back,
                        int columns[2])
{
    unsigned count = 0;

    columns[0] = columns[1] = -1;
    for (int x = 0; x < MODEL_WIDTH; x++)
        for (int y = lines[0]; y <= lines[1]; y++)
            if (psx_play_pixel(gpu, x, y) != back) {
                count++;
                columns[0] = columns[0] < 0 ? x : columns[0];
                columns[1] = x;
            }
    return count;
}

static void check_covered(struct probing *probing, const char *line)
{
    int lines[2], wanted[2], columns[2];
    unsigned count, back, found;

    if (sscanf(line, "%d %d %u %d %d %x", &lines[0], &lines[1], &count, &wanted[0], &wanted[1],
               &back) != 6 ||
        lines[0] < 0 || lines[1] >= MODEL_HEIGHT)
        conformance_fail(&probing->table, "case %s: no lines: %s", probing->name, line);
    found = covered(probing->gpu, lines, back, columns);
    if (found != count || columns[0] != wanted[0] || columns[1] != wanted[1])
        conformance_fail(&probing->table, "case %s, %s: %u pixels, columns %d to %d, not %s%s",
                         probing->name, probing->ops->name, found, columns[0], columns[1], line,
                         probing->source);
    probing->covered++;
}

static uint32_t row_sum(const struct psx_gpu *gpu, unsigned y)
{
    uint8_t bytes[2 * MODEL_WIDTH];

    for (unsigned x = 0; x < MODEL_WIDTH; x++) {
        uint16_t pixel = gpu->vram[y * MODEL_WIDTH + x] & 0x7FFF;

        bytes[2 * x] = (uint8_t)pixel;
        bytes[2 * x + 1] = (uint8_t)(pixel >> 8);
    }
    return support_crc32(bytes, sizeof(bytes));
}

static void check_rows(struct probing *probing, char *line)
{
    static uint32_t sums[WORDS_MAX];

    if (take_words(probing, line, sums) != MODEL_HEIGHT)
        conformance_fail(&probing->table, "case %s: not %u rows", probing->name, MODEL_HEIGHT);
    for (unsigned y = 0; y < MODEL_HEIGHT; y++)
        if (row_sum(probing->gpu, y) != sums[y])
            conformance_fail(&probing->table, "case %s, %s: row %u of VRAM is %08x, not %08x%s",
                             probing->name, probing->ops->name, y, row_sum(probing->gpu, y),
                             sums[y], difference(probing->gpu, probing->model));
    probing->rows += MODEL_HEIGHT;
}

/* Executes a line of a case or of a block that the case uses. */
static void carry_out(struct probing *probing, char *line)
{
    const char *verb = strsep(&line, " ");

    if (line == NULL || probing->gpu == NULL)
        conformance_fail(&probing->table, "no case, or nothing after %s", verb);
    if (strcmp(verb, "gp0") == 0)
        send_words(probing, line, false);
    else if (strcmp(verb, "gp1") == 0)
        send_words(probing, line, true);
    else if (strcmp(verb, "pixel") == 0)
        check_pixel(probing, line);
    else if (strcmp(verb, "status") == 0)
        check_status(probing, line);
    else if (strcmp(verb, "rows") == 0)
        check_rows(probing, line);
    else if (strcmp(verb, "covered") == 0)
        check_covered(probing, line);
    else if (strcmp(verb, "gpuread") == 0)
        check_gpuread(probing, line);
    else if (strcmp(verb, "version") == 0)
        change_version(probing, line);
    else
        conformance_fail(&probing->table, "case %s: unknown: %s", probing->name, verb);
}

static void begin_block(struct probing *probing, const char *name)
{
    assert_true(probing->block_count < BLOCKS_MAX);
    assert_in_range(strlen(name), 1, NAME_ROOM - 1);
    probing->block = &probing->blocks[probing->block_count++];
    strcpy(probing->block->name, name);
}

static void use_block(struct probing *probing, const char *name)
{
    unsigned n = 0;
    char *lines, *rest, *line;

    while (n < probing->block_count && strcmp(probing->blocks[n].name, name) != 0)
        n++;
    if (n == probing->block_count)
        conformance_fail(&probing->table, "case %s: no block %s", probing->name, name);
    lines = rest = strndup(probing->blocks[n].lines.bytes, probing->blocks[n].lines.length);
    assert_non_null(lines);
    while ((line = strsep(&rest, "\n")) != NULL)
        if (*line != '\0')
            carry_out(probing, line);
    free(lines);
}

static void take_line(struct probing *probing, char *line)
{
    if (strncmp(line, "block ", 6) == 0) {
        begin_block(probing, line + 6);
    } else if (strncmp(line, "case ", 5) == 0) {
        probing->block = NULL;
        end_case(probing);
        begin_case(probing, line + 5);
    } else if (strncmp(line, "source ", 7) == 0) {
        probing->block = NULL;
        snprintf(probing->source, sizeof(probing->source), "; %s", line + 7);
    } else if (strncmp(line, "use ", 4) == 0) {
        use_block(probing, line + 4);
    } else if (probing->block != NULL) {
        text_add(&probing->block->lines, line);
        text_add_char(&probing->block->lines, '\n');
    } else {
        carry_out(probing, line);
    }
}

/* Runs all cases of a table with one rasterizer. */
static void probe(const char *name, const struct psx_raster_ops *ops, struct probing *out)
{
    char *line;

    *out = (struct probing){.ops = ops};
    conformance_open(&out->table, name);
    while ((line = conformance_next(&out->table)) != NULL)
        take_line(out, line);
    end_case(out);
    for (unsigned n = 0; n < out->block_count; n++)
        text_clear(&out->blocks[n].lines);
    conformance_close(&out->table);
}

static void test_pixels_measured_on_a_console(void **state)
{
    const struct psx_raster_ops *ops;

    (void)state;
    for (unsigned n = 0; (ops = psx_raster_ops_get(n)) != NULL; n++) {
        struct probing probing;

        probe("psx-probes.txt", ops, &probing);
        assert_int_equal(probing.cases, 322);
        assert_int_equal(probing.pixels, 1009);
    }
}

static void test_images(void **state)
{
    const struct psx_raster_ops *ops;

    (void)state;
    for (unsigned n = 0; (ops = psx_raster_ops_get(n)) != NULL; n++) {
        struct probing probing;

        probe("psx-images.txt", ops, &probing);
        assert_int_equal(probing.cases, 9);
        assert_int_equal(probing.pixels, 5);
        assert_int_equal(probing.statuses, 10);
        assert_int_equal(probing.rows, 7 * MODEL_HEIGHT);
    }
}

/* Each fact has a source, which the message of a failure names (psx-gpu.md 22). */
static void test_further_suites(void **state)
{
    const struct psx_raster_ops *ops;

    (void)state;
    for (unsigned n = 0; (ops = psx_raster_ops_get(n)) != NULL; n++) {
        struct probing probing;

        probe("psx-suites.txt", ops, &probing);
        assert_int_equal(probing.cases, 51);
        assert_int_equal(probing.covered, 21 + 4);
        assert_int_equal(probing.pixels, 51);
        assert_int_equal(probing.statuses, 7 + 4);
        assert_int_equal(probing.latched, 45 + 4 * 4);
    }
}

/* A stream that is played, and the table of its checksums */
struct playing {
    struct conformance *table;
    const struct psx_raster_ops *ops;
    struct psx_model *model;         /* NULL: only the checksums are compared */
    char *fields[2 + STREAM_FRAMES]; /* kind, seed, the checksum after each frame */
    unsigned frame;
};

static void follow(struct psx_model *model, const struct psx_packet *packet)
{
    for (uint32_t i = 0; i < packet->words; i++) {
        const uint8_t *at = packet->payload + 4 * (size_t)i;
        uint32_t word =
            at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;

        if (packet->type == PSX_PACKET_GP0)
            psx_model_gp0(model, word);
        else if (packet->type == PSX_PACKET_GP1)
            psx_model_gp1(model, word);
    }
}

static void after_packet(void *context, const struct psx_play *play)
{
    struct playing *playing = context;
    uint32_t found, wanted;
    const char *differs;

    if (playing->model != NULL)
        follow(playing->model, &play->packet);
    if (play->packet.type != PSX_PACKET_VSYNC)
        return;
    assert_true(playing->frame < STREAM_FRAMES);
    differs = playing->model != NULL ? difference(play->gpu, playing->model) : "";
    wanted = (uint32_t)conformance_number(playing->table, playing->fields[2 + playing->frame], 16);
    found = psx_play_crc32(play->gpu);
    if (found != wanted || *differs != '\0')
        conformance_fail(playing->table, "stream %s %s, frame %u, %s: VRAM is %08x, not %08x%s",
                         playing->fields[0], playing->fields[1], playing->frame, playing->ops->name,
                         found, wanted, differs);
    playing->frame++;
    if (playing->model != NULL)
        psx_model_set_field(playing->model, playing->frame & 1);
}

static void play_stream(struct playing *playing, const struct psx_build *build)
{
    struct psx_gpu *gpu;

    assert_int_equal(psx_gpu_create(PSX_GPU_SECOND, &gpu), 0);
    gpu->ops = playing->ops;
    playing->frame = 0;
    psx_play(build->bytes, build->size, PSX_FIELD_AUTO, gpu, after_packet, playing);
    psx_gpu_destroy(&gpu);
    assert_int_equal(playing->frame, STREAM_FRAMES);
}

/* Checks what a mount shows, the last frame first. */
static void read_stream(const struct playing *playing, const struct psx_build *build)
{
    struct psx_opened opened;

    psx_opened_build(&opened, build);
    for (unsigned frame = STREAM_FRAMES; frame-- > 0;) {
        char path[40];
        size_t size;
        char *vram;

        snprintf(path, sizeof(path), "by-frame/%06u/vram.bin", frame);
        vram = walk_read(opened.tree, path, &size);
        assert_int_equal(size, 2 * PIXELS);
        if (support_crc32(vram, size) !=
            conformance_number(playing->table, playing->fields[2 + frame], 16))
            conformance_fail(playing->table, "stream %s %s: %s is %08x, not %s", playing->fields[0],
                             playing->fields[1], path, support_crc32(vram, size),
                             playing->fields[2 + frame]);
        free(vram);
    }
    psx_opened_close(&opened);
}

static void check_stream(struct playing *playing)
{
    uint64_t seed = conformance_number(playing->table, playing->fields[1], 10);
    struct psx_build build;

    assert_true(psx_streams_build(playing->fields[0], seed, &build));
    for (unsigned n = 0; (playing->ops = psx_raster_ops_get(n)) != NULL; n++) {
        playing->model = n == 0 ? psx_model_create(2) : NULL;
        play_stream(playing, &build);
        if (playing->model != NULL)
            psx_model_destroy(&playing->model);
    }
    read_stream(playing, &build);
    psx_build_free(&build);
}

static void test_random_streams(void **state)
{
    struct conformance table;
    struct playing playing = {.table = &table};
    unsigned streams = 0, kinds = 0;

    (void)state;
    conformance_open(&table, "psx-streams.tsv");
    for (; conformance_row(&table, playing.fields, 2 + STREAM_FRAMES); streams++) {
        if (psx_streams_kind(kinds) != NULL &&
            strcmp(playing.fields[0], psx_streams_kind(kinds)) == 0)
            kinds++;
        check_stream(&playing);
    }
    assert_null(psx_streams_kind(kinds));
    assert_int_equal(streams, 36);
    conformance_close(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_measured_on_a_console),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_further_suites),
        cmocka_unit_test(test_random_streams),
    };

    return cmocka_run_group_tests_name("conformance_psx", tests, NULL, NULL);
}
