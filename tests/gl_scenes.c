/*
 * gl_scenes PROFILE FOLDER: draws scenes with what newer OpenGL has, one a frame, without
 * a window, and writes what it sees of each to FOLDER/NN.rgb (64x48, rows from the top).
 * PROFILE: es (OpenGL ES 3.1), core (OpenGL 4.5), or old (compatibility). Run under a
 * tracer by test_worker_scenes, which has the worker draw the same. 77: no such context.
 */
#define GL_GLEXT_PROTOTYPES
#include "gl_scenes.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SCENE_WIDTH, HEIGHT = SCENE_HEIGHT };

/* What headers of core profiles leave out. */
void glBegin(GLenum mode);
void glEnd(void);
void glVertex2f(GLfloat x, GLfloat y);
void glColor3f(GLfloat red, GLfloat green, GLfloat blue);
void glVertexPointer(GLint size, GLenum type, GLsizei stride, const void *pointer);
void glColorPointer(GLint size, GLenum type, GLsizei stride, const void *pointer);
void glEnableClientState(GLenum array);
void glDisableClientState(GLenum array);
GLuint glGenLists(GLsizei range);
void glNewList(GLuint list, GLenum mode);
void glEndList(void);
void glCallLists(GLsizei n, GLenum type, const void *lists);
void glListBase(GLuint base);
void glRasterPos2f(GLfloat x, GLfloat y);
void glDrawPixels(GLsizei width, GLsizei height, GLenum format, GLenum type, const void *pixels);
void glPushAttrib(GLbitfield mask);
void glPopAttrib(void);
void glMatrixMode(GLenum mode);
void glLoadIdentity(void);
void glRotatef(GLfloat angle, GLfloat x, GLfloat y, GLfloat z);
void glMap1f(GLenum target, GLfloat u1, GLfloat u2, GLint stride, GLint order,
             const GLfloat *points);
void glEvalCoord1f(GLfloat u);

static EGLDisplay display;
static EGLConfig config;
static EGLContext context;
static EGLSurface surface;
static int es;
static GLuint vertex_array;

static const float triangle[] = {-0.8f, -0.7f, 0.9f, -0.5f, 0.1f, 0.8f};
static const float quad[] = {-0.9f, -0.9f, 0.9f, -0.9f, -0.9f, 0.9f, 0.9f, 0.9f};

static void __attribute__((noreturn)) fail(const char *what)
{
    fprintf(stderr, "gl_scenes: %s\n", what);
    exit(1);
}

static GLuint compile(GLenum stage, const char *text)
{
    const char *version =
        es ? "#version 310 es\nprecision highp float;\nprecision highp int;\n" : "#version 430\n";
    const char *strings[] = {version, text};
    GLuint shader = glCreateShader(stage);
    char log[400] = "";
    GLint done = 0;

    glShaderSource(shader, 2, strings, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &done);
    if (!done) {
        glGetShaderInfoLog(shader, sizeof(log), NULL, log);
        fail(log);
    }
    return shader;
}

static GLuint link_stages(const GLuint *shaders, int count, const char *varying)
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
        fail("a program does not link");
    return program;
}

static GLuint make_program(const char *vertex, const char *fragment)
{
    const GLuint shaders[] = {compile(GL_VERTEX_SHADER, vertex),
                              compile(GL_FRAGMENT_SHADER, fragment)};

    return link_stages(shaders, 2, NULL);
}

static const char plain_vertex[] = "in vec2 place;\n"
                                   "void main() { gl_Position = vec4(place, 0.0, 1.0); }\n";
static const char tinted_fragment[] = "uniform vec4 tint;\nout vec4 colour;\n"
                                      "void main() { colour = tint; }\n";
static const char textured_vertex[] =
    "in vec2 place;\nout vec2 where;\n"
    "void main() { where = place * 0.5 + 0.5; gl_Position = vec4(place, 0.0, 1.0); }\n";
static const char textured_fragment[] =
    "in vec2 where;\nuniform sampler2D image;\nout vec4 colour;\n"
    "void main() { colour = texture(image, where); }\n";

static GLuint make_buffer(GLenum target, const void *bytes, size_t size)
{
    GLuint buffer;

    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, (GLsizeiptr)size, bytes, GL_STATIC_DRAW);
    return buffer;
}

