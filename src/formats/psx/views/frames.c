#include "formats/psx/views/frames.h"

#include "tree/tree.h"

#include <math.h>
#include <stdio.h>

/* Cycles since the first stamped VSync; false when the frame has no time. */
static bool elapsed(const struct psx_index *index, uint64_t frame, int64_t *cycles)
{
    if (frame >= index->frame_count || index->frames[frame].stamp_words == 0)
        return false;
    *cycles = (int64_t)(index->frames[frame].cycles - index->frames[index->first_stamped].cycles);
    return true;
}

double psx_frame_time(const struct psx_index *index, uint64_t frame)
{
    int64_t cycles;

    return elapsed(index, frame, &cycles) ? (double)cycles / PSX_CLOCK : NAN;
}

void psx_frame_time_write(const struct psx_index *index, uint64_t frame, struct text *text)
{
    int64_t cycles;

    if (!elapsed(index, frame, &cycles)) {
        text_add_char(text, '-');
        return;
    }

    uint64_t count = cycles < 0 ? -(uint64_t)cycles : (uint64_t)cycles;
    uint64_t micro = (count % PSX_CLOCK * 1000000 + PSX_CLOCK / 2) / PSX_CLOCK;

    if (cycles < 0)
        text_add_char(text, '-');
    text_add_u64(text, count / PSX_CLOCK + micro / 1000000);
    text_add_char(text, '.');
    text_add_padded(text, micro % 1000000, 6);
}

void psx_frame_cycles_write(const struct psx_frame *frame, struct text *text)
{
    if (frame->stamp_words == 0)
        text_add_char(text, '-');
    else
        text_add_u64(text, frame->stamp_words == 1 ? (uint32_t)frame->cycles : frame->cycles);
}

bool psx_frame_flips(const struct psx_index *index, uint64_t frame)
{
    uint32_t before =
        frame == 0 ? index->initial_display.start : index->frames[frame - 1].display.start;

    return index->frames[frame].display.start != before;
}

void psx_display_write(const struct psx_screen *screen, struct text *text)
{
    if (screen->off || screen->empty)
        text_add(text, screen->off ? "off" : "empty");
    else
        text_printf(text, "%u,%u", screen->x, screen->y);
}

void psx_mode_write(const struct psx_screen *screen, struct text *text)
{
    text_add_u64(text, screen->width);
    text_add_char(text, 'x');
    text_add_u64(text, screen->height);
    text_add(text, screen->interlaced ? "i@" : "@");
    text_add(text, screen->depth24 ? "24" : "15");
    text_add_char(text, screen->pal ? 'p' : 'n');
}
