/* SPDX-License-Identifier: MIT */
#include "formats/psx/diagnostics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LISTED = 100, /* lines for one kind */
    LENGTH = 400, /* bytes of a text, including its terminator */
};

static const struct {
    enum problem_severity severity;
    const char *plural;
} kinds[PSX_DEFECTS] = {
    [PSX_DEFECT_CUT_PACKET] = {PROBLEM_ERROR, "packets that are cut off"},
    [PSX_DEFECT_TRAILING_BYTES] = {PROBLEM_ERROR, "ends with stray bytes"},
    [PSX_DEFECT_LIMIT] = {PROBLEM_ERROR, "limits"},
    [PSX_DEFECT_EMPTY_GP0] = {PROBLEM_NOTE, "gp0 packets without words"},
    [PSX_DEFECT_GP1_WORDS] = {PROBLEM_NOTE, "gp1 packets that are not of one word"},
    [PSX_DEFECT_VSYNC_WORDS] = {PROBLEM_WARNING, "vsync packets of more than two words"},
    [PSX_DEFECT_EARLY_VSYNC] = {PROBLEM_WARNING, "vsync packets before Trace begin"},
    [PSX_DEFECT_NO_BEGIN] = {PROBLEM_NOTE, "missing Trace begins"},
    [PSX_DEFECT_SECOND_BEGIN] = {PROBLEM_WARNING, "begin packets after the first"},
    [PSX_DEFECT_BEGIN_PAYLOAD] = {PROBLEM_WARNING, "begin packets with a payload"},
    [PSX_DEFECT_VERSION] = {PROBLEM_WARNING, "version packets without effect"},
    [PSX_DEFECT_LONG_STRING] = {PROBLEM_NOTE, "long strings"},
    [PSX_DEFECT_GAME] = {PROBLEM_NOTE, "game ids of another form"},
    [PSX_DEFECT_VIDEO] = {PROBLEM_NOTE, "unknown video formats"},
    [PSX_DEFECT_UNKNOWN_TYPE] = {PROBLEM_NOTE, "packets of unknown types"},
    [PSX_DEFECT_TIME_BACKWARDS] = {PROBLEM_NOTE, "timestamps that run backwards"},
    [PSX_DEFECT_READ_WORDS] = {PROBLEM_WARNING, "discards and readbacks that are not of one word"},
    [PSX_DEFECT_READ_TOO_MUCH] = {PROBLEM_WARNING, "discards and readbacks beyond their read"},
    [PSX_DEFECT_READ_NOTHING] = {PROBLEM_WARNING, "discards and readbacks without a read"},
    [PSX_DEFECT_READ_LESS] = {PROBLEM_NOTE, "reads that were only partly consumed"},
    [PSX_DEFECT_READ_MISSING] = {PROBLEM_NOTE, "reads without a discard"},
    [PSX_DEFECT_UNKNOWN_GP0] = {PROBLEM_NOTE, "unknown GP0 bytes"},
    [PSX_DEFECT_CUT_COMMAND] = {PROBLEM_NOTE, "commands that were cut off"},
};

/* Precedes each text in `told`. */
struct told {
    uint32_t kind, length;
    uint64_t offset, packet;
};

static void note(struct psx_defects *defects, struct told *told, const char *what)
{
    told->length = (uint32_t)strlen(what);
    text_add_bytes(&defects->told, (const char *)told, sizeof(*told));
    text_add_bytes(&defects->told, what, told->length);
}

void psx_defect(struct psx_defects *defects, enum psx_defect kind, uint64_t offset, uint64_t packet,
                const char *format, ...)
{
    defects->total++;
    if (defects->count[kind]++ >= LISTED)
        return;

    char what[LENGTH];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    problems_add(defects->problems, kinds[kind].severity, offset, packet, "%s", what);
    note(defects, &(struct told){.kind = kind, .offset = offset, .packet = packet}, what);
}

void psx_defects_finish(struct psx_defects *defects)
{
    for (unsigned kind = 0; kind < PSX_DEFECTS; kind++) {
        if (defects->count[kind] > LISTED)
            problems_add(defects->problems, kinds[kind].severity, PROBLEM_NOWHERE, PROBLEM_NOWHERE,
                         "%" PRIu64 " more %s are not listed", defects->count[kind] - LISTED,
                         kinds[kind].plural);
    }
}

void psx_defects_clear(struct psx_defects *defects)
{
    text_clear(&defects->told);
}

void psx_defects_keep(const struct psx_defects *defects, struct kept_writer *writer)
{
    if (writer->status == 0)
        writer->status = text_status(&defects->told);
    kept_write(writer, defects->count, sizeof(defects->count));
    kept_write_number(writer, defects->total);
    kept_write_number(writer, defects->told.length);
    kept_write(writer, defects->told.bytes, defects->told.length);
}

/* Returns the text at *at, and moves *at to the next; NULL if there is no valid one. */
static const char *next_told(const struct psx_defects *defects, size_t *at, struct told *told)
{
    size_t left = defects->told.length - *at;
    const char *from = defects->told.bytes + *at;

    if (left < sizeof(*told))
        return NULL;
    memcpy(told, from, sizeof(*told));
    if (told->kind >= PSX_DEFECTS || told->length >= LENGTH || told->length > left - sizeof(*told))
        return NULL;
    *at += sizeof(*told) + told->length;
    return from + sizeof(*told);
}

void psx_defects_restore(struct psx_defects *defects, struct kept_reader *reader)
{
    uint64_t length;
    struct told told;
    char *bytes;

    kept_read(reader, defects->count, sizeof(defects->count));
    defects->total = kept_read_number(reader, UINT64_MAX);
    length = kept_read_number(reader, (sizeof(told) + LENGTH) * LISTED * PSX_DEFECTS);
    bytes = malloc(length + 1);
    if (bytes == NULL)
        kept_reader_fail(reader, -ENOMEM);
    else
        kept_read(reader, bytes, length);
    if (reader->status == 0)
        text_add_bytes(&defects->told, bytes, length);
    kept_reader_fail(reader, text_status(&defects->told));
    free(bytes);
    for (size_t at = 0; reader->status == 0 && at < defects->told.length;)
        if (next_told(defects, &at, &told) == NULL)
            kept_reader_refuse(reader);
}

void psx_defects_tell(struct psx_defects *defects)
{
    const char *what;
    struct told told;

    for (size_t at = 0; (what = next_told(defects, &at, &told)) != NULL;)
        problems_add(defects->problems, kinds[told.kind].severity, told.offset, told.packet, "%.*s",
                     (int)told.length, what);
}
