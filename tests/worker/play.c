/* SPDX-License-Identifier: MIT */
#include "tests/worker/play.h"

#include "tests/support/support.h"
#include "tests/worker/shaders.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void count_note(void *context, enum problem_severity severity, uint64_t offset,
                       const char *text)
{
    struct player *player = context;

    (void)severity, (void)offset;
    player->notes++;
    snprintf(player->note, sizeof(player->note), "%s", text);
}

void player_open(struct player *player)
{
    const struct worker_params params = {.program = NULL};

    player_open_with(player, &params);
}

void player_open_with(struct player *player, const struct worker_params *params)
{
    const struct aerogpu_session_params session = {
        .width = 64, .height = 64, .note = count_note, .context = player};

    memset(player, 0, sizeof(*player));
    assert_int_equal(worker_create(params, &player->worker), 0);
    assert_int_equal(aerogpu_session_create(player->worker, &session, &player->session), 0);
    assert_int_equal(worker_acquire(player->worker, NULL), 0);
}

void play_close(struct player *player)
{
    worker_release(player->worker);
    aerogpu_session_destroy(&player->session);
    worker_destroy(&player->worker);
}

void play_reset(struct player *player, uint32_t flags)
{
    int status = aerogpu_session_reset(player->session, flags, NULL);

    if (status == -ENODEV)
        support_skip_driver();
    if (status < 0)
        print_error("%s\n", aerogpu_session_reason(player->session));
    assert_int_equal(status, 0);
    player->notes = 0;
}

void play_submit(struct player *player, const struct aerogpu_session_submission *submission)
{
    int status = aerogpu_session_submit(player->session, submission, NULL, NULL);

    if (status < 0)
        print_error("%s\n", aerogpu_session_reason(player->session));
    assert_int_equal(status, 0);
}

void play_run(struct player *player, const struct scene *scene)
{
    const struct aerogpu_session_submission submission = {
        .commands = scene->bytes, .size = scene->size, .until = UINT32_MAX};

    play_submit(player, &submission);
}

void play_picture(struct player *player, enum aerogpu_picture_kind kind,
                  struct aerogpu_picture *out)
{
    const struct aerogpu_picture_request request = {.kind = kind};
    int status = aerogpu_session_picture(player->session, &request, NULL, out);

    if (status < 0)
        print_error("%s\n", aerogpu_session_reason(player->session));
    assert_int_equal(status, 0);
}

void play_shoot(struct player *player, const struct scene *scene, struct aerogpu_picture *shown)
{
    play_run(player, scene);
    if (player->notes > 0)
        print_error("%s\n", player->note);
    assert_int_equal(player->notes, 0);
    play_picture(player, AEROGPU_PICTURE_TARGET, shown);
}

uint32_t play_pixel(const struct aerogpu_picture *shown, uint32_t x, uint32_t y)
{
    const uint8_t *bytes = shown->pixels + ((size_t)y * shown->width + x) * 4;

    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

unsigned play_count(const struct aerogpu_picture *shown, uint32_t rgba)
{
    unsigned count = 0;

    for (uint32_t y = 0; y < shown->height; y++)
        for (uint32_t x = 0; x < shown->width; x++)
            count += play_pixel(shown, x, y) == rgba;
    return count;
}

void play_assert(struct player *player, const struct scene *played, uint32_t x, uint32_t y,
                 uint32_t rgba)
{
    struct aerogpu_picture shown;

    play_reset(player, 0);
    play_shoot(player, played, &shown);
    if (play_pixel(&shown, x, y) != rgba)
        print_error("%u,%u is 0x%08X\n", x, y, play_pixel(&shown, x, y));
    assert_int_equal(play_pixel(&shown, x, y), rgba);
    blob_unref(&shown.owner);
}

void play_vertex(float to[8], float x, float y, float z, uint32_t rgba)
{
    to[0] = x / 32 - 1;
    to[1] = 1 - y / 32;
    to[2] = z;
    to[3] = 1;
    for (int i = 0; i < 4; i++)
        to[4 + i] = (float)(rgba >> (24 - 8 * i) & 255) / 255;
}

void play_rectangle(float to[6][8], float left, float top, float right, float bottom, float z,
                    uint32_t rgba)
{
    play_vertex(to[0], left, top, z, rgba);
    play_vertex(to[1], right, top, z, rgba);
    play_vertex(to[2], left, bottom, z, rgba);
    play_vertex(to[3], right, top, z, rgba);
    play_vertex(to[4], right, bottom, z, rgba);
    play_vertex(to[5], left, bottom, z, rgba);
}

void play_begin(struct scene *scene, uint32_t depth_format, float vertices[][8], size_t count)
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

void play_textured(float vertices[6][8])
{
    play_rectangle(vertices, 0, 0, 64, 64, 0, 0);
    for (int i = 0; i < 6; i++) {
        vertices[i][4] = (vertices[i][0] + 1) / 2;
        vertices[i][5] = (1 - vertices[i][1]) / 2;
    }
}

void play_begin_textured(struct scene *scene, float vertices[6][8], uint32_t format,
                         const void *texels, uint32_t size)
{
    play_begin(scene, 0, vertices, 6);
    scene_shader(scene, PIXEL, AEROGPU_PIXEL, shader_sample());
    scene_texture(scene, TEXTURE, format, 4, 4, 1, 1);
    scene_upload(scene, TEXTURE, 0, texels, size);
    SCENE(scene, AEROGPU_SET_TEXTURE, AEROGPU_PIXEL, 0, TEXTURE, 0);
}
