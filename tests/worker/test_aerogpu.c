/* SPDX-License-Identifier: MIT */
/* AeroGPU sessions in the worker: the corpus, steps, shaders that cannot be run. */
#include "config.h"

#include "tests/support/support.h"
#include "tests/worker/play.h"

#include "base/bytes.h"
#include "base/sha256.h"
#include "formats/aerogpu/decode/abi.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct scene scene; /* too large for the stack */

struct blob_record {
    uint64_t id;
    uint32_t kind;
    const uint8_t *data;
    size_t size;
};

static struct {
    struct blob_record list[64];
    size_t count;
} blobs;

static const struct blob_record *find_blob(uint64_t id)
{
    for (size_t i = blobs.count; i > 0; i--)
        if (blobs.list[i - 1].id == id)
            return &blobs.list[i - 1];
    fail_msg("blob %llu is not there", (unsigned long long)id);
    return NULL;
}

static void play_submission(struct player *player, const uint8_t *payload)
{
    const struct blob_record *stream = find_blob(bytes_le64(payload + 32));
    struct aerogpu_session_range ranges[16];
    size_t count = bytes_le32(payload + 48);
    struct aerogpu_session_submission submission = {.commands = stream->data,
                                                    .size = stream->size,
                                                    .ranges = ranges,
                                                    .range_count = count,
                                                    .until = UINT32_MAX};

    assert_true(count <= COUNT_OF(ranges));
    for (size_t i = 0; i < count; i++) {
        const uint8_t *range = payload + bytes_le32(payload + 4) + 32 * i;
        const struct blob_record *memory = find_blob(bytes_le64(range + 24));

        ranges[i] = (struct aerogpu_session_range){.id = bytes_le32(range),
                                                   .flags = bytes_le32(range + 4),
                                                   .data = memory->data,
                                                   .size = memory->size};
    }
    play_submit(player, &submission);
}

/* Plays a Packet record: a complete stream, or one command of Appendix A with all blobs. */
static void play_packet(struct player *player, const uint8_t *payload, size_t size)
{
    struct aerogpu_session_range ranges[64];
    struct aerogpu_session_submission submission = {
        .commands = payload, .size = size, .until = UINT32_MAX, .ranges = ranges};

    if (bytes_le32(payload) != AEROGPU_STREAM_MAGIC) {
        submission.dialect = AEROGPU_APPENDIX_A;
        for (size_t i = 0; i < blobs.count; i++)
            ranges[i] = (struct aerogpu_session_range){
                .id = blobs.list[i].id, .data = blobs.list[i].data, .size = blobs.list[i].size};
        submission.range_count = blobs.count;
    }
    play_submit(player, &submission);
}

/* Feeds all records, in the order of the file. */
static void feed(struct player *player, const uint8_t *bytes, size_t size)
{
    size_t at = 32 + bytes_le32(bytes + 24), end = bytes_le64(bytes + size - 16);

    blobs.count = 0;
    while (at + 8 <= end) {
        const uint8_t *payload = bytes + at + 8;
        uint32_t length = bytes_le32(bytes + at + 4);

        assert_true(length <= end - at - 8);
        if (bytes[at] == 3)
            play_packet(player, payload, length);
        if (bytes[at] == 4) {
            assert_true(blobs.count < COUNT_OF(blobs.list));
            blobs.list[blobs.count++] = (struct blob_record){.id = bytes_le64(payload),
                                                             .kind = bytes_le32(payload + 8),
                                                             .data = payload + 16,
                                                             .size = length - 16};
        }
        if (bytes[at] == 5)
            play_submission(player, payload);
        at += 8 + length;
    }
}

/* The pictures of the corpus: two halves of one colour each, as 0xRRGGBBAA. */
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

/*
 * Asserts that the checksum of size and pixels is the one in the last column of the file's row of
 * INDEX.tsv.
 */
static void assert_listed(const char *index, const char *name, const struct aerogpu_picture *shown)
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

