/* SPDX-License-Identifier: MIT */
/*
 * The AeroGPU part of the conformance set (tests/conformance/README): numbers of the protocol,
 * conversions of texels, and checksums of pictures, cleared and drawn. Pictures that need shaders
 * are only checked if this machine can draw with shaders; their checksums are always checked.
 */
#include "config.h"

#include "tests/formats/aerogpu/make.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/support/conformance.h"

#include "formats/aerogpu/decode/command_stream.h"
#include "formats/aerogpu/decode/layout.h"
#include "formats/aerogpu/replay/worker_session.h"

#include "tests/support/support.h"
#include "tests/support/walk.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TARGET_USAGE = 0x10, SCREEN = 1, SUM_DIGITS = 64 };

/* CREATE_BUFFER and CreateBuffer are the same name. */
static bool is_name(const char *upper, const char *name)
{
    while (*upper != '\0' || *name != '\0') {
        if (*upper == '_') {
            upper++;
        } else if (toupper((unsigned char)*name) == *upper) {
            upper++;
            name++;
        } else {
            return false;
        }
    }
    return true;
}

static void test_commands(void **state)
{
    struct conformance table;
    char *fields[4];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "aerogpu-commands.tsv");
    for (; conformance_row(&table, fields, 4); rows++) {
        enum aerogpu_dialect dialect =
            strcmp(fields[0], "a3a0") == 0 ? AEROGPU_A3A0 : AEROGPU_APPENDIX_A;
        const struct aerogpu_packet_type *type =
            aerogpu_type_find(dialect, (uint32_t)conformance_number(&table, fields[1], 16));

        if (type == NULL)
            conformance_fail(&table, "command %s %s is not known", fields[1], fields[2]);
        if (!is_name(fields[2], type->name))
            conformance_fail(&table, "command %s is %s, not %s", fields[1], type->name, fields[2]);
        if (type->min_size != conformance_number(&table, fields[3], 10))
            conformance_fail(&table, "command %s has %u bytes, not %s", fields[2], type->min_size,
                             fields[3]);
    }
    assert_int_equal(rows, aerogpu_type_count);
    conformance_close(&table);
}

static void check_format(const struct conformance *table, char *const *fields)
{
    struct aerogpu_format_info info;

    if (!aerogpu_format_find((uint32_t)conformance_number(table, fields[1], 10), &info))
        conformance_fail(table, "format %s is not known", fields[1]);
    if (info.bytes != conformance_number(table, fields[2], 10) ||
        info.block != conformance_number(table, fields[3], 10) ||
        info.srgb != (strchr(fields[4], 's') != NULL) ||
        info.opaque != (strchr(fields[4], 'x') != NULL) ||
        info.depth != (strchr(fields[4], 'd') != NULL))
        conformance_fail(table, "format %s has %u bytes, blocks of %u,%s%s%s", fields[1],
                         info.bytes, info.block, info.srgb ? " sRGB" : "",
                         info.opaque ? " no alpha" : "", info.depth ? " depth" : "");
}

static size_t take_bytes(const struct conformance *table, const char *digits, uint8_t *to,
                         size_t room)
{
    size_t size = strlen(digits) / 2;

    if (size > room || strlen(digits) % 2 != 0)
        conformance_fail(table, "no bytes: %s", digits);
    for (size_t n = 0; n < size; n++) {
        const char pair[3] = {digits[2 * n], digits[2 * n + 1]};

        to[n] = (uint8_t)conformance_number(table, pair, 16);
    }
    return size;
}

static void check_texel(const struct conformance *table, char *const *fields)
{
    uint32_t format = (uint32_t)conformance_number(table, fields[1], 10);
    uint8_t from[16], wanted[64], found[64];
    size_t size = take_bytes(table, fields[2], from, sizeof(from));
    size_t texels = take_bytes(table, fields[3], wanted, sizeof(wanted)) / 4;
    uint32_t side = texels == 16 ? 4 : 1;

    if (!aerogpu_texels_decode(format, side, side, from, size, found))
        conformance_fail(table, "format %s is not decoded", fields[1]);
    for (unsigned n = 0; n < texels; n++)
        if (memcmp(found + 4 * (size_t)n, wanted + 4 * (size_t)n, 4) != 0)
            conformance_fail(table, "format %s, %s: texel %u,%u is %02x%02x%02x%02x, not %.8s",
                             fields[1], fields[2], n % side, n / side, found[4 * n],
                             found[4 * n + 1], found[4 * n + 2], found[4 * n + 3],
                             fields[3] + 8 * (size_t)n);
}

