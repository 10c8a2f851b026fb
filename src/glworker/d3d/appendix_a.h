/* SPDX-License-Identifier: MIT */
/*
 * Draws of Appendix A, with vertices and textures of their own (worker.md 5.5). The worker's one
 * thread.
 */
#ifndef GPUDUMPFS_GLWORKER_D3D_APPENDIX_A_H
#define GPUDUMPFS_GLWORKER_D3D_APPENDIX_A_H

#include "glworker/d3d/d3d.h"

/* Runs such a command: as aero_command. */
int aero_appendix_a_run(struct aero *aero, const struct aerogpu_command *command);
void aero_appendix_a_free(struct aero *aero);

#endif
