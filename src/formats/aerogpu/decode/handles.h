/*
 * The handles that a command names, by one table. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_DECODE_HANDLES_H
#define GPUDUMPFS_AEROGPU_DECODE_HANDLES_H

#include "formats/aerogpu/decode/command_stream.h"

/* Handles are numbered apart in each of these. */
enum aerogpu_space {
    AEROGPU_SPACE_RESOURCE, /* buffers, textures, views, aliases */
    AEROGPU_SPACE_SHADER,
    AEROGPU_SPACE_LAYOUT,
    AEROGPU_SPACE_SAMPLER,
    AEROGPU_SPACE_A_BUFFER, /* Appendix A's */
    AEROGPU_SPACE_A_SHADER,
    AEROGPU_SPACE_A_PIPELINE,
};

typedef void aerogpu_handle_emit(void *context, enum aerogpu_space space, uint32_t handle);

/* Calls `emit` for each handle but 0; the command is complete (its error is AEROGPU_OK). */
void aerogpu_handles(const struct aerogpu_command *command, aerogpu_handle_emit *emit,
                     void *context);

#endif
