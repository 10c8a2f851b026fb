#include "formats/vma/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void vma_journal_add(struct vma_journal *journal, enum problem_severity severity, uint64_t offset,
                     uint64_t packet, const char *format, ...)
{
    char what[256];
    va_list arguments;

    if (journal == NULL)
        return;
    journal->count++;
    if (journal->problems == NULL && journal->text == NULL)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof(what), format, arguments);
    va_end(arguments);
    if (journal->problems != NULL)
        problems_add(journal->problems, severity, offset, packet, "Line %" PRIu64 ": %s",
                     packet + 1, what);
    if (journal->text != NULL) {
        text_add(journal->text, "problem: ");
        text_add_escaped(journal->text, what, strlen(what));
        text_add_char(journal->text, '\n');
    }
}
