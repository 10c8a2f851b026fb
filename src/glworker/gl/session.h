/* SPDX-License-Identifier: MIT */
/*
 * Handles the messages by which the daemon has a trace carried out (worker.md 6). There is one
 * session. One thread.
 */
#ifndef GPUDUMPFS_GLWORKER_GL_SESSION_H
#define GPUDUMPFS_GLWORKER_GL_SESSION_H

#include "glworker/core/serve.h"

extern const struct serve_kind retrace_kinds[];

/* Ends the session, if there is one. */
void retrace_end(void);

#endif
