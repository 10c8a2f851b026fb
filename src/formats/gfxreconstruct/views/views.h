/* SPDX-License-Identifier: MIT */
/*
 * What the tree shows of a capture: the functions in the tables of format.c and rules.c
 * (gpudumpfs-gfxreconstruct(7)). Any thread may call them.
 */
#ifndef GPUDUMPFS_GFXRECONSTRUCT_VIEWS_H
#define GPUDUMPFS_GFXRECONSTRUCT_VIEWS_H

#include "formats/gfxreconstruct/dump.h"
#include "tree/rule.h"

/* metadata.c: metadata.txt, and annotations/. */
int gfxreconstruct_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);
extern const struct rule_family gfxreconstruct_annotation_family;
int gfxreconstruct_annotation_size(struct dump *dump, uint64_t packet, uint64_t *size);
int gfxreconstruct_annotation_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                                   struct blob **out);

/* packets.c: packets.tsv, and a packet's name and text. */
int gfxreconstruct_packet(struct dump *dump, uint64_t number, struct dump_packet *out);
void gfxreconstruct_packet_type(struct dump *dump, uint32_t type, struct text *text);
int gfxreconstruct_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                               const struct cancel *cancel, struct text *text);
int gfxreconstruct_count_packet_text(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                     uint64_t *rows);
int gfxreconstruct_write_packet_text(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                                     const struct cancel *cancel, struct text *text);

/* Returns a block's name in the form of file names. Writes it to `room` if no table has it. */
const char *gfxreconstruct_block_name(const struct gfxreconstruct_block *block, char room[32]);

/* frames.c: frames.tsv, info.txt. */
int gfxreconstruct_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                               struct text *text);
int gfxreconstruct_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                              struct text *text);

/* commands.c: commands.txt, functions.tsv. */
enum { GFXR_PIECE_COMMANDS = 256 }; /* lines of a piece; a line may have 64 KiB */

int gfxreconstruct_count_commands(struct dump *dump, uint64_t key, const struct cancel *cancel,
                                  uint64_t *rows);
int gfxreconstruct_write_commands(struct dump *dump, uint64_t key, uint64_t first, uint64_t end,
                                  const struct cancel *cancel, struct text *text);
extern const struct dump_listing gfxreconstruct_functions_listing;
size_t gfxreconstruct_command_place(const char *line, size_t length, unsigned *inside);

/*
 * Appends `name(parameters) = result` for a block. Returns 0, -ENOMEM or -EINTR; damage is noted in
 * the text.
 */
int gfxreconstruct_write_block(const struct gfxreconstruct_dump *dump,
                               const struct gfxreconstruct_block *block,
                               const struct cancel *cancel, struct text *text);

/* Implements `advance` of struct index_task_work: reads parameters, and reports their problems. */
int gfxreconstruct_check_parameters(void *context, const struct cancel *cancel,
                                    struct index_task_position *position);

/* memory.c: shaders/ and memory/ with their tables. */
extern const struct dump_listing gfxreconstruct_shaders_listing, gfxreconstruct_memory_listing;
extern const struct rule_family gfxreconstruct_shader_family, gfxreconstruct_memory_family;
int gfxreconstruct_shader_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                               struct blob **out);
int gfxreconstruct_memory_size(struct dump *dump, uint64_t packet, uint64_t *size);
int gfxreconstruct_memory_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                               struct blob **out);

#endif