static void test_nothing_was_reset(void **state)
{
    const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_PRESENTED};
    const struct aerogpu_session_submission submission = {.commands = "", .size = 0};
    struct aerogpu_picture shown;
    struct player player;
    struct blob *blob;

    (void)state;
    player_open(&player);
    assert_int_equal(aerogpu_session_submit(player.session, &submission, NULL, NULL), -ESTALE);
    assert_int_equal(aerogpu_session_continue(player.session, 0, NULL, NULL), -ESTALE);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), -ESTALE);
    assert_int_equal(aerogpu_session_content(player.session, 1, NULL, &blob), -ESTALE);
    assert_int_equal(worker_process(player.worker), 0);
    play_reset(&player, 0);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), -ENOENT);
    assert_string_not_equal(aerogpu_session_reason(player.session), "");
    assert_int_equal(aerogpu_session_submit(player.session, &submission, NULL, NULL), -EINVAL);
    assert_int_equal(aerogpu_session_continue(player.session, 0, NULL, NULL), -EINVAL);
    play_close(&player);
}

/* A session goes on while the process lives; afterwards it stays stale. */
static void test_stale_session(void **state)
{
    const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TARGET};
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    assert_int_equal(kill(worker_process(player.worker), SIGKILL), 0);
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), -ESTALE);
    assert_non_null(strstr(aerogpu_session_reason(player.session), "Killed"));
    assert_int_equal(aerogpu_session_picture(player.session, &request, NULL, &shown), -ESTALE);
    play_reset(&player, 0);
    play_picture(&player, AEROGPU_PICTURE_TARGET, &shown);
    assert_int_equal(play_pixel(&shown, 63, 63), 0);
    blob_unref(&shown.owner);
    play_close(&player);
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
        struct aerogpu_picture shown;
        size_t size;
        uint8_t *bytes;

        snprintf(name, sizeof(name), "aerogpu/%s.aerogputrace", fixtures[i].name);
        path = support_corpus(name);
        bytes = support_read(path, &size);
        play_reset(&player, 0);
        feed(&player, bytes, size);
        assert_int_equal(player.notes, 0);
        play_picture(&player, AEROGPU_PICTURE_PRESENTED, &shown);
        assert_int_equal(shown.width, 64);
        assert_int_equal(shown.height, 64);
        for (uint32_t y = 0; y < 64; y++)
            for (uint32_t x = 0; x < 64; x++)
                if (play_pixel(&shown, x, y) != (y < 32 ? fixtures[i].upper : fixtures[i].lower))
                    fail_msg("%s: %u,%u is 0x%08X", name, x, y, play_pixel(&shown, x, y));
        assert_listed(index, name + strlen("aerogpu/"), &shown);
        blob_unref(&shown.owner);
        free(bytes);
        free(path);
    }
    assert_int_equal(worker_starts(player.worker), 1);
    play_close(&player);
    free(index);
    free(index_path);
}

/* A run that stops before each command gives the same result, and a picture after each command. */
static void test_step_by_step(void **state)
{
    struct aerogpu_session_submission submission = {.commands = scene.bytes, .until = 0};
    struct aerogpu_session_progress progress;
    struct aerogpu_picture shown;
    float vertices[12][8];
    struct player player;
    uint32_t steps = 0;

    (void)state;
    play_rectangle(vertices, 0, 0, 32, 64, 0, 0xFF0000FF);
    play_rectangle(vertices + 6, 32, 0, 64, 64, 0, 0x00FF00FF);
    play_begin(&scene, 0, vertices, 12);
    scene_draw(&scene, 6);
    SCENE(&scene, AEROGPU_DRAW, 6, 1, 6, 0);
    SCENE(&scene, AEROGPU_PRESENT, 3, 1);
    scene_clear(&scene, 1, 0, 0, 0, 0, 0, 0);
    submission.size = scene.size;
    player_open(&player);
    play_reset(&player, 0);
    assert_int_equal(aerogpu_session_submit(player.session, &submission, NULL, &progress), 0);
    assert_int_equal(progress.position, 24);
    assert_int_equal(progress.commands, 0);
    while (progress.position < scene.size) {
        uint32_t before = progress.position;

        assert_int_equal(aerogpu_session_continue(player.session, before + 1, NULL, &progress), 0);
        assert_int_equal(progress.commands, 1);
        assert_true(progress.position > before);
        if (bytes_le32(scene.bytes + before) == AEROGPU_DRAW) {
            play_picture(&player, AEROGPU_PICTURE_TARGET, &shown);
            assert_int_equal(play_pixel(&shown, 10, 10), 0xFF0000FF);
            assert_int_equal(play_pixel(&shown, 50, 10), steps == 0 ? 0x000000FF : 0x00FF00FF);
            blob_unref(&shown.owner);
            steps++;
        }
        assert_int_equal(progress.presents, bytes_le32(scene.bytes + before) == AEROGPU_PRESENT);
    }
    assert_int_equal(steps, 2);
    /* The presented picture is unchanged. */
    play_picture(&player, AEROGPU_PICTURE_PRESENTED, &shown);
    assert_int_equal(play_pixel(&shown, 50, 10), 0x00FF00FF);
    blob_unref(&shown.owner);
    play_close(&player);
}

