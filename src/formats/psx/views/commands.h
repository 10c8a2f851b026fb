/* SPDX-License-Identifier: MIT */
/*
 * commands.txt and packets/BBBBB/NNNNNNNN-NAME.txt: the command stream as lines (psx-dump.md 4.3),
 * and what draws.tsv and uploads.tsv share with these.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_COMMANDS_H
#define GPUDUMPFS_PSX_VIEWS_COMMANDS_H

#include "base/text.h"
#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/walk.h"

/*
 * The text of one command from its name on: what commands.txt has after the first byte. It depends
 * only on the command and the GPU's registers, so that lines of two frames can be compared. Pure
 * functions.
 */

enum { PSX_POLYLINE_LISTED = 1024 }; /* vertices in one line of text, at most */

/* A polyline as its text shows it, collected segment by segment. */
struct psx_polyline {
    struct psx_draw draw; /* the last segment */
    struct psx_box box;   /* encloses all segments */
    enum psx_cull cull;
    uint64_t vertices;
    struct psx_vertex listed[PSX_POLYLINE_LISTED]; /* the first vertices */
};

/*
 * Begins a polyline with its first segment. `event` is the polyline's command, `registers` are
 * those before it.
 */
void psx_polyline_begin(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                        const struct psx_registers *registers);

/* Adds the next segment, `event`. `registers` are those before the polyline. */
void psx_polyline_add(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                      const struct psx_registers *registers);

enum psx_ending {
    PSX_ENDING_COMPLETE,
    PSX_ENDING_INCOMPLETE, /* the dump ends before the command is complete */
    PSX_ENDING_ABORTED,    /* GP1(00) or GP1(01) dropped the command */
};

/* A GP0 command with everything that belongs to it, which may span several packets. */
struct psx_command {
    struct psx_gp0_event event; /* its words, once all of them have been received; without data */
    struct psx_registers registers; /* the registers before it */
    /* Storage, provided by the caller; set if the command is a polyline. */
    struct psx_polyline *polyline;
    enum psx_ending ending;
    /* Its words were complete; the data of an upload or segments of a polyline may be missing. */
    bool carried_out;
    uint8_t op;
    uint64_t got, need; /* words received and needed, if incomplete or aborted */
    bool hashes;        /* set by the caller: compute `data` */
    uint64_t data;      /* hash of an upload's data, equal for equal data within one process */
    /*
     * Write what the words contain (docs/psx-assembly.md): without what follows from registers or
     * other operands, and with all that the page word of a polygon holds.
     */
    bool as_sent;
};

/* Appends the text of a GP0 command. */
void psx_format_gp0(struct text *text, const struct psx_command *command);

/* Appends the text of a GP1 word; `registers` are those before it. */
void psx_format_gp1(struct text *text, uint32_t word, const struct psx_registers *registers);

/* Formats a packet 02 to 05, without the type in front. */
void psx_format_event(struct text *text, const struct psx_packet *packet);

/*
 * Formats an informational packet as `key: value`. For an unknown type writes the type's number and
 * the packet's length.
 */
void psx_format_information(struct text *text, const struct psx_packet *packet,
                            enum psx_magic magic);

/* Returns the number of columns for GP1(08): 256, 320, 368, 512 or 640. */
uint32_t psx_mode_columns(uint32_t mode);

/*
 * Writes the lines for a part of the command stream. A command that goes on after that part is
 * followed to its end by a walk of its own, so that its line is complete and at the place where the
 * command begins. One thread per struct.
 */
struct psx_buffers;
struct psx_lines {
    struct text *text;
    const struct cancel *cancel;
    /* Set if the lines are for comparing; NULL: lines as files have them. */
    const struct psx_buffers *buffers;
    unsigned packet_digits, line_digits, draw_digits, upload_digits;
    struct psx_polyline *polyline; /* storage, allocated by psx_lines_init() */
};

/*
 * Initialises `lines`, with as many digits as the counts of a frame need; NULL: as few as possible.
 * Call psx_lines_clear() afterwards. Returns 0 or -ENOMEM.
 */
int psx_lines_init(struct psx_lines *lines, struct text *text, const struct cancel *cancel,
                   unsigned packet_digits, const struct psx_frame_counts *counts);
void psx_lines_clear(struct psx_lines *lines);

/*
 * Writes the lines of everything that begins at the walk's position or later, and before word
 * `word` of packet `packet`. The walk ends there. Returns 0 or -EINTR.
 */
int psx_lines_write(struct psx_lines *lines, struct psx_walk *walk, uint64_t packet, uint32_t word);

/*
 * Follows a command from the step that begins it to its end. The caller provides `command` with
 * storage for a polyline. *end_packet is the packet with the command's last word. Returns 0 or
 * -EINTR.
 */
int psx_command_follow(const struct psx_walk *walk, const struct psx_step *step,
                       const struct cancel *cancel, struct psx_command *command,
                       uint64_t *end_packet);

/*
 * The pieces of both files are what is between two checkpoints of the index. Any thread. These two
 * are for a frame's commands; the key is the frame.
 */
int psx_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);
int psx_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* Writes a piece of dump_ops.compared.commands. */
int psx_compared_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* Implements dump_ops.texts.command_numbers. */
void psx_command_numbers(const char *line, size_t length, uint64_t *packet, uint64_t *draw);

/*
 * Implements dump_ops.texts.command_place: the place is the line's number, packet and word, and the
 * number of its draw or upload.
 */
size_t psx_command_place(const char *line, size_t length, unsigned *inside);

/* A packet as text; the key is the packet. */
int psx_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int psx_packet_text_piece(struct dump *dump, uint64_t number, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

#endif
