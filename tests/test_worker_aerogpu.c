/* AeroGPU replay in the worker: the corpus, and scenes made for one thing each. */
#include "config.h"

#include "worker/aerogpu.h"

#include "support.h"
#include "worker_scene.h"

#include "core/bytes.h"
#include "core/sha256.h"
#include "formats/aerogpu/abi.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct blob_record {
    uint64_t id;
    uint32_t kind;
    const uint8_t *data;
    size_t size;
};

struct player {
    struct worker *worker;
    struct aero_session *session;
    struct blob_record blobs[64];
    size_t blob_count;
    unsigned notes;
    char note[300];
};

static void count_note(void *context, enum problem_severity severity, uint32_t offset,
                       const char *text)
{
    struct player *player = context;

    (void)severity, (void)offset;
    player->notes++;
    snprintf(player->note, sizeof(player->note), "%s", text);
}

static void player_open(struct player *player)
{
    const struct worker_params params = {.program = NULL};
    const struct aero_params session = {
        .width = 64, .height = 64, .note = count_note, .context = player};

    memset(player, 0, sizeof(*player));
    assert_int_equal(worker_create(&params, &player->worker), 0);
    assert_int_equal(aero_create(player->worker, &session, &player->session), 0);
    assert_int_equal(worker_acquire(player->worker, NULL), 0);
}

static void player_close(struct player *player)
{
    worker_release(player->worker);
    aero_destroy(&player->session);
    worker_destroy(&player->worker);
}

static void reset(struct player *player, uint32_t flags)
{
    int status = aero_reset(player->session, flags, NULL);

    /* A machine without a driver. CI has one. */
    if (status == -ENODEV && getenv("GPUDUMPFS_REQUIRE_CORPUS") == NULL)
        skip();
    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
    player->blob_count = 0;
    player->notes = 0;
}

static const struct blob_record *find_blob(const struct player *player, uint64_t id)
{
    for (size_t i = player->blob_count; i > 0; i--)
        if (player->blobs[i - 1].id == id)
            return &player->blobs[i - 1];
    fail_msg("blob %llu is not there", (unsigned long long)id);
    return NULL;
}

static void submit(struct player *player, const struct aero_submission *submission)
{
    int status = aero_submit(player->session, submission, NULL, NULL);

    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
}

static void play_submission(struct player *player, const uint8_t *payload)
{
    const struct blob_record *stream = find_blob(player, bytes_le64(payload + 32));
    struct aero_range ranges[16];
    size_t count = bytes_le32(payload + 48);
    struct aero_submission submission = {.commands = stream->data,
                                         .size = stream->size,
                                         .ranges = ranges,
                                         .range_count = count,
                                         .until = UINT32_MAX};

    assert_true(count <= COUNT_OF(ranges));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *range = payload + bytes_le32(payload + 4) + 32 * i;
        const struct blob_record *memory = find_blob(player, bytes_le64(range + 24));

        ranges[i] = (struct aero_range){.id = bytes_le32(range),
                                        .flags = bytes_le32(range + 4),
                                        .data = memory->data,
                                        .size = memory->size};
    }
    submit(player, &submission);
}

/* A Packet record: a whole stream, or one command of Appendix A with all blobs. */
static void play_packet(struct player *player, const uint8_t *payload, size_t size)
{
    struct aero_range ranges[64];
    struct aero_submission submission = {
        .commands = payload, .size = size, .until = UINT32_MAX, .ranges = ranges};

    if (bytes_le32(payload) != AEROGPU_STREAM_MAGIC) {
        submission.dialect = AERO_APPENDIX_A;
        for (size_t i = 0; i < player->blob_count; i++)
            ranges[i] = (struct aero_range){.id = player->blobs[i].id,
                                            .data = player->blobs[i].data,
                                            .size = player->blobs[i].size};
        submission.range_count = player->blob_count;
    }
    submit(player, &submission);
}

/* Feeds all records, in the order of the file. */
static void play(struct player *player, const uint8_t *bytes, size_t size)
{
    size_t at = 32 + bytes_le32(bytes + 24), end = bytes_le64(bytes + size - 16);

    while (at + 8 <= end) {
        const uint8_t *payload = bytes + at + 8;
        uint32_t length = bytes_le32(bytes + at + 4);

        assert_true(length <= end - at - 8);
        if (bytes[at] == 3)
            play_packet(player, payload, length);
        if (bytes[at] == 4) {
            assert_true(player->blob_count < COUNT_OF(player->blobs));
            player->blobs[player->blob_count++] =
                (struct blob_record){.id = bytes_le64(payload),
                                     .kind = bytes_le32(payload + 8),
                                     .data = payload + 16,
                                     .size = length - 16};
        }
        if (bytes[at] == 5)
            play_submission(player, payload);
        at += 8 + length;
    }
}

static void picture(struct player *player, enum aero_picture_kind kind, struct aero_picture *out)
{
    const struct aero_picture_request request = {.kind = kind};
    int status = aero_picture(player->session, &request, NULL, out);

    if (status < 0)
        print_error("%s\n", aero_reason(player->session));
    assert_int_equal(status, 0);
}

