/* SPDX-License-Identifier: MIT */
/*
 * Which dialect a payload's words are of: nothing in the file says so (gapir.md 2.5). Pure; any
 * thread.
 */
#ifndef GPUDUMPFS_GAPIR_DECODE_DIALECT_H
#define GPUDUMPFS_GAPIR_DECODE_DIALECT_H

#include "formats/gapir/decode/decode.h"

#include <stdint.h>

/*
 * Sets *pc to the instruction that tells it, or to code->count when none does (then it
 * is agi, the default). code->dialect is ignored.
 */
enum gapir_dialect gapir_dialect_detect(const struct gapir_code *code, uint32_t *pc);

#endif
