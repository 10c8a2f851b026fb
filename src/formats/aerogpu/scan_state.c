/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/scan_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int aerogpu_scan_grow(struct aerogpu_scanning *scanning, void *array, size_t *capacity,
                      size_t count, size_t size)
{
    size_t more = *capacity == 0 ? 64 : *capacity;
    void *grown = NULL;

    if (count < *capacity)
        return 0;
    if (more > scanning->left / size)
        return -EFBIG;
    memcpy(&grown, array, sizeof(grown));
    grown = realloc(grown, (*capacity + more) * size);
    if (grown == NULL)
        return -ENOMEM;
    memcpy(array, &grown, sizeof(grown));
    scanning->left -= more * size;
    *capacity += more;
    return 0;
}

uint64_t aerogpu_scan_offset(const struct aerogpu_scanning *scanning, const uint8_t *bytes)
{
    return (uint64_t)(bytes - scanning->index->data);
}

bool aerogpu_scan_reports(struct aerogpu_reported *reported, uint32_t value)
{
    for (unsigned i = 0; i < reported->count; i++)
        if (reported->values[i] == value)
            return false;
    if (reported->count == AEROGPU_REPORTED_MAX)
        return false;
    reported->values[reported->count++] = value;
    return true;
}

void aerogpu_scan_unknown(struct aerogpu_scanning *scanning, const struct aerogpu_command *command,
                          uint32_t record, bool alone)
{
    if (!aerogpu_scan_reports(&scanning->unknown[alone], command->opcode))
        return;
    problems_add(scanning->problems, PROBLEM_WARNING, aerogpu_scan_offset(scanning, command->bytes),
                 record, "unknown opcode_id=0x%08" PRIX32 " at offset 0x%08" PRIX32 ", skipped",
                 command->opcode, command->offset);
}
