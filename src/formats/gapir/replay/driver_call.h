/* SPDX-License-Identifier: MIT */
/* The entry point by which the null driver serves a call. One thread for each VM. */
#ifndef GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_CALL_H
#define GPUDUMPFS_FORMATS_GAPIR_REPLAY_DRIVER_CALL_H

#include "formats/gapir/replay/driver.h"

/* Implements `call` of struct gapir_host; takes the driver instead of the host's context. */
enum gapir_fault gapir_driver_call(struct gapir_driver *driver, struct gapir_vm *vm);

#endif
