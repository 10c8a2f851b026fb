/* SPDX-License-Identifier: MIT */
/* The functions of gl_scenes_tools.h. */
#include "tests/worker/gl_scenes_tools.h"

#include <stdio.h>
#include <stdlib.h>

int scene_es;
GLuint scene_vertex_array;

const float scene_triangle[6] = {-0.8f, -0.7f, 0.9f, -0.5f, 0.1f, 0.8f};
const float scene_quad[8] = {-0.9f, -0.9f, 0.9f, -0.9f, -0.9f, 0.9f, 0.9f, 0.9f};

void scene_fail(const char *what)
{
    fprintf(stderr, "gl_scenes: %s\n", what);
    exit(1);
}

GLuint scene_compile(GLenum stage, const char *text)
{
    const char *version = scene_es
                              ? "#version 310 es\nprecision highp float;\nprecision highp int;\n"
                              : "#version 430\n";
    const char *strings[] = {version, text};
    GLuint shader = glCreateShader(stage);
    char log[400] = "";
    GLint done = 0;

    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        glGetShaderInfoLog(shader, sizeof(log), NULL, log);
        scene_fail(log);
    }
    return shader;
}

GLuint scene_link(const GLuint *shaders, int count, const char *varying)
{
    GLuint program = glCreateProgram();
    GLint done = 0;

    for (int n = 0; n < count; n++) {
        glAttachShader(program, shaders[n]);
        glDeleteShader(shaders[n]);
    }
    glBindAttribLocation(program, 0, "place");
    if (varying != NULL)
        glTransformFeedbackVaryings(program, 1, &varying, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &done);
    if (!done)
        scene_fail("a program does not link");
    return program;
}

GLuint scene_program(const char *vertex, const char *fragment)
{
    const GLuint shaders[] = {scene_compile(GL_VERTEX_SHADER, vertex),
                              scene_compile(GL_FRAGMENT_SHADER, fragment)};

    return scene_link(shaders, 2, NULL);
}

const char scene_plain_vertex[] = "in vec2 place;\n"
                                  "void main() { gl_Position = vec4(place, 0.0, 1.0); }\n";
const char scene_tinted_fragment[] = "uniform vec4 tint;\nout vec4 colour;\n"
                                     "void main() { colour = tint; }\n";
const char scene_textured_vertex[] =
    "in vec2 place;\nout vec2 where;\n"
    "void main() { where = place * 0.5 + 0.5; gl_Position = vec4(place, 0.0, 1.0); }\n";
const char scene_textured_fragment[] =
    "in vec2 where;\nuniform sampler2D image;\nout vec4 colour;\n"
    "void main() { colour = texture(image, where); }\n";

GLuint scene_buffer(GLenum target, const void *bytes, size_t size)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
    return buffer;
}

void scene_place(const float *vertices, size_t size)
{
    scene_buffer(GL_ARRAY_BUFFER, vertices, size);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

void scene_texels(uint8_t *texels, int width, int height, unsigned seed)
{
    for (int n = 0; n < width * height; n++) {
        texels[4 * n] = (uint8_t)(n * 37 + seed);
        texels[4 * n + 1] = (uint8_t)(n * 11 + 3 * seed);
        texels[4 * n + 2] = (uint8_t)(n * 5);
        texels[4 * n + 3] = 255;
    }
}

GLuint scene_texture(int width, int height, const void *texels)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return texture;
}

void scene_draw_textured(void)
{
    glUseProgram(scene_program(scene_textured_vertex, scene_textured_fragment));
    scene_place(scene_quad, sizeof(scene_quad));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