/* Returns one pixel of the first target. */
static uint32_t shown_pixel(struct player *player, uint32_t x, uint32_t y)
{
    struct aerogpu_picture shown;
    uint32_t rgba;

    play_picture(player, AEROGPU_PICTURE_TARGET, &shown);
    rgba = play_pixel(&shown, x, y);
    blob_unref(&shown.owner);
    return rgba;
}

static uint32_t first_word(struct player *player, uint32_t handle)
{
    struct blob *content;
    uint32_t word;

    assert_int_equal(aerogpu_session_content(player->session, handle, NULL, &content), 0);
    word = bytes_le32(content->data);
    blob_unref(&content);
    return word;
}

/* A saved session is unchanged by anything that is drawn, written or destroyed later. */
static void test_saved_sessions(void **state)
{
    static const uint32_t words[] = {1, 2, 3};
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 32, 64, 0, 0xFF0000FF);
    player_open(&player);
    play_reset(&player, 0);
    play_begin(&scene, AEROGPU_D24S8, vertices, 6);
    scene_draw(&scene, 6);
    scene_buffer(&scene, OTHER, words, sizeof(words));
    SCENE(&scene, AEROGPU_EXPORT_SHARED_SURFACE, TARGET, 0, 77, 0);
    SCENE(&scene, AEROGPU_CREATE_SAMPLER, 5, 1, 1, 1, 1);
    play_run(&player, &scene);
    assert_int_equal(aerogpu_session_load(player.session, 3, 0, NULL), -ENOENT);
    assert_int_equal(aerogpu_session_save(player.session, AEROGPU_SESSION_SAVED_MAX, NULL),
                     -EPROTO);
    assert_int_equal(aerogpu_session_save(player.session, 3, NULL), 0);
    scene_init(&scene);
    scene_clear(&scene, 7, 0, 1, 0, 1, 1, 0);
    SCENE(&scene, AEROGPU_COPY_BUFFER, OTHER, VERTICES, 0, 0, 0, 0, 4, 0, 0, 0);
    SCENE(&scene, AEROGPU_DESTROY_RESOURCE, VERTICES, 0);
    SCENE(&scene, AEROGPU_DESTROY_SHADER, PIXEL, 0);
    SCENE(&scene, AEROGPU_RELEASE_SHARED_SURFACE, 77, 0, 0, 0);
    SCENE(&scene, AEROGPU_SET_VIEWPORT, 0, 0, scene_float(3), scene_float(3), 0, scene_float(1));
    play_run(&player, &scene);
    assert_int_equal(shown_pixel(&player, 5, 5), 0x00FF00FF);
    assert_int_equal(first_word(&player, OTHER), scene_float(-1));
    assert_int_equal(aerogpu_session_save(player.session, 4, NULL), 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(aerogpu_session_load(player.session, 3, 0, NULL), 0);
        assert_int_equal(shown_pixel(&player, 5, 5), 0xFF0000FF);
        assert_int_equal(shown_pixel(&player, 40, 5), 0x000000FF);
        assert_int_equal(first_word(&player, OTHER), 1);
        scene_init(&scene);
        scene_clear(&scene, 7, 0, 0, 1, 1, 1, 0);
        scene_draw(&scene, 6);
        SCENE(&scene, AEROGPU_IMPORT_SHARED_SURFACE, TEXTURE, 0, 77, 0);
        play_run(&player, &scene);
        assert_int_equal(player.notes, 0);
        assert_int_equal(shown_pixel(&player, 5, 5), 0xFF0000FF);
        assert_int_equal(shown_pixel(&player, 40, 5), 0x0000FFFF);
    }
    assert_int_equal(aerogpu_session_load(player.session, 4, 0, NULL), 0);
    assert_int_equal(shown_pixel(&player, 5, 5), 0x00FF00FF);
    assert_int_equal(aerogpu_session_forget(player.session, 4, NULL), 0);
    assert_int_equal(aerogpu_session_load(player.session, 4, 0, NULL), -ENOENT);
    assert_int_equal(shown_pixel(&player, 5, 5), 0x00FF00FF);
    play_reset(&player, 0);
    assert_int_equal(aerogpu_session_load(player.session, 3, 0, NULL), -ENOENT);
    play_close(&player);
}

