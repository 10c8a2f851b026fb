/* SPDX-License-Identifier: MIT */
#include "tree/overview_board.h"

#include "base/budget.h"
#include "tree/frame_pixels.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

void overview_write_head(struct board *board, const struct dump *dump, const char *what)
{
    const char *name = source_basename(dump->source);
    const char *game = dump->ops->game != NULL ? dump->ops->game(dump) : NULL;
    uint32_t width = board->canvas.width - 2 * OVERVIEW_MARGIN;
    struct text line = TEXT_INIT;

    board_write(board, OVERVIEW_MARGIN, OVERVIEW_MARGIN - 8, width, OVERVIEW_LARGE, name,
                strlen(name), BOARD_STRONG);
    text_add(&line, dump->format);
    if (game != NULL && *game != '\0')
        text_printf(&line, "  %s", game);
    text_printf(&line, "  %s", what);
    if (text_status(&line) == 0)
        board_write(board, OVERVIEW_MARGIN, OVERVIEW_MARGIN + 24, width, OVERVIEW_SMALL, line.bytes,
                    line.length, BOARD_FAINT);
    text_clear(&line);
}

/* Each picture has the limit that it would have by itself. */
static int get_pixels(struct dump *dump, uint64_t frame, const struct cancel *cancel,
                      struct picture_pixels *out)
{
    struct budget_pause pause;
    int status;

    budget_pause(&pause);
    status =
        frame_pixels_get(dump->tree, dump->tree->rules.by_id[RULE_FRAME_PNG], frame, cancel, out);
    budget_resume(&pause);
    return status;
}

int overview_place_frame(struct board *board, struct dump *dump, uint64_t frame,
                         const uint32_t box[4], const struct cancel *cancel, unsigned *made)
{
    struct picture_pixels pixels;
    int status = get_pixels(dump, frame, cancel, &pixels);

    if (cancel_requested(cancel)) {
        if (status == 0)
            picture_pixels_clear(&pixels);
        return -EINTR;
    }
    canvas_fill(&board->canvas, box[0], box[1], box[2], box[3], BOARD_PANEL);
    if (status < 0) {
        canvas_hatch(&board->canvas, box[0], box[1], box[2], box[3], BOARD_LINE);
        return 0;
    }
    status = board_place(board, &pixels, box[0], box[1], box[2], box[3]);
    picture_pixels_clear(&pixels);
    *made += status == 0;
    return status;
}

int overview_size(const struct dump *dump, uint32_t width, uint32_t height, uint64_t *size)
{
    const struct picture_header header = {.width = width, .height = height, .colour = PICTURE_RGB};

    if (dump->options->png == PICTURE_SMALL)
        return -ENODATA;
    *size = picture_size(&header);
    return *size == 0 ? -EFBIG : 0;
}

void overview_add_count(struct text *text, unsigned shown, uint64_t count)
{
    if (shown == count)
        text_printf(text, "%" PRIu64 " frame%s", count, count == 1 ? "" : "s");
    else
        text_printf(text, "%u of %" PRIu64 " frames, evenly chosen", shown, count);
}
