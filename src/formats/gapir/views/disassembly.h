/*
 * Instructions as text, one a line (gapir.md 4.4). Text from the dump is escaped.
 */
#ifndef GPUDUMPFS_GAPIR_VIEWS_DISASSEMBLY_H
#define GPUDUMPFS_GAPIR_VIEWS_DISASSEMBLY_H

#include "base/text.h"
#include "formats/gapir/dump.h"

/* The instruction alone: `PUSH_I Uint32 0xaaaaa`. */
void gapir_write_instruction(const struct gapir_code *code,
                             const struct gapir_instruction *instruction, struct text *text);

/* A label as tables and lines show it: decimal, `none`, or `-` before the first one. */
void gapir_write_label(uint32_t label, struct text *text);

/* The name of the function that a CALL's word means; `vk_fn_0x0111` when no table has it. */
void gapir_write_function(const struct gapir_scan *scan, uint32_t word, struct text *text);

/*
 * A value by its type: addresses as `VOL+0x10`, or as a number when they lie in no region,
 * floating-point numbers in their shortest form.
 */
void gapir_write_value(const struct gapir_address_plan *plan, unsigned type, uint64_t value,
                       struct text *text);

/*
 * Lines `PC8 LABEL WORDHEX  TEXT  ; note` of the instructions from a mark on, `count` of
 * them at most and none at or behind `end`. Static: nothing is run.
 */
void gapir_write_lines(const struct gapir_replay *replay, const struct gapir_mark *mark,
                       uint32_t count, uint32_t end, struct text *text);

/* The state at any instruction, for taking up the disassembly there. */
struct gapir_mark gapir_mark_at(const struct gapir_replay *replay, uint32_t pc);

extern const struct dump_listing gapir_disassembly_listing; /* disassembly.txt; key 0 */

#endif
