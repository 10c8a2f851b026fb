/*
 * The null driver: what a payload's Vulkan and GLES calls meet instead of a GPU.
 * It pops arguments by the function tables, hands out handles, maps memory
 * windows, answers questions plausibly, and remembers what is read back, so that
 * a POST of a framebuffer is known for one (gapir.md 3.6). It draws nothing. A
 * driver belongs to one VM; a model is immutable and shared.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_DRIVER_H
#define GPUDUMPFS_GAPIR_REPLAY_DRIVER_H

#include "formats/gapir/decode/names.h"
#include "formats/gapir/decode/pixels.h"
#include "formats/gapir/decode/scan.h"
#include "formats/gapir/replay/vm.h"

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

/* The shape of a framebuffer that was posted. */
struct gapir_framebuffer_shape {
    const struct gapir_format *format; /* NULL: no framebuffer */
    uint32_t width, height;
    uint32_t stride; /* bytes from row to row */
    uint32_t offset; /* of the first row within the post */
    bool bottom_up;
};

struct gapir_driver;

/* The driver of a new VM. 0 or -ENOMEM. */
int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out);
void gapir_driver_destroy(struct gapir_driver **driver);

/* struct gapir_host's `call`, with the driver instead of the host's context. */
enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm);

/* What a post shows, by the readbacks so far; format NULL when it is no framebuffer. */
void gapir_framebuffer_shape_find(const struct gapir_driver *driver, const struct gapir_vm *vm,
                                  const struct gapir_post *post,
                                  struct gapir_framebuffer_shape *out);

#endif
