/* SPDX-License-Identifier: MIT */
/*
 * gl_scenes PROFILE FOLDER: draws scenes with features of newer OpenGL, one in each frame, without
 * a window, and writes what it reads back of each to FOLDER/NN.rgb (64x48, rows from the top).
 * PROFILE is es (OpenGL ES 3.1), core (OpenGL 4.5), or old (compatibility). worker/test_scenes runs
 * it under a tracer and has the worker draw the same. Exit status 77: there is no such context.
 */
#include "tests/worker/gl_scenes.h"
#include "tests/worker/gl_scenes_tools.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = SCENE_WIDTH, HEIGHT = SCENE_HEIGHT };

/* Functions that headers of core profiles leave out. */
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

static void uniform_blocks(void)
{
    static const float colours[8] = {0.2f, 0.4f, 0.6f, 1, 0.9f, 0.1f, 0.3f, 1};
    static const uint16_t indices[] = {0, 1, 2, 2, 1, 3};
    GLuint program = scene_program(
        scene_plain_vertex, "layout(std140) uniform Low { vec4 low; };\n"
                            "layout(std140) uniform High { vec4 high; };\nout vec4 colour;\n"
                            "void main() { colour = mix(low, high, gl_FragCoord.x / 64.0); }\n");
    GLuint buffer;
    GLint alignment = 256;

    glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
    buffer = scene_buffer(GL_UNIFORM_BUFFER, NULL, (size_t)alignment + 16);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, 16, colours);
    glBufferSubData(GL_UNIFORM_BUFFER, alignment, 16, colours + 4);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Low"), 2);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "High"), 5);
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 0, 16);
    glBindBufferRange(GL_UNIFORM_BUFFER, 5, buffer, alignment, 16);
    glUseProgram(program);
    scene_place(scene_quad, sizeof(scene_quad));
    scene_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, NULL);
}

static void uniform_arrays(void)
{
    static const float colours[3][4] = {{1, 0, 0, 1}, {0, 1, 0, 1}, {0, 0.5f, 1, 1}};
    GLuint program = scene_program(
        scene_plain_vertex, "uniform vec4 unused;\nuniform vec4 tints[3];\nout vec4 colour;\n"
                            "void main() { colour = tints[int(gl_FragCoord.x) % 3]; }\n");

    glUseProgram(program);
    glUniform4fv(glGetUniformLocation(program, "tints"), 3, colours[0]);
    glUniform4f(glGetUniformLocation(program, "tints[1]"), 0.5f, 0.25f, 0.75f, 1);
    scene_place(scene_triangle, sizeof(scene_triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void instances(void)
{
    static const float offsets[][2] = {{-0.6f, 0}, {0, 0.3f}, {0.6f, -0.2f}};
    GLuint program = scene_program("in vec2 place;\nlayout(location = 3) in vec2 offset;\n"
                                   "flat out int number;\nvoid main() { number = gl_InstanceID;\n"
                                   "gl_Position = vec4(place * 0.3 + offset, 0.0, 1.0); }\n",
                                   "flat in int number;\nout vec4 colour;\nvoid main() {\n"
                                   "colour = vec4(float(number) * 0.4, 0.5, 0.2, 1.0); }\n");

    glUseProgram(program);
    scene_place(scene_quad, sizeof(scene_quad));
    scene_buffer(GL_ARRAY_BUFFER, offsets, sizeof(offsets));
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glVertexAttribDivisor(3, 1);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, 3);
    glDisableVertexAttribArray(3);
}

/* Two vertex array objects, each with its own arrays and indices, which it remembers. */
static void vertex_arrays(void)
{
    static const uint16_t forwards[] = {0, 1, 2}, strip[] = {0, 1, 2, 3};
    GLuint program = scene_program(scene_plain_vertex, scene_tinted_fragment), objects[2];
    GLint tint = glGetUniformLocation(program, "tint");

    glGenVertexArrays(2, objects);
    for (int n = 0; n < 2; n++) {
        glBindVertexArray(objects[n]);
        scene_place(n == 0 ? scene_quad : scene_triangle,
                    n == 0 ? sizeof(scene_quad) : sizeof(scene_triangle));
        scene_buffer(GL_ELEMENT_ARRAY_BUFFER, n == 0 ? strip : forwards,
                     n == 0 ? sizeof(strip) : sizeof(forwards));
    }
    glUseProgram(program);
    glBindVertexArray(objects[0]);
    glUniform4f(tint, 0.2f, 0.3f, 0.4f, 1);
    glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, NULL);
    glBindVertexArray(objects[1]);
    glUniform4f(tint, 0.9f, 0.3f, 0.1f, 1);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, NULL);
    glBindVertexArray(scene_vertex_array);
    glDeleteVertexArrays(2, objects);
}

