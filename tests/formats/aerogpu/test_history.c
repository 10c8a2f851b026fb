/* SPDX-License-Identifier: MIT */
/*
 * Compares the history of pixels with pictures of what is shown after every single command, and
 * draw-ids with that history; tests by hand why a draw does not change a pixel.
 */
#include "config.h"

#include "tests/formats/aerogpu/make.h"
#include "tests/formats/aerogpu/open.h"
#include "tests/formats/aerogpu/random.h"

#include "formats/aerogpu/replay/replay.h"
#include "formats/aerogpu/replay/write_history.h"
#include "formats/aerogpu/views/draw_folder.h"
#include "image/draw_ids.h"
#include "tests/support/support.h"
#include "tests/support/walk.h"
#include "tests/worker/scene.h"
#include "tests/worker/shaders.h"
#include "tree/pixel_files.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 13, RGBA = 4, TICKS_MAX = 4096 };

/* A row of a table, split into cells */
struct row {
    const char *cells[COLUMNS];
};

enum cell { FRAME, DRAW, PACKET, SUBMISSION, COMMAND, OFFSET, NAME, OUTCOME, BEFORE, AFTER };

static char *next_row(char *line, struct row *row)
{
    char *end = strchr(line, '\n');

    assert_non_null(end);
    *end = '\0';
    for (unsigned i = 0; i < COLUMNS; i++) {
        row->cells[i] = strsep(&line, "\t");
        assert_non_null(row->cells[i]);
    }
    assert_null(line);
    return end + 1;
}

/* A frame's subresource after each of its commands */
struct film {
    struct aerogpu_dump *dump;
    uint32_t frame;
    const struct aerogpu_scan_frame *found;
    uint64_t begin, end;          /* ticks */
    uint8_t *pictures[TICKS_MAX]; /* NULL while the resource does not exist */
};

/* Returns what is shown after `tick` commands, or NULL if the resource does not exist then. */
static uint8_t *take_picture(struct film *film, uint64_t tick)
{
    struct aerogpu_shot shot = film->found->shot;
    const struct aerogpu_machine *machine = NULL;
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(film->dump);
    struct aerogpu_target target;
    struct aerogpu_pixels pixels = {0};
    const struct aerogpu_object *object = NULL;
    bool gone = false;

    shot.tick = tick;
    assert_int_equal(aerogpu_replay_enter(film->dump, tick, NULL, &machine), 0);
    if (shot.life != AEROGPU_NONE) {
        object = aerogpu_objects_alive(&machine->objects, AEROGPU_SPACE_RESOURCE,
                                       scan->lives[shot.life].object.handle, shot.life);
        shot.drawn = object != NULL && object->drawn;
        shot.slot = AEROGPU_SHOT_UNBOUND;
        gone = object == NULL;
    } else {
        shot.drawn = machine->back_drawn;
        aerogpu_machine_shown(machine, &target);
        gone = shot.drawn && target.texture != NULL; /* the worker cannot draw it then */
    }
    aerogpu_replay_leave(film->dump);
    if (gone)
        return NULL;
    assert_int_equal(aerogpu_replay_shot(film->dump, &shot, NULL, &pixels), 0);
    return pixels.data;
}

static void film_take(struct film *film, struct aerogpu_dump *dump, uint32_t frame)
{
    *film = (struct film){
        .dump = dump, .frame = frame, .found = &aerogpu_dump_scanned(dump)->frames[frame]};
    film->begin = film->found->begin;
    film->end = film->found->shot.tick;
    assert_true(film->end - film->begin < TICKS_MAX);
    for (uint64_t tick = film->begin; tick <= film->end; tick++)
        film->pictures[tick - film->begin] = take_picture(film, tick);
}

static void film_clear(struct film *film)
{
    for (uint64_t i = 0; i <= film->end - film->begin; i++)
        free(film->pictures[i]);
}

static void write_colour(const uint8_t *rgba, char text[9])
{
    if (rgba == NULL)
        strcpy(text, "-");
    else
        snprintf(text, 9, "%02X%02X%02X%02X", rgba[0], rgba[1], rgba[2], rgba[3]);
}

static const uint8_t *pixel_at(const struct film *film, uint64_t tick, uint32_t x, uint32_t y)
{
    const uint8_t *picture = film->pictures[tick - film->begin];

    return picture == NULL ? NULL : picture + RGBA * ((size_t)y * film->found->shot.width + x);
}

