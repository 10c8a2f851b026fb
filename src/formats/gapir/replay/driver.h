/*
 * The null driver: what a payload's Vulkan and GLES calls meet instead of a GPU.
 * It pops arguments by the function tables, hands out handles, maps memory
 * windows, answers questions plausibly, and remembers what is read back, so that
 * a POST of a framebuffer is known for one (gapir.md 3.6). It draws nothing. A
 * driver belongs to one VM.
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_DRIVER_H
#define GPUDUMPFS_GAPIR_REPLAY_DRIVER_H

#include "formats/gapir/replay/model.h"
#include "formats/gapir/replay/vm.h"

struct gapir_driver;

/* The driver of a new VM. 0 or -ENOMEM. */
int gapir_driver_create(const struct gapir_model *model, struct gapir_driver **out);
void gapir_driver_destroy(struct gapir_driver **driver);

/* struct gapir_host's `call`, with the driver instead of the host's context. */
enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm);

#endif
