/* SPDX-License-Identifier: MIT */
/*
 * Translates shaders of Direct3D in a worker of their own (apitrace.md 4.12), so that a shader that
 * kills the worker does not affect a session of OpenGL. Any thread; requests are served one at a
 * time.
 */
#ifndef GPUDUMPFS_APITRACE_REPLAY_SHADER_TRANSLATOR_H
#define GPUDUMPFS_APITRACE_REPLAY_SHADER_TRANSLATOR_H

#include "formats/apitrace/dump.h"
#include "worker/shader_translation.h"

/* Makes a translator without starting a process. Returns 0 or -ENOMEM. `dump` must outlive it. */
int apitrace_shader_translator_create(const struct apitrace_dump *dump,
                                      struct apitrace_shader_translator **out);
/* *translator may be NULL. */
void apitrace_shader_translator_destroy(struct apitrace_shader_translator **translator);

/*
 * Translates the code that call `number` hands over. Returns 0, after which the caller clears *out;
 * -EINTR, -ENOMEM, or -EIO with a problem that gives the reason.
 */
int apitrace_shader_translate(struct dump *dump, uint32_t number, const struct blob *code,
                              const struct cancel *cancel, struct shader_translation *out);

#endif
