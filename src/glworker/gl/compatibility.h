/* SPDX-License-Identifier: MIT */
/*
 * Functions and enumerators of OpenGL (the registry's gl.xml) that compatibility contexts have, and
 * headers for core profiles lack: functions that are called by name, and enumerators that several
 * files use. The process's driver has them all.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_COMPATIBILITY_H
#define GPUDUMPFS_GLWORKER_GL_COMPATIBILITY_H

#include "glworker/core/graphics.h"

/* Primitives. */
#define GL_QUADS      0x0007
#define GL_QUAD_STRIP 0x0008
#define GL_POLYGON    0x0009

/* Current values. */
#define GL_CURRENT_COLOR           0x0B00
#define GL_CURRENT_NORMAL          0x0B02
#define GL_CURRENT_TEXTURE_COORDS  0x0B03
#define GL_CURRENT_FOG_COORD       0x8453
#define GL_CURRENT_SECONDARY_COLOR 0x8459

/* Matrices. */
#define GL_MATRIX_MODE                0x0BA0
#define GL_MODELVIEW                  0x1700
#define GL_PROJECTION                 0x1701
#define GL_MODELVIEW_STACK_DEPTH      0x0BA3
#define GL_PROJECTION_STACK_DEPTH     0x0BA4
#define GL_TEXTURE_STACK_DEPTH        0x0BA5
#define GL_MAX_MODELVIEW_STACK_DEPTH  0x0D36
#define GL_MAX_PROJECTION_STACK_DEPTH 0x0D38
#define GL_MAX_TEXTURE_STACK_DEPTH    0x0D39
#define GL_MAX_TEXTURE_COORDS         0x8871

/* A type of an OpenGL ES extension. */
#define GL_HALF_FLOAT_OES 0x8D61

/* Switches. */
#define GL_POINT_SMOOTH    0x0B10
#define GL_LINE_STIPPLE    0x0B24
#define GL_POLYGON_STIPPLE 0x0B42
#define GL_LIGHTING        0x0B50
#define GL_COLOR_MATERIAL  0x0B57
#define GL_FOG             0x0B60
#define GL_NORMALIZE       0x0BA1
#define GL_ALPHA_TEST      0x0BC0
#define GL_TEXTURE_GEN_S   0x0C60
#define GL_TEXTURE_GEN_T   0x0C61
#define GL_TEXTURE_GEN_R   0x0C62
#define GL_TEXTURE_GEN_Q   0x0C63
#define GL_RESCALE_NORMAL  0x803A
#define GL_COLOR_SUM       0x8458
#define GL_POINT_SPRITE    0x8861

/* Stacks of attributes. */
#define GL_ENABLE_BIT                    0x00002000
#define GL_ATTRIB_STACK_DEPTH            0x0BB0
#define GL_CLIENT_ATTRIB_STACK_DEPTH     0x0BB1
#define GL_MAX_ATTRIB_STACK_DEPTH        0x0D35
#define GL_MAX_CLIENT_ATTRIB_STACK_DEPTH 0x0D3B

/* Units, lights and programs. */
#define GL_CLIENT_ACTIVE_TEXTURE 0x84E1
#define GL_MAX_TEXTURE_UNITS     0x84E2
#define GL_LIGHT0                0x4000
#define GL_VERTEX_PROGRAM_ARB    0x8620

void glBegin(GLenum mode);
void glClientActiveTexture(GLenum unit);
void glColor4fv(const GLfloat *color);
void glEnd(void);
void glFogCoordfv(const GLfloat *coord);
void glGetClipPlane(GLenum plane, GLdouble *equation);
void glGetLightfv(GLenum light, GLenum what, GLfloat *values);
void glGetMaterialfv(GLenum face, GLenum what, GLfloat *values);
void glGetTexEnvfv(GLenum target, GLenum what, GLfloat *values);
void glGetTexEnviv(GLenum target, GLenum what, GLint *values);
void glGetTexGenfv(GLenum coordinate, GLenum what, GLfloat *values);
void glGetTexGeniv(GLenum coordinate, GLenum what, GLint *values);
void glLoadMatrixf(const GLfloat *matrix);
void glMatrixMode(GLenum mode);
void glMultiTexCoord4fv(GLenum unit, const GLfloat *coords);
void glNormal3fv(const GLfloat *normal);
void glPixelTransferf(GLenum what, GLfloat value);
void glPopAttrib(void);
void glPopClientAttrib(void);
void glPopMatrix(void);
void glPushAttrib(GLbitfield mask);
void glPushClientAttrib(GLbitfield mask);
void glPushMatrix(void);
void glSecondaryColor3fv(const GLfloat *color);
void glVertex2f(GLfloat x, GLfloat y);
void glVertex4fv(const GLfloat *place);

#endif
