/* SPDX-License-Identifier: MIT */
/*
 * What the mount shows of a payload (gapir.md 4.2): functions for struct dump_ops, the makers,
 * sizes, pieces and listings for rules.c, and what the files of this folder share. Each file makes
 * one family of names. Any thread.
 */
#ifndef GPUDUMPFS_FORMATS_GAPIR_VIEWS_VIEWS_H
#define GPUDUMPFS_FORMATS_GAPIR_VIEWS_VIEWS_H

#include "base/text.h"
#include "formats/gapir/dump.h"
#include "formats/gapir/index.h"

/*
 * Helpers for the tables and texts of a GAPIR mount: labels, sites and extents.
 */

/*
 * Returns whether a label stands for a command. False for GAPIR_LABEL_NONE and GAPIR_LABEL_START.
 */
bool gapir_is_command(uint32_t label);

/* Appends a line `label: 12`. */
void gapir_field_label(struct text *text, uint32_t label);

/* Appends `constants`, `volatile` or `window:3`; `-` for GAPIR_NOWHERE. */
void gapir_write_region(const struct gapir_extent *extent, struct text *text);

/* Appends a cell with a label, after a tab. */
void gapir_cell_label(struct text *text, uint32_t label);

/* Appends cells with packet, pc and label, each after a tab. */
void gapir_cells_site(struct text *text, const struct gapir_site *site);

/* Appends cells with bytes, region and offset, each after a tab. */
void gapir_cells_extent(struct text *text, const struct gapir_extent *extent);

/*
 * metadata.txt and metadata.json (gapir.md 4.2).
 */

/* For struct dump_ops. */
int gapir_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/*
 * packets.tsv, and a packet's text: its part of the disassembly (gapir.md 4.2).
 */

/* For struct dump_ops: packets.tsv. */
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

/* For struct dump_ops. */
int gapir_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

int gapir_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                     struct text *text);

/*
 * calls.txt and a frame's commands.txt: the executed CALLs. They are written while the program runs
 * once more (gapir.md 4.2). A piece has the calls between two marks of the index.
 */

extern const struct dump_listing gapir_calls_listing; /* key 0 */

/* A frame's lines of calls.txt; key: the frame. */
int gapir_commands_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                          uint64_t *pieces);
int gapir_commands_length(struct dump *dump, uint64_t key, uint64_t *length);
int gapir_commands_piece(struct dump *dump, uint64_t key, uint64_t piece,
                         const struct cancel *cancel, struct text *text);

/* Appends `0x1f`. */
void gapir_write_hex(struct text *text, uint64_t value);

/*
 * Appends ` "string"` for the string at an address, cut to what a line shows. Appends nothing if
 * the address is in no memory.
 */
void gapir_write_string(const struct gapir_vm *vm, uint64_t address, struct text *text);

/*
 * Appends an argument of the call that a VM has just executed, by Khronos' registry of Vulkan:
 * constants by name, structures and lists with their contents. Returns false and appends nothing if
 * the registry does not have it.
 */
bool gapir_write_vk_argument(const struct gapir_vm *vm, unsigned argument, struct text *text);

/* The same for the result of that call. */
bool gapir_write_vk_result(const struct gapir_vm *vm, struct text *text);

/*
 * For struct dump_ops: returns the length of packet, instruction, label and thread at the beginning
 * of a line.
 */
size_t gapir_command_place(const char *line, size_t length, unsigned *inside);

/*
 * A frame's picture: the pixels of the post that ends it (gapir.md 4.2).
 */

/*
 * Fills in the header of the picture that a frame ends with, except its texts. Returns false if the
 * frame has no picture.
 */
bool gapir_frame_header(const struct gapir_index *index, uint32_t frame,
                        struct picture_header *out);

/* Implements dump_ops.pictures.make. */
int gapir_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        struct blob **out);

/*
 * A frame's drawing.txt: what the graphics worker reports about its calls (gapir.md 4.2). For
 * `exists` and `make` of struct rule; key: the frame.
 */

int gapir_drawing_exists(struct dump *dump, uint64_t key);
int gapir_drawing_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out);

/*
 * Instructions as text, one a line (gapir.md 4.4). Text from the dump is escaped.
 */

/* Appends the instruction alone: `PUSH_I Uint32 0xaaaaa`. */
void gapir_write_instruction(const struct gapir_code *code,
                             const struct gapir_instruction *instruction, struct text *text);

/* Appends a label: decimal, `none`, or `-` before the first LABEL. */
void gapir_write_label(uint32_t label, struct text *text);

/*
 * Appends the name of the function that a CALL's word stands for, or `vk_fn_0x0111` if no table has
 * it.
 */
void gapir_write_function(const struct gapir_scan *scan, uint32_t word, struct text *text);

/*
 * Appends a value by its type: an address as `VOL+0x10`, or as a number if it is in no region; a
 * floating-point number in its shortest form.
 */
void gapir_write_value(const struct gapir_address_plan *plan, unsigned type, uint64_t value,
                       struct text *text);

/*
 * Appends lines `PC8 LABEL WORDHEX  TEXT  ; note` for the instructions from a mark on, at most
 * `count`, up to but excluding `end`. Static: nothing is run.
 */
void gapir_write_lines(const struct gapir_replay *replay, const struct gapir_mark *mark,
                       uint32_t count, uint32_t end, struct text *text);

/* Returns a mark for any instruction, from which the disassembly can start there. */
struct gapir_mark gapir_mark_at(const struct gapir_replay *replay, uint32_t pc);

extern const struct dump_listing gapir_disassembly_listing; /* disassembly.txt; key 0 */

/*
 * The state of the VM as text: a frame's state.txt, and fault.txt (gapir.md 4.2).
 */

/* For struct dump_ops. */
int gapir_frame_state(struct dump *dump, uint64_t number, const struct cancel *cancel,
                      struct text *text);

/* For `make` of struct rule. */
int gapir_fault_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                     struct blob **out);

/*
 * What memory holds at some step of a run: volatile memory, windows, posts, notifications. Made in
 * pieces, since it may be larger than the cache. For `size` and `piece` in rules.c; any thread.
 */

#define GAPIR_LEFT(name)                                                                           \
    int gapir_##name##_size(struct dump *dump, uint64_t key, uint64_t *size);                      \
    int gapir_##name##_piece(struct dump *dump, uint64_t key, uint64_t offset, size_t length,      \
                             const struct cancel *cancel, struct blob **out)

GAPIR_LEFT(post);         /* key: the post */
GAPIR_LEFT(notification); /* key: the notification */
GAPIR_LEFT(window);       /* key: the window */
GAPIR_LEFT(memory);       /* key: the packet; volatile memory right after the packet */
GAPIR_LEFT(memory_end);   /* key 0 */
GAPIR_LEFT(frame_memory); /* key: the frame */

#undef GAPIR_LEFT

/*
 * Constants and resources, which are slices of payload.bin and resources.data, and the texts about
 * them (gapir.md 4.2). Any thread.
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

/* For `make` of struct rule; key: the pc. */
int gapir_inline_text_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                           struct blob **out);

/*
 * Listings for the .tsv files that GAPIR adds to the common ones (gapir.md 4.2). Key 0 each.
 */

extern const struct dump_listing gapir_functions_listing;
extern const struct dump_listing gapir_opcodes_listing;
extern const struct dump_listing gapir_resources_listing;
extern const struct dump_listing gapir_posts_listing;
extern const struct dump_listing gapir_notifications_listing;
extern const struct dump_listing gapir_fences_listing;
extern const struct dump_listing gapir_windows_listing;

#endif
