/*
 * Which function of an API the null driver serves how: by its name, found once for
 * each function that the payload calls (gapir.md 3.6). Immutable and shared.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_MODEL_H
#define GPUDUMPFS_GAPIR_REPLAY_MODEL_H

#include "formats/gapir/decode/scan.h"

enum gapir_action {
    GAPIR_ACTION_NOTHING,
    GAPIR_ACTION_CREATE,
    GAPIR_ACTION_CREATE_IMAGE,
    GAPIR_ACTION_CREATE_BUFFER,
    GAPIR_ACTION_CREATE_PIPELINES,
    GAPIR_ACTION_CREATE_SWAPCHAINS,
    GAPIR_ACTION_ALLOCATE_COMMAND_BUFFERS,
    GAPIR_ACTION_ALLOCATE_DESCRIPTOR_SETS,
    GAPIR_ACTION_ALLOCATE_MEMORY,
    GAPIR_ACTION_ALLOCATE_IMAGE_MEMORY,
    GAPIR_ACTION_BIND_BUFFER,
    GAPIR_ACTION_BIND_BUFFERS,
    GAPIR_ACTION_MAP_MEMORY,
    GAPIR_ACTION_UNMAP_MEMORY,
    GAPIR_ACTION_COPY_IMAGE,
    GAPIR_ACTION_ENUMERATE_DEVICES,
    GAPIR_ACTION_SWAPCHAIN_IMAGES,
    GAPIR_ACTION_BUFFER_REQUIREMENTS,
    GAPIR_ACTION_IMAGE_REQUIREMENTS,
    GAPIR_ACTION_GEN_NAMES,
    GAPIR_ACTION_NEW_NAME,
    GAPIR_ACTION_NEW_HANDLE,
    GAPIR_ACTION_TRUE,
    GAPIR_ACTION_FRAMEBUFFER_COMPLETE,
    GAPIR_ACTION_ALREADY_SIGNALED,
    GAPIR_ACTION_EGL_SUCCESS,
    GAPIR_ACTION_STATUS,
    GAPIR_ACTION_GET_INTEGER,
    GAPIR_ACTION_MAP_RANGE,
    GAPIR_ACTION_UNMAP_BUFFER,
    GAPIR_ACTION_PIXEL_STORE,
    GAPIR_ACTION_READ_PIXELS,
    GAPIR_ACTION_PRESENT,
    GAPIR_ACTION_SWAP,
    GAPIR_ACTION_DELIMITER,
    GAPIR_ACTIONS
};

/* What each function that the payload calls does. */
struct gapir_model {
    const struct gapir_scan *scan;
    uint8_t *actions[GAPIR_APIS]; /* by the function's number in its table */
};

int gapir_model_create(const struct gapir_scan *scan, struct gapir_model *out); /* 0, -ENOMEM */
void gapir_model_clear(struct gapir_model *model);

/* How frames.tsv calls the end of a frame that a CALL of a function makes; NULL: it makes none. */
const char *gapir_model_frame_end(const struct gapir_model *model, uint32_t word,
                                  const struct gapir_function *function);

/* How a function that the payload calls is served. */
enum gapir_action gapir_model_action(const struct gapir_model *model, unsigned api,
                                     const struct gapir_function *function);

#endif