/* Indices that end strips, and integer attributes that are not converted to floats. */
static void restarts(void)
{
    static const float places[] = {-0.9f, -0.9f, -0.9f, 0.9f, -0.2f, -0.9f, 0.2f,
                                   0.9f,  0.2f,  -0.9f, 0.9f, 0.9f,  0.9f,  -0.9f};
    static const GLint kinds[] = {1, 1, 1, 2, 3, 3, 3};
    static const uint16_t indices[] = {0, 1, 2, 0xFFFF, 3, 4, 5, 6};
    GLuint buffer;

    glUseProgram(
        scene_program("in vec2 place;\nlayout(location = 2) in int kind;\n"
                      "flat out int number;\nvoid main() { number = kind;\n"
                      "gl_Position = vec4(place, 0.0, 1.0); }\n",
                      "flat in int number;\nout vec4 colour;\nvoid main() {\n"
                      "colour = vec4(float(number & 1), 0.3 * float(number), 0.5, 1.0); }\n"));
    scene_place(places, sizeof(places));
    buffer = scene_buffer(GL_ARRAY_BUFFER, kinds, sizeof(kinds));
    glEnableVertexAttribArray(2);
    glVertexAttribIPointer(2, 1, GL_INT, 0, NULL);
    scene_buffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof(indices));
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDrawElements(GL_TRIANGLE_STRIP, 8, GL_UNSIGNED_SHORT, NULL);
    glDisable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    glDisableVertexAttribArray(2);
    glDeleteBuffers(1, &buffer);
}

/* Draws to two colour targets at the same time and shows the second. */
static void several_targets(void)
{
    static const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    static const float grey[] = {0.3f, 0.3f, 0.3f, 1};
    GLuint framebuffer, textures[2];

    for (int n = 0; n < 2; n++)
        textures[n] = scene_texture(WIDTH, HEIGHT, NULL);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (int n = 0; n < 2; n++)
        glFramebufferTexture2D(GL_FRAMEBUFFER, both[n], GL_TEXTURE_2D, textures[n], 0);
    glDrawBuffers(2, both);
    glClearBufferfv(GL_COLOR, 0, grey);
    glClearBufferfv(GL_COLOR, 1, grey);
    glUseProgram(scene_program(scene_plain_vertex, "layout(location = 0) out vec4 first;\n"
                                                   "layout(location = 1) out vec4 second;\n"
                                                   "void main() { first = vec4(1.0);\n"
                                                   "second = vec4(0.9, 0.8, 0.1, 1.0); }\n"));
    scene_place(scene_triangle, sizeof(scene_triangle));
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
        scene_compile(GL_VERTEX_SHADER,
                      "in vec2 place;\nout vec2 moved;\n"
                      "void main() { moved = place.yx * 0.7; gl_Position = vec4(0.0); }\n"),
        scene_compile(GL_FRAGMENT_SHADER,
                      "out vec4 colour;\nvoid main() { colour = vec4(1.0); }\n")};
    GLuint program = scene_link(shaders, 2, "moved"), object, captured;

    scene_place(scene_triangle, sizeof(scene_triangle));
    glGenTransformFeedbacks(1, &object);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, object);
    captured = scene_buffer(GL_TRANSFORM_FEEDBACK_BUFFER, NULL, sizeof(scene_triangle));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, captured);
    glUseProgram(program);
    glEnable(GL_RASTERIZER_DISCARD);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glEndTransformFeedback();
    glDisable(GL_RASTERIZER_DISCARD);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    program = scene_program(scene_plain_vertex, scene_tinted_fragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.9f, 0.6f, 0.1f, 1);
    glBindBuffer(GL_ARRAY_BUFFER, captured);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void resolve(void)
{
    GLuint framebuffer, buffer, program = scene_program(scene_plain_vertex, scene_tinted_fragment);

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
    scene_place(scene_triangle, sizeof(scene_triangle));
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

/* Uploads from a buffer, reads back into another, and uploads from that. */
static void pixel_buffers(void)
{
    uint8_t texels[16 * 8 * 4];
    GLuint buffer;

    scene_texels(texels, 16, 8, 9);
    buffer = scene_buffer(GL_PIXEL_UNPACK_BUFFER, texels, sizeof(texels));
    scene_texture(16, 8, NULL);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 16, 8, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    scene_draw_textured();
    glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
    glReadPixels(10, 10, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, (void *)64);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, (void *)64);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    scene_draw_textured();
}

