/* SPDX-License-Identifier: MIT */
/* Scenes of gl_scenes with features of OpenGL before shaders, and early extensions. */
#define GL_GLEXT_PROTOTYPES
#include "tests/worker/gl_scenes.h"

#include <EGL/egl.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that no library exports. */
#define EARLY(type, name) type name = (type)eglGetProcAddress(#name)

static void begin_fixed(void)
{
    glUseProgram(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glBindTexture(GL_TEXTURE_2D, 0);
    glPushAttrib(GL_ALL_ATTRIB_BITS);
    glPushClientAttrib(GL_CLIENT_ALL_ATTRIB_BITS);
    glColor4f(1, 1, 1, 1);
    glMatrixMode(GL_PROJECTION);
    glPushMatrix();
    glLoadIdentity();
    glMatrixMode(GL_MODELVIEW);
    glPushMatrix();
    glLoadIdentity();
}

static void end_fixed(void)
{
    glMatrixMode(GL_PROJECTION);
    glPopMatrix();
    glMatrixMode(GL_MODELVIEW);
    glPopMatrix();
    glPopClientAttrib();
    glPopAttrib();
}

static void lit(void)
{
    static const GLfloat light[] = {0.5f, 1, -1, 0}, red[] = {0.9f, 0.2f, 0.1f, 1};
    static const GLfloat fog[] = {0.1f, 0.3f, 0.5f, 1};

    glEnable(GL_LIGHTING);
    glEnable(GL_LIGHT0);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_FOG);
    glFogi(GL_FOG_MODE, GL_LINEAR);
    glFogf(GL_FOG_START, 0);
    glFogf(GL_FOG_END, 6);
    glFogfv(GL_FOG_COLOR, fog);
    glLightfv(GL_LIGHT0, GL_POSITION, light);
    glMaterialfv(GL_FRONT_AND_BACK, GL_AMBIENT_AND_DIFFUSE, red);
    glMatrixMode(GL_PROJECTION);
    glFrustum(-0.5, 0.5, -0.5, 0.5, 1, 20);
    glMatrixMode(GL_MODELVIEW);
    glTranslatef(0, 0, -3);
    glRotated(40, 1, 0.5, 0);
    for (int side = 0; side < 4; side++) {
        glBegin(GL_QUADS);
        glNormal3f(0, 0, 1);
        for (int n = 0; n < 4; n++)
            glVertex3f(n == 1 || n == 2 ? 1.f : -1.f, n > 1 ? 1.f : -1.f, 1);
        glEnd();
        glRotatef(90, 0, 1, 0);
    }
}

static void font(void)
{
    static const uint8_t letters[2][8] = {{0x81, 0x42, 0x24, 0x18, 0x18, 0x24, 0x42, 0x81},
                                          {0xFF, 0x80, 0x80, 0xFC, 0x80, 0x80, 0x80, 0xFF}};
    GLuint base = glGenLists(128);

    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (GLuint n = 0; n < 2; n++) {
        glNewList(base + 'a' + n, GL_COMPILE);
        glBitmap(8, 8, 0, 0, 10, 2, letters[n]);
        glEndList();
    }
    glListBase(base);
    glColor3f(1, 1, 0);
    glRasterPos2f(-0.8f, -0.3f);
    glCallLists(4, GL_UNSIGNED_BYTE, "abba");
    glDeleteLists(base, 128);
}

static void textured_arrays(void)
{
    static const GLfloat places[][2] = {{-0.9f, -0.9f}, {0.9f, -0.9f}, {0.9f, 0.9f}, {-0.9f, 0.9f}};
    static const GLfloat first[][2] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}};
    static const GLshort second[][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const GLubyte order[] = {0, 1, 2, 3};
    uint8_t texels[8 * 8 * 3];
    GLuint names[2];

    for (size_t n = 0; n < sizeof(texels); n++)
        texels[n] = (uint8_t)(n * n * 7);
    glGenTextures(2, names);
    for (GLenum unit = 0; unit < 2; unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        glBindTexture(GL_TEXTURE_2D, names[unit]);
        glTexParameteri(GL_TEXTURE_2D, GL_GENERATE_MIPMAP, GL_TRUE);
        glTexImage2D(GL_TEXTURE_2D, 0, unit ? GL_LUMINANCE : GL_RGB, 8, 8, 0, GL_RGB,
                     GL_UNSIGNED_BYTE, texels);
        glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, unit ? GL_ADD : GL_MODULATE);
        glEnable(GL_TEXTURE_2D);
        glClientActiveTexture(GL_TEXTURE0 + unit);
        glEnableClientState(GL_TEXTURE_COORD_ARRAY);
        if (unit)
            glTexCoordPointer(2, GL_SHORT, 0, second);
        else
            glTexCoordPointer(2, GL_FLOAT, 0, first);
    }
    glColor3f(0.5f, 0.7f, 0.9f);
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, places);
    glDrawRangeElements(GL_QUADS, 0, 3, 4, GL_UNSIGNED_BYTE, order);
    glDisable(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE0);
    glDisable(GL_TEXTURE_2D);
    glClientActiveTexture(GL_TEXTURE0);
}

