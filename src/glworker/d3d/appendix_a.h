/* SPDX-License-Identifier: MIT */
/*
 * Commands of Appendix A, which have buffers, shaders and pipelines of their own (worker.md 5.5).
 * Only for the worker's thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_APPENDIX_A_H
#define GPUDUMPFS_GLWORKER_D3D_APPENDIX_A_H

#include "glworker/d3d/d3d.h"

/* Runs a command of Appendix A; an aero_command. */
int aero_appendix_a_run(struct aero *aero, const struct aerogpu_command *command);
/* Frees the objects of Appendix A, if there are any. */
void aero_appendix_a_free(struct aero *aero);

#endif
