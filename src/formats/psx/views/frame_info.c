/*
 * info.txt: what the index counted, and what one walk over the frame's commands
 * tells more.
 */
#include "formats/psx/views/frames.h"

#include "formats/psx/gpu/draw.h"
#include "formats/psx/gpu/state.h"
#include "formats/psx/index/walk.h"
#include "tree/tree.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

/* A set of page, palette and depth; open addressing, at most half full. */
struct texture_set {
    uint32_t *keys; /* 0: free */
    uint32_t room, count;
};

struct frame_walk {
    struct texture_set textures;
    uint64_t polygons, lines, rectangles, textured, semi_transparent;
    uint64_t upload_pixels, discards, readbacks, flips;
    int status;
};

static uint32_t *texture_slot(const struct texture_set *set, uint32_t key)
{
    uint32_t checkpoint = key * UINT32_C(2654435761);

    for (checkpoint %= set->room; set->keys[checkpoint] != 0 && set->keys[checkpoint] != key;)
        checkpoint = (checkpoint + 1) % set->room;
    return &set->keys[checkpoint];
}

static int texture_set_grow(struct texture_set *set)
{
    struct texture_set larger = {.room = set->room == 0 ? 64 : set->room * 2};

    larger.keys = calloc(larger.room, sizeof(*larger.keys));
    if (larger.keys == NULL)
        return -ENOMEM;
    for (uint32_t i = 0; i < set->room; i++)
        if (set->keys[i] != 0)
            *texture_slot(&larger, set->keys[i]) = set->keys[i];
    larger.count = set->count;
    free(set->keys);
    *set = larger;
    return 0;
}

static int texture_set_add(struct texture_set *set, const struct psx_draw *draw)
{
    uint32_t clut = draw->depth == PSX_DEPTH_15 ? 0 : draw->clut;
    uint32_t key = UINT32_C(1) << 31 | clut << 7 | (uint32_t)draw->depth << 5 | draw->page;
    uint32_t *slot;

    if (set->count >= set->room / 2 && texture_set_grow(set) != 0)
        return -ENOMEM;
    slot = texture_slot(set, key);
    set->count += *slot == 0;
    *slot = key;
    return 0;
}

static void count_draw(const struct psx_walk *walk, const struct gp0_event *event,
                       struct frame_walk *found)
{
    struct psx_draw draw;
    struct psx_box box;

    psx_draw_decode(event, &walk->at.state.registers, &draw);
    found->polygons += draw.kind == GP0_POLYGON;
    found->lines += draw.kind == GP0_LINE || draw.kind == GP0_POLYLINE;
    found->rectangles += draw.kind == GP0_RECTANGLE;
    found->textured += draw.textured;
    found->semi_transparent += draw.semi;
    if (draw.kind == GP0_UPLOAD)
        found->upload_pixels += (uint64_t)draw.width * draw.height;
    if (draw.textured && psx_draw_box(&draw, &walk->at.state.registers, &box) == PSX_CULL_NO)
        found->status = texture_set_add(&found->textures, &draw);
}

/* GP1(05), counted when it changes something. */
static bool flips(const struct psx_walk *walk, uint32_t word)
{
    return (word >> 24 & 0x3F) == 0x05 &&
           walk->at.state.registers.display.start != (word & PSX_START_BITS);
}

static void count_step(const struct psx_walk *walk, const struct psx_step *step,
                       struct frame_walk *found)
{
    if (step->kind == PSX_STEP_GP1)
        found->flips += flips(walk, step->gp1);
    else if (step->kind == PSX_STEP_PACKET) {
        found->discards += step->packet.type == PSX_PACKET_DISCARD;
        found->readbacks += step->packet.type == PSX_PACKET_READBACK;
    }
}

/* Commands count where they begin, so a half one at the end is followed to its end. */
static int walk_frame(const struct psx_index *index, uint64_t frame, const struct cancel *cancel,
                      struct frame_walk *found)
{
    uint64_t first = index->frames[frame].packet, end = index->frames[frame + 1].packet;
    struct psx_parser_state checkpoint;
    struct psx_walk walk;
    struct psx_step step;
    unsigned steps = 0;

    psx_index_frame_checkpoint(index, frame, &checkpoint);
    psx_walk_resume(&walk, index, &checkpoint);
    while (found->status == 0) {
        bool is_half = walk.at.state.parser.phase == GP0_PHASE_COMMAND;
        bool inside = walk.at.packet < end;

        if ((!inside && (!is_half || walk.at.command_packet >= end)) ||
            !psx_walk_next(&walk, &step))
            break;
        if (inside)
            count_step(&walk, &step, found);
        if (step.kind == PSX_STEP_GP0 && step.event.type == GP0_EVENT_COMMAND &&
            walk.at.command_packet >= first && walk.at.command_packet < end)
            count_draw(&walk, &step.event, found);
        psx_walk_apply(&walk, &step);
        if (psx_walk_cancelled(&steps, cancel))
            return -EINTR;
    }
    return found->status;
}

