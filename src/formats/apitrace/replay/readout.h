/* SPDX-License-Identifier: MIT */
/*
 * What is read from a session at its place, for a request of the player (request.h). For a thread
 * that has acquired the player's worker.
 */
#ifndef GPUDUMPFS_FORMATS_APITRACE_REPLAY_READOUT_H
#define GPUDUMPFS_FORMATS_APITRACE_REPLAY_READOUT_H

#include "formats/apitrace/replay/request.h"

/*
 * Reads the RGB pixels at the session's place, of the frame or of what a draw left, into the end of
 * *out, which the caller encodes. Returns 0, -ERANGE if the picture has another size, or another
 * -errno.
 */
int apitrace_readout_picture(struct apitrace_session *session, const struct apitrace_dump *dump,
                             const struct apitrace_request *request, const struct cancel *cancel,
                             struct blob **out);

/* Reads a level of a texture there as a PNG, with its slices below each other. Returns the same. */
int apitrace_readout_level(struct apitrace_session *session, struct apitrace_dump *dump,
                           const struct apitrace_request *request, const struct cancel *cancel,
                           struct blob **out);

#endif