static void copied(void)
{
    glBegin(GL_TRIANGLES);
    glColor3f(1, 0, 0);
    glVertex2f(-1, -1);
    glColor3f(0, 1, 0);
    glVertex2f(0, -1);
    glColor3f(0, 0, 1);
    glVertex2f(-0.5f, 0);
    glEnd();
    glRasterPos2f(0, 0);
    glPixelZoom(1.5f, 0.5f);
    glCopyPixels(0, 0, 30, 24, GL_COLOR);
    glPixelZoom(1, 1);
    glEnable(GL_TEXTURE_2D);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 32, 16, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glEnable(GL_TEXTURE_GEN_S);
    glEnable(GL_TEXTURE_GEN_T);
    glTexGeni(GL_S, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    glTexGeni(GL_T, GL_TEXTURE_GEN_MODE, GL_OBJECT_LINEAR);
    glColor3f(1, 1, 1);
    glRectf(-0.9f, 0.3f, -0.1f, 0.9f);
    glReadBuffer(GL_BACK);
    glDrawBuffer(GL_NONE);
    glRectf(-1, -1, 1, 1);
    glDrawBuffer(GL_BACK);
    glRecti(0, 0, 0, 1);
}

static void stippled(void)
{
    uint8_t pattern[128];

    for (size_t n = 0; n < sizeof(pattern); n++)
        pattern[n] = (uint8_t)(n * 29 + 3);
    glEnable(GL_POLYGON_STIPPLE);
    glPolygonStipple(pattern);
    glEnable(GL_SCISSOR_TEST);
    glScissor(5, 5, 40, 30);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glColor4f(0.2f, 0.9f, 0.9f, 0.6f);
    glRectf(-1, -1, 1, 1);
    glDisable(GL_POLYGON_STIPPLE);
    glEnable(GL_LINE_STIPPLE);
    glLineStipple(2, 0xA5A5);
    glBegin(GL_LINE_LOOP);
    glVertex2f(-0.7f, -0.6f);
    glVertex2f(0.4f, 0.1f);
    glVertex2f(-0.2f, 0.5f);
    glEnd();
    glEnable(GL_STENCIL_TEST);
    glClearStencil(1);
    glClear(GL_STENCIL_BUFFER_BIT);
    glStencilFunc(GL_EQUAL, 1, 255);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glRectf(-0.5f, -0.5f, 0.2f, 0.2f);
    glRectf(-0.3f, -0.3f, 0.4f, 0.4f);
}

static void assembly(void)
{
    static const char vertex[] = "!!ARBvp1.0\nMOV result.position, vertex.position;\n"
                                 "MOV result.color, program.local[3];\nEND\n";
    static const char fragment[] = "!!ARBfp1.0\nPARAM scale = { 0.5, 1.0, 0.25, 1.0 };\n"
                                   "MUL result.color, fragment.color, scale;\nEND\n";
    EARLY(PFNGLGENPROGRAMSARBPROC, glGenProgramsARB);
    EARLY(PFNGLBINDPROGRAMARBPROC, glBindProgramARB);
    EARLY(PFNGLPROGRAMSTRINGARBPROC, glProgramStringARB);
    EARLY(PFNGLPROGRAMLOCALPARAMETER4FARBPROC, glProgramLocalParameter4fARB);
    EARLY(PFNGLDELETEPROGRAMSARBPROC, glDeleteProgramsARB);
    GLuint programs[2];

    glGenProgramsARB(2, programs);
    glBindProgramARB(GL_VERTEX_PROGRAM_ARB, programs[0]);
    glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof(vertex) - 1,
                       vertex);
    glProgramLocalParameter4fARB(GL_VERTEX_PROGRAM_ARB, 3, 0.8f, 0.6f, 0.9f, 1);
    glBindProgramARB(GL_FRAGMENT_PROGRAM_ARB, programs[1]);
    glProgramStringARB(GL_FRAGMENT_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, sizeof(fragment) - 1,
                       fragment);
    glEnable(GL_VERTEX_PROGRAM_ARB);
    glEnable(GL_FRAGMENT_PROGRAM_ARB);
    glRectf(-0.5f, -0.8f, 0.8f, 0.5f);
    glDisable(GL_VERTEX_PROGRAM_ARB);
    glDisable(GL_FRAGMENT_PROGRAM_ARB);
    glDeleteProgramsARB(2, programs);
}

