/* SPDX-License-Identifier: MIT */
/* Functions that may occur in plain lists (lists.h). Constant; any thread. */
#ifndef GPUDUMPFS_GLWORKER_GL_LIST_STEPS_H
#define GPUDUMPFS_GLWORKER_GL_LIST_STEPS_H

/*
 * What a function in a plain list does to the state that is pushed, by its name. RETRACE_STEP_NONE
 * means that it may not occur in a plain list.
 */
enum retrace_step {
    RETRACE_STEP_NONE,
    RETRACE_STEP_DRAWS,
    RETRACE_STEP_SETS,
    RETRACE_STEP_UNIT,
    RETRACE_STEP_SWITCHES,
    RETRACE_STEP_MATRIX_MODE,
    RETRACE_STEP_PUSHES_MATRIX,
    RETRACE_STEP_POPS_MATRIX,
    RETRACE_STEP_PUSHES_STATE,
    RETRACE_STEP_POPS_STATE,
    RETRACE_STEP_CALLS,
};
enum retrace_step retrace_step(const char *name);

#endif