/* What the corpus shows: two halves of one colour each, as 0xRRGGBBAA. */
static const struct {
    const char *name;
    uint32_t upper, lower;
} fixtures[] = {
    {"aerogpu_a3a0_clear_red", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_clear_b8g8r8a8", 0xFF000000, 0xFF000000},
    {"aerogpu_cmd_clear_b8g8r8x8", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_copy_buffer", 0xFFFF00FF, 0xFFFF00FF},
    {"aerogpu_cmd_copy_texture2d", 0x00FFFFFF, 0x00FFFFFF},
    {"aerogpu_cmd_indexed_triangle", 0xFFFFFFFF, 0xFFFFFFFF},
    {"aerogpu_cmd_indexed_triangle_base_vertex", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_indexed_triangle_first_index", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_indexed_triangle_u16", 0x0000FF00, 0x0000FF00},
    {"aerogpu_cmd_scissor_test", 0x00FF00FF, 0xFF0000FF},
    {"aerogpu_cmd_texture_ld_b5g6r5", 0x848284FF, 0x848284FF},
    {"aerogpu_cmd_texture_ld_b8g8r8a8", 0xFFFF00FF, 0xFFFF00FF},
    {"aerogpu_cmd_textured_rgba8_sampler_triangle", 0xFF8000FF, 0xFF8000FF},
    {"aerogpu_cmd_triangle", 0xFF0000FF, 0xFF0000FF},
    {"aerogpu_cmd_triangle_first_vertex", 0x00FF0000, 0x00FF0000},
    {"aerogpu_cmd_triangle_vertex_buffer_offset", 0x00FF0000, 0x00FF0000},
    {"triangle", 0xFF0000FF, 0xFF0000FF},
};

static uint32_t pixel(const struct aero_picture *shown, uint32_t x, uint32_t y)
{
    const uint8_t *bytes = shown->pixels + ((size_t)y * shown->width + x) * 4;

    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The sum of size and pixels, in the last column of INDEX.tsv, in the file's row. */
static void assert_listed(const char *index, const char *name, const struct aero_picture *shown)
{
    uint8_t extent[8] = {(uint8_t)shown->width,  (uint8_t)(shown->width >> 8), 0, 0,
                         (uint8_t)shown->height, (uint8_t)(shown->height >> 8)};
    uint8_t digest[SHA256_SIZE];
    char text[2 * SHA256_SIZE + 1];
    const char *row = strstr(index, name), *end;
    struct sha256 hash;

    while (row != NULL && row[-1] != '\n')
        row = strstr(row + 1, name);
    sha256_init(&hash);
    sha256_add(&hash, extent, sizeof(extent));
    sha256_add(&hash, shown->pixels, (size_t)shown->width * shown->height * 4);
    sha256_finish(&hash, digest);
    for (size_t i = 0; i < sizeof(digest); i++)
        snprintf(text + 2 * i, 3, "%02x", digest[i]);
    assert_non_null(row);
    end = row + strcspn(row, "\n");
    assert_memory_equal(end - strlen(text), text, strlen(text));
}

static void test_corpus(void **state)
{
    char *index_path = support_corpus("aerogpu/INDEX.tsv");
    size_t index_size;
    char *index = (char *)support_read(index_path, &index_size);
    struct player player;

    (void)state;
    index[index_size] = '\0';
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(fixtures); i++) {
        char name[100], *path;
        struct aero_picture shown;
        size_t size;
        uint8_t *bytes;

        snprintf(name, sizeof(name), "aerogpu/%s.aerogputrace", fixtures[i].name);
        path = support_corpus(name);
        bytes = support_read(path, &size);
        reset(&player, 0);
        play(&player, bytes, size);
        assert_int_equal(player.notes, 0);
        picture(&player, AERO_PRESENTED, &shown);
        assert_int_equal(shown.width, 64);
        assert_int_equal(shown.height, 64);
        for (uint32_t y = 0; y < 64; y++)
            for (uint32_t x = 0; x < 64; x++)
                if (pixel(&shown, x, y) != (y < 32 ? fixtures[i].upper : fixtures[i].lower))
                    fail_msg("%s: %u,%u is 0x%08X", name, x, y, pixel(&shown, x, y));
        assert_listed(index, name + strlen("aerogpu/"), &shown);
        blob_unref(&shown.owner);
        free(bytes);
        free(path);
    }
    assert_int_equal(worker_starts(player.worker), 1);
    player_close(&player);
    free(index);
    free(index_path);
}

static void test_nothing_was_reset(void **state)
{
    const struct aero_picture_request request = {.kind = AERO_PRESENTED};
    const struct aero_submission submission = {.commands = "", .size = 0};
    struct aero_picture shown;
    struct player player;
    struct blob *blob;

    (void)state;
    player_open(&player);
    assert_int_equal(aero_submit(player.session, &submission, NULL, NULL), -ESTALE);
    assert_int_equal(aero_continue(player.session, 0, NULL, NULL), -ESTALE);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ESTALE);
    assert_int_equal(aero_content(player.session, 1, NULL, &blob), -ESTALE);
    assert_int_equal(worker_process(player.worker), 0);
    reset(&player, 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ENOENT);
    assert_string_not_equal(aero_reason(player.session), "");
    assert_int_equal(aero_submit(player.session, &submission, NULL, NULL), -EINVAL);
    assert_int_equal(aero_continue(player.session, 0, NULL, NULL), -EINVAL);
    player_close(&player);
}

/* As long as the process lives a session goes on; then it is stale, once and for all. */
static void test_stale_session(void **state)
{
    const struct aero_picture_request request = {.kind = AERO_TARGET};
    struct aero_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    assert_int_equal(kill(worker_process(player.worker), SIGKILL), 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -EIO);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ESTALE);
    reset(&player, 0);
    picture(&player, AERO_TARGET, &shown);
    assert_int_equal(pixel(&shown, 63, 63), 0);
    blob_unref(&shown.owner);
    player_close(&player);
}

/* A scene's stream as one submission. */
static void run(struct player *player, const struct scene *scene)
{
    const struct aero_submission submission = {
        .commands = scene->bytes, .size = scene->size, .until = UINT32_MAX};

    submit(player, &submission);
}

/* The first colour target after the scene, which goes without a note. */
static void shoot(struct player *player, const struct scene *scene, struct aero_picture *shown)
{
    run(player, scene);
    if (player->notes > 0)
        print_error("%s\n", player->note);
    assert_int_equal(player->notes, 0);
    picture(player, AERO_TARGET, shown);
}

/* A corner of a triangle, in pixels of a 64x64 target. */
static void vertex(float to[8], float x, float y, float z, uint32_t rgba)
{
    to[0] = x / 32 - 1;
    to[1] = 1 - y / 32;
    to[2] = z;
    to[3] = 1;
    for (int i = 0; i < 4; i++)
        to[4 + i] = (float)(rgba >> (24 - 8 * i) & 255) / 255;
}

/* Two triangles, clockwise. */
static void rectangle(float to[6][8], float left, float top, float right, float bottom, float z,
                      uint32_t rgba)
{
    vertex(to[0], left, top, z, rgba);
    vertex(to[1], right, top, z, rgba);
    vertex(to[2], left, bottom, z, rgba);
    vertex(to[3], right, top, z, rgba);
    vertex(to[4], right, bottom, z, rgba);
    vertex(to[5], left, bottom, z, rgba);
}

enum { TARGET = 100, DEPTH, VERTICES, VERTEX, PIXEL, LAYOUT, TEXTURE, OTHER };

/* A black target of 64x64, shaders that pass colours on, and vertices. */
static void begin_scene(struct scene *scene, uint32_t depth_format, float vertices[][8],
                        size_t count)
{
    scene_init(scene);
    scene_texture(scene, TARGET, AEROGPU_R8G8B8A8, 64, 64, 1, 1);
    if (depth_format != 0)
        scene_texture(scene, DEPTH, depth_format, 64, 64, 1, 1);
    scene_target(scene, TARGET, depth_format != 0 ? DEPTH : 0);
    scene_clear(scene, 7, 0, 0, 0, 1, 1, 0);
    scene_buffer(scene, VERTICES, vertices, (uint32_t)(count * sizeof(vertices[0])));
    scene_vertices(scene, VERTICES, 32);
    scene_layout(scene, LAYOUT);
    scene_shader(scene, VERTEX, AEROGPU_VERTEX, scene_pass_vertex());
    scene_shader(scene, PIXEL, AEROGPU_PIXEL, scene_pass_pixel());
    scene_bind(scene, VERTEX, PIXEL);
}

static struct scene scene; /* large for a stack */

/* worker.md 5.1: edges on pixel centres, D3D's rule. */
static void test_fill_rule(void **state)
{
    float vertices[6][8];
    struct player player;
    struct aero_picture shown;

    (void)state;
    rectangle(vertices, 10.5f, 10.5f, 20.5f, 20.5f, 0, 0xFF8000FF);
    begin_scene(&scene, 0, vertices, 6);
    scene_draw(&scene, 6);
    player_open(&player);
    reset(&player, 0);
    shoot(&player, &scene, &shown);
    for (uint32_t y = 0; y < 64; y++)
        for (uint32_t x = 0; x < 64; x++)
            assert_int_equal(pixel(&shown, x, y),
                             x >= 10 && x < 20 && y >= 10 && y < 20 ? 0xFF8000FF : 0x000000FF);
    blob_unref(&shown.owner);
    player_close(&player);
}

static unsigned count_pixels(const struct aero_picture *shown, uint32_t rgba)
{
    unsigned count = 0;

    for (uint32_t y = 0; y < shown->height; y++)
        for (uint32_t x = 0; x < shown->width; x++)
            count += pixel(shown, x, y) == rgba;
    return count;
}

