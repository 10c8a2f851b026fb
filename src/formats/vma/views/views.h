/* SPDX-License-Identifier: MIT */
/*
 * What the mount shows of a recording: answers of struct dump_ops, makers and sizes of rules,
 * and what the files of this folder share. Each file has one family of names; vma.md 4 says what
 * stands in them. Any thread; a text is appended, status 0 or a negative errno.
 */
#ifndef GPUDUMPFS_FORMATS_VMA_VIEWS_VIEWS_H
#define GPUDUMPFS_FORMATS_VMA_VIEWS_VIEWS_H

#include "formats/vma/dump.h"
#include "image/canvas.h"

/* metadata.c: what the header, the configuration and the index say (vma.md 4.2, 4.3). */

int vma_metadata(struct dump *dump, const struct cancel *cancel, struct metadata *out);

/*
 * packets.c: packets.tsv, and a packet decoded (vma.md 4.1); frames.c: frames.tsv, and info.txt of
 * a frame (vma.md 4.2): all from the lines and the index, without the state.
 */

/* As dump_packet says; the line is the packet's, the frame may be VMA_NO_FRAME. */
void vma_packet_describe(const struct vma_recording *recording, uint32_t packet, uint32_t frame,
                         const struct vma_line *line, struct dump_packet *out);
void vma_packet_type(struct dump *dump, uint32_t type, struct text *text);
int vma_packet_rows(struct dump *dump, uint64_t first, uint64_t end, const struct cancel *cancel,
                    struct text *text);
