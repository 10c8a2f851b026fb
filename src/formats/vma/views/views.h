/* SPDX-License-Identifier: MIT */
/*
 * What the mount shows of a recording: functions for struct dump_ops, makers and sizes for rules,
 * and what the files of this folder share. Each file makes one family of names; vma.md 4 describes
 * their contents. Any thread. Texts are appended to; the status is 0 or a negative errno.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_VIEWS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_VIEWS_H

#include "formats/vma/dump.h"
#include "image/canvas.h"

/* metadata.c: facts from the header, the configuration and the index (vma.md 4.2, 4.3). */

int vma_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/*
 * packets.c: packets.tsv, and a decoded packet (vma.md 4.1). This and frames.c need only the lines
 * and the index, not the state.
 */

/* For struct dump_ops. `line` is the packet's line; `frame` may be VMA_NO_FRAME. */
void vma_packet_describe(const struct vma_recording *recording, uint32_t packet, uint32_t frame,
                         const struct vma_line *line, struct dump_packet *out);
void vma_packet_type(struct dump *dump, uint32_t type, struct text *text);
int vma_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text);
int vma_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

/* frames.c: frames.tsv, and a frame's info.txt (vma.md 4.2). */
int vma_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                    struct text *text);
int vma_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                   struct text *text);

/* commands.c: the commands of a frame (vma.md 4.3), and parameter values as text. */

int vma_command_count(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      uint64_t *rows);
int vma_command_rows(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text);

/*
 * For struct dump_ops: returns the length of packet, thread and time at the beginning of a line, or
 * of the packet alone if the line was refused.
 */
size_t vma_command_place(const char *line, size_t length, unsigned *inside);

/* Appends the decoded value of a parameter; with `number`, also the value as it is in the file. */
void vma_value_write(const struct vma_recording *recording, const struct vma_call *call,
                     const struct vma_parameter *parameter, bool number, struct text *text);

/* Returns whether a call has a parameter, which depends on the recording's version and the line. */
bool vma_call_has_parameter(const struct vma_call *call, const struct vma_parameter *parameter);

/* Appends seconds with three decimals. */
void vma_time_write(uint64_t milliseconds, struct text *text);

/*
 * json.c: the allocator's state in the form of the library's own statistics (vmaBuildStatsString of
 * 2.3, vma.md 3.11), which VmaDumpVis.py and scripts for VMA 2.x read. These functions and those of
 * statistics.c are for any thread, as long as the state does not change.
 */

/* Appends the statistics; with `detailed`, also every block and range. */
void vma_json_write(const struct vma_allocator *allocator, bool detailed, struct text *text);

/*
 * Returns the length of the detailed statistics, without walking over blocks or allocations
 * (tally.h).
 */
uint64_t vma_json_length(const struct vma_allocator *allocator);

/* Gets the lengths of the statistics without and with details, in the same way. */
void vma_json_lengths(const struct vma_allocator *allocator, uint64_t *stats, uint64_t *detailed);

/*
 * statistics.c: texts of the allocator's state, at the end of a frame (the key) or after a packet,
 * and the memory table (vma.md 3.11, 4.3, 4.4).
 */

/* Appends live.tsv: every live and every lost allocation, by number. Returns 0 or -ENOMEM. */
int vma_live_write(const struct vma_replay *replay, struct text *text);
void vma_budget_write(const struct vma_allocator *allocator, struct text *text);
void vma_state_write(const struct vma_replay *replay, struct text *text);

/* Appends what the column of user data shows: a string, a pointer, or nothing. */
void vma_user_data_write(const uint8_t *data, bool string, uint64_t value, uint32_t length,
                         struct text *text);

/* stats.json, detailed.json, live.tsv, budget.txt, state.txt. */
int vma_frame_stats(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);
int vma_frame_detailed(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                       struct text *text);
int vma_frame_live(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text);
int vma_frame_budget(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                     struct text *text);
int vma_frame_state(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                    struct text *text);

/* Notes the lengths of a frame's texts. The pass calls this at the frame's end. */
void vma_note_frame(struct vma_dump *dump, const struct vma_replay *replay);

int vma_stats_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_detailed_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_live_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_prepare_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel);

/*
 * after/BBBBB/NNNNNNNN.json; the key is the packet. The sizes of a complete folder become known at
 * once.
 */
int vma_after_json(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                   struct text *text);
int vma_after_json_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_prepare_after(struct vma_dump *dump, uint64_t packet, const struct cancel *cancel);

extern const struct dump_listing vma_memory_table;

/* For a table with rows for each frame: `piece_rows` and `count` of struct dump_listing. */
enum { VMA_PIECE_FRAMES = 256 };

int vma_count_frames(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows);

/*
 * Calls `row` with the state at the end of each frame from `first` up to but excluding `end`.
 * Returns 0, -EINTR or -ENOMEM.
 */
int vma_rows_of_frames(struct vma_dump *vma, uint64_t first, uint64_t end,
                       const struct cancel *cancel,
                       void (*row)(const struct vma_replay *replay, struct text *text),
                       struct text *text);

/*
 * Returns whether an allocation has memory: it is neither lost nor null, and its pool was not
 * destroyed.
 */
static inline bool vma_allocation_is_placed(const struct vma_allocation *allocation)
{
    return allocation->place == VMA_PLACE_BLOCK || allocation->place == VMA_PLACE_DEDICATED;
}

/* Returns the function of an allocation's call, or `-` if it is unknown. */
static inline const char *vma_function_name(unsigned function)
{
    return vma_functions[function].name;
}

/*
 * Appends the columns of an allocation's place: type, heap, pool, block and offset. Each begins
 * with a tab.
 */
