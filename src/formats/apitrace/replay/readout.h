/* SPDX-License-Identifier: MIT */
/*
 * What is read where a session stands, for a request of the player (request.h). For a thread that
 * has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_READOUT_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_READOUT_H

#include "formats/apitrace/replay/request.h"

/*
 * Pixels, RGB, where the session stands: of the frame, or of what a draw left. They are the end of
 * *out, so that others encode them. 0 or -errno; -ERANGE: the picture has another size.
 */
int apitrace_readout_picture(struct apitrace_session *session, const struct apitrace_dump *dump,
                             const struct apitrace_request *request, const struct cancel *cancel,
                             struct blob **out);

/* A level of a texture there as PNG, its slices below each other. Likewise. */
int apitrace_readout_level(struct apitrace_session *session, struct apitrace_dump *dump,
                           const struct apitrace_request *request, const struct cancel *cancel,
                           struct blob **out);

#endif
