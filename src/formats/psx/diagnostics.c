/* SPDX-License-Identifier: MIT */
#include "formats/psx/diagnostics.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum { LISTED = 100 }; /* lines of one kind */

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
    [PSX_DEFECT_READ_LESS] = {PROBLEM_NOTE, "reads that were not taken whole"},
    [PSX_DEFECT_READ_MISSING] = {PROBLEM_NOTE, "reads without a discard"},
    [PSX_DEFECT_UNKNOWN_GP0] = {PROBLEM_NOTE, "unknown GP0 bytes"},
    [PSX_DEFECT_CUT_COMMAND] = {PROBLEM_NOTE, "commands that were cut off"},
};

void psx_defect(struct psx_defects *defects, enum psx_defect kind, uint64_t offset, uint64_t packet,
                const char *format, ...)
{
    defects->total++;
    if (defects->count[kind]++ >= LISTED)
        return;

    char what[400];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    problems_add(defects->problems, kinds[kind].severity, offset, packet, "%s", what);
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
