/* SPDX-License-Identifier: MIT */
/*
 * Detects the dialect of a payload's words, which the file does not record (gapir.md 2.5). Pure;
 * any thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_DIALECT_H
#define GPUDUMPFS_GAPIR_DECODE_DIALECT_H

#include "formats/gapir/decode/decode.h"

#include <stdint.h>

/*
 * Returns the dialect and sets *pc to the instruction that reveals it. If no instruction does,
 * returns the default, agi, and sets *pc to code->count. code->dialect is ignored.
 */
enum gapir_dialect gapir_dialect_detect(const struct gapir_code *code, uint32_t *pc);

#endif
