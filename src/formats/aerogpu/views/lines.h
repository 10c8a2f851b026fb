/*
 * Cells of tables, and the streams of commands as lines, which several texts need.
 * Any thread.
 */
#ifndef GPUDUMPFS_AEROGPU_VIEWS_LINES_H
#define GPUDUMPFS_AEROGPU_VIEWS_LINES_H

#include "formats/aerogpu/dump.h"

enum { LINES_ROWS = 1024, LINES_COMMANDS = 2048 }; /* of one piece of a listing */

static inline uint64_t aerogpu_lines_pieces(uint64_t rows, uint64_t of_piece)
{
    return rows / of_piece + (rows % of_piece != 0);
}

/* A tab, then the number; `-` for AEROGPU_NONE in the first. */
void aerogpu_lines_cell_or_none(struct text *text, uint32_t value);
void aerogpu_lines_cell_hex(struct text *text, uint64_t value, unsigned digits);

/* "R8G8B8A8Unorm", or the number in hexadecimal. */
void aerogpu_lines_format(struct text *text, uint32_t format);

/* A name for files: "createbuffer", "unknown". Writes at most `size` bytes, a NUL included. */
void aerogpu_lines_command_name(const struct aerogpu_command *command, char *name, size_t size);

/* The lines of commands [first, first + count) of a submission, each behind `prefix`. */
int aerogpu_lines_commands(struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                           uint32_t submission, uint32_t first, uint32_t count, const char *prefix,
                           const struct cancel *cancel, struct text *text);

/* What stands before them, and what ends the stream. */
void aerogpu_lines_stream_head(const struct aerogpu_dump *dump, uint32_t submission,
                               const char *prefix, struct text *text);
void aerogpu_lines_stream_end(const struct aerogpu_dump *dump, const struct aerogpu_scan *scan,
                              uint32_t submission, const char *prefix, struct text *text);

#endif