static void test_diagonal(void **state)
{
    float vertices[3][8];
    struct player player;
    struct aero_picture shown;

    (void)state;
    vertex(vertices[0], 0, 0, 0, 0xFFFFFFFF);
    vertex(vertices[1], 64, 0, 0, 0xFFFFFFFF);
    vertex(vertices[2], 0, 64, 0, 0xFFFFFFFF);
    begin_scene(&scene, 0, vertices, 3);
    scene_draw(&scene, 3);
    player_open(&player);
    reset(&player, 0);
    shoot(&player, &scene, &shown);
    assert_int_equal(count_pixels(&shown, 0xFFFFFFFF), 2016);
    assert_int_equal(pixel(&shown, 0, 0), 0xFFFFFFFF);
    blob_unref(&shown.owner);
    player_close(&player);
}

/* Plays a scene from the beginning, and asserts what one pixel is. */
static void assert_scene(struct player *player, const struct scene *played, uint32_t x, uint32_t y,
                         uint32_t rgba)
{
    struct aero_picture shown;

    reset(player, 0);
    shoot(player, played, &shown);
    if (pixel(&shown, x, y) != rgba)
        print_error("%u,%u is 0x%08X\n", x, y, pixel(&shown, x, y));
    assert_int_equal(pixel(&shown, x, y), rgba);
    blob_unref(&shown.owner);
}

static void test_depth(void **state)
{
    static const struct {
        uint32_t format, function, write;
        int32_t bias;
        uint32_t rgba;
    } cases[] = {
        {AEROGPU_D24S8, AEROGPU_LESS, 1, 0, 0xFF0000FF},
        {AEROGPU_D32F, AEROGPU_LESS, 1, 0, 0xFF0000FF},
        {AEROGPU_D24S8, AEROGPU_GREATER, 1, 0, 0x000000FF},
        {AEROGPU_D24S8, AEROGPU_ALWAYS, 1, 0, 0x00FF00FF},
        {AEROGPU_D24S8, AEROGPU_LESS, 0, 0, 0x00FF00FF},
        {AEROGPU_D24S8, AEROGPU_LESS_EQUAL, 1, 0, 0xFF0000FF},
    };
    float vertices[12][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0.25f, 0xFF0000FF);
    rectangle(vertices + 6, 0, 0, 64, 64, 0.5f, 0x00FF00FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_scene(&scene, cases[i].format, vertices, 12);
        SCENE(&scene, AEROGPU_SET_DEPTH_STENCIL_STATE, 1, cases[i].write, cases[i].function, 0, 0);
        scene_draw(&scene, 12);
        assert_scene(&player, &scene, 30, 30, cases[i].rgba);
    }
    player_close(&player);
}

static void test_depth_picture(void **state)
{
    static const uint32_t formats[] = {AEROGPU_D24S8, AEROGPU_D32F};
    float vertices[6][8], depth;
    struct aero_picture shown;
    struct player player;
    struct blob *content;

    (void)state;
    rectangle(vertices, 0, 0, 32, 64, 0.25f, 0xFF0000FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        begin_scene(&scene, formats[i], vertices, 6);
        scene_draw(&scene, 6);
        reset(&player, 0);
        run(&player, &scene);
        picture(&player, AERO_DEPTH, &shown);
        assert_true(shown.depth);
        assert_int_equal(shown.format, formats[i]);
        memcpy(&depth, shown.pixels + 4 * 10, 4);
        assert_true(depth > 0.2499999f && depth < 0.2500001f);
        memcpy(&depth, shown.pixels + 4 * 40, 4);
        assert_true(depth == 1.0f);
        blob_unref(&shown.owner);
        assert_int_equal(aero_content(player.session, DEPTH, NULL, &content), 0);
        assert_int_equal(content->size, 64 * 64 * 4);
        if (formats[i] == AEROGPU_D24S8)
            assert_int_equal(bytes_le32(content->data + 4 * 40), 0x00FFFFFF);
        blob_unref(&content);
    }
    player_close(&player);
}

static void test_culling(void **state)
{
    static const struct {
        uint32_t cull, front_counter;
        bool clockwise, counter;
    } cases[] = {
        {AEROGPU_CULL_NONE, 0, true, true},   {AEROGPU_CULL_BACK, 0, true, false},
        {AEROGPU_CULL_FRONT, 0, false, true}, {AEROGPU_CULL_BACK, 1, false, true},
        {AEROGPU_CULL_FRONT, 1, true, false},
    };
    float vertices[6][8];
    struct player player;

    (void)state;
    vertex(vertices[0], 0, 0, 0, 0xFF0000FF);
    vertex(vertices[1], 32, 0, 0, 0xFF0000FF);
    vertex(vertices[2], 0, 64, 0, 0xFF0000FF);
    vertex(vertices[3], 64, 0, 0, 0x00FF00FF);
    vertex(vertices[4], 33, 0, 0, 0x00FF00FF);
    vertex(vertices[5], 64, 64, 0, 0x00FF00FF);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_scene(&scene, 0, vertices, 6);
        SCENE(&scene, AEROGPU_SET_RASTERIZER_STATE, 0, cases[i].cull, cases[i].front_counter, 0, 0,
              0);
        scene_draw(&scene, 6);
        assert_scene(&player, &scene, 2, 2, cases[i].clockwise ? 0xFF0000FF : 0x000000FF);
        assert_scene(&player, &scene, 61, 2, cases[i].counter ? 0x00FF00FF : 0x000000FF);
    }
    player_close(&player);
}

static void test_blending(void **state)
{
    static const struct {
        uint32_t source, destination, operation, mask;
        uint32_t rgba;
    } cases[] = {
        {AEROGPU_ONE, AEROGPU_ZERO, AEROGPU_ADD, 15, 0x804020C0},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_ADD, 15, 0xFF4020FF},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_REV_SUBTRACT, 15, 0x7F00003F},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_MIN, 15, 0x800000C0},
        {AEROGPU_ONE, AEROGPU_ONE, AEROGPU_MAX, 15, 0xFF4020FF},
        {AEROGPU_ONE, AEROGPU_ZERO, AEROGPU_ADD, 2, 0xFF4000FF},
        {AEROGPU_ZERO, AEROGPU_CONSTANT, AEROGPU_ADD, 15, 0x800000FF},
    };
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0x804020C0);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_scene(&scene, 0, vertices, 6);
        scene_clear(&scene, 1, 1, 0, 0, 1, 0, 0);
        SCENE(&scene, AEROGPU_SET_BLEND_STATE, 1, cases[i].source, cases[i].destination,
              cases[i].operation, cases[i].mask, cases[i].source, cases[i].destination,
              cases[i].operation, scene_float(128.0f / 255), scene_float(0.5f), 0, scene_float(1),
              0xFFFFFFFF);
        scene_draw(&scene, 6);
        assert_scene(&player, &scene, 30, 30, cases[i].rgba);
    }
    /* A sample mask without the first sample draws nothing. */
    begin_scene(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_BLEND_STATE, 0, 1, 0, 0, 15, 1, 0, 0, 0, 0, 0, 0, 0xFFFFFFFE);
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 30, 30, 0x000000FF);
    player_close(&player);
}

static void test_scissor_and_viewport(void **state)
{
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0xFF0000FF);
    player_open(&player);
    begin_scene(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_RASTERIZER_STATE, 0, 0, 0, 1, 0, 0);
    SCENE(&scene, AEROGPU_SET_SCISSOR, (uint32_t)-10, 8, 20, 8);
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 9, 8, 0xFF0000FF);
    assert_scene(&player, &scene, 10, 8, 0x000000FF);
    assert_scene(&player, &scene, 9, 7, 0x000000FF);
    assert_scene(&player, &scene, 9, 16, 0x000000FF);
    begin_scene(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_SET_VIEWPORT, scene_float(16), scene_float(8), scene_float(8),
          scene_float(4), 0, scene_float(1));
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 16, 8, 0xFF0000FF);
    assert_scene(&player, &scene, 23, 11, 0xFF0000FF);
    assert_scene(&player, &scene, 15, 8, 0x000000FF);
    assert_scene(&player, &scene, 16, 12, 0x000000FF);
    player_close(&player);
}

