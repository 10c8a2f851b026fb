/*
 * The options of a mount as a replay takes them.
 */
#ifndef GPUDUMPFS_GAPIR_SETTINGS_H
#define GPUDUMPFS_GAPIR_SETTINGS_H

#include "formats/gapir/options.h"
#include "formats/gapir/replay.h"

/*
 * -EINVAL with a sentence in `message` for a table or a format that is not known.
 * *out borrows strings of `options`.
 */
int gapir_settings(const struct options *options, struct text *message,
                   struct gapir_replay_params *out);

/* `WxH:FORMAT[:flip]`. False: it is not of that form, or the format is not known. */
bool gapir_settings_framebuffer(const char *text, struct gapir_framebuffer *out);

#endif
