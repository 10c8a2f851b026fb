/*
 * User data and names in texts (vma.md 3.11, 4.3): bytes of a recording, mostly
 * UTF-8, made fit for one field of a table or for a JSON string. Lengths and
 * writers agree by test. Pure functions, any thread.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_DECODE_ESCAPE_H
#define GPUDUMPFS_FORMATS_VMA_DECODE_ESCAPE_H

#include "base/text.h"

/* For JSON, without the quotes: valid UTF-8 as it is, other bytes as \u00XX. */
void vma_json_escaped_write(const uint8_t *bytes, size_t length, struct text *text);
uint64_t vma_json_escaped_length(const uint8_t *bytes, size_t length);

/* The lengths of a cell (base/text.h, text_cell_escaped, without the tab) and in JSON, at once. */
void vma_escaped_lengths(const uint8_t *bytes, size_t length, uint64_t *cell, uint64_t *json);

/* `0x` and lower-case digits, as glibc prints pointers. */
void vma_pointer_write(uint64_t pointer, struct text *text);

#endif