/* D3D9's state does not encode what Appendix A draws. */
static void test_appendix_is_not_encoded(void **state)
{
    enum { SRGBWRITEENABLE = 194 };
    static const uint32_t words[] = {8, 6, 0, 0x3F800000, 0x3F000000, 0x3F800000};
    uint8_t clear[sizeof(words)];
    struct aerogpu_session_submission submission = {.commands = clear,
                                                    .size = sizeof(clear),
                                                    .until = UINT32_MAX,
                                                    .dialect = AEROGPU_APPENDIX_A};
    struct player player;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        bytes_put_le32(clear + 4 * i, words[i]);
    player_open(&player);
    play_reset(&player, 0);
    scene_init(&scene);
    SCENE(&scene, AEROGPU_SET_RENDER_STATE, SRGBWRITEENABLE, 1);
    play_run(&player, &scene);
    play_submit(&player, &submission);
    assert_int_equal(shown_pixel(&player, 5, 5), 0x00FF80FF);
    scene_init(&scene);
    scene_clear(&scene, 1, 0, 1, 0.5f, 1, 0, 0);
    play_run(&player, &scene);
    assert_int_equal(shown_pixel(&player, 5, 5), 0x00FFBCFF);
    play_close(&player);
}

/* A session cannot be saved in the middle of a submission. */
static void test_saved_too_early(void **state)
{
    struct aerogpu_session_submission submission = {.commands = scene.bytes, .until = 30};
    struct player player;

    (void)state;
    player_open(&player);
    assert_int_equal(aerogpu_session_save(player.session, 0, NULL), -ESTALE);
    play_reset(&player, 0);
    scene_init(&scene);
    scene_texture(&scene, TARGET, AEROGPU_R8G8B8A8, 4, 4, 1, 1);
    scene_target(&scene, TARGET, 0);
    submission.size = scene.size;
    play_submit(&player, &submission);
    assert_int_equal(aerogpu_session_save(player.session, 0, NULL), -EBUSY);
    assert_int_equal(aerogpu_session_continue(player.session, UINT32_MAX, NULL, NULL), 0);
    assert_int_equal(aerogpu_session_save(player.session, 0, NULL), 0);
    play_close(&player);
}

/* A shader that cannot be run draws magenta, and is reported once. */
static void test_broken_shaders(void **state)
{
    static const uint8_t garbage[40] = {1, 2, 3};
    struct aerogpu_picture shown;
    float vertices[6][8];
    struct player player;

    (void)state;
    play_rectangle(vertices, 0, 0, 32, 64, 0, 0xFFFFFFFF);
    player_open(&player);
    for (int i = 0; i < 2; i++) {
        play_begin(&scene, 0, vertices, 6);
        scene_bytecode(&scene, i == 0 ? PIXEL : VERTEX, i == 0 ? AEROGPU_PIXEL : AEROGPU_VERTEX,
                       garbage, sizeof(garbage));
        scene_draw(&scene, 6);
        scene_draw(&scene, 6);
        play_reset(&player, 0);
        play_run(&player, &scene);
        assert_int_equal(player.notes, 1);
        play_picture(&player, AEROGPU_PICTURE_TARGET, &shown);
        assert_int_equal(play_pixel(&shown, 10, 10), 0xFF00FFFF);
        assert_int_equal(play_pixel(&shown, 40, 10), 0x000000FF);
        blob_unref(&shown.owner);
    }
    play_close(&player);
}

