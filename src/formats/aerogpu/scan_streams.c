/* SPDX-License-Identifier: MIT */
/* The first pass of the scan: the commands of each submission, and the defects of its stream. */
#include "formats/aerogpu/scan_state.h"

#include <errno.h>
#include <inttypes.h>

static void note_stream_error(struct aerogpu_scanning *scanning,
                              const struct aerogpu_stream *stream, uint32_t record)
{
    const struct aerogpu_error *error = &stream->error;

    if (error->kind == AEROGPU_OK)
        return;
    if (stream->position < AEROGPU_STREAM_HEADER || error->offset < AEROGPU_STREAM_HEADER)
        problems_add(scanning->problems, PROBLEM_ERROR,
                     aerogpu_scan_offset(scanning, stream->bytes), record,
                     "command stream is refused: %s (0x%" PRIX32 ")",
                     aerogpu_error_name(error->kind), error->found);
    else
        problems_add(scanning->problems, PROBLEM_ERROR,
                     aerogpu_scan_offset(scanning, stream->bytes) + error->offset, record,
                     "command stream ends at offset 0x%08" PRIX32 ": %s (%" PRIu32 ")",
                     error->offset, aerogpu_error_name(error->kind), error->found);
}

/* Notes a stream's header that contradicts the container's, or has fields that should be 0. */
static void note_stream_header(struct aerogpu_scanning *scanning,
                               const struct aerogpu_stream *stream, uint32_t record)
{
    uint32_t said = scanning->index->header.abi_version, found = stream->abi_version;
    bool reserved = (stream->flags | stream->reserved[0] | stream->reserved[1]) != 0;
    uint64_t offset = aerogpu_scan_offset(scanning, stream->bytes);

    if (stream->magic != AEROGPU_STREAM_MAGIC)
        return;
    if (found != said && aerogpu_scan_reports(&scanning->versions, found))
        problems_add(scanning->problems, PROBLEM_NOTE, offset, record,
                     "command stream of ABI version 0x%08" PRIX32
                     " in a trace whose header says 0x%08" PRIX32,
                     found, said);
    if (reserved && !scanning->reported_reserved)
        problems_add(scanning->problems, PROBLEM_NOTE, offset, record,
                     "a command stream's header has flags or reserved fields that are not 0");
    scanning->reported_reserved = scanning->reported_reserved || reserved;
}

static int count_command(struct aerogpu_scanning *scanning, struct aerogpu_scan_stream *counts,
                         const struct aerogpu_command *command, uint32_t record)
{
    struct aerogpu_scan *scan = scanning->scan;
    int status = 0;

    if (command->number % AEROGPU_CHECKPOINT == 0) {
        status = aerogpu_scan_grow(scanning, &scan->checkpoints, &scanning->checkpoint_capacity,
                                   scan->checkpoint_count, sizeof(*scan->checkpoints));
        if (status != 0)
            return status;
        scan->checkpoints[scan->checkpoint_count++] = command->offset;
    }
    counts->commands++;
    if (command->type == NULL) {
        counts->unknown++;
        aerogpu_scan_unknown(scanning, command, record, false);
    } else if (command->opcode == AEROGPU_DRAW || command->opcode == AEROGPU_DRAW_INDEXED) {
        counts->draws++;
    }
    return 0;
}

static int count_stream(struct aerogpu_scanning *scanning, uint32_t number, bool played)
{
    const struct aerogpu_index *index = scanning->index;
    struct aerogpu_scan_stream *counts = &scanning->scan->streams[number];
    uint32_t record = index->submissions[number];
    struct aerogpu_command command;
    struct aerogpu_stream stream;
    const uint8_t *bytes = NULL;
    uint64_t size = 0, *walked = played ? &scanning->walked : &scanning->unplayed;
    int status = 0;

    counts->first_checkpoint = (uint32_t)scanning->scan->checkpoint_count;
    if (aerogpu_index_stream(index, number, &bytes, &size) != NULL)
        return 0;
    *walked += size;
    if (aerogpu_walked_enough(index, record, *walked))
        return 0;
    aerogpu_stream_open(&stream, bytes, size);
    while (status == 0 && aerogpu_stream_next(&stream, &command)) {
        status = count_command(scanning, counts, &command, record);
        if (command.number % AEROGPU_SCAN_CANCEL_EVERY == 0 && cancel_requested(scanning->cancel))
            status = -EINTR;
    }
    note_stream_header(scanning, &stream, record);
    note_stream_error(scanning, &stream, record);
    scanning->scan->commands += counts->commands;
    scanning->scan->unknown += counts->unknown;
    return status;
}

/*
 * Checks the memory ranges and the allocation table of a submission. This is the only place that
 * reports their defects.
 */
static int check_memory(struct aerogpu_scanning *scanning, uint32_t number)
{
    struct aerogpu_memory memory;
    int status = aerogpu_memory_open(scanning->index, number, scanning->problems, &memory);

    if (status != 0)
        return status;
    aerogpu_memory_clear(&memory);
    return aerogpu_lint_submission(scanning->index, number, &scanning->tables_seen,
                                   scanning->problems);
}

int aerogpu_scan_submission(struct aerogpu_scanning *scanning, uint32_t number, bool played)
{
    int status = cancel_requested(scanning->cancel) ? -EINTR : 0;

    if (status == 0)
        status = count_stream(scanning, number, played);

    return status == 0 ? check_memory(scanning, number) : status;
}
