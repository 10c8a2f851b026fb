/* SPDX-License-Identifier: MIT */
/*
 * The options of the GAPIR format, and how they and the common options become the parameters of a
 * replay.
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
/* in the order of enum gapir_drawing */
enum gapir_driver_option { GAPIR_DRIVER_AUTO, GAPIR_DRIVER_MESA, GAPIR_DRIVER_NULL };

struct gapir_options {
    enum gapir_dialect_option dialect;
    enum gapir_pointer_option pointers;
    enum gapir_fences_option fences;
    enum gapir_driver_option driver;
    uint64_t max_instructions;
    uint64_t max_moved; /* bytes */
    char *table;        /* NULL: chosen by the payload's calls */
    char *resources;    /* folder; NULL: the folder of the payload */
    char *framebuffer;  /* NULL: known from the payload's calls alone */
};

extern const struct option_table gapir_options_table;

/* Returns the values in force. */
static inline const struct gapir_options *gapir_options_of(const struct options *options)
{
    return options_values(options, &gapir_options_table);
}

/*
 * Fills in the parameters of a replay from the options of a mount. *out borrows strings of
 * `options`.
 */
void gapir_options_replay(const struct options *options, struct gapir_replay_params *out);

/* Parses `WxH:FORMAT[:flip]`. Returns false if the text is malformed or the format is unknown. */
bool gapir_options_framebuffer(const char *text, struct gapir_framebuffer *out);

#endif