static void test_translation(void **state)
{
    struct shader_translation translation;
    struct blob *code = scene_pass_vertex();
    struct player player;

    (void)state;
    player_open(&player);
    assert_int_equal(
        aerogpu_session_translate(player.session, code->data, code->size, NULL, &translation), 0);
    assert_int_equal(bytes_le32(translation.spirv->data), 0x07230203);
    assert_memory_equal(translation.glsl->data, "#version 450", 12);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    assert_int_equal(aerogpu_session_translate(player.session, code->data, 100, NULL, &translation),
                     -EINVAL);
    assert_string_not_equal(aerogpu_session_reason(player.session), "");
    blob_unref(&code);
    play_close(&player);
}

/* A translation during a session does not affect the session. */
static void test_translation_in_a_session(void **state)
{
    struct shader_translation translation;
    struct blob *code = scene_pass_pixel();
    struct aerogpu_picture shown;
    struct player player;

    (void)state;
    player_open(&player);
    play_reset(&player, 0);
    assert_int_equal(
        aerogpu_session_translate(player.session, code->data, code->size, NULL, &translation), 0);
    blob_unref(&translation.spirv);
    blob_unref(&translation.glsl);
    blob_unref(&code);
    play_picture(&player, AEROGPU_PICTURE_TARGET, &shown);
    blob_unref(&shown.owner);
    play_close(&player);
}

/* Opens a player whose worker may map that many MiB, and plays the scene. */
static int play_with_memory(struct player *player, uint64_t mib, const struct scene *played)
{
    const struct worker_params params = {.memory_limit = mib << 20};
    const struct aerogpu_session_submission submission = {
        .commands = played->bytes, .size = played->size, .until = UINT32_MAX};
    int status;

    player_open_with(player, &params);
    status = aerogpu_session_reset(player->session, 0, NULL);
    if (status == -ENODEV)
        support_skip_driver();
    if (status == 0)
        status = aerogpu_session_submit(player->session, &submission, NULL, NULL);
    return status;
}

/*
 * A buffer for which the driver has no memory is refused, and no draw is blamed for it. The first
 * limits are too low for any scene; beyond the first that is not, memory is to spare.
 */
static void test_buffer_without_memory(void **state)
{
    enum { FIRST_MIB = 256, STEP_MIB = 64, LAST_MIB = 4096, SPARE_MIB = 160, BUFFER_MIB = 340 };
    float vertices[6][8];
    struct player player;
    unsigned notes = 1;
    uint64_t mib = FIRST_MIB;

    (void)state;
    if (support_stride() != 1)
        support_skip("a sanitizer's address space has no limit");
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0xFF0000FF);
    for (int status = -1; (status != 0 || notes != 0) && mib < LAST_MIB; mib += STEP_MIB) {
        play_begin(&scene, 0, vertices, 6);
        scene_draw(&scene, 6);
        status = play_with_memory(&player, mib, &scene);
        notes = player.notes;
        play_close(&player);
    }
    assert_true(mib < LAST_MIB);
    play_begin(&scene, 0, vertices, 6);
    SCENE(&scene, AEROGPU_CREATE_BUFFER, OTHER, 0, BUFFER_MIB << 20, 0, 0, 0, 0, 0);
    scene_draw(&scene, 6);
    assert_int_equal(play_with_memory(&player, mib + SPARE_MIB, &scene), 0);
    assert_string_equal(player.note, "the driver has no room for a buffer of 356515840 bytes");
    assert_int_equal(player.notes, 1);
    play_close(&player);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_was_reset),
        cmocka_unit_test(test_stale_session),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_step_by_step),
        cmocka_unit_test(test_saved_sessions),
        cmocka_unit_test(test_appendix_is_not_encoded),
        cmocka_unit_test(test_saved_too_early),
        cmocka_unit_test(test_broken_shaders),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_translation_in_a_session),
        cmocka_unit_test(test_buffer_without_memory),
    };

#if !defined(HAVE_VKD3D) || !defined(HAVE_MOJOSHADER)
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_aerogpu", tests, NULL, NULL);
}
