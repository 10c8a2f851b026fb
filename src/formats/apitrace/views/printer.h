/* SPDX-License-Identifier: MIT */
/*
 * What the sources of print.h share: text is gathered in the printer's room, from where it goes to
 * the caller's text in large pieces. print_values.c prints values, print_pass.c calls while they
 * are read, print.c all others from what was read of them. One thread a printer.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PRINTER_H
#define GPUDUMPFS_APITRACE_VIEWS_PRINTER_H

#include "base/text.h"
#include "formats/apitrace/decode/literals.h"
#include "formats/apitrace/index/call.h"

enum apitrace_print {
    APITRACE_PRINT_LINES = 0,
    APITRACE_PRINT_ONE_LINE = 1, /* --multiline=no */
    APITRACE_PRINT_THREADS = 2,  /* --thread-ids=yes */
    APITRACE_PRINT_RAW = 4,      /* names as they are */
};

enum { APITRACE_PRINT_ROOM = 8192 };

struct apitrace_printer {
    struct apitrace_call call;
    struct text *text; /* where `room` goes when it is full */
    unsigned how;      /* enum apitrace_print, ORed */
    bool careful;      /* names have to be looked at */
    uint32_t printed;  /* arguments of the call at hand */
    /* The number that is expected next, and its digits. */
    uint64_t number;
    char digits[APITRACE_DECIMAL_MAX];
    size_t digit_count; /* 0: they are not known */
    size_t used;
    char room[APITRACE_PRINT_ROOM];
};

/* Empties the room; one call can be megabytes of names, so the cancel is polled here. */
void apitrace_printer_flush(struct apitrace_printer *printer);

/* Where `count` bytes, few, may be written; to be added to `used`. */
static inline char *apitrace_printer_space(struct apitrace_printer *printer, size_t count)
{
    if (count > sizeof(printer->room) - printer->used)
        apitrace_printer_flush(printer);
    return printer->room + printer->used;
}

static inline void apitrace_printer_put_char(struct apitrace_printer *printer, char c)
{
    *apitrace_printer_space(printer, 1) = c;
    printer->used++;
}

/* Any bytes, however many. */
void apitrace_printer_put_bytes(struct apitrace_printer *printer, const void *bytes, size_t count);

/* A literal, which is short. */
#define APITRACE_PRINTER_PUT(printer, literal)                                                     \
    do {                                                                                           \
        memcpy(apitrace_printer_space(printer, sizeof(literal) - 1), literal,                      \
               sizeof(literal) - 1);                                                               \
        (printer)->used += sizeof(literal) - 1;                                                    \
    } while (0)

/* A name that was kept, escaped if it has to be. */
void apitrace_printer_put_odd_name(struct apitrace_printer *printer,
                                   const struct apitrace_name *name);

/* Copies a name, whose bytes are padded, in steps; returns the place behind it. */
static inline char *apitrace_printer_copy_name(char *to, const struct apitrace_name *name)
{
    for (uint32_t n = 0; n < name->shown; n += APITRACE_NAME_PAD)
        memcpy(to + n, name->bytes + n, APITRACE_NAME_PAD);
    return to + name->shown;
}

static inline void apitrace_printer_put_name(struct apitrace_printer *printer,
                                             const struct apitrace_name *name)
{
    if (printer->careful || name->shown > sizeof(printer->room) / 2) {
        apitrace_printer_put_odd_name(printer, name);
        return;
    }
    apitrace_printer_copy_name(apitrace_printer_space(printer, name->shown + APITRACE_NAME_PAD),
                               name);
    printer->used += name->shown;
}

static inline void apitrace_printer_put_u64(struct apitrace_printer *printer, uint64_t value)
{
    if (value < 10)
        apitrace_printer_put_char(printer, (char)('0' + value));
    else
        printer->used +=
            apitrace_decimal_u64(apitrace_printer_space(printer, APITRACE_DECIMAL_MAX), value);
}

static inline void apitrace_printer_put_hex(struct apitrace_printer *printer, uint64_t value)
{
    printer->used +=
        apitrace_decimal_hex(apitrace_printer_space(printer, APITRACE_DECIMAL_MAX), value);
}

/* print_values.c */

/* A string's bytes, up to their end or a NUL, which is told by false. */
bool apitrace_printer_put_escaped(struct apitrace_printer *printer, const uint8_t *bytes,
                                  size_t count);

/* The value where the reader stands, `depth` deep in others, or that at a place in the stream. */
void apitrace_printer_put_value(struct apitrace_printer *printer, unsigned depth);
void apitrace_printer_put_value_at(struct apitrace_printer *printer, uint64_t place);

/* print_pass.c */

/* The chosen call's number, its thread, and its name. */
void apitrace_printer_put_head(struct apitrace_printer *printer);
void apitrace_printer_put_comment(struct apitrace_printer *printer, unsigned marks);

/*
 * The line of the chosen call, if it is whole and gives its arguments in their order: they are
 * printed as they are met. False: it is not, and what was printed is to be taken back.
 */
bool apitrace_printer_pass_call(struct apitrace_printer *printer);

#endif