static void add_u64(struct text *text, const char *key, uint64_t value)
{
    text_field(text, key, "%" PRIu64, value);
}

static void add_interval(const struct psx_index *index, uint64_t frame, struct text *text)
{
    const struct psx_frame *now = &index->frames[frame];

    if (frame == 0 || now->stamp_words == 0 || now[-1].stamp_words == 0)
        text_field(text, "interval", "-");
    else
        text_field(text, "interval", "%" PRId64, (int64_t)(now->cycles - now[-1].cycles));
}

static void add_checkpoint(const struct psx_dump *dump, uint64_t number, struct text *text)
{
    const struct psx_index *index = &dump->index;
    const struct psx_frame *frame = &index->frames[number];

    add_u64(text, "first_packet", frame->packet);
    add_u64(text, "last_packet", frame[1].packet - 1);
    add_u64(text, "bytes", frame[1].offset - frame->offset - 4 * (frame[1].packet - frame->packet));
    add_u64(text, "gp0_words", index->counts[number].gp0_words);
    add_u64(text, "gp1_words", index->counts[number].gp1_words);
    text_add(text, "cycles: ");
    psx_frame_cycles_write(frame, text);
    text_add(text, "\ntime: ");
    psx_frame_time_write(index, number, text);
    text_add_char(text, '\n');
    add_interval(index, number, text);
}

static void add_counts(const struct psx_frame_counts *counts, const struct frame_walk *found,
                       struct text *text)
{
    add_u64(text, "commands", counts->commands);
    add_u64(text, "draws", counts->draws);
    add_u64(text, "polygons", found->polygons);
    add_u64(text, "lines", found->lines);
    add_u64(text, "rectangles", found->rectangles);
    add_u64(text, "fills", counts->fills);
    add_u64(text, "copies", counts->copies);
    add_u64(text, "textured", found->textured);
    add_u64(text, "semi_transparent", found->semi_transparent);
    add_u64(text, "uploads", counts->uploads);
    add_u64(text, "upload_pixels", found->upload_pixels);
    add_u64(text, "reads", counts->reads);
    add_u64(text, "discards", found->discards);
    add_u64(text, "readbacks", found->readbacks);
    add_u64(text, "flips", found->flips);
    add_u64(text, "textures", found->textures.count);
}

static void add_field(const struct psx_index *index, const struct psx_frame *frame,
                      const struct psx_screen *screen, struct text *text)
{
    if (!screen->interlaced)
        text_field(text, "field", "-");
    else if (index->field_option == PSX_FIELD_BOTH)
        text_field(text, "field", "both");
    else
        text_field(text, "field", "%u", frame->field);
}

static void add_screen(const struct psx_dump *dump, uint64_t number, struct text *text)
{
    const struct psx_index *index = &dump->index;
    const struct psx_frame *frame = &index->frames[number];
    const struct psx_frame_counts *counts = &index->counts[number];
    struct psx_screen screen;

    psx_display_screen(&frame->display, &screen);
    add_u64(text, "width", screen.width);
    add_u64(text, "height", screen.height);
    text_add(text, "display: ");
    psx_display_write(&screen, text);
    text_add_char(text, '\n');
    add_u64(text, "depth", screen.depth24 ? 24 : 15);
    add_u64(text, "interlace", screen.interlaced);
    add_field(index, frame, &screen, text);
    if (counts->same_picture > 0)
        text_field(text, "same_as", "%0*" PRIu64, (int)tree_frame_digits(&dump->base),
                   number - counts->same_picture);
    else
        text_field(text, "same_as", "-");
    text_field(text, "unfinished", "%s", frame->unfinished ? "yes" : "no");
    add_u64(text, "problems", (uint64_t)frame->defects + counts->defects);
}

int psx_frame_info(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                   struct text *text)
{
    struct psx_dump *psx = psx_dump_of(dump);
    struct frame_walk found = {0};
    int status = psx_index_shows(&psx->index, frame)
                     ? psx_index_wait_frame(&psx->index, frame, cancel)
                     : -ENOENT;

    if (status == 0)
        status = walk_frame(&psx->index, frame, cancel, &found);
    if (status == 0) {
        add_checkpoint(psx, frame, text);
        add_counts(&psx->index.counts[frame], &found, text);
        add_screen(psx, frame, text);
    }
    free(found.textures.keys);
    return status;
}