static void place_vertices(const float *vertices, size_t size)
{
    make_buffer(GL_ARRAY_BUFFER, vertices, size);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void fill_texels(uint8_t *texels, int width, int height, unsigned seed)
{
    for (int n = 0; n < width * height; n++) {
        texels[4 * n] = (uint8_t)(n * 37 + seed);
        texels[4 * n + 1] = (uint8_t)(n * 11 + 3 * seed);
        texels[4 * n + 2] = (uint8_t)(n * 5);
        texels[4 * n + 3] = 255;
    }
}

static GLuint make_texture(int width, int height, const void *texels)
{
    GLuint texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    return texture;
}

static void draw_textured(void)
{
    glUseProgram(make_program(textured_vertex, textured_fragment));
    place_vertices(quad, sizeof(quad));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* Scenes. */

static void uniform_blocks(void)
{
    static const float colours[8] = {0.2f, 0.4f, 0.6f, 1, 0.9f, 0.1f, 0.3f, 1};
    static const uint16_t indices[] = {0, 1, 2, 2, 1, 3};
    GLuint program = make_program(
        plain_vertex, "layout(std140) uniform Low { vec4 low; };\n"
                      "layout(std140) uniform High { vec4 high; };\nout vec4 colour;\n"
                      "void main() { colour = mix(low, high, gl_FragCoord.x / 64.0); }\n");
    GLuint buffer;
    GLint alignment = 256;

    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    buffer = make_buffer(GL_UNIFORM_BUFFER, NULL, (size_t)alignment + 16);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, 16, colours);
    glBufferSubData(GL_UNIFORM_BUFFER, alignment, 16, colours + 4);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Low"), 2);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "High"), 5);
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 0, 16);
    glBindBufferRange(GL_UNIFORM_BUFFER, 5, buffer, alignment, 16);
    glUseProgram(program);
    place_vertices(quad, sizeof(quad));
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL);
}

static void uniform_arrays(void)
{
    static const float colours[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0.5f, 1, 1}};
    GLuint program = make_program(plain_vertex,
                                  "uniform vec4 unused;\nuniform vec4 tints[3];\nout vec4 colour;\n"
                                  "void main() { colour = tints[int(gl_FragCoord.x) % 3]; }\n");

    glUseProgram(program);
    glUniform4fv(glGetUniformLocation(program, "tints"), 3, colours[0]);
    glUniform4f(glGetUniformLocation(program, "tints[1]"), 0.5f, 0.25f, 0.75f, 1);
    place_vertices(triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void instances(void)
{
    static const float offsets[][2] = {{-0.6f, 0}, {0, 0.3f}, {0.6f, -0.2f}};
    GLuint program = make_program("in vec2 place;\nlayout(location = 3) in vec2 offset;\n"
                                  "flat out int number;\nvoid main() { number = gl_InstanceID;\n"
                                  "gl_Position = vec4(place * 0.3 + offset, 0.0, 1.0); }\n",
                                  "flat in int number;\nout vec4 colour;\nvoid main() {\n"
                                  "colour = vec4(float(number) * 0.4, 0.5, 0.2, 1.0); }\n");

    glUseProgram(program);
    place_vertices(quad, sizeof(quad));
    make_buffer(GL_ARRAY_BUFFER, offsets, sizeof(offsets));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(3, 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 3);
    glDisableVertexAttribArray(3);
}

/* Two objects with arrays and indices of their own, which remember them. */
static void vertex_arrays(void)
{
    static const uint16_t forwards[] = {0, 1, 2}, strip[] = {0, 1, 2, 3};
    GLuint program = make_program(plain_vertex, tinted_fragment), objects[2];
    GLint tint = glGetUniformLocation(program, "tint");

    glGenVertexArrays(2, objects);
    for (int n = 0; n < 2; n++) {
        glBindVertexArray(objects[n]);
        place_vertices(n == 0 ? quad : triangle, n == 0 ? sizeof(quad) : sizeof(triangle));
        make_buffer(GL_ELEMENT_ARRAY_BUFFER, n == 0 ? strip : forwards,
                    n == 0 ? sizeof(strip) : sizeof(forwards));
    }
    glUseProgram(program);
    glBindVertexArray(objects[0]);
    glUniform4f(tint, 0.2f, 0.3f, 0.4f, 1);
    glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
    glBindVertexArray(objects[1]);
    glUniform4f(tint, 0.9f, 0.3f, 0.1f, 1);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL);
    glBindVertexArray(vertex_array);
    glDeleteVertexArrays(2, objects);
}

