/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/scissors.h"

#include "glworker/gl/surfaces.h"

void retrace_scissors_save(const struct retrace_context *context, struct retrace_scissors *out)
{
    *out = (struct retrace_scissors){.viewports =
                                         retrace_is_new(context, 41, 99) ? RETRACE_VIEWPORTS : 1};
    for (GLuint n = 0; n < out->viewports; n++) {
        if (out->viewports > 1) {
            out->on[n] = glIsEnabledi(GL_SCISSOR_TEST, n);
            glGetIntegeri_v(GL_SCISSOR_BOX, n, out->boxes[n]);
        } else {
            out->on[n] = glIsEnabled(GL_SCISSOR_TEST);
            glGetIntegerv(GL_SCISSOR_BOX, out->boxes[n]);
        }
    }
}

static void set(const struct retrace_scissors *scissors, unsigned viewport, bool on,
                const GLint box[4])
{
    if (scissors->viewports > 1) {
        (on ? glEnablei : glDisablei)(GL_SCISSOR_TEST, viewport);
        glScissorIndexedv(viewport, box);
    } else {
        (on ? glEnable : glDisable)(GL_SCISSOR_TEST);
        glScissor(box[0], box[1], box[2], box[3]);
    }
}

void retrace_scissors_restore(const struct retrace_scissors *scissors)
{
    for (unsigned n = 0; n < scissors->viewports; n++)
        set(scissors, n, scissors->on[n], scissors->boxes[n]);
}

bool retrace_scissors_let(const struct retrace_scissors *scissors, unsigned viewport, uint32_t x,
                          uint32_t y)
{
    const GLint *box = scissors->boxes[viewport];
    const int64_t left = box[0], low = box[1];

    return !scissors->on[viewport] ||
           (x >= left && x < left + box[2] && y >= low && y < low + box[3]);
}

bool retrace_scissors_keep_away(const struct retrace_scissors *scissors, uint32_t x, uint32_t y)
{
    for (unsigned n = 0; n < scissors->viewports; n++)
        if (retrace_scissors_let(scissors, n, x, y))
            return false;
    return true;
}

void retrace_scissors_narrow(const struct retrace_scissors *scissors, uint32_t x, uint32_t y)
{
    for (unsigned n = 0; n < scissors->viewports; n++) {
        const GLint side = retrace_scissors_let(scissors, n, x, y);

        set(scissors, n, true, (const GLint[4]){(GLint)x, (GLint)y, side, side});
    }
}