/* mov o0, cb0[1] */
static struct blob *constant_pixel(void)
{
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    static const uint32_t tokens[] = {
        0x04000059, 0x00208E46, 0, 2,                /* dcl_constantbuffer cb0[2] */
        0x03000065, 0x001020F2, 0,                   /* dcl_output o0 */
        0x06000036, 0x001020F2, 0, 0x00208E46, 0, 1, /* mov o0, cb0[1] */
        0x0100003E,
    };

    return scene_assemble(AEROGPU_PS, 0x40, NULL, 0, output, 1, tokens, COUNT_OF(tokens));
}

static void test_constants(void **state)
{
    static const float colour[8] = {0, 0, 0, 0, 0, 1, 0, 1}, other[12] = {0, 0, 0, 0, 1, 0, 1, 1};
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0xFF0000FF);
    player_open(&player);
    for (int i = 0; i < 4; i++) {
        /* Registers; a buffer; one from an offset within a vector; one that is too short. */
        static const uint32_t expected[] = {0x00FF00FF, 0xFF00FFFF, 0xFF00FFFF, 0x00000000};

        begin_scene(&scene, 0, vertices, 6);
        scene_shader(&scene, PIXEL, AEROGPU_PIXEL, constant_pixel());
        scene_add(&scene, AEROGPU_SET_SHADER_CONSTANTS_F,
                  (const uint32_t[]){AEROGPU_PIXEL, 0, 2, 0}, 4, colour, sizeof(colour));
        scene_buffer(&scene, OTHER, NULL, 64);
        scene_upload(&scene, OTHER, i == 2 ? 8 : 0, other, sizeof(other));
        if (i > 0)
            SCENE(&scene, AEROGPU_SET_CONSTANT_BUFFERS, AEROGPU_PIXEL, 0, 1, 0, OTHER,
                  i == 2 ? 8 : 0, i == 3 ? 16 : 0, 0);
        scene_draw(&scene, 6);
        assert_scene(&player, &scene, 30, 30, expected[i]);
    }
    player_close(&player);
}

/* Positions per vertex, colours and shifts per instance. */
static void test_instances(void **state)
{
    static const uint32_t layout[] = {0x59414C49, 1, 2,          0, 0x7808E88A, 0, 2, 0, 0,
                                      0,          0, 0xE7C308F8, 0, 2,          1, 0, 1, 2};
    static const float colours[3][4] = {{9, 9, 9, 9}, {1, 0, 0, 1}, {0, 1, 0, 1}};
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0);
    player_open(&player);
    for (uint32_t instances = 1; instances <= 3; instances++) {
        begin_scene(&scene, 0, vertices, 6);
        scene_add(&scene, AEROGPU_CREATE_INPUT_LAYOUT, (const uint32_t[]){OTHER, sizeof(layout), 0},
                  3, layout, sizeof(layout));
        SCENE(&scene, AEROGPU_SET_INPUT_LAYOUT, OTHER, 0);
        scene_buffer(&scene, TEXTURE, colours, sizeof(colours));
        SCENE(&scene, AEROGPU_SET_VERTEX_BUFFERS, 1, 1, TEXTURE, 16, 0, 0);
        SCENE(&scene, AEROGPU_DRAW, 6, instances, 0, 1);
        /* The rate is 2: the third instance has the next colour. */
        assert_scene(&player, &scene, 5, 5, instances < 3 ? 0xFF0000FF : 0x00FF00FF);
    }
    player_close(&player);
}

static void test_strips_are_cut(void **state)
{
    static const uint16_t indices[] = {9, 0, 1, 2, 0xFFFF, 3, 4, 5};
    float vertices[6][8];
    struct player player;

    (void)state;
    vertex(vertices[0], 0, 0, 0, 0xFFFFFFFF);
    vertex(vertices[1], 16, 0, 0, 0xFFFFFFFF);
    vertex(vertices[2], 0, 64, 0, 0xFFFFFFFF);
    vertex(vertices[3], 48, 0, 0, 0xFFFFFFFF);
    vertex(vertices[4], 64, 0, 0, 0xFFFFFFFF);
    vertex(vertices[5], 48, 64, 0, 0xFFFFFFFF);
    player_open(&player);
    begin_scene(&scene, 0, vertices, 6);
    scene_buffer(&scene, OTHER, indices, sizeof(indices));
    SCENE(&scene, AEROGPU_SET_INDEX_BUFFER, OTHER, AEROGPU_UINT16, 2, 0);
    SCENE(&scene, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_TRIANGLE_STRIP, 0);
    SCENE(&scene, AEROGPU_DRAW_INDEXED, 7, 1, 0, 0, 0);
    assert_scene(&player, &scene, 1, 5, 0xFFFFFFFF);
    assert_scene(&player, &scene, 49, 5, 0xFFFFFFFF);
    assert_scene(&player, &scene, 30, 5, 0x000000FF);
    player_close(&player);
}

/* o0 = red, o1 = v1 */
static struct blob *two_targets_pixel(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                    {"COLOR", 0, 0, 3, 1, 15}};
    static const struct scene_parameter outputs[] = {{"SV_Target", 0, 0, 3, 0, 15},
                                                     {"SV_Target", 1, 0, 3, 1, 15}};
    static const uint32_t tokens[] =
        {
            0x03001062, 0x001010F2, 1, 0x03000065, 0x001020F2, 0,
            0x03000065, 0x001020F2, 1, 0x08000036, 0x001020F2, 0,
            0x00004E46, 0x3F800000, 0, 0,          0x3F800000, /* mov o0, red */
            0x05000036, 0x001020F2, 1, 0x00101E46, 1,          0x0100003E,
        };

    return scene_assemble(AEROGPU_PS, 0x40, inputs, 2, outputs, 2, tokens, COUNT_OF(tokens));
}

/* Two targets, of which one is mip 1 of layer 1 through a view, then sampled by ld. */
static void test_targets_and_views(void **state)
{
    struct aero_picture_request request = {.kind = AERO_TEXTURE, .handle = OTHER};
    struct aero_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0x00FF80FF);
    player_open(&player);
    begin_scene(&scene, 0, vertices, 6);
    scene_texture(&scene, OTHER, AEROGPU_B8G8R8A8, 128, 128, 2, 3);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE_VIEW, TEXTURE, OTHER, AEROGPU_B8G8R8A8, 1, 1, 1, 1, 0, 0);
    scene_shader(&scene, PIXEL, AEROGPU_PIXEL, two_targets_pixel());
    SCENE(&scene, AEROGPU_SET_RENDER_TARGETS, 2, 0, TARGET, TEXTURE, 0, 0, 0, 0, 0, 0);
    scene_draw(&scene, 6);
    reset(&player, 0);
    shoot(&player, &scene, &shown);
    assert_int_equal(count_pixels(&shown, 0xFF0000FF), 64 * 64);
    blob_unref(&shown.owner);
    for (request.mip = 0; request.mip < 2; request.mip++)
        for (request.layer = 0; request.layer < 3; request.layer++) {
            uint32_t size = 128 >> request.mip;
            bool drawn = request.mip == 1 && request.layer == 1;

            assert_int_equal(aero_picture(player.session, &request, NULL, &shown), 0);
            assert_int_equal(shown.width, size);
            assert_int_equal(count_pixels(&shown, drawn ? 0x00FF80FF : 0), size * size);
            blob_unref(&shown.owner);
        }
    request.mip = 2;
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), -ENOENT);
    player_close(&player);
}

