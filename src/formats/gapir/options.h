/* SPDX-License-Identifier: MIT */
/*
 * The GAPIR format's own options, and what a replay takes of all options.
 */
#ifndef GPUDUMPFS_GAPIR_OPTIONS_H
#define GPUDUMPFS_GAPIR_OPTIONS_H

#include "formats/gapir/replay/replay.h"
#include "tree/options.h"

/* gapir.md 2.5, 2.6, 3.2 */
enum gapir_dialect_option {
    GAPIR_DIALECT_AUTO,
    GAPIR_DIALECT_AGI,
    GAPIR_DIALECT_GAPID17DEV,
    GAPIR_DIALECT_GAPID16,
    GAPIR_DIALECT_GAPID12
};
enum gapir_pointer_option { GAPIR_POINTERS_OF_8, GAPIR_POINTERS_OF_4 };
enum gapir_fences_option { GAPIR_FENCES_PASS, GAPIR_FENCES_FAIL };
/* As enum gapir_drawing has them. */
enum gapir_driver_option { GAPIR_DRIVER_AUTO, GAPIR_DRIVER_MESA, GAPIR_DRIVER_NULL };

struct gapir_options {
    enum gapir_dialect_option dialect;
    enum gapir_pointer_option pointers;
    enum gapir_fences_option fences;
    enum gapir_driver_option driver;
    uint64_t max_instructions;
    uint64_t max_moved; /* bytes */
    char *table;        /* NULL: as the payload's calls say */
    char *resources;    /* NULL: beside the payload */
    char *framebuffer;  /* NULL: as the payload's calls say */
};

extern const struct option_table gapir_options_table;

/* The values in force. */
static inline const struct gapir_options *gapir_options_of(const struct options *options)
{
    return options_values(options, &gapir_options_table);
}

/* The options of a mount as a replay takes them. *out borrows strings of `options`. */
void gapir_options_replay(const struct options *options, struct gapir_replay_params *out);

/* `WxH:FORMAT[:flip]`. False: it is not of that form, or the format is not known. */
bool gapir_options_framebuffer(const char *text, struct gapir_framebuffer *out);

#endif
