/*
 * Which posts are framebuffers: those that a readback before them fits (gapir.md 3.6).
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_FRAMEBUFFER_SHAPE_H
#define GPUDUMPFS_GAPIR_REPLAY_FRAMEBUFFER_SHAPE_H

#include "formats/gapir/decode/pixels.h"
#include "formats/gapir/replay/vm.h"

struct gapir_driver;

/* The shape of a framebuffer that was posted. */
struct gapir_framebuffer_shape {
    const struct gapir_format *format; /* NULL: no framebuffer */
    uint32_t width, height;
    uint32_t stride; /* bytes from row to row */
    uint32_t offset; /* of the first row within the post */
    bool bottom_up;
};

/* What a post shows, by the readbacks so far; format NULL when it is no framebuffer. */
void gapir_framebuffer_shape_find(const struct gapir_driver *driver, const struct gapir_vm *vm,
                                  const struct gapir_post *post,
                                  struct gapir_framebuffer_shape *out);

#endif
