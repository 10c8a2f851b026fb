/* SPDX-License-Identifier: MIT */
#include "config.h"

#include "glworker/gl/list_steps.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/*
 * Functions by the beginnings of their names, or by complete names; longer beginnings precede
 * shorter ones. A beginning may also match vendors' functions and functions that are executed
 * immediately, such as glVertexPointer(); that does no harm.
 */
static const struct {
    const char *begin;
    enum retrace_step step;
    bool whole;
} steps[] = {
    {"glActiveTexture", RETRACE_STEP_UNIT, false},
    {"glArrayElement", RETRACE_STEP_DRAWS, false},
    {"glBegin", RETRACE_STEP_DRAWS, true},
    {"glBindTexture", RETRACE_STEP_SETS, false},
    {"glCallList", RETRACE_STEP_CALLS, false},
    {"glColorFragment", RETRACE_STEP_NONE, false},
    {"glColorMask", RETRACE_STEP_NONE, false},
    {"glColorP3", RETRACE_STEP_SETS, false},
    {"glColorP4", RETRACE_STEP_SETS, false},
    {"glColorPointer", RETRACE_STEP_SETS, false},
    {"glColorP", RETRACE_STEP_NONE, false},
    {"glColorSub", RETRACE_STEP_NONE, false},
    {"glColorTable", RETRACE_STEP_NONE, false},
    {"glColor", RETRACE_STEP_SETS, false},
    {"glCullFace", RETRACE_STEP_SETS, false},
    {"glDisableClientState", RETRACE_STEP_SETS, false},
    {"glDisable", RETRACE_STEP_SWITCHES, false},
    {"glDrawArrays", RETRACE_STEP_DRAWS, false},
    {"glDrawElements", RETRACE_STEP_DRAWS, false},
    {"glDrawRangeElements", RETRACE_STEP_DRAWS, false},
    {"glEdgeFlag", RETRACE_STEP_SETS, false},
    {"glEnableClientState", RETRACE_STEP_SETS, false},
    {"glEnable", RETRACE_STEP_SWITCHES, false},
    {"glEnd", RETRACE_STEP_DRAWS, true},
    {"glFog", RETRACE_STEP_SETS, false},
    {"glFrontFace", RETRACE_STEP_SETS, false},
    {"glFrustum", RETRACE_STEP_SETS, false},
    {"glInterleavedArrays", RETRACE_STEP_SETS, false},
    {"glLight", RETRACE_STEP_SETS, false},
    {"glLoadIdentity", RETRACE_STEP_SETS, false},
    {"glLoadMatrix", RETRACE_STEP_SETS, false},
    {"glLoadTransposeMatrix", RETRACE_STEP_SETS, false},
    {"glMaterial", RETRACE_STEP_SETS, false},
    {"glMatrixMode", RETRACE_STEP_MATRIX_MODE, false},
    {"glMultMatrix", RETRACE_STEP_SETS, false},
    {"glMultTransposeMatrix", RETRACE_STEP_SETS, false},
    {"glMultiTexCoord", RETRACE_STEP_SETS, false},
    {"glNormal", RETRACE_STEP_SETS, false},
    {"glOrtho", RETRACE_STEP_SETS, false},
    {"glPolygonOffset", RETRACE_STEP_SETS, false},
    {"glPopAttrib", RETRACE_STEP_POPS_STATE, false},
    {"glPopMatrix", RETRACE_STEP_POPS_MATRIX, false},
    {"glPushAttrib", RETRACE_STEP_PUSHES_STATE, false},
    {"glPushMatrix", RETRACE_STEP_PUSHES_MATRIX, false},
    {"glRect", RETRACE_STEP_DRAWS, false},
    {"glRotate", RETRACE_STEP_SETS, false},
    {"glScale", RETRACE_STEP_SETS, false},
    {"glSecondaryColor", RETRACE_STEP_SETS, false},
    {"glShadeModel", RETRACE_STEP_SETS, false},
    {"glTexCoord", RETRACE_STEP_SETS, false},
    {"glTexEnv", RETRACE_STEP_SETS, false},
    {"glTexGen", RETRACE_STEP_SETS, false},
    {"glTranslate", RETRACE_STEP_SETS, false},
    {"glVertexAttrib", RETRACE_STEP_SETS, false},
    {"glVertex", RETRACE_STEP_DRAWS, false},
};

enum retrace_step retrace_step(const char *name)
{
    for (size_t n = 0; n < sizeof(steps) / sizeof(steps[0]); n++)
        if (steps[n].whole ? strcmp(name, steps[n].begin) == 0
                           : strncmp(name, steps[n].begin, strlen(steps[n].begin)) == 0)
            return steps[n].step;
    return RETRACE_STEP_NONE;
}
