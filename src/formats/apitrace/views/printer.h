/* SPDX-License-Identifier: MIT */
/*
 * Shared by the sources of print.h: text is collected in the printer's room, from where it goes to
 * the caller's text in large pieces. print_values.c prints values, print_pass.c prints calls while
 * reading them, and print.c prints the other calls after reading them. One thread a printer.
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
    struct text *text; /* receives the contents of `room` */
    unsigned how;      /* enum apitrace_print, ORed */
    bool careful;      /* names must be checked for bytes to escape */
    uint32_t printed;  /* number of arguments of the current call */
    /* The call number that is expected next, and its digits (print_pass.c). */
    uint64_t number;
    char digits[APITRACE_DECIMAL_MAX];
    size_t digit_count; /* 0: the digits are not known */
    size_t used;
    char room[APITRACE_PRINT_ROOM];
};

/* Empties the room. Also polls the cancel flag, since one call can have megabytes of names. */
void apitrace_printer_flush(struct apitrace_printer *printer);

/*
 * Returns where `count` bytes, which must be few, may be written; the caller adds them to `used`.
 */
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

/* Appends any number of bytes. */
void apitrace_printer_put_bytes(struct apitrace_printer *printer, const void *bytes, size_t count);

/* Appends a short literal. */
#define APITRACE_PRINTER_PUT(printer, literal)                                                     \
    do {                                                                                           \
        memcpy(apitrace_printer_space(printer, sizeof(literal) - 1), literal,                      \
               sizeof(literal) - 1);                                                               \
        (printer)->used += sizeof(literal) - 1;                                                    \
    } while (0)

/* Appends a name, escaped if necessary. */
void apitrace_printer_put_odd_name(struct apitrace_printer *printer,
                                   const struct apitrace_name *name);

/* Copies a name, which is padded, in steps. Returns the address after the copy. */
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

/* Appends a string's bytes up to its end or a NUL. Returns false if there was a NUL. */
bool apitrace_printer_put_escaped(struct apitrace_printer *printer, const uint8_t *bytes,
                                  size_t count);

/* Appends the value at the reader's position, which is nested in `depth` other values. */
void apitrace_printer_put_value(struct apitrace_printer *printer, unsigned depth);

/* Appends the value at offset `place` in the stream. */
void apitrace_printer_put_value_at(struct apitrace_printer *printer, uint64_t place);

/* print_pass.c */

/* Appends the chosen call's number, its thread if requested, and its name. */
void apitrace_printer_put_head(struct apitrace_printer *printer);

/* Appends the comment that marks a call as fake, incomplete or cut off, if it is. */
void apitrace_printer_put_comment(struct apitrace_printer *printer, unsigned marks);

/*
 * Appends the line of the chosen call while reading it, if the call is complete and its arguments
 * are in order. Otherwise returns false, and the caller must remove what was appended.
 */
bool apitrace_printer_pass_call(struct apitrace_printer *printer);

#endif
