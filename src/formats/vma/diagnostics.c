#include "formats/vma/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void vma_diagnostics_add(struct vma_diagnostics *diagnostics, enum problem_severity severity,
                         uint64_t offset, uint64_t packet, const char *format, ...)
{
    char what[256];
    va_list arguments;

    if (diagnostics == NULL)
        return;
    diagnostics->count++;
    if (diagnostics->problems == NULL && diagnostics->text == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    if (diagnostics->problems != NULL)
        problems_add(diagnostics->problems, severity, offset, packet, "Line %" PRIu64 ": %s",
                     packet + 1, what);
    if (diagnostics->text != NULL) {
        text_add(diagnostics->text, "problem: ");
        text_add_escaped(diagnostics->text, what, strlen(what));
        text_add_char(diagnostics->text, '\n');
    }
}