/* sample o0, v1.xy, t0, s0 */
static struct blob *sample_pixel(void)
{
    static const struct scene_parameter inputs[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                    {"COLOR", 0, 0, 3, 1, 15}};
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    static const uint32_t tokens[] = {
        0x0300005A, 0x00106000, 0,          0x04001858, 0x00107000, 0,
        0x5555,     0x03001062, 0x00101032, 1,          0x03000065, 0x001020F2,
        0,          0x09000045, 0x001020F2, 0,          0x00101046, 1,
        0x00107E46, 0,          0x00106000, 0,          0x0100003E,
    };

    return scene_assemble(AEROGPU_PS, 0x40, inputs, 2, output, 1, tokens, COUNT_OF(tokens));
}

/* A rectangle whose colours are its texture coordinates. */
static void textured(float vertices[6][8])
{
    rectangle(vertices, 0, 0, 64, 64, 0, 0);
    for (int i = 0; i < 6; i++) {
        vertices[i][4] = (vertices[i][0] + 1) / 2;
        vertices[i][5] = (1 - vertices[i][1]) / 2;
    }
}

static void begin_textured(struct scene *made, float vertices[6][8], uint32_t format,
                           const void *texels, uint32_t size)
{
    begin_scene(made, 0, vertices, 6);
    scene_shader(made, PIXEL, AEROGPU_PIXEL, sample_pixel());
    scene_texture(made, TEXTURE, format, 4, 4, 1, 1);
    scene_upload(made, TEXTURE, 0, texels, size);
    SCENE(made, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, TEXTURE, 0);
}

static void test_texture_formats(void **state)
{
    static const uint8_t bc1[8] = {0xFF, 0xFF, 0, 0, 0x00, 0x55, 0xAA, 0xFF};
    static const struct {
        uint32_t format;
        uint8_t texel[4];
        uint32_t size, rgba;
    } cases[] = {
        {AEROGPU_R8G8B8A8, {0x80, 0x40, 0x20, 0x10}, 4, 0x80402010},
        {AEROGPU_B8G8R8A8, {0x80, 0x40, 0x20, 0x10}, 4, 0x20408010},
        {AEROGPU_B8G8R8X8, {0x80, 0x40, 0x20, 0x10}, 4, 0x204080FF},
        {AEROGPU_R8G8B8A8_SRGB, {188, 0, 255, 0x80}, 4, 0x8000FF80},
        {AEROGPU_B5G6R5, {0x00, 0xF8}, 2, 0xFF0000FF},
        {AEROGPU_B5G5R5A1, {0x1F, 0x80}, 2, 0x0000FFFF},
    };
    uint8_t texels[64];
    float vertices[6][8];
    struct player player;

    (void)state;
    textured(vertices);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (uint32_t k = 0; k < 16 * cases[i].size; k++)
            texels[k] = cases[i].texel[k % cases[i].size];
        begin_textured(&scene, vertices, cases[i].format, texels, 16 * cases[i].size);
        scene_draw(&scene, 6);
        assert_scene(&player, &scene, 30, 30, cases[i].rgba);
    }
    begin_textured(&scene, vertices, AEROGPU_BC1, bc1, sizeof(bc1));
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 8, 8, 0xFFFFFFFF);
    assert_scene(&player, &scene, 8, 24, 0x000000FF);
    assert_scene(&player, &scene, 8, 40, 0xAAAAAAFF);
    assert_scene(&player, &scene, 8, 56, 0x555555FF);
    player_close(&player);
}

/* A part of a texture is overwritten by bytes that begin and end within texels. */
static void test_partial_upload(void **state)
{
    static const uint8_t part[6] = {1, 2, 3, 4, 5, 6};
    struct aero_picture_request request = {.kind = AERO_TEXTURE, .handle = TEXTURE};
    float vertices[6][8];
    uint8_t texels[64];
    struct aero_picture shown;
    struct player player;
    struct blob *content;

    (void)state;
    textured(vertices);
    memset(texels, 0x99, sizeof(texels));
    player_open(&player);
    reset(&player, 0);
    begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    /* What is drawn in between stays. */
    scene_target(&scene, TEXTURE, 0);
    scene_clear(&scene, 1, 1, 1, 1, 1, 0, 0);
    scene_upload(&scene, TEXTURE, 18, part, sizeof(part));
    run(&player, &scene);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(pixel(&shown, 0, 0), 0xFFFFFFFF);
    assert_int_equal(pixel(&shown, 0, 1), 0xFFFF0102);
    assert_int_equal(pixel(&shown, 1, 1), 0x03040506);
    assert_int_equal(pixel(&shown, 2, 1), 0xFFFFFFFF);
    blob_unref(&shown.owner);
    assert_int_equal(aero_content(player.session, TEXTURE, NULL, &content), 0);
    assert_int_equal(content->size, 64);
    assert_memory_equal(content->data + 16, "\377\377\1\2\3\4\5\6\377", 9);
    blob_unref(&content);
    player_close(&player);
}

static void test_srgb_and_opaque_targets(void **state)
{
    struct player player;

    (void)state;
    player_open(&player);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8_SRGB, 8, 8, 1, 1);
    scene_target(&scene, TARGET, 0);
    scene_clear(&scene, 1, 0.5f, 0, 1, 0.5f, 0, 0);
    assert_scene(&player, &scene, 1, 1, 0xBC00FF80);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_B8G8R8X8, 8, 8, 1, 1);
    scene_target(&scene, TARGET, 0);
    assert_scene(&player, &scene, 1, 1, 0x000000FF);
    scene_clear(&scene, 1, 0.5f, 0, 1, 0.25f, 0, 0);
    assert_scene(&player, &scene, 1, 1, 0x8000FFFF);
    player_close(&player);
}

static void render_state(struct scene *made, uint32_t number, uint32_t value)
{
    SCENE(made, AEROGPU_SET_RENDER_STATE, number, value);
}

/* D3D9's states: the first draw writes 5 where it passes, the second wants 5. */
static void test_stencil(void **state)
{
    float vertices[12][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 32, 64, 0.5f, 0xFF0000FF);
    rectangle(vertices + 6, 0, 0, 64, 64, 0.25f, 0x00FF00FF);
    player_open(&player);
    begin_scene(&scene, AEROGPU_D24S8, vertices, 12);
    render_state(&scene, 52, 1); /* STENCILENABLE */
    render_state(&scene, 57, 5); /* STENCILREF */
    render_state(&scene, 55, 3); /* STENCILPASS: replace */
    scene_draw(&scene, 6);
    render_state(&scene, 55, 1);
    render_state(&scene, 56, 3); /* STENCILFUNC: equal */
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    assert_scene(&player, &scene, 10, 10, 0x00FF00FF);
    assert_scene(&player, &scene, 40, 10, 0x000000FF);
    scene_clear(&scene, 4, 0, 0, 0, 0, 0, 5);
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    render_state(&scene, 23, 8); /* ZFUNC: always */
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    assert_scene(&player, &scene, 40, 10, 0x00FF00FF);
    player_close(&player);
}

/* dcl_position v0; dcl_color v1; mov oPos, v0; mov oD0, v1 */
static const uint32_t vs_2_0[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001,
    0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xD00F0000, 0x90E40001, 0x0000FFFF,
};
/* dcl v0; mul r0, v0, c3; mov oC0, r0 */
static const uint32_t ps_2_0[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0x900F0000, 0x03000005, 0x800F0000,
    0x90E40000, 0xA0E40003, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};
