/* SPDX-License-Identifier: MIT */
/*
 * Direct3D shaders as the graphics worker translates them for drawing (worker.md 5.2). A session of
 * any format may request them, from any process of the worker. For the thread that has acquired the
 * worker.
 */
#ifndef GPUDUMPFS_WORKER_SHADER_TRANSLATION_H
#define GPUDUMPFS_WORKER_SHADER_TRANSLATION_H

#include "worker/session.h"

#include <stddef.h>

/* For a session that only translates, of a format that does not draw with these shaders. */
extern const struct session_kind shader_translation_session;

struct shader_translation {
    struct blob *spirv; /* empty for shaders of Direct3D 9 */
    struct blob *glsl;
};

/*
 * Translates DXBC, or tokens of Direct3D 9. Leaves the session's state alone. The caller drops both
 * blobs, or calls shader_translation_clear(). Returns 0, or as session_call(), with the reason in
 * the session:
 *
 *     -EIO     the shader killed a process, now or before; it is not tried again
 *     -EINVAL  a translator rejects the shader
 *     -ENOSYS  the worker was built without that translator
 */
int shader_translation_make(struct session *session, const void *bytecode, size_t size,
                            const struct cancel *cancel, struct shader_translation *out);
void shader_translation_clear(struct shader_translation *translation);

#endif