static void shader_objects(void)
{
    static const GLcharARB *vertex = "attribute vec2 spot; varying vec2 there;\nvoid main() {\n"
                                     "there = spot; gl_Position = vec4(spot, 0.0, 1.0); }\n";
    static const GLcharARB *fragment =
        "uniform vec3 shades[2]; varying vec2 there;\nvoid main() {\n"
        "gl_FragColor = vec4(there.x > 0.0 ? shades[0] : shades[1], 1.0); }\n";
    static const GLfloat shades[] = {0.9f, 0.5f, 0, 0, 0.5f, 0.9f};
    static const GLfloat spots[] = {-0.9f, -0.4f, 0.9f, -0.4f, 0, 0.9f};
    EARLY(PFNGLCREATESHADEROBJECTARBPROC, glCreateShaderObjectARB);
    EARLY(PFNGLCREATEPROGRAMOBJECTARBPROC, glCreateProgramObjectARB);
    EARLY(PFNGLSHADERSOURCEARBPROC, glShaderSourceARB);
    EARLY(PFNGLCOMPILESHADERARBPROC, glCompileShaderARB);
    EARLY(PFNGLATTACHOBJECTARBPROC, glAttachObjectARB);
    EARLY(PFNGLLINKPROGRAMARBPROC, glLinkProgramARB);
    EARLY(PFNGLUSEPROGRAMOBJECTARBPROC, glUseProgramObjectARB);
    EARLY(PFNGLGETUNIFORMLOCATIONARBPROC, glGetUniformLocationARB);
    EARLY(PFNGLUNIFORM3FVARBPROC, glUniform3fvARB);
    EARLY(PFNGLGETATTRIBLOCATIONARBPROC, glGetAttribLocationARB);
    EARLY(PFNGLVERTEXATTRIBPOINTERARBPROC, glVertexAttribPointerARB);
    EARLY(PFNGLENABLEVERTEXATTRIBARRAYARBPROC, glEnableVertexAttribArrayARB);
    EARLY(PFNGLDISABLEVERTEXATTRIBARRAYARBPROC, glDisableVertexAttribArrayARB);
    EARLY(PFNGLDELETEOBJECTARBPROC, glDeleteObjectARB);
    GLhandleARB stages[2] = {glCreateShaderObjectARB(GL_VERTEX_SHADER_ARB),
                             glCreateShaderObjectARB(GL_FRAGMENT_SHADER_ARB)};
    GLhandleARB program = glCreateProgramObjectARB();
    GLint spot;

    glShaderSourceARB(stages[0], 1, &vertex, NULL);
    glShaderSourceARB(stages[1], 1, &fragment, NULL);
    for (int n = 0; n < 2; n++) {
        glCompileShaderARB(stages[n]);
        glAttachObjectARB(program, stages[n]);
    }
    glLinkProgramARB(program);
    glUseProgramObjectARB(program);
    glUniform3fvARB(glGetUniformLocationARB(program, "shades"), 2, shades);
    spot = glGetAttribLocationARB(program, "spot");
    glVertexAttribPointerARB((GLuint)spot, 2, GL_FLOAT, GL_FALSE, 0, spots);
    glEnableVertexAttribArrayARB((GLuint)spot);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDisableVertexAttribArrayARB((GLuint)spot);
    glUseProgramObjectARB(0);
    glDeleteObjectARB(program);
}