/* Indices that end strips, and integers that are no floats. */
static void restarts(void)
{
    static const float places[] = {-0.9f, -0.9f, -0.9f, 0.9f, -0.2f, -0.9f, 0.2f,
                                   0.9f,  0.2f,  -0.9f, 0.9f, 0.9f,  0.9f,  -0.9f};
    static const GLint kinds[] = {1, 1, 1, 2, 3, 3, 3};
    static const uint16_t indices[] = {0, 1, 2, 0xFFFF, 3, 4, 5, 6};
    GLuint buffer;

    glUseProgram(
        make_program("in vec2 place;\nlayout(location = 2) in int kind;\n"
                     "flat out int number;\nvoid main() { number = kind;\n"
                     "gl_Position = vec4(place, 0.0, 1.0); }\n",
                     "flat in int number;\nout vec4 colour;\nvoid main() {\n"
                     "colour = vec4(float(number & 1), 0.3 * float(number), 0.5, 1.0); }\n"));
    place_vertices(places, sizeof(places));
    buffer = make_buffer(GL_ARRAY_BUFFER, kinds, sizeof(kinds));
    glEnableVertexAttribArray(2);
    glVertexAttribIPointer(2, 1, GL_INT, 0, NULL);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_SHORT, NULL);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDisableVertexAttribArray(2);
    glDeleteBuffers(1, &buffer);
}

/* Two colours at once, of which the second is shown. */
static void several_targets(void)
{
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    static const float grey[] = {0.3f, 0.3f, 0.3f, 1};
    GLuint framebuffer, textures[2];

    for (int n = 0; n < 2; n++)
        textures[n] = make_texture(WIDTH, HEIGHT, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int n = 0; n < 2; n++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, both[n], GL_TEXTURE_2D, textures[n], 0);
    glDrawBuffers(2, both);
    glClearBufferfv(GL_COLOR, 0, grey);
    glClearBufferfv(GL_COLOR, 1, grey);
    glUseProgram(make_program(plain_vertex, "layout(location = 0) out vec4 first;\n"
                                            "layout(location = 1) out vec4 second;\n"
                                            "void main() { first = vec4(1.0);\n"
                                            "second = vec4(0.9, 0.8, 0.1, 1.0); }\n"));
    place_vertices(triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &framebuffer);
}

static void feedback(void)
{
    const GLuint shaders[] = {
        compile(GL_VERTEX_SHADER,
                "in vec2 place;\nout vec2 moved;\n"
                "void main() { moved = place.yx * 0.7; gl_Position = vec4(0.0); }\n"),
        compile(GL_FRAGMENT_SHADER, "out vec4 colour;\nvoid main() { colour = vec4(1.0); }\n")};
    GLuint program = link_stages(shaders, 2, "moved"), object, captured;

    place_vertices(triangle, sizeof(triangle));
    glGenTransformFeedbacks(1, &object);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    captured = make_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, sizeof(triangle));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured);
    glUseProgram(program);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    program = make_program(plain_vertex, tinted_fragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0.6f, 0.1f, 1);
    glBindBuffer(GL_ARRAY_BUFFER, captured);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void resolve(void)
{
    GLuint framebuffer, buffer, program = make_program(plain_vertex, tinted_fragment);

    glGenFramebuffers(1, &framebuffer);
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, WIDTH, HEIGHT);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffer);
    glClearColor(0, 0.2f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 1, 1, 0.5f, 1);
    place_vertices(triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Up from a buffer, down into one, and up from that. */
static void pixel_buffers(void)
{
    uint8_t texels[16 * 8 * 4];
    GLuint buffer;

    fill_texels(texels, 16, 8, 9);
    buffer = make_buffer(GL_PIXEL_UNPACK_BUFFER, texels, sizeof(texels));
    make_texture(16, 8, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 8, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    draw_textured();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glReadPixels(10, 10, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, (void *)64);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, (void *)64);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    draw_textured();
}

static void mapped_ranges(void)
{
    GLuint program = make_program(plain_vertex, tinted_fragment);
    float *vertices;

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.3f, 0.9f, 0.4f, 1);
    place_vertices(NULL, sizeof(triangle) + 64);
    vertices = glMapBufferRange(GL_ARRAY_BUFFER, 64, sizeof(triangle),
                                GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    memcpy(vertices, triangle, sizeof(triangle));
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, sizeof(triangle));
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (void *)64);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void computed(void)
{
    const GLuint shader =
        compile(GL_COMPUTE_SHADER,
                "layout(local_size_x = 4, local_size_y = 4) in;\n"
                "layout(rgba8, binding = 0) writeonly uniform highp image2D image;\n"
                "layout(std430, binding = 1) buffer Scale { float scale; };\nvoid main() {\n"
                "ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
                "imageStore(image, at, vec4(vec2(at) * scale, 0.5, 1.0)); }\n");
    const float scale = 0.11f;
    GLuint texture, program = link_stages(&shader, 1, NULL);

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1,
                     make_buffer(GL_SHADER_STORAGE_BUFFER, &scale, sizeof(scale)));
    glUseProgram(program);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(2, 2, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    draw_textured();
}