static void test_formats_and_texels(void **state)
{
    struct conformance table;
    char *fields[5];
    unsigned formats = 0, texels = 0;

    (void)state;
    conformance_open(&table, "aerogpu-formats.tsv");
    while (conformance_row(&table, fields, 5))
        if (strcmp(fields[0], "format") == 0) {
            check_format(&table, fields);
            formats++;
        } else {
            check_texel(&table, fields);
            texels++;
        }
    assert_int_equal(formats, 20);
    assert_int_equal(texels, 55);
    conformance_close(&table);
}

/*
 * Finds the checksum that hashes.txt has for a frame: "" if there is no such line, only - if the
 * frame is not drawn.
 */
static void find_sum(const char *hashes, uint32_t frame, char sum[SUM_DIGITS + 1])
{
    char start[32];
    const char *line;

    snprintf(start, sizeof(start), "frame %u: ", frame);
    line = strstr(hashes, start);
    if (line != NULL)
        line = strstr(line, "sha256=");
    snprintf(sum, SUM_DIGITS + 1, "%s", line != NULL ? line + strlen("sha256=") : "");
}

static void check_clear(const struct conformance *table, char *const *fields)
{
    uint32_t format = (uint32_t)conformance_number(table, fields[0], 10);
    uint32_t width = (uint32_t)conformance_number(table, fields[1], 10);
    uint32_t height = (uint32_t)conformance_number(table, fields[2], 10);
    struct trace_writer writer = {0};
    struct trace_stream stream;
    struct opened opened;
    char sum[SUM_DIGITS + 1], *hashes;
    uint8_t c[4];
    size_t size;

    assert_int_equal(take_bytes(table, fields[3], c, sizeof(c)), 4);
    trace_begin(&writer, 2);
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    trace_texture(&stream, SCREEN, TARGET_USAGE, format, width, height, 1, 1);
    trace_target(&stream, SCREEN, 0);
    trace_clear(&stream, (float)c[0] / 255, (float)c[1] / 255, (float)c[2] / 255,
                (float)c[3] / 255);
    trace_present(&stream);
    trace_submit(&writer, &stream, NULL, 0);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    opened_expect_no_problems(&opened);
    hashes = walk_read(opened.tree, "hashes.txt", &size);
    find_sum(hashes, 0, sum);
    if (strcmp(sum, fields[4]) != 0) {
        struct picture picture = opened_picture(&opened, "frames/000000.png", PNG_FORMAT_RGBA);

        conformance_fail(table, "format %s, %ux%u of %s: pixel 0,0 is %08x, the sum %s", fields[0],
                         width, height, fields[3], opened_pixel(&picture, 0, 0), sum);
    }
    free(hashes);
    opened_close(&opened);
}

static void test_clears(void **state)
{
    struct conformance table;
    char *fields[5];
    unsigned rows = 0;

    (void)state;
    conformance_open(&table, "aerogpu-clears.tsv");
    for (; conformance_row(&table, fields, 5); rows++)
        check_clear(&table, fields);
    assert_int_equal(rows, 15);
    conformance_close(&table);
}

enum { FRAME_FIELDS = 8, TRACE_FIELDS = 5, FIELD_FRAME = 5, FIELD_DRAWN, FIELD_SUM };

/* A generated trace, as the first fields of a row describe it */
struct generated {
    char *fields[TRACE_FIELDS];
    struct made made;
    struct opened opened;
    char *hashes;
};

