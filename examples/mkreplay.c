/* SPDX-License-Identifier: MIT */
/*
 * mkreplay FOLDER [FRAMES]: writes a GAPIR replay, payload.bin with its resources, always the same
 * bytes. A ball bounces in front of hills that pass by. The GLES calls are those that an exporter
 * would write. The payload itself puts together the pictures that they would draw, row by row,
 * since a mount does not execute the calls on a GPU.
 */
#include "gapir_build.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define GLES "gles_v1.6.1"

enum {
    WIDTH = 320,
    HEIGHT = 180,
    PANORAMA = 1024, /* width in pixels of the hills, which repeat */
    BALL = 48,
    FRAMES = 48,
    SPEED = 8, /* pixels in a frame */

    /* Addresses in volatile memory. */
    COUNTER = 0,
    NAMES = 16,
    FRAMEBUFFER = 4096,
    HILLS = FRAMEBUFFER + WIDTH * HEIGHT * 4,
    SPRITE = HILLS + PANORAMA * HEIGHT * 4,
    MATRIX = SPRITE + BALL * BALL * 4,
    MEMORY = MATRIX + 4096,

    GL_TEXTURE_2D = 0x0de1,
    GL_TRIANGLES = 4,
    GL_UNSIGNED_BYTE = 0x1401,
    GL_RGBA = 0x1908,
    GL_FRAGMENT_SHADER = 0x8b30,
    GL_VERTEX_SHADER = 0x8b31,
    GL_COLOR_BUFFER_BIT = 0x4000,
};

static const double turn = 6.283185307179586;

static void set_pixel(uint8_t *pixel, double red, double green, double blue)
{
    const double rgb[3] = {red, green, blue};

    for (unsigned n = 0; n < 3; n++)
        pixel[n] = (uint8_t)(255 * fmin(fmax(rgb[n], 0), 1) + 0.5);
    pixel[3] = 255;
}

/* Returns the height of a range of hills above the lower edge. The ranges repeat without a seam. */
static double hill_height(int chain, double x)
{
    static const double waves[3][3] = {{2, 5, 11}, {3, 4, 9}, {1, 6, 7}};
    double phase = x / PANORAMA * turn, height = 95 - 28 * chain;

    for (int n = 0; n < 3; n++)
        height += (14 - 4 * n) * sin(waves[chain][n] * phase + chain + 2 * n);
    return height;
}

/* Paints the hills. Rows begin at the bottom, as in OpenGL. */
static void paint_hills(uint8_t *pixels)
{
    static const double colours[3][3] = {{0.45, 0.5, 0.7}, {0.3, 0.45, 0.5}, {0.15, 0.35, 0.25}};

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < PANORAMA; x++) {
            uint8_t *pixel = pixels + 4 * (y * PANORAMA + x);
            double up = (double)y / HEIGHT;
            set_pixel(pixel, 1 - 0.7 * up, 0.75 - 0.25 * up, 0.55 + 0.35 * up);
            for (int chain = 0; chain < 3; chain++)
                if (y < hill_height(chain, x))
                    set_pixel(pixel, colours[chain][0], colours[chain][1] + 0.1 * up,
                              colours[chain][2]);
        }
}

static void paint_ball(uint8_t *pixels)
{
    for (int y = 0; y < BALL; y++)
        for (int x = 0; x < BALL; x++) {
            double u = (x + 0.5) * 2 / BALL - 1, v = (y + 0.5) * 2 / BALL - 1;
            double depth = sqrt(fmax(0, 1 - u * u - v * v));
            double light = fmax(0, -0.5 * u + 0.6 * v + 0.6 * depth);
            double stripe = fmod(floor((u + 2) * 3) + floor((v + 2) * 3), 2);
            double shine = pow(light, 24);
            set_pixel(pixels + 4 * (y * BALL + x), 0.2 + 0.7 * light + shine,
                      (0.1 + 0.6 * stripe) * light + shine, 0.1 * light + shine);
        }
}

/* Returns how far the ball extends to each side of its centre in a row. */
static int ball_reach(int y)
{
    double v = (y + 0.5) * 2 / BALL - 1;

    return (int)(BALL / 2 * sqrt(fmax(0, 1 - v * v)));
}

