/* SPDX-License-Identifier: MIT */
#include "tree/overview.h"

#include "image/shrink.h"
#include "tree/frame_pixels.h"
#include "tree/names.h"
#include "tree/overview_board.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum {
    CELL_MAX = 240, /* largest side of a picture */
    CELL_MIN = 120, /* smallest width of a cell, with room for the caption */
    CAPTION = 30,
    WIDTH_MIN = 560, /* smallest width of a sheet, with room for its head */
    WIDE = 3,        /* in halves: a sheet is about WIDE/2 times as wide as it is high */
};

struct layout {
    uint64_t frames[CONTACT_SHEET_FRAMES];
    unsigned count, columns;
    uint32_t cell_width, cell_height; /* of the pictures */
    uint32_t width, height;
};

static void set_columns(struct layout *layout)
{
    unsigned rows = layout->count;

    for (layout->columns = 1; layout->columns < layout->count; layout->columns++) {
        rows = (layout->count + layout->columns - 1) / layout->columns;
        if (2 * (uint64_t)layout->columns * layout->cell_width >=
            WIDE * (uint64_t)rows * (layout->cell_height + CAPTION))
            break;
    }
    rows = (layout->count + layout->columns - 1) / layout->columns;
    layout->width =
        2 * OVERVIEW_MARGIN - OVERVIEW_GAP + layout->columns * (layout->cell_width + OVERVIEW_GAP);
    layout->width = layout->width > WIDTH_MIN ? layout->width : (uint32_t)WIDTH_MIN;
    layout->height = OVERVIEW_HEAD + rows * (layout->cell_height + CAPTION) + OVERVIEW_MARGIN / 2;
}

/*
 * Finds the largest picture: the first one may be that of a window of a single pixel. *out must be
 * zeros.
 */
static int find_largest(struct dump *dump, const struct layout *layout, struct dump_frame *out)
{
    int status = -ENOENT;

    for (unsigned i = 0; i < layout->count; i++) {
        struct dump_frame frame = {0};
        int found = dump->ops->frame(dump, layout->frames[i], &frame);

        if (found == -EAGAIN)
            return found;
        if (found == 0 && (uint64_t)frame.width * frame.height > (uint64_t)out->width * out->height)
            *out = frame;
        status = status == 0 ? 0 : found;
    }
    return status;
}

/* Cells have the proportions of the largest picture. Never waits. */
static int lay_out(struct dump *dump, struct layout *out)
{
    struct dump_frame frame = {0};
    int status = frame_pixels_choose(dump, CONTACT_SHEET_FRAMES, out->frames, &out->count);

    if (status == 0)
        status = find_largest(dump, out, &frame);
    if (status < 0)
        return status;
    shrink_fit(frame.width, frame.height, CELL_MAX, CELL_MAX, &out->cell_width, &out->cell_height);
    out->cell_width = out->cell_width > CELL_MIN ? out->cell_width : (uint32_t)CELL_MIN;
    set_columns(out);
    return 0;
}

int contact_sheet_exists(struct dump *dump, uint64_t key)
{
    uint64_t frame = 0;

    (void)key;
    return tree_grows(dump->tree) ? -ENOENT : names_next_picture(dump, 0, 0, &frame);
}

int contact_sheet_size(struct dump *dump, uint64_t key, uint64_t *size)
{
    struct layout layout;
    int status = lay_out(dump, &layout);

    (void)key;
    return status == 0 ? overview_size(dump, layout.width, layout.height, size) : status;
}

/* Writes the frame's number, and its time if there is room. */
static void write_caption(struct board *board, struct dump *dump, const struct layout *layout,
                          uint64_t frame, uint32_t x, uint32_t y)
{
    char name[RULE_NAME_MAX + 1] = "";
    struct text time = TEXT_INIT;
    uint32_t taken;
    int status = names_frame(dump, frame, "", name);

    taken = board_write(board, x, y, layout->cell_width, OVERVIEW_SMALL, name,
                        status == 0 ? strlen(name) : 0, BOARD_TEXT);
    if (dump->ops->recording.frame_time != NULL)
        dump->ops->recording.frame_time(dump, frame, &time);
    if (time.length > 1 && text_status(&time) == 0) {
        text_add(&time, " s");
        if (taken + OVERVIEW_GAP + font_width(time.length) * OVERVIEW_SMALL < layout->cell_width)
            board_write_left_of(board, (int64_t)x + layout->cell_width, y, OVERVIEW_SMALL,
                                time.bytes, time.length, BOARD_FAINT);
    }
    text_clear(&time);
}

static int place_frames(struct overview_cells *cells, const struct layout *layout)
{
    int status = 0;

    for (unsigned i = 0; i < layout->count && status == 0; i++) {
        uint32_t column = i % layout->columns, row = i / layout->columns;
        uint32_t box[4] = {OVERVIEW_MARGIN + column * (layout->cell_width + OVERVIEW_GAP),
                           OVERVIEW_HEAD + row * (layout->cell_height + CAPTION),
                           layout->cell_width, layout->cell_height};

        status = overview_place_frame(cells, i, layout->frames[i], box);
        write_caption(cells->board, cells->dump, layout, layout->frames[i], box[0],
                      box[1] + box[3] + 5);
    }
    return status == 0 && cells->made == 0 ? -EIO : status;
}

static int write_head(struct board *board, struct dump *dump, const struct layout *layout)
{
    const struct overview_state *state = &dump->tree->sheet;
    struct text what = TEXT_INIT;
    int status;

    overview_add_count(&what, layout->count, dump->ops->frames(dump));
    overview_add_left_off(&what, state);
    text_add_char(&what, '\0');
    status = text_status(&what);
    if (status == 0)
        overview_write_head(board, dump, what.bytes);
    text_clear(&what);
    return status;
}

static int make_sheet(struct dump *dump, const struct layout *layout, const struct cancel *cancel,
                      struct blob **out)
{
    const struct picture_header header = {
        .width = layout->width, .height = layout->height, .colour = PICTURE_RGB};
    struct overview_state *state = &dump->tree->sheet;
    struct board board;
    struct overview_cells cells = {&board, dump, cancel, state, layout->count, 0};
    int status = board_init(&board, layout->width, layout->height);

    if (status == 0)
        status = place_frames(&cells, layout);
    if (atomic_load(&state->left_off) != 0)
        overview_tell(dump->tree, state, "contact-sheet.png: not all of its pictures are drawn");
    if (status == 0)
        status = write_head(&board, dump, layout);
    if (status == 0)
        status = board_encode(&board, &header, dump->options->png, cancel, out);
    board_clear(&board);
    return status;
}

int contact_sheet_make(struct dump *dump, uint64_t key, const struct cancel *cancel,
                       struct blob **out)
{
    struct layout layout;
    struct picture_batch batch;
    int status = lay_out(dump, &layout);

    if (status == -EAGAIN && (status = readme_know_names(dump, cancel)) == 0)
        status = lay_out(dump, &layout);
    if (status < 0)
        return status;
    picture_batch_begin(&batch, dump->tree, cancel);
    status = make_sheet(dump, &layout, &batch.use.cancel, out);
    return picture_batch_end(&batch, status, inode_pack(RULE_CONTACT_SHEET, key));
}