static void layers(void)
{
    uint8_t texels[4 * 4 * 3 * 4];
    GLuint texture, sampler;

    fill_texels(texels, 4, 12, 77);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glBindSampler(0, sampler);
    glUseProgram(make_program(
        textured_vertex, "in vec2 where;\nuniform highp sampler2DArray image;\nout vec4 colour;\n"
                         "void main() { colour = texture(image, vec3(where * 3.0,\n"
                         "floor(where.x * 3.0))); }\n"));
    place_vertices(quad, sizeof(quad));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindSampler(0, 0);
}

static void indirect(void)
{
    static const GLuint numbers[] = {0, 0, 0, 0, 4, 2, 0, 0};
    GLuint program = make_program(plain_vertex, tinted_fragment);

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.4f, 0.4f, 1, 1);
    place_vertices(quad, sizeof(quad));
    make_buffer(GL_DRAW_INDIRECT_BUFFER, numbers, sizeof(numbers));
    glDrawArraysIndirect(GL_TRIANGLE_STRIP, (void *)16);
}

static void pipelines(void)
{
    const char *texts[2] = {"#version 310 es\nprecision highp float;\n", NULL};
    GLuint pipeline, vertex, fragment;

    if (!es)
        texts[0] = "#version 430\nout gl_PerVertex { vec4 gl_Position; };\n";
    texts[1] = "layout(location = 0) in vec2 place;\n"
               "void main() { gl_Position = vec4(place, 0.0, 1.0); }\n";
    vertex = glCreateShaderProgramv(GL_VERTEX_SHADER, 2, texts);
    texts[0] = es ? "#version 310 es\nprecision highp float;\n" : "#version 430\n";
    texts[1] = tinted_fragment;
    fragment = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 2, texts);
    glUseProgram(0);
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_VERTEX_SHADER_BIT, vertex);
    glUseProgramStages(pipeline, GL_FRAGMENT_SHADER_BIT, fragment);
    glActiveShaderProgram(pipeline, fragment);
    glBindProgramPipeline(pipeline);
    glUniform4f(glGetUniformLocation(fragment, "tint"), 0.8f, 0.2f, 0.8f, 1);
    place_vertices(triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glProgramUniform4f(fragment, glGetUniformLocation(fragment, "tint"), 0.1f, 0.8f, 0.2f, 1);
    glDrawArrays(GL_POINTS, 0, 3);
    glBindProgramPipeline(0);
}

/* Written while it is mapped, twice, with a fence between. */
static void persistent(void)
{
    const GLbitfield flags = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
    GLuint buffer, program = make_program(plain_vertex, tinted_fragment);
    float *vertices;
    GLsync fence;

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0.9f, 0.9f, 1);
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferStorage(GL_ARRAY_BUFFER, sizeof(triangle), NULL, flags);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    vertices = glMapBufferRange(GL_ARRAY_BUFFER, 0, sizeof(triangle), flags);
    memcpy(vertices, triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1000000000);
    glDeleteSync(fence);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0, 0, 1);
    for (int n = 0; n < 6; n++)
        vertices[n] = triangle[n] * 0.4f;
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