/* Returns the tick after a row's command. */
static uint64_t tick_of(const struct film *film, const struct row *row)
{
    struct aerogpu_write_history history;
    uint64_t tick = 0;

    aerogpu_write_history_init(&history, film->dump, film->frame, &film->found->shot, NULL);
    assert_int_equal(aerogpu_write_history_back(&history), 0);
    assert_int_equal(history.events.frame, film->frame);
    for (size_t i = 0; i < history.events.count; i++)
        if (history.events.list[i].where.record == strtoul(row->cells[PACKET], NULL, 10) &&
            history.events.list[i].where.command == strtoul(row->cells[COMMAND], NULL, 10))
            tick = history.events.list[i].tick;
    aerogpu_write_history_clear(&history);
    assert_int_not_equal(tick, 0);
    return tick;
}

struct told {
    const char *name; /* of the trace */
    struct film *film;
    uint32_t x, y;
    uint64_t tick;      /* up to which the rows have described the pixel */
    char colour[9];     /* there; empty if not known yet */
    uint64_t frame, id; /* of its last writer */
    bool written;
};

static _Noreturn void fail_told(const struct told *told, const struct row *row, const char *why)
{
    fail_msg("%s: frame %u, pixel %u,%u, %s of packet %s, command %s: %s", told->name,
             told->film->frame, told->x, told->y, row->cells[NAME], row->cells[PACKET],
             row->cells[COMMAND], why);
    abort();
}

/* Checks that up to that tick nothing changes the pixel but what the rows say. */
static void expect_still(const struct told *told, uint64_t to, const struct row *row)
{
    const uint8_t *last = NULL;

    for (uint64_t tick = told->tick; tick <= to; tick++) {
        const uint8_t *now = pixel_at(told->film, tick, told->x, told->y);

        if (now == NULL)
            continue;
        if (last != NULL && memcmp(last, now, RGBA) != 0)
            fail_told(told, row, "something else changed it before");
        last = now;
    }
}

static void check_row(struct told *told, const struct row *row)
{
    uint64_t tick = tick_of(told->film, row);
    const uint8_t *now = pixel_at(told->film, tick, told->x, told->y);
    const uint8_t *was = pixel_at(told->film, tick - 1, told->x, told->y);
    char before[9], after[9];

    write_colour(was, before);
    write_colour(now, after);
    expect_still(told, tick - 1, row);
    if ((was != NULL || strcmp(row->cells[NAME], "CreateTexture2d") == 0) &&
        strcmp(before, row->cells[BEFORE]) != 0)
        fail_told(told, row, before);
    if (now != NULL && strcmp(after, row->cells[AFTER]) != 0)
        fail_told(told, row, after);
    told->tick = tick;
    told->written =
        strcmp(row->cells[OUTCOME], "written") == 0 || strcmp(row->cells[OUTCOME], "created") == 0;
    if (!told->written && strcmp(row->cells[BEFORE], row->cells[AFTER]) != 0)
        fail_told(told, row, "it is not written, and changes");
}

/* Computes what draw-ids must have after a row that wrote. */
static void take_id(struct told *told, const struct row *row)
{
    const struct aerogpu_scan *scan = aerogpu_dump_scanned(told->film->dump);

    told->frame = strtoul(row->cells[FRAME], NULL, 10);
    if (strcmp(row->cells[DRAW], "-") != 0)
        told->id = strtoul(row->cells[DRAW], NULL, 10);
    else if (told->frame == told->film->frame)
        told->id = UINT32_MAX - 1 - (told->tick - 1 - scan->frames[told->frame].begin);
    else
        told->id = UINT64_MAX; /* its tick is not known here */
}