int vma_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int vma_packet_text_piece(struct dump *dump, uint64_t packet, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

int vma_frame_cells(struct dump *dump, uint64_t number, const struct cancel *cancel,
                    struct text *text);
int vma_frame_info(struct dump *dump, uint64_t number, const struct cancel *cancel,
                   struct text *text);

/* commands.c: the commands of a frame (vma.md 4.3), and the values of parameters as texts. */

int vma_command_count(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      uint64_t *rows);
int vma_command_rows(struct dump *dump, uint64_t frame, uint64_t first, uint64_t end,
                     const struct cancel *cancel, struct text *text);

/* As dump_ops says: packet, thread and time; of a line that was refused the packet alone. */
size_t vma_command_place(const char *line, size_t length, unsigned *inside);

/*
 * One parameter's value: decoded; with `number` also as it stands. Whether the call has
 * the parameter at all depends on the recording's version and the line.
 */
void vma_value_write(const struct vma_recording *recording, const struct vma_call *call,
                     const struct vma_parameter *parameter, bool number, struct text *text);
bool vma_call_has_parameter(const struct vma_call *call, const struct vma_parameter *parameter);

/* Seconds with three digits. */
void vma_time_write(uint64_t milliseconds, struct text *text);

/*
 * json.c: the allocator's state as the library's own statistics (vmaBuildStatsString of
 * 2.3, vma.md 3.11): what VmaDumpVis.py and scripts for VMA 2.x read. These and the next ones
 * are for any thread, as long as the state stays as it is.
 */

/* Appends the statistics; with `detailed` also every block and range. */
void vma_json_write(const struct vma_allocator *allocator, bool detailed, struct text *text);

/* How long the detailed ones are, or both, without walking over blocks or allocations. */
uint64_t vma_json_length(const struct vma_allocator *allocator);
void vma_json_lengths(const struct vma_allocator *allocator, uint64_t *stats, uint64_t *detailed);

/*
 * statistics.c: texts of the allocator's state, at the end of a frame (the key) or after a packet,
 * and the memory table (vma.md 3.11, 4.3, 4.4).
 */

/* live.tsv: every live and every lost allocation, by number. 0 or -ENOMEM. */
int vma_live_write(const struct vma_replay *replay, struct text *text);
void vma_budget_write(const struct vma_allocator *allocator, struct text *text);
void vma_state_write(const struct vma_replay *replay, struct text *text);

/* The column that shows user data: a string, a pointer, or nothing. */
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

/* The pass is at a frame's end: notes how long its texts are. */
void vma_note_frame(struct vma_dump *dump, const struct vma_replay *replay);

int vma_stats_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_detailed_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_live_size(struct dump *dump, uint64_t frame, uint64_t *size);
int vma_prepare_frame(struct vma_dump *dump, uint64_t frame, const struct cancel *cancel);

/* after/BBBBB/NNNNNNNN.json; the key is the packet. The size is known of a whole folder at once. */
int vma_after_json(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                   struct text *text);
int vma_after_json_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_prepare_after(struct vma_dump *dump, uint64_t packet, const struct cancel *cancel);

extern const struct dump_listing vma_memory_table;

/* Of a table with rows for each frame: `count`, `piece_rows`, and the rows of the states at the
 * ends of frames from `first` up to `end`. 0, -EINTR, -ENOMEM. */
enum { VMA_PIECE_FRAMES = 256 };

int vma_count_frames(struct dump *dump, uint64_t key, const struct cancel *cancel, uint64_t *rows);
int vma_rows_of_frames(struct vma_dump *vma, uint64_t first, uint64_t end,
                       const struct cancel *cancel,
                       void (*row)(const struct vma_replay *replay, struct text *text),
                       struct text *text);

/* Whether it has memory: it is neither lost nor null nor of a destroyed pool. */
static inline bool vma_allocation_is_placed(const struct vma_allocation *allocation)
{
    return allocation->place == VMA_PLACE_BLOCK || allocation->place == VMA_PLACE_DEDICATED;
}

/* The function of an allocation's call; `-` where it is not known. */
static inline const char *vma_function_name(unsigned function)
{
    return vma_functions[function].name;
}

/* Each column of an allocation that tells where it lies: type, heap, pool, block, offset; and its
 * user data. All begin with a tab. */
void vma_place_cells(const struct vma_allocator *allocator, const struct vma_allocation *allocation,
                     struct text *text);
void vma_user_data_cell(const struct vma_allocator *allocator,
                        const struct vma_allocation *allocation, struct text *text);

/*
 * holders.c: what memory is made of and who holds it (vma.md 4.3): blocks.tsv of a frame (the
 * key); labels.tsv and pools.tsv over all frames; peak.tsv, which waits for the pass.
 */
int vma_blocks(struct dump *dump, uint64_t frame, const struct cancel *cancel, struct text *text);
int vma_peak(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
extern const struct dump_listing vma_labels_table, vma_pools_table;

/*
 * allocation_tables.c: tables over the whole recording: allocations.tsv, also of one pool,
 * leaks.txt and pools/ (vma.md 4.3). The key of a pool is its ordinal. They wait for the pass.
 */

extern const struct dump_listing vma_allocations_table, vma_pool_allocations_table;
int vma_pool_info(struct dump *dump, uint64_t pool, const struct cancel *cancel, struct text *text);
int vma_leaks(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);
int vma_leaks_table(struct dump *dump, uint64_t key, const struct cancel *cancel,
                    struct text *text);

/* failures.tsv: the calls that fail in the simulation, and why. */
extern const struct dump_listing vma_failures_table;

/*
 * report.c: stats.txt, what VmaReplay reports of a recording, over all of it (vma.md 4.3):
 * calls, classes of buffers and images, every field of every create-info, threads,
 * device allocations, peaks. Waits for the pass, and reads all lines once more.
 */
int vma_report(struct dump *dump, uint64_t key, const struct cancel *cancel, struct text *text);

/*
 * memory_map.c: heaps, memory types, blocks and allocations of one state as a picture (vma.md
 * 4.5). Its size is the same for every state of a recording, and known from the line index: room
 * for all types and pools, which those that hold something share. Pure functions of what they are
 * given.
 */

enum { VMA_MAP_WIDTH = 1280 };

uint32_t vma_map_height(const struct vma_recording *recording);

/* Draws a state. The canvas is made here; 0, -EINVAL, -ENOMEM. */
int vma_map_draw(const struct vma_replay *replay, enum vma_scale scale, struct canvas *canvas);

/*
 * pictures.c: memory maps as files: at the end of a frame, and after a packet (the key), and what
 * all pictures share; timeline.c: how many bytes of each heap blocks and allocations held, over all
 * frames, what memory.tsv has, drawn; classes.c: what labels.tsv has, drawn, and the thumbnail;
 * small_map.c: a state at the size of a thumbnail, for contact-sheet.png.
 */

int vma_frame_picture(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct blob **out);
int vma_small_map_draw(const struct vma_allocator *allocator, uint32_t width, uint32_t height,
                       const struct cancel *cancel, struct picture_pixels *out);
int vma_frame_small(struct dump *dump, uint64_t frame, uint32_t width, uint32_t height,
                    const struct cancel *cancel, struct picture_pixels *out);
int vma_after_png_size(struct dump *dump, uint64_t packet, uint64_t *size);
int vma_after_png_make(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                       struct blob **out);

int vma_timeline_size(struct dump *dump, uint64_t key, uint64_t *size);
int vma_timeline_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                      struct blob **out);

int vma_labels_png_size(struct dump *dump, uint64_t key, uint64_t *size);
int vma_labels_png_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                        struct blob **out);

/* As struct dump_ops says. */
int vma_thumbnail(struct dump *dump, uint32_t size, const struct cancel *cancel, struct blob **out);

/*
 * snapshots.c: of a series of snapshots (vma.md 7): packets and frames, and as commands of a frame
 * its blocks and allocations. As struct dump_ops and struct rule say.
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
    VMA_COLOUR_TEXT,  /* and marks, and what is too narrow to show */
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
    VMA_COLOURS = 32, /* entries of the palette, the rest black */
};

extern const struct picture_palette vma_palette;

uint8_t vma_allocation_colour(const struct vma_allocation *allocation);

/* `1.5 GiB`, with a NUL; for captions. */
enum { VMA_SIZE_ROOM = 24 };
void vma_size_text(uint64_t bytes, char text[VMA_SIZE_ROOM]);

#endif