/* Vertices and instances counted from others than the first. */
static void bases(void)
{
    static const float offsets[][2] = {{5, 5}, {-0.5f, 0.4f}, {0.5f, -0.4f}};
    static const float places[] = {9, 9, -0.3f, -0.3f, 0.3f, -0.3f, 0, 0.4f};
    static const uint16_t indices[] = {0, 1, 2};
    GLuint program = make_program("in vec2 place;\nlayout(location = 3) in vec2 offset;\n"
                                  "void main() { gl_Position = vec4(place + offset, 0.0, 1.0); }\n",
                                  tinted_fragment);

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.7f, 0.5f, 0.9f, 1);
    place_vertices(places, sizeof(places));
    make_buffer(GL_ARRAY_BUFFER, offsets, sizeof(offsets));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(3, 1);
    make_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glDrawElementsInstancedBaseVertexBaseInstance(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL, 1, 1,
                                                  1);
    glDrawArraysInstancedBaseInstance(GL_LINE_LOOP, 1, 3, 1, 2);
    glDisableVertexAttribArray(3);
    glVertexAttrib2f(3, 0, 0);
    glDrawElementsBaseVertex(GL_LINE_LOOP, 3, GL_UNSIGNED_SHORT, NULL, 1);
}

/* Patches are divided, and colours come from a buffer. */
static void patches(void)
{
    static const uint8_t colours[] = {255, 0, 0, 255, 0, 200, 90, 255};
    const GLuint shaders[] = {
        compile(GL_VERTEX_SHADER, plain_vertex),
        compile(GL_TESS_CONTROL_SHADER,
                "layout(vertices = 3) out;\nvoid main() {\n"
                "gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;\n"
                "gl_TessLevelInner[0] = 3.0; gl_TessLevelOuter[0] = 2.0;\n"
                "gl_TessLevelOuter[1] = 3.0; gl_TessLevelOuter[2] = 4.0; }\n"),
        compile(GL_TESS_EVALUATION_SHADER,
                "layout(triangles) in;\nvoid main() {\n"
                "gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y *\n"
                "gl_in[1].gl_Position + gl_TessCoord.z * gl_in[2].gl_Position; }\n"),
        compile(GL_FRAGMENT_SHADER,
                "uniform samplerBuffer colours;\nout vec4 colour;\n"
                "void main() { colour = texelFetch(colours, gl_PrimitiveID & 1); }\n")};
    GLuint texture;

    glUseProgram(link_stages(shaders, 4, NULL));
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_BUFFER, texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA8,
                make_buffer(GL_TEXTURE_BUFFER, colours, sizeof(colours)));
    place_vertices(triangle, sizeof(triangle));
    glPatchParameteri(GL_PATCH_VERTICES, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
    glDrawArrays(GL_PATCHES, 0, 3);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static void direct_access(void)
{
    uint8_t texels[8 * 8 * 4];
    GLuint texture, buffer, object;

    fill_texels(texels, 8, 8, 3);
    glCreateTextures(GL_TEXTURE_2D, 1, &texture);
    glTextureStorage2D(texture, 1, GL_RGBA8, 8, 8);
    glTextureSubImage2D(texture, 0, 0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTextureParameteri(texture, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glBindTextureUnit(0, texture);
    glCreateBuffers(1, &buffer);
    glNamedBufferStorage(buffer, sizeof(quad), quad, 0);
    glCreateVertexArrays(1, &object);
    glVertexArrayVertexBuffer(object, 0, buffer, 0, 8);
    glEnableVertexArrayAttrib(object, 0);
    glVertexArrayAttribFormat(object, 0, 2, GL_FLOAT, GL_FALSE, 0);
    glVertexArrayAttribBinding(object, 0, 0);
    glBindVertexArray(object);
    glUseProgram(make_program(textured_vertex, textured_fragment));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindVertexArray(vertex_array);
    glDeleteVertexArrays(1, &object);
}

static void more_stages(void)
{
    const GLuint shaders[] = {
        compile(GL_VERTEX_SHADER, plain_vertex),
        compile(GL_GEOMETRY_SHADER,
                "layout(triangles) in;\nlayout(line_strip, max_vertices = 4) out;\nvoid main() {\n"
                "for (int n = 0; n < 4; n++) { gl_Position = gl_in[n % 3].gl_Position * vec4(0.8,\n"
                "0.8, 1.0, 1.0); EmitVertex(); } EndPrimitive(); }\n"),
        compile(GL_FRAGMENT_SHADER,
                "subroutine vec4 Paint();\nsubroutine uniform Paint paint;\nout vec4 colour;\n"
                "subroutine(Paint) vec4 red() { return vec4(1.0, 0.1, 0.1, 1.0); }\n"
                "subroutine(Paint) vec4 blue() { return vec4(0.1, 0.1, 1.0, 1.0); }\n"
                "void main() { colour = paint(); }\n")};
    GLuint program = link_stages(shaders, 3, NULL);
    GLuint choice = glGetSubroutineIndex(program, GL_FRAGMENT_SHADER, "blue");

    glUseProgram(program);
    glUniformSubroutinesuiv(GL_FRAGMENT_SHADER, 1, &choice);
    place_vertices(triangle, sizeof(triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* A thread with a context that shares makes a texture. */
static GLuint shared_texture;

static void *make_elsewhere(void *other)
{
    uint8_t texels[4 * 4 * 4];

    if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, other))
        fail("a second context cannot be made current");
    fill_texels(texels, 4, 4, 200);
    shared_texture = make_texture(4, 4, texels);
    glFinish();
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    return NULL;
}

static void threads(void)
{
    static const EGLint three[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                   EGL_NONE};
    EGLContext other = eglCreateContext(display, config, context, three);
    pthread_t thread;

    if (other == EGL_NO_CONTEXT || pthread_create(&thread, NULL, make_elsewhere, other) != 0)
        fail("no second context");
    pthread_join(thread, NULL);
    glBindTexture(GL_TEXTURE_2D, shared_texture);
    draw_textured();
    eglDestroyContext(display, other);
}

static void lists(void)
{
    static const uint8_t numbers[] = {0, 2, 1};
    GLuint first = glGenLists(3);

    for (GLuint n = 0; n < 3; n++) {
        glNewList(first + n, 0x1300);
        glColor3f(0.3f * (float)n, 0.5f, 1 - 0.3f * (float)n);
        glBegin(GL_TRIANGLES);
        for (int v = 0; v < 3; v++)
            glVertex2f(triangle[2 * v] * 0.4f + 0.3f * (float)n, triangle[2 * v + 1]);
        glEnd();
        glEndList();
    }
    glUseProgram(0);
    glListBase(first);
    glCallLists(3, GL_UNSIGNED_BYTE, numbers);
}

static void client_memory(void)
{
    static const float colours[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const uint32_t indices[] = {2, 0, 1};
    static const float points[4][3] = {
        {-0.9f, 0, 0}, {-0.3f, 0.9f, 0}, {0.3f, -0.9f, 0}, {0.9f, 0, 0}};
    uint8_t texels[6 * 5 * 4];

    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glDisableVertexAttribArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glEnableClientState(0x8074);
    glEnableClientState(0x8076);
    glVertexPointer(2, GL_FLOAT, 0, triangle);
    glColorPointer(3, GL_FLOAT, 0, colours);
    glPushAttrib(0xFFFFF);
    glMatrixMode(0x1700);
    glLoadIdentity();
    glRotatef(20, 0, 0, 1);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, indices);
    glLoadIdentity();
    glPopAttrib();
    glDisableClientState(0x8074);
    glDisableClientState(0x8076);
    fill_texels(texels, 6, 5, 50);
    glRasterPos2f(-0.5f, -0.5f);
    glDrawPixels(6, 5, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glMap1f(0x0D97, 0, 1, 3, 4, points[0]);
    glEnable(0x0D97);
    glBegin(GL_LINE_STRIP);
    for (int n = 0; n <= 16; n++)
        glEvalCoord1f((float)n / 16);
    glEnd();
}

enum { ES = 1, CORE = 2, OLD = 4 };

static const struct {
    void (*draw)(void);
    int profiles;
} scenes[] = {
    {uniform_blocks, ES | CORE | OLD},
    {uniform_arrays, ES | CORE | OLD},
    {instances, ES | CORE | OLD},
    {vertex_arrays, ES | CORE | OLD},
    {restarts, ES | CORE | OLD},
    {feedback, ES | CORE | OLD},
    {resolve, ES | CORE | OLD},
    {pixel_buffers, ES | CORE | OLD},
    {mapped_ranges, ES | CORE | OLD},
    {several_targets, ES | CORE | OLD},
    {computed, ES | CORE | OLD},
    {layers, ES | CORE | OLD},
    {indirect, ES | CORE},
    {pipelines, ES | CORE},
    {persistent, CORE | OLD},
    {bases, CORE | OLD},
    {patches, CORE | OLD},
    {direct_access, CORE | OLD},
    {more_stages, CORE | OLD},
    {threads, ES},
    {lists, OLD},
    {client_memory, OLD},
};

static void write_frame(const char *folder, int number)
{
    static uint8_t pixels[HEIGHT][WIDTH][4];
    char path[4096];
    FILE *file;

    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    snprintf(path, sizeof(path), "%s/%02d.rgb", folder, number);
    file = fopen(path, "wb");
    if (file == NULL)
        fail("a picture cannot be written");
    for (int y = HEIGHT - 1; y >= 0; y--)
        for (int x = 0; x < WIDTH; x++)
            fwrite(pixels[y][x], 1, 3, file);
    if (fclose(file) != 0)
        fail("a picture cannot be written");
}

static int make_context(int profile)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                    EGL_PBUFFER_BIT,
                                    EGL_RED_SIZE,
                                    8,
                                    EGL_GREEN_SIZE,
                                    8,
                                    EGL_BLUE_SIZE,
                                    8,
                                    EGL_ALPHA_SIZE,
                                    8,
                                    EGL_DEPTH_SIZE,
                                    24,
                                    EGL_STENCIL_SIZE,
                                    8,
                                    EGL_SAMPLES,
                                    0,
                                    EGL_RENDERABLE_TYPE,
                                    EGL_OPENGL_BIT | EGL_OPENGL_ES3_BIT,
                                    EGL_NONE};
    static const EGLint size[] = {EGL_WIDTH, WIDTH, EGL_HEIGHT, HEIGHT, EGL_NONE};
    const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                           4,
                           EGL_CONTEXT_MINOR_VERSION,
                           5,
                           EGL_CONTEXT_OPENGL_PROFILE_MASK,
                           profile == OLD ? EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT
                                          : EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                           EGL_NONE};
    static const EGLint three[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1,
                                   EGL_NONE};
    EGLConfig configs[64];
    EGLint count = 0, alpha;

    display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (!eglInitialize(display, NULL, NULL) ||
        !eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, configs, 64, &count))
        return 77;
    for (int n = 0; n < count && config == NULL; n++)
        if (eglGetConfigAttrib(display, configs[n], EGL_RED_SIZE, &alpha) && alpha == 8)
            config = configs[n];
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, es ? three : core);
    surface = eglCreatePbufferSurface(display, config, size);
    if (context == EGL_NO_CONTEXT || surface == EGL_NO_SURFACE ||
        !eglMakeCurrent(display, surface, surface, context))
        return 77;
    return 0;
}

static void clear(void)
{
    glViewport(0, 0, WIDTH, HEIGHT);
    glClearColor(0.1f, 0.1f, 0.15f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

int main(int count, char **arguments)
{
    int profile, status, number = 0;

    if (count != 3)
        fail("gl_scenes es|core|old FOLDER");
    profile = strcmp(arguments[1], "es") == 0 ? ES : strcmp(arguments[1], "core") == 0 ? CORE : OLD;
    es = profile == ES;
    status = make_context(profile);
    if (status != 0)
        return status;
    glGenVertexArrays(1, &vertex_array);
    glBindVertexArray(profile == OLD ? 0 : vertex_array);
    for (size_t n = 0; n < sizeof(scenes) / sizeof(scenes[0]); n++) {
        if ((scenes[n].profiles & profile) == 0)
            continue;
        clear();
        scenes[n].draw();
        write_frame(arguments[2], number++);
        eglSwapBuffers(display, surface);
    }
    for (unsigned n = 0; profile == OLD; n++) {
        clear();
        if (!scene_fixed(n))
            break;
        write_frame(arguments[2], number++);
        eglSwapBuffers(display, surface);
    }
    return 0;
}