static void check_pixel(const char *name, const struct opened *opened, struct film *film,
                        const char *ids, uint32_t x, uint32_t y)
{
    struct told told = {
        .name = name, .film = film, .x = x, .y = y, .tick = film->begin, .frame = UINT64_MAX};
    const uint8_t *id =
        (const uint8_t *)ids + DRAW_IDS_BYTES * ((size_t)y * film->found->shot.width + x);
    char path[64], last[9] = "", shown[9];
    char *table, *line;
    struct row row = {.cells = {[PACKET] = "-", [COMMAND] = "-", [NAME] = "what follows"}};

    snprintf(path, sizeof(path), "by-frame/%06u/pixel/%u,%u.tsv", film->frame, x, y);
    table = walk_read(opened->tree, path, &(size_t){0});
    line = strchr(table, '\n') + 1;
    while (*line != '\0') {
        line = next_row(line, &row);
        if (last[0] != '\0' && strcmp(row.cells[BEFORE], "-") != 0 &&
            strcmp(last, row.cells[BEFORE]) != 0)
            fail_told(&told, &row, "it does not go on from the row before");
        snprintf(last, sizeof(last), "%s", row.cells[AFTER]);
        told.written = strcmp(row.cells[OUTCOME], "written") == 0 ||
                       strcmp(row.cells[OUTCOME], "created") == 0;
        if (row.cells[FRAME][0] != '-' && strtoul(row.cells[FRAME], NULL, 10) == film->frame)
            check_row(&told, &row);
        if (told.written && row.cells[FRAME][0] != '-')
            take_id(&told, &row);
    }
    expect_still(&told, film->end, &row);
    write_colour(pixel_at(film, film->end, x, y), shown);
    if (strcmp(shown, last) != 0)
        fail_msg("%s: frame %u, pixel %u,%u is %s at its end, not %s", name, film->frame, x, y,
                 last, shown);
    if (told.frame == UINT64_MAX
            ? !draw_ids_is_none(id)
            : draw_ids_load(id).frame != told.frame ||
                  (told.id != UINT64_MAX && draw_ids_load(id).writer != told.id))
        fail_msg("%s: frame %u, pixel %u,%u has id %u,%u, not %llu,%llu", name, film->frame, x, y,
                 draw_ids_load(id).frame, draw_ids_load(id).writer, (unsigned long long)told.frame,
                 (unsigned long long)told.id);
    free(table);
}

/* Checks every `step`-th pixel of each frame. */
static void check_trace(const char *name, const struct opened *opened, unsigned step)
{
    struct aerogpu_dump *dump = aerogpu_dump_of(tree_dump(opened->tree));
    const struct aerogpu_scan *scan = NULL;

    assert_int_equal(aerogpu_dump_scan(dump, NULL, &scan), 0);
    for (uint32_t frame = 0; frame < aerogpu_dump_index(dump)->frame_count; frame++) {
        const struct aerogpu_shot *shot = &scan->frames[frame].shot;
        struct film film;
        char path[64], *ids;
        size_t size = 0;

        if (shot->width == 0)
            continue;
        film_take(&film, dump, frame);
        snprintf(path, sizeof(path), "by-frame/%06u/draw-ids.bin", frame);
        ids = walk_read(opened->tree, path, &size);
        assert_int_equal(size, (size_t)shot->width * shot->height * DRAW_IDS_BYTES);
        for (uint64_t i = frame % step; i < (uint64_t)shot->width * shot->height; i += step)
            check_pixel(name, opened, &film, ids, (uint32_t)(i % shot->width),
                        (uint32_t)(i / shot->width));
        free(ids);
        film_clear(&film);
    }
}

static void test_corpus(void **state)
{
    char *folder = support_corpus("aerogpu"), *path = NULL;
    DIR *directory = opendir(folder);
    struct dirent *entry = NULL;
    unsigned count = 0;

    (void)state;
    opened_need_driver();
    assert_non_null(directory);
    while ((entry = readdir(directory)) != NULL) {
        struct opened opened = {0};

        if (strstr(entry->d_name, ".aerogputrace") == NULL)
            continue;
        path = support_path(folder, entry->d_name);
        opened_path(&opened, path);
        check_trace(entry->d_name, &opened, 31);
        opened_close(&opened);
        free(path);
        count++;
    }
    closedir(directory);
    free(folder);
    assert_true(count >= 17);
}

static void check_made(const struct make_params *params, unsigned step)
{
    struct opened opened;
    struct made made;

    (params->appendix ? aerogpu_make_appendix : aerogpu_make)(params, &made);
    opened_bytes(&opened, made.writer.bytes.data, made.writer.bytes.size);
    check_trace(params->appendix ? "appendix" : "scenes", &opened, step);
    opened_close(&opened);
    aerogpu_made_free(&made);
}

/* Every scene, some pixels */
static void test_scenes(void **state)
{
    (void)state;
    opened_need_driver();
    check_made(&(struct make_params){.seed = 1, .frames = 60, .width = 40, .height = 32}, 211);
    check_made(
        &(struct make_params){.seed = 2, .frames = 20, .width = 33, .height = 32, .packets = true},
        211);
}

