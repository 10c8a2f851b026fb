/* SPDX-License-Identifier: MIT */
/*
 * Shaders and command streams with random damage: the worker may refuse them or die of them, but
 * not this process, and valid ones are drawn correctly afterwards. GPUDUMPFS_MUTATIONS sets the
 * number of each (200).
 */
#include "config.h"

#include "formats/aerogpu/replay/worker_session.h"

#include "tests/support/support.h"
#include "tests/worker/scene.h"

#include "dxbc/dxbc.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { TARGET = 1, VERTICES, LAYOUT, VERTEX, PIXEL };

static struct worker *worker;
static struct aerogpu_session *session;
static unsigned mutations = 200;

static unsigned descriptors(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count;
}

static void open_session(void)
{
    const struct worker_params params = {.time_limit_ms = 4000};
    const struct aerogpu_session_params aero = {.width = 64, .height = 64};

    assert_int_equal(worker_create(&params, &worker), 0);
    assert_int_equal(worker_acquire(worker, NULL), 0);
    assert_int_equal(aerogpu_session_create(worker, &aero, &session), 0);
    if (aerogpu_session_reset(session, 0, NULL) == -ENODEV)
        support_skip_driver();
}

static void close_session(void)
{
    worker_release(worker);
    aerogpu_session_destroy(&session);
    worker_destroy(&worker);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

/* Asserts that a call succeeded, or failed with a reason. */
static void assert_answered(int status)
{
    assert_true(status <= 0);
    assert_true(status != -EINTR && status != -EPROTO);
    if (status < 0)
        assert_string_not_equal(aerogpu_session_reason(session), "");
}

static void damage(uint8_t *bytes, size_t size, size_t from, uint64_t *random)
{
    unsigned count = 1 + (unsigned)(support_random(random) >> 20) % 6;

    for (unsigned i = 0; i < count && size > from; i++)
        bytes[from + (support_random(random) >> 16) % (size - from)] =
            (uint8_t)(support_random(random) >> 24);
}

static void draw_with(struct scene *scene, const struct blob *vertex, const struct blob *pixel)
{
    static const float vertices[3][8] = {
        {-1, 1, 0, 1, 0, 1, 0, 1}, {3, 1, 0, 1, 0, 1, 0, 1}, {-1, -3, 0, 1, 0, 1, 0, 1}};

    scene_init(scene);
    scene_texture(scene, TARGET, AEROGPU_R8G8B8A8, 16, 16, 1, 1);
    scene_target(scene, TARGET, 0);
    scene_buffer(scene, VERTICES, vertices, sizeof(vertices));
    scene_vertices(scene, VERTICES, 32);
    scene_layout(scene, LAYOUT);
    scene_shader(scene, VERTEX, AEROGPU_VERTEX, blob_ref((struct blob *)vertex));
    scene_shader(scene, PIXEL, AEROGPU_PIXEL, blob_ref((struct blob *)pixel));
    scene_bind(scene, VERTEX, PIXEL);
    scene_draw(scene, 3);
}

/* Begins a new read, which has lost no time to earlier deaths. */
static void begin_read(void)
{
    worker_release(worker);
    assert_int_equal(worker_acquire(worker, NULL), 0);
}

static int play(const struct scene *scene, struct aerogpu_picture *shown)
{
    static const struct aerogpu_picture_request request = {.kind = AEROGPU_PICTURE_TARGET};
    const struct aerogpu_session_submission submission = {
        .commands = scene->bytes, .size = scene->size, .until = UINT32_MAX};
    int status;

    begin_read();
    status = aerogpu_session_reset(session, 0, NULL);

    if (status == 0)
        status = aerogpu_session_submit(session, &submission, NULL, NULL);
    return status == 0 ? aerogpu_session_picture(session, &request, NULL, shown) : status;
}

static void assert_sound(const struct blob *vertex, const struct blob *pixel)
{
    static struct scene scene;
    struct aerogpu_picture shown;
    int status;

    draw_with(&scene, vertex, pixel);
    status = play(&scene, &shown);
    if (status == -ESTALE)
        status = play(&scene, &shown);
    assert_int_equal(status, 0);
    assert_memory_equal(shown.pixels + 400, "\0\377\0\377", 4);
    blob_unref(&shown.owner);
}

/* All shaders are translated, and every twentieth is drawn with. */
static void test_shaders(void **state)
{
    struct blob *sound[2] = {scene_pass_vertex(), scene_pass_pixel()};
    unsigned before, refused = 0, died = 0;
    static struct scene scene;
    uint64_t random = 99;

    (void)state;
    open_session();
    assert_sound(sound[0], sound[1]);
    before = descriptors();
    for (unsigned i = 0; i < mutations; i++) {
        const struct blob *from = sound[i % 2];
        struct shader_translation translation;
        struct aerogpu_picture shown;
        struct blob *bad;
        uint64_t starts = worker_starts(worker);
        int status;

        assert_int_equal(blob_create(from->size, &bad), 0);
        memcpy(bad->data, from->data, from->size);
        damage(bad->data, bad->size, 32, &random);
        dxbc_checksum(bad->data, bad->size, bad->data + 4);
        status = aerogpu_session_translate(session, bad->data, bad->size, NULL, &translation);
        assert_answered(status);
        refused += status == -EINVAL;
        blob_unref(&translation.spirv);
        blob_unref(&translation.glsl);
        if (i % 20 == 0 && worker_starts(worker) == starts) {
            draw_with(&scene, i % 2 == 0 ? bad : sound[0], i % 2 == 0 ? sound[1] : bad);
            status = play(&scene, &shown);
            /* Once the culprit is known, it is drawn in magenta. */
            if (status == -EAGAIN)
                status = play(&scene, &shown);
            assert_answered(status);
            if (status == 0)
                blob_unref(&shown.owner);
        }
        died += worker_process(worker) == 0;
        blob_unref(&bad);
        if (i % 50 == 0)
            assert_sound(sound[0], sound[1]);
    }
    assert_sound(sound[0], sound[1]);
    assert_int_equal(descriptors(), before);
    print_message("%u shaders: %u refused, %u deaths\n", mutations, refused, died);
    blob_unref(&sound[0]);
    blob_unref(&sound[1]);
    close_session();
}

static void test_streams(void **state)
{
    struct blob *sound[2] = {scene_pass_vertex(), scene_pass_pixel()};
    static struct scene scene, whole;
    uint64_t random = 5;
    unsigned before;

    (void)state;
    open_session();
    assert_sound(sound[0], sound[1]);
    before = descriptors();
    draw_with(&whole, sound[0], sound[1]);
    SCENE(&whole, AEROGPU_COPY_TEXTURE2D, TARGET, TARGET, 0, 0, 0, 0, 1, 1, 0, 0, 4, 4, 1, 0);
    SCENE(&whole, AEROGPU_CREATE_TEXTURE_VIEW, 50, TARGET, 3, 0, 1, 0, 1, 0, 0);
    SCENE(&whole, AEROGPU_SET_TEXTURE, 1, 0, 50, 0);
    SCENE(&whole, AEROGPU_EXPORT_SHARED_SURFACE, TARGET, 0, 9, 0);
    SCENE(&whole, AEROGPU_IMPORT_SHARED_SURFACE, 60, 0, 9, 0);
    SCENE(&whole, AEROGPU_SET_RENDER_STATE, 22, 3);
    SCENE(&whole, AEROGPU_SET_SAMPLER_STATE, 1, 0, 5, 2);
    SCENE(&whole, AEROGPU_SET_INDEX_BUFFER, VERTICES, 0, 0, 0);
    SCENE(&whole, AEROGPU_DRAW_INDEXED, 3, 1, 0, 0, 0);
    SCENE(&whole, AEROGPU_PRESENT, 0, 0);
    SCENE(&whole, AEROGPU_DESTROY_RESOURCE, TARGET, 0);
    for (unsigned i = 0; i < mutations; i++) {
        struct aerogpu_picture shown;
        int status;

        scene = whole;
        damage(scene.bytes, scene.size, 12, &random);
        status = play(&scene, &shown);
        assert_answered(status);
        if (status == 0)
            blob_unref(&shown.owner);
        if (i % 50 == 0)
            assert_sound(sound[0], sound[1]);
    }
    assert_sound(sound[0], sound[1]);
    assert_int_equal(descriptors(), before);
    blob_unref(&sound[0]);
    blob_unref(&sound[1]);
    close_session();
}

/* A shader that never ends: the time limit ends it, and from then on it is drawn in magenta. */
static void test_endless_shader(void **state)
{
    static const struct scene_parameter output[] = {{"SV_Target", 0, 0, 3, 0, 15}};
    /* loop; endloop */
    static const uint32_t tokens[] = {
        0x03000065, 0x001020F2, 0,          0x02000068, 1,          0x08000036, 0x001000F2,
        0,          0x00004E46, 0,          0,          0,          0,          0x01000030,
        0x0A000000, 0x001000F2, 0,          0x00100E46, 0,          0x00004E46, 0x3F800000,
        0x3F800000, 0x3F800000, 0x3F800000, 0x01000016, 0x05000036, 0x001020F2, 0,
        0x00100E46, 0,          0x0100003E,
    };
    struct blob *endless =
        scene_assemble(DXBC_PS, 0x40, NULL, 0, output, 1, tokens, COUNT_OF(tokens));
    struct blob *vertex = scene_pass_vertex();
    static struct scene scene;
    struct aerogpu_picture shown;
    int status;

    (void)state;
    open_session();
    draw_with(&scene, vertex, endless);
    status = play(&scene, &shown);
    /* The compiler may detect the endless loop and leave it out. */
    if (status == -EAGAIN)
        status = play(&scene, &shown);
    assert_int_equal(status, 0);
    if (worker_starts(worker) > 1)
        assert_memory_equal(shown.pixels, "\377\0\377\377", 4);
    blob_unref(&shown.owner);
    blob_unref(&endless);
    blob_unref(&vertex);
    close_session();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shaders),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_endless_shader),
    };
    const char *told = getenv("GPUDUMPFS_MUTATIONS");

    if (told != NULL)
        mutations = (unsigned)strtoul(told, NULL, 10);
#ifndef HAVE_VKD3D
    return 0; /* shaders cannot be translated in this build */
#endif
    return cmocka_run_group_tests_name("worker_hostile", tests, NULL, NULL);
}
