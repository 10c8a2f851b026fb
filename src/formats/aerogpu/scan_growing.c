/* SPDX-License-Identifier: MIT */
/* The scan of a trace that grows, which is made frame by frame. */
#include "formats/aerogpu/scan_make.h"

#include "base/memory.h"
#include "formats/aerogpu/scan_state.h"

#include <errno.h>
#include <stdlib.h>

enum { ARRAYS = 7 };

struct aerogpu_scanner {
    struct aerogpu_scanning scanning;
    size_t streams, frames; /* number for which there is room */
    struct {
        void *space;
        size_t bytes;
    } reserved[ARRAYS];
    unsigned reserved_count;
};

/*
 * Reserves address space for an array's share of the memory. Stores the number of elements that it
 * holds in *capacity.
 */
static void *reserve(struct aerogpu_scanner *scanner, uint64_t memory, size_t size,
                     size_t *capacity)
{
    size_t bytes;
    void *space;

    *capacity = memory / ARRAYS / size + 1;
    bytes = *capacity * size;
    space = memory_reserve(bytes);
    if (space == NULL)
        return NULL;
    scanner->reserved[scanner->reserved_count].space = space;
    scanner->reserved[scanner->reserved_count++].bytes = bytes;
    return space;
}

static int reserve_all(struct aerogpu_scanner *scanner, uint64_t memory)
{
    struct aerogpu_scanning *scanning = &scanner->scanning;
    struct aerogpu_scan *scan = scanning->scan;

    scan->streams = reserve(scanner, memory, sizeof(*scan->streams), &scanner->streams);
    scan->frames = reserve(scanner, memory, sizeof(*scan->frames), &scanner->frames);
    scan->checkpoints =
        reserve(scanner, memory, sizeof(*scan->checkpoints), &scanning->checkpoint_capacity);
    scan->draws = reserve(scanner, memory, sizeof(*scan->draws), &scanning->draw_capacity);
    scan->presents = reserve(scanner, memory, sizeof(*scan->presents), &scanning->present_capacity);
    scan->lives = reserve(scanner, memory, sizeof(*scan->lives), &scanning->life_capacity);
    scan->bound = reserve(scanner, memory, sizeof(*scan->bound), &scanning->bound_capacity);
    return scanner->reserved_count == ARRAYS ? 0 : -ENOMEM;
}

int aerogpu_scanner_create(const struct aerogpu_index *index,
                           const struct aerogpu_scan_params *params, struct problems *problems,
                           const struct cancel *cancel, struct aerogpu_scan *scan,
                           struct aerogpu_scanner **out)
{
    struct aerogpu_scanner *scanner = calloc(1, sizeof(*scanner));
    int status;

    *out = NULL;
    *scan = (struct aerogpu_scan){0};
    if (scanner == NULL)
        return -ENOMEM;
    scanner->scanning = (struct aerogpu_scanning){
        .index = index, .scan = scan, .problems = problems, .cancel = cancel};
    aerogpu_player_init(&scanner->scanning.player, index, &aerogpu_scan_effects, &scanner->scanning,
                        params->limits);
    status = reserve_all(scanner, params->max_memory);
    *out = scanner;
    if (status != 0)
        aerogpu_scanner_destroy(out);
    return status;
}

void aerogpu_scanner_destroy(struct aerogpu_scanner **scanner)
{
    struct aerogpu_scanner *destroyed = *scanner;

    *scanner = NULL;
    if (destroyed == NULL)
        return;
    aerogpu_player_clear(&destroyed->scanning.player);
    aerogpu_tables_seen_clear(&destroyed->scanning.tables_seen);
    for (unsigned i = 0; i < destroyed->reserved_count; i++)
        memory_unreserve(destroyed->reserved[i].space, destroyed->reserved[i].bytes);
    *destroyed->scanning.scan = (struct aerogpu_scan){0};
    free(destroyed);
}

int aerogpu_scanner_frame(struct aerogpu_scanner *scanner)
{
    struct aerogpu_scanning *scanning = &scanner->scanning;
    const struct aerogpu_index *index = scanning->index;
    const struct aerogpu_frame *frame = &index->frames[scanning->frame];
    int status = 0;

    if (scanning->frame >= scanner->frames || frame->submissions_end > scanner->streams)
        return -EFBIG;
    aerogpu_scan_begin_frame(scanning);
    for (uint32_t i = frame->first_submission; status == 0 && i < frame->submissions_end; i++)
        status = aerogpu_scan_submission(scanning, i, true);
    return status == 0 ? aerogpu_scan_play(scanning, AEROGPU_STEP_FRAME) : status;
}
