/* SPDX-License-Identifier: MIT */
/*
 * A dump as a text, and a text as a dump (docs/psx-assembly.md). Assembling a disassembled dump
 * gives the same bytes, whatever they are. Any thread.
 */
#ifndef GPUDUMPFS_PSX_ASSEMBLY_ASSEMBLY_H
#define GPUDUMPFS_PSX_ASSEMBLY_ASSEMBLY_H

#include "formats/format.h"
#include "formats/psx/index/index.h"

/* The first word of a text; the version follows. */
#define PSX_TEXT_WORD "psxgpu"

/* Longer strings are written as words. In bytes. */
enum { PSX_TEXT_STRING_MAX = 4096 };

/*
 * Writes the text of an index's dump to `sink`, in pieces. Returns 0, -EINTR, -ENOMEM, or what
 * `sink` returned.
 */
int psx_disassemble(const struct psx_index *index, const struct cancel *cancel,
                    const struct format_sink *sink);

/*
 * The same for one frame, which the index must know: the frame's part of that text, without the
 * first line.
 */
int psx_disassemble_frame(const struct psx_index *index, uint64_t frame,
                          const struct cancel *cancel, const struct format_sink *sink);

/*
 * Assembles the packets of a part of a dump, like psx_assemble(), from a text without the first
 * line. `last` says that the dump ends with this part, so that its last packet may be cut off.
 */
int psx_assemble_part(const struct format_lines *lines, bool last, const struct format_sink *sink,
                      struct format_text_error *error);

/*
 * Edits, as format_ops describe: of packets by their bytes, of frames by their texts, of textures
 * by their pictures.
 */
int psx_edit(struct dump *dump, const struct format_edited *edited, struct format_edit *out,
             struct format_text_error *error);

/* Implements `part` of format_ops: the header of a part of a packet. */
int psx_part_packet(struct dump *dump, uint64_t packet, uint64_t from, uint64_t to,
                    struct text *out);

/* Makes by-frame/NNNNNN/assembly.txt, as struct rule describes. */
int psx_frame_assembly_make(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                            struct blob **out);

/* Disassemble and assemble complete dumps, as format_ops describe. */
int psx_disassemble_dump(struct dump *dump, const struct cancel *cancel,
                         const struct format_sink *sink);
int psx_assemble(const struct format_lines *lines, const struct format_sink *sink,
                 struct format_text_error *error);

#endif