static void early_framebuffer(void)
{
    EARLY(PFNGLGENFRAMEBUFFERSEXTPROC, glGenFramebuffersEXT);
    EARLY(PFNGLBINDFRAMEBUFFEREXTPROC, glBindFramebufferEXT);
    EARLY(PFNGLFRAMEBUFFERTEXTURE2DEXTPROC, glFramebufferTexture2DEXT);
    EARLY(PFNGLGENERATEMIPMAPEXTPROC, glGenerateMipmapEXT);
    EARLY(PFNGLDELETEFRAMEBUFFERSEXTPROC, glDeleteFramebuffersEXT);
    GLuint framebuffer, texture;

    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, NULL);
    glGenFramebuffersEXT(1, &framebuffer);
    glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, framebuffer);
    glFramebufferTexture2DEXT(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_TEXTURE_2D, texture,
                              0);
    glViewport(0, 0, 16, 16);
    glClearColor(0.9f, 0.9f, 0.2f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor3f(0.1f, 0.2f, 0.9f);
    glRectf(-0.5f, -0.5f, 1, 0.2f);
    glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, 0);
    glGenerateMipmapEXT(GL_TEXTURE_2D);
    glViewport(0, 0, SCENE_WIDTH, SCENE_HEIGHT);
    glEnable(GL_TEXTURE_2D);
    glColor3f(1, 1, 1);
    glBegin(GL_TRIANGLE_FAN);
    for (int n = 0; n < 4; n++) {
        float x = n == 1 || n == 2 ? 1.f : 0.f, y = n > 1 ? 1.f : 0.f;

        glTexCoord2f(3 * x, 3 * y);
        glVertex3f(x - 0.6f, y - 0.4f, 0);
    }
    glEnd();
    glDeleteFramebuffersEXT(1, &framebuffer);
}

static void many(void)
{
    static const GLfloat places[] = {-0.9f, -0.9f, -0.3f, -0.9f, -0.6f, 0,     0.1f, 0,     0.7f,
                                     0,     0.4f,  0.9f,  -0.9f, 0.9f,  -0.5f, 0.9f, -0.7f, 0.5f};
    static const GLint firsts[] = {0, 6};
    static const GLsizei counts[] = {3, 3};
    static const GLushort indices[] = {3, 4, 5};
    static const GLvoid *lists[] = {indices, indices};
    static const GLfloat interleaved[] = {1,    0,     0, 0.2f, -0.9f, 0, 0,    1,     0,
                                          0.9f, -0.9f, 0, 0,    0,     1, 0.9f, -0.2f, 0};

    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(2, GL_FLOAT, 0, places);
    glColor3f(0.9f, 0.9f, 0.4f);
    glMultiDrawArrays(GL_TRIANGLES, firsts, counts, 2);
    glMultiDrawElements(GL_TRIANGLES, counts, GL_UNSIGNED_SHORT, lists, 2);
    glInterleavedArrays(GL_C3F_V3F, 0, interleaved);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBegin(GL_LINES);
    glArrayElement(0);
    glArrayElement(2);
    glEnd();
    glDisableClientState(GL_COLOR_ARRAY);
}

static void modes(void)
{
    GLfloat feedback[64];
    GLuint selection[64], query, pixels = 0;

    glFeedbackBuffer(64, GL_2D, feedback);
    glRenderMode(GL_FEEDBACK);
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
    glRenderMode(GL_RENDER);
    glSelectBuffer(64, selection);
    glRenderMode(GL_SELECT);
    glInitNames();
    glPushName(3);
    glRectf(-0.5f, -0.5f, 0.5f, 0.5f);
    glRenderMode(GL_RENDER);
    glGenQueries(1, &query);
    glBeginQuery(GL_SAMPLES_PASSED, query);
    glColor3f(0.4f, 0.2f, 0.6f);
    glRectf(-0.3f, -0.7f, 0.5f, 0.5f);
    glEndQuery(GL_SAMPLES_PASSED);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &pixels);
    glBeginConditionalRender(query, GL_QUERY_WAIT);
    glColor3f(0.9f, 0.2f, 0.6f);
    glRectf(-0.1f, -0.1f, 0.7f, 0.7f);
    glEndConditionalRender();
    glColor3ub((GLubyte)(pixels & 255), (GLubyte)(pixels >> 8 & 255), 99);
    glRectf(-0.9f, 0.8f, 0.9f, 0.95f);
    glDeleteQueries(1, &query);
}

static void pixel_transfer(void)
{
    static const GLfloat curve[] = {1, 0.7f, 0.2f, 0};
    uint8_t texels[10 * 7 * 3];
    GLushort packed[6 * 5]; /* rows of five, aligned to four bytes */

    for (size_t n = 0; n < sizeof(texels); n++)
        texels[n] = (uint8_t)(n * 17);
    for (size_t n = 0; n < sizeof(packed) / sizeof(packed[0]); n++)
        packed[n] = (GLushort)(n * 2621);
    glPixelMapfv(GL_PIXEL_MAP_R_TO_R, 4, curve);
    glPixelTransferi(GL_MAP_COLOR, GL_TRUE);
    glPixelTransferf(GL_GREEN_SCALE, 0.5f);
    glRasterPos2f(-0.9f, -0.9f);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 10);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 2);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 1);
    glPixelZoom(4, 4);
    glDrawPixels(7, 6, GL_RGB, GL_UNSIGNED_BYTE, texels);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 0);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelTransferi(GL_MAP_COLOR, GL_FALSE);
    glRasterPos2f(0.1f, 0.1f);
    glDrawPixels(5, 5, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, packed);
    glPixelTransferf(GL_GREEN_SCALE, 1);
    glPixelZoom(1, 1);
}