/* dcl t0; dcl_2d s1; texld r0, t0, s1; mov oC0, r0 */
static const uint32_t texture_ps_2_0[] = {
    0xFFFF0200, 0x0200001F, 0x80000000, 0xB00F0000, 0x0200001F, 0x90000000, 0xA00F0801, 0x03000042,
    0x800F0000, 0xB0E40000, 0xA0E40801, 0x02000001, 0x800F0800, 0x80E40000, 0x0000FFFF,
};
/* dcl_position v0; dcl_color v1; mov oPos, v0; mov oT0, v1 */
static const uint32_t texture_vs_2_0[] = {
    0xFFFE0200, 0x0200001F, 0x80000000, 0x900F0000, 0x0200001F, 0x8000000A, 0x900F0001,
    0x02000001, 0xC00F0000, 0x90E40000, 0x02000001, 0xE00F0000, 0x90E40001, 0x0000FFFF,
};

static void raw_shader(struct scene *made, uint32_t handle, uint32_t stage, const void *bytes,
                       size_t size)
{
    scene_add(made, AEROGPU_CREATE_SHADER_DXBC,
              (const uint32_t[]){handle, stage, (uint32_t)size, 0}, 4, bytes, size);
}

/* Position and colour as a D3D9 declaration: FLOAT4 both. */
static void d3d9_layout(struct scene *made)
{
    static const uint8_t declaration[] = {
        0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 16, 0, 3, 0, 10, 0, 0xFF, 0, 0, 0, 17, 0, 0, 0,
    };

    scene_add(made, AEROGPU_CREATE_INPUT_LAYOUT, (const uint32_t[]){LAYOUT, sizeof(declaration), 0},
              3, declaration, sizeof(declaration));
}

static void begin_d3d9(struct scene *made, float vertices[6][8])
{
    static const float half[4] = {0.5f, 1, 1, 0.25f};

    begin_scene(made, 0, vertices, 6);
    raw_shader(made, VERTEX, AEROGPU_VERTEX, vs_2_0, sizeof(vs_2_0));
    raw_shader(made, PIXEL, AEROGPU_PIXEL, ps_2_0, sizeof(ps_2_0));
    d3d9_layout(made);
    scene_add(made, AEROGPU_SET_SHADER_CONSTANTS_F, (const uint32_t[]){AEROGPU_PIXEL, 3, 1, 0}, 4,
              half, sizeof(half));
}

static void test_d3d9_shaders(void **state)
{
    float vertices[6][8];
    struct player player;

    (void)state;
    /* Pixel centres are whole numbers: what begins at 10 covers pixel 10, as in D3D9. */
    rectangle(vertices, 10, 10, 20, 20, 0, 0xFF804080);
    player_open(&player);
    begin_d3d9(&scene, vertices);
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 10, 10, 0x80804020);
    assert_scene(&player, &scene, 19, 19, 0x80804020);
    assert_scene(&player, &scene, 9, 10, 0x000000FF);
    assert_scene(&player, &scene, 10, 9, 0x000000FF);
    assert_scene(&player, &scene, 20, 19, 0x000000FF);
    assert_scene(&player, &scene, 19, 20, 0x000000FF);
    player_close(&player);
}

static void test_d3d9_alpha_test(void **state)
{
    /* The alpha that is drawn is 0x20. */
    static const struct {
        uint32_t function, reference;
        bool drawn;
    } cases[] = {
        {1, 0, false}, {7, 0x10, true}, {7, 0x30, false}, {2, 0x30, true}, {8, 0xFF, true}};
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 64, 64, 0, 0xFF804080);
    player_open(&player);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        begin_d3d9(&scene, vertices);
        render_state(&scene, 15, 1);
        render_state(&scene, 24, cases[i].reference);
        render_state(&scene, 25, cases[i].function);
        scene_draw(&scene, 6);
        assert_scene(&player, &scene, 30, 30, cases[i].drawn ? 0x80804020 : 0x000000FF);
    }
    player_close(&player);
}

static void test_d3d9_textures(void **state)
{
    uint8_t texels[64];
    float vertices[6][8];
    struct player player;

    (void)state;
    for (int i = 0; i < 16; i++)
        memcpy(texels + 4 * i, i == 0 ? "\377\0\0\377" : "\0\0\377\377", 4);
    textured(vertices);
    for (int i = 0; i < 6; i++)
        vertices[i][4] += 1; /* repeats */
    player_open(&player);
    begin_textured(&scene, vertices, AEROGPU_R8G8B8A8, texels, 64);
    raw_shader(&scene, VERTEX, AEROGPU_VERTEX, texture_vs_2_0, sizeof(texture_vs_2_0));
    raw_shader(&scene, PIXEL, AEROGPU_PIXEL, texture_ps_2_0, sizeof(texture_ps_2_0));
    d3d9_layout(&scene);
    SCENE(&scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 1, TEXTURE, 0);
    SCENE(&scene, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 5, 1);
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 8, 8, 0xFF0000FF);
    assert_scene(&player, &scene, 24, 8, 0x0000FFFF);
    /* Clamped, all is the last column's. */
    SCENE(&scene, AEROGPU_SET_SAMPLER_STATE, AEROGPU_PIXEL, 1, 1, 3);
    scene_draw(&scene, 6);
    assert_scene(&player, &scene, 8, 8, 0x0000FFFF);
    player_close(&player);
}

/* A group of four threads: each writes its number times 3 to u0. */
static struct blob *compute(void)
{
    static const uint32_t tokens[] = {
        0x0300009D, 0x0011E000, 0,                                     /* dcl_uav_raw u0 */
        0x0200005F, 0x00020012,                                        /* dcl_input vThreadID.x */
        0x02000068, 1,                                                 /* dcl_temps 1 */
        0x0400009B, 4,          1,          1,                         /* dcl_thread_group */
        0x06000029, 0x00100012, 0,          0x0002000A, 0x00004001, 2, /* ishl r0.x, id, 2 */
        0x07000026, 0x0000D000, 0x00100022, 0,          0x0002000A, 0x00004001, 3, /* imul r0.y */
        0x070000A6, 0x0011E012, 0,          0x0010000A, 0,          0x0010001A, 0, /* store_raw */
        0x0100003E,
    };

    return scene_assemble(AEROGPU_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

static void test_compute(void **state)
{
    struct player player;
    struct blob *content;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    scene_init(&scene);
    scene_buffer(&scene, OTHER, NULL, 64);
    scene_shader(&scene, VERTEX, AEROGPU_COMPUTE, compute());
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, OTHER, 0, 0,
          0xFFFFFFFF);
    SCENE(&scene, AEROGPU_DISPATCH, 3, 1, 1, 0);
    run(&player, &scene);
    if (player.notes > 0)
        print_error("%s\n", player.note);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aero_content(player.session, OTHER, NULL, &content), 0);
    assert_int_equal(content->size, 64);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(bytes_le32(content->data + 4 * i), i < 12 ? i * 3 : 0);
    blob_unref(&content);
    player_close(&player);
}

/* Each thread copies a word from t0 to u0. */
static struct blob *copying(void)
{
    static const uint32_t tokens[] = {
        0x030000A1, 0x00107000, 0,                            /* dcl_resource_raw t0 */
        0x0300009D, 0x0011E000, 0,                            /* dcl_uav_raw u0 */
        0x0200005F, 0x00020012,                               /* dcl_input vThreadID.x */
        0x02000068, 1,                                        /* dcl_temps 1 */
        0x0400009B, 4,          1, 1,                         /* dcl_thread_group */
        0x06000029, 0x00100012, 0, 0x0002000A, 0x00004001, 2, /* ishl r0.x, id, 2 */
        0x070000A5, 0x00100022, 0, 0x0010000A, 0,          0x00107006,
        0, /* ld_raw r0.y, r0.x, t0 */
        0x070000A6, 0x0011E012, 0, 0x0010000A, 0,          0x0010001A,
        0, /* store_raw u0, r0.x, r0.y */
        0x0100003E,
    };

