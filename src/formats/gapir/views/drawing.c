/* SPDX-License-Identifier: MIT */
#include "formats/gapir/views/views.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* The state of writing a frame's drawing.txt. */
struct writing {
    const struct gapir_replay *replay;
    const struct gapir_frame_record *frame;
    struct text text;
};

static bool is_of_frame(const struct gapir_frame_record *frame,
                        const struct gapir_player_note *note)
{
    return note->call >= frame->first_call && note->call < frame->call_end;
}

static void write_note(const struct writing *writing, const struct gapir_player_note *note,
                       struct text *text)
{
    const struct gapir_scan *scan = &writing->replay->scan;

    text_printf(text, "call %" PRIu64 ", packet %" PRIu32 ", pc %" PRIu32 ": ", note->call,
                gapir_scan_packet(scan, note->pc), note->pc);
    text_add_escaped(text, note->text, strlen(note->text));
    text_add_char(text, '\n');
}

static int write_drawing(void *context, const struct gapir_player_sight *sight)
{
    struct writing *writing = context;
    const struct gapir_frame_record *frame = writing->frame;
    uint32_t count = 0, own = 0;
    const struct gapir_player_note *notes = gapir_player_notes(sight, &count);

    for (uint32_t n = 0; n < count; n++)
        own += is_of_frame(frame, &notes[n]);
    text_field(&writing->text, "calls", "%" PRIu64, frame->call_end - frame->first_call);
    text_field(&writing->text, "notes", "%" PRIu32, own);
    for (uint32_t n = 0; n < count; n++)
        if (is_of_frame(frame, &notes[n]))
            write_note(writing, &notes[n], &writing->text);
    return text_status(&writing->text);
}

int gapir_drawing_exists(struct dump *dump, uint64_t key)
{
    (void)key;
    return gapir_dump_of(dump)->player != NULL ? 0 : -ENOENT;
}

int gapir_drawing_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct gapir_dump *gapir = gapir_dump_of(dump);
    struct writing writing = {.replay = gapir->replay, .text = TEXT_INIT};
    const struct gapir_index *index;
    int status = gapir_dump_frame(gapir, key, cancel, &index, &writing.frame);

    if (status == 0)
        status = gapir_dump_show(gapir, index, writing.frame->site.steps, cancel, write_drawing,
                                 &writing);
    if (status == 0)
        return text_blob(&writing.text, out);
    text_clear(&writing.text);
    return status;
}