static void test_appendix(void **state)
{
    (void)state;
    opened_need_driver();
    check_made(
        &(struct make_params){.seed = 5, .frames = 4, .width = 64, .height = 64, .appendix = true},
        211);
}

static void test_random(void **state)
{
    struct random_params params = {.frames = 4, .commands = 40, .plain_formats = true};

    (void)state;
    for (params.number = 500; params.number < 506; params.number++) {
        struct trace_writer writer;
        struct opened opened;
        char name[24];

        snprintf(name, sizeof(name), "random %u", (unsigned)params.number);
        random_trace(&params, &writer);
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        check_trace(name, &opened, 41);
        opened_close(&opened);
        trace_free(&writer);
    }
}

/* Damaged traces: whatever the bytes are, there must be an answer or an error. */

static void expect_answer(int status, struct blob *blob)
{
    if (status == 0)
        blob_unref(&blob);
    else if (status != -EIO && status != -ENOENT && status != -EFBIG)
        fail_msg("%s", strerror(-status));
}

static void ask_all(struct dump *dump)
{
    static int (*const makers[])(struct dump *, uint64_t, const struct cancel *, struct blob **) = {
        aerogpu_draw_uniforms_make, aerogpu_draw_attributes_make, aerogpu_draw_mesh_make,
        aerogpu_draw_state_make,    aerogpu_draw_touched_make,    aerogpu_draw_depth_bin_make,
        aerogpu_draw_stencil_make,  aerogpu_draw_indices_make};
    const struct aerogpu_scan *scan = NULL;
    struct blob *blob = NULL;
    int status;

    assert_int_equal(aerogpu_dump_scan(aerogpu_dump_of(dump), NULL, &scan), 0);
    for (uint64_t frame = 0; frame < aerogpu_index_of(dump)->frame_count; frame++) {
        if (scan->frames[frame].shot.width != 0) {
            status = aerogpu_pixel_make(dump, frame << PIXEL_FILES_BITS, NULL, &blob);
            expect_answer(status, blob);
            status = aerogpu_draw_ids_bin_make(dump, frame, NULL, &blob);
            expect_answer(status, blob);
        }
        for (uint64_t draw = 0; draw < scan->frames[frame].draws; draw++)
            for (size_t i = 0; i < COUNT_OF(makers); i++) {
                status = makers[i](dump, frame << DRAW_FOLDER_BITS | draw, NULL, &blob);
                expect_answer(status, blob);
            }
    }
}

static void test_damaged(void **state)
{
    struct random_params params = {.number = 77, .frames = 3, .commands = 40};
    uint64_t random = 5;

    (void)state;
    for (unsigned i = 0; i < 24; i++, params.number++) {
        struct trace_writer writer;
        struct opened opened;

        random_trace(&params, &writer);
        for (unsigned j = 0; j < 30; j++) /* mostly words of commands */
            writer.bytes.data[64 + support_random(&random) % (writer.bytes.size - 128)] =
                (uint8_t)support_random(&random);
        opened_bytes(&opened, writer.bytes.data, writer.bytes.size);
        ask_all(tree_dump(opened.tree));
        opened_close(&opened);
        trace_free(&writer);
    }
}

/* By hand */

enum {
    SCREEN = 1,
    DEPTH,
    VERTICES,
    VERTEX_SHADER,
    PIXEL_SHADER,
    DISCARDING,
    LAYOUT,
    SIDE = 8,
    STENCIL_FUNCTION = 56,
    COLORWRITEENABLE1 = 190,
    NEVER = 1,
    ALWAYS = 8,
};

static void create_shader(struct trace_stream *stream, uint32_t handle, uint32_t stage,
                          struct blob *code)
{
    const uint32_t words[] = {handle, stage, (uint32_t)code->size, 0};

    trace_command_data(stream, AEROGPU_CREATE_SHADER_DXBC, words, 4, code->data, code->size);
    blob_unref(&code);
}