    return scene_assemble(AEROGPU_CS, 0x50, NULL, 0, NULL, 0, tokens, COUNT_OF(tokens));
}

/* Both from an offset, and within a size: what is beyond it reads 0 and is not written. */
static void test_buffers_of_shaders(void **state)
{
    static const uint32_t words[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    struct player player;
    struct blob *content;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    scene_init(&scene);
    scene_buffer(&scene, TEXTURE, words, sizeof(words));
    scene_buffer(&scene, OTHER, words, sizeof(words));
    scene_shader(&scene, VERTEX, AEROGPU_COMPUTE, copying());
    SCENE(&scene, AEROGPU_BIND_SHADERS, 0, 0, VERTEX, 0);
    SCENE(&scene, AEROGPU_SET_SHADER_RESOURCE_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, TEXTURE, 16, 8, 0);
    SCENE(&scene, AEROGPU_SET_UNORDERED_ACCESS_BUFFERS, AEROGPU_COMPUTE, 0, 1, 0, OTHER, 32, 12,
          0xFFFFFFFF);
    SCENE(&scene, AEROGPU_DISPATCH, 1, 1, 1, 0);
    run(&player, &scene);
    if (player.notes > 0)
        print_error("%s\n", player.note);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aero_content(player.session, OTHER, NULL, &content), 0);
    for (uint32_t i = 0; i < 12; i++) {
        static const uint32_t expected[] = {1, 2, 3, 4, 5, 6, 7, 8, 5, 6, 0, 12};

        assert_int_equal(bytes_le32(content->data + 4 * i), expected[i]);
    }
    blob_unref(&content);
    player_close(&player);
}

/* Makes of each point a triangle that covers the target's upper left half. */
static struct blob *geometry(void)
{
    static const struct scene_parameter vertex_out[] = {{"SV_Position", 0, 1, 3, 0, 15},
                                                        {"COLOR", 0, 0, 3, 1, 15}};
    static const uint32_t tokens[] = {
        0x05000061, 0x002010F2, 1,          0,          1, /* dcl_input_siv v[1][0], position */
        0x0400005F, 0x002010F2, 1,          1,             /* dcl_input v[1][1] */
        0x0100085D,                                        /* dcl_inputprimitive point */
        0x0100285C,                                        /* dcl_outputtopology trianglestrip */
        0x04000067, 0x001020F2, 0,          1,             /* dcl_output_siv o0, position */
        0x03000065, 0x001020F2, 1,                         /* dcl_output o1 */
        0x0200005E, 3,                                     /* dcl_maxout 3 */
        0x08000036, 0x001020F2, 0,          0x00004E46, 0xBF800000, 0x3F800000, 0,
        0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46, 0,          1,
        0x01000013, 0x08000036, 0x001020F2, 0,          0x00004E46, 0x3F800000, 0x3F800000,
        0,          0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46, 0,
        1,          0x01000013, 0x08000036, 0x001020F2, 0,          0x00004E46, 0xBF800000,
        0xBF800000, 0,          0x3F800000, 0x06000036, 0x001020F2, 1,          0x00201E46,
        0,          1,          0x01000013, 0x0100003E,
    };

    return scene_assemble(AEROGPU_GS, 0x40, vertex_out, 2, vertex_out, 2, tokens, COUNT_OF(tokens));
}

static void test_geometry(void **state)
{
    float vertices[1][8];
    struct aero_picture shown;
    struct player player;

    (void)state;
    vertex(vertices[0], 60, 60, 0, 0x00FFFFFF);
    begin_scene(&scene, 0, vertices, 1);
    scene_shader(&scene, OTHER, AEROGPU_GEOMETRY, geometry());
    SCENE(&scene, AEROGPU_BIND_SHADERS, VERTEX, PIXEL, 0, 0, OTHER, 0, 0);
    SCENE(&scene, AEROGPU_SET_PRIMITIVE_TOPOLOGY, AEROGPU_POINT_LIST, 0);
    scene_draw(&scene, 1);
    player_open(&player);
    reset(&player, 0);
    shoot(&player, &scene, &shown);
    assert_int_equal(pixel(&shown, 0, 0), 0x00FFFFFF);
    assert_int_equal(pixel(&shown, 63, 63), 0x000000FF);
    assert_int_equal(count_pixels(&shown, 0x00FFFFFF), 2016);
    blob_unref(&shown.owner);
    player_close(&player);
}

/* A copy is written back to guest memory, from where another resource reads it. */
static void test_write_back(void **state)
{
    static const struct aero_picture_request request = {.kind = AERO_TEXTURE, .handle = OTHER};
    uint8_t memory[512] = {0}, texels[64];
    const struct aero_range range = {.id = 7, .data = memory, .size = sizeof(memory)};
    struct aero_submission submission = {
        .commands = scene.bytes, .ranges = &range, .range_count = 1, .until = UINT32_MAX};
    struct aero_picture shown;
    struct player player;

    (void)state;
    memset(texels, 0x40, sizeof(texels));
    player_open(&player);
    reset(&player, 0);
    scene_init(&scene);
    scene_texture(&scene, TEXTURE, AEROGPU_B8G8R8A8, 4, 4, 1, 1);
    scene_upload(&scene, TEXTURE, 0, texels, 64);
    /* Of 4x4, with a pitch of 32, at 128 and at 128 + 32 of the same memory. */
    SCENE(&scene, AEROGPU_CREATE_TEXTURE2D, TARGET, 8, AEROGPU_B8G8R8A8, 4, 4, 1, 1, 32, 7, 128, 0,
          0);
    SCENE(&scene, AEROGPU_CREATE_TEXTURE2D, OTHER, 8, AEROGPU_B8G8R8A8, 4, 4, 1, 1, 32, 7, 160, 0,
          0);
    SCENE(&scene, AEROGPU_COPY_TEXTURE2D, TARGET, TEXTURE, 0, 0, 0, 0, 1, 1, 0, 0, 2, 2,
          AEROGPU_COPY_WRITEBACK, 0);
    SCENE(&scene, AEROGPU_RESOURCE_DIRTY_RANGE, OTHER, 0, 0, 0, 64, 0);
    submission.size = scene.size;
    submit(&player, &submission);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(pixel(&shown, 0, 0), 0);
    assert_int_equal(pixel(&shown, 1, 0), 0x40404040);
    assert_int_equal(pixel(&shown, 2, 1), 0x40404040);
    assert_int_equal(pixel(&shown, 3, 1), 0);
    assert_int_equal(pixel(&shown, 1, 2), 0);
    blob_unref(&shown.owner);
    /* The daemon's memory is its own. */
    for (size_t i = 0; i < sizeof(memory); i++)
        assert_int_equal(memory[i], 0);
    player_close(&player);
}

