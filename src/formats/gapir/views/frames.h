/*
 * The texts of a GAPIR mount in the form `key: value`, and fault.txt
 * (gapir.md 4.2).
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_FRAMES_H
#define GPUDUMPFS_GAPIR_VIEWS_FRAMES_H

#include "formats/gapir/dump.h"

/* struct dump_ops' functions. */
int gapir_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);
int gapir_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct text *text);
int gapir_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text);

/* struct rule's `make`. */
int gapir_fault_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);
int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);

#endif
