/* SPDX-License-Identifier: MIT */
#include "formats/aerogpu/scan.h"

#include "formats/aerogpu/index.h"

#include <stdlib.h>

void aerogpu_scan_clear(struct aerogpu_scan *scan)
{
    free(scan->streams);
    free(scan->checkpoints);
    free(scan->frames);
    free(scan->draws);
    free(scan->presents);
    free(scan->lives);
    free(scan->bound);
    *scan = (struct aerogpu_scan){0};
}

bool aerogpu_is_draw(const struct aerogpu_command *command)
{
    if (command->type == NULL || command->error != AEROGPU_OK)
        return false;
    if (command->type->dialect == AEROGPU_APPENDIX_A)
        return command->opcode == AEROGPU_A_CLEAR || command->opcode == AEROGPU_A_DRAW;
    return command->opcode == AEROGPU_CLEAR || command->opcode == AEROGPU_DRAW ||
           command->opcode == AEROGPU_DRAW_INDEXED;
}

bool aerogpu_scan_command(const struct aerogpu_index *index, const struct aerogpu_scan *scan,
                          uint32_t submission, uint32_t number, struct aerogpu_command *out)
{
    const struct aerogpu_scan_stream *counts = &scan->streams[submission];
    struct aerogpu_stream stream;
    const uint8_t *bytes = NULL;
    uint64_t size = 0;

    if (number >= counts->commands ||
        aerogpu_index_stream(index, submission, &bytes, &size) != NULL ||
        !aerogpu_stream_open(&stream, bytes, size))
        return false;
    stream.position = scan->checkpoints[counts->first_checkpoint + number / AEROGPU_CHECKPOINT];
    stream.number = number - number % AEROGPU_CHECKPOINT;
    do {
        if (!aerogpu_stream_next(&stream, out))
            return false;
    } while (out->number != number);
    return true;
}
