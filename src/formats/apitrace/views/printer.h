/* SPDX-License-Identifier: MIT */
/*
 * What the sources of print.h share: text is gathered in the printer's room, from where it goes to
 * the caller's text in large pieces. print_values.c prints values, print_pass.c calls while they
 * are read, print.c all others from what was read of them. One thread a printer.
 */
#ifndef GPUDUMPFS_APITRACE_VIEWS_PRINTER_H
#define GPUDUMPFS_APITRACE_VIEWS_PRINTER_H

#include "formats/apitrace/views/print.h"

/* Empties the room; one call can be megabytes of names, so the cancel is polled here. */
void printer_flush(struct apitrace_printer *printer);

/* Where `count` bytes, few, may be written; to be added to `used`. */
static inline char *printer_space(struct apitrace_printer *printer, size_t count)
{
    if (count > sizeof(printer->room) - printer->used)
        printer_flush(printer);
    return printer->room + printer->used;
}

static inline void printer_put_char(struct apitrace_printer *printer, char c)
{
    *printer_space(printer, 1) = c;
    printer->used++;
}

/* Any bytes, however many. */
void printer_put_bytes(struct apitrace_printer *printer, const void *bytes, size_t count);

/* A literal, which is short. */
#define PRINTER_PUT(printer, literal)                                                              \
    do {                                                                                           \
        memcpy(printer_space(printer, sizeof(literal) - 1), literal, sizeof(literal) - 1);         \
        (printer)->used += sizeof(literal) - 1;                                                    \
    } while (0)

/* A name that was kept, escaped if it has to be. */
void printer_put_odd_name(struct apitrace_printer *printer, const struct apitrace_name *name);

/* Copies a name, whose bytes are padded, in steps; returns the place behind it. */
static inline char *printer_copy_name(char *to, const struct apitrace_name *name)
{
    for (uint32_t n = 0; n < name->shown; n += APITRACE_NAME_PAD)
        memcpy(to + n, name->bytes + n, APITRACE_NAME_PAD);
    return to + name->shown;
}

static inline void printer_put_name(struct apitrace_printer *printer,
                                    const struct apitrace_name *name)
{
    if (printer->careful || name->shown > sizeof(printer->room) / 2) {
        printer_put_odd_name(printer, name);
        return;
    }
    printer_copy_name(printer_space(printer, name->shown + APITRACE_NAME_PAD), name);
    printer->used += name->shown;
}

static inline void printer_put_u64(struct apitrace_printer *printer, uint64_t value)
{
    if (value < 10)
        printer_put_char(printer, (char)('0' + value));
    else
        printer->used += apitrace_decimal_u64(printer_space(printer, APITRACE_DECIMAL_MAX), value);
}

static inline void printer_put_hex(struct apitrace_printer *printer, uint64_t value)
{
    printer->used += apitrace_decimal_hex(printer_space(printer, APITRACE_DECIMAL_MAX), value);
}

/* print_values.c */

/* A string's bytes, up to their end or a NUL, which is told by false. */
bool printer_put_escaped(struct apitrace_printer *printer, const uint8_t *bytes, size_t count);

/* The value where the reader stands, `depth` deep in others, or that at a place in the stream. */
void printer_put_value(struct apitrace_printer *printer, unsigned depth);
void printer_put_value_at(struct apitrace_printer *printer, uint64_t place);

/* print_pass.c */

/* The chosen call's number, its thread, and its name. */
void printer_put_head(struct apitrace_printer *printer);
void printer_put_comment(struct apitrace_printer *printer, unsigned marks);

/*
 * The line of the chosen call, if it is whole and gives its arguments in their order: they are
 * printed as they are met. False: it is not, and what was printed is to be taken back.
 */
bool printer_pass_call(struct apitrace_printer *printer);

#endif
