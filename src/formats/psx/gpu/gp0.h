/* SPDX-License-Identifier: MIT */
/*
 * The GP0 and GP1 command sets, as one table each, and the parser that divides the GP0 word stream
 * into commands. Text, index and replay all decode with these, so that they cannot disagree.
 * Commands may run on from one packet to the next (psx-dump.md 3.1). struct psx_gp0_parser is all
 * of the parser's state: small, plain data that can be kept at any point and copied. Facts:
 * psx-gpu.md 2.
 */
#ifndef GPUDUMPFS_PSX_GPU_GP0_H
#define GPUDUMPFS_PSX_GPU_GP0_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum psx_gp0_kind {
    GP0_NOP,
    GP0_CLEAR_CACHE,
    GP0_FILL,
    GP0_IRQ,
    GP0_POLYGON,
    GP0_LINE,
    GP0_POLYLINE,
    GP0_RECTANGLE,
    GP0_COPY,
    GP0_UPLOAD,
    GP0_READ,
    GP0_ENVIRONMENT, /* E1 to E6 */
    GP0_UNKNOWN,     /* a no-op of one word */
};

/* Bits of a drawing command's first byte. */
enum {
    GP0_RAW = 0x01,      /* R: texture unmodulated */
    GP0_SEMI = 0x02,     /* S: semi-transparent */
    GP0_TEXTURED = 0x04, /* T (polygons and rectangles) */
    GP0_QUAD = 0x08,     /* Q (polygons); P, polyline (lines) */
    GP0_GOURAUD = 0x10,  /* G (polygons and lines) */
};

struct psx_gp0_info {
    const char *name; /* as commands.txt prints it: "quad-gt", "fill", "area-min" */
    enum psx_gp0_kind kind;
    /* Including the command's own; without an upload's data; of a polyline, the first segment. */
    uint8_t words;
};

extern const struct psx_gp0_info psx_gp0_table[256];

struct psx_gp1_info {
    const char *name; /* such as "display-start"; NULL if the command does nothing that is known */
};

/* Indexed by the first byte & 3Fh: 40 to FF are mirrors. */
extern const struct psx_gp1_info psx_gp1_table[64];

enum { GP0_WORDS_MAX = 12 }; /* words of the longest command of fixed length (3C) */

enum psx_gp0_phase {
    GP0_PHASE_IDLE,     /* the next word begins a command */
    GP0_PHASE_COMMAND,  /* `have` of the `need` words of a command have come */
    GP0_PHASE_POLYLINE, /* two vertices have come; the next vertex, or the end mark, follows */
    GP0_PHASE_UPLOAD,   /* `due` data words have yet to come */
};

struct psx_gp0_parser {
    uint32_t words[GP0_WORDS_MAX]; /* of the command so far; in an open polyline, of the vertex */
    uint8_t have, need;
    uint8_t phase; /* enum psx_gp0_phase */
    uint8_t op;    /* first byte of the command in progress */
    uint32_t due;  /* GP0_PHASE_UPLOAD: data words that have yet to come */
};

enum psx_gp0_event_type {
    GP0_EVENT_NONE,         /* the words ran out; nothing was completed */
    GP0_EVENT_COMMAND,      /* a command is complete; of a polyline, its first segment */
    GP0_EVENT_SEGMENT,      /* a polyline's next vertex: words[] has [colour,] vertex */
    GP0_EVENT_POLYLINE_END, /* a polyline's end mark */
    GP0_EVENT_DATA,         /* some of an upload's data words, all in one payload */
};

struct psx_gp0_event {
    enum psx_gp0_event_type type;
    uint8_t op;
    uint8_t count; /* number of words[] */
    uint32_t words[GP0_WORDS_MAX];
    const uint8_t *data; /* GP0_EVENT_DATA: data_words words, little-endian, unaligned */
    uint32_t data_words;
    bool data_last; /* these words complete the upload */
    bool begins;    /* the first of these words began a command, complete now or not */
};

/* Resets the parser, as power-on, GP1(00) and GP1(01) do. */
void psx_gp0_parser_reset(struct psx_gp0_parser *parser);

/*
 * Return the columns and rows of a copy, an upload or a read: 0 means 1024 and 512 (psx-gpu.md 11).
 */
static inline uint32_t gp0_transfer_width(uint32_t size_word)
{
    return ((size_word - 1) & 0x3FF) + 1;
}

static inline uint32_t gp0_transfer_height(uint32_t size_word)
{
    return (((size_word >> 16) - 1) & 0x1FF) + 1;
}

enum { GP0_POLYLINE_END = 0x55555555 }; /* what programs usually end a polyline with */

/* Returns whether a word ends a polyline if it is where the next vertex would begin. */
static inline bool psx_gp0_is_polyline_end(uint32_t word)
{
    return (word & 0xF000F000) == 0x50005000;
}

/*
 * Returns the number of words of a polyline, including its end mark. That is more than `left`, the
 * number of words that are there, if the end mark is missing.
 */
uint32_t psx_gp0_measure_polyline(const uint8_t *words, uint32_t left);

/*
 * Consumes words (little-endian, unaligned) until an event is complete or they run out. Returns how
 * many words were consumed. Never allocates, and never fails, since any sequence of words is a
 * sequence of commands.
 */
size_t psx_gp0_parse(struct psx_gp0_parser *parser, const uint8_t *words, size_t count,
                     struct psx_gp0_event *event);

#endif