static void test_shared_surfaces(void **state)
{
    static const struct aero_picture_request request = {.kind = AERO_TEXTURE, .handle = OTHER};
    struct aero_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    SCENE(&scene, AEROGPU_EXPORT_SHARED_SURFACE, TARGET, 0, 0x1234, 0);
    SCENE(&scene, AEROGPU_IMPORT_SHARED_SURFACE, OTHER, 0, 0x1234, 0);
    scene_target(&scene, OTHER, 0);
    SCENE(&scene, AEROGPU_DESTROY_RESOURCE, TARGET, 0);
    scene_clear(&scene, 1, 1, 0, 0, 1, 0, 0);
    run(&player, &scene);
    assert_int_equal(player.notes, 0);
    assert_int_equal(aero_picture(player.session, &request, NULL, &shown), 0);
    assert_int_equal(pixel(&shown, 1, 1), 0xFF0000FF);
    blob_unref(&shown.owner);
    /* The original's number is not free while an alias lives, and the token not after release. */
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    run(&player, &scene);
    assert_int_equal(player.notes, 1);
    scene_init(&scene);
    SCENE(&scene, AEROGPU_RELEASE_SHARED_SURFACE, 0x1234, 0, 0, 0);
    SCENE(&scene, AEROGPU_IMPORT_SHARED_SURFACE, TEXTURE, 0, 0x1234, 0);
    SCENE(&scene, AEROGPU_EXPORT_SHARED_SURFACE, OTHER, 0, 0x1234, 0);
    run(&player, &scene);
    assert_int_equal(player.notes, 3);
    scene_init(&scene);
    SCENE(&scene, AEROGPU_DESTROY_RESOURCE, OTHER, 0);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    run(&player, &scene);
    assert_int_equal(player.notes, 3);
    player_close(&player);
}

/* A run that stops before each command gives the same, and a picture after each. */
static void test_step_by_step(void **state)
{
    struct aero_submission submission = {.commands = scene.bytes, .until = 0};
    struct aero_progress progress;
    struct aero_picture shown;
    float vertices[12][8];
    struct player player;
    uint32_t steps = 0;

    (void)state;
    rectangle(vertices, 0, 0, 32, 64, 0, 0xFF0000FF);
    rectangle(vertices + 6, 32, 0, 64, 64, 0, 0x00FF00FF);
    begin_scene(&scene, 0, vertices, 12);
    scene_draw(&scene, 6);
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    SCENE(&scene, AEROGPU_PRESENT, 3, 1);
    scene_clear(&scene, 1, 0, 0, 0, 0, 0, 0);
    submission.size = scene.size;
    player_open(&player);
    reset(&player, 0);
    assert_int_equal(aero_submit(player.session, &submission, NULL, &progress), 0);
    assert_int_equal(progress.position, 24);
    assert_int_equal(progress.commands, 0);
    while (progress.position < scene.size) {
        uint32_t before = progress.position;

        assert_int_equal(aero_continue(player.session, before + 1, NULL, &progress), 0);
        assert_int_equal(progress.commands, 1);
        assert_true(progress.position > before);
        if (bytes_le32(scene.bytes + before) == AEROGPU_DRAW) {
            picture(&player, AERO_TARGET, &shown);
            assert_int_equal(pixel(&shown, 10, 10), 0xFF0000FF);
            assert_int_equal(pixel(&shown, 50, 10), steps == 0 ? 0x000000FF : 0x00FF00FF);
            blob_unref(&shown.owner);
            steps++;
        }
        assert_int_equal(progress.presents, bytes_le32(scene.bytes + before) == AEROGPU_PRESENT);
    }
    assert_int_equal(steps, 2);
    /* What was presented stays as it was then. */
    picture(&player, AERO_PRESENTED, &shown);
    assert_int_equal(pixel(&shown, 50, 10), 0x00FF00FF);
    blob_unref(&shown.owner);
    player_close(&player);
}

static void test_wireframe(void **state)
{
    struct aero_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 8.5f, 8.5f, 56.5f, 56.5f, 0, 0xFFFFFFFF);
    begin_scene(&scene, 0, vertices, 6);
    scene_draw(&scene, 6);
    player_open(&player);
    reset(&player, AERO_WIREFRAME);
    shoot(&player, &scene, &shown);
    assert_int_equal(pixel(&shown, 12, 20), 0x000000FF);
    assert_in_range(count_pixels(&shown, 0xFFFFFFFF), 150, 300);
    blob_unref(&shown.owner);
    player_close(&player);
}

/* A shader that cannot be run: magenta, told once. */
static void test_broken_shaders(void **state)
{
    static const uint8_t garbage[40] = {1, 2, 3};
    struct aero_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    rectangle(vertices, 0, 0, 32, 64, 0, 0xFFFFFFFF);
    player_open(&player);
    for (int i = 0; i < 2; i++) {
        begin_scene(&scene, 0, vertices, 6);
        raw_shader(&scene, i == 0 ? PIXEL : VERTEX, i == 0 ? AEROGPU_PIXEL : AEROGPU_VERTEX,
                   garbage, sizeof(garbage));
        scene_draw(&scene, 6);
        scene_draw(&scene, 6);
        reset(&player, 0);
        run(&player, &scene);
        assert_int_equal(player.notes, 1);
        picture(&player, AERO_TARGET, &shown);
        assert_int_equal(pixel(&shown, 10, 10), 0xFF00FFFF);
        assert_int_equal(pixel(&shown, 40, 10), 0x000000FF);
        blob_unref(&shown.owner);
    }
    player_close(&player);
}

static void test_translation(void **state)
{
    struct aero_translation translation;
    struct blob *code = scene_pass_vertex();
    struct player player;

    (void)state;
    player_open(&player);
    assert_int_equal(aero_translate(player.session, code->data, code->size, NULL, &translation), 0);
    assert_int_equal(bytes_le32(translation.spirv->data), 0x07230203);
    assert_memory_equal(translation.glsl->data, "#version 450", 12);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    assert_int_equal(aero_translate(player.session, code->data, 100, NULL, &translation), -EINVAL);
    assert_string_not_equal(aero_reason(player.session), "");
    assert_int_equal(aero_translate(player.session, vs_2_0, sizeof(vs_2_0), NULL, &translation), 0);
    assert_int_equal(translation.spirv->size, 0);
    assert_true(translation.glsl->size > 0);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    blob_unref(&code);
    player_close(&player);
}

/* What replies must not do to the session: a translation in between leaves it alone. */
static void test_translation_in_a_session(void **state)
{
    struct aero_translation translation;
    struct blob *code = scene_pass_pixel();
    struct aero_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    reset(&player, 0);
    assert_int_equal(aero_translate(player.session, code->data, code->size, NULL, &translation), 0);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    blob_unref(&code);
    picture(&player, AERO_TARGET, &shown);
    blob_unref(&shown.owner);
    player_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_was_reset),
        cmocka_unit_test(test_stale_session),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_fill_rule),
        cmocka_unit_test(test_diagonal),
        cmocka_unit_test(test_depth),
        cmocka_unit_test(test_depth_picture),
        cmocka_unit_test(test_culling),
        cmocka_unit_test(test_blending),
        cmocka_unit_test(test_scissor_and_viewport),
        cmocka_unit_test(test_constants),
        cmocka_unit_test(test_instances),
        cmocka_unit_test(test_strips_are_cut),
        cmocka_unit_test(test_targets_and_views),
        cmocka_unit_test(test_texture_formats),
        cmocka_unit_test(test_partial_upload),
        cmocka_unit_test(test_srgb_and_opaque_targets),
        cmocka_unit_test(test_stencil),
        cmocka_unit_test(test_d3d9_shaders),
        cmocka_unit_test(test_d3d9_alpha_test),
        cmocka_unit_test(test_d3d9_textures),
        cmocka_unit_test(test_compute),
        cmocka_unit_test(test_buffers_of_shaders),
        cmocka_unit_test(test_geometry),
        cmocka_unit_test(test_write_back),
        cmocka_unit_test(test_shared_surfaces),
        cmocka_unit_test(test_step_by_step),
        cmocka_unit_test(test_wireframe),
        cmocka_unit_test(test_broken_shaders),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_translation_in_a_session),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_aerogpu", tests, NULL, NULL);
}