/* POSITION and COLOR of four floats, each vertex 32 bytes. */
static void create_layout(struct trace_stream *stream)
{
    struct trace_bytes layout = {0};
    const uint32_t words[] = {AEROGPU_LAYOUT_MAGIC, 1, 2, 0, 0x7808E88A, 0, 2, 0, 0, 0, 0,
                              0xE7C308F8,           0, 2, 0, 16,         0, 0};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        trace_bytes_add_u32(&layout, words[i]);
    trace_command_data(stream, AEROGPU_CREATE_INPUT_LAYOUT,
                       (const uint32_t[]){LAYOUT, (uint32_t)layout.size, 0}, 3, layout.data,
                       layout.size);
    trace_bytes_free(&layout);
    TRACE(stream, AEROGPU_SET_INPUT_LAYOUT, LAYOUT, 0);
}

/* Returns a shader that discards every pixel. */
static struct blob *discarding_pixel(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                    {"COLOR", 0, 0, 3, 1, 15}};
    static const struct scene_parameter outputs[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    static const uint32_t tokens[] = {
        0x03001062, 0x001010F2, 1,                      /* dcl_input_ps linear v1.xyzw */
        0x03000065, 0x001020F2, 0,                      /* dcl_output o0.xyzw */
        0x0304000D, 0x00004001, 0xFFFFFFFF,             /* discard_nz l(-1) */
        0x05000036, 0x001020F2, 0,          0x00101E46, /* mov o0, v1 */
        1,          0x0100003E,                         /* ret */
    };

    return scene_assemble(DXBC_PS, 0x40, inputs, 2, outputs, 1, tokens, COUNT_OF(tokens));
}

static void draw_at(struct trace_stream *stream, float z)
{
    const float v[6][8] = {{-1, 3, z, 1, 1, 0, 0, 1},  {3, -1, z, 1, 1, 0, 0, 1},
                           {-1, -1, z, 1, 1, 0, 0, 1}, {-1, 3, z, 1, 1, 0, 0, 1},
                           {-1, -1, z, 1, 1, 0, 0, 1}, {3, -1, z, 1, 1, 0, 0, 1}};

    trace_upload(stream, VERTICES, 0, v, sizeof(v));
    TRACE(stream, AEROGPU_DRAW, 3, 1, 0, 0);
}

static void begin_scene(struct trace_writer *writer, struct trace_stream *stream)
{
    trace_begin(writer, 2);
    trace_begin_frame(writer);
    trace_stream_begin(stream);
    trace_texture(stream, SCREEN, 0x10, AEROGPU_R8G8B8A8, SIDE, SIDE, 1, 1);
    trace_texture(stream, DEPTH, 0x20, AEROGPU_D24S8, SIDE, SIDE, 1, 1);
    trace_buffer(stream, VERTICES, 1, 6 * 32);
    create_shader(stream, VERTEX_SHADER, AEROGPU_VERTEX, scene_pass_vertex());
    create_shader(stream, PIXEL_SHADER, AEROGPU_PIXEL, scene_pass_pixel());
    create_shader(stream, DISCARDING, AEROGPU_PIXEL, discarding_pixel());
    create_layout(stream);
    TRACE(stream, AEROGPU_SET_VERTEX_BUFFERS, 0, 1, VERTICES, 32, 0, 0);
    TRACE(stream, AEROGPU_BIND_SHADERS, VERTEX_SHADER, PIXEL_SHADER, 0, 0);
    trace_target(stream, SCREEN, DEPTH);
    TRACE(stream, AEROGPU_CLEAR, 7, 0, 0, 0, 0, trace_float(0.5f), 0);
}

/* Each reason once, between a clear and a draw that is seen */
static void write_rejected(struct trace_stream *stream)
{
    draw_at(stream, 0.75f);
    TRACE(stream, AEROGPU_DRAW, 3, 1, 3, 0); /* the other winding */
    TRACE(stream, AEROGPU_SET_SCISSOR, 0, 0, 2, 2);
    TRACE(stream, AEROGPU_SET_RASTERIZER_STATE, 0, 2, 0, 1, 0, 0);
    draw_at(stream, 0.25f);
    TRACE(stream, AEROGPU_SET_RASTERIZER_STATE, 0, 2, 0, 0, 0, 0);
    TRACE(stream, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, 1, AEROGPU_LESS, 1, 0xFFFF);
    TRACE(stream, AEROGPU_SET_RENDER_STATE, STENCIL_FUNCTION, NEVER);
    draw_at(stream, 0.25f);
    TRACE(stream, AEROGPU_SET_RENDER_STATE, STENCIL_FUNCTION, ALWAYS);
    TRACE(stream, AEROGPU_BIND_SHADERS, VERTEX_SHADER, DISCARDING, 0, 0);
    draw_at(stream, 0.25f);
    TRACE(stream, AEROGPU_BIND_SHADERS, VERTEX_SHADER, PIXEL_SHADER, 0, 0);
    TRACE(stream, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xFFFFFFFF);
    draw_at(stream, 0.375f);
    TRACE(stream, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, 0xFFFFFFFF);
    draw_at(stream, 0.25f);
}

