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

/* The same of a frame alone, which is known: its part of that text, without the first line. */
int psx_disassemble_frame(const struct psx_index *index, uint64_t frame,
                          const struct cancel *cancel, const struct format_sink *sink);

/*
 * As psx_assemble(), of the packets of a part, without the first line; `last`: the dump ends with
 * it, so that its last packet may be cut off.
 */
int psx_assemble_part(const struct format_lines *lines, bool last, const struct format_sink *sink,
                      struct format_text_error *error);

/* As format_ops say: packets by their bytes, frames by their texts, textures by their pictures. */
int psx_edit(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
             struct format_text_error *error);
int psx_part_packet(struct dump *dump, uint64_t packet, uint64_t from, uint64_t to,
                    struct text *out);

/* by-frame/NNNNNN/assembly.txt, as struct rule has it. */
int psx_frame_assembly_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct blob **out);

/* As format_ops say. */
int psx_disassemble_dump(struct dump *dump, const struct cancel *cancel,
                         const struct format_sink *sink);
int psx_assemble(const struct format_lines *lines, const struct format_sink *sink,
                 struct format_text_error *error);

#endif