static void mapped_ranges(void)
{
    GLuint program = scene_program(scene_plain_vertex, scene_tinted_fragment);
    float *vertices;

    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "tint"), 0.3f, 0.9f, 0.4f, 1);
    scene_place(NULL, sizeof(scene_triangle) + 64);
    vertices = glMapBufferRange(GL_ARRAY_BUFFER, 64, sizeof(scene_triangle),
                                GL_MAP_WRITE_BIT | GL_MAP_FLUSH_EXPLICIT_BIT);
    memcpy(vertices, scene_triangle, sizeof(scene_triangle));
    glFlushMappedBufferRange(GL_ARRAY_BUFFER, 0, sizeof(scene_triangle));
    glUnmapBuffer(GL_ARRAY_BUFFER);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, (void *)64);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void computed(void)
{
    const GLuint shader =
        scene_compile(GL_COMPUTE_SHADER,
                      "layout(local_size_x = 4, local_size_y = 4) in;\n"
                      "layout(rgba8, binding = 0) writeonly uniform highp image2D image;\n"
                      "layout(std430, binding = 1) buffer Scale { float scale; };\nvoid main() {\n"
                      "ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
                      "imageStore(image, at, vec4(vec2(at) * scale, 0.5, 1.0)); }\n");
    const float scale = 0.11f;
    GLuint texture, program = scene_link(&shader, 1, NULL);

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 8, 8);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1,
                     scene_buffer(GL_SHADER_STORAGE_BUFFER, &scale, sizeof(scale)));
    glUseProgram(program);
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glDispatchCompute(2, 2, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    scene_draw_textured();
}

static void layers(void)
{
    uint8_t texels[4 * 4 * 3 * 4];
    GLuint texture, sampler;

    scene_texels(texels, 4, 12, 77);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 4, 4, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenSamplers(1, &sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    glBindSampler(0, sampler);
    glUseProgram(
        scene_program(scene_textured_vertex,
                      "in vec2 where;\nuniform highp sampler2DArray image;\nout vec4 colour;\n"
                      "void main() { colour = texture(image, vec3(where * 3.0,\n"
                      "floor(where.x * 3.0))); }\n"));
    scene_place(scene_quad, sizeof(scene_quad));
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glBindSampler(0, 0);
}

/* A texture that is made by a thread with a context of its own, which shares objects. */
static GLuint shared_texture;

static void *make_elsewhere(void *other)
{
    uint8_t texels[4 * 4 * 4];

    if (!eglBindAPI(scene_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, other))
        scene_fail("a second context cannot be made current");
    scene_texels(texels, 4, 4, 200);
    shared_texture = scene_texture(4, 4, texels);
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
        scene_fail("no second context");
    pthread_join(thread, NULL);
    glBindTexture(GL_TEXTURE_2D, shared_texture);
    scene_draw_textured();
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
            glVertex2f(scene_triangle[2 * v] * 0.4f + 0.3f * (float)n, scene_triangle[2 * v + 1]);
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
    glVertexPointer(2, GL_FLOAT, 0, scene_triangle);
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
    scene_texels(texels, 6, 5, 50);
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
    {scene_indirect, ES | CORE},
    {scene_pipelines, ES | CORE},
    {scene_persistent, CORE | OLD},
    {scene_bases, CORE | OLD},
    {scene_patches, CORE | OLD},
    {scene_direct_access, CORE | OLD},
    {scene_more_stages, CORE | OLD},
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
        scene_fail("a picture cannot be written");
    for (int y = HEIGHT - 1; y >= 0; y--)
        for (int x = 0; x < WIDTH; x++)
            fwrite(pixels[y][x], 1, 3, file);
    if (fclose(file) != 0)
        scene_fail("a picture cannot be written");
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
        !eglBindAPI(scene_es ? EGL_OPENGL_ES_API : EGL_OPENGL_API) ||
        !eglChooseConfig(display, wanted, configs, 64, &count))
        return 77;
    for (int n = 0; n < count && config == NULL; n++)
        if (eglGetConfigAttrib(display, configs[n], EGL_RED_SIZE, &alpha) && alpha == 8)
            config = configs[n];
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, scene_es ? three : core);
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
        scene_fail("gl_scenes es|core|old FOLDER");
    profile = strcmp(arguments[1], "es") == 0 ? ES : strcmp(arguments[1], "core") == 0 ? CORE : OLD;
    scene_es = profile == ES;
    status = make_context(profile);
    if (status != 0)
        return status;
    glGenVertexArrays(1, &scene_vertex_array);
    glBindVertexArray(profile == OLD ? 0 : scene_vertex_array);
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