/* Compares depths as 24 bits represent them. */
static void expect_depth(const char *found, const char *expected)
{
    if (fabs(strtod(found, NULL) - strtod(expected, NULL)) > 1.0 / (1 << 23) ||
        (*found == '-') != (*expected == '-'))
        fail_msg("a depth of %s, not %s", found, expected);
}

static void expect_rows(const struct opened *opened, const char *path,
                        const char *const (*expected)[5], size_t count)
{
    char *table = walk_read(opened->tree, path, &(size_t){0}), *line = strchr(table, '\n') + 1;

    for (size_t i = 0; i < count; i++) {
        struct row row;

        line = next_row(line, &row);
        assert_string_equal(row.cells[OUTCOME], expected[i][0]);
        assert_string_equal(row.cells[BEFORE], expected[i][1]);
        assert_string_equal(row.cells[AFTER], expected[i][2]);
        expect_depth(row.cells[AFTER + 1], expected[i][3]);
        expect_depth(row.cells[AFTER + 2], expected[i][4]);
    }
    assert_string_equal(line, "");
    free(table);
}

/* Why a draw does not change a pixel */
static void test_rejected(void **state)
{
    static const char *const expected[][5] = {
        {"created", "-", "00000000", "-", "-"},
        {"written", "00000000", "00000000", "0", "0.5"},
        {"depth", "00000000", "00000000", "0.5", "0.5"},
        {"culled", "00000000", "00000000", "0.5", "0.5"},
        {"scissor", "00000000", "00000000", "0.5", "0.5"},
        {"stencil", "00000000", "00000000", "0.5", "0.5"},
        {"discarded", "00000000", "00000000", "0.5", "0.5"},
        {"masked", "00000000", "00000000", "0.5", "0.375"},
        {"written", "00000000", "FF0000FF", "0.375", "0.25"},
    };
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    opened_need_driver();
    begin_scene(&writer, &stream);
    write_rejected(&stream);
    trace_present(&stream);
    trace_submit(&writer, &stream, NULL, 0);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    expect_rows(&opened, "by-frame/000000/pixel/5,5.tsv", expected, COUNT_OF(expected));
    check_trace("rejected", &opened, 7);
    opened_close(&opened);
}

/* A draw that leaves a channel of the second target unwritten does not end the history. */
static void test_masked_second_target(void **state)
{
    static const char *const expected[][5] = {
        {"created", "-", "00000000", "-", "-"},
        {"written", "00000000", "00000000", "0", "0.5"},
        {"written", "00000000", "FF000000", "-", "-"},
    };
    struct trace_writer writer;
    struct trace_stream stream;
    struct opened opened;

    (void)state;
    opened_need_driver();
    begin_scene(&writer, &stream);
    create_shader(&stream, PIXEL_SHADER, AEROGPU_PIXEL, shader_two_targets());
    trace_submit(&writer, &stream, NULL, 0);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    trace_begin_frame(&writer);
    trace_stream_begin(&stream);
    TRACE(&stream, AEROGPU_SET_RENDER_TARGETS, 2, 0, 0, SCREEN, 0, 0, 0, 0, 0, 0);
    TRACE(&stream, AEROGPU_SET_RENDER_STATE, COLORWRITEENABLE1, 7);
    draw_at(&stream, 0.25f);
    trace_present(&stream);
    trace_submit(&writer, &stream, NULL, 0);
    trace_stream_free(&stream);
    trace_end_frame(&writer);
    opened_trace(&opened, &writer);
    expect_rows(&opened, "by-frame/000001/pixel/5,5.tsv", expected, COUNT_OF(expected));
    opened_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_scenes),
        cmocka_unit_test(test_appendix),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_rejected),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_masked_second_target),
    };

    return cmocka_run_group_tests_name("aerogpu_history", tests, NULL, NULL);
}
