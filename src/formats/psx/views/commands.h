/* SPDX-License-Identifier: MIT */
/*
 * commands.txt and packets/BBBBB/NNNNNNNN-NAME.txt: the command stream as lines
 * (psx-dump.md 4.3), and what draws.tsv and uploads.tsv share with them.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_COMMANDS_H
#define GPUDUMPFS_PSX_VIEWS_COMMANDS_H

#include "base/text.h"
#include "formats/psx/dump.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/walk.h"

/*
 * The text of one command from its name on: what commands.txt has after the
 * first byte. It depends on the command and the GPU's registers alone, so that
 * lines of two frames can be compared. Pure functions.
 */

enum { PSX_POLYLINE_LISTED = 1024 }; /* vertices of one line of text */

/* All of a polyline that its text shows, gathered segment by segment. */
struct psx_polyline {
    struct psx_draw draw; /* of the last segment */
    struct psx_box box;   /* of all */
    enum psx_cull cull;
    uint64_t vertices;
    struct psx_vertex listed[PSX_POLYLINE_LISTED]; /* the first of them */
};

/* `event`: the polyline's command; registers before it. */
void psx_polyline_begin(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                        const struct psx_registers *registers);
void psx_polyline_add(struct psx_polyline *polyline, const struct psx_gp0_event *event,
                      const struct psx_registers *registers);

enum psx_ending {
    PSX_ENDING_COMPLETE,
    PSX_ENDING_INCOMPLETE, /* the dump ends before it is complete */
    PSX_ENDING_ABORTED,    /* GP1(00) or GP1(01) dropped it */
};

/* A GP0 command as a whole, over as many packets as it takes. */
struct psx_command {
    struct psx_gp0_event event;     /* its words, once they are all here; without data */
    struct psx_registers registers; /* before it */
    struct psx_polyline *polyline;  /* room for a polyline; set up when it is one */
    enum psx_ending ending;
    bool carried_out; /* its words are here; what follows an upload's or a polyline's may not be */
    uint8_t op;
    uint64_t got, need; /* words of an incomplete or aborted one */
    bool hashes;        /* set by the caller: an upload's data is hashed … */
    uint64_t data;      /* … to this, which is equal for equal data while the process lives */
    /*
     * Its text is to tell its words (docs/psx-assembly.md): without what follows from registers or
     * from other operands, and with what a polygon's page holds beside.
     */
    bool as_sent;
};

void psx_format_gp0(struct text *text, const struct psx_command *command);

void psx_format_gp1(struct text *text, uint32_t word, const struct psx_registers *registers);

/* A packet 02 to 05, after its type. */
void psx_format_event(struct text *text, const struct psx_packet *packet);

/* An informational packet as `key: value`; one of an unknown type by its number and length. */
void psx_format_information(struct text *text, const struct psx_packet *packet,
                            enum psx_magic magic);

/* Columns that GP1(08) names: 256, 320, 368, 512, 640. */
uint32_t psx_mode_columns(uint32_t mode);

/*
 * Writes the lines of a stretch of the command stream. A command that goes on
 * behind the stretch is followed to its end on a walk of its own, so that its
 * line is whole and stands where it began. One thread per struct.
 */
struct psx_buffers;
struct psx_lines {
    struct text *text;
    const struct cancel *cancel;
    const struct psx_buffers *buffers; /* lines are for comparing; NULL: as files have them */
    unsigned packet_digits, line_digits, draw_digits, upload_digits;
    struct psx_polyline *polyline; /* room for one; psx_lines_init() makes it */
};

/* Digits as the counts of a frame need them; NULL: the fewest. 0 or -ENOMEM. */
int psx_lines_init(struct psx_lines *lines, struct text *text, const struct cancel *cancel,
                   unsigned packet_digits, const struct psx_frame_counts *counts);
void psx_lines_clear(struct psx_lines *lines);

/*
 * Lines of all that begins from the walk's position on and before word `word` of
 * packet `packet`; the walk ends there. 0 or -EINTR.
 */
int psx_lines_write(struct psx_lines *lines, struct psx_walk *walk, uint64_t packet, uint32_t word);

/*
 * From a step that begins a command to the end of that command. `command` has
 * room for a polyline, *end_packet is where its last word stands. 0 or -EINTR.
 */
int psx_command_follow(const struct psx_walk *walk, const struct psx_step *step,
                       const struct cancel *cancel, struct psx_command *command,
                       uint64_t *end_packet);

/*
 * Pieces of both files are what lies between two checkpoints of the index. Any thread.
 * A frame's commands; key = frame.
 */
int psx_commands_pieces(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                        uint64_t *pieces);
int psx_commands_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* The same as dump_ops' compared_commands has them. */
int psx_compared_piece(struct dump *dump, uint64_t frame, uint64_t piece,
                       const struct cancel *cancel, struct text *text);

/* The numbers of a line; as dump_ops says. */
void psx_command_numbers(const char *line, size_t length, uint64_t *packet, uint64_t *draw);

/* As dump_ops says: the line's number, packet and word, and the number of its draw or upload. */
size_t psx_command_place(const char *line, size_t length, unsigned *inside);

/* A packet decoded; key = packet. */
int psx_packet_text_pieces(struct dump *dump, uint64_t packet, const struct cancel *cancel,
                           uint64_t *pieces);
int psx_packet_text_piece(struct dump *dump, uint64_t number, uint64_t piece,
                          const struct cancel *cancel, struct text *text);

#endif