/* Returns whether this machine can draw with shaders. */
static bool can_draw_shaders(void)
{
#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return false;
#else
    struct worker_params params = {.program = NULL};
    struct aerogpu_session_params session = {.width = 8, .height = 8};
    struct aerogpu_session *aero = NULL;
    struct worker *worker = NULL;
    bool can;

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(aerogpu_session_create(worker, &session, &aero), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    can = aerogpu_session_reset(aero, 0, NULL) == 0;
    worker_release(worker);
    aerogpu_session_destroy(&aero);
    worker_destroy(&worker);
    return can;
#endif
}

static void generate(const struct conformance *table, char *const *fields, struct generated *out)
{
    struct make_params params = {
        .seed = conformance_number(table, fields[0], 10),
        .frames = (uint32_t)conformance_number(table, fields[1], 10),
        .width = (uint32_t)conformance_number(table, fields[2], 10),
        .height = (uint32_t)conformance_number(table, fields[3], 10),
        .packets = strstr(fields[4], "packets") != NULL,
        .noise = strstr(fields[4], "noise") != NULL,
        .appendix = strstr(fields[4], "appendix") != NULL,
    };
    size_t size;

    memcpy(out->fields, fields, sizeof(out->fields));
    (params.appendix ? aerogpu_make_appendix : aerogpu_make)(&params, &out->made);
    opened_bytes(&out->opened, out->made.writer.bytes.data, out->made.writer.bytes.size);
    out->hashes = walk_read(out->opened.tree, "hashes.txt", &size);
}

static void clear_generated(struct generated *generated)
{
    free(generated->hashes);
    opened_close(&generated->opened);
    aerogpu_made_free(&generated->made);
    *generated = (struct generated){0};
}

/* Reports the first pixel that differs from what the scene painted. */
static void tell_pixel(const struct generated *generated, uint32_t frame, char text[80])
{
    const struct expected *expected = &generated->made.pictures[frame];
    struct picture picture;
    char path[32];

    snprintf(path, sizeof(path), "frames/%06u.png", frame);
    picture = opened_picture(&generated->opened, path, PNG_FORMAT_RGBA);
    text[0] = '\0';
    for (uint32_t i = 0; i < expected->width * expected->height && text[0] == '\0'; i++) {
        const uint8_t *p = expected->rgba + 4 * (size_t)i;
        uint32_t x = i % expected->width, y = i / expected->width;
        uint32_t wanted = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];

        if (opened_pixel(&picture, x, y) != wanted)
            snprintf(text, 80, "; pixel %u,%u is %08x, painted %08x", x, y,
                     opened_pixel(&picture, x, y), wanted);
    }
    free(picture.pixels);
}

/*
 * Compares the painted and the drawn picture with the table. Returns false if the frame could not
 * be drawn here.
 */
static bool check_frame(const struct conformance *table, const struct generated *generated,
                        char *const *fields, bool shaders)
{
    uint32_t frame = (uint32_t)conformance_number(table, fields[FIELD_FRAME], 10);
    char line[120], pixel[80], painted[SUM_DIGITS + 1], drawn[SUM_DIGITS + 1];
    const char *scene;

    if (frame >= generated->made.frames)
        conformance_fail(table, "no frame %u", frame);
    scene = generated->made.scenes[frame] != NULL ? generated->made.scenes[frame] : "appendix";
    aerogpu_made_line(&generated->made, frame, line);
    find_sum(line, frame, painted);
    if (strcmp(painted, fields[FIELD_SUM]) != 0)
        conformance_fail(table, "frame %u (%s) is painted as %s", frame, scene, painted);
    find_sum(generated->hashes, frame, drawn);
    if (drawn[0] == '-' && !shaders && strcmp(fields[FIELD_DRAWN], "worker") == 0)
        return false;
    if (strcmp(drawn, fields[FIELD_SUM]) != 0) {
        tell_pixel(generated, frame, pixel);
        conformance_fail(table, "frame %u (%s) is drawn as %s%s", frame, scene, drawn, pixel);
    }
    return true;
}

static bool is_same_trace(const struct generated *generated, char *const *fields)
{
    for (unsigned n = 0; n < TRACE_FIELDS; n++)
        if (generated->fields[n] == NULL || strcmp(generated->fields[n], fields[n]) != 0)
            return false;
    return true;
}

static void test_generated_traces(void **state)
{
    struct generated generated = {0};
    struct conformance table;
    char *fields[FRAME_FIELDS];
    bool shaders = can_draw_shaders();
    unsigned frames = 0, drawn = 0;

    (void)state;
    conformance_open(&table, "aerogpu-frames.tsv");
    for (; conformance_row(&table, fields, FRAME_FIELDS); frames++) {
        if (!is_same_trace(&generated, fields)) {
            if (generated.hashes != NULL)
                clear_generated(&generated);
            generate(&table, fields, &generated);
        }
        drawn += check_frame(&table, &generated, fields, shaders);
    }
    clear_generated(&generated);
    conformance_close(&table);
    assert_int_equal(frames, 98);
    if (shaders)
        assert_int_equal(drawn, 98);
    else
        print_message("%u frames need shaders, which this machine cannot draw\n", frames - drawn);
    assert_in_range(drawn, 14, 98);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commands),
        cmocka_unit_test(test_formats_and_texels),
        cmocka_unit_test(test_clears),
        cmocka_unit_test(test_generated_traces),
    };

    return cmocka_run_group_tests_name("conformance_aerogpu", tests, NULL, NULL);
}
