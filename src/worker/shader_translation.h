/* SPDX-License-Identifier: MIT */
/*
 * Shaders of Direct3D as the graphics worker translates them to draw with (worker.md 5.2): asked by
 * a session of any format, of whatever process there is. For the thread that has acquired the
 * worker.
 */
#ifndef GPUDUMPFS_WORKER_SHADER_TRANSLATION_H
#define GPUDUMPFS_WORKER_SHADER_TRANSLATION_H

#include "worker/session.h"

#include <stddef.h>

/* Of a session that does nothing but translate, for formats that do not draw with these shaders. */
extern const struct session_kind shader_translation_session;

struct shader_translation {
    struct blob *spirv; /* empty for shaders of Direct3D 9, which have none */
    struct blob *glsl;
};

/*
 * Translates DXBC, or tokens of Direct3D 9; what the session has built up stays. The caller drops
 * both blobs. 0, or as session_call(), with the sentence in the session's reason:
 *
 *     -EIO     the shader killed a process, now or before: it is not tried again
 *     -EINVAL  a translator refuses it
 *     -ENOSYS  the worker was built without that translator
 */
int shader_translation_make(struct session *session, const void *bytecode, size_t size,
                            const struct cancel *cancel, struct shader_translation *out);
void shader_translation_clear(struct shader_translation *translation);

#endif
