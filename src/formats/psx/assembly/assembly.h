/* SPDX-License-Identifier: MIT */
/*
 * A dump as a text, and the text as a dump (docs/psx-assembly.md): what one writes the other reads
 * back to the same bytes, whatever they are. Any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ASSEMBLY_H
#define GPUDUMPFS_PSX_ASSEMBLY_ASSEMBLY_H

#include "formats/format.h"
#include "formats/psx/index/index.h"

/* The first word of a text, before the version. */
#define PSX_TEXT_WORD "psxgpu"

/* Longer strings are written as words. */
enum { PSX_TEXT_STRING_MAX = 4096 };

/* Writes the dump of an index to `sink`, in pieces. 0, -EINTR, -ENOMEM, or what `sink` says. */
int psx_disassemble(const struct psx_index *index, const struct cancel *cancel,
                    const struct format_sink *sink);

/* As format_ops say. */
int psx_disassemble_dump(struct dump *dump, const struct cancel *cancel,
                         const struct format_sink *sink);
int psx_assemble(const struct format_lines *lines, const struct format_sink *sink,
                 struct format_text_error *error);

#endif
