/*
 * The text of one command from its name on: what commands.txt has after the
 * first byte. It depends on the command and the GPU's registers alone, so that
 * lines of two frames can be compared (psx-dump.md 4.3). Pure functions.
 */
#ifndef GPUDUMPFS_PSX_VIEWS_FORMAT_COMMAND_H
#define GPUDUMPFS_PSX_VIEWS_FORMAT_COMMAND_H

#include "base/text.h"
#include "formats/psx/gpu/draw.h"
#include "formats/psx/index/walk.h"

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
void psx_polyline_begin(struct psx_polyline *polyline, const struct gp0_event *event,
                        const struct psx_registers *registers);
void psx_polyline_add(struct psx_polyline *polyline, const struct gp0_event *event,
                      const struct psx_registers *registers);

enum psx_ending {
    PSX_ENDING_COMPLETE,
    PSX_ENDING_INCOMPLETE, /* the dump ends before it is complete */
    PSX_ENDING_ABORTED,    /* GP1(00) or GP1(01) dropped it */
};

/* A GP0 command as a whole, over as many packets as it takes. */
struct psx_command {
    struct gp0_event event;         /* its words, once they are all here; without data */
    struct psx_registers registers; /* before it */
    struct psx_polyline *polyline;  /* room for a polyline; set up when it is one */
    enum psx_ending ending;
    bool
        carried_out; /* its words are here; of an upload or a polyline maybe not all that follows */
    uint8_t op;
    uint64_t got, need; /* words of an incomplete or aborted one */
};

void psx_format_gp0(struct text *text, const struct psx_command *command);

void psx_format_gp1(struct text *text, uint32_t word);

/* A packet 02 to 05, after its type. */
void psx_format_event(struct text *text, const struct psx_packet *packet);

/* Columns that GP1(08) asks for by name: 256, 320, 368, 512, 640. */
uint32_t psx_mode_columns(uint32_t mode);

#endif
