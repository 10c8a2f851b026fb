/* SPDX-License-Identifier: MIT */
/*
 * Shaders of Direct3D, translated by a worker of their own (apitrace.md 4.12): one that ends by a
 * shader takes no session of OpenGL along. Any thread; one at a time is served.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_SHADER_TRANSLATOR_H
#define GPUDUMPFS_APITRACE_REPLAY_SHADER_TRANSLATOR_H

#include "formats/apitrace/dump.h"
#include "worker/shader_translation.h"

/* Starts no process yet. 0 or -ENOMEM. */
int apitrace_shader_translator_create(const struct apitrace_dump *dump,
                                      struct apitrace_shader_translator **out);
/* NULL inside: nothing. */
void apitrace_shader_translator_destroy(struct apitrace_shader_translator **translator);

/*
 * Translates what call `number` hands over. 0, and the caller clears *out; -EINTR, -ENOMEM, or -EIO
 * with a problem that tells why.
 */
int apitrace_shader_translate(struct dump *dump, uint32_t number, const struct blob *code,
                              const struct cancel *cancel, struct shader_translation *out);

#endif
