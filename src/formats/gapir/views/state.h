/*
 * The VM's state as text: a frame's state.txt, and fault.txt (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_STATE_H
#define GPUDUMPFS_GAPIR_VIEWS_STATE_H

#include "formats/gapir/dump.h"

/* struct dump_ops' function. */
int gapir_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text);

/* struct rule's `make`. */
int gapir_fault_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);

#endif