static void copy_row(struct build *build, int y, int x)
{
    uint32_t row = FRAMEBUFFER + (uint32_t)y * WIDTH * 4;
    uint32_t source = HILLS + (uint32_t)y * PANORAMA * 4;
    int first = PANORAMA - x < WIDTH ? PANORAMA - x : WIDTH;

    build_copy(build, row, source + (uint32_t)x * 4, (uint32_t)first * 4);
    if (first < WIDTH)
        build_copy(build, row + (uint32_t)first * 4, source, (uint32_t)(WIDTH - first) * 4);
}

static void draw_ball(struct build *build, int left, int bottom)
{
    for (int y = 0; y < BALL; y++) {
        int reach = ball_reach(y), x = BALL / 2 - reach;
        if (reach == 0)
            continue;
        build_copy(build, FRAMEBUFFER + (uint32_t)((bottom + y) * WIDTH + left + x) * 4,
                   SPRITE + (uint32_t)(y * BALL + x) * 4, (uint32_t)reach * 2 * 4);
    }
}

static uint32_t string(struct build *build, const char *text)
{
    return build_constant(build, text, strlen(text) + 1);
}

/* Writes what an application does before its first frame: shaders, a program, textures. */
static void write_set_up(struct build *build, unsigned hills, unsigned ball)
{
    build_op(build, GAPIR_LABEL, 0x3ffffff);
    BUILD_CALL(build, GLES, "replayCreateRenderer", 0);
    BUILD_CALL(build, GLES, "replayBindRenderer", 0, 1);
    BUILD_CALL(build, GLES, "replayChangeBackbuffer", 0, WIDTH, HEIGHT, 0x8058, 0x88f0, 0x88f0);
    build_op(build, GAPIR_LABEL, 0);
    BUILD_CALL(build, GLES, "glCreateShader", GL_VERTEX_SHADER);
    BUILD_CALL(build, GLES, "glCreateShader", GL_FRAGMENT_SHADER);
    BUILD_CALL(build, GLES, "glCreateProgram");
    BUILD_CALL(build, GLES, "glAttachShader", 3, 1);
    BUILD_CALL(build, GLES, "glAttachShader", 3, 2);
    BUILD_CALL(build, GLES, "glBindAttribLocation", 3, 0,
               BUILD_CONSTANT(string(build, "a_position")));
    BUILD_CALL(build, GLES, "glLinkProgram", 3);
    build_op(build, GAPIR_LABEL, 1);
    BUILD_CALL(build, GLES, "glGenTextures", 2, NAMES);
    build_push(build, GAPIR_VOLATILE_POINTER, HILLS);
    build_op(build, GAPIR_RESOURCE, hills);
    BUILD_CALL(build, GLES, "glBindTexture", GL_TEXTURE_2D, 4);
    BUILD_CALL(build, GLES, "glTexImage2D", GL_TEXTURE_2D, 0, GL_RGBA, PANORAMA, HEIGHT, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, HILLS);
    build_push(build, GAPIR_VOLATILE_POINTER, SPRITE);
    build_op(build, GAPIR_RESOURCE, ball);
    BUILD_CALL(build, GLES, "glBindTexture", GL_TEXTURE_2D, 5);
    BUILD_CALL(build, GLES, "glTexImage2D", GL_TEXTURE_2D, 0, GL_RGBA, BALL, BALL, 0, GL_RGBA,
               GL_UNSIGNED_BYTE, SPRITE);
}

static void write_matrix(struct build *build, double x, double y)
{
    uint8_t bytes[64] = {0};
    const float matrix[16] = {
        [0] = 1, [5] = 1, [10] = 1, [12] = (float)x, [13] = (float)y, [15] = 1};

    for (unsigned n = 0; n < 16; n++)
        for (unsigned b = 0; b < 4; b++)
            bytes[4 * n + b] = (uint8_t)(build_float(matrix[n]) >> 8 * b);
    build_inline(build, MATRIX, bytes, sizeof(bytes));
    BUILD_CALL(build, GLES, "glUniformMatrix4fv", 1, 1, 0, MATRIX);
}

