/*
 * The options of a mount as a replay takes them.
 */
#ifndef GPUDUMPFS_GAPIR_SETTINGS_H
#define GPUDUMPFS_GAPIR_SETTINGS_H

#include "formats/gapir/options.h"
#include "formats/gapir/replay/replay.h"

/* *out borrows strings of `options`. */
void gapir_settings(const struct options *options, struct gapir_replay_params *out);

/* Whether a value is good: for the options' table. */
bool gapir_settings_knows_table(const char *name);
bool gapir_settings_knows_framebuffer(const char *text);

/* `WxH:FORMAT[:flip]`. False: it is not of that form, or the format is not known. */
bool gapir_settings_framebuffer(const char *text, struct gapir_framebuffer *out);

#endif
