#include "formats/psx/views/flips.h"

#include "formats/psx/views/frame_files.h"
#include "formats/psx/views/frames.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS = 1024 }; /* frames of one piece */

static int flip_head(struct dump *dump, uint64_t key, struct text *text)
{
    (void)dump;
    (void)key;
    text_add(text, "frame\ttime\tdisplay\tframes\trate\n");
    return 0;
}

static int count_flip_pieces(struct dump *dump, uint64_t key, const struct cancel *cancel,
                             uint64_t *pieces)
{
    (void)key;
    (void)cancel;
    *pieces = (psx_dump_of(dump)->index.frame_count + ROWS - 1) / ROWS;
    return 0;
}

/* How long the picture before stood, in frames and as flips a second. */
static void write_flip(const struct psx_index *index, uint64_t frame, uint64_t before,
                       struct text *text)
{
    struct psx_screen screen;
    double seconds =
        before == PSX_INITIAL ? NAN : psx_frame_time(index, frame) - psx_frame_time(index, before);

    psx_display_screen(&index->frames[frame].display, &screen);
    text_printf(text, "%" PRIu64 "\t", frame);
    psx_frame_time_write(index, frame, text);
    text_printf(text, "\t%u,%u\t", screen.x, screen.y);
    if (before == PSX_INITIAL)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame - before);
    if (seconds > 0)
        text_printf(text, "\t%.3f\n", 1 / seconds);
    else
        text_add(text, "\t-\n");
}

int psx_flips_create(struct flips **out)
{
    struct flips *flips = calloc(1, sizeof(*flips));

    if (flips == NULL)
        return -ENOMEM;
    pthread_mutex_init(&flips->lock, NULL);
    *out = flips;
    return 0;
}

void psx_flips_destroy(struct flips **flips)
{
    if (*flips == NULL)
        return;
    free((*flips)->before);
    pthread_mutex_destroy(&(*flips)->lock);
    free(*flips);
    *flips = NULL;
}

static int look_back(const struct psx_index *index, const struct cancel *cancel, uint64_t **out)
{
    uint64_t last = PSX_INITIAL;
    uint64_t *before = malloc((index->frame_count / ROWS + 1) * sizeof(*before));

    if (before == NULL)
        return -ENOMEM;
    for (uint64_t frame = 0; frame < index->frame_count; frame++) {
        if (frame % ROWS == 0)
            before[frame / ROWS] = last;
        if (frame % ROWS == 0 && cancel_requested(cancel)) {
            free(before);
            return -EINTR;
        }
        if (psx_frame_flips(index, frame))
            last = frame;
    }
    *out = before;
    return 0;
}

/* The last flip before a piece; PSX_INITIAL: there is none. */
static int flip_before(struct psx_dump *dump, uint64_t piece, const struct cancel *cancel,
                       uint64_t *frame)
{
    struct flips *flips = dump->flips;
    int status = 0;

    pthread_mutex_lock(&flips->lock);
    if (flips->before == NULL)
        status = look_back(&dump->index, cancel, &flips->before);
    if (status == 0)
        *frame = flips->before[piece];
    pthread_mutex_unlock(&flips->lock);
    return status;
}

static int flip_piece(struct dump *dump, uint64_t key, uint64_t piece, const struct cancel *cancel,
                      struct text *text)
{
    const struct psx_index *index = &psx_dump_of(dump)->index;
    uint64_t frame = piece * ROWS, before = PSX_INITIAL;
    int status = flip_before(psx_dump_of(dump), piece, cancel, &before);

    (void)key;
    if (status != 0)
        return status;
    for (; frame < index->frame_count && frame < (piece + 1) * ROWS; frame++) {
        if (!psx_frame_flips(index, frame))
            continue;
        write_flip(index, frame, before, text);
        before = frame;
    }
    return 0;
}

const struct dump_listing psx_flip_table = {
    .head = flip_head, .pieces = count_flip_pieces, .piece = flip_piece};
