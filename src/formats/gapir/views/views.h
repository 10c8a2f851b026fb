/* SPDX-License-Identifier: MIT */
/*
 * What the mount shows of a payload (gapir.md 4.2): answers of struct dump_ops, makers, sizes,
 * pieces and listings of rules.c, and what the files of this folder share. Each file has one
 * family of names. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_GAPIR_VIEWS_VIEWS_H
#define GPUDUMPFS_FORMATS_GAPIR_VIEWS_VIEWS_H

#include "base/text.h"
#include "formats/gapir/dump.h"
#include "formats/gapir/index.h"

/*
 * What the tables and texts of a GAPIR mount share: labels, sites and extents.
 */

/* False: the label that stands for no command, and what runs before the first one. */
bool gapir_is_command(uint32_t label);

/* `label: 12`, a line of its own. */
void gapir_field_label(struct text *text, uint32_t label);

/* `constants`, `volatile`, `window:3`; `-` for nowhere. */
void gapir_write_region(const struct gapir_extent *extent, struct text *text);

/* Cells, each after a tab: a label; packet, pc, label; bytes, region, offset. */
void gapir_cell_label(struct text *text, uint32_t label);
void gapir_cells_site(struct text *text, const struct gapir_site *site);
void gapir_cells_extent(struct text *text, const struct gapir_extent *extent);

/*
 * metadata.txt and metadata.json (gapir.md 4.2).
 */

/* struct dump_ops' function. */
int gapir_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/*
 * packets.tsv, and what a packet is as text: its part of the disassembly (gapir.md 4.2).
 */

/* struct dump_ops' functions for packets.tsv. */
void gapir_packet_type(struct dump *dump, uint32_t type, struct text *text);
int gapir_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                      struct text *text);

/* A packet's part of the disassembly; key: the packet. */
int gapir_packet_text_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces);
int gapir_packet_text_piece(struct dump *dump, uint64_t key, uint64_t piece,
                            const struct cancel *cancel, struct text *text);
int gapir_packet_text_length(struct dump *dump, uint64_t key, uint64_t *length);

/*
 * frames.tsv and a frame's info.txt (gapir.md 4.2).
 */

/* struct dump_ops' functions. */
int gapir_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

int gapir_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                     struct text *text);

/*
 * calls.txt and a frame's commands.txt: the executed CALLs, written while the
 * program runs once more (gapir.md 4.2). A piece is what runs between two marks
 * of the index.
 */

extern const struct dump_listing gapir_calls_listing; /* key 0 */

/* A frame's lines of calls.txt; key: the frame. */
int gapir_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces);
int gapir_commands_length(struct dump *dump, uint64_t key, uint64_t *length);
int gapir_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text);

/* `0x1f`. */
void gapir_write_hex(struct text *text, uint64_t value);

/* ` "string"`, as much of it as a line shows, from an address; nothing where no memory is. */
void gapir_write_string(const struct gapir_vm *vm, uint64_t address, struct text *text);

/*
 * An argument of the call that a VM has just executed, and what the call returned, by Khronos'
 * registry of Vulkan: constants by their names, structures and lists with what is in them. False,
 * and nothing is written: the registry does not have it.
 */
bool gapir_write_vk_argument(const struct gapir_vm *vm, unsigned argument, struct text *text);
bool gapir_write_vk_result(const struct gapir_vm *vm, struct text *text);

/* As dump_ops says: packet, instruction, label and thread. */
size_t gapir_command_place(const char *line, size_t length, unsigned *inside);

/*
 * A frame's picture: the pixels of the post that ends it (gapir.md 4.2).
 */

/* The picture that a frame ends with: all but its texts. False: it has none. */
bool gapir_frame_header(const struct gapir_index *index, uint32_t frame,
                        struct picture_header *out);

/* struct dump_ops' frame_picture. */
int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out);

/*
 * A frame's drawing.txt: what the graphics worker says of its calls (gapir.md 4.2). struct rule's
 * `exists` and `make`; key: the frame.
 */

int gapir_drawing_exists(struct dump *dump, uint64_t key);
int gapir_drawing_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

/*
 * Instructions as text, one a line (gapir.md 4.4). Text from the dump is escaped.
 */

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

/*
 * The VM's state as text: a frame's state.txt, and fault.txt (gapir.md 4.2).
 */

/* struct dump_ops' function. */
int gapir_frame_state(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

/* struct rule's `make`. */
int gapir_fault_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);

/*
 * What a run leaves in memory at some step: volatile memory, windows, posts,
 * notifications. Made in pieces, since it may be larger than the cache. `size` and
 * `piece` of rules.c; any thread.
 */

#define GAPIR_LEFT(name)                                                                           \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)

GAPIR_LEFT(post);         /* key: the post */
GAPIR_LEFT(notification); /* key: the notification */
GAPIR_LEFT(window);       /* key: the window */
GAPIR_LEFT(memory);       /* key: the packet; volatile memory right after it */
GAPIR_LEFT(memory_end);   /* key 0 */
GAPIR_LEFT(frame_memory); /* key: the frame */

#undef GAPIR_LEFT

/*
 * Constants and resources: slices of payload.bin and resources.data, and the texts
 * about them (gapir.md 4.2). Any thread.
 */

extern const struct dump_listing gapir_constants_listing; /* a hexdump; key 0 */

#define GAPIR_SLICE(name)                                                                          \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_make(struct dump *dump, uint64_t key, const struct cancel *cancel,          \
                            struct blob **out)

GAPIR_SLICE(constants); /* key 0 */
GAPIR_SLICE(resource);  /* key: the resource */
GAPIR_SLICE(inline);    /* key: the pc */

#undef GAPIR_SLICE

/* struct rule's `make`; key: the pc. */
int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);

/*
 * The .tsv files that GAPIR adds to the common ones, as listings for rules.c
 * (gapir.md 4.2). Key 0 each.
 */

extern const struct dump_listing gapir_functions_listing;
extern const struct dump_listing gapir_opcodes_listing;
extern const struct dump_listing gapir_resources_listing;
extern const struct dump_listing gapir_posts_listing;
extern const struct dump_listing gapir_notifications_listing;
extern const struct dump_listing gapir_fences_listing;
extern const struct dump_listing gapir_windows_listing;

#endif
