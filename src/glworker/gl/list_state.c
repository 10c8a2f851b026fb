/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/compatibility.h"
#include "glworker/gl/list_state.h"

/* Enumerators of compatibility contexts, which headers for core profiles lack. */
enum {
    MODELVIEW_MATRIX = 0x0BA6,
    PROJECTION_MATRIX = 0x0BA7,
    TEXTURE_MATRIX = 0x0BA8,
};

void retrace_list_before_save(struct retrace_list_before *out)
{
    *out = (struct retrace_list_before){.mode = retrace_get(GL_MATRIX_MODE),
                                        .active = retrace_get(GL_ACTIVE_TEXTURE),
                                        .units = retrace_matrix_units()};
    out->coordinates = out->units < RETRACE_BEGUN_UNITS ? out->units : RETRACE_BEGUN_UNITS;
    glGetFloatv(MODELVIEW_MATRIX, out->modelview);
    glGetFloatv(PROJECTION_MATRIX, out->projection);
    for (GLint n = 0; n < out->units; n++) {
        glActiveTexture(GL_TEXTURE0 + (GLenum)n);
        glGetFloatv(TEXTURE_MATRIX, out->matrices[n]);
        if (n < out->coordinates)
            glGetFloatv(GL_CURRENT_TEXTURE_COORDS, out->coords[n]);
    }
    glActiveTexture((GLenum)out->active);
    glGetFloatv(GL_CURRENT_COLOR, out->color);
    glGetFloatv(GL_CURRENT_SECONDARY_COLOR, out->secondary);
    glGetFloatv(GL_CURRENT_NORMAL, out->normal);
    glGetFloatv(GL_CURRENT_FOG_COORD, &out->fog);
    graphics_failed();
}

void retrace_list_before_load(const struct retrace_list_before *before)
{
    glMatrixMode(GL_MODELVIEW);
    glLoadMatrixf(before->modelview);
    glMatrixMode(GL_PROJECTION);
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