/* Writes a count of frames, which the payload keeps and sends as a notification. */
static void write_counter(struct build *build)
{
    build_typed(build, GAPIR_LOAD_V, GAPIR_UINT32, COUNTER);
    build_push(build, GAPIR_UINT32, 1);
    build_op(build, GAPIR_ADD, 2);
    build_op(build, GAPIR_STORE_V, COUNTER);
    build_push(build, GAPIR_VOLATILE_POINTER, COUNTER);
    build_push(build, GAPIR_UINT32, 2);
    build_push(build, GAPIR_UINT32, 4);
    build_op(build, GAPIR_NOTIFICATION, 0);
}

static void write_frame(struct build *build, int frame, uint32_t *label)
{
    double bounce = fabs(sin(frame * turn / 48));
    int left = 20 + (WIDTH - BALL - 40) * frame / FRAMES % (WIDTH - BALL);
    int bottom = 8 + (int)((HEIGHT - BALL - 20) * bounce);

    build_op(build, GAPIR_LABEL, ++*label);
    BUILD_CALL(build, GLES, "glViewport", 0, 0, WIDTH, HEIGHT);
    BUILD_CALL(build, GLES, "glClearColor", build_float(0.5f), build_float(0.75f),
               build_float((float)(frame % 16) / 16), build_float(1));
    BUILD_CALL(build, GLES, "glClear", GL_COLOR_BUFFER_BIT);
    BUILD_CALL(build, GLES, "glUseProgram", 3);
    build_op(build, GAPIR_LABEL, ++*label);
    BUILD_CALL(build, GLES, "glBindTexture", GL_TEXTURE_2D, 4);
    BUILD_CALL(build, GLES, "glUniform1f", 2, build_float((float)frame / FRAMES));
    BUILD_CALL(build, GLES, "glDrawArrays", GL_TRIANGLES, 0, 6);
    for (int y = 0; y < HEIGHT; y++)
        copy_row(build, y, frame * SPEED % PANORAMA);
    build_op(build, GAPIR_LABEL, ++*label);
    BUILD_CALL(build, GLES, "glBindTexture", GL_TEXTURE_2D, 5);
    write_matrix(build, left, bottom);
    BUILD_CALL(build, GLES, "glDrawArrays", GL_TRIANGLES, 6, 6);
    draw_ball(build, left, bottom);
    write_counter(build);
    build_op(build, GAPIR_LABEL, ++*label);
    BUILD_CALL(build, GLES, "glReadPixels", 0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE,
               FRAMEBUFFER);
    build_post(build, GAPIR_VOLATILE_POINTER, FRAMEBUFFER, WIDTH * HEIGHT * 4);
    BUILD_CALL(build, GLES, "replayFrameDelimiter", 0);
}

static int write_replay(const char *folder, int frames)
{
    static uint8_t hills[PANORAMA * HEIGHT * 4], ball[BALL * BALL * 4];
    struct build build = {.stack_size = 512, .volatile_size = MEMORY};
    uint32_t label = 1;

    paint_hills(hills);
    paint_ball(ball);
    unsigned first =
        build_resource(&build, "6d0b1c2e5a47f98e03b1d2c4f5a6978812345678", hills, sizeof(hills));
    unsigned second =
        build_resource(&build, "1f2e3d4c5b6a79880102030405060708090a0b0c", ball, sizeof(ball));
    write_set_up(&build, first, second);
    for (int frame = 0; frame < frames; frame++)
        write_frame(&build, frame, &label);
    build_end(&build);
    int status = mkdir(folder, 0777) == 0 || errno == EEXIST ? 0 : -errno;
    if (status == 0)
        status = build_write(&build, folder);
    build_clear(&build);
    return status;
}

int main(int argc, char **argv)
{
    int frames = argc > 2 ? atoi(argv[2]) : FRAMES;

    if (argc < 2 || argc > 3 || frames < 1) {
        fprintf(stderr, "usage: mkreplay FOLDER [FRAMES]\n");
        return 1;
    }
    int status = write_replay(argv[1], frames);
    if (status != 0)
        fprintf(stderr, "mkreplay: %s: %s\n", argv[1], strerror(-status));
    return status != 0;
}
