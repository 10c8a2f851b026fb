/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/list_state.h"

/* Of contexts for compatibility; headers for core profiles lack them. */
enum {
    CURRENT_COLOR = 0x0B00,
    CURRENT_NORMAL = 0x0B02,
    CURRENT_COORDS = 0x0B03,
    CURRENT_FOG = 0x8453,
    CURRENT_SECONDARY = 0x8459,
    MATRIX_MODE = 0x0BA0,
    MODELVIEW_MATRIX = 0x0BA6,
    PROJECTION_MATRIX = 0x0BA7,
    TEXTURE_MATRIX = 0x0BA8,
    MODELVIEW = 0x1700,
    PROJECTION = 0x1701
};

void glMatrixMode(GLenum mode);
void glLoadMatrixf(const GLfloat *matrix);
void glColor4fv(const GLfloat *color);
void glSecondaryColor3fv(const GLfloat *color);
void glNormal3fv(const GLfloat *normal);
void glFogCoordfv(const GLfloat *coord);
void glMultiTexCoord4fv(GLenum unit, const GLfloat *coords);

void retrace_list_before_save(struct retrace_list_before *out)
{
    *out = (struct retrace_list_before){.mode = retrace_get(MATRIX_MODE),
                                        .active = retrace_get(GL_ACTIVE_TEXTURE),
                                        .units = retrace_matrix_units()};
    out->coordinates = out->units < RETRACE_BEGUN_UNITS ? out->units : RETRACE_BEGUN_UNITS;
    glGetFloatv(MODELVIEW_MATRIX, out->modelview);
    glGetFloatv(PROJECTION_MATRIX, out->projection);
    for (GLint n = 0; n < out->units; n++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)n);
        glGetFloatv(TEXTURE_MATRIX, out->matrices[n]);
        if (n < out->coordinates)
            glGetFloatv(CURRENT_COORDS, out->coords[n]);
    }
    glActiveTexture((GLenum)out->active);
    glGetFloatv(CURRENT_COLOR, out->color);
    glGetFloatv(CURRENT_SECONDARY, out->secondary);
    glGetFloatv(CURRENT_NORMAL, out->normal);
    glGetFloatv(CURRENT_FOG, &out->fog);
    graphics_failed();
}

void retrace_list_before_load(const struct retrace_list_before *before)
{
    glMatrixMode(MODELVIEW);
    glLoadMatrixf(before->modelview);
    glMatrixMode(PROJECTION);
    glLoadMatrixf(before->projection);
    glMatrixMode(GL_TEXTURE);
    for (GLint n = 0; n < before->units; n++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)n);
        glLoadMatrixf(before->matrices[n]);
        if (n < before->coordinates)
            glMultiTexCoord4fv(GL_TEXTURE0 + (GLenum)n, before->coords[n]);
    }
    glActiveTexture((GLenum)before->active);
    glMatrixMode((GLenum)before->mode);
    glColor4fv(before->color);
    glSecondaryColor3fv(before->secondary);
    glNormal3fv(before->normal);
    glFogCoordfv(&before->fog);
}