void vma_place_cells(const struct vma_allocator *allocator, const struct vma_allocation *allocation,
                     struct text *text);

/* Appends the column of an allocation's user data, which begins with a tab. */
void vma_user_data_cell(const struct vma_allocator *allocator,
                        const struct vma_allocation *allocation, struct text *text);

/*
 * holders.c: what memory consists of and which allocations hold it (vma.md 4.3): blocks.tsv of a
 * frame (the key); labels.tsv and pools.tsv over all frames; peak.tsv, which waits for the pass.
 */
int vma_blocks(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct text *text);
int vma_peak(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
extern const struct dump_listing vma_labels_table, vma_pools_table;

/*
 * allocation_tables.c: tables over the complete recording: allocations.tsv (also of one pool),
 * leaks.txt and pools/ (vma.md 4.3). The key of a pool is its ordinal. They wait for the pass.
 */

extern const struct dump_listing vma_allocations_table, vma_pool_allocations_table;
int vma_pool_info(struct dump *dump, uint64_t pool, const struct cancel *cancel, struct text *text);
int vma_leaks(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
int vma_leaks_table(struct dump *dump, uint64_t key, const struct cancel *cancel,
                    struct text *text);

/* failures.tsv: the calls that fail in the simulation, and why they do. */
extern const struct dump_listing vma_failures_table;

/*
 * report.c: stats.txt, what VmaReplay reports about a complete recording (vma.md 4.3): calls,
 * classes of buffers and images, every field of every create-info, threads, device allocations,
 * peaks. Waits for the pass, and reads all lines once more.
 */
int vma_report(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);

/*
 * memory_map.c: a picture of the heaps, memory types, blocks and allocations of one state (vma.md
 * 4.5). Its size is the same for every state of a recording and known from the index of lines: it
 * has room for all types and pools, which those that hold something share. Pure functions of their
 * arguments.
 */

enum { VMA_MAP_WIDTH = 1280 };

uint32_t vma_map_height(const struct vma_recording *recording);

/*
 * Draws a state. Initialises *canvas, which the caller clears even if this fails. Returns 0,
 * -EINVAL or -ENOMEM.
 */
int vma_map_draw(const struct vma_replay *replay, enum vma_scale scale, struct canvas *canvas);

/* pictures.c: memory maps as files, at the end of a frame or after a packet (the key). */
int vma_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);

/* small_map.c: a state at the size of a thumbnail, for contact-sheet.png. */
int vma_small_map_draw(const struct vma_allocator *allocator, uint32_t width, uint32_t height,
                       const struct cancel *cancel, struct picture_pixels *out);
int vma_frame_small(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                    const struct cancel *cancel, struct picture_pixels *out);

/* pictures.c: memory maps after a packet. */
int vma_after_png_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_after_png_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out);

/*
 * timeline.c: how many bytes of each heap blocks and allocations hold over all frames, as in
 * memory.tsv.
 */
int vma_timeline_size(struct dump *dump, uint64_t key, uint64_t *size);
int vma_timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

/* classes.c: the contents of labels.tsv as a picture, and the thumbnail. */
int vma_labels_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int vma_labels_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* For struct dump_ops. */
int vma_thumbnail(struct dump *dump, uint32_t size, const struct cancel *cancel, struct blob **out);

/*
 * snapshots.c: for a series of snapshots (vma.md 7): packets, frames, and as the commands of a
 * frame its blocks and allocations. For struct dump_ops and struct rule.
 */
int vma_snapshot_packet(struct dump *dump, uint64_t number, struct dump_packet *out);
int vma_snapshot_bytes(struct dump *dump, uint64_t number, const struct cancel *cancel,
                       struct blob **out);
int vma_snapshot_size(struct dump *dump, uint64_t number, uint64_t *size);
int vma_snapshot_packet_rows(struct dump *dump, uint64_t first, uint64_t end,
                             const struct cancel *cancel, struct text *text);
int vma_snapshot_frame_cells(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                             struct text *text);
int vma_snapshot_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct text *text);
int vma_snapshot_command_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                                uint64_t *pieces);
int vma_snapshot_command_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                               const struct cancel *cancel, struct text *text);

/* Colours by what they stand for. */
enum vma_colour {
    VMA_COLOUR_PAPER,
    VMA_COLOUR_TEXT,  /* also of marks, and of what is too narrow to show */
    VMA_COLOUR_FAINT, /* secondary text */
    VMA_COLOUR_OUTLINE,
    VMA_COLOUR_GRID,
    VMA_COLOUR_FREE,
    VMA_COLOUR_UNKNOWN,
    VMA_COLOUR_BUFFER_VERTEX,
    VMA_COLOUR_BUFFER_STORAGE,
    VMA_COLOUR_BUFFER_UNIFORM,
    VMA_COLOUR_BUFFER_OTHER,
    VMA_COLOUR_IMAGE_DEPTH,
    VMA_COLOUR_IMAGE_ATTACHMENT,
    VMA_COLOUR_IMAGE_SAMPLED,
    VMA_COLOUR_IMAGE_OTHER,
    VMA_COLOUR_IMAGE_LINEAR,
    VMA_COLOUR_IMAGE_UNKNOWN,
    VMA_COLOUR_HEAP_BLOCKS, /* bars of heaps */
    VMA_COLOUR_HEAP_USED,
    VMA_COLOURS = 32, /* entries of the palette; the unnamed ones are black */
};

extern const struct picture_palette vma_palette;

uint8_t vma_allocation_colour(const struct vma_allocation *allocation);

/* Writes a size as `1.5 GiB` and a NUL, for captions. */
enum { VMA_SIZE_ROOM = 24 };
void vma_size_text(uint64_t bytes, char text[VMA_SIZE_ROOM]);

#endif
