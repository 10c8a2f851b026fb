/* SPDX-License-Identifier: MIT */
/*
 * A session of the graphics worker that scenes are played in, for the tests of it:
 * pixels are asked for as 0xRRGGBBAA, corners told in pixels of a 64x64 target.
 */
#ifndef GPUDUMPFS_TESTS_WORKER_PLAY_H
#define GPUDUMPFS_TESTS_WORKER_PLAY_H

#include "formats/aerogpu/replay/worker_session.h"
#include "tests/worker/scene.h"

struct player {
    struct worker *worker;
    struct aerogpu_session *session;
    unsigned notes; /* since the last reset */
    char note[300]; /* the last */
};

/* Handles that scenes have. */
enum { TARGET = 100, DEPTH, VERTICES, VERTEX, PIXEL, LAYOUT, TEXTURE, OTHER };

void player_open(struct player *player);
void play_close(struct player *player);
/* Skips the test on a machine without a driver. */
void play_reset(struct player *player, uint32_t flags);
void play_submit(struct player *player, const struct aerogpu_session_submission *submission);
/* A scene's stream as one submission. */
void play_run(struct player *player, const struct scene *scene);
void play_picture(struct player *player, enum aerogpu_picture_kind kind,
                  struct aerogpu_picture *out);
/* The first colour target after the scene, which goes without a note. */
void play_shoot(struct player *player, const struct scene *scene, struct aerogpu_picture *shown);
/* Plays a scene from the beginning, and asserts what one pixel is. */
void play_assert(struct player *player, const struct scene *played, uint32_t x, uint32_t y,
                 uint32_t rgba);

uint32_t play_pixel(const struct aerogpu_picture *shown, uint32_t x, uint32_t y);
unsigned play_count(const struct aerogpu_picture *shown, uint32_t rgba);

void play_vertex(float to[8], float x, float y, float z, uint32_t rgba);
/* Two triangles, clockwise. */
void play_rectangle(float to[6][8], float left, float top, float right, float bottom, float z,
                    uint32_t rgba);
/* A black target of 64x64, shaders that pass colours on, and vertices. */
void play_begin(struct scene *scene, uint32_t depth_format, float vertices[][8], size_t count);
/* A rectangle over all of the target, whose colours are its texture coordinates. */
void play_textured(float vertices[6][8]);
/* play_begin() with TEXTURE of 4x4 for what is drawn. */
void play_begin_textured(struct scene *scene, float vertices[6][8], uint32_t format,
                         const void *texels, uint32_t size);

#endif
