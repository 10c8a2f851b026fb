/* SPDX-License-Identifier: MIT */
/*
 * Plays scenes in a session of the graphics worker, for its tests. Pixels are 0xRRGGBBAA; corners
 * are in pixels of a 64x64 target.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_PLAY_H
#define GPUDUMPFS_TESTS_WORKER_PLAY_H

#include "formats/aerogpu/replay/worker_session.h"
#include "tests/worker/scene.h"

struct player {
    struct worker *worker;
    struct aerogpu_session *session;
    unsigned notes; /* number since the last reset */
    char note[300]; /* text of the last note */
};

/* Handles in scenes. */
enum { TARGET = 100, DEPTH, VERTICES, VERTEX, PIXEL, LAYOUT, TEXTURE, OTHER };

void player_open(struct player *player);
void player_open_with(struct player *player, const struct worker_params *params);
void play_close(struct player *player);
/* Begins a new session. Skips the test on a machine without a driver. */
void play_reset(struct player *player, uint32_t flags);
void play_submit(struct player *player, const struct aerogpu_session_submission *submission);
/* Submits a scene's stream as one submission. */
void play_run(struct player *player, const struct scene *scene);
void play_picture(struct player *player, enum aerogpu_picture_kind kind,
                  struct aerogpu_picture *out);
/*
 * Plays a scene, asserts that it adds no note, and gets the first colour target. The caller drops
 * shown->owner.
 */
void play_shoot(struct player *player, const struct scene *scene, struct aerogpu_picture *shown);
/* Plays a scene in a new session, and asserts the value of one pixel. */
void play_assert(struct player *player, const struct scene *played, uint32_t x, uint32_t y,
                 uint32_t rgba);

uint32_t play_pixel(const struct aerogpu_picture *shown, uint32_t x, uint32_t y);
unsigned play_count(const struct aerogpu_picture *shown, uint32_t rgba);

void play_vertex(float to[8], float x, float y, float z, uint32_t rgba);
/* Fills in a rectangle as two triangles, clockwise. */
void play_rectangle(float to[6][8], float left, float top, float right, float bottom, float z,
                    uint32_t rgba);
/* Begins a scene with a black target of 64x64, shaders that pass colours on, and vertices. */
void play_begin(struct scene *scene, uint32_t depth_format, float vertices[][8], size_t count);
/* Fills in a rectangle over the complete target whose colours are its texture coordinates. */
void play_textured(float vertices[6][8]);
/* As play_begin(), with a TEXTURE of 4x4 texels that the draw samples. */
void play_begin_textured(struct scene *scene, float vertices[6][8], uint32_t format,
                         const void *texels, uint32_t size);

#endif
