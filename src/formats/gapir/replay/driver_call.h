/* SPDX-License-Identifier: MIT */
/* A call of a function, served by the null driver. One thread for each VM. */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_CALL_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_CALL_H

#include "formats/gapir/replay/driver.h"

/* struct gapir_host's `call`, with the driver instead of the host's context. */
enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm);

#endif
