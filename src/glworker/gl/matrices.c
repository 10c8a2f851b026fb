/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/matrices.h"

#include "glworker/gl/compatibility.h"

enum { MODELVIEW, PROJECTION, TEXTURES };

GLint retrace_matrix_units(void)
{
    const GLint count = retrace_get(GL_MAX_TEXTURE_COORDS);

    return count < RETRACE_UNITS_MAX ? count : RETRACE_UNITS_MAX;
}

bool retrace_is_matrix(int64_t mode)
{
    return mode == GL_MODELVIEW || mode == GL_PROJECTION || mode == GL_TEXTURE;
}

int retrace_matrix_stack(GLint *depth, GLint *max)
{
    const GLint mode = retrace_get(GL_MATRIX_MODE);
    const GLint unit = retrace_get(GL_ACTIVE_TEXTURE) - GL_TEXTURE0;

    if (mode == GL_MODELVIEW) {
        *depth = retrace_get(GL_MODELVIEW_STACK_DEPTH);
        *max = retrace_get(GL_MAX_MODELVIEW_STACK_DEPTH);
        return MODELVIEW;
    }
    if (mode == GL_PROJECTION) {
        *depth = retrace_get(GL_PROJECTION_STACK_DEPTH);
        *max = retrace_get(GL_MAX_PROJECTION_STACK_DEPTH);
        return PROJECTION;
    }
    if (mode != GL_TEXTURE || unit < 0 || unit >= retrace_matrix_units())
        return -1;
    *depth = retrace_get(GL_TEXTURE_STACK_DEPTH);
    *max = retrace_get(GL_MAX_TEXTURE_STACK_DEPTH);
    return TEXTURES + unit;
}

void retrace_matrices_each(void (*act)(void *context, unsigned stack), void *context)
{
    const GLint mode = retrace_get(GL_MATRIX_MODE), active = retrace_get(GL_ACTIVE_TEXTURE);

    glMatrixMode(GL_MODELVIEW);
    act(context, MODELVIEW);
    glMatrixMode(GL_PROJECTION);
    act(context, PROJECTION);
    glMatrixMode(GL_TEXTURE);
    for (unsigned unit = 0; (GLint)unit < retrace_matrix_units(); unit++) {
        glActiveTexture(GL_TEXTURE0 + unit);
        act(context, TEXTURES + unit);
    }
    glActiveTexture((GLenum)active);
    glMatrixMode((GLenum)mode);
}
