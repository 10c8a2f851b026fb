/*
 * What the instructions do, for vm.c alone (gapir.md 2.6).
 */
#ifndef GPUDUMPFS_GAPIR_REPLAY_EXECUTE_H
#define GPUDUMPFS_GAPIR_REPLAY_EXECUTE_H

#include "formats/gapir/replay/vm.h"

#define TRY(expression)                                                                            \
    do {                                                                                           \
        enum gapir_fault fault_ = (expression);                                                    \
        if (fault_ != GAPIR_FAULT_NONE)                                                            \
            return fault_;                                                                         \
    } while (0)

/* RESOURCE, WAIT and CLONE need a free slot before anything else. */
enum gapir_fault gapir_vm_need_slot(struct gapir_vm *vm);

#endif