/* A compressed texture, a three-dimensional one, and a cube map. */
static void unusual_textures(void)
{
    uint8_t blocks[4 * 8], volume[4 * 4 * 4 * 4];
    uint8_t face[2 * 8]; /* rows are aligned to four bytes */
    GLuint names[3];

    for (size_t n = 0; n < sizeof(blocks); n++)
        blocks[n] = (uint8_t)(n * 83 + 5);
    for (size_t n = 0; n < sizeof(volume); n++)
        volume[n] = (uint8_t)(n * 13);
    glGenTextures(3, names);
    glBindTexture(GL_TEXTURE_2D, names[0]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB_S3TC_DXT1_EXT, 8, 8, 0,
                           sizeof(blocks), blocks);
    glEnable(GL_TEXTURE_2D);
    glBegin(GL_QUADS);
    glTexCoord2i(0, 0), glVertex2f(-1, -1);
    glTexCoord2i(1, 0), glVertex2f(0, -1);
    glTexCoord2i(1, 1), glVertex2f(0, 0);
    glTexCoord2i(0, 1), glVertex2f(-1, 0);
    glEnd();
    glDisable(GL_TEXTURE_2D);
    glBindTexture(GL_TEXTURE_3D, names[1]);
    glTexParameteri(GL_TEXTURE_3D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, volume);
    glEnable(GL_TEXTURE_3D);
    glBegin(GL_TRIANGLES);
    glTexCoord3f(0, 0, 0), glVertex2f(0, 0);
    glTexCoord3f(1, 0, 1), glVertex2f(1, 0);
    glTexCoord3f(0, 1, 0.5f), glVertex2f(0, 1);
    glEnd();
    glDisable(GL_TEXTURE_3D);
    glBindTexture(GL_TEXTURE_CUBE_MAP, names[2]);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (GLenum n = 0; n < 6; n++) {
        for (size_t i = 0; i < sizeof(face); i++)
            face[i] = (uint8_t)(40 * n + 20 * i);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + n, 0, GL_RGB8, 2, 2, 0, GL_RGB,
                     GL_UNSIGNED_BYTE, face);
    }
    glEnable(GL_TEXTURE_CUBE_MAP);
    glBegin(GL_TRIANGLES);
    glTexCoord3f(1, 0.2f, -1), glVertex2f(-1, 0.1f);
    glTexCoord3f(-1, 0.2f, 1), glVertex2f(0, 0.1f);
    glTexCoord3f(0.1f, 1, 0), glVertex2f(-0.5f, 1);
    glEnd();
    glDisable(GL_TEXTURE_CUBE_MAP);
}

static void surfaces(void)
{
    GLfloat points[4][4][3];

    for (int u = 0; u < 4; u++)
        for (int v = 0; v < 4; v++) {
            points[u][v][0] = (float)u * 0.5f - 0.8f;
            points[u][v][1] = (float)v * 0.5f - 0.8f;
            points[u][v][2] = u == 1 && v == 2 ? 0.9f : 0;
        }
    glMap2f(GL_MAP2_VERTEX_3, 0, 1, 3, 4, 0, 1, 12, 4, points[0][0]);
    glEnable(GL_MAP2_VERTEX_3);
    glMapGrid2f(8, 0, 1, 8, 0, 1);
    glColor3f(0.7f, 1, 0.7f);
    glRotatef(30, 1, 1, 0);
    glEvalMesh2(GL_LINE, 0, 8, 0, 8);
    glDisable(GL_MAP2_VERTEX_3);
}

static void (*const fixed[])(void) = {lit,      font,     textured_arrays, copied,
                                      stippled, assembly, shader_objects,  early_framebuffer,
                                      many,     modes,    pixel_transfer,  unusual_textures,
                                      surfaces};

int scene_fixed(unsigned number)
{
    if (number >= sizeof(fixed) / sizeof(fixed[0]))
        return 0;
    begin_fixed();
    fixed[number]();
    end_fixed();
    return 1;
}
